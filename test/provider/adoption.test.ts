// Previews of creates: the object that a create adopts and changes, and what stands in its way.
import { describe, expect, test } from "vitest";
import { NoAnswerError } from "../../provider/client/errors.ts";
import { markOfShop, type Shop } from "../../provider/context/context.ts";
import type { Guard } from "../../provider/context/limits.ts";
import type { Plan } from "../../provider/context/plan.ts";
import {
  type Definition,
  decimal,
  edit,
  get,
  listing,
  create as post,
  text,
} from "../../provider/definition/define.ts";
import { adoptionOf } from "../../provider/lifecycle/adoption.ts";
import { fingerprint } from "../../provider/lifecycle/interrupted-creates.ts";
import { previewCreate } from "../../provider/lifecycle/preview-create.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { type Answers, began, notFound, type Row, scene, table } from "./answers.ts";
import { kindOf, wares } from "./kind.ts";
import { guardOf } from "./limit-samples.ts";

const { remove: _ended, ...operations } = wares;
const ware = kindOf(
  "Ware",
  {
    name: text(),
    price: decimal({ mode: "required", role: "price" }),
    note: text(),
    shelf: text({ replaces: true }),
  },
  { operations, keys: [["name"]] },
);
const unique: Definition = { ...ware, unique: true };
const fee = kindOf(
  "Fee",
  { monthly: decimal({ mode: "required" }) },
  {
    operations: { get: get("/fee.json"), create: post("/fee.json"), edit: edit("/fee.json") },
    singleton: "monthly",
  },
);
const jug = { name: "jug", price: 1, __of: "dev::jug" };
const there = { id: 7, name: "jug", price: "1" };

type How = {
  readonly plan?: Partial<Plan>;
  readonly adopt?: "key";
  readonly guard?: Guard;
  readonly notice?: Shop["notice"];
};
const opened = (answers: Answers, { plan, ...how }: How = {}) =>
  scene(answers, { ...how, plan: { isPreview: true, ...plan } });
const asked = (...rows: readonly Row[]): Answers => table("/wares", ...rows).answers;
const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

describe("finding the object to adopt", () => {
  test("an object that a shop has once is found at its own address, and a search that finds nothing is not reported", async () => {
    const { shop, log, notices } = opened(() => ({ monthly: "5" }));
    expect([(await adoptionOf({ definition: fee, shop, args: { monthly: 5 } }))?.id, log()]).toEqual([
      "fee",
      ["GET /fee"],
    ]);
    expect(notices).toMatchObject([{ type: "looks", kind: "Fee", id: "fee", before: "create" }]);
    const none = opened(() => notFound);
    expect([
      await adoptionOf({ definition: fee, shop: none.shop, args: { monthly: 5 } }),
      none.notices,
    ]).toEqual([undefined, []]);
  });
});

describe("adopted objects", () => {
  test("an object that a shop has once belongs to the first resource of the plan that adopts it, even if the shop has none", async () => {
    const { shop, log } = opened(() => notFound);
    expect(
      await adoptionOf({ definition: fee, shop, args: { monthly: 5, __of: "dev::one" } }),
    ).toBeUndefined();
    expect(
      await adoptionOf({ definition: fee, shop, args: { monthly: 5, __of: "dev::one" } }),
    ).toBeUndefined();
    log();
    expect(
      await messageOf(adoptionOf({ definition: fee, shop, args: { monthly: 5, __of: "dev::two" } })),
    ).toBe(
      "can't adopt Fee fee: resource one of this stack has it already; two resources can't manage one object",
    );
    expect(log()).toEqual([]);
  });

  test.each<readonly [string, number, Values, "key" | undefined, string]>([
    [
      "with other terms nobody has asked for it",
      6,
      {},
      undefined,
      'the shop already has a Fee with other terms (monthly: expected 6, got 5); set adopt: "key" to adopt it',
    ],
  ])("an object that a shop has once: %s", async (_what, monthly, more, adopt, message) => {
    const { shop } = opened(() => ({ monthly: "5" }), adopt === undefined ? {} : { adopt });
    expect(await messageOf(adoptionOf({ definition: fee, shop, args: { monthly, ...more } }))).toBe(message);
  });
});

