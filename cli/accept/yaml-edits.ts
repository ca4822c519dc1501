/** Edits Pulumi.yaml: values, long texts, list items, and resources that staff deleted. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parse,
  parseDocument,
  type Scalar,
  visit,
} from "yaml";
import { type Values, withLineFeeds } from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import type { Acceptance } from "./acceptance.ts";
import { lineHashesOf, linesOfBoth } from "./conflicts.ts";
import { type Change, type Drift, type FilePlace, isDrift, partsOf, type Skipped } from "./drift.ts";
import { inFormOf, inLineEndsOf, isPlainNumber } from "./edits.ts";
import { itemArguments } from "./program-edits.ts";
import { isSameValue } from "./tables.ts";
import { openTextFiles } from "./yaml-files.ts";

interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly gone?: { readonly holder: { readonly items: readonly unknown[] }; readonly node: Node };
}
type Written = readonly TextEdit[] | { readonly reason: string };

/** Plans the edits. @param theirs whether the shop's value wins */
export function planYaml(path: string, changes: readonly Change[], theirs: boolean): Acceptance {
  const text = readFileSync(path, "utf8");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const shared = aliasedNodes(document);
  const resources = document.get("resources", true);
  const accepted = new Map<Change, readonly FilePlace[]>();
  const left: Skipped[] = [];
  const files = new Map<string, string>();
  const edits: TextEdit[] = [];
  const takesFile = openTextFiles(document, { accepted, left, files }, { home: dirname(path), theirs });
  for (const found of changes) {
    const resource = resourceIn(resources, found);
    const change = isDrift(found) ? withMergedLines(found, resource?.value, theirs) : found;
    if (isDrift(found) && !isOfThisProgram(found, changes, resource?.value, document)) continue;
    // The resource is gone already.
    if (resource === undefined && !isDrift(change)) continue;
    if (isDrift(change) && takesFile(valueIn(resource?.value, change), change)) continue;
    const node = (isDrift(change) ? valueIn(resource?.value, change) : undefined) ?? resource?.value;
    const { line } = lines.linePos(node === undefined ? 0 : keyStart(resources, node));
    const written =
      resource === undefined
        ? { reason: "the program has no resource of this name" }
        : isDrift(change)
          ? driftEdits(text, resource.value, change, theirs)
          : removalEdits(text, { holder: resources, name: resource.name, node: resource.value });
    const result = unlessShared(written, shared);
    if ("reason" in result) left.push({ change, reason: result.reason, place: { path, line } });
    else {
      accepted.set(change, [{ path, line }]);
      edits.push(...result);
    }
  }
  const whole = withEdits(text, edits);
  if (whole !== text) files.set(path, whole);
  return { accepted, left, files, removed: [] };
}

/** The change to the lines of both, if the program changed the text, too. */
function withMergedLines(drift: Drift, resource: Node | undefined, theirs: boolean): Drift {
  const node = valueIn(resource, drift);
  const mine = isScalar(node) ? plainValue(node) : undefined;
  if (isSameValue(mine, drift.asked)) return drift;
  const is = linesOfBoth(mine, lineHashesOf(drift.asked), { is: drift.is, theirs });
  return is === undefined ? drift : { ...drift, asked: mine, is, isMerged: true };
}

/** Nodes with an anchor that an alias repeats elsewhere: an edit would change both places. */
function aliasedNodes(document: Document): readonly Node[] {
  const names = new Set<string>();
  const anchored: Node[] = [];
  visit(document, {
    Alias: (_key, { source }) => void names.add(source),
    Value: (_key, node) => void (node.anchor !== undefined && anchored.push(node)),
  });
  return anchored.filter(({ anchor = "" }) => names.has(anchor));
}

function unlessShared(written: Written, shared: readonly Node[]): Written {
  if ("reason" in written) return written;
  const node = shared.find(({ range }) =>
    written.some(({ from, to }) => range != null && from < range[1] && to > range[0]),
  );
  return node === undefined ? written : { reason: `an alias of &${node.anchor} uses it elsewhere` };
}

function withEdits(text: string, edits: readonly TextEdit[]): string {
  const gone = new Set<unknown>(edits.map((edit) => edit.gone?.node));
  return edits
    .map((edit) => withComma(edit, gone))
    .toSorted((one, other) => other.from - one.from || other.to - one.to)
    .reduce((now, { from, to, text: own }) => now.slice(0, from) + own + now.slice(to), text);
}

