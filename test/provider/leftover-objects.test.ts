// The end of a run: objects of interrupted creates that no state has and no program asks for are reported.
import { describe, expect, test } from "vitest";
import type { Plan } from "../../provider/context/plan.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { fingerprint, reportInterruptedCreates } from "../../provider/lifecycle/interrupted-creates.ts";
import { tellInterruptedSheets } from "../../provider/prices/leftover.ts";
import { pricesVerbs } from "../../provider/prices/verbs.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { type Answers, began, notFound, scene } from "./answers.ts";

const coupon = definitions.coupons as Definition;
const charge = definitions.applicationCharges as Definition;

const spring = { code: "SPRING", discount: 10, typeId: 2 };

/** Long ago: nobody waits for it to appear. */
const old = began - 3_600_000;

interface Noted {
  readonly definition?: Definition;
  readonly args?: Values;
  readonly of?: string;
  readonly id?: string;
  readonly kind?: string;
  readonly url?: string;
  readonly at?: number;
}

async function opened(noted: readonly Noted[], answers: Answers, plan: Partial<Plan> = {}) {
  const { shop, log, said } = scene(answers, { plan });
  for (const one of noted) {
    const { definition = coupon, args = spring, of = "dev::spring", at = old, id } = one;
    const ending = await shop.notes.begin({
      of,
      kind: one.kind ?? definition.kind,
      shop: one.url ?? shop.url,
      at,
      skewMs: 0,
      above: {},
      print: fingerprint(definition, args, shop.folder),
    });
    if (id !== undefined) await ending.made(id);
  }
  const left = () => shop.notes.all().map(({ of, id }) => (id === undefined ? of : `${of} ${id}`));
  return {
    log,
    said,
    left,
    end: (has: readonly string[] = [], failed: readonly string[] = []) =>
      reportInterruptedCreates(shop, { has: new Set(has), failed: new Set(failed) }),
  };
}

const told = (kind: string, id: string, name = "spring") =>
  `an earlier run created ${kind} ${id} (resource ${name}), which is in no state: ` +
  `run up with the resource in the program to adopt it, or delete ${id} in the back office`;

const page = (number: number) =>
  `GET /admin/discount_codes.xml?page=${number}&per_page=250&updated_since=2026-04-30`;
const got = "GET /admin/discount_codes/7.xml";
const created = "2026-05-01T11:30:00+00:00";
const shown = (id: number, more: object = {}) => ({
  id,
  code: "SPRING",
  discount: 10,
  "type-id": 2,
  "created-at": created,
  ...more,
});

describe("an interrupted create whose object is known", () => {
  const asked = (definition: Definition) =>
    `GET ${definition.operations.get?.path.replace("{id}", "7") ?? ""}`;
  const ofCharge = (status: string) => ({ id: 7, name: "Month", price: "5.0", status });

  test.each<readonly [string, Definition, object | Error, isLeft: boolean]>([
    ["that the shop doesn't have any more is forgotten", coupon, notFound, false],

    ["that somebody may yet have to pay is told", charge, ofCharge("pending"), true],
    ["that was paid is forgotten", charge, ofCharge("accepted"), false],
    ["that was declined is forgotten", charge, ofCharge("declined"), false],
  ])("the object of an interrupted create that is known: %s", async (_what, definition, answer, isLeft) => {
    const { end, log, left } = await opened([{ definition, id: "7" }], () => answer);
    expect(await end()).toEqual(isLeft ? [told(definition.kind, "7")] : []);
    expect([log()[0], left()]).toEqual([asked(definition), isLeft ? ["dev::spring 7"] : []]);
  });
});

