/** Drift: the values that staff changed, from the preview after a refresh. */

import { join } from "node:path";
import { isRecord } from "../../engine/common/record.ts";
import {
  foundGone,
  inputsDigest,
  isGone,
  kindOf,
  load,
  nameOf,
  type Stack,
  type Step,
  typeOf,
} from "../../engine/index.ts";
import { pathIn, topOf } from "../../engine/pulumi/path.ts";
import {
  asLists,
  bodyPath,
  isLeafPath,
  itemName,
  type Values,
  withUnit,
} from "../../provider/inventory/index.ts";
import { definitionOf, definitionOfType } from "../../provider/resources/index.ts";
import {
  anotherContent,
  isCell,
  isRefusedInPart,
  isRow,
  keyedPath,
  type PassResult,
  valueText,
} from "../../runs/command.ts";

/** One value that staff changed. */
export interface Drift {
  readonly urn: string;
  readonly kind: string;
  readonly name: string;
  /** `discount`, `variants[MUG-R].price`, `variants[MUG-R]`, `content`, `content: colors.link`. */
  readonly path: string;
  /** The program's value and the shop's; null for none, undefined if unknown. */
  readonly asked: unknown;
  readonly is: unknown;
  /** The value of the last run, if both changed it. */
  readonly was?: unknown;
  /** Whether `is` has the lines of both. */
  readonly isMerged?: true;
  /** Whether the shop's value is JSON's null, and not none. */
  readonly isNull?: true;
  /** The units behind numbers: `%`. */
  readonly units?: { readonly asked?: string; readonly is?: string };
  /** Whether the program changed the value too since its last run. */
  readonly isConflict: boolean;
  /** Whether another checkout has accepted the edit, so that the program's value is older than the state's. */
  readonly isElsewhere?: boolean;
  /** For an item that the program removes: the shop's values of the arguments that it had set. */
  readonly stated?: Values;
  /** All inputs of the resource, lists as lists. */
  readonly inputs: Values;
}

/** A resource whose object staff deleted. */
export type DeletedResource = Pick<Drift, "urn" | "kind" | "name" | "inputs" | "isConflict">;

export type Change = Drift | DeletedResource;

/** The argument that names an object: staff made it again. */
export const adoptPath = "adopt";

export const isDrift = (change: Change): change is Drift => "path" in change;

export interface FilePlace {
  readonly path: string;
  /** From 1; undefined for the whole file. */
  readonly line?: number;
}

/** Where in the program each resource is created, as the run has seen it. @param folder the project's folder */
export function creationsOf(
  { result: { places } }: Pick<PassResult, "result">,
  folder: string,
): (urn: string) => FilePlace | undefined {
  return (urn) => {
    const [, path, line] = /^(.*):(\d+)$/.exec(places.get(urn) ?? "") ?? [];
    return path === undefined ? undefined : { path: join(folder, path), line: Number(line) };
  };
}

/** A change that can't be written. */
export interface Skipped {
  readonly change: Change;
  readonly reason: string;
  readonly place: FilePlace | undefined;
}

export const skipped = (change: Change, reason: string): Skipped => ({
  change,
  reason,
  place: undefined,
});

const inputsOf = ({ type, inputs }: Pick<Step, "type" | "inputs">): Values => {
  const definition = definitionOfType(type);
  return definition === undefined ? inputs : asLists(definition, inputs);
};

type Stated = Pick<Step, "type" | "inputs" | "ignoreChanges">;

const withoutIgnored = (stated: Stated): Values =>
  Object.fromEntries(
    Object.entries(inputsOf(stated)).filter(([name]) => !stated.ignoreChanges?.includes(name)),
  );

/** The steps of all resources of a program, by URN, including unchanged ones. */
export function programSteps({ current }: Pick<PassResult, "current">): ReadonlyMap<string, Step> {
  const steps = [...current.steps, ...current.unchanged, ...current.refused.map(({ step }) => step)];
  // The old object of a replacement isn't an input.
  const isAsked = ({ found, custom, op }: Step) => !found && custom && op !== "delete-replaced";
  return new Map(steps.filter(isAsked).map((step) => [step.urn, step]));
}

