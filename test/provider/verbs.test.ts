// The operations as an engine calls them: their requests, notices and failures.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fileFact, sha256 } from "../../provider/body/body.ts";
import { NoAnswerError } from "../../provider/client/errors.ts";
import type { Shop } from "../../provider/context/context.ts";
import type { Guard } from "../../provider/context/limits.ts";
import type { Plan } from "../../provider/context/plan.ts";
import { type Definition, decimal, create as post, text } from "../../provider/definition/define.ts";
import { type Lifecycle, lifecycle } from "../../provider/lifecycle/lifecycle.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { type Answers, notFound, type Row, scene, table } from "./answers.ts";
import { hiddenOf, kindOf, shownBody, wares } from "./kind.ts";

const operations = wares;
const ware = kindOf(
  "Ware",
  {
    name: text(),
    price: decimal({ role: "price" }),
    shelf: text({ replaces: true }),
    given: text({ writeOnly: true }),
  },
  { operations, keys: [["name"]] },
);
const page = kindOf(
  "Page",
  {
    name: text(),
    content: text({ mode: "body" }),
    file: text({ mode: "program" }),
    at: text({ mode: "computed" }),
  },
  { operations, body: shownBody },
);
const hidden = hiddenOf(ware);
const jug = { name: "jug", price: 1, __of: "dev::jug" };
const olds: Values = { ...jug, __stated: "name,price" };
const there = { id: 7, name: "jug", price: "1" };
const look = "GET /wares/7";

interface How {
  readonly definition?: Definition;
  readonly rows?: readonly Row[];
  readonly answers?: Answers;
  readonly plan?: Partial<Plan>;
  readonly shop?: Partial<Omit<Shop, "plan" | "transport">>;
}

