/** Programs that no part of this package runs: the state tells what staff changed. YAML is written; of others the place is named. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, nameOf, type Stack, type State } from "../../engine/index.ts";
import { asLists, staffChanges, type Values } from "../../provider/inventory/index.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import type { Deleted, Drift } from "./drift.ts";
import type { Acceptance, Left } from "./plan.ts";
import { planYaml } from "./yaml.ts";

type Change = Drift | Deleted;
type Project = Stack["project"];

/** What staff changed, as a refresh has noted it beside what the program last asked. */
export const driftOfStates = (states: readonly State[]): readonly Drift[] =>
  states.flatMap(({ urn, type, delete: leaving, inputs, outputs = {} }) => {
    const definition = definitionOfType(type);
    if (definition === undefined || leaving) return [];
    const own = { urn, kind: kindOf(type), name: nameOf(urn), isConflict: false };
    const asked = asLists(definition, (inputs ?? {}) as Values);
    return staffChanges(definition, outputs).map((change) => ({ ...own, ...change, inputs: asked }));
  });

/** Where all of this is stated, and the new text of Pulumi.yaml. @param theirs whether the shop's value goes before the program's */
export function planElsewhere(project: Project, changes: readonly Change[], theirs: boolean): Acceptance {
  const { name: language } = project.runtime;
  if (language === "yaml") return planYaml(project.path, changes, theirs);
  const reason = `a program in ${language} is written by hand`;
  const left = changes.map((change) => ({ change, reason, place: placeIn(project, change.name) }));
  return { accepted: new Map(), left, files: new Map(), removed: [] };
}

const endings: Readonly<Record<string, string>> = { python: ".py", go: ".go", dotnet: ".cs", java: ".java" };
const skipped = new Set(["node_modules", "venv", "bin", "obj"]);

function* filesIn(folder: string, ending: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile() && entry.name.endsWith(ending)) yield path;
    if (entry.isDirectory() && !skipped.has(entry.name) && !entry.name.startsWith("."))
      yield* filesIn(path, ending);
  }
}

/** The first line of a program that has a resource's name between quotes. */
function placeIn({ programFolder, runtime }: Project, name: string): Left["place"] {
  const ending = endings[runtime.name];
  if (ending === undefined) return undefined;
  for (const path of filesIn(programFolder, ending)) {
    const lines = readFileSync(path, "utf8").split("\n");
    const at = lines.findIndex((line) => line.includes(`"${name}"`) || line.includes(`'${name}'`));
    if (at >= 0) return { path, line: at + 1 };
  }
  return undefined;
}