/** Their inputs, without ignored arguments, which only a replacement takes from the program. */
export const programInputs = (ran: Pick<PassResult, "current">): ReadonlyMap<string, Values> =>
  new Map([...programSteps(ran)].map(([urn, step]) => [urn, withoutIgnored(step)]));

/** The drift in a preview whose state has been refreshed and that may overwrite everything. */
export function driftOf({ steps, notices }: Pick<PassResult, "steps" | "notices">): readonly Drift[] {
  return (
    steps
      // A deleted resource has no place in the program; a replacement reports its own drift.
      .filter(({ found, op }) => !found && op !== "delete" && op !== "delete-replaced")
      .flatMap((step) => {
        const fields = [
          // The program may have the accepted edit and have changed it since.
          ...notices.putBack(step).map((field) => ({
            ...field,
            isConflict: field.accepted === "changed" || isAddedByBoth(field),
          })),
          ...notices.overwritten(step).map((field) => ({ ...field, isConflict: true })),
        ];
        const { urn, type, name } = step;
        const inputs = inputsOf(step);
        const left = leftCells(step);
        const isThere = ({ path }: { readonly path: string }) =>
          !left.some((of) => path === of || path.startsWith(`${of}.`));
        const known = new Map(fields.filter(isThere).map((field) => [field.path, field]));
        const changed = [...known.values()].map(
          ({ path, was, asked, is, isNull, units, isConflict, accepted }) => ({
            ...{ urn, kind: kindOf(type), name, path, is, isConflict, inputs, ...(units && { units }) },
            ...(isConflict && { was }),
            ...(isNull && { isNull }),
            isElsewhere: accepted !== undefined,
            // For a replacement, the preview knows only the shop's value.
            asked: asked === undefined && isArgument(path) ? inputs[path] : asked,
            ...(isConflict && asked === null && { stated: removedItem(step, path) }),
          }),
        );
        return [...changed, ...goneRowsOf(step)];
      })
  );
}

/**
 * Arguments that the program sets since its last run, and staff too, each to another value: no run had asked for one, so
 * a refresh knows no edit of them.
 * @param states the stack's, and those that the refresh left
 */
export function addedByBoth(
  { steps }: Pick<PassResult, "steps">,
  states: { readonly before: Stack; readonly after: Stack },
): readonly Drift[] {
  const [before, after] = [states.before, states.after].map(
    (stack) => new Map(load(stack).resources.map((state) => [state.urn, state])),
  );
  return steps
    .filter(({ found, op }) => !found && op === "update")
    .flatMap(({ urn, type, name, inputs, changes }) =>
      changes.flatMap(({ path, new: asked }): readonly Drift[] => {
        const { inputs: last = {}, outputs = {} } = before?.get(urn) ?? {};
        const was = outputs[path] ?? null;
        const is = after?.get(urn)?.outputs?.[path];
        const isBoth = last[path] === undefined && isPlainValue(is) && is !== was && asked !== was;
        if (!isBoth || !isPlainValue(asked)) return [];
        const own = { urn, kind: kindOf(type), name, path, inputs: inputsOf({ type, inputs }) };
        return [{ ...own, asked, is, was, isConflict: true }];
      }),
    );
}

const isPlainValue = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);

/** Edits of staff in objects that the program no longer has, so that it has no place for them. */
export const endedEdits = ({ steps, notices }: Pick<PassResult, "steps" | "notices">): readonly Skipped[] =>
  steps
    .filter((step) => !step.found && step.op === "delete" && !notices.leaves(step))
    .flatMap((step) =>
      notices.putBack(step).map(({ path, was, is, units }) => {
        const { urn, type, name } = step;
        const own = { urn, kind: kindOf(type), name, path, asked: was, is, isConflict: false, inputs: {} };
        return skipped(
          { ...own, ...(units && { units }) },
          "the program no longer has it: up deletes it, --keep leaves it in the shop",
        );
      }),
    );

