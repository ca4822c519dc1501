/**
 * Saved plans that become stale: a program and a shop, a plan of an edit, and an event before the plan is
 * applied. A seed decides everything.
 */
import type { Stored } from "../../emulator/store.ts";
import { printPlan } from "../../runs/plans/plan-file.ts";
import type { CarriedOut, Moment, Options } from "./house/types.ts";
import type { House } from "./house.ts";
import { momentOf, walkKinds } from "./kinds.ts";
import { placesOf } from "./model.ts";
import { type Draw, drawEdit, drawing } from "./moves.ts";
import { type Rows, rowsOf } from "./plan-judge.ts";
import { type Entry, edited, kindOf } from "./program.ts";

/** A plan, and the time when it was saved. */
export interface Scene {
  readonly house: House;
  readonly draw: Draw;
  readonly before: readonly Entry[];
  readonly program: readonly Entry[];
  readonly text: string;
  readonly options: Options;
  readonly moment: Moment;
  readonly rows: Rows;
  readonly furniture: ReadonlySet<string>;
  /** Whether staff edited something before the plan was made. */
  readonly isEdited: boolean;
  readonly fresh: () => number;
}

/** Draws a plan; undefined if the edit changes nothing, or the preview fails. */
export async function drawPlan(house: House, seed: number): Promise<Scene | undefined> {
  const draw = drawing(seed);
  const { below, chance } = draw;
  let n = 1_000;
  const fresh = () => ++n;
  const furniture = new Set(rowsOf(house).keys());
  const edit = (program: readonly Entry[], move: Parameters<typeof edited>[1]) =>
    edited(program, move, {
      theme: Number(house.rows("theme")[0]?.id),
      fresh,
      adoptable: () => undefined,
      inHours: momentOf,
      earlier: [],
    });
  let before: readonly Entry[] = [];
  for (let count = 2 + below(4); count > 0; count -= 1)
    before = edit(before, { do: "add", kind: below(1_000), slot: below(1_000) });
  before = before.map((entry) => (chance(20) ? withSecret(entry) : entry));
  await house.up(before);
  let program = before;
  for (let count = 1 + below(3); count > 0; count -= 1) program = edit(program, drawEdit(draw));
  const isEdited = chance(15) && staffEdit({ house, draw, fresh, furniture });
  const options: Options = {
    ...(chance(20) && { config: { "shop:conflicts": "overwrite" } }),
    ...(chance(15) && { refresh: true }),
  };
  const { text, guarded } = await house.save(program, options);
  if (
    text === undefined ||
    guarded.length > 0 ||
    (JSON.parse(text) as { steps: unknown[] }).steps.length === 0
  )
    return undefined;
  const { refresh: _of, ...rest } = options;
  return {
    house,
    draw,
    before,
    program,
    text,
    options: rest,
    moment: house.moment(),
    rows: rowsOf(house),
    furniture,
    isEdited,
    fresh,
  };
}

// A plan must bind secrets without showing them.
function withSecret(entry: Entry): Entry {
  const [place] = kindOf(entry).places;
  return place === undefined ? entry : { ...entry, secrets: [place.argument] };
}

type Staff = Pick<Scene, "house" | "draw" | "fresh" | "furniture">;

/** Staff edit a field of an object that the program created. @returns whether there was one */
function staffEdit({ house, draw, fresh, furniture }: Staff): boolean {
  const there = [...rowsOf(house)].filter(([key]) => !furniture.has(key));
  if (there.length === 0) return false;
  const [key, row] = draw.one(there);
  const table = key.split("/")[0] ?? "";
  const kind = walkKinds.find(
    (one) =>
      one.table === table && (table !== "asset" || isJson(row) === (one.places[0]?.stored(1) !== "w1")),
  );
  const places = kind === undefined ? [] : placesOf(kind);
  if (places.length === 0) return false;
  const place = draw.one(places);
  const value = place.stored(fresh());
  if (place.inner === undefined) {
    house.shop.edit({ kind: table, id: row.id, set: { [place.column]: value } });
    return true;
  }
  const items = row[place.argument] as readonly Stored[];
  const at = draw.below(items.length);
  const changed = items.map((item, each) => (each === at ? { ...item, [place.column]: value } : item));
  house.shop.edit({ kind: table, id: row.id, set: { [place.argument]: changed } });
  return true;
}

