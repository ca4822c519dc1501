// The sentences of the reference are what an editor shows: of each argument of each class, where a program writes it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { fileOf } from "../scripts/reference.ts";
import { root } from "./cli/terminal.ts";
import { resources } from "./world.ts";

/** Arguments of a kind with their sentence, as the page of the reference has them. */
function documented(kind: string): readonly (readonly [string, string])[] {
  const page = readFileSync(join(root, `docs/resources/${fileOf(kind)}.md`), "utf8");
  const part = page.slice(page.indexOf("## Inputs"), page.indexOf("## Outputs"));
  return [...part.matchAll(/^\| `(\w+)` \| [^|]* \| (.*?) \| .*\|$/gm)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  );
}

const argumentsOf = (kind: string) => documented(kind).filter(([name]) => name !== "adopt");
const pathOf = (kind: string) => join(root, `test/hover-${kind}.ts`);
const programs = new Map(
  resources.map(({ kind }) => [
    pathOf(kind),
    `import { ${kind} } from "../sdk/index.ts";\ndeclare const any: any;\nnew ${kind}("x", {\n${argumentsOf(
      kind,
    )
      .map(([name]) => `  ${name}: any,`)
      .join("\n")}\n});\n`,
  ]),
);

/** One service for all kinds: what they have in common, it reads once. */
const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    types: ["node"],
  }),
  getScriptFileNames: () => [...programs.keys()],
  getScriptVersion: () => "1",
  getScriptSnapshot: (file) => {
    const text = programs.get(file) ?? ts.sys.readFile(file);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (file) => programs.has(file) || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
});

test.each(resources)("$kind: hovering over an argument shows its sentence", ({ kind }) => {
  const args = argumentsOf(kind);
  expect(args.length).toBeGreaterThan(0);
  const path = pathOf(kind);
  for (const [name, sentence] of args) {
    const at = (programs.get(path) ?? "").indexOf(`  ${name}: any`) + 2;
    const shown = ts
      .displayPartsToString(service.getQuickInfoAtPosition(path, at)?.documentation)
      .replaceAll("\n", " ");
    expect(shown, name).not.toBe("");
    expect(sentence.replaceAll("\\|", "|"), name).toContain(shown);
  }
});
