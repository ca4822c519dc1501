/**
 * Programs in other languages than TypeScript. The drift comes from the state. YAML is edited; for other
 * languages, the line is reported.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { kindOf, nameOf, type Stack, type State } from "../../engine/index.ts";
import {
  acceptedSheetChanges,
  acceptedStaffChanges,
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
import type { Acceptance } from "./acceptance.ts";
import { type Change, type Drift, isDrift, type Skipped } from "./drift.ts";
import { bodyBaseOf, type FileContext, isBodyFile, isOfFile, planFiles } from "./file-edits.ts";
import { isFoundByKey } from "./remade.ts";
import type { ProgramInputs } from "./verify.ts";
import { planYaml } from "./yaml-edits.ts";

type Project = Stack["project"];

/** Whether a cell of a sheet has another value than this one. */
async function isOther({ kind, inputs, path }: Drift, value: unknown, home: string): Promise<boolean> {
  const file = sheetFile(kind, inputs);
  if (file === undefined || value === undefined) return false;
  const bytes = readFileSync(join(home, file));
  return !(await withCells(bytes, inputs, [{ path, is: value }])).bytes.equals(bytes);
}

/** Adds whether the program's file changed since the last run. */
async function withConflict(change: Drift, { outputs = {} }: State, home: string): Promise<Drift> {
  const { path } = change.path === bodyPath ? (fileIn(change.inputs) ?? {}) : {};
  if (path === undefined) return change;
  const own = await fileFact(path, home).catch(() => undefined);
  const base = bodyBaseOf({ ...change, inputs: { file: own } }, outputs, home);
  return { ...change, isConflict: hashIn({ ...own }) !== hashIn(base) };
}

export async function driftOfStates(states: readonly State[], home: string): Promise<readonly Drift[]> {
  const all = await Promise.all(
    states.map((state) =>
      Promise.all(driftOfState(state).map((change) => withConflict(change, state, home))),
    ),
  );
  return all.flatMap((changes) => changes.filter((change) => isOfThisFile(change, changes)));
}

/** Of a body that staff changed before and after an accept, the edit whose base the program's file has. */
function isOfThisFile({ path, isElsewhere, isConflict }: Drift, all: readonly Drift[]): boolean {
  if (path !== bodyPath) return true;
  const other = all.find((one) => one.path === path && one.isElsewhere !== isElsewhere);
  return other === undefined || (isElsewhere ? !isConflict : other.isConflict);
}

function driftOfState({ urn, type, delete: leaving, inputs, outputs = {} }: State): readonly Drift[] {
  const definition = definitionOfType(type);
  if (leaving) return [];
  const own = { urn, kind: kindOf(type), name: nameOf(urn), isConflict: false };
  if (isSheet(own.kind)) {
    const sheet = { ...own, inputs: { ...inputs } };
    return [
      ...sheetChanges(outputs).map((change) => ({ ...sheet, ...change })),
      ...acceptedSheetChanges(outputs).map((change) => ({ ...sheet, ...change, isElsewhere: true })),
    ];
  }
  if (definition === undefined) return [];
  const asked = asLists(definition, (inputs ?? {}) as Values);
  const before = acceptedStaffChanges(definition, outputs);
  return [
    ...staffChanges(definition, outputs).map((change) => ({ ...own, ...change, inputs: asked })),
    ...before.map((change) => ({ ...own, ...change, inputs: asked, isElsewhere: true })),
  ];
}

/** Plans edits of files and of Pulumi.yaml. */
export async function planOtherLanguage(
  project: Project,
  all: readonly Change[],
  bodies: FileContext,
): Promise<Acceptance> {
  const { theirs } = bodies;
  const { name: language } = project.runtime;
  const reason = `edit the ${language} program by hand`;
  const leave = (change: Change) => ({ change, reason, place: placeIn(project, change) });
  const isFile = (change: Change): change is Drift => isDrift(change) && isOfFile(change);
  const found = all.filter(isFile);
  const lacking = await Promise.all(found.map((change) => isOther(change, change.is, bodies.home)));
  const ofFiles = found.filter(
    (change, index) => !change.isElsewhere || isBodyFile(change) || lacking[index],
  );
  const edited = await Promise.all(ofFiles.map((change) => isOther(change, change.asked, bodies.home)));
  const own = await planFiles(
    ofFiles.filter((_change, index) => theirs || !edited[index]),
    bodies,
  );
  own.left.push(
    ...ofFiles
      .filter((_change, index) => !theirs && edited[index])
      .map((change) => ({ ...leave(change), reason: "both changed it; --theirs accepts the shop's value" })),
  );
  const isAlreadyIn = (change: Change) => isDrift(change) && isFoundByKey(change);
  for (const change of all.filter(isAlreadyIn)) own.accepted.set(change, []);
  const changes = all.filter((change) => !isFile(change) && !isAlreadyIn(change));
  if (language !== "yaml" || changes.length === 0) {
    // Only the text of a program in YAML tells whether it has an edit that another checkout accepted.
    const known = changes.filter((change) => !(isDrift(change) && change.isElsewhere));
    return { ...own, left: [...own.left, ...known.map(leave)], removed: [] };
  }
  const plan = planYaml(project.path, changes, theirs);
  return {
    accepted: new Map([...own.accepted, ...plan.accepted]),
    left: [...own.left, ...plan.left],
    files: new Map([...own.files, ...plan.files]),
    removed: plan.removed,
  };
}

/** What a program asks of the bodies that its files state, as these are now. */
export async function fileInputs(changes: readonly Drift[], home: string): Promise<ProgramInputs> {
  const all = changes.filter(isBodyFile).map(async ({ urn, inputs }) => {
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

/** The first line of the program with the resource's name in quotes; without one, the first that makes such a resource. */
function placeIn({ programFolder, runtime }: Project, { name, kind }: Change): Skipped["place"] {
  const ending = endings[runtime.name];
  if (ending === undefined) return undefined;
  const makes = new RegExp(`(?:\\b|New)${kind}\\(`);
  let made: Skipped["place"];
  for (const path of filesIn(programFolder, ending))
    for (const [at, line] of readFileSync(path, "utf8").split("\n").entries()) {
      const place = { path, line: at + 1 };
      if (line.includes(`"${name}"`) || line.includes(`'${name}'`)) return place;
      if (makes.test(line)) made ??= place;
    }
  return made;
}