describe("the report of an adoption before it happens", () => {
  const nothing = { failures: [] };

  test.each<readonly [string, Values, Partial<Plan>]>([
    ["where only the arguments are wanted", { ...jug, adopt: "7" }, { onlyArguments: true }],
    ["where it isn't known yet which object", { ...jug, adopt: unknownValue }, {}],
    ["where its key isn't known yet", { ...jug, name: unknownValue, adopt: "key" }, {}],
  ])("an adoption isn't searched for in advance %s", async (_what, args, plan) => {
    const { shop, log } = opened(asked(there), { plan });
    expect([await previewCreate({ definition: ware, shop, args }), log()]).toEqual([nothing, []]);
  });

  const adopts = (words: string) => `preview: adopts Ware 7${words}`;
  test.each<readonly [string, Values, line: string]>([
    ["as it is, by its key", { adopt: "key" }, adopts(" (name jug) as it is")],
    [
      "that it is another than was stated",
      { adopt: "6" },
      adopts(" (name jug) instead of 6, which the shop doesn't have as it is"),
    ],
    ["a secret key by no value", { adopt: "key", __secret: "name" }, adopts(" (name [secret]) as it is")],
  ])("the preview of an adoption reports its outcome: %s", async (_what, more, line) => {
    const { shop, said, notices } = opened(asked(there), { notice: () => false });
    const args = { ...jug, ...more };
    const olds = { name: "jug", price: 1, adopt: more.adopt, __of: "dev::jug" };
    expect(await previewCreate({ definition: ware, shop, args })).toEqual({
      failures: [],
      taken: { id: "7", inputs: args, olds: expect.objectContaining(olds) as unknown, asked: args },
    });
    expect([said, notices]).toEqual([[line], []]);
  });

  test("the planner gets an adoption with its requests and what it touches, and nothing is printed", async () => {
    const { shop, said, notices } = opened(asked(there), { plan: { digest: (words) => words } });
    await previewCreate({ definition: ware, shop, args: { ...jug, price: 2, adopt: "6" } });
    expect(notices.slice(-2)).toEqual([
      {
        type: "sees",
        kind: "Ware",
        id: "7",
        ends: false,
        adopts: true,
        fields: [{ path: "price", is: 1, asked: 2 }],
      },
      {
        type: "adopts",
        kind: "Ware",
        id: "7",
        of: "dev::jug",
        sends: 1,
        effects: [expect.objectContaining({ type: "price", from: 1, to: 2 })],
        instead: "6",
      },
    ]);
    expect(said).toEqual([]);
    const same = opened(asked(there));
    await previewCreate({ definition: ware, shop: same.shop, args: { name: "jug", price: 1, adopt: "key" } });
    expect(same.notices.at(-1)).toEqual({
      type: "adopts",
      kind: "Ware",
      id: "7",
      of: "",
      sends: 0,
      effects: [],
      instead: undefined,
    });
  });

  test.each<readonly [string, Values, string]>([
    ["by its key", { adopt: "key" }, "jug: the shop has no Ware with name jug: it is created"],
    ["by its id", { adopt: "6" }, "jug: the shop has no Ware 6, nor one with name jug: it is created"],
  ])("the preview of an adoption without an object to adopt says so: %s", async (_what, more, line) => {
    const { shop, said } = opened(asked());
    expect([await previewCreate({ definition: ware, shop, args: { ...jug, ...more } }), said]).toEqual([
      nothing,
      [`preview: ${line}`],
    ]);
  });

  test("an adoption that can't work is a failure of the argument, and a lost answer is left to the run", async () => {
    const { shop } = opened(asked(there));
    expect(await previewCreate({ definition: ware, shop, args: { ...jug, shelf: "b", adopt: "7" } })).toEqual(
      {
        failures: [
          {
            property: "adopt",
            reason: "can't adopt Ware 7: shelf can't be changed in place; set the shop's values",
          },
        ],
      },
    );
    const guard = guardOf({ maxPriceChange: 50 });
    const { failures } = await previewCreate({
      definition: ware,
      shop: opened(asked(there), { guard }).shop,
      args: {
        ...jug,
        price: 9,
        adopt: "7",
      },
    });
    expect(failures).toEqual([
      { property: "adopt", reason: expect.stringContaining("beyond the limits") as unknown },
    ]);
    const silent = new NoAnswerError("it hung up", {});
    await expect(
      previewCreate({ definition: ware, shop: opened(() => silent).shop, args: { ...jug, adopt: "7" } }),
    ).rejects.toBe(silent);
    // What the system says of a file is no answer about the object either.
    const denied = Object.assign(new Error("EACCES: permission denied, open 'a.html'"), { code: "EACCES" });
    await expect(
      previewCreate({ definition: ware, shop: opened(() => denied).shop, args: { ...jug, adopt: "7" } }),
    ).rejects.toBe(denied);
  });
});

