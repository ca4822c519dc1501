// What the command, the engine and the provider tell each other by the environment (provider/settings/protocol.ts).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runEnvironment } from "../../engine/processes/environment.ts";
import { chosenEnv, chosenIn, engineRunIn, messageEnv, messageIn } from "../../provider/settings/protocol.ts";
import {
  countOf,
  flagOf,
  percentageOf,
  secondsOf,
  settingNames,
  settings,
  settingsEnv,
  stated,
  wordOf,
} from "../../provider/settings/settings.ts";

const name = fc.string({ minLength: 1 }).filter((text) => !text.includes(",") && text.trim() === text);
const names = fc.array(name, { minLength: 1 });
const message = fc.record(
  {
    identity: fc.string(),
    guard: fc.constant("plan" as const),
    diff: fc.constant("texts" as const),
    check: fc.constant("arguments" as const),
    reads: fc.dictionary(name, fc.record({ pages: fc.nat(), looks: fc.nat() })),
    planKey: fc.string(),
    approved: fc.string(),
    notices: fc.string(),
  },
  { requiredKeys: [] },
);

describe("what the command tells the provider", () => {
  test("is read as it was written, with what was told before", () => {
    fc.assert(
      fc.property(message, message, (first, second) => {
        const env = messageEnv(messageEnv({ SHOP_URL: "https://a.test" }, first), second);
        expect(messageIn(env)).toEqual({ ...first, ...second });
        expect(Object.keys(env)).toEqual(["SHOP_RUN"]);
      }),
    );
    expect(messageIn({})).toEqual({});
    expect(messageIn({ SHOP_RUN: "" })).toEqual({});
  });

  test("by another version of the package is refused, with what to start instead", () => {
    expect(() => messageIn({ SHOP_RUN: '{"version":2}' })).toThrow(
      "different versions of pulumi-shop; start the command of the program's own node_modules: npx pulumi-shop",
    );
  });

  test("choices are read as they were written, or as a person writes them", () => {
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

  test.each(["a,b", " a", "a ", ""])(
    "a name that would be read as another, or as two, is not written: %j",
    (one) => {
      expect(() => chosenEnv({ allow: ["spring", one] })).toThrow(
        `SHOP_ALLOW must be names without a comma, got ${JSON.stringify(one)}`,
      );
    },
  );

  test("the engine's run is the run that the provider reads", () => {
    for (const dryRun of [true, false])
      for (const lock of [undefined, "/locks/one.json"])
        expect(engineRunIn(runEnvironment({ dryRun, lock }))).toEqual({
          isEmbedded: true,
          isPreview: dryRun,
          lock,
        });
    expect(engineRunIn({ PULUMI_EMBEDDED_ENGINE: "{}" }).isPreview).toBeUndefined();
    // The real one says nothing of it to a provider, whatever it says to programs.
    expect(engineRunIn({ PULUMI_NODEJS_DRY_RUN: "true" })).toEqual({
      isEmbedded: false,
      isPreview: undefined,
    });
  });
});

describe("settings", () => {
  test("each has one variable, after its name", () => {
    for (const one of settingNames)
      expect(settings[one].variable).toBe(`SHOP_${one.replace(/[A-Z]/g, "_$&").toUpperCase()}`);
  });

  test("the stack's file goes before the environment, also where it is empty", () => {
    const env = settingsEnv({ url: "https://a.example", drift: "keep" });
    expect(env).toEqual({ SHOP_URL: "https://a.example", SHOP_DRIFT: "keep" });
    expect(stated({ env }, "url")).toBe("https://a.example");
    const of = (text: string) => ({ env, config: (key: string) => (key === "shop:url" ? text : undefined) });
    expect(stated(of("https://b.example"), "url")).toBe("https://b.example");
    expect(stated(of(""), "url")).toBeUndefined();
    expect(() => flagOf({ env: { SHOP_PROTECTED: "yes" } }, "protected")).toThrow(
      'shop:protected must be true or false, got "yes"',
    );
  });

  test("an argument goes before both", () => {
    const sources = { settings: { url: "https://a.example", perPage: 5 }, config: () => "7", env: {} };
    expect([stated(sources, "url"), stated(sources, "perPage"), stated(sources, "capacity")]).toEqual([
      "https://a.example",
      "5",
      "7",
    ]);
  });

  test("what isn't set is told to no process", () => {
    expect(settingsEnv({ url: undefined, token: "" })).toEqual({ SHOP_TOKEN: "" });
  });

  const read = {
    word: (text?: string) => wordOf({ env: { SHOP_CONFLICTS: text } }, "conflicts"),
    percentage: (text?: string) => percentageOf({ env: { SHOP_MAX_DISCOUNT: text } }, "maxDiscount"),
    count: (text?: string) => countOf({ env: { SHOP_MAX_DELETES: text } }, "maxDeletes"),
    seconds: (text?: string) => secondsOf({ env: { SHOP_LATE_ANSWERS: text } }, "lateAnswers", 600),
  };

  test.each<readonly [keyof typeof read, string | undefined, unknown]>([
    ["word", "stop", "stop"],
    ["word", "overwrite", "overwrite"],
    ["percentage", "0", 0],
    ["percentage", "20", 20],
    ["percentage", "12.55", 12.55],
    ["count", "0", 0],
    ["count", "12", 12],
    ["seconds", "0", 0],
    ["seconds", "600", 600],
    ["seconds", "0.5", 0.5],
    ...(["word", "percentage", "count", "seconds"] as const).flatMap(
      (what) =>
        [
          [what, undefined, undefined],
          [what, "", undefined],
        ] as const,
    ),
  ])("a %s of %j is %j", (what, text, value) => {
    expect(read[what](text)).toBe(value);
  });

  const count = "shop:maxDeletes must be an integer of at least 0, such as 5";
  const percentage = "shop:maxDiscount must be a percentage such as 20";
  const seconds = "shop:lateAnswers must be a number of seconds from 0 to 600";
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
  ])("a %s of %j is refused", (what, text, message) => {
    expect(() => read[what](text)).toThrow(`${message}, got ${JSON.stringify(text)}`);
  });
});
