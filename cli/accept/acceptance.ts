/** Plans and writes accepted changes: new file contents, and the changes that can't be written. */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as engine from "../../engine/index.ts";
import {
  acceptCells,
  acceptEdits,
  bodyArguments,
  bodyPath,
  fileIn,
  isLeafPath,
  isSheet,
} from "../../provider/inventory/index.ts";
import { isInThemeFolder } from "../../provider/names/theme-folder.ts";
import { definitionOf, definitionOfType } from "../../provider/resources/index.ts";
import { lineAt, lineOf, type Place, type Source } from "../program/sources.ts";
import {
  adoptPath,
  type Change,
  type Drift,
  type FilePlace,
  isDrift,
  partsOf,
  type Skipped,
  skipped,
} from "./drift.ts";
import { applyEdits, type Edit } from "./edits.ts";
import { addSheets, type FileContext, isOfFile, planBodies } from "./file-edits.ts";
import { editsFor, otherDrifts, type Program, withoutResource } from "./program-edits.ts";
import { adoptEdits } from "./remade.ts";
import { isAccepted, largestSubset, othersChanged, type ProgramInputs } from "./verify.ts";

export interface Acceptance {
  /** The changes that are written, with their places. */
  readonly accepted: ReadonlyMap<Change, readonly FilePlace[]>;
  readonly left: readonly Skipped[];
  /** New contents by path. */
  readonly files: ReadonlyMap<string, string | Buffer>;
  readonly removed: readonly string[];
}

const placeOf = (at: Place | undefined) =>
  at === undefined ? undefined : { path: at.source.path, line: lineOf(at) };

/** Plans the edits; writes nothing. */
export async function planAcceptance(
  changes: readonly Change[],
  program: Program,
  bodies: FileContext,
): Promise<Acceptance> {
  const drifts = changes.filter(isDrift);
  const own = drifts.filter(isOfFile);
  const planned = planBodies(own, bodies);
  const { accepted, left, files } = planned;
  const edits: Edit[] = [];
  const others = changes.filter((change) => !(isDrift(change) && own.includes(change)));
  const ofFolders = inFolders(others, bodies);
  const beside = otherDrifts(drifts, program);
  const obstacleOf = obstaclesIn(files);
  for (const [change, path] of ofFolders)
    if (!isDrift(change)) accepted.set(change, [{ path }]);
    else left.push({ change, reason: `rename the file to ${change.is}`, place: { path, line: 1 } });
  for (const change of others.filter((one) => !ofFolders.has(one))) {
    const adopted = isDrift(change) ? adoptEdits(change, bodies) : undefined;
    const result =
      adopted !== undefined
        ? { edits: adopted }
        : isDrift(change)
          ? editsFor(change, program, beside)
          : withoutResource(change, program);
    if ("reason" in result) {
      left.push({ change, reason: result.reason, place: placeOf(result.at) ?? program.created(change.urn) });
      continue;
    }
    const obstacle = obstacleOf(result.edits);
    if (obstacle !== undefined) {
      left.push({ change, ...obstacle });
      continue;
    }
    edits.push(...result.edits);
    accepted.set(
      change,
      result.edits.map(({ source, from, at = from }) => ({ path: source.path, line: lineAt(source, at) })),
    );
  }
  for (const [path, all] of Map.groupBy(edits, ({ source }) => source.path))
    files.set(path, applyEdits(all[0]?.source.text ?? readFileSync(path, "utf8"), all));
  await addSheets(own, bodies, planned);
  const removed = [...ofFolders].flatMap(([change, path]) => (isDrift(change) ? [] : [path]));
  return { accepted, left, files, removed };
}

/** Returns why a file can't have the edits, with the place; undefined if it can. @param files that have other content already */
function obstaclesIn(files: Acceptance["files"]) {
  const texts = new Map<string, boolean>();
  const isText = (path: string) => {
    const known = texts.get(path) ?? isUtf8(readFileSync(path));
    texts.set(path, known);
    return known;
  };
  return (edits: readonly Edit[]): Pick<Skipped, "reason" | "place"> | undefined => {
    for (const { source, from, at = from } of edits) {
      const { path } = source;
      if (files.has(path)) {
        const reason = "another resource's values are written into this file first: run accept again";
        return { reason, place: { path, line: 1 } };
      }
      const place = { path, line: lineAt(source, at) };
      if (!isText(path)) return { reason: "the file isn't UTF-8: save it as UTF-8", place };
      if (isCompiled(source))
        return { reason: "a compiler writes the file: change what it is made from", place };
    }
    return undefined;
  };
}

/** Whether a compiler has noted its source map at the end. */
const isCompiled = ({ form, text }: Source): boolean =>
  form === undefined && /\n\/\/# sourceMappingURL=\S+\s*$/.test(text);

/** Adds the places that the changes would be written to. @param plan of the same changes */
export const withPlaces = (changes: readonly Skipped[], { accepted, left }: Acceptance): readonly Skipped[] =>
  changes.map((one) => {
    const place = left.find(({ change }) => change === one.change)?.place;
    return { ...one, place: accepted.get(one.change)?.[0] ?? place };
  });

/** The files in theme folders, whose name and content are the resource. The folder doesn't state their ids. */
const inFolders = (changes: readonly Change[], { home }: FileContext) =>
  new Map(
    changes.flatMap((change) => {
      const { path } = fileIn(change.inputs) ?? {};
      const isNewId = isDrift(change) && change.path === adoptPath;
      return isInThemeFolder(change.urn) && path !== undefined && !isNewId
        ? [[change, resolve(home, path)] as const]
        : [];
    }),
  );

