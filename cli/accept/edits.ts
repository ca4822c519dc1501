/** Edits of single values in a source text. Layout and comments stay as they are. */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../engine/common/record.ts";
import { idsOf } from "../../provider/inventory/index.ts";
import {
  endOf,
  jsonSource,
  type Node,
  type NodeOf,
  type Place,
  parentOf,
  type Source,
  startOf,
} from "../program/sources.ts";
import { print, quote, templateLike } from "../pull/code.ts";

export interface Edit {
  readonly source: Source;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The list item or object entry that is removed. */
  readonly gone?: Node;
  /** Where the code is that is changed, if the edit begins before it. */
  readonly at?: number;
}

/** Applies edits. An edit inside a removed part is dropped. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const all = withoutTails(edits);
  const own = [...new Map(all.map((edit) => [`${edit.from} ${edit.to} ${edit.text}`, edit])).values()];
  const isInside = (one: Edit) =>
    own.some(
      (other) =>
        other !== one &&
        other.text === "" &&
        other.from <= one.from &&
        one.from < other.to &&
        one.to <= other.to,
    );
  let end = text.length;
  let done = "";
  let isCut = false;
  // From the end. Of insertions at one place, the last comes first.
  for (const edit of own.toReversed().toSorted((one, other) => other.from - one.from || other.to - one.to)) {
    if (isInside(edit)) continue;
    // Two removals may share a line end.
    if (edit.to > end && isCut && edit.text === "") end = edit.from;
    if (edit.to > end) continue;
    isCut = edit.text === "";
    done = withLineEnds(edit) + text.slice(edit.to, end) + done;
    end = edit.from;
  }
  return text.slice(0, end) + done;
}

/** Uses the file's line ends, except in cells. */
const withLineEnds = ({ source: { form, text: whole }, text }: Edit) =>
  form === "cells" ? text : inLineEndsOf(whole, text);

/** Uses another text's line ends. */
export const inLineEndsOf = (whole: string, text: string): string =>
  whole.includes("\r\n") ? text.replaceAll(/\r?\n/g, "\r\n") : text;

/** Removes the last items of a list together with the comma before them, and keeps the comment there. */
function withoutTails(edits: readonly Edit[]): readonly Edit[] {
  const gone = new Map(
    edits.flatMap((edit) => (edit.gone === undefined ? [] : [[edit.gone, edit] as const])),
  );
  const replaced = new Set<Edit>();
  const done = [...new Set([...gone.keys()].map(parentOf))].flatMap((holder) => {
    const parts = partsOf(holder as Holder);
    const kept = parts.findLastIndex((part) => !gone.has(part));
    const [before, last] = [parts[kept], parts.at(-1)];
    const first = gone.get(parts[kept + 1] as Node);
    // Of a list that loses all of its items the new ones take the place.
    const fresh = before === undefined && last !== undefined ? insertedAt(edits, endOf(last), first) : [];
    if (fresh.length > 0) {
      for (const part of parts) gone.delete(part);
      for (const edit of fresh) replaced.add(edit);
      const text = fresh.map((edit) => edit.text).join("");
      const to = Math.max(...fresh.map((edit) => edit.to));
      const from = startOf(parts[0] as Node);
      return [{ ...fresh[0], from, to, text: text.replace(/^,[ \t]*(?:\/\/[^\r\n]*)?\s*/, "") } as Edit];
    }
    // With a trailing comma, each item is removed with its own comma.
    if (before === undefined || last === undefined || first === undefined || isClosed(first.source, last))
      return [];
    const { source } = first;
    for (const part of parts.slice(kept + 1)) gone.delete(part);
    const [comma = ""] = /^\s*,/.exec(source.text.slice(endOf(before))) ?? [];
    const behind = endOf(before) + comma.length;
    const beside = commentAt(source, behind);
    return [
      { source, from: endOf(before), to: behind, text: "" },
      {
        source,
        from: behind + beside.length,
        to: endOf(last) + commentAt(source, endOf(last)).length,
        text: "",
      },
    ];
  });
  const isLeft = (edit: Edit) => (edit.gone === undefined ? !replaced.has(edit) : gone.has(edit.gone));
  return [...edits.filter(isLeft), ...done];
}