/** Extends a removal over the comma before it, or behind it for the first item. */
function withComma(edit: TextEdit, all: ReadonlySet<unknown>): TextEdit {
  if (edit.gone === undefined) return edit;
  const { holder, node } = edit.gone;
  const items = holder.items as readonly Node[];
  const at = items.indexOf(node);
  const isFirst = items.slice(0, at).every((item) => all.has(item));
  return isFirst
    ? { ...edit, to: items[at + 1]?.range?.[0] ?? edit.to }
    : { ...edit, from: items[at - 1]?.range?.[1] ?? edit.from };
}

const textAt = (node: unknown, name: string): unknown => (isMap(node) ? node.get(name) : undefined);
const nodeAt = (node: unknown, name: string): Node | undefined =>
  isMap(node) ? (node.get(name, true) as Node | undefined) : undefined;

interface Resource {
  readonly name: string;
  readonly value: Node;
}

/** The resource of a name, which is its key, unless it sets `name`; or else the one that had the name. */
function resourceIn(resources: unknown, { kind, name }: Change): Resource | undefined {
  if (!isMap(resources)) return undefined;
  const own = resources.items.filter(({ value }) => String(textAt(value, "type")).split(":").at(-1) === kind);
  const found =
    own.find(
      ({ key, value }) => (textAt(value, "name") ?? (isScalar(key) ? key.value : undefined)) === name,
    ) ?? own.find(({ value }) => formerNames(value as Node).includes(name));
  return found === undefined
    ? undefined
    : { name: String((found.key as Scalar).value), value: found.value as Node };
}

/** The names in the option `aliases`: of URNs, and of `{ name: spring }`. */
function formerNames(resource: Node): readonly unknown[] {
  const aliases = nodeAt(nodeAt(resource, "options"), "aliases");
  if (!isSeq(aliases)) return [];
  return aliases.items.map((one) =>
    isScalar(one) ? String(one.value).split("::").at(-1) : textAt(one, "name"),
  );
}

const itemIn = (list: Node | undefined, { kind, path }: Drift): Node | undefined => {
  const { top, item } = partsOf(path);
  const key = definitionOf(kind)?.fields[top]?.items?.key ?? "";
  return isSeq(list)
    ? (list.items.find((one) => String(textAt(one, key)) === item) as Node | undefined)
    : undefined;
};

/** The value, or else its item, or else the list. */
function valueIn(resource: Node | undefined, drift: Drift): Node | undefined {
  const { top, item, field, each } = partsOf(drift.path);
  const value = nodeAt(nodeAt(resource, "properties"), top);
  if (item === undefined) return value;
  const own = itemIn(value, drift);
  if (field === undefined) return own ?? value;
  const inner = nodeAt(own, field);
  return each === undefined ? inner : nodeAt(inner, each);
}

function driftEdits(text: string, resource: Node, drift: Drift, theirs: boolean): Written {
  const { path, asked, is } = drift;
  const { item, field } = partsOf(path);
  const node = valueIn(resource, drift);
  if (item === undefined || field !== undefined)
    return isScalar(node) ? valueEdit(text, node, drift, theirs) : { reason: notScalarText(node) };
  const list = nodeAt(nodeAt(resource, "properties"), partsOf(path).top);
  if (!isSeq(list) || isComputed(String(list))) return { reason: "the program computes it" };
  if (asked === null) return [addedItem(text, list, itemArguments(drift, is as Values))];
  return removalEdits(text, { holder: list, node: itemIn(list, drift) });
}

/**
 * Whether a change is one of this program: another checkout's accepted edit only if the program lacks it. If staff have
 * changed the value again, the change from the program's value counts.
 */
function isOfThisProgram(
  drift: Drift,
  all: readonly Change[],
  resource: Node | undefined,
  document: Document,
): boolean {
  const isLacked = (one: Drift) => hasSide(resource, one, "asked", document);
  if (drift.isElsewhere)
    return isLacked(drift) || (isThird(resource, drift, document) && !hasOwn(drift, all));
  const before = all.find(
    (one): one is Drift => isDrift(one) && one.isElsewhere === true && isOfSameValue(one, drift),
  );
  return before === undefined || !isLacked(before);
}

const isOfSameValue = (one: Change, other: Drift) =>
  isDrift(one) && one.urn === other.urn && one.path === other.path;
const hasOwn = (drift: Drift, all: readonly Change[]) =>
  all.some((one) => isDrift(one) && one.isElsewhere !== true && isOfSameValue(one, drift));

