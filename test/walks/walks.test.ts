// Random walks: everyday edits in a program and in a back office, with runs in between, checked after each.
import { expect, test } from "vitest";
import { full } from "../support/size.ts";
import { walkKinds } from "./kinds.ts";
import { interleavingOf, type Move, movesOf } from "./moves.ts";
import { add, line, none, walkOne } from "./share.ts";

const howMany = Number(process.env.PULUMI_SHOP_WALKS ?? (full ? 1_500 : 8));
const from = Number(process.env.PULUMI_SHOP_WALKS_FROM ?? 1);
const perKind = Number(process.env.PULUMI_SHOP_INTERLEAVINGS ?? (full ? 200 : 3));
const enough = 3;

/** Runs so many walks; the scripts are the shortest walks that break each rule. */
async function walkAll(all: Iterable<readonly [name: string, moves: readonly Move[]]>, settles = true) {
  const totals = none();
  const scripts: string[] = [];
  for (const [name, moves] of all) {
    if (scripts.length === enough) break;
    const walked = await walkOne(name, moves, settles);
    add(totals, walked.totals);
    if (walked.script !== undefined) scripts.push(walked.script);
  }
  return { totals, scripts };
}

test("no walk of everyday edits loses, doubles or overwrites anything unseen", async () => {
  const seeds = Array.from({ length: howMany }, (_, index) => from + index);
  const { totals, scripts } = await walkAll(seeds.map((seed) => [`seed ${seed}`, movesOf(seed)]));
  console.log(line(totals));
  expect(scripts.join("\n\n")).toBe("");
});

test.each(walkKinds.map(({ kind }, index) => [`${kind} (${index})`, index] as const))(
  "%s: an edit by staff while up runs is not overwritten unseen",
  async (name, kind) => {
    const seeds = Array.from({ length: perKind }, (_, index) => from + index);
    const { totals, scripts } = await walkAll(
      seeds.map((seed) => [`${name}, seed ${seed}`, interleavingOf(kind, seed)]),
      false,
    );
    console.log(`${name}: ${line(totals)}`);
    expect(scripts.join("\n\n")).toBe("");
  },
);
