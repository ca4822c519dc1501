// Notes by number, by resource and by object, in the order in which they started.
import { expect, test } from "vitest";
import { noteIndex } from "../../provider/run/create-notes.ts";

interface Made {
  readonly number: string;
  readonly kind: string;
  readonly of: string;
  readonly id: string | undefined;
}
const note = (number: string, of: string, id?: string, kind = "Coupon"): Made => ({ number, kind, of, id });

function filled(...notes: readonly Made[]) {
  const index = noteIndex<Made>();
  for (const one of notes) index.put(one);
  const numbers = (found: readonly Made[]) => found.map(({ number }) => number).join("");
  return {
    index,
    all: () => numbers(index.all()),
    of: (of: string, kind = "Coupon") => numbers(index.ofResource(kind, of)),
    made: (id: string, kind = "Coupon") => numbers(index.ofObject(kind, id)),
  };
}

test.each<readonly [string, string | undefined, string | undefined, string, string]>([
  ["gets an object", undefined, "7", "1", ""],
  ["keeps its object", "7", "7", "1", ""],
  ["gets another object", "8", "7", "1", ""],
  ["loses its object", "8", undefined, "", ""],
])("a note that %s is found by its current object", (_what, before, after, seven, eight) => {
  const { index, all, of, made } = filled(note("1", "a", before), note("2", "a"));
  index.put(note("1", "a", after));
  expect([all(), of("a"), made("7"), made("8")]).toEqual(["12", "12", seven, eight]);
  expect(index.get("1")?.id).toBe(after);
});