describe("adoption after an interrupted create", () => {
  const cutOff =
    "preview: jug: an earlier run was interrupted while creating it; this run looks for the object first";
  const created =
    "preview: jug: an earlier run created Ware 7, which is in no state; this run looks for the object first";
  test.each<
    readonly [string, Values, made: string | undefined, line: string | undefined, taken: string | undefined]
  >([
    ["by key", { adopt: "key" }, undefined, cutOff, undefined],
    ["unasked", {}, undefined, cutOff, undefined],
    ["unasked, whose id is known", {}, "7", created, undefined],
    ["by an id that isn't there", { adopt: "6" }, undefined, cutOff, undefined],
    ["by its id", { adopt: "7" }, undefined, undefined, "7"],
  ])(
    "an interrupted create is searched for before an adoption: %s",
    async (_what, more, made, line, taken) => {
      const { shop, said, log } = opened(asked(there));
      const note = await shop.notes.begin({
        of: "dev::jug",
        kind: "Ware",
        shop: shop.url,
        at: began,
        skewMs: 0,
        above: {},
        print: fingerprint(ware, jug, "/nowhere"),
      });
      if (made !== undefined) await note.made(made);
      expect((await previewCreate({ definition: ware, shop, args: { ...jug, ...more } })).taken?.id).toBe(
        taken,
      );
      expect(said).toEqual(line === undefined ? [] : [line]);
      if (taken !== undefined) expect(log()).toEqual(["GET /wares/7"]);
    },
  );
});

test.each<readonly [string, Definition, was: string, now: string, way: string]>([
  [
    "under another name",
    ware,
    "shop:index:Ware::mug",
    "Ware::jug",
    'give it aliases: [{ name: "mug" }], or run pulumi-shop state rename mug jug',
  ],
  [
    "that moved into a component",
    unique,
    "shop:index:Ware::jug",
    "group$Ware::jug",
    "give it aliases: [{ parent: pulumi.rootStackResource }]",
  ],
])("the create of a resource %s names the owner of the shop's object and how to keep it", async (...row) => {
  const [, definition, was, now, way] = row;
  const { shop, said } = opened(asked(there), { plan: { isPreview: undefined } });
  Object.assign(shop.notes, { inState: () => `urn:pulumi:dev::p::${was}` });
  const args = { ...jug, __of: `urn:pulumi:dev::p::${now}` };
  const { failures } = await previewCreate({ definition: definition, shop, args });
  const name = was.split("::").at(-1);
  const told = [...said, ...failures.map(({ reason }) => reason)].join();
  expect(told).toContain(`the state has it as resource ${name}: if this is ${name}, ${way}`);
});

