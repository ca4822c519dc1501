// What `npm run mutants` says of code whose mutants end in each way there is (fixture/code.ts).
import { expect, test } from "vitest";
import { root } from "../cli/terminal.ts";
import { tryAll } from "./trial.ts";

test("each mutant is seen, survives, is not reached or is there only as a module is loaded", async () => {
  const { verdicts, useless } = await tryAll({
    root,
    places: [{ path: "test/mutants/fixture/code.ts" }],
    tests: ["test/mutants/fixture/tried.ts"],
    parts: 1,
    longest: 1_000,
    most: 1_000,
  });
  const said = [...verdicts].map(([{ before, after }, verdict]) => `${verdict}: ${before} > ${after}`);
  // The body of an arrow function is taken as its module is loaded.
  const {
    once,
    survived,
    "not reached": notReached,
    seen,
    hung,
  } = Object.groupBy(said, (line) => line.replace(/:.*/s, ""));
  expect(once).toEqual([
    "once: (a: number, b: number): boolean => a > b > () => undefined",
    "once: (a: number, b: number): boolean => a < b > () => undefined",
    "once: (reached: boolean): boolean => !reached > () => undefined",
    "once: [1, 2].length + 1 > [1, 2].length - 1",
    "once: [1, 2] > []",
    "once: (): number => loaded > () => undefined",
    "once: false > true",
  ]);
  expect(survived).toEqual([
    "survived: a < b > true",
    "survived: a < b > false",
    "survived: a < b > a <= b",
    "survived: a < b > a >= b",
    "survived: !ok > false",
  ]);
  expect(notReached).toEqual(["not reached: !reached > reached", "not reached: true > false"]);
  expect(seen).toHaveLength(12);
  expect(hung).toBeUndefined();
  expect(useless).toEqual([
    expect.stringMatching(
      /^test\/mutants\/fixture\/tried.ts > passes once: the second time .*expected 2 to be 1/,
    ),
  ]);
});
