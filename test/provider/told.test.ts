// What the command, the engine and the provider tell each other by the environment (provider/settings/told.ts).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runEnvironment } from "../../engine/processes/environment.ts";
import { flagOf, settingNames, settings, settingsEnv, stated } from "../../provider/settings/settings.ts";
import { engineRunIn, type Told, tell, toldIn } from "../../provider/settings/told.ts";

const name = fc.string({ minLength: 1 }).filter((text) => !text.includes(",") && text.trim() === text);
const names = fc.array(name, { minLength: 1 });
const file = fc.string({ minLength: 1 });
const planned = fc.record({ pages: fc.nat(), looks: fc.nat() });
const arbitrary: { readonly [Name in keyof Told]: fc.Arbitrary<Told[Name]> } = {
  allow: names,
  overwrite: names,
  resend: names,
  replace: names,
  guard: fc.constant("plan"),
  diff: fc.constant("texts"),
  check: fc.constant("arguments"),
  reads: fc.dictionary(name, planned),
  planKey: fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString("hex")),
  approved: file,
  notices: file,
  journal: file,
};
const all = Object.keys(arbitrary) as (keyof Told)[];

describe("what is told", () => {
  test("is read as it was written, all of it", () => {
    fc.assert(
      fc.property(fc.record(arbitrary, { requiredKeys: [] }), (told) => {
        const env = tell(told as Partial<Told>);
        const read = Object.fromEntries(all.map((one) => [one, toldIn(env, one)]));
        expect(read).toEqual({ ...Object.fromEntries(all.map((one) => [one, undefined])), ...told });
        expect(Object.keys(env)).toHaveLength(Object.keys(told).length);
      }),
    );
  });

  test.each([
    ['SHOP_GUARD must be plan, got "whole"', "guard", "whole"],
    ['SHOP_DIFF must be texts, got "yes"', "diff", "yes"],
    ['SHOP_CHECK must be arguments, got "true"', "check", "true"],
    [
      'SHOP_READS must be such as {"Coupon {}":{"pages":1,"looks":20}}, got "pages:Coupon"',
      "reads",
      "pages:Coupon",
    ],
    [
      'SHOP_READS must be such as {"Coupon {}":{"pages":1,"looks":20}}, got "{\\"a\\":{\\"pages\\":-1,\\"looks\\":0}}"',
      "reads",
      '{"a":{"pages":-1,"looks":0}}',
    ],
    ['SHOP_PLAN_KEY must be hex digits, got "xyz"', "planKey", "xyz"],
  ] as const)("%s", (message, one, text) => {
    expect(() => toldIn({ [message.split(" ")[0] ?? ""]: text }, one)).toThrow(message);
  });

  test("nothing is told by an empty variable; names may have room between them", () => {
    expect(toldIn({ SHOP_GUARD: "" }, "guard")).toBeUndefined();
    expect(toldIn({ SHOP_ALLOW: "Product:7, spring ,," }, "allow")).toEqual(["Product:7", "spring"]);
  });

  test("a name that would be read as two is not written", () => {
    expect(() => tell({ allow: ["spring", "a,b"] })).toThrow(
      'SHOP_ALLOW must be names without a comma, got "a,b"',
    );
  });

  test("the engine's run is the run that the provider reads", () => {
    for (const dryRun of [true, false])
      for (const refresh of [true, false])
        expect(engineRunIn(runEnvironment({ dryRun, refresh }))).toEqual({
          isEmbedded: true,
          isPreview: dryRun,
          isRefresh: refresh,
        });
    // The real one says nothing of it to a provider, whatever it says to programs.
    expect(engineRunIn({ PULUMI_NODEJS_DRY_RUN: "true" })).toEqual({
      isEmbedded: false,
      isPreview: undefined,
      isRefresh: true,
    });
  });
});

describe("settings", () => {
  test("each has one variable, after its name", () => {
    for (const one of settingNames)
      expect(settings[one].variable).toBe(`SHOP_${one.replace(/[A-Z]/g, "_$&").toUpperCase()}`);
  });

  test("the stack's file goes before the environment, also where it is empty", () => {
    const env = settingsEnv({ url: "https://a.example", refresh: "whole" });
    expect(env).toEqual({ SHOP_URL: "https://a.example", SHOP_REFRESH: "whole" });
    expect(stated({ env }, "url")).toBe("https://a.example");
    const of = (text: string) => ({ env, config: (key: string) => (key === "shop:url" ? text : undefined) });
    expect(stated(of("https://b.example"), "url")).toBe("https://b.example");
    expect(stated(of(""), "url")).toBeUndefined();
    expect(() => flagOf({ env: { SHOP_PROTECTED: "yes" } }, "protected")).toThrow(
      'shop:protected must be true or false, got "yes"',
    );
  });
});
