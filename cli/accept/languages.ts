/** Programs that no part of this package runs: the state tells what staff changed. YAML is written; of others the place is named. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, nameOf, type Stack, type State } from "../../engine/index.ts";
import {
  asLists,
  isSheet,
  sheetChanges,
  sheetFile,
  staffChanges,
  type Values,
} from "../../provider/inventory/index.ts";
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
    if (leaving) return [];
    const own = { urn, kind: kindOf(type), name: nameOf(urn), isConflict: false };
    if (isSheet(own.kind))
      return sheetChanges(outputs).map((change) => ({ ...own, ...change, inputs: { ...inputs } }));
    if (definition === undefined) return [];
    const asked = asLists(definition, (inputs ?? {}) as Values);
    return staffChanges(definition, outputs).map((change) => ({ ...own, ...change, inputs: asked }));
  });

/** Where all of this is stated, and the new text of Pulumi.yaml. @param theirs whether the shop's value goes before the program's */
export function planElsewhere(project: Project, changes: readonly Change[], theirs: boolean): Acceptance {
  const { name: language } = project.runtime;
  const reason = `a program in ${language} is written by hand`;
  const leave = (change: Change) => ({ change, reason, place: placeIn(project, change.name) });
  const isWritten = ({ kind }: Change) => language === "yaml" && !isSheet(kind);
  const written = changes.filter(isWritten);
  const plan = written.length === 0 ? undefined : planYaml(project.path, written, theirs);
  const sheets = changes.flatMap((change) => {
    const file = sheetFile(change.kind, change.inputs);
    if (isWritten(change)) return [];
    if (file === undefined) return [leave(change)];
    const place = { path: join(project.programFolder, file), line: 1 };
    return [{ change, reason: `the sheet of ${reason}`, place }];
  });
  const none: Acceptance = { accepted: new Map(), left: [], files: new Map(), removed: [] };
  return { ...(plan ?? none), left: [...(plan?.left ?? []), ...sheets] };
}

const endings: Readonly<Record<string, string>> = {
  yaml: ".yaml",
  python: ".py",
  go: ".go",
  dotnet: ".cs",
  java: ".java",
};
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
