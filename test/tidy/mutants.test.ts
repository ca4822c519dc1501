// What `npm run mutants` changes and what it tries the changes with is there: of files that have moved no mutant is made.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { groups } from "../../scripts/mutants.ts";
import { root } from "../cli/terminal.ts";

test.each(Object.entries(groups))("the files of the group %s", (_name, { mutate, tests }) => {
  expect([...mutate, ...tests].filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