const isJson = (row: Stored) => /\.json$/.test(String(row.name ?? ""));

function staffDelete({ house, draw, furniture }: Staff): boolean {
  const there = [...rowsOf(house)].filter(([key]) => !furniture.has(key));
  if (there.length === 0) return false;
  const [key, row] = draw.one(there);
  house.shop.edit({ kind: key.split("/")[0] ?? "", id: row.id, delete: true });
  return true;
}

function staffAdd({ house, draw, fresh, furniture }: Staff): boolean {
  const there = [...rowsOf(house)].filter(([key, row]) => !furniture.has(key) && row.variants !== undefined);
  if (there.length === 0) return false;
  const [, row] = draw.one(there);
  const variants = row.variants as readonly Stored[];
  const n = fresh();
  const item = { ...variants[0], id: 5_000_000 + n, sku: `staff${n}` };
  house.shop.edit({ kind: "product", id: row.id, set: { variants: [...variants, item] } });
  return true;
}

const sameEntry = (one: Entry) => (other: Entry) => one.kindAt === other.kindAt && one.slot === other.slot;

/** A program between the two: each resource as it was, or as it becomes. */
function partly({ before, program, draw }: Scene): readonly Entry[] {
  const both = [...program, ...before.filter((entry) => !program.some(sameEntry(entry)))];
  return both.flatMap((entry) => {
    const side = draw.chance(50) ? before : program;
    return side.filter(sameEntry(entry));
  });
}

function anotherProgram(scene: Scene): readonly Entry[] | undefined {
  const { house, draw, fresh, program } = scene;
  const world = {
    theme: Number(house.rows("theme")[0]?.id),
    fresh,
    adoptable: () => undefined,
    inHours: momentOf,
    earlier: [scene.before],
  };
  for (let tries = 0; tries < 5; tries += 1) {
    const other = edited(program, drawEdit(draw), world);
    if (other !== program) return other;
  }
  return undefined;
}

const carry = (scene: Scene, more: Options = {}, text = scene.text): Promise<CarriedOut> =>
  scene.house.carryOut(text, scene.program, { ...scene.options, ...more });

/** The result, with the shop right before the run. */
export interface Stale extends CarriedOut {
  readonly rows: Rows;
  /** Whether the plan must be refused, may be (the judge decides), or belongs to another program. */
  readonly must: "refuse" | "judge" | "finish";
}

export interface Staleness {
  readonly name: string;
  /** Undefined if the plan can't become stale in this way. */
  readonly happen: (scene: Scene) => Promise<Stale | undefined>;
}

/** An event, then the unchanged plan. */
const after = (
  name: string,
  move: (scene: Scene) => Promise<boolean> | boolean,
  must: Stale["must"] = "judge",
): Staleness => ({
  name,
  async happen(scene) {
    if (!(await move(scene))) return undefined;
    const rows = rowsOf(scene.house);
    return { ...(await carry(scene)), rows, must };
  },
});

const asOther = (name: string, as: NonNullable<Parameters<House["carryOut"]>[3]>): Staleness => ({
  name,
  async happen({ house, text, program, options }) {
    const rows = rowsOf(house);
    const came = await house.carryOut(text, program, options, as);
    return { ...came, rows, must: "refuse" };
  },
});

const tampered = (name: string, change: (text: string, draw: Draw) => string | undefined): Staleness => ({
  name,
  async happen(scene) {
    const text = change(scene.text, scene.draw);
    if (text === undefined || text === scene.text) return undefined;
    return { ...(await carry(scene, {}, text)), rows: rowsOf(scene.house), must: "refuse" };
  },
});

