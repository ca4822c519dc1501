// A run with a restoring sheet ends at any of its effects. Whatever the program does next, its rows get their prices, and
// every other price is as it was before the sheet.
import { expect, test } from "vitest";
import { unlock } from "../../engine/index.ts";
import { openNotes } from "../../provider/context/create-notes.ts";
import { full, partOf } from "../support/campaign.ts";
import type { Effect } from "../support/disk.ts";
import type { Form, Resource } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";
import { noteFileOn } from "./note-disk.ts";

const stocked = 50;
const skus = ["A-1", "A-2", "B-1", "B-2", "C-1", "C-2"] as const;

const sheet = (name: string, prices: Readonly<Record<string, number>>, more: object = {}): Resource => ({
  kind: "Prices",
  name,
  args: {
    rows: ["sku|price", ...Object.entries(prices).map(([sku, price]) => `${sku}|${price}`), ""].join("\n"),
    onRemove: "restore",
    ...more,
  },
});

const sold = { "A-1": 40, "A-2": 41, "B-1": 42, "C-1": 43 };
const raised = { "A-1": 30, "A-2": 41, "B-2": 32, "C-1": 33 };

interface Interrupted {
  readonly before: readonly Resource[];
  readonly run: readonly Resource[];
  /** The prices that come back at the end. */
  readonly floor: Readonly<Record<string, number>>;
}

const floor = Object.fromEntries(skus.map((sku) => [sku, stocked]));

/** The run that ends early, after one of `before`. */
const interrupted: Readonly<Record<string, Interrupted>> = {
  "the first run": { before: [], run: [sheet("sale", sold)], floor },
  "an edit": { before: [sheet("sale", sold)], run: [sheet("sale", raised)], floor },
  "the end": { before: [sheet("sale", sold)], run: [], floor },
  "the first run that restores": {
    before: [sheet("sale", sold, { onRemove: "keep" })],
    run: [sheet("sale", raised)],
    floor: { ...floor, ...sold },
  },
};

const rest = { "A-2": 41, "C-1": 43 };
const next: Readonly<Record<string, readonly Resource[]>> = {
  "the same": [sheet("sale", sold)],
  "the edited one": [sheet("sale", raised)],
  "other prices": [sheet("sale", { ...sold, "A-1": 20, "C-1": 21 })],
  "rows that left": [sheet("sale", rest)],
  "another name": [sheet("autumn", sold)],
  "another name and other prices": [sheet("autumn", { ...sold, "A-1": 20, "C-1": 21 })],
  "another name and rows that left": [sheet("autumn", rest)],
  "two sheets": [sheet("one", { "A-1": 40, "B-1": 42 }), sheet("two", { "A-2": 41 })],
  "no sheet": [],
};

/** The next program, in which an alias gives the sheet another name. */
const renamed = "another name by an alias, and other prices";
const programOf = (then: string): readonly Resource[] =>
  then === renamed
    ? [{ ...sheet("autumn", { ...sold, "A-1": 20, "C-1": 21 }), aliases: ["sale"] }]
    : (next[then] ?? []);

const pricesIn = (house: House): Readonly<Record<string, number>> =>
  Object.fromEntries(
    house
      .rows("product")
      .flatMap(({ variants }) => variants as readonly Readonly<Record<string, unknown>>[])
      .map(({ sku, price }) => [String(sku), Number(price)]),
  );

/** The prices that a program asks for. */
const askedIn = (program: readonly Resource[]) =>
  Object.fromEntries(
    program.flatMap(({ args }) =>
      String(args.rows)
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split("|"))
        .map(([sku, price]) => [sku, Number(price)]),
    ),
  );

async function opened(before: readonly Resource[], form: Form): Promise<House> {
  const house = openHouse();
  await house.go(
    ["A", "B", "C"].map((title) => ({
      kind: "Product",
      name: title,
      args: {
        title,
        variants: skus.filter((sku) => sku.startsWith(title)).map((sku) => ({ sku, price: stocked })),
      },
    })),
  );
  house.loseState();
  house.loseNotes();
  if (before.length > 0) await house.up(before, { form });
  return house;
}

