// The cost and time of a plan: figures of a preview that the run keeps.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openStack } from "../../engine/index.ts";
import type { Notice, StepRead } from "../../provider/context/notices.ts";
import { costOf, type PlannedStep } from "../../provider/inventory/request-cost.ts";
import { countPendingCreates } from "../../runs/plans/interrupted-creates.ts";
import { requestCostText } from "../../runs/report/request-cost.ts";
import { stepOf } from "./steps.ts";

const window = { requests: 0, writes: 0, rejected: 0, used: 41, limit: 500 };
const update = (id: number): PlannedStep => ({ kind: "Product", id: String(id), work: "update" });
/** A look at an object, and the page of its list that has shown it. */
const looked = (
  object: { kind: string; id: string; above: string },
  page?: number,
  before: StepRead = "update",
) => {
  const { id, ...list } = object;
  const ids = [id.split("/").at(-1) ?? ""];
  const shows: readonly Notice[] = page === undefined ? [] : [{ type: "shows", ...list, page, ids }];
  return [...shows, { type: "looks", ...object, before } satisfies Notice];
};
const noticed = (id: number, page: number | undefined): readonly Notice[] => [
  ...looked({ kind: "Product", id: String(id), above: "{}" }, page),
  { type: "changes", kind: "Product", id: String(id), sends: 1, effects: [], done: [] },
];
const many = (count: number) => Array.from({ length: count }, (_none, index) => index);

test("one price edit is one look and one PUT", () => {
  expect(costOf([update(1)], noticed(1, undefined))).toEqual({
    requests: 2,
    reads: { "host Product {}": { pages: 0, looks: 1 } },
  });
});

test("a thousand price edits cost ten pages and a thousand PUTs", () => {
  const notices = many(1_000).flatMap((id) => noticed(id, Math.floor(id / 100) + 1));
  expect(costOf(many(1_000).map(update), notices)).toEqual({
    requests: 1_010,
    reads: { "host Product {}": { pages: 10, looks: 1_000 } },
  });
});

test("a handful far back in a huge shop is looked at one by one", () => {
  expect(
    costOf(
      many(5).map(update),
      many(5).flatMap((id) => noticed(id, 40)),
    ),
  ).toEqual({
    requests: 10,
    reads: { "host Product {}": { pages: 0, looks: 5 } },
  });
});

test("the pages that show most are read, and what is behind them is asked for by itself", () => {
  const pageOf = (id: number) => (id < 30 ? 1 + Math.floor(id / 10) : id === 30 ? 40 : undefined);
  const inOrder = many(32);
  // In any order of the notices.
  for (const ids of [inOrder, inOrder.toReversed(), inOrder.map((id) => (id * 7) % 32)])
    expect(
      costOf(
        ids.map(update),
        ids.flatMap((id) => noticed(id, pageOf(id))),
      ),
    ).toEqual({ requests: 3 + 2 + 32, reads: { "host Product {}": { pages: 3, looks: 32 } } });
});

test("the files of two themes are read one by one, because no list shows their text", () => {
  const asset = (themeId: number, id: number, page: number): readonly [PlannedStep, readonly Notice[]] => {
    const key = `${themeId}/${id}`;
    const above = JSON.stringify({ themeId: String(themeId) });
    return [
      { kind: "Asset", id: key, work: "delete" },
      looked({ kind: "Asset", id: key, above }, page, "delete"),
    ];
  };
  const all = [...many(5).map((id) => asset(1, id, 1)), asset(2, 9, 3)];
  const notices = all.flatMap(([, its]) => its);
  expect(
    costOf(
      all.map(([planned]) => planned),
      notices,
    ),
  ).toEqual({
    requests: 5 + 1 + 6,
    reads: {
      'host Asset {"themeId":"1"}': { pages: 0, looks: 5 },
      'host Asset {"themeId":"2"}': { pages: 0, looks: 1 },
    },
  });
});

test("what has no operation of its own to be read is looked for page by page", () => {
  const notices = many(2).flatMap((id) => looked({ kind: "File", id: String(id), above: "{}" }, 3, "delete"));
  const plan = many(2).map((id): PlannedStep => ({ kind: "File", id: String(id), work: "delete" }));
  expect(costOf(plan, notices)).toEqual({
    requests: 5,
    reads: { "host File {}": { pages: 3, looks: 2 } },
  });
});

test("a list that the dynamic resources and the plugin read is read by each of them", () => {
  const files = (by: "host" | "plugin", id: string): readonly Notice[] =>
    looked({ kind: "File", id, above: "{}" }, 1, by === "host" ? "create" : "delete").map(
      (notice) => ({ ...notice, by }) as Notice,
    );
  const plan: readonly PlannedStep[] = [{ kind: "File", id: "1", work: "delete" }];
  const notices = [...files("plugin", "1"), ...files("host", "2")];
  expect(costOf(plan, notices)).toEqual({
    requests: 3,
    reads: { "host File {}": { pages: 1, looks: 1 }, "plugin File {}": { pages: 1, looks: 1 } },
  });
});

test("what the shop has already costs its look alone", () => {
  const notices = noticed(1, undefined).map((notice) =>
    notice.type === "changes" ? { ...notice, sends: 0 } : notice,
  );
  expect(costOf([update(1)], notices).requests).toBe(1);
});

test("a create is a POST, one of what a shop has once is preceded by a look, a charge's end as well", () => {
  const plan = (kind: string, work: PlannedStep["work"]): readonly PlannedStep[] => [{ kind, id: "1", work }];
  expect(costOf(plan("Coupon", "create"), []).requests).toBe(1);
  expect(costOf(plan("RecurringCharge", "create"), []).requests).toBe(2);
  expect(costOf(plan("ApplicationCharge", "delete"), []).requests).toBe(2);
});