/** What is inserted behind the last item of a list. */
const insertedAt = (edits: readonly Edit[], at: number, { source }: Partial<Edit> = {}) =>
  edits.filter(
    (edit) => edit.source === source && edit.gone === undefined && edit.from === at && edit.text[0] === ",",
  );

const commentAt = ({ text }: Source, at: number) => /^[ \t]*\/\/[^\r\n]*/.exec(text.slice(at))?.[0] ?? "";

const isClosed = ({ text }: Source, last: Node) => /^\s*,/.test(text.slice(endOf(last)));

const isJson = ({ form }: Source) => form === "json";

/** Formats a number like the previous value, with as many decimals. A text stays as it is. */
export function inFormOf(before: unknown, value: unknown): unknown {
  if (typeof value === "string" && typeof before === "number")
    return isPlainNumber(value) ? Number(value) : value;
  if (typeof value !== "number" || typeof before !== "string") return value;
  const places = /^-?\d+\.(\d+)$/.exec(before)?.[1]?.length ?? 0;
  const text = String(value);
  const own = /^-?\d+(?:\.(\d+))?$/.exec(text);
  if (places === 0 || own === null || (own[1]?.length ?? 0) >= places) return text;
  return `${text}${own[1] === undefined ? "." : ""}${"0".repeat(places - (own[1]?.length ?? 0))}`;
}

/** Whether a number has this text: `5`, `1.5`, and neither `007` nor `1.50`. */
export const isPlainNumber = (text: string): boolean =>
  /^-?\d+(?:\.\d+)?$/.test(text) && String(Number(text)) === text;

const marginAt = (text: string, at: number) =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";

