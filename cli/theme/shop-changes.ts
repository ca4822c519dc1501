/** Applies changes in the shop to the folder. If both sides changed the same lines, neither is overwritten. */
import { existsSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { conflictLine, mergedLines, pathOf } from "../../provider/inventory/index.ts";
import { type Content, contentOf, type LocalFile } from "./folder.ts";
import { type Base, baseOf, displayPath, never, problemAt, type Sides } from "./sync-state.ts";
import type { Row, Rows } from "./theme-client.ts";

/** A hidden copy of the shop's file, which is no part of the theme. */
const besideOf = (place: string) => `${dirname(place)}/.${basename(place)}.theirs`;

/** Handles new content in the shop. @returns whether the folder changed */
export function takeFromShop(sides: Sides, key: string, row: Row, seen: Content): boolean {
  const { folder, known, held, local, touched, now, say } = sides;
  const was = known.get(key);
  const file = local.get(key);
  // The conflict is known already; the user decides.
  if (held.get(key)?.theirs?.hash === seen.hash) return false;
  sides.isChanged = true;
  const isOurs = file !== undefined && file.hash !== was?.base.hash && file.hash !== seen.hash;
  const both = isOurs ? together(mergedLines, file, was?.base, seen) : undefined;
  const isUndone =
    !isOurs && file !== undefined && was?.before?.some((one) => lacksOurs(file, one, seen)) === true;
  if ((isOurs && both === undefined) || isUndone) {
    const line = isUndone ? 1 : (together(conflictLine, file, was?.base, seen) ?? 1);
    keepBoth(sides, key, file, { theirs: seen, line, isUndone });
    known.set(key, { row, base: was?.base ?? baseOf(seen), seenAt: never });
    return false;
  }
  const content = both === undefined ? seen : contentOf(Buffer.from(both));
  const isNews = file?.hash !== content.hash;
  if (isNews && !folder.writeFromShop(row, content, file)) return false;
  known.set(key, { row, base: baseOf(seen), seenAt: now() });
  // Both sides are the same now.
  if (!isNews) held.delete(key);
  if (!isNews) return false;
  touched.add(key);
  say(
    `${displayPath(sides, key, row)}  ${isOurs ? "merged with a change in the shop" : "updated from the shop"}`,
  );
  return true;
}

/** Whether the shop's text was made from an older one and lacks our last changes. */
function lacksOurs(file: LocalFile, before: Base, theirs: Content): boolean {
  const both = together(mergedLines, file, before, theirs);
  return both !== undefined && both !== theirs.text;
}

/** Calls a function with both texts and their base; undefined if one isn't a text. */
const together = <T>(
  ask: (mine: string, before: string, theirs: string) => T,
  { text }: LocalFile,
  base: Base | undefined,
  theirs: Content,
): T | undefined =>
  text === undefined || theirs.text === undefined || base?.lines === undefined
    ? undefined
    : ask(text, base.lines, theirs.text);

interface Conflict {
  readonly theirs: Content;
  /** The first conflicting line in the folder's file. */
  readonly line: number;
  readonly isUndone: boolean;
}

function keepBoth(
  { folder, held }: Sides,
  key: string,
  file: LocalFile,
  { theirs, line, isUndone }: Conflict,
): void {
  const { place, text, hash } = file;
  const beside = besideOf(place);
  writeFileSync(join(folder.path, beside), theirs.bytes);
  const problem = {
    ...problemAt(
      folder.called(place),
      isUndone
        ? "somebody saved an older text in the shop, without your changes; your file is unchanged"
        : "somebody changed the same lines in the shop; neither side was overwritten",
      `the shop's file is ${folder.called(beside)}: merge it into your file, and delete it; then your file is sent`,
    ),
    line,
    source: text?.split("\n")[line - 1]?.trim() ?? "",
  };
  held.set(key, { problem, hash, theirs });
}

/** Resolves conflicts whose copy of the shop's file was deleted. */
export function takeDecisions({ folder, held, known, local }: Sides): void {
  for (const [key, { theirs }] of [...held]) {
    const file = local.get(key);
    const was = known.get(key);
    if (theirs === undefined || was === undefined) continue;
    if (file !== undefined && existsSync(join(folder.path, besideOf(file.place)))) continue;
    known.set(key, { ...was, base: baseOf(theirs), seenAt: never });
    held.delete(key);
  }
}

/** Renames files that were renamed in the shop, unless the new name is taken. */
function takeNames({ folder, known, local, touched, say }: Sides, fresh: Rows): void {
  const places = new Map([...fresh].map(([key, row]) => [row.id, { key, row }]));
  for (const [key, was] of [...known]) {
    const now = places.get(was.row.id);
    const file = local.get(key);
    if (now === undefined || now.key === key || now.row.type !== was.row.type || file === undefined) continue;
    const place = pathOf({ type: now.row.type, name: now.row.name });
    if (fresh.has(key) || existsSync(join(folder.path, place))) continue;
    renameSync(join(folder.path, file.place), join(folder.path, place));
    known.delete(key);
    known.set(now.key, { ...was, row: now.row, seenAt: never });
    for (const one of [key, now.key]) touched.add(one);
    say(`${folder.called(place)}  renamed from ${folder.called(file.place)}, like in the shop`);
  }
}

async function pollFile(sides: Sides, key: string, row: Row): Promise<void> {
  const { theme, known, now } = sides;
  const was = known.get(key);
  const seen = await theme.read(row);
  if (seen === undefined) return;
  if (seen.hash !== was?.base.hash) takeFromShop(sides, key, row, seen);
  else known.set(key, { ...was, row, seenAt: now() });
}

/**
 * Reads the list of files: one request, one more for each new or resized file, and one for another file in turn.
 * @param turn the index of that file
 */
export async function pollShop(sides: Sides, turn: number): Promise<void> {
  const { theme, known, local } = sides;
  const fresh = new Map(await theme.list());
  takeNames(sides, fresh);
  for (const [key, row] of fresh) {
    const was = known.get(key)?.row;
    const isNew = was === undefined && !sides.rows.has(key);
    if (isNew || (was !== undefined && (was.id !== row.id || was.size !== row.size)))
      await pollFile(sides, key, row);
  }
  for (const [key, { row }] of [...known]) {
    if (fresh.has(key)) continue;
    known.delete(key);
    const file = local.get(key);
    if (file === undefined) continue;
    const problem = problemAt(
      displayPath(sides, key, row),
      "somebody deleted it in the shop; the folder still has it",
      "remove the file, or save it to create it again",
    );
    sides.held.set(key, { problem, hash: file.hash });
  }
  const [next] = [...known].slice(turn % Math.max(1, known.size));
  if (next !== undefined) await pollFile(sides, next[0], next[1].row);
  sides.rows = fresh;
}