test("what is taken over, under another name too, is looked for first: by its number, or in a list that is read once", () => {
  const taken = (id: number): Notice => ({
    type: "adopts",
    kind: "Coupon",
    id: String(id),
    of: "",
    sends: 0,
  });
  const sought = (id: number, page: number | undefined) =>
    looked({ kind: "Coupon", id: String(id), above: "{}" }, page, "create");
  const plan = (...ids: readonly number[]): readonly PlannedStep[] =>
    ids.map((id) => ({ kind: "Coupon", id: String(id), work: id === 1 ? "update" : "adopt" }));
  expect(
    costOf(
      plan(1, 2),
      [1, 2].flatMap((id) => [...sought(id, undefined), taken(id)]),
    ),
  ).toEqual({
    requests: 2,
    reads: { "host Coupon {}": { pages: 0, looks: 2 } },
  });
  const many = [1, 2, 3, 4, 5];
  expect(
    costOf(
      plan(...many),
      many.flatMap((id) => [...sought(id, 1), taken(id)]),
    ).requests,
  ).toBe(1);
  const listed: Notice = { type: "lists", kind: "Coupon", above: "{}", pages: 2, objects: 1, singles: 0 };
  expect(costOf(plan(1, 2), [listed, taken(1), listed, taken(2)]).requests).toBe(2);
  // A missing object is created after a search.
  expect(costOf([{ kind: "Coupon", id: undefined, work: "create" }], sought(9, undefined)).requests).toBe(2);
});

test("an object that is adopted under another name and updated is read twice, one that is replaced once by each process", () => {
  const plan = (work: PlannedStep["work"]): readonly PlannedStep[] => [{ kind: "JsTag", id: "1", work }];
  const object = { kind: "JsTag", id: "1", above: "{}" };
  const adopted = [...looked(object, undefined, "create"), ...looked(object)];
  expect(costOf(plan("update"), adopted).requests).toBe(2);
  const replaced = [...looked(object, undefined, "replace"), ...looked(object, undefined, "delete")];
  expect(costOf(plan("replace"), replaced).requests).toBe(1 + 2);
  const moved = [
    ...replaced,
    ...looked(object).map((notice): Notice => ({ ...notice, by: "plugin" }) as Notice),
  ];
  expect(costOf(plan("replace"), moved).requests).toBe(2 + 2);
});

test("what doesn't fit in this window waits for the next ones", () => {
  expect(requestCostText(19, window)).toBe("at most 19 (about 6 s); the shop's rate limit: 41 of 500 used");
  expect(requestCostText(46, { ...window, used: 2, limit: 20 })).toBe(
    "at most 46; the shop's rate limit: 2 of 20 used",
  );
  expect(requestCostText(1_000, window)).toBe(
    "at most 1000 (about 10 min); the shop's rate limit: 41 of 500 used",
  );
});

test("a create that was interrupted is looked for once more: it is counted, where it is of this shop and in no state", () => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-price-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write("Pulumi.yaml", "name: p\nruntime: nodejs\n");
  const note = (of: string, shop: string) =>
    JSON.stringify({ begin: `${of} ${shop}`, of, kind: "Coupon", shop, at: 1, above: {}, print: {} });
  const own = "https://a.example.test";
  const made = JSON.stringify({ made: `live::made ${own}`, id: "8841" });
  const lines = [
    note("live::lost", own),
    note("live::lost", "https://b.example.test"),
    note("live::made", own),
    made,
  ];
  write("backend/.pulumi/stacks/p/live.creates", `${lines.join("\n")}\n`);
  const type = "pulumi-nodejs:dynamic/shop:Coupon";
  const state = { urn: `urn:pulumi:live::p::${type}::made`, custom: true, type, id: "8841" };
  const deployment = { stack: "live", latest: { resources: [state] } };
  write("backend/.pulumi/stacks/p/live.json", JSON.stringify({ version: 3, checkpoint: deployment }));
  const env = { PULUMI_BACKEND_URL: `file://${folder}/backend`, SHOP_URL: `${own}/` };
  const stack = openStack({ folder, stack: "live", env });
  expect(countPendingCreates(stack, [], [], () => {})).toBe(1);
  // `pulumi stack rename` leaves the notes under the older name: those count that the program asks for.
  write(
    "backend/.pulumi/stacks/p/older.creates",
    `${note("older::found", own)}\n${note("older::gone", own)}\n`,
  );
  expect(countPendingCreates(stack, [stepOf("create", "Coupon", "found")], [], () => {})).toBe(2);
  // `adopt` names the object.
  const adopts = { type: "adopts", kind: "Coupon", id: "8842", of: "live::lost", sends: 0 } as const;
  expect(countPendingCreates(stack, [], [adopts], () => {})).toBe(0);
  expect(costOf([], [], 1).requests).toBe(1);
});

test("two resources that adopt one object each read it", () => {
  const object = { kind: "JsTag", id: "1", above: "{}" };
  const notices = ["JsTag::a", "JsTag::b"].flatMap((of) =>
    looked(object, undefined, "create").map((notice): Notice => ({ ...notice, of }) as Notice),
  );
  expect(costOf([], notices).requests).toBe(2);
});

test("the read of a refresh isn't counted again for a resource that the plan renames", () => {
  const object = { kind: "Product", id: "1", above: "{}" };
  const notices = looked(object, undefined, "delete");
  expect(costOf([{ kind: "Product", id: "1", work: "update" }], notices).requests).toBe(0);
  expect(costOf([{ kind: "Product", id: "1", work: "delete" }], notices).requests).toBe(2);
});