function printed({ source, node }: Place, value: unknown): string {
  const own = source.text.slice(startOf(node), endOf(node));
  if (source.form === "text") return String(value);
  if (isJson(source))
    return jsonText(value, own.includes("\n") ? marginAt(source.text, startOf(node)) : undefined, source);
  const quasi = node.type === "TemplateLiteral" ? node.quasis[0]?.value : undefined;
  if (quasi !== undefined && typeof value === "string")
    return templateLike(quasi.raw, quasi.cooked ?? "", value);
  // A text on one line stays on one line.
  if (typeof value === "string" && own.startsWith('"') && own.includes("\\n")) return quote(value);
  if (typeof value === "string" && own.startsWith("'") && !/['\n]/.test(value))
    return `'${quote(value).slice(1, -1).replaceAll('\\"', '"')}'`;
  return print(value, marginAt(source.text, startOf(node)).length);
}

export const replacement = (place: Place, value: unknown): Edit => ({
  source: place.source,
  from: startOf(place.node),
  to: endOf(place.node),
  text: printed(place, value),
});

type Holder = NodeOf<"ArrayExpression"> | NodeOf<"ObjectExpression">;
const partsOf = (holder: Holder): readonly Node[] =>
  (holder.type === "ArrayExpression" ? holder.elements : holder.properties).filter(
    (one) => one !== null,
  ) as Node[];

/** Adds list items or object entries in the layout of the previous ones. */
export function insertion(
  place: Place,
  entries: readonly (readonly [name: string | undefined, value: unknown])[],
): Edit {
  const { source } = place;
  const holder = place.node as Holder;
  const { text } = source;
  const last = partsOf(holder).at(-1);
  const isLines = last !== undefined && text.slice(startOf(holder), startOf(last)).includes("\n");
  const margin = last === undefined ? "" : marginAt(text, startOf(last));
  const own = entries.map(([name, value]) => {
    const key =
      name === undefined
        ? ""
        : `${isJson(source) || !/^[A-Za-z_$][\w$]*$/.test(name) ? quote(name) : name}: `;
    return (
      key +
      (isJson(source) ? jsonText(value, isLines ? margin : undefined, source) : print(value, margin.length))
    );
  });
  if (last === undefined) {
    const at = startOf(holder) + 1;
    const space = holder.type === "ObjectExpression" ? " " : "";
    return { source, from: at, to: at, text: `${space}${own.join(", ")}${space}` };
  }
  // A comment at the end of the line belongs to the last item.
  const [rest = "", comma = "", beside = ""] =
    /^(\s*,)?([ \t]*\/\/[^\r\n]*)?/.exec(text.slice(endOf(last))) ?? [];
  const from = endOf(last);
  const between = isLines ? `\n${margin}` : " ";
  return {
    source,
    from,
    to: from + rest.length,
    text: `,${beside}${between}${own.join(`,${between}`)}${comma}`,
  };
}

/** JSON in the file's layout; on one line without a margin. */
function jsonText(value: unknown, margin: string | undefined, { text }: Source): string {
  if (margin === undefined) return JSON.stringify(value);
  const unit = /\n([ \t]+)/.exec(text)?.[1] ?? "  ";
  return JSON.stringify(value, undefined, unit).replaceAll("\n", `\n${margin}`);
}

/** Removes a node with its comma, its comments, and its lines if nothing else is on them. */
export function removal({ source, node }: Place): Edit {
  const { text } = source;
  const holder = parentOf(node);
  const isItem = holder?.type === "ArrayExpression" || holder?.type === "ObjectExpression";
  const gone = isItem ? { gone: node } : {};
  const lineStart = (at: number) => text.lastIndexOf("\n", at - 1) + 1;
  const isFirst = (at: number) => text.slice(lineStart(at), at).trim() === "";
  const comma = isItem ? /^\s*,/.exec(text.slice(endOf(node)))?.[0] : undefined;
  const to = endOf(node) + (comma?.length ?? 0);
  const rest = /^[ \t]*(?:\/\/[^\r\n]*)?(?:\r?\n|$)/.exec(text.slice(to))?.[0];
  const comment = ownComments({ source, node }, isFirst);
  // Above several statements in a row, a comment may be about all of them.
  const isShared =
    !isItem &&
    comment !== undefined &&
    !isOfOne.test(node.leadingComments?.at(-1)?.value ?? "") &&
    opensGroup.test(text.slice(0, lineStart(comment))) &&
    !endsGroup.test(text.slice(to + (rest?.length ?? 0)));
  const from = isShared ? startOf(node) : (comment ?? startOf(node));
  if (!isFirst(from) || rest === undefined) {
    const space = /^[ \t]*/.exec(text.slice(to))?.[0] ?? "";
    // No blanks are left at the end of a line.
    const before = rest?.trim() === "" ? (/[ \t]*$/.exec(text.slice(0, from))?.[0].length ?? 0) : 0;
    if (before > 0) return { source, from: from - before, to: to + space.length, text: "", ...gone };
    return { source, from, to: to + space.length, text: "", ...gone };
  }
  const start = lineStart(from);
  const end = to + rest.length;
  // One of two blank lines around a statement is enough.
  const isBlankBefore = start === 0 || /\n[ \t]*\r?\n$/.test(text.slice(0, start));
  const blank = isBlankBefore ? /^[ \t]*\r?\n/.exec(text.slice(end))?.[0] : undefined;
  return { source, from: start, to: end + (blank?.length ?? 0), text: "", at: startOf(node), ...gone };
}

const opensGroup = /(?:^|(?:\n|[{:])[ \t]*\r?\n)$/;
/** A blank line, another comment, or the end of the block. */
const endsGroup = /^[ \t]*(?:\r?\n|\/[/*]|\}|$)/;
/** A comment about the next statement alone: JSDoc, or an instruction to a compiler or linter. */
const isOfOne = /^\*|@ts-(?:ignore|expect-error)|-next-line|biome-ignore/;

/** The start of the comments right above a node. */
function ownComments(
  { source: { text }, node }: Place,
  isFirst: (at: number) => boolean,
): number | undefined {
  let from = startOf(node);
  for (const { start, end } of node.leadingComments?.toReversed() ?? []) {
    // A comment behind code belongs to that code, and one before a blank line to a whole section.
    if (start == null || !isFirst(start) || /\n[ \t]*\r?\n/.test(text.slice(end ?? from, from))) break;
    from = start;
  }
  return from === startOf(node) ? undefined : from;
}

/** A JSON text with another value, in its own layout. @throws SyntaxError if it isn't JSON */
export const withJson = (text: string, value: unknown): string =>
  applyEdits(text, jsonEdits(jsonSource("", text), value));

export function jsonEdits(source: Source, value: unknown): readonly Edit[] {
  const edits = difference({ source, node: source.root }, value);
  // If single edits can't express the value, for example because of duplicate names, the whole text is replaced.
  return isDeepStrictEqual(parsedOr(applyEdits(source.text, edits)), value)
    ? edits
    : [replacement({ source, node: source.root }, value)];
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function difference(place: Place, value: unknown): readonly Edit[] {
  const { source, node } = place;
  const own = JSON.parse(source.text.slice(startOf(node), endOf(node))) as unknown;
  if (JSON.stringify(own) === JSON.stringify(value)) return [];
  if (node.type === "ArrayExpression" && Array.isArray(value))
    return itemEdits(place, own as readonly unknown[], value);
  if (node.type !== "ObjectExpression" || !isRecord(value)) return [replacement(place, value)];
  const names = new Map<string, NodeOf<"ObjectProperty">>();
  for (const property of node.properties)
    if (property.type === "ObjectProperty" && property.key.type === "StringLiteral")
      names.set(property.key.value, property);
  return [
    ...[...names].flatMap(([name, property]) =>
      Object.hasOwn(value, name)
        ? difference({ source, node: property.value as Node }, value[name])
        : [removal({ source, node: property })],
    ),
    ...addedNames(place, value, names),
  ];
}

/** Edits a list item by item, matched by ids if there are some; replaces it if the order changed. */
function itemEdits(place: Place, own: readonly unknown[], value: readonly unknown[]): readonly Edit[] {
  const [ownIds, ids] = [idsOf(own), idsOf(value)];
  const hasIds = ownIds !== undefined && ids !== undefined;
  const before: readonly unknown[] = hasIds ? ownIds : [...own.keys()];
  const after: readonly unknown[] = hasIds ? ids : [...value.keys()];
  const kept = after.filter((id) => before.includes(id));
  const isInOrder = before.filter((id) => kept.includes(id)).every((id, index) => id === after[index]);
  const isAlike = hasIds || own.length === value.length;
  if (kept.length === 0 || !isAlike) return [replacement(place, value)];
  if (!isInOrder) {
    const nodes = partsOf(place.node as Holder);
    return [
      movedItems(
        place,
        value,
        after.map((id) => nodes[before.indexOf(id)]),
      ),
    ];
  }
  const fresh = value.slice(kept.length);
  return [
    ...partsOf(place.node as Holder).flatMap((node, index) => {
      const at = after.indexOf(before[index]);
      const item = { source: place.source, node };
      return at < 0 ? [removal(item)] : difference(item, value[at]);
    }),
    ...(fresh.length === 0
      ? []
      : [
          insertion(
            place,
            fresh.map((item) => [undefined, item] as const),
          ),
        ]),
  ];
}

/** A list whose items stand in another order, each as it was written. @param nodes the items of the file; undefined of new ones */
function movedItems(
  { source, node }: Place,
  value: readonly unknown[],
  nodes: readonly (Node | undefined)[],
): Edit {
  const own = partsOf(node as Holder) as readonly [Node, ...Node[]];
  const lead = source.text.slice(startOf(node) + 1, startOf(own[0]));
  const margin = lead.includes("\n") ? marginAt(source.text, startOf(own[0])) : undefined;
  const items = value.map((item, index) => {
    const old = nodes[index];
    if (old === undefined) return jsonText(item, margin, source);
    const text = applyEdits(source.text, difference({ source, node: old }, item));
    return text.slice(startOf(old), endOf(old) + text.length - source.text.length);
  });
  const between = margin === undefined ? ", " : `,${lead}`;
  return { source, from: startOf(own[0]), to: endOf(own.at(-1) as Node), text: items.join(between) };
}

function addedNames(
  place: Place,
  value: Readonly<Record<string, unknown>>,
  names: ReadonlyMap<string, unknown>,
) {
  const fresh = Object.entries(value).filter(([name]) => !names.has(name));
  return fresh.length === 0 ? [] : [insertion(place, fresh)];
}