describe("the preview of a plain create", () => {
  const { name: _name, ...nameless } = jug;
  const taken = (id: string) =>
    `the shop has Ware ${id} with name jug already: set adopt: "key" to adopt it; ` +
    "if it is this resource under another name, give it aliases: [{ name: ... }]";
  const equal = (ids: string, first: string) =>
    `preview: jug: the shop has an equal Ware already (${ids}): adopt: "${first}" adopts it instead of creating another`;

  const meets = async (
    definition: Definition,
    args: Values,
    answers: Answers,
    plan: Partial<Plan> = {},
    prepare: (shop: Shop) => unknown = () => {},
  ) => {
    const { shop, said, log } = opened(answers, { plan });
    prepare(shop);
    const { failures } = await previewCreate({ definition: definition, shop, args });
    return { failures: failures.map(({ property, reason }) => `${property}: ${reason}`), said, log: log() };
  };
  test.each<
    readonly [
      string,
      Definition,
      Values,
      readonly Row[],
      failure: string | undefined,
      line: string | undefined,
    ]
  >([
    ["without a key is told of an equal one", ware, nameless, [there], undefined, equal("7", "7")],
    [
      "without a key is told of all equal ones",
      ware,
      nameless,
      [there, { ...there, id: 8 }],
      undefined,
      equal("7, 8", "7"),
    ],
  ])("the preview of a plain create: %s", async (_what, definition, args, rows, failure, line) => {
    const { failures, said } = await meets(definition, args, asked(...rows));
    expect([failures, said]).toEqual([
      failure === undefined ? [] : [failure],
      line === undefined ? [] : [line],
    ]);
  });

  test("an equal object that belongs to a resource of the plan is not reported, but one with the same key is in the way", async () => {
    const held = ({ memory }: Shop) => memory.owners.kept("Ware:7", "Ware dev::group::mug");
    expect((await meets(ware, nameless, asked(there), {}, held)).said).toEqual([]);
    expect((await meets(unique, jug, asked(there), {}, held)).failures).toEqual([`name: ${taken("7")}`]);
  });

  test("the preview of creates costs at most one page for each create of a kind", async () => {
    const paged = { ...ware, operations: { ...operations, list: listing("/wares.json", { perPage: 1 }) } };
    const pages = [
      { ...there, id: 1, price: "5" },
      { ...there, id: 2 },
      { ...there, id: 3 },
    ];
    const { shop, log, said } = opened((line) => {
      const one = pages[Number(/page=(\d)/.exec(line)?.[1]) - 1];
      return one === undefined ? [] : [one];
    });
    const spent: number[] = [];
    for (let turn = 0; turn < 2; turn += 1) {
      await previewCreate({ definition: paged, shop, args: nameless });
      spent.push(log().length);
    }
    expect([spent, said]).toEqual([[1, 1], [equal("2", "2")]]);
  });
});

test.each([
  ["this shop", true, 0],
  ["another shop", false, 1],
])(
  "a state with the object's id in %s under another name tells staff's edits only of its own shop",
  async (_what, isHere, sends) => {
    const { shop } = opened(asked(there), { plan: { isEmbedded: false } });
    const urn = "urn:pulumi:dev::memory::pulumi-nodejs:dynamic/shop:Coupon::pot";
    const outputs = { id: 7, name: "jug", price: 2, __stated: "name,price" };
    const held = {
      key: "Ware:7",
      kind: "Ware",
      id: "7",
      urn,
      inputs: {},
      outputs,
      hideDiff: [],
      retainOnDelete: false,
    };
    const mark = isHere ? markOfShop(shop) : "https://other.example#2";
    const notes = { ...shop.notes, inState: () => urn, heldBy: () => ({ ...held, shop: mark }) };
    const args = { ...jug, price: 2, adopt: "key" };
    const adoption = await adoptionOf({ definition: ware, shop: { ...shop, notes }, args });
    expect(adoption?.change.sends.requests).toBe(sends);
  },
);
