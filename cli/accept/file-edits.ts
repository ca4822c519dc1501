import { existsSync, readFileSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { load, type Stack } from "../../engine/index.ts";
import {
  acceptedBase,
  baseIn,
  bodyPath,
  fileIn,
  hidden,
  isLeafPath,
  leafChanges,
  lineHashesIn,
  mergedLines,
  ownId,
  sheetFile,
  shownText,
  type Values,
  withBody,
  withBodyBase,
  withCells,
  withEndsOf,
  withLineFeeds,
} from "../../provider/inventory/index.ts";
import { definitionOf, definitionOfType } from "../../provider/resources/index.ts";
import { connect } from "../stack/open-stack.ts";
import { type Change, type Drift, type FilePlace, isDrift, partsOf, type Skipped } from "./drift.ts";
import { withJson } from "./edits.ts";
import { withLeaves } from "./program-edits.ts";

export interface Files {
  readonly accepted: Map<Change, readonly FilePlace[]>;
  readonly left: Skipped[];
  readonly files: Map<string, string | Buffer>;
}

/** Whether the value is the content of a file that the program names. */
export const isBodyFile = ({ path, inputs }: Drift): boolean =>
  partsOf(path).top === bodyPath && fileIn(inputs) !== undefined;
const isOfSheet = ({ kind, inputs }: Drift) => sheetFile(kind, inputs) !== undefined;

/** Whether the value is in a file of its own. */
export const isOfFile = (drift: Drift): boolean => isBodyFile(drift) || isOfSheet(drift);

/** Plans the new content of files that are a resource's body; writes nothing. */
export function planBodies(drifts: readonly Drift[], bodies: FileContext): Files {
  const accepted = new Map<Change, readonly FilePlace[]>();
  const left: Skipped[] = [];
  const files = new Map<string, string | Buffer>();
  for (const own of Map.groupBy(drifts.filter(isBodyFile), ({ urn }) => urn).values() as Iterable<Group>) {
    const body = mergedBody(own, bodies);
    // The program has the edit that another checkout accepted.
    if ("text" in body && own[0].isElsewhere && isIn(body)) continue;
    const isOther = "text" in body && (files.get(body.path) ?? body.text) !== body.text;
    if ("text" in body && !isOther) {
      files.set(body.path, body.text);
      for (const drift of own) accepted.set(drift, [{ path: body.path }]);
      continue;
    }
    const reason =
      "text" in body
        ? "several resources have the file, and staff changed them in different ways"
        : body.reason;
    for (const change of own) left.push({ change, reason, place: { path: body.path, line: 1 } });
  }
  return { accepted, left, files };
}

/** Plans the cells of sheets, in files that may have other edits by now. */
export async function addSheets(
  drifts: readonly Drift[],
  { home }: Pick<FileContext, "home">,
  { accepted, left, files }: Files,
): Promise<void> {
  for (const own of Map.groupBy(drifts.filter(isOfSheet), ({ urn }) => urn).values()) {
    const { kind = "", inputs = {} } = own[0] ?? {};
    const path = resolve(home, sheetFile(kind, inputs) ?? "");
    const bytes = readFileSync(path);
    const before = await withCells(bytes, inputs, own);
    const edited = files.get(path);
    const after = edited === undefined ? before : await withCells(Buffer.from(edited), inputs, own);
    for (const [change, { line, ...had }] of before.done) {
      const has = after.done.get(change) ?? had;
      // Another edit may have taken the row out of the file.
      const isOut = "isWritten" in had && change.is === null && partsOf(change.path).field === undefined;
      if ("why" in has && !isOut) left.push({ change, reason: has.why, place: { path, line } });
      else accepted.set(change, [{ path, line }]);
    }
    if (own.some((drift) => accepted.has(drift))) files.set(path, after.bytes);
  }
}

/** Plans the new content of all files that hold values; writes nothing. */
export async function planFiles(drifts: readonly Drift[], bodies: FileContext): Promise<Files> {
  const planned = planBodies(drifts, bodies);
  await addSheets(drifts, bodies, planned);
  return planned;
}

/** All drift of one resource. */
type Group = readonly [Drift, ...(readonly Drift[])];

const isIn = ({ path, text }: { readonly path: string; readonly text: string | Buffer }) =>
  readFileSync(path).equals(Buffer.from(text));

/** The new content of a file, or the reason why it isn't written. */
export type MergedFile =
  | { readonly path: string; readonly text: string | Buffer }
  | { readonly path: string; readonly reason: string };

/** The program's files, and their content at the last run. */
export interface FileContext {
  readonly home: string;
  /** The stack's name. */
  readonly stack: string;
  /** The lines that the program last set for a resource, as the state keeps them. */
  readonly baseOf: (change: Drift) => string | undefined;
  /** Whether staff's lines win if both changed the same ones. */
  readonly theirs: boolean;
}

/** @param drifts of one resource whose body is a file */
function mergedBody(drifts: Group, { home, baseOf, theirs }: FileContext): MergedFile {
  const [first] = drifts;
  const named = resolve(home, fileIn(first.inputs)?.path ?? "");
  if (!existsSync(named)) return { path: named, reason: "the file doesn't exist" };
  // Links of several resources may lead to one file.
  const path = realpathSync(named);
  const own = readFileSync(path, "utf8");
  if (drifts.every((one) => isLeafPath(one.path))) return { path, text: withLeaves(own, drifts) };
  const { is, isConflict } = first;
  if (is === hidden) return { path, reason: "a secret value" };
  if (Buffer.isBuffer(is))
    return isConflict && !theirs
      ? { path, reason: "both changed it; --theirs accepts the shop's value" }
      : { path, text: is };
  if (typeof is !== "string") return { path, reason: "the shop doesn't show its content" };
  const inForm = (text: string) => withEndsOf(own, text);
  if (!isConflict) return { path, text: inLayout(own, is) ?? inForm(is) };
  const lines = withLineFeeds(own);
  const before = baseOf(first);
  const merged = before === undefined ? undefined : mergedLines(lines, before, is, theirs);
  if (merged !== undefined) return { path, text: inForm(merged) };
  if (theirs) return { path, text: inForm(is) };
  const why =
    before === undefined
      ? "both changed it, and the state doesn't have the old lines"
      : "both changed the same lines";
  return { path, reason: `${why}; --theirs accepts the shop's` };
}

/** Changes settings in the file's own layout; undefined unless the texts are compared value by value. */
function inLayout(own: string, is: string): string | undefined {
  if (leafChanges(own, is) === undefined) return undefined;
  try {
    return withJson(own, JSON.parse(is));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const isUntold = (change: Change): change is Drift =>
  isDrift(change) &&
  change.path === bodyPath &&
  change.is === undefined &&
  fileIn(change.inputs) !== undefined;

/**
 * Adds the shop's content to changes of pictures, and of texts in other languages. @param stack with a refreshed
 * state
 */
export async function withShopBodies(stack: Stack, changes: readonly Change[]): Promise<readonly Change[]> {
  const untold = changes.filter(isUntold);
  if (untold.length === 0) return changes;
  const { connection, transport } = connect(stack, stack.env, (line) => process.stderr.write(`${line}\n`));
  const states = new Map(load(stack).resources.map((state) => [state.urn, state]));
  const read = async (change: Drift): Promise<Drift> => {
    const { type = "", id = "", outputs = {} } = states.get(change.urn) ?? {};
    const definition = definitionOfType(type);
    if (definition === undefined) return change;
    const listed = { ...outputs, id: ownId(id) };
    const { seen, bytes } = await withBody(definition, { transport, url: connection.url }, listed);
    return { ...change, is: shownText(seen) ?? (Buffer.isBuffer(bytes) ? bytes : undefined) };
  };
  try {
    const told = new Map(
      await Promise.all(untold.map(async (change) => [change, await read(change)] as const)),
    );
    return changes.map((change) => (isUntold(change) ? (told.get(change) ?? change) : change));
  } finally {
    await transport.close();
  }
}

/** The bases of the files of a stack's resources. */
export function bodiesOf(stack: Stack, theirs: FileContext["theirs"]): FileContext {
  const states = new Map(load(stack).resources.map(({ urn, outputs }) => [urn, outputs]));
  const home = stack.project.programFolder;
  return {
    home,
    stack: stack.name,
    theirs,
    baseOf: (change) => {
      const outputs = states.get(change.urn) ?? {};
      return lineHashesIn(withBodyBase(outputs, bodyBaseOf(change, outputs, home)));
    },
  };
}

/** The body that the program's is compared with; in a checkout that lacks accepted edits, the one from before them. */
export function bodyBaseOf(
  { kind, inputs, isElsewhere }: Pick<Drift, "kind" | "inputs" | "isElsewhere">,
  outputs: Values,
  home: string,
): Values {
  const definition = isElsewhere ? definitionOf(kind) : undefined;
  return definition ? acceptedBase(definition, outputs, inputs, home) : baseIn(outputs);
}
