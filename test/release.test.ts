// What leads to a release: the workflow is sound, and tag, package and changelog say the same.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runtimes } from "../scripts/archives.ts";
import { collected, fragments, notesOf } from "../scripts/release.ts";
import { root } from "./cli/terminal.ts";

const changelog = "# Changelog\n\n## 1.2.0 (2027-01-31)\n\n- New.\n\n## 1.1.0 (2026-12-01)\n\n- Old.\n";

const workflows = join(root, ".github/workflows");

test("the release workflow signs what it publishes", () => {
  const text = readFileSync(join(workflows, "release.yml"), "utf8");
  expect(text).toContain("npm publish --provenance");
  expect(text).toContain("id-token: write");
  expect(text).toMatch(
    /npm run release[\s\S]*attest-build-provenance@[\s\S]*gh release create .* archives\/\*/,
  );
});

test("there is an archive of the plugin for each platform that Pulumi has, and its Node is pinned by digest", () => {
  const platforms = ["linux", "darwin", "windows"].flatMap((os) => [`${os}-amd64`, `${os}-arm64`]);
  expect(Object.keys(runtimes)).toEqual(platforms);
  for (const { source, integrity } of Object.values(runtimes)) {
    expect(source).toMatch(/@\d+\.\d+\.\d+$/);
    expect(Buffer.from(integrity.replace("sha512-", ""), "base64")).toHaveLength(64);
  }
});

test("what the package is made of beside the build is in the repository, where a clean clone has it", () => {
  const { files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { files: string[] };
  const paths = files.filter((path) => !/^!?dist|\*/.test(path));
  expect(execFileSync("git", ["ls-files", "--error-unmatch", ...paths], { cwd: root })).not.toHaveLength(0);
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

test("what a change says stands in a file of its own, and goes into the changelog with the release", () => {
  const open = "# Changelog\n\n## 1.3.0 (unreleased)\n\n- First.\n\n## 1.2.0 (2027-01-31)\n\n- New.\n";
  expect(collected(open, "1.3.0", "2027-02-01", ["- Second,\n  in two lines.\n", "- Third.\n"])).toBe(
    "# Changelog\n\n## 1.3.0 (2027-02-01)\n\n- First.\n- Second,\n  in two lines.\n- Third.\n\n## 1.2.0 (2027-01-31)\n\n- New.\n",
  );
  expect(collected(changelog, "1.3.0", "2027-02-01", ["- Third.\n"])).toContain(
    "## 1.3.0 (2027-02-01)\n\n- Third.\n\n## 1.2.0",
  );
});

test("a release whose changes are not collected, or that another repository makes, is refused", () => {
  const right = { fragments: [], repository: "git+https://github.com/o/n.git", builder: "o/n" };
  expect(notesOf("v1.2.0", "1.2.0", changelog, right)).toBe("- New.\n");
  expect(() => notesOf("v1.2.0", "1.2.0", changelog, { ...right, fragments: ["changes/x.md"] })).toThrow(
    "changes/x.md is not in CHANGELOG.md yet",
  );
  expect(() => notesOf("v1.2.0", "1.2.0", changelog, { ...right, builder: "else/n" })).toThrow(
    "package.json says that its repository is git+https://github.com/o/n.git",
  );
});

test("every change that waits for a release is a line of a list", () => {
  const wrong = fragments().filter(([, text]) => !/^- [^\n]+[\s\S]*\.\n$/.test(text));
  expect(wrong.map(([path]) => path)).toEqual([]);
});

test("actions are pinned by digest, their version beside it, everywhere the same", () => {
  const files = [".github/workflows", "examples/workflows"].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".yml"))
      .map((name) => join(root, folder, name)),
  );
  const uses = files.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/uses: (.*)/g)].map(([, use]) => use ?? ""),
  );
  expect(uses.length).toBeGreaterThan(10);
  expect(uses.filter((use) => !/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/.test(use))).toEqual([]);
  expect(new Set(uses).size).toBe(new Set(uses.map((use) => use.split("@")[0])).size);
});