describe("an interrupted create without an answer", () => {
  test.each<
    readonly [
      string,
      readonly object[],
      has: readonly string[],
      lines: readonly string[],
      left: readonly string[],
    ]
  >([
    ["is looked for and told", [shown(7)], [], [told("Coupon", "7")], ["dev::spring 7"]],

    [
      "is none that is of days before it",
      [shown(7, { "created-at": "2026-04-29T10:59:00+00:00" })],
      [],
      [],
      [],
    ],
    ["is none that the state has", [shown(7)], ["Coupon:7"], [], []],
  ])(
    "the object of an interrupted create without an answer: %s",
    async (_what, objects, has, lines, left) => {
      const scene = await opened([{}], () => objects);
      expect([await scene.end(has), scene.left()]).toEqual([lines, left]);
      expect(scene.log()).toEqual([page(1), page(2)]);
    },
  );

  test("an object belongs to at most one interrupted create", async () => {
    const noted = [{}, { of: "dev::summer" }];
    const { end, left } = await opened(noted, (line) => (line === got ? shown(7) : [shown(7)]));
    expect([await end(), left()]).toEqual([[told("Coupon", "7")], ["dev::spring 7"]]);
  });
});

test("a search that waits for a late object says so once", async () => {
  const summer = { args: { ...spring, code: "SUMMER" }, of: "dev::summer", at: began };
  const { said, end, log } = await opened([{ at: began }, summer], () => [], { patienceMs: 60_000 });
  expect(await end()).toEqual([]);
  expect(said).toEqual(["waiting up to 60 s: the shop may still carry out a create of an interrupted run"]);
  expect(log().filter((line) => line.startsWith("wait "))[0]).toBe("wait 500");
});

test("the object of one create is not reported for another create of the same resource", async () => {
  const { end } = await opened([{ id: "7" }, {}], (line) => (line === got ? shown(7) : [shown(7)]));
  expect(await end()).toEqual([told("Coupon", "7")]);
});

const sheetNote = {
  kind: "Prices",
  at: old,
  skewMs: 0,
  above: {},
  print: { by: [], key: undefined, content: "", text: undefined },
};

test.each(["diff", "read"] as const)(
  "where no folder has the state, a sheet's notes end as soon as its %s shows a state that has what they say",
  async (verb) => {
    const { shop } = scene(() => new Error("offline"), { plan: { isEmbedded: false } });
    const of = "urn:pulumi:dev::user::Prices::spring";
    const args = { __of: of, onRemove: "restore", rows: "sku|price\nC-1|7\n" };
    const rows = (price: number) => `||price\nC-1|1/2|${price}<10\n`;
    const noted = () => shop.notes.all().length;
    await shop.notes.begin({ ...sheetNote, of, shop: shop.url, rows: rows(7) });
    const { diff, read } = pricesVerbs(shop);
    const shown = async (price: number) => {
      const state = { ...args, __rows: rows(price) };
      await (verb === "diff" ? diff("spring", state, args) : read("spring", state)).catch(() => undefined);
    };
    // Its run may not have come to its end.
    await shown(7);
    expect(noted()).toBe(1);
    await shop.notes.found("Prices", of, "spring");
    await shown(8);
    expect(noted()).toBe(1);
    await shown(7);
    expect(noted()).toBe(0);
    // What a refresh has shown may be in no state.
    await read("spring", { ...args, __rows: rows(8) }).catch(() => undefined);
    await shop.notes.begin({ ...sheetNote, of, shop: shop.url, rows: rows(7) });
    await shop.notes.found("Prices", of, "spring");
    await diff("spring", { ...args, __rows: rows(7) }, args);
    expect(noted()).toBe(1);
  },
);

test("plain pulumi is told once which prices an interrupted run of a sheet has written, if no state has the sheet", async () => {
  const { shop, said } = scene(() => notFound, { plan: { isEmbedded: false } });
  const of = "urn:pulumi:dev::user::Prices::spring";
  const note = { ...sheetNote, of };
  const rows = "||price\nC-1|1/2|7<10\n";
  await shop.notes.begin({ ...note, shop: shop.url, rows });
  await shop.notes.begin({ ...note, shop: "https://other.example", rows: "||price\nX-1|1/2|7<10\n" });
  tellInterruptedSheets(shop, of);
  tellInterruptedSheets(shop, of);
  expect(said).toEqual([
    "Prices spring: an earlier run was interrupted while it wrote the prices of C-1. If the program still has this sheet, up finishes it. If not, run up with the sheet in the program, then without it: that puts the earlier prices back",
  ]);
});
