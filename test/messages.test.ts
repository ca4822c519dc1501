// Every message that the code can refuse something with is explained, and nothing is explained that no code says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { messagesInCode } from "../scripts/messages.ts";
import { root } from "./cli/terminal.ts";

const rows = readFileSync(join(root, "docs/messages.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("\\|", "|")),
  );

test("docs/messages.md has just the messages of the code", () => {
  const explained = rows.map(([message = ""]) => message.replace(/^`+|`+$/g, "")).toSorted();
  expect(explained).toEqual([...messagesInCode().keys()].toSorted());
  expect(explained.length).toBeGreaterThan(150);
});

test("each has its cause and its cure", () => {
  expect(rows.filter(([, cause = "", cure = ""]) => cause.length < 8 || cure.length < 8)).toEqual([]);
});
