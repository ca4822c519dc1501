// The sentences of the reference are what an editor shows: of each argument of each class, where a program writes it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { root } from "./cli/terminal.ts";
import { resources } from "./world.ts";

const fileOf = (kind: string) => kind.replace(/(?<=.)[A-Z]/g, "-$&").toLowerCase();

/** Arguments of a kind with their sentence, as the page of the reference has them. */
function documented(kind: string): readonly (readonly [string, string])[] {
  const page = readFileSync(join(root, `docs/resources/${fileOf(kind)}.md`), "utf8");
  const part = page.slice(page.indexOf("## Arguments"), page.indexOf("## Outputs"));
  return [...part.matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm)].map(
    ([, name = "", text = ""]) => [name, text] as const,
  );
}

test.each(resources)(
  "$kind: hovering over an argument shows its sentence",
  ({ kind }) => {
    const args = documented(kind).filter(([name]) => name !== "adopt");
    expect(args.length).toBeGreaterThan(0);
    const program = `import { ${kind} } from "../sdk/index.ts";\ndeclare const any: any;\nnew ${kind}("x", {\n${args.map(([name]) => `  ${name}: any,`).join("\n")}\n});\n`;
    const path = join(root, "test/hover.ts");
    const host: ts.LanguageServiceHost = {
      getCompilationSettings: () => ({
        module: ts.ModuleKind.NodeNext,
        target: ts.ScriptTarget.ES2023,
        strict: true,
        allowImportingTsExtensions: true,
        noEmit: true,
        types: ["node"],
      }),
      getScriptFileNames: () => [path],
      getScriptVersion: () => "1",
      getScriptSnapshot: (file) => {
        if (file === path) return ts.ScriptSnapshot.fromString(program);
        return ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, "utf8")) : undefined;
      },
      getCurrentDirectory: () => root,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (file) => file === path || ts.sys.fileExists(file),
      readFile: ts.sys.readFile,
      directoryExists: ts.sys.directoryExists,
    };
    const service = ts.createLanguageService(host);
    for (const [name, sentence] of args) {
      const info = service.getQuickInfoAtPosition(path, program.indexOf(`  ${name}: any`) + 2);
      const shown = ts.displayPartsToString(info?.documentation).replaceAll("\n", " ");
      expect(shown, name).not.toBe("");
      expect(sentence.replaceAll("\\|", "|"), name).toContain(shown);
    }
  },
  60_000,
);
