/** Writes what follows from the definitions: the names that the SDK needs without loading them, the reference. */
import { writeFileSync } from "node:fs";
import { type Definition, isOutput } from "../provider/definition/define.ts";
import { definitions } from "../provider/resources/index.ts";
import { referencePages } from "./reference.ts";

/** `sdk/outputs.ts` as it should be. */
export function outputsSource(): string {
  const kinds = (Object.values(definitions) as readonly Definition[]).filter(
    ({ operations }) => operations.create !== undefined,
  );
  const lines = kinds.map(({ kind, fields }) => {
    const names = Object.entries(fields).filter(([, field]) => isOutput(field));
    return `  ${kind}: [\n${names.map(([name]) => `    "${name}",\n`).join("")}  ],\n`;
  });
  const first = kinds.filter(
    ({ unique, singleton, deletesFirst }) => unique || singleton !== undefined || deletesFirst,
  );
  const keyed = kinds.flatMap(({ kind, fields }) => {
    const lists = Object.entries(fields).flatMap(([name, { items }]) =>
      items?.fields !== undefined && items.key !== undefined ? [`${name}: "${items.key}"`] : [],
    );
    return lists.length === 0 ? [] : [`  ${kind}: { ${lists.join(", ")} },\n`];
  });
  return `/** Written by \`npm run generate\` out of the definitions; a test compares. */

/** Names of outputs. */
export const outputs = {
${lines.join("")}} as const;

/** Kinds of which two with one natural key can't be: whatever replaces one deletes it first. */
export const deletesFirst: readonly string[] = [${first.map(({ kind }) => `"${kind}"`).join(", ")}];

/** Lists whose items are told apart by a key, with that key. */
export const keyedLists: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${keyed.join("")}};
`;
}

if (import.meta.main) {
  writeFileSync(new URL("../sdk/outputs.ts", import.meta.url), outputsSource());
  for (const { path, text } of referencePages()) writeFileSync(new URL(`../${path}`, import.meta.url), text);
}
