/** Programs that no part of this package runs: the state tells what staff changed. YAML is written; of others the place is named. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMap, isScalar, isSeq, LineCounter, type Node, parse, parseDocument, type Scalar } from "yaml";
import { kindOf, nameOf, type Stack, type State } from "../../engine/index.ts";
import { asLists, staffChanges, type Values } from "../../provider/inventory/index.ts";
import { definitionOf, definitionOfType } from "../../provider/resources/index.ts";
import { type Deleted, type Drift, partsOf } from "./drift.ts";
import { inFormOf } from "./edits.ts";
import { type Acceptance, isDrift, type Left } from "./plan.ts";
import { isAlike } from "./tables.ts";

type Change = Drift | Deleted;
type Project = Stack["project"];

/** What staff changed, as a refresh has noted it beside what the program last asked. */
export const driftOfStates = (states: readonly State[]): readonly Drift[] =>
  states.flatMap(({ urn, type, delete: leaving, inputs, outputs = {} }) => {
    const definition = definitionOfType(type);
    if (definition === undefined || leaving) return [];
    const own = { urn, kind: kindOf(type), name: nameOf(urn), isConflict: false };
    const asked = asLists(definition, (inputs ?? {}) as Values);
    return staffChanges(definition, outputs).map((change) => ({ ...own, ...change, inputs: asked }));
  });

/** Where all of this is stated, and the new text of Pulumi.yaml. @param theirs whether the shop's value goes before the program's */
export function planElsewhere(project: Project, changes: readonly Change[], theirs: boolean): Acceptance {
  const accepted = new Map<Change, readonly string[]>();
  const left: Left[] = [];
  const { name: language } = project.runtime;
  if (language !== "yaml") {
    const reason = `a program in ${language} is written by hand`;
    for (const change of changes) left.push({ change, reason, place: placeIn(project, change.name) });
    return { accepted, left, files: new Map(), removed: [] };
  }
  const { path } = project;
  const text = readFileSync(path, "utf8");
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];
  for (const change of changes) {
    const resource = resourceIn(document.get("resources", true), change);
    const node = isDrift(change) ? valueIn(resource, change) : undefined;
    const line = lines.linePos((node ?? resource)?.range?.[0] ?? 0).line;
    const next = isDrift(change) && isScalar(node) ? nextText(node, change, theirs) : undefined;
    if (next === undefined || "reason" in next) {
      const reason = isDrift(change) ? "the program computes it" : "its resource is taken out by hand";
      left.push({ change, reason: next?.reason ?? reason, place: { path, line } });
      continue;
    }
    accepted.set(change, [`${path}:${line}`]);
    const [from, to] = node?.range ?? [0, 0];
    edits.push({ from, to, text: next.text ?? text.slice(from, to) });
  }
  const whole = edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((now, { from, to, text: own }) => now.slice(0, from) + own + now.slice(to), text);
  return { accepted, left, files: new Map(whole === text ? [] : [[path, whole]]), removed: [] };
}

const textAt = (node: unknown, name: string): unknown => (isMap(node) ? node.get(name) : undefined);
const nodeAt = (node: unknown, name: string): Node | undefined =>
  isMap(node) ? (node.get(name, true) as Node | undefined) : undefined;

/** The resource of a name, which its key is unless it says another. */
function resourceIn(resources: unknown, { kind, name }: Change): Node | undefined {
  if (!isMap(resources)) return undefined;
  const found = resources.items.find(
    ({ key, value }) =>
      (textAt(value, "name") ?? (isScalar(key) ? key.value : undefined)) === name &&
      String(textAt(value, "type")).split(":").at(-1) === kind,
  );
  return found?.value as Node | undefined;
}

function valueIn(resource: Node | undefined, { kind, path }: Drift): Node | undefined {
  const { top, item, field, each } = partsOf(path);
  const value = nodeAt(nodeAt(resource, "properties"), top);
  if (item === undefined) return value;
  const key = definitionOf(kind)?.fields[top]?.items?.key ?? "";
  const own = isSeq(value) ? value.items.find((one) => String(textAt(one, key)) === item) : undefined;
  const inner = field === undefined ? undefined : nodeAt(own, field);
  return each === undefined ? inner : nodeAt(inner, each);
}

/** What stands there then; no text where it is so already. */
function nextText(
  node: Scalar,
  { asked, is }: Drift,
  theirs: boolean,
): { readonly text?: string } | { readonly reason: string } {
  const { value, source = "", type = "PLAIN" } = node;
  if (isAlike(value, is)) return {};
  if (String(value).includes("${")) return { reason: "the program computes it" };
  if (is === undefined || type.startsWith("BLOCK"))
    return { reason: "a text of several lines is written by hand" };
  if (!isAlike(value, asked) && !theirs) return { reason: "both changed it: --theirs takes the shop's" };
  const next = inFormOf(typeof value === "number" ? source : value, is ?? "");
  if (typeof next !== "string") return { text: JSON.stringify(next) };
  if (typeof value === "number" && isAlike(next, is) && next !== "") return { text: next };
  // What Pulumi would put a value in the place of.
  const text = next.replaceAll("${", () => "$${");
  if (type === "QUOTE_SINGLE" && !text.includes("\n")) return { text: `'${text.replaceAll("'", "''")}'` };
  const isPlain = type === "PLAIN" && /^[\p{L}\p{N}][\p{L}\p{N} _.%-]*$/u.test(text) && parse(text) === text;
  return { text: isPlain ? text : JSON.stringify(text) };
}

const endings: Readonly<Record<string, string>> = { python: ".py", go: ".go", dotnet: ".cs", java: ".java" };
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
