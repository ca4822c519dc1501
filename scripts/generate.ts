/** Writes what follows from the definitions: the names that the SDK needs without loading them, the reference. */
import { writeFileSync } from "node:fs";
import type { Definition } from "../provider/define.ts";
import { definitions } from "../provider/resources/index.ts";
import { referencePages } from "./reference.ts";

/** `sdk/outputs.ts` as it should be. */
export function outputsSource(): string {
  const kinds = (Object.values(definitions) as readonly Definition[]).filter(
    ({ operations }) => operations.create !== undefined,
  );
  const lines = kinds.map(({ kind, fields }) => {
    const names = Object.entries(fields).filter(
      ([, { mode }]) =>
        mode === "required" || mode === "optional" || mode === "computed" || mode === "derived",
    );
    return `  ${kind}: [\n${names.map(([name]) => `    "${name}",\n`).join("")}  ],\n`;
  });
  return `/** Names of outputs, written by \`npm run generate\` out of the definitions; a test compares. */\nexport const outputs = {\n${lines.join("")}} as const;\n`;
}

if (import.meta.main) {
  writeFileSync(new URL("../sdk/outputs.ts", import.meta.url), outputsSource());
  for (const { path, text } of referencePages()) writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
