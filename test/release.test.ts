// The release: the workflow is valid, and tag, package and changelog agree.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runtimes } from "../scripts/archives.ts";
import { notesOf } from "../scripts/release.ts";
import { root } from "./cli/terminal.ts";

const changelog = "# Changelog\n\n## 1.2.0\n\n- New.\n\n## 1.1.0\n\n- Old.\n";

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
  expect(() => notesOf("1.2.0", "1.2.0", changelog)).toThrow("the tag is 1.2.0");
  expect(() => notesOf("v1.2.0", "1.3.0", changelog)).toThrow("package.json has 1.3.0");
  expect(() => notesOf("v1.3.0", "1.3.0", changelog)).toThrow("has no section");
});

test("a release whose changes are not collected, or that another repository makes, is refused", () => {
  const right = { waiting: [], repository: "git+https://github.com/o/n.git", builder: "o/n" };
  expect(notesOf("v1.2.0", "1.2.0", changelog, right)).toBe("- New.\n");
  expect(() => notesOf("v1.2.0", "1.2.0", changelog, { ...right, waiting: ["x.md"] })).toThrow(
    "x.md is not in CHANGELOG.md yet",
  );
  expect(() => notesOf("v1.2.0", "1.2.0", changelog, { ...right, builder: "else/n" })).toThrow(
    "package.json says that its repository is git+https://github.com/o/n.git",
  );
});

test("this version has its notes", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(notesOf(`v${version}`, version, readFileSync(join(root, "CHANGELOG.md"), "utf8"))).toMatch(/^- /m);
});

test("every change that waits for a release says how the version rises", () => {
  const folder = join(root, ".changeset");
  const waiting = readdirSync(folder).filter((name) => name.endsWith(".md") && name !== "README.md");
  const head = /^---\n"pulumi-shop": (?:patch|minor|major)\n---\n\n\S/;
  expect(waiting.filter((name) => !head.test(readFileSync(join(folder, name), "utf8")))).toEqual([]);
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
