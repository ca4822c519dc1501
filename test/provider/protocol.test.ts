// Messages between command, engine and provider in the environment (provider/settings/protocol.ts).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chosenEnv, chosenIn, messageIn } from "../../provider/settings/protocol.ts";
import {
  integerOf,
  percentageOf,
  settingNames,
  settings,
  settingsEnv,
  wordOf,
} from "../../provider/settings/settings.ts";

const name = fc.string({ minLength: 1 }).filter((text) => !text.includes(",") && text.trim() === text);
const names = fc.array(name, { minLength: 1 });

describe("what the command tells the provider", () => {
  test("a message of another version is rejected with a remedy", () => {
    expect(() => messageIn({ SHOP_RUN: '{"version":2}' })).toThrow(
      "different versions of pulumi-shop; run the command from the program's node_modules: npx pulumi-shop",
    );
  });

  test("choices are parsed as the command and as a person write them", () => {
    fc.assert(
      fc.property(names, names, (allow, keep) => {
        const env = chosenEnv({ allow, keep, resend: undefined });
        expect([chosenIn(env, "allow"), chosenIn(env, "keep")]).toEqual([allow, keep]);
        expect(Object.keys(env)).toEqual(["SHOP_ALLOW", "SHOP_KEEP"]);
      }),
    );
    expect(chosenIn({ SHOP_ALLOW: "" }, "allow")).toBeUndefined();
    expect(chosenIn({ SHOP_ALLOW: "Product:7, spring ,," }, "allow")).toEqual(["Product:7", "spring"]);
  });

  test.each(["a,b", " a", "a ", ""])("an ambiguous name is not written: %j", (one) => {
    expect(() => chosenEnv({ allow: ["spring", one] })).toThrow(
      `SHOP_ALLOW must be names without a comma, got ${JSON.stringify(one)}`,
    );
  });
});

describe("settings", () => {
  test("each setting has one variable, named after it", () => {
    for (const one of settingNames)
      expect(settings[one].variable).toBe(`SHOP_${one.replace(/[A-Z]/g, "_$&").toUpperCase()}`);
  });

  test("an unset setting is passed to no process", () => {
    expect(settingsEnv({ url: undefined, token: "" })).toEqual({ SHOP_TOKEN: "" });
  });

  const read = {
    word: (text?: string) => wordOf({ env: { SHOP_CONFLICTS: text } }, "conflicts"),
    percentage: (text?: string) => percentageOf({ env: { SHOP_MAX_DISCOUNT: text } }, "maxDiscount"),
    count: (text?: string) => integerOf({ env: { SHOP_MAX_DELETES: text } }, "maxDeletes"),
    seconds: (text?: string) => integerOf({ env: { SHOP_LATE_ANSWERS: text } }, "lateAnswers"),
  };

  const count = "shop:maxDeletes must be an integer of at least 0, such as 5";
  const percentage = "shop:maxDiscount must be a percentage such as 20";
  const seconds = "shop:lateAnswers must be an integer from 0 to 600";
  test.each<readonly [keyof typeof read, string, string]>([
    ["word", "Stop", "shop:conflicts must be stop or overwrite"],
    ["percentage", "12.", percentage],
    ["percentage", ".5", percentage],
    ["percentage", "a20", percentage],
    ["percentage", "20a", percentage],
    ["percentage", "1e2", percentage],
    ["count", "-1", count],
    ["count", "1.5", count],
    ["count", "5 objects", count],
    ["seconds", "-1", seconds],
    ["seconds", "600.1", seconds],
    ["seconds", "a minute", seconds],
  ])("the setting %s of %j is rejected", (what, text, message) => {
    expect(() => read[what](text)).toThrow(`${message}, got ${JSON.stringify(text)}`);
  });
});
