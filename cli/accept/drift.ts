/** What staff have otherwise than the program: value by value, as a preview after a refresh tells it. */
import {
  foundGone,
  isGone,
  kindOf,
  load,
  nameOf,
  type Stack,
  type Step,
  typeOf,
} from "../../engine/index.ts";
import { pathIn, topOf } from "../../engine/pulumi/path.ts";
import { isRecord } from "../../engine/pulumi/record.ts";
import {
  asLists,
  bodyPath,
  goneRows,
  isLeafPath,
  isSheet,
  itemName,
  type Values,
  withSign,
} from "../../provider/inventory/index.ts";
import { definitionOf, definitionOfType } from "../../provider/resources/index.ts";
import { type PassResult, valueText } from "../../runs/command.ts";

/** One value that staff changed. */
export interface Drift {
  readonly urn: string;
  readonly kind: string;
  readonly name: string;
  /** `discount`, `variants[MUG-R].price`, `variants[MUG-R]`, `content`, `content: colors.link`. */
  readonly path: string;
  /** What the program asks, and what the shop has; null where there is nothing, undefined where nobody says it. */
  readonly asked: unknown;
  readonly is: unknown;
  /** What stands behind the numbers: `%`. */
  readonly units?: { readonly asked?: string; readonly is?: string };
  /** Whether the program was changed too since it last ran. */
  readonly isConflict: boolean;
  /** Of an item that the program takes out: all that it had stated of it, as the shop has that now. */
  readonly stated?: Values;
  /** All that the program asks of the resource, lists as lists. */
  readonly inputs: Values;
}

/** An object that staff deleted and that the program states. */
export interface Deleted {
  readonly urn: string;
  readonly kind: string;
  readonly name: string;
  readonly inputs: Values;
}

/** A change of staff's that can't be written. */
export interface Left {
  readonly change: Drift | Deleted;
  readonly reason: string;
  /** `index.ts:5`; undefined where nobody knows. */
  readonly place: { readonly path: string; readonly line: number } | undefined;
}

const inputsOf = ({ type, inputs }: Step): Values => {
  const definition = definitionOfType(type);
  return definition === undefined ? inputs : asLists(definition, inputs);
};

/** All that a program asks, by URN: of what stays as it is, too, of which what is shown tells no arguments. */
export function askedBy({ current }: Pick<PassResult, "current">): ReadonlyMap<string, Values> {
  const steps = [...current.steps, ...current.unchanged, ...current.refused.map(({ step }) => step)];
  // What makes room is asked by nobody.
  const isAsked = ({ found, custom, op }: Step) => !found && custom && op !== "delete-replaced";
  return new Map(steps.filter(isAsked).map((step) => [step.urn, inputsOf(step)]));
}

/** What staff changed, of the preview of a program whose state knows the shop, and that may overwrite all. */
export function driftOf({ steps, notices }: Pick<PassResult, "steps" | "notices">): readonly Drift[] {
  return (
    steps
      // What a delete takes with it nobody can write into the program, which has no such resource any more; a replacement
      // tells of what it deletes itself.
      .filter(({ found, op }) => !found && op !== "delete" && op !== "delete-replaced")
      .flatMap((step) => {
        const fields = [
          ...notices.putBack(step).map((field) => ({ ...field, isConflict: false })),
          ...notices.overwritten(step).map((field) => ({ ...field, isConflict: true })),
        ];
        const { urn, type, name } = step;
        const inputs = inputsOf(step);
        const known = new Map(fields.map((field) => [field.path, field]));
        const changed = [...known.values()].map(({ path, asked, is, units, isConflict }) => ({
          ...{ urn, kind: kindOf(type), name, path, is, isConflict, inputs, ...(units && { units }) },
          // Of what is to be replaced a preview tells the shop's side alone.
          asked: asked === undefined && isWhole(path) ? inputs[path] : asked,
          ...(isConflict && asked === null && { stated: takenOut(step, path) }),
        }));
        return [...changed, ...goneRowsOf(step)];
      })
  );
}

/** An item as the state has it that a step takes out; nothing where items are told apart by their places. */
function takenOut({ type, changes }: Step, path: string): Values {
  const { top, item } = partsOf(path);
  const items = definitionOfType(type)?.fields[top]?.items;
  const gone = changes.flatMap(({ kind, path: at, old }) =>
    kind === "delete" && topOf(at) === top && isRecord(old) ? [old] : [],
  );
  return (items && gone.find((one) => itemName(items, one, -1) === item)) ?? {};
}

/** Rows of a sheet whose variants a refresh has found gone: no run puts them back. */
function goneRowsOf({ urn, type, name, inputs, changes }: Step): readonly Drift[] {
  const kind = kindOf(type);
  const before = isSheet(kind) ? changes.find(({ path }) => path === "rows")?.old : undefined;
  if (typeof before !== "string") return [];
  return goneRows(before, inputs).map((path) => ({
    ...{ urn, kind, name, path, inputs },
    ...{ asked: undefined, is: null, isConflict: false },
  }));
}

/** What an earlier refresh of a stack has found gone, by URN. @param read the stack with the state as it is read now */
export function goneBefore(stack: Stack, read: Stack): readonly string[] {
  const there = new Set(load(read).resources.map(({ urn }) => urn));
  return [...foundGone(stack)].filter((urn) => !there.has(urn));
}

/** What this refresh, or one before it, has found gone, and the program still asks for. */
export function deletedOf(
  steps: readonly Step[],
  asked: ReadonlyMap<string, Values>,
  before: readonly string[] = [],
): readonly Deleted[] {
  const found = steps.filter(isGone).map(({ urn }) => urn);
  return [...new Set([...found, ...before])].flatMap((urn) => {
    const inputs = asked.get(urn);
    return inputs === undefined ? [] : [{ urn, kind: kindOf(typeOf(urn)), name: nameOf(urn), inputs }];
  });
}

const isWhole = (path: string) => partsOf(path).item === undefined && !isLeafPath(path);

/** The parts of a path: the argument, the item of its list, the field of that, the name in a field of amounts by name. */
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

/** An item's place in a list of arguments, by the name that it has in a path; -1 where there is none. */
export function placeOf({ kind, inputs, path }: Pick<Drift, "kind" | "inputs" | "path">): number {
  const { top, item } = partsOf(path);
  const items = definitionOf(kind)?.fields[top]?.items;
  const list = inputs[top];
  if (items === undefined || !Array.isArray(list)) return -1;
  return (list as readonly Values[]).findIndex((one, index) => itemName(items, one, index) === item);
}

const most = 60;
function sideText(value: unknown, unit: string | undefined): string {
  if (value === null || value === "") return "nothing";
  return value === undefined ? "another content" : withSign(value, valueText(value as never, most), unit);
}

/** `discount: 10 % => 15 %`. */
export function driftText({
  path,
  asked,
  is,
  units,
  stated,
}: Pick<Drift, "path" | "asked" | "is" | "units" | "stated">): string {
  const isText = [asked, is].some((side) => typeof side === "string" && side.includes("\n"));
  if (isText && path === bodyPath) return `${path}: the shop's text`;
  if (Buffer.isBuffer(is)) return `${path}: the shop's file`;
  if (asked === null)
    return `${path}: ${stated ? "taken out of the program, changed by staff" : "added by staff"}`;
  if (is === null && /\]$/.test(path)) return `${path}: removed by staff`;
  return `${path}: ${sideText(asked, units?.asked)} => ${sideText(is, units?.is)}`;
}
