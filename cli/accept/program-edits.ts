/** Finds the place in a program where a changed value is written, and the edit for it. */
import { basename } from "node:path";
import { parseUrn } from "../../engine/pulumi/urn.ts";
import {
  hidden,
  isLeafPath,
  isSheet,
  leafOf,
  mergedText,
  type Values,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import type { Declaration, Declarations } from "../program/declarations.ts";
import { namedIn } from "../program/scopes.ts";
import {
  endOf,
  lineOf,
  type Node,
  type Place,
  parentOf,
  type Sources,
  startOf,
  within,
} from "../program/sources.ts";
import type { Traced } from "../program/traced-values.ts";
import { type DeletedResource, type Drift, type FilePlace, partsOf, placeOf } from "./drift.ts";
import { type Edit, inFormOf, insertion, removal, replacement, withJson } from "./edits.ts";
import { isFoundByKey } from "./remade.ts";
import { entryOf, inPairsOf, naturalValueIn, newRowEdit, pairsIn, renamedForm } from "./row-edits.ts";
import { isSameValue, type Tables } from "./tables.ts";

export interface Program {
  readonly sources: Sources;
  readonly statements: Declarations;
  readonly tables: Tables;
  /** The resources of the project's other stacks, whose program this is, too. */
  readonly others: () => ReadonlyMap<string, Declarations>;
  /** Where a resource is created, also if its name is computed. */
  readonly created: (urn: string) => FilePlace | undefined;
}

/** The edits, or the reason why there are none, with the place if the sources show it. */
export type EditResult =
  | { readonly edits: readonly Edit[] }
  | { readonly reason: string; readonly at: Place | undefined };

/** All drift of a run, and the drift by node. */
export interface OtherDrifts {
  readonly all: readonly Drift[];
  readonly at: ReadonlyMap<Node | undefined, readonly Drift[]>;
}

export const otherDrifts = (all: readonly Drift[], { statements }: Program): OtherDrifts => ({
  all,
  at: Map.groupBy(all, (drift) => {
    const found = foundIn(statements.find(drift.kind, drift.name), drift);
    return "value" in found ? found.value.at.node : undefined;
  }),
});

/**
 * @param others of the same run: a value that several arguments read may change if all of them get the same new
 * value
 */
export function editsFor(drift: Drift, { statements, tables }: Program, others: OtherDrifts): EditResult {
  const { kind, name, path, asked, is, inputs } = drift;
  const { top, item, field, each } = partsOf(path);
  if (isFoundByKey(drift)) return { edits: [] };
  const stated = statements.find(kind, name);
  const at = stated?.at;
  if (is === hidden) return { reason: "a secret value", at };
  if (is === undefined) return { reason: "its content isn't text", at };
  const isWhole = item !== undefined && field === undefined;
  const inProgram = stated === undefined ? undefined : ofStated(stated, drift, statements, others);
  if (inProgram !== undefined && "edits" in inProgram) return inProgram;
  const list = isSheet(kind) ? [] : (inputs[top] as readonly Values[] | undefined);
  const own = list?.[placeOf(drift)] ?? { item };
  const beside = item === undefined ? [name, ...allIn(inputs)] : Object.values(own);
  if (isWhole && is === null) {
    const rows = tables.rows(beside);
    if (rows.length > 0) return { edits: rows };
  }
  if (!isWhole) {
    const cells = tables.find({ beside, field: each ?? field ?? top, value: asked });
    const edits = cells.map((edit) => edit(is ?? ""));
    const files = new Set(edits.map(({ source }) => source.path));
    if (files.size === 1) return { edits };
    if (files.size > 1)
      return { reason: `it may be from ${[...files].map((path) => basename(path)).join(" or ")}`, at };
  }
  return inProgram ?? { reason: "the program computes it", at };
}

const allIn = (inputs: Values): readonly unknown[] =>
  Object.values(inputs).flatMap((value) =>
    Array.isArray(value) ? value.flatMap((one) => Object.values((one ?? {}) as Values)) : [value],
  );

/** A value, and the object entry that holds it. */
interface FoundValue {
  readonly value: Traced;
  readonly holder: Traced;
  readonly name: string;
}

/** The value of an argument or of an item's field, or else the closest place. */
export function foundIn(
  stated: Declaration | undefined,
  drift: Drift,
): FoundValue | { readonly at: Place | undefined } {
  const { top, item, field, each } = partsOf(drift.path);
  const args = stated?.args;
  const value = args?.type === "object" ? args.entries.get(top) : undefined;
  if (args === undefined || value === undefined) return { at: stated?.at };
  if (item === undefined) {
    const [name, own] = naturalValueIn(value, drift) ?? [top, value];
    return { value: own, holder: own === value ? args : value, name };
  }
  const own = value.type === "list" ? itemIn(value.items, drift) : undefined;
  const inner = own?.type === "object" ? own.entries.get(field ?? "") : undefined;
  if (own === undefined || inner === undefined) return { at: own?.at ?? value.at };
  if (each === undefined) return { value: inner, holder: own, name: field ?? "" };
  const amount = inner.type === "object" ? inner.entries.get(each) : undefined;
  return amount === undefined ? { at: inner.at } : { value: amount, holder: inner, name: each };
}

function ofStated(
  stated: Declaration,
  drift: Drift,
  statements: Declarations,
  others: OtherDrifts,
): EditResult {
  const { path, asked, is } = drift;
  const { top, item, field, each } = partsOf(path);
  const { args } = stated;
  const computed = (at: Place = stated.at): EditResult => ({ reason: "the program computes it", at });
  if (item === undefined || field !== undefined) {
    const found = foundIn(stated, drift);
    if ("value" in found) {
      const isPairs =
        field !== undefined && each === undefined && statements.readers(found.value.at.node) <= 1;
      const pairs = isPairs ? pairsIn(found.value, drift) : undefined;
      return pairs === undefined ? ofValue(found, drift, { statements, others }) : { edits: [pairs] };
    }
    const edit = item === undefined && args.type === "object" ? renamedForm(args, drift) : undefined;
    return edit === undefined ? computed(found.at) : { edits: [edit] };
  }
  const value = args.type === "object" ? args.entries.get(top) : undefined;
  if (value?.type !== "list") return computed(value?.at);
  const own = itemIn(value.items, drift);
  const isOwn = value.isLiteral && statements.readers(value.at.node) <= 1;
  if (asked === null) {
    const next = (sample: Traced | undefined) =>
      inPairsOf(sample, drift, itemArguments(drift, is as Values, value.items));
    if (isOwn) return { edits: [insertion(value.at, [[undefined, next(value.items.at(-1))]])] };
    const edit = newRowEdit(value.items, next);
    return edit === undefined ? computed(value.at) : { edits: [edit] };
  }
  // For a list that a loop makes, the row is removed.
  const rows = own?.type === "object" ? (own.rows ?? []) : [];
  const gone = isOwn ? elementOf(value, own) : rows.find(({ node }) => entryOf(node) !== undefined);
  const entry = gone === undefined ? undefined : entryOf(gone.node);
  return gone === undefined || entry === undefined || gone.node === value.at.node
    ? computed(own?.at ?? value.at)
    : { edits: [removal({ source: gone.source, node: entry })] };
}

/** The element of a literal list that gives an item, also if a function makes the item. */
function elementOf(
  { items, at: { source, node } }: Extract<Traced, { type: "list" }>,
  own: Traced | undefined,
): Place | undefined {
  const element = node.type === "ArrayExpression" && own ? node.elements[items.indexOf(own)] : undefined;
  return element ? { source, node: element as Node } : undefined;
}

/** The item with the key in the path. Without written keys, the position counts. */
function itemIn(items: readonly Traced[], drift: Drift): Traced | undefined {
  const { top, item } = partsOf(drift.path);
  const key = isSheet(drift.kind)
    ? String(drift.inputs.key ?? "sku")
    : (definitionOf(drift.kind)?.fields[top]?.items?.key ?? "");
  const keyed = items.find((one) => {
    const own = one.type === "object" ? one.entries.get(key) : undefined;
    return own?.type === "scalar" && String(own.value) === item;
  });
  const isKeyed = items.some((one) => one.type === "object" && one.entries.has(key));
  return keyed ?? (isKeyed ? undefined : items[placeOf(drift)]);
}

/**
 * The values of a new item: the arguments that the program sets for other items, or all if there is no other item.
 * @param written the other items in the sources, which also state what `ignoreChanges` leaves out of the inputs
 */
export function itemArguments(drift: Drift, is: Values, written: readonly Traced[] = []): Values {
  const { kind, path, inputs, stated: last = {} } = drift;
  const { top } = partsOf(path);
  const items = definitionOf(kind)?.fields[top]?.items;
  const list = (inputs[top] ?? []) as readonly Values[];
  const set = new Set(list.flatMap((one) => Object.keys(one)));
  const left = written
    .flatMap((one) => (one.type === "object" ? [...one.entries.keys()] : []))
    .filter((name) => !set.has(name));
  // A removed item comes back with the arguments that it had.
  if (Object.keys(last).length > 0) {
    const had = new Set([...Object.keys(last), ...left]);
    return Object.fromEntries(Object.entries({ ...is, ...last, ...is }).filter(([name]) => had.has(name)));
  }
  const stated = new Set([...set, ...left, items?.key, ...(items?.identifiers ?? [])]);
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const own = Object.entries(is).filter(
    ([name, value]) => (list.length === 0 || stated.has(name)) && !isEmpty(value),
  );
  return Object.fromEntries(own);
}

interface Beside {
  readonly statements: Declarations;
  readonly others: OtherDrifts;
}

function ofValue(
  { value, holder, name }: FoundValue,
  drift: Drift,
  { statements, others }: Beside,
): EditResult {
  const { asked, is, path, urn } = drift;
  const computed: EditResult = { reason: whyComputed(value, drift), at: value.at };
  const next = isLeafPath(path) ? leafText(value, urn, others.all) : (is ?? "");
  if (next === undefined) return computed;
  const isList = value.type === "list" && value.isLiteral;
  const isLiteral =
    value.type === "scalar" && value.isLiteral && (isLeafPath(path) || isSameValue(value.value, asked));
  if (!isList && !isLiteral) return computed;
  const { node } = value.at;
  const written = value.type === "scalar" ? literalOf(node, inFormOf(value.value, next)) : next;
  const alike = (others.at.get(node) ?? []).filter((one) => isSameValue(one.is, is));
  const count = isLeafPath(path) ? new Set(alike.map((one) => one.urn)).size : alike.length;
  if (statements.readers(node) <= Math.max(1, count)) return { edits: [replacement(value.at, written)] };
  // Other resources read the value too, so this resource gets its own, which overrides the shared one.
  const own =
    holder.type === "object"
      ? holder.parts.findLast((part) => statements.readers(part.node) === 1)
      : undefined;
  if (own === undefined) return { reason: "other resources read the same value", at: value.at };
  const entry = namedIn(own.node, name);
  if (entry === undefined) return { edits: [insertion(own, [[name, written]])] };
  const place = { source: own.source, node: entry.shorthand ? entry : (entry.value as Node) };
  const edit = replacement(place, written);
  return { edits: [entry.shorthand ? { ...edit, text: `${name}: ${edit.text}` } : edit] };
}

/** Why a value isn't written: it is computed, or a setting of the stack, with the command that sets it. */
function whyComputed(value: Traced, { urn, is }: Drift): string {
  const { of, key } = (value.type === "computed" && value.setting) || {};
  if (key === undefined || is === null || typeof is === "object") return "the program computes it";
  const name = of === undefined ? key : `${of}:${key}`;
  const text = String(is);
  const word = /^[\w.,@%+:/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
  return `a setting of the stack: npx pulumi-shop config set ${name} ${word} --stack ${parseUrn(urn).stack}`;
}

/** A number of which the program makes a text stays a text: `Number("5")`. */
const literalOf = ({ type }: Node, value: unknown) =>
  typeof value === "number" && (type === "StringLiteral" || type === "TemplateLiteral")
    ? String(value)
    : value;

/** All settings of one text change together. */
function leafText(value: Traced, urn: string, others: readonly Drift[]): string | undefined {
  if (value.type !== "scalar" || typeof value.value !== "string") return undefined;
  const leaves = others.filter((one) => one.urn === urn && isLeafPath(one.path));
  return withLeaves(value.value, leaves);
}

/** Changes settings in a JSON text and keeps its layout. */
export function withLeaves(text: string, leaves: readonly Pick<Drift, "path" | "is" | "isNull">[]): string {
  const theirs = new Map(
    leaves.flatMap(({ path, is, isNull = false }) =>
      is === null && !isNull ? [] : [[leafOf(path), JSON.stringify(is)]],
    ) as [string, string][],
  );
  const paths = leaves.map(({ path }) => leafOf(path));
  return withJson(text, JSON.parse(mergedText(text, theirs, paths)));
}

export function withoutResource(
  { kind, name, inputs }: DeletedResource,
  { statements, tables, others }: Program,
): EditResult {
  const stated = statements.find(kind, name);
  const rows = tables.rows([name, ...allIn(inputs)]);
  if (stated === undefined && rows.length > 0) return { edits: rows };
  if (stated === undefined) return { reason: "the program computes its name", at: undefined };
  const alone = stated.makers.filter(
    ({ node }) =>
      statements.made(node) === 1 && [...others().values()].every((one) => makesNoOther(one, node, stated)),
  );
  for (const { source, node } of alone) {
    const entry = entryOf(node);
    if (entry !== undefined) return { edits: [removal({ source, node: entry })] };
    const without = isMade(node) ? withoutStatement({ source, node }) : undefined;
    if (without !== undefined && ("edits" in without || node === stated.at.node)) return without;
  }
  return { reason: "it is created in a loop", at: alone[0] ?? stated.at };
}

/** Whether a node makes nothing for another stack, or the same resource in the same way, which goes there too. */
function makesNoOther(others: Declarations, node: Node, { makers }: Declaration): boolean {
  if (others.made(node) === 0) return true;
  const isOf = (one: Declaration) => one.makers.some((maker) => maker.node === node);
  const isSame = (one: Declaration) =>
    one.makers.length === makers.length && one.makers.every((maker, at) => maker.node === makers[at]?.node);
  return others.all.filter(isOf).every(isSame);
}

const isMade = ({ type }: Node) => type === "NewExpression" || type === "CallExpression";

/** Removes a statement with the loops and conditions that have nothing else. */
function withoutBranch({ source, node }: Place): Edit {
  const outer = parentOf(node);
  if (outer === undefined || inLists.includes(outer.type)) return removal({ source, node });
  const isOnly = "body" in outer || (outer.type === "IfStatement" && !outer.alternate);
  if (isOnly) return withoutBranch({ source, node: outer });
  return { source, from: startOf(node), to: endOf(node), text: "{}" };
}

const inLists: readonly string[] = [
  "Program",
  "BlockStatement",
  "StaticBlock",
  "SwitchCase",
  "TSModuleBlock",
];

function withoutStatement(at: Place): EditResult {
  const { source, node } = at;
  const above = parentOf(node);
  if (above?.type === "ExpressionStatement") {
    return { edits: [withoutBranch({ source, node: above })] };
  }
  const declaration = above?.type === "VariableDeclarator" ? parentOf(above) : undefined;
  if (above?.type !== "VariableDeclarator" || declaration?.type !== "VariableDeclaration")
    return { reason: "the program uses it", at };
  const { id } = above;
  const uses = [...within(source.root)].filter(
    (one) => id.type === "Identifier" && one.type === "Identifier" && one.name === id.name,
  );
  if (declaration.declarations.length > 1) return { reason: "its statement declares others, too", at };
  if (uses.length > 1 || parentOf(declaration)?.type === "ExportNamedDeclaration")
    return {
      reason: `the program uses it${
        uses.length > 1
          ? ` in line ${uses
              .slice(1)
              .map((one) => lineOf({ source, node: one }))
              .join(", ")}`
          : ""
      }`,
      at,
    };
  return { edits: [removal({ source, node: declaration })] };
}