/** Whether the program has a value that is neither side's. */
const isThird = (resource: Node | undefined, drift: Drift, document: Document): boolean =>
  isScalar(resolved(valueIn(resource, drift), document)) && !hasSide(resource, drift, "is", document);

const resolved = (node: Node | undefined, document: Document) =>
  isAlias(node) ? node.resolve(document) : node;

/** Whether the program has a side's value, or no such item where that side is none. */
function hasSide(
  resource: Node | undefined,
  drift: Drift,
  side: "asked" | "is",
  document: Document,
): boolean {
  const { top, item, field } = partsOf(drift.path);
  if (item !== undefined && field === undefined)
    return (
      (itemIn(nodeAt(nodeAt(resource, "properties"), top), drift) === undefined) === (drift[side] === null)
    );
  const node = resolved(valueIn(resource, drift), document);
  return isScalar(node) && isSameValue(plainValue(node), drift[side]);
}

const plainValue = ({ value }: Scalar) =>
  typeof value === "string" ? value.replaceAll("$${", () => "${") : value;

const notScalarText = (node: unknown) =>
  isAlias(node) ? `the anchor &${node.source} gives it` : "the program computes it";

// Pulumi writes `$${` for a literal `${`.
const isComputed = (value: string) => /(?<!\$)\$\{/.test(value);
const escaped = (value: string) => value.replaceAll("${", () => "$${");

/** Empty if the value is there already. */
function valueEdit(text: string, node: Scalar, { asked, is }: Drift, theirs: boolean): Written {
  const { source = "", type = "PLAIN", range } = node;
  const value = plainValue(node);
  if (isSameValue(value, is)) return [];
  if (isComputed(String(node.value))) return { reason: "the program computes it" };
  if (is === undefined || range == null) return { reason: "its content isn't text" };
  if (!isSameValue(value, asked) && !theirs)
    return { reason: "both changed it; --theirs accepts the shop's value" };
  const next = inFormOf(typeof value === "number" ? source : value, is ?? "");
  const [from, to] = range;
  const isNumber = typeof value === "number" && (typeof is === "number" || isPlainNumber(String(next)));
  const own = isNumber ? String(next) : scalarText(next, { type, margin: marginAt(text, from) });
  // A block scalar ends with a line end.
  const end = type.startsWith("BLOCK") && !own.endsWith("\n") && text[to - 1] === "\n" ? "\n" : "";
  return [{ from, to, text: inLineEndsOf(text, own + end) }];
}

/** The indentation of a line, including the dash of a list item. */
const marginAt = (text: string, at: number) =>
  (/^[ \t]*(?:- +)*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "").length;

function scalarText(
  value: unknown,
  { type, margin }: { readonly type: string; readonly margin: number },
): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const text = escaped(withLineFeeds(value));
  if (type.startsWith("BLOCK") && isPlainBlock(text)) {
    const keeps = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
    const lines = text.replace(/\n$/, "").split("\n");
    return `|${keeps}\n${lines.map((line) => (line === "" ? "" : " ".repeat(margin + 2) + line)).join("\n")}\n`;
  }
  if (type === "QUOTE_SINGLE" && !text.includes("\n")) return `'${text.replaceAll("'", "''")}'`;
  return type === "PLAIN" && isPlain(text) ? text : JSON.stringify(text);
}

// YAML 1.1 and Pulumi's YAML read `yes`, `0b1` and `1_000` otherwise than YAML 1.2.
const isPlain = (text: string) =>
  /^(?:\p{L}|\d+ \p{L}|\d{4}-\d\d-\d\d$)[\p{L}\p{N} _.%-]*$/u.test(text) &&
  !/^(?:y|yes|n|no|on|off)$/i.test(text) &&
  parse(text) === text;

/** Whether a text can be a block scalar as it is: no indented first line, no escaped characters. */
const isPlainBlock = (text: string) =>
  text.includes("\n") &&
  !/^\s/.test(text) &&
  text.trim() !== "" &&
  !/[^\n\t\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd]/.test(text);