/** The file with a changed value. */
function withOtherValue(text: string, draw: Draw): string {
  const plan = JSON.parse(text) as Record<string, unknown>;
  const places: [Record<string, unknown>, string][] = [];
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner === "object" && inner !== null) visit(inner);
      else places.push([value as Record<string, unknown>, name]);
    }
  };
  visit(plan);
  const [holder, name] = draw.one(places);
  const value = holder[name];
  holder[name] =
    typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${String(value)}1`;
  return JSON.stringify(plan);
}

function withoutStep(text: string, draw: Draw): string {
  const plan = JSON.parse(text) as { steps: unknown[] };
  return JSON.stringify({ ...plan, steps: plan.steps.toSpliced(draw.below(plan.steps.length), 1) });
}

/** A made-up key, without the passphrase. */
const withOwnKey = (text: string): string => {
  const plan = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ ...plan, key: Buffer.from("00".repeat(32)).toString("base64") });
};

export const staleness: readonly Staleness[] = [
  after("nothing", () => true, "finish"),
  {
    name: "the program is edited",
    async happen(scene) {
      const program = anotherProgram(scene);
      if (program === undefined) return undefined;
      const rows = rowsOf(scene.house);
      return { ...(await scene.house.carryOut(scene.text, program, scene.options)), rows, must: "judge" };
    },
  },
  {
    name: "the program loses a part of the change",
    async happen(scene) {
      const rows = rowsOf(scene.house);
      const program = partly(scene);
      return { ...(await scene.house.carryOut(scene.text, program, scene.options)), rows, must: "judge" };
    },
  },
  after("staff edit a field", staffEdit),
  after("staff delete an object", staffDelete),
  after("staff add a variant", staffAdd),
  after("staff edit a field, and a refresh takes it in", async (scene) => {
    if (!staffEdit(scene)) return false;
    await scene.house.refresh(scene.options);
    return true;
  }),
  after("a refresh", async ({ house, options }) => {
    await house.refresh(options);
    return true;
  }),
  after("another run has done the same", async ({ house, program, options }) => {
    await house.up(program, options);
    return true;
  }),
  after("another run has done a part of it", async (scene) => {
    await scene.house.up(partly(scene), scene.options);
    return true;
  }),
  after("another run has done something else", async (scene) => {
    const program = anotherProgram(scene);
    if (program === undefined) return false;
    await scene.house.up(program, scene.options);
    return true;
  }),
  after(
    "the plan was carried out before",
    async (scene) => {
      await carry(scene);
      return true;
    },
    "finish",
  ),
  after(
    "the plan was carried out half: a request failed",
    async (scene) => {
      const { house, draw } = scene;
      const after = draw.below(6);
      let writes = 0;
      await carry(scene, {
        onRequest(line) {
          if (line.startsWith("GET ")) return;
          writes += 1;
          if (writes > after)
            throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
        },
      });
      return house.rows("product").length >= 0;
    },
    "finish",
  ),
  after(
    "the plan was carried out half: the process ended",
    async (scene) => {
      const at = 1 + scene.draw.below(80);
      await carry(scene, {
        crash: { plan: ({ number }) => (number === at ? { crash: "after" } : undefined) },
      });
      // Removes a planned crash that didn't happen.
      scene.house.goTo(scene.house.moment());
      return true;
    },
    "finish",
  ),
  after("the state was lost", ({ house }) => {
    house.loseState();
    return true;
  }),
  {
    name: "staff edit a field between the check and the write",
    async happen(scene) {
      let rows = rowsOf(scene.house);
      let isEdited = false;
      const between = () => {
        isEdited = staffEdit(scene);
        rows = rowsOf(scene.house);
      };
      const came = await scene.house.carryOut(scene.text, scene.program, scene.options, { between });
      return isEdited ? { ...came, rows, must: "judge" } : undefined;
    },
  },
  asOther("another stack", { as: (stack) => ({ ...stack, name: "live" }) }),
  asOther("another project", {
    as: (stack) => ({ ...stack, project: { ...stack.project, name: "other" } }),
  }),
  asOther("another shop", {
    as: (stack) => ({ ...stack, env: { ...stack.env, SHOP_URL: "https://other.example.test" } }),
  }),
  asOther("another verb", { verb: "destroy" }),
  tampered("another version of the package", (text) => {
    const { encryptionSalt, key, ...plan } = JSON.parse(text);
    const sealed = { encryptionSalt, key };
    return printPlan({ ...plan, package: "0.0.1" }, { key: Buffer.from(key, "base64").toString(), sealed });
  }),
  tampered("the file: a value is changed", withOtherValue),
  tampered("the file: a step is taken out", withoutStep),
  tampered("the file: it is cut off", (text, { below }) => text.slice(0, below(text.length - 2))),
  tampered("the file: another key", withOwnKey),
];