interface Writing {
  readonly plan: (some: readonly Change[]) => Promise<Acceptance>;
  /** The program's inputs before the edits. */
  readonly asked: ProgramInputs;
  readonly put: (files: Acceptance["files"], removed: Acceptance["removed"]) => void;
  /** The program's inputs now; undefined if it fails. */
  readonly ask: () => Promise<ProgramInputs | undefined>;
}

export interface WrittenChanges {
  readonly done: readonly Change[];
  /** The program's inputs after the edits. */
  readonly now: ProgramInputs;
}

/** Whether a number is written with its unit, and a unit with its number: 50 is another discount in percent. */
function unitsWith(all: readonly Change[]): (change: Change, some: readonly Change[]) => boolean {
  const isHalf = (change: Change) => isDrift(change) && hasUnitRole(change);
  const halves = all.filter(isHalf);
  return (change, some) =>
    !isHalf(change) || halves.every((one) => one.urn !== change.urn || some.includes(one));
}

const hasUnitRole = ({ kind, path }: Drift): boolean =>
  ["unit", "discount"].includes(definitionOf(kind)?.fields[path]?.role ?? "");

/** Writes the edits, verifies them with a preview, and undoes those that don't work. */
export async function applyAcceptance(
  acceptance: Acceptance,
  { plan, asked, put, ask }: Writing,
): Promise<WrittenChanges> {
  const changes = [...acceptance.accepted.keys()];
  if (changes.length === 0) return { done: [], now: asked };
  let good: WrittenChanges = { done: [], now: asked };
  const paths = [...acceptance.files.keys(), ...acceptance.removed];
  const before = new Map(paths.map((path) => [path, readFileSync(path)]));
  const putAll = async (some: readonly Change[]) => {
    put(before, []);
    const { files, removed } = await plan(some);
    put(files, removed);
  };
  const isWhole = unitsWith([...changes, ...acceptance.left.map(({ change }) => change)]);
  const attempt = async (some: readonly Change[]): Promise<readonly Change[] | undefined> => {
    const whole = some.filter((one) => isWhole(one, some));
    if (whole.length < some.length) return whole;
    await putAll(some);
    const now = await ask();
    if (now === undefined || othersChanged(asked, now, some).length > 0) return undefined;
    const met = some.filter((change) => isAccepted(change, now));
    if (met.length === some.length) good = { done: some, now };
    return met;
  };
  const met = await attempt(changes);
  if (met?.length === changes.length) return good;
  const kept = await largestSubset(
    met ?? changes,
    async (some) => (await attempt(some))?.length === some.length,
  );
  await putAll(kept);
  return good;
}

/** The edits that didn't have their effect. */
export const failedOf = ({ accepted }: Acceptance, done: readonly Change[]): readonly Skipped[] =>
  [...accepted].flatMap(([change, [place]]) =>
    done.includes(change)
      ? []
      : [{ ...skipped(change, "the program computes something else from it"), place }],
  );

/** @returns the URN under which the state or the history knows a resource of the program */
export type Known = (urn: string) => string;

/** Notes in the state which edits of staff the program has now. @param all drift of the run */
export function noteAccepted(
  stack: engine.Stack,
  { done, now }: WrittenChanges,
  all: readonly Change[],
  known: Known,
): Promise<void> {
  const drifts = done.filter(isDrift);
  if (drifts.length === 0) return Promise.resolve();
  const bodies = new Set(drifts.filter(({ path }) => partsOf(path).top === bodyPath).map(({ urn }) => urn));
  const partly = all.filter((change) => isDrift(change) && isLeafPath(change.path) && !done.includes(change));
  for (const { urn } of partly) bodies.delete(urn);
  return engine.editResources(stack, (state) => {
    const definition = definitionOfType(state.type);
    const [first, ...others] = drifts.filter(({ urn }) => known(urn) === state.urn);
    if (first === undefined || state.delete) return state;
    const own = [first, ...others].map(({ path }) => path);
    if (isSheet(engine.kindOf(state.type)))
      return { ...state, outputs: acceptCells(state.outputs ?? {}, new Set(own)) as engine.Properties };
    if (definition === undefined) return state;
    const paths = new Set([
      ...own.filter((path) => path !== bodyPath),
      ...(bodies.has(first.urn) ? [bodyPath] : []),
    ]);
    const asks = { args: now.get(first.urn) ?? {}, folder: stack.project.programFolder };
    const outputs = acceptEdits(definition, state.outputs ?? {}, paths, asks);
    return { ...state, outputs: outputs as engine.Properties };
  });
}

/** The written changes by URN, for the history; undefined if nothing was written. */
export function acceptedChanges(
  done: readonly Change[],
  known: Known,
): Readonly<Record<string, engine.Touched>> | undefined {
  if (done.length === 0) return undefined;
  const touched = [...Map.groupBy(done, ({ urn }) => known(urn))].map(([urn, own]) => {
    const drifts = own.filter(isDrift);
    return [urn, drifts.length < own.length ? ("ended" as const) : drifts.flatMap(touchedPaths)] as const;
  });
  return Object.fromEntries(touched);
}

/** The paths of a change, as the steps of a run have them. */
function touchedPaths({ path, inputs }: Drift): readonly string[] {
  const { top, item, field, each } = partsOf(path);
  if (top === bodyPath) return bodyArguments.filter((name) => inputs[name] !== undefined);
  const steps = [item, field, each].filter((one) => one !== undefined);
  return [`${top}${steps.map((one) => `[${JSON.stringify(one)}]`).join("")}`];
}
