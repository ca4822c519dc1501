// A text that two sides changed, merged line by line from the hashes of what it was.

import { expect, test } from "vitest";
import { mergedLines, printLineHashes } from "../../provider/body/lines.ts";

const merge = (mine: string, before: string, theirs: string) =>
  mergedLines(mine, printLineHashes(before) ?? "", theirs);

test.each([
  ["staff dropped it", "1\n2\n4\n", "1\n2\n3\n", "0\n2\n3", "0\n2\n4"],
  ["staff added it", "1\n2\n4", "1\n2\n3", "0\n2\n3\n", "0\n2\n4\n"],
  ["the program dropped it", "1\n2\n3", "1\n2\n3\n", "1\n2\n4\n", "1\n2\n4"],
  ["the program added it", "1\n2\n3\n", "1\n2\n3", "1\n2\n4", "1\n2\n4\n"],
  ["both dropped it", "1\n2\n4", "1\n2\n3\n", "0\n2\n3", "0\n2\n4"],
  ["nobody has it", "1\n2\n4", "1\n2\n3", "0\n2\n3", "0\n2\n4"],
  ["staff added blank lines at the end", "0\n2\n3\n", "1\n2\n3\n", "1\n2\n3\n\n\n", "0\n2\n3\n\n\n"],
  ["staff emptied the text", "1\n2\n", "1\n2\n", "", ""],
  ["it was empty", "", "", "1\n", "1\n"],
])(
  "a missing line end at the end of a text is no conflict with a change of that line: %s",
  (_how, mine, before, theirs, both) => {
    expect(merge(mine, before, theirs)).toBe(both);
  },
);

test("a line that both sides changed is a conflict, whoever ends it", () => {
  expect(merge("1\n4\n", "1\n3\n", "1\n5")).toBe(undefined);
});