/** Adds an item in the style of the last one. */
function addedItem(text: string, list: Node, item: Values): TextEdit {
  const items = isCollection(list) ? (list.items as readonly Node[]) : [];
  const last = items.at(-1);
  const order = isMap(last) ? last.items.map(({ key }) => String(key)) : [];
  const rank = ([name]: readonly [string, unknown]) =>
    (order.indexOf(name) + order.length + 1) % (order.length + 1);
  const entries = Object.entries(item).toSorted((one, other) => rank(one) - rank(other));
  const own = flowText(Object.fromEntries(entries));
  const [from, to] = list.range ?? [0, 0, 0];
  if (last?.range == null || (isCollection(list) && list.flow)) {
    const at = last?.range?.[1] ?? from + 1;
    return { from: at, to: at, text: `${last === undefined ? "" : ", "}${own}` };
  }
  const end = contentEnd(text, Math.min(last.range[1], to));
  const start = text.lastIndexOf("\n", last.range[0] - 1) + 1;
  const dash = /^[ \t]*- +/.exec(text.slice(start))?.[0] ?? "- ";
  const isBlock = isCollection(last) && !last.flow;
  const lines = isBlock ? Object.entries(item).map(([name, value]) => `${name}: ${flowText(value)}`) : [own];
  return {
    from: end,
    to: end,
    text: inLineEndsOf(text, `\n${dash}${lines.join(`\n${" ".repeat(dash.length)}`)}`),
  };
}

const flowText = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(flowText).join(", ")}]`
    : typeof value === "object" && value !== null
      ? `{ ${Object.entries(value)
          .map(([name, one]) => `${name}: ${flowText(one)}`)
          .join(", ")} }`
      : scalarText(value, { type: "PLAIN", margin: 0 });

/** The end of the line, including its comment. */
const contentEnd = (text: string, to: number) => {
  const trimmed = text.slice(0, to).trimEnd().length;
  const rest = /^[^\r\n]*/.exec(text.slice(trimmed))?.[0] ?? "";
  return trimmed + rest.trimEnd().length;
};

interface Leaving {
  readonly holder: unknown;
  /** The resource's name, by which others refer to it. */
  readonly name?: string;
  readonly node: Node | undefined;
}

/** Removes a list item or a resource, with the comments right above it that the next one doesn't share. */
function removalEdits(text: string, { holder, name, node }: Leaving): Written {
  if (!isCollection(holder) || node?.range == null) return { reason: "the program computes it" };
  if (holder.items.length === 1) return { reason: "it is the only one" };
  const [from, to] = node.range;
  if (holder.flow) {
    if (name !== undefined) return { reason: "it is on one line with others" };
    return [{ from, to, text: "", gone: { holder, node } }];
  }
  const items = holder.items.map((one) => (isPair(one) ? one.value : one) as Node | null);
  const at = items.indexOf(node);
  const line = text.lastIndexOf("\n", keyStart(holder, node) - 1) + 1;
  const end = contentEnd(text, to);
  const comment = commentedFrom(text, line, items[at - 1]?.range?.[1] ?? 0);
  // Above several resources in a row, a comment may be about all of them.
  const isShared =
    name !== undefined &&
    at < items.length - 1 &&
    /(?:\n|:)[ \t]*\r?\n$/.test(text.slice(0, comment)) &&
    /^\r?\n[ \t]*[^\s#]/.test(text.slice(end));
  const start = isShared ? line : comment;
  const use =
    name === undefined
      ? -1
      : usedAt(
          text.slice(0, start) + text.slice(start, end).replaceAll(/[^\n]/g, " ") + text.slice(end),
          name,
        );
  if (use >= 0) return { reason: `the program uses it in line ${text.slice(0, use).split("\n").length}` };
  return [{ from: start, to: end + (/^\r?\n/.exec(text.slice(end))?.[0].length ?? 0), text: "" }];
}

/** The start of a line, or of the comments right above it. @param end of what is before them */
function commentedFrom(text: string, line: number, end: number): number {
  const above = text.lastIndexOf("\n", line - 2) + 1;
  const isComment = line > 0 && above >= end && /^[ \t]*#/.test(text.slice(above));
  return isComment ? commentedFrom(text, above, end) : line;
}

function keyStart(holder: unknown, node: Node): number {
  const key = isMap(holder) ? holder.items.find(({ value }) => value === node)?.key : undefined;
  return (isScalar(key) ? key.range?.[0] : node.range?.[0]) ?? 0;
}

/** The first reference to a resource: `${name}`, `${name.id}`. */
function usedAt(text: string, name: string): number {
  const found = [".", "}", "["].map((end) => text.indexOf(`\${${name}${end}`)).filter((at) => at >= 0);
  return found.length === 0 ? -1 : Math.min(...found);
}