function opened({ definition = ware, rows = [there], answers, plan = {}, shop: more = {} }: How = {}) {
  const all = scene(answers ?? table("/wares", ...rows).answers, { ...more, plan });
  return { ...all, verbs: lifecycle(definition, all.shop) };
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
const guarded = (more: object = {}): Guard =>
  ({
    isProtected: true,
    maxPriceChange: 50,
    isPlanned: false,
    allowed: new Set(),
    ...more,
  }) as unknown as Guard;

describe("check", () => {
  const adopting = { ...jug, adopt: "7" };

  test.each<readonly [string, olds: Values, news: Values, Partial<Plan>, known: boolean, isLooked: boolean]>([
    ["a first create is looked for", {}, adopting, {}, false, true],
    ["what has a state isn't", olds, adopting, {}, false, false],
  ])("%s", async (_what, before, news, plan, isKnown, isLooked) => {
    const { verbs, shop, log } = opened({ plan });
    const of = news.__of === undefined ? "" : "dev::jug";
    if (isKnown) shop.memory.inState.add(`Ware ${of}`);
    const { failures, taken } = await verbs.check(before, news);
    expect([failures, taken?.id, log()]).toEqual([[], isLooked ? "7" : undefined, isLooked ? [look] : []]);
    // A later replacement isn't a first create.
    expect(shop.memory.inState.has("Ware dev::jug")).toBe(before === olds || (isKnown && of !== ""));
  });

  test("check rejects a create beyond the stack's limits without a plan", async () => {
    const offer = kindOf(
      "Offer",
      { off: decimal({ role: "discount" }) },
      { operations: { create: post("/offers.json") } },
    );
    const checked = async (guard: Guard | undefined) =>
      (await opened({ definition: offer, shop: { guard } }).verbs.check({}, { off: 90, __of: "dev::sale" }))
        .failures;
    const refused = [
      {
        property: "off",
        reason: expect.stringContaining("beyond the limits of the stack: Offer sale") as unknown,
      },
    ];
    expect(await checked(guarded({ maxDiscount: 50 }))).toEqual(refused);
    expect(await checked(guarded({ maxDiscount: 50, isPlanned: true }))).toEqual([]);
    expect(await checked(undefined)).toEqual([]);
  });
});

describe("diff", () => {
  const changed = { ...jug, price: 2 };
  const replaced = { ...jug, shelf: "b" };
  const conflict = { ...there, price: "5" };

  test.each<readonly [string, news: Values, How, type: string, log: readonly string[]]>([
    ["of nothing asks nothing", jug, {}, "none", []],
    ["of a change looks in a preview", changed, { plan: { isPreview: true } }, "update", [look]],

    [
      "of a change is looked at by the update itself in a run",
      changed,
      { plan: { isPreview: false } },
      "update",
      [],
    ],
    ["of a replacement looks in a preview", replaced, { plan: { isPreview: true } }, "replace", [look]],
  ])("%s", async (_what, news, how, type, requests) => {
    const { verbs, log } = opened(how);
    expect([(await verbs.diff("7", olds, news)).type, log()]).toEqual([type, requests]);
  });

  test.each<readonly [string, news: Values, How, message: string]>([
    [
      "a replacement of what staff changed is one",
      replaced,
      { rows: [conflict] },
      "would be replaced, but was changed in the shop",
    ],
    [
      "what is gone can't be changed",
      changed,
      { rows: [], plan: { isPreview: true } },
      "Ware 7 was deleted in the shop",
    ],
    ["what is gone can't be replaced", replaced, { rows: [] }, "Ware 7 was deleted in the shop"],

    [
      "what is beyond the limits from what the shop has is refused where it may be overwritten, too",
      changed,
      {
        rows: [{ ...there, price: 1000 }],
        shop: { guard: guarded() },
        plan: { isPreview: true, overwritesAll: true },
      },
      "would move price by 99.8 %, 1000 => 2",
    ],
    [
      "what was approved otherwise is refused",
      replaced,
      {
        plan: {
          digest: (words) => words,
          approved: { objects: { "Ware:7": [{ ends: true, fields: [] }] }, creates: [] },
        },
      },
      "Ware 7 differs from the approved plan",
    ],
  ])("%s", async (_what, news, how, message) => {
    expect(await failure(opened(how).verbs.diff("7", olds, news))).toContain(message);
  });

  test("a replacement that keeps its unique key deletes first, and one with a new key creates first", async () => {
    const replacing = async (definition: Definition, news: Values) =>
      opened({ definition }).verbs.diff("7", olds, { ...replaced, ...news });
    const unique = { ...ware, unique: true as const };
    expect(await replacing(unique, {})).toMatchObject({ type: "replace", deleteFirst: true });
    expect(await replacing(unique, { name: "mug" })).toMatchObject({ type: "replace", deleteFirst: false });
    expect(await replacing(ware, {})).toMatchObject({ type: "replace", deleteFirst: false });
  });

  test("diff adds nothing for values that the shop doesn't return", async () => {
    for (const news of [changed, replaced]) {
      const { verbs, notices } = opened({
        definition: hidden,
        answers: () => notFound,
        plan: { isPreview: true },
      });
      await verbs.diff("7", olds, news);
      expect(notices.map(({ type }) => type)).toEqual(["looks"]);
    }
  });

  test("diff reports reads and requests to the command, and kept edits to the user", async () => {
    const { verbs, said, notices } = opened({
      rows: [{ ...there, name: "theirs" }],
      plan: { isPreview: true },
    });
    await verbs.diff("7", olds, changed);
    expect(notices).toEqual([
      { type: "looks", kind: "Ware", id: "7", above: "{}", before: "update" },
      {
        type: "changes",
        kind: "Ware",
        id: "7",
        sends: 1,
        effects: [expect.objectContaining({ type: "price", from: 1, to: 2 })],
        done: [],
        keeps: ["name"],
      },
    ]);
    expect(said).toEqual([
      'preview: Ware 7: changed in the shop since the last run and kept: name: "jug" => "theirs"; refresh takes it into the state',
    ]);
    const replacing = opened();
    await replacing.verbs.diff("7", olds, replaced);
    expect(replacing.notices).toEqual([
      { type: "looks", kind: "Ware", id: "7", above: "{}", before: "replace" },
    ]);
    const kept = opened({ plan: { isPreview: true } });
    await kept.verbs.diff("7", olds, changed);
    expect(kept.said).toEqual([]);
  });

  test.each<readonly [string, news: Values, known: boolean, keeper: string | undefined, leaves: boolean]>([
    ["a resource of the program holds its object", jug, true, "Ware dev::jug", false],
    ["one that the program doesn't have holds nothing", jug, false, undefined, false],
  ])("%s", async (_what, news, isKnown, keeper, leaves) => {
    const { verbs, shop } = opened();
    if (isKnown) shop.memory.inState.add("Ware dev::jug");
    await verbs.diff("7", olds, news);
    const { owners } = shop.memory;
    expect([owners.manager("Ware:7"), owners.leaves("Ware:7")]).toEqual([keeper, leaves]);
  });

  test("an object that another resource has adopted is rejected with that resource's name", async () => {
    const { verbs, shop } = opened();
    shop.memory.owners.made("Ware:7", "Ware dev::jug");
    expect((await verbs.diff("7", olds, jug)).type).toBe("none");
    shop.memory.owners.made("Ware:7", "Ware dev::group::mug");
    expect(await failure(verbs.diff("7", olds, jug))).toBe(
      "Ware 7 was adopted by resource mug in this run; two resources can't manage one object",
    );
  });
});

describe("changes of texts", () => {
  const change = async (notice: Shop["notice"], news = "two") => {
    const { verbs, said } = opened({
      definition: page,
      answers: () => ({ id: 7, content: "theirs\n" }),
      shop: { notice },
    });
    await verbs.showTextChange("7", { sha256: sha256("one\n") }, { content: news });
    return said;
  };
  const lines = "@@ -1,1 +1,1 @@\n-theirs\n+two";

  test("a text's change is shown at its resource, or as a line", async () => {
    const told: unknown[] = [];
    expect(await change((notice) => told.push(notice) > 0, "two\n")).toEqual([]);
    expect(told).toEqual([{ type: "text", kind: "Page", id: "7", lines }]);
    expect(await change(() => false, "two\n")).toEqual([
      `Page 7: remote text (-) and new text (+):\n${lines}`,
    ]);
    expect(await change(() => false, "one\n")).toEqual([]);
  });
});

describe("creates of numbered kinds", () => {
  const made = async (definition: Definition) => {
    let under = 0;
    let most = 0;
    const { verbs, shop } = opened({ definition, rows: [] });
    const slow = lifecycle(definition, {
      ...shop,
      transport: {
        ...shop.transport,
        send: async (request, read) => {
          under += 1;
          most = Math.max(most, under);
          await new Promise((resolve) => setImmediate(resolve));
          under -= 1;
          if (request.body?.includes("bad")) throw new NoAnswerError("it hung up", {});
          return shop.transport.send(request, read);
        },
      },
    });
    const names = ["a", "bad", "c"];
    const all = await Promise.allSettled(names.map((name) => slow.create({ name, __of: `dev::${name}` })));
    expect(verbs).toBeDefined();
    return { most, ids: all.map((one) => (one.status === "fulfilled" ? one.value.id : "failed")) };
  };

  test("creates of kinds that aren't sequential are sent in parallel", async () => {
    expect((await made(ware)).most).toBe(3);
  });
});

describe("read", () => {
  const read = async (state: Values, how: How = {}) => {
    const all = opened(how);
    const result = await all.verbs.read("7", state).catch((error: unknown) => (error as Error).message);
    return { ...all, result: result as Exclude<typeof result, string>, log: all.log() };
  };

  test("read returns the shop's values and the matching arguments", async () => {
    const { result, log, said } = await read(olds, { rows: [{ ...there, price: "5", shelf: "x" }] });
    expect(result).toEqual({
      id: "7",
      props: {
        name: "jug",
        price: 5,
        shelf: "x",
        __of: "dev::jug",
        __stated: "name,price",
        __asked: { price: 1 },
      },
      inputs: { name: "jug", price: 5, __of: "dev::jug" },
      isKnown: false,
      keeps: undefined,
    });
    expect([log, said]).toEqual([[look], []]);
  });

  test.each<readonly [string, Values, message: string | undefined]>([
    ["one of an older version too", { name: "jug" }, undefined],
    ["one that was only read, read again", { __stated: "" }, undefined],
    [
      "one that a program asks for the first time is an error",
      {},
      "Ware 7 does not exist; check the id that get was given",
    ],
  ])("read of a deleted object: %s", async (_what, state, message) => {
    expect((await read(state, { rows: [] })).result).toBe(message);
  });

  test("read keeps the state of an object that the shop doesn't return, with a warning", async () => {
    const how = { definition: hidden, answers: () => notFound };
    const { result, said } = await read(olds, how);
    expect(result).toEqual({ id: "7", props: olds, inputs: { name: "jug", price: 1, __of: "dev::jug" } });
    expect(said).toEqual([
      "Ware 7: this shop doesn't allow reading such objects; the state keeps what was written",
    ]);
    expect((await read({}, how)).result).toBe("Ware 7 can't be read: this shop doesn't offer it");
  });

  test("read uses a page of the list if that is cheaper, but not for texts", async () => {
    const asked: unknown[] = [];
    const opening = opened();
    const shop: Shop = {
      ...opening.shop,
      reads: {
        ...opening.shop.reads,
        find: async (_kind, id, how) => {
          asked.push([id, how]);
          return { id: 7, name: "listed" };
        },
      },
    };
    const result = await lifecycle(ware, shop).read("7", olds);
    expect([result?.props.name, opening.log(), asked]).toEqual(["listed", [], [["7", { isPlanned: false }]]]);
    expect(opening.notices).toEqual([
      { type: "looks", before: "delete", kind: "Ware", id: "7", above: "{}" },
    ]);
    await lifecycle(page, shop).read("7", { isText: true });
    expect([opening.log(), asked.length]).toEqual([[look], 1]);
  });

  test("read reports the values that a delete would destroy", async () => {
    const plan = { digest: (words: string) => words };
    const types = async (state: Values, how: How = {}) =>
      (await read(state, { plan, ...how })).notices.map(({ type }) => type);
    expect(await types(olds)).toEqual(["looks", "sees"]);
    expect(await types({ ...olds, __stated: "given" })).toEqual([]);
  });

  test.each<readonly [string, Values, How, keeps: string | undefined]>([
    ["in a run nobody asks", olds, { plan: { isPreview: false } }, undefined],

    [
      "the conflict where staff changed it",
      olds,
      { rows: [{ ...there, price: "5" }], plan: { isPreview: true } },
      "would be deleted, but was changed in the shop",
    ],
  ])("read reports why a delete would be refused: %s", async (_what, state, how, keeps) => {
    const { result } = await read(state, how);
    if (keeps === undefined || keeps === "") expect(result?.keeps).toBe(keeps);
    else expect(result?.keeps).toMatchObject({ message: expect.stringContaining(keeps) });
  });

  test("read shows staff's changes of a text", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-read-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "home.html"), "one\n");
    const file = await fileFact("home.html", folder);
    const { said } = await read(
      { file, sha256: file.sha256, isText: true, __stated: "file" },
      { definition: page, rows: [{ id: 7, content: "two\n" }], shop: { folder } },
    );
    expect(said).toEqual(["Page 7: the text was changed in the shop:\n@@ -1,1 +1,1 @@\n-one\n+two"]);
  });
});

describe("verbs that are refused before a request", () => {
  const approved = { objects: {}, creates: [] };

  test.each<readonly [string, (verbs: Lifecycle) => Promise<unknown>, How, message: string]>([
    [
      "a delete that the plan doesn't have",
      (verbs) => verbs.delete("7", olds),
      { plan: { approved } },
      "Ware 7 is not in the approved plan",
    ],
  ])("%s", async (_what, act, how, message) => {
    const { verbs, log } = opened(how);
    expect(await failure(act(verbs))).toContain(message);
    expect(log()).toEqual([]);
  });
});
