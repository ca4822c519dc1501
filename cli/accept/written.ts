/** Where a program states what staff changed, and what to write there. */
import {
  hidden,
  isLeafPath,
  isSheet,
  leafOf,
  lineFeeds,
  mergedText,
  type Values,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { type Drift, partsOf, placeOf } from "./drift.ts";
import { added, type Edit, inFormOf, removed, replaced } from "./edits.ts";
import { formIn, pairsIn, renamedForm } from "./natural.ts";
import { lineOf, type Node, type Place, parentOf, type Sources, within } from "./sources.ts";
import type { Stated, Statements } from "./statements.ts";
import { isAlike, type Tables } from "./tables.ts";
import type { Traced } from "./traced.ts";

/** What a program states, and in which tables. */
export interface Program {
  readonly sources: Sources;
  readonly statements: Statements;
  readonly tables: Tables;
}

/** The edits that write a value, or where it is stated and why nothing can be written there. */
export type Written =
  | { readonly edits: readonly Edit[] }
  | { readonly reason: string; readonly at: Place | undefined };

/** @param others drifts of the same run: a value that several resources read may change where all of them have the new one */
export function written(drift: Drift, { statements, tables }: Program, others: readonly Drift[]): Written {
  const { kind, name, path, asked, is, inputs } = drift;
  const { top, item, field, each } = partsOf(path);
  if (is === hidden) return { reason: "a secret value", at: undefined };
  if (is === undefined) return { reason: "its content isn't text", at: undefined };
  const stated = statements.find(kind, name);
  const at = stated?.at ?? statements.places(kind)[0];
  const isWhole = item !== undefined && field === undefined;
  const inProgram = stated === undefined ? undefined : ofStated(stated, drift, statements, others);
  if (inProgram !== undefined && "edits" in inProgram) return inProgram;
  if (!isWhole) {
    const list = isSheet(kind) ? [] : (inputs[top] as readonly Values[] | undefined);
    const own = list?.[placeOf(drift)] ?? { item };
    const beside = item === undefined ? [name, ...allIn(inputs)] : Object.values(own);
    const cells = tables.find({ beside, field: each ?? field ?? top, value: asked });
    if (cells.length > 0) return { edits: cells.map((edit) => edit(is ?? "")) };
  }
  return inProgram ?? { reason: "the program computes it", at };
}

const allIn = (inputs: Values): readonly unknown[] =>
  Object.values(inputs).flatMap((value) =>
    Array.isArray(value) ? value.flatMap((one) => Object.values((one ?? {}) as Values)) : [value],
  );

function ofStated(stated: Stated, drift: Drift, statements: Statements, others: readonly Drift[]): Written {
  const { path, asked, is } = drift;
  const { top, item, field, each } = partsOf(path);
  const { args } = stated;
  const computed = (at: Place = stated.at): Written => ({ reason: "the program computes it", at });
  if (args.type !== "object") return computed();
  const value = args.entries.get(top);
  if (value === undefined) {
    const edit = item === undefined ? renamedForm(args, drift) : undefined;
    return edit === undefined ? computed() : { edits: [edit] };
  }
  if (item === undefined) {
    const [name, own] = formIn(value, drift) ?? [top, value];
    return ofValue(own, own === value ? args : value, { ...drift, name }, { statements, others, path });
  }
  if (value.type !== "list") return computed(value.at);
  const own = itemIn(value.items, drift);
  if (field !== undefined) {
    const inner = own?.type === "object" ? own.entries.get(field) : undefined;
    if (own === undefined || inner === undefined) return computed(own?.at ?? value.at);
    if (each !== undefined) {
      const amount = inner.type === "object" ? inner.entries.get(each) : undefined;
      if (amount === undefined) return computed(inner.at);
      return ofValue(amount, inner, { ...drift, name: each }, { statements, others, path });
    }
    const pairs = statements.readers(inner.at.node) > 1 ? undefined : pairsIn(inner, drift);
    if (pairs !== undefined) return { edits: [pairs] };
    return ofValue(inner, own, { ...drift, name: field }, { statements, others, path });
  }
  if (!value.isLiteral || statements.readers(value.at.node) > 1) return computed(value.at);
  if (asked === null) return { edits: [added(value.at, [[undefined, itemArguments(drift, is as Values)]])] };
  return own === undefined || own.at.node === value.at.node
    ? computed(value.at)
    : { edits: [removed(own.at)] };
}

/** The item that a path names: by its key, where the program writes that. The engine keeps no order of items that have keys. */
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

/** Of an item that staff added what the program states of the others; all of it where there is no other. */
function itemArguments({ kind, path, inputs }: Drift, is: Values): Values {
  const { top } = partsOf(path);
  const items = definitionOf(kind)?.fields[top]?.items;
  const list = (inputs[top] ?? []) as readonly Values[];
  const stated = new Set([...list.flatMap((one) => Object.keys(one)), items?.key, ...(items?.tells ?? [])]);
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const own = Object.entries(is).filter(
    ([name, value]) => (list.length === 0 || stated.has(name)) && !isEmpty(value),
  );
  return Object.fromEntries(own);
}

interface Beside {
  readonly statements: Statements;
  readonly others: readonly Drift[];
  readonly path: string;
}

function ofValue(value: Traced, holder: Traced, drift: Omit<Drift, "inputs">, beside: Beside): Written {
  const { asked, is, name, path, urn } = drift;
  const computed: Written = { reason: "the program computes it", at: value.at };
  const next = isLeafPath(path) ? leafText(value, urn, beside.others) : (is ?? "");
  if (next === undefined) return computed;
  const isList = value.type === "list" && value.isLiteral;
  const isLiteral =
    value.type === "scalar" && value.isLiteral && (isLeafPath(path) || isStated(value.value, asked));
  if (!isList && !isLiteral) return computed;
  const readers = beside.statements.readers(value.at.node);
  const alike = beside.others.filter((one) => one.path === beside.path && isStated(one.is, is)).length;
  if (readers <= Math.max(1, alike))
    return { edits: [replaced(value.at, value.type === "scalar" ? inFormOf(value.value, next) : next)] };
  // Others read it too: this one says its own, which goes before.
  const own =
    holder.type === "object"
      ? holder.parts.findLast(({ node }) => beside.statements.readers(node) === 1)
      : undefined;
  if (own === undefined || hasEntry(own.node, name))
    return { reason: "other resources read the same value", at: value.at };
  return { edits: [added(own, [[name, next]])] };
}

const isStated = (stated: unknown, asked: unknown) =>
  typeof asked === "string" && typeof stated === "string"
    ? lineFeeds(stated) === lineFeeds(asked) || isAlike(stated, asked)
    : isAlike(stated, asked);

/** All leaves of one text are written at once. */
function leafText(value: Traced, urn: string, others: readonly Drift[]): string | undefined {
  if (value.type !== "scalar" || typeof value.value !== "string") return undefined;
  const leaves = others.filter((one) => one.urn === urn && isLeafPath(one.path));
  return withLeaves(value.value, leaves);
}

/** A text of JSON with values of staff's, in its layout. */
export function withLeaves(text: string, leaves: readonly Pick<Drift, "path" | "is">[]): string {
  const theirs = new Map(
    leaves.flatMap(({ path, is }) => (is === null ? [] : [[leafOf(path), JSON.stringify(is)]])) as [
      string,
      string,
    ][],
  );
  return mergedText(
    text,
    theirs,
    leaves.map(({ path }) => leafOf(path)),
  );
}

const hasEntry = (node: Node, name: string) =>
  node.type === "ObjectExpression" &&
  node.properties.some(
    (one) => one.type === "ObjectProperty" && one.key.type === "Identifier" && one.key.name === name,
  );

/** What takes a resource out of the program, that staff have deleted. */
export function withoutResource(kind: string, name: string, { statements }: Program): Written {
  const stated = statements.find(kind, name);
  if (stated === undefined)
    return { reason: "the program computes its name", at: statements.places(kind)[0] };
  if (stated.of === 1) return withoutStatement(stated.at);
  const { row } = stated;
  const entry = row === undefined ? undefined : parentOf(row.at.node);
  if (row?.type !== "object" || entry === undefined || statements.readers(row.at.node) > 1)
    return { reason: "it is made in a loop", at: stated.at };
  const node = entry.type === "ObjectProperty" ? entry : row.at.node;
  return { edits: [removed({ source: row.at.source, node })] };
}

function withoutStatement(at: Place): Written {
  const { source, node } = at;
  const above = parentOf(node);
  if (above?.type === "ExpressionStatement") {
    const outer = parentOf(above);
    const isOnly = outer?.type === "IfStatement" && outer.consequent === above && !outer.alternate;
    return { edits: [removed({ source, node: isOnly ? outer : above })] };
  }
  const declaration = above?.type === "VariableDeclarator" ? parentOf(above) : undefined;
  if (above?.type !== "VariableDeclarator" || declaration?.type !== "VariableDeclaration")
    return { reason: "the program uses it", at };
  const { id } = above;
  const uses = [...within(source.root)].filter(
    (one) => id.type === "Identifier" && one.type === "Identifier" && one.name === id.name,
  );
  if (
    declaration.declarations.length > 1 ||
    uses.length > 1 ||
    parentOf(declaration)?.type === "ExportNamedDeclaration"
  )
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
  return { edits: [removed({ source, node: declaration })] };
}