/** The form of the interrupted run, and that of the next runs. */
const formsOf = {
  dynamic: ["dynamic", "dynamic"],
  plugin: ["plugin", "plugin"],
  moved: ["dynamic", "plugin"],
} as const;
const ways = ["dynamic", "plugin", "moved"] as const;

const trials = Object.keys(interrupted)
  .flatMap((run) =>
    Object.keys(next).flatMap((then) =>
      ways.flatMap((form) => [
        { run, then, form, rows: "plain" },
        { run, then, form, rows: "secret" },
      ]),
    ),
  )
  // The state doesn't show secret rows to a sheet of another name (docs/how-to/keep-prices-in-a-sheet.md).
  .filter(({ then, rows }) => rows === "plain" || next[then]?.every(({ name }) => name === "sale"));
// `npm test` plays each in one form, alternating, and ends it at a few effects.
const step = full ? 1 : 29;
const played = partOf(
  trials,
  trials.filter((_one, at) => at % 17 === 0 || at % 17 === 7),
);

const aliased = (full ? Object.keys(interrupted) : ["the first run", "an edit"]).flatMap((run, at) => {
  const then = renamed;
  const forms = full ? ways : ([at === 0 ? "dynamic" : "plugin"] as const);
  return forms.map((form) => ({ run, then, form, rows: "plain" }));
});

test.each([...played, ...aliased].map((one, at) => ({ ...one, at })))(
  "a restoring sheet whose run is interrupted loses no price: $run, then $then, $form, $rows",
  async ({ run, then, form, rows, at }) => {
    const { floor: back, ...runs } = interrupted[run] as Interrupted;
    const kept = (all: readonly Resource[]) =>
      all.map((one) => ({ ...one, ...(rows === "secret" && { secrets: ["rows"] }) }));
    const [before, doing, program] = [kept(runs.before), kept(runs.run), kept(programOf(then))];
    const [first, later] = formsOf[form];
    const house = await opened(before, first);
    try {
      const start = house.moment();
      const { effects } = await house.up(doing, { form: first, crash: { plan: () => undefined } });
      const wrong: string[] = [];
      const stride = then === renamed ? Math.min(step, 5) : step;
      for (const { number, name, path } of effects.filter((_one, index) => index % stride === at % stride)) {
        house.goTo(start);
        const plan = (one: Effect) => (one.number === number ? { crash: "after" as const } : undefined);
        await house.up(doing, { form: first, crash: { plan } });
        await house.reads(async (_shop, stack) => unlock(stack));
        const said: string[] = [];
        const up = async (which: readonly Resource[]) => {
          const ran = await house.up(which, { form: later });
          const failures = (ran.result?.failures ?? []).map(({ message }) => message);
          said.push(...ran.said, ...failures, ...(ran.error === undefined ? [] : [ran.error.message]));
          const [now, wanted] = [pricesIn(house), { ...back, ...askedIn(which) }].map((one) =>
            JSON.stringify(one),
          );
          const [announced = 0, sent] = [ran.planned.requestsNeeded, ran.requests.length];
          if (announced < sent) said.push(`${sent} requests, announced ${announced}`);
          return now !== wanted || ran.error !== undefined || failures.length > 0 || announced < sent
            ? `${number} ${name} ${path}: ${now}, wanted ${wanted}: ${said.join("; ")}`
            : undefined;
        };
        wrong.push(...[await up(program), await up([])].filter((one) => one !== undefined));
        const notes = openNotes(
          () => noteFileOn(house.disk()),
          "test",
          () => {},
        ).all();
        if (notes.length > 0) wrong.push(`${number} ${name} ${path}: open: ${JSON.stringify(notes)}`);
      }
      expect(wrong.slice(0, 2)).toEqual([]);
    } finally {
      await house.close();
    }
  },
);