type PutBack = ReturnType<PassResult["notices"]["putBack"]>[number];

/** A value of an item that staff and the program added since the last run, each with another one. */
const isAddedByBoth = ({ path, was, asked }: PutBack): boolean =>
  was === undefined && asked !== undefined && asked !== null && partsOf(path).field !== undefined;

/** The state's values of a removed item; empty if items have no key. */
function removedItem({ type, changes }: Step, path: string): Values {
  const { top, item } = partsOf(path);
  const items = definitionOfType(type)?.fields[top]?.items;
  const gone = changes.flatMap(({ kind, path: at, old }) =>
    kind === "delete" && topOf(at) === top && isRecord(old) ? [old] : [],
  );
  return (items && gone.find((one) => itemName(items, one, -1) === item)) ?? {};
}

/** Rows and cells that a sheet sets no more: the program has no place for their values. */
const leftCells = ({ type, changes }: Step): readonly string[] =>
  changes.flatMap(({ path, old, new: next }) =>
    isCell(path) && old !== undefined && next === undefined ? [keyedPath(type, path)] : [],
  );

/** Rows of a sheet whose variants a refresh didn't find. */
const goneRowsOf = ({ urn, type, name, inputs, changes }: Step): readonly Drift[] =>
  changes.flatMap(({ path, old, new: next }) =>
    isRow(path) && old === undefined && next !== undefined
      ? [{ urn, kind: kindOf(type), name, path: keyedPath(type, path), inputs, ...goneRow }]
      : [],
  );

const goneRow = { asked: undefined, is: null, isConflict: false } as const;

type Digests = ReadonlyMap<string, string | undefined>;

/** The objects that a refresh didn't find, with the digests of their inputs of the last run. */
export const deletedIn = (steps: readonly Step[]): Digests =>
  new Map(steps.filter(isGone).map((step) => [step.urn, inputsDigest(step)]));

/** The objects that this refresh or an earlier one didn't find. @param read the stack with the new state */
export function deletedObjects(stack: Stack, read: Stack, steps: readonly Step[]): Digests {
  const there = new Set(load(read).resources.map(({ urn }) => urn));
  return new Map([...[...foundGone(stack)].filter(([urn]) => !there.has(urn)), ...deletedIn(steps)]);
}

/** Returns the URN under which the state or the history knows a resource, which may have another name in the program. */
export const knownUrn =
  (known: ReadonlySet<string>, { formerly }: PassResult["result"]) =>
  (urn: string): string =>
    known.has(urn) ? urn : (formerly.get(urn)?.find((one) => known.has(one)) ?? urn);

/** The deleted objects by the URNs that their resources have in the program. */
export const inProgram = (
  gone: Digests,
  { formerly }: PassResult["result"],
  known: (urn: string) => string,
): Digests =>
  new Map(
    [...formerly.keys()].filter((urn) => gone.has(known(urn))).map((urn) => [urn, gone.get(known(urn))]),
  );

/** The deleted objects that the program still has. @param asked its steps */
export function deletedOf(
  gone: Digests,
  asked: ReadonlyMap<string, Pick<Step, "type" | "inputs" | "ignoreChanges">>,
): readonly DeletedResource[] {
  return [...gone].flatMap(([urn, digest]) => {
    const step = asked.get(urn);
    if (step === undefined) return [];
    const isConflict = digest !== undefined && digest !== inputsDigest(step);
    return [{ urn, kind: kindOf(typeOf(urn)), name: nameOf(urn), inputs: withoutIgnored(step), isConflict }];
  });
}

const isArgument = (path: string) => partsOf(path).item === undefined && !isLeafPath(path);

