/** Programs that no part of this package runs: the state tells what staff changed. YAML is written; of others the place is named. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, nameOf, type Stack, type State } from "../../engine/index.ts";
import {
  askedIn,
  asLists,
  bodyPath,
  fileFact,
  fileIn,
  hashIn,
  isSheet,
  sheetChanges,
  sheetFile,
  staffChanges,
  type Values,
  withCells,
} from "../../provider/inventory/index.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import type { Bodies } from "./bodies.ts";
import type { Asked } from "./check.ts";
import type { Deleted, Drift, Left } from "./drift.ts";
import { isOfBody, isOfFile, planFiles } from "./files.ts";
import { type Acceptance, isDrift } from "./plan.ts";
import { planYaml } from "./yaml.ts";

type Change = Drift | Deleted;
type Project = Stack["project"];

/** Whether a cell of a sheet is another than the program last asked for. */
async function isEdited({ kind, inputs, path, asked }: Drift, home: string): Promise<boolean> {
  const file = sheetFile(kind, inputs);
  if (file === undefined || asked === undefined) return false;
  const bytes = readFileSync(join(home, file));
  return !(await withCells(bytes, inputs, [{ path, is: asked }])).bytes.equals(bytes);
}

/** A change of a file's body, with whether the program has another file than it last asked for. */
async function compared(change: Drift, { outputs = {} }: State, home: string): Promise<Drift> {
  const { path } = change.path === bodyPath ? (fileIn(change.inputs) ?? {}) : {};
  if (path === undefined) return change;
  const own = await fileFact(path, home).catch(() => undefined);
  return { ...change, isConflict: hashIn({ ...own }) !== hashIn(askedIn(outputs)) };
}

/** What staff changed, as a refresh has noted it beside what the program last asked. */
export async function driftOfStates(states: readonly State[], home: string): Promise<readonly Drift[]> {
  const all = states.map((state) => driftOfState(state).map((change) => compared(change, state, home)));
  return Promise.all(all.flat());
}

function driftOfState({ urn, type, delete: leaving, inputs, outputs = {} }: State): readonly Drift[] {
  const definition = definitionOfType(type);
  if (leaving) return [];
  const own = { urn, kind: kindOf(type), name: nameOf(urn), isConflict: false };
  if (isSheet(own.kind))
    return sheetChanges(outputs).map((change) => ({ ...own, ...change, inputs: { ...inputs } }));
  if (definition === undefined) return [];
  const asked = asLists(definition, (inputs ?? {}) as Values);
  return staffChanges(definition, outputs).map((change) => ({ ...own, ...change, inputs: asked }));
}

/**
 * Where all of this is stated, with the new texts of files and of Pulumi.yaml.
 * @param theirs whether the shop's value goes before the program's
 */
export async function planElsewhere(
  project: Project,
  all: readonly Change[],
  bodies: Bodies,
  theirs: boolean,
): Promise<Acceptance> {
  const { name: language } = project.runtime;
  const reason = `a program in ${language} is written by hand`;
  const leave = (change: Change) => ({ change, reason, place: placeIn(project, change.name) });
  const isFile = (change: Change): change is Drift => isDrift(change) && isOfFile(change);
  const ofFiles = all.filter(isFile);
  const edited = await Promise.all(ofFiles.map((change) => isEdited(change, bodies.home)));
  const own = await planFiles(
    ofFiles.filter((_change, index) => theirs || !edited[index]),
    bodies,
  );
  own.left.push(
    ...ofFiles
      .filter((_change, index) => !theirs && edited[index])
      .map((change) => ({ ...leave(change), reason: "both changed it: --theirs takes the shop's" })),
  );
  const changes = all.filter((change) => !isFile(change));
  if (language !== "yaml" || changes.length === 0)
    return { ...own, left: [...own.left, ...changes.map(leave)], removed: [] };
  const plan = planYaml(project.path, changes, theirs);
  return {
    accepted: new Map([...own.accepted, ...plan.accepted]),
    left: [...own.left, ...plan.left],
    files: new Map([...own.files, ...plan.files]),
    removed: plan.removed,
  };
}

/** What a program asks of the bodies that its files state, as these are now. */
export async function askedOfFiles(changes: readonly Drift[], home: string): Promise<Asked> {
  const all = changes.filter(isOfBody).map(async ({ urn, inputs }) => {
    const file = fileIn(inputs);
    return [urn, file === undefined ? {} : { file: await fileFact(file.path, home) }] as const;
  });
  return new Map(await Promise.all(all));
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