/** The parts of a path: argument, item, field, and the name in a field of amounts. */
export function partsOf(path: string): {
  readonly top: string;
  readonly item?: string;
  readonly field?: string;
  readonly each?: string;
} {
  if (path === bodyPath || isLeafPath(path)) return { top: bodyPath };
  const [top = path, item, field, each] = pathIn(path);
  return {
    top,
    ...(item !== undefined && { item }),
    ...(field !== undefined && { field }),
    ...(each !== undefined && { each }),
  };
}

/** The indexes of an item in a list of inputs: a shop may have several items with one key. */
export function indexesOf({
  kind,
  inputs,
  path,
}: Pick<Drift, "kind" | "inputs" | "path">): readonly number[] {
  const { top, item } = partsOf(path);
  const items = definitionOf(kind)?.fields[top]?.items;
  const list = inputs[top];
  if (items === undefined || !Array.isArray(list)) return [];
  return (list as readonly Values[]).flatMap((one, index) =>
    itemName(items, one, index) === item ? [index] : [],
  );
}

/** The first one; -1 if there is none. */
export const placeOf = (drift: Pick<Drift, "kind" | "inputs" | "path">): number => indexesOf(drift)[0] ?? -1;

const most = 60;
function sideText(value: unknown, unit: string | undefined): string {
  if (value === null || value === "") return "nothing";
  return value === undefined ? anotherContent(false) : withUnit(value, valueText(value as never, most), unit);
}

/** `discount: 10 % => 15 %`. */
export function driftText({
  path,
  asked,
  is,
  units,
  stated,
  isMerged,
}: Pick<Drift, "path" | "asked" | "is" | "units" | "stated" | "isMerged">): string {
  if (isMerged) return `${path}: the lines of both`;
  if (path === adoptPath) return `made again by staff, with the id ${is}`;
  const isText = [asked, is].some((side) => typeof side === "string" && side.includes("\n"));
  if (isText && path === bodyPath) return `${path}: the shop's text`;
  if (Buffer.isBuffer(is)) return `${path}: the shop's file`;
  if (asked === null)
    return `${path}: ${stated ? "taken out of the program, changed by staff" : "added by staff"}`;
  if (is === null && /\]$/.test(path)) return `${path}: removed by staff`;
  return `${path}: ${sideText(asked, units?.asked)} => ${sideText(is, units?.is)}`;
}

type Ran = Pick<PassResult, "result">;

/** Whether all failures are refused steps, or creates of deleted objects. */
export function isWhole({ result: { outcome, failures } }: Ran, gone: ReadonlySet<string>): boolean {
  if (outcome !== "failed" || failures.length === 0) return outcome === "succeeded";
  const others = failures.filter(({ urn = "" }) => !gone.has(urn));
  return others.length === 0 || isRefusedInPart({ outcome, failures: others });
}

/** Whether a preview adopts an object for a resource that has none: staff made it again before an earlier refresh. */
export const isAdopted = ({ steps }: Pick<PassResult, "steps">, urn: string): boolean =>
  steps.some((step) => step.urn === urn && step.op === "adopt");

/** Deleted objects that the shop has again, and that the state has no more. */
export function recreatedObjects(
  found: Pick<PassResult, "result" | "steps">,
  gone: ReadonlySet<string>,
  created: (urn: string) => FilePlace | undefined,
): readonly Skipped[] {
  const nameIt = (urn: string) => ({
    urn,
    kind: kindOf(typeOf(urn)),
    name: nameOf(urn),
    inputs: {},
    isConflict: false,
  });
  const adopted = found.steps.filter(({ urn, op }) => gone.has(urn) && op === "adopt");
  return [
    ...found.result.failures.flatMap(({ urn = "", message, wrong = [] }) => {
      if (!gone.has(urn)) return [];
      const why = wrong.map(({ property, reason }) => `${property}: ${reason}`).join("; ");
      return [{ change: nameIt(urn), reason: why === "" ? message : why, place: created(urn) }];
    }),
    ...adopted.map(({ urn, id }) => ({
      change: nameIt(urn),
      reason: `made again as ${id} before an earlier refresh; up adopts it, and preview shows how it differs`,
      place: created(urn),
    })),
  ];
}
