/** What the folder has otherwise goes up: new, changed, under another name, gone. */
import pLimit from "p-limit";
import type { Content, LocalFile } from "./folder.ts";
import { arrived } from "./incoming.ts";
import { baseOf, calledOf, problemAt, type Sides } from "./known.ts";
import { isRefusal, type Row } from "./shop-theme.ts";

/** A look at a file that was made just now serves for its change too: while somebody saves fast, a save is one request. */
const freshMs = 1_000;
const atOnce = 8;
// What others include is there before they are.
const ranks = ["Asset::Media", "Asset::Snippet", "Asset::Configuration", "Asset::Template"];

type Entry = readonly [key: string, file: LocalFile];

/** Whether a file isn't in the shop as the folder has it, and may be sent. */
export const isPending = ({ known, held }: Sides, [key, file]: Entry): boolean =>
  known.get(key)?.base.hash !== file.hash &&
  held.get(key)?.theirs === undefined &&
  held.get(key)?.hash !== file.hash;

/** Sends what is pending of these. @returns whether something came into the folder instead */
export async function sendAll(sides: Sides, whole: readonly Entry[]): Promise<boolean> {
  await moveAll(sides, whole);
  const seats = pLimit(atOnce);
  let came = false;
  for (const rank of ranks) {
    const pending = whole.filter((one) => one[1].type === rank && isPending(sides, one));
    const done = await Promise.all(
      pending.map((one) => seats(() => attempt(sides, one, () => send(sides, one)))),
    );
    came ||= done.includes(true);
  }
  return came;
}

/** What the shop says no to is told; what didn't reach it is tried again. */
async function attempt({ held }: Sides, [key, file]: Entry, work: () => Promise<boolean>): Promise<boolean> {
  try {
    const came = await work();
    if (held.get(key)?.theirs === undefined) held.delete(key);
    return came;
  } catch (error) {
    const isFinal = isRefusal(error);
    const problem = problemAt(
      file.path ?? file.place,
      `the shop didn't take it: ${(error as Error).message}`,
      isFinal ? "change the file: it is sent again when you save it" : "it is tried again",
    );
    held.set(key, { problem, hash: isFinal ? file.hash : undefined });
    return false;
  }
}

/** Looks whether the shop still has what both had last, unless that was seen just now. @returns what it has instead */
async function changedThere(
  { theme, known, now }: Sides,
  key: string,
): Promise<Content | "gone" | undefined> {
  const was = known.get(key);
  if (was === undefined || now() - was.seenAt <= freshMs) return undefined;
  const seen = await theme.read(was.row);
  if (seen === undefined) return "gone";
  return seen.hash === was.base.hash ? undefined : seen;
}

/** The shop has a file otherwise now. @param row undefined where it has it no more */
function changed(sides: Sides, key: string, row: Row | undefined): void {
  if (row === undefined) {
    sides.known.delete(key);
    sides.rows.delete(key);
  } else sides.rows.set(key, row);
  sides.touched.add(key);
  sides.isChanged = true;
}

async function send(sides: Sides, [key, file]: Entry): Promise<boolean> {
  const { theme, known, now, say } = sides;
  const was = known.get(key);
  const other = await changedThere(sides, key);
  if (was !== undefined && typeof other === "object") return arrived(sides, key, was.row, other);
  const isNew = was === undefined || other === "gone";
  const row = isNew ? await theme.create(file) : await theme.write(was.row, file);
  const before = [...(was?.before ?? []), ...(was === undefined ? [] : [was.base])].slice(-20);
  known.set(key, { row, base: baseOf(file), before, seenAt: now() });
  changed(sides, key, row);
  say(`${file.path}  ${isNew ? "created" : "sent"}`);
  return false;
}

/** Deletes in the shop what the folder has no more. @returns whether something came into the folder instead */
export async function drop(sides: Sides, key: string): Promise<boolean> {
  const { theme, known, say } = sides;
  const was = known.get(key);
  if (was === undefined) return false;
  const other = await changedThere(sides, key);
  if (typeof other === "object") return arrived(sides, key, was.row, other);
  if (other === undefined) await theme.remove(was.row);
  changed(sides, key, undefined);
  say(`${calledOf(sides, key, was.row)}  deleted`);
  return false;
}

/** Files that have another name now keep their place in the shop: they are known by their content. */
async function moveAll(sides: Sides, whole: readonly Entry[]): Promise<void> {
  const { theme, known, local, say } = sides;
  const gone = new Set([...known.keys()].filter((key) => !local.has(key)));
  for (const one of whole) {
    const [key, file] = one;
    if (known.has(key) || file.bytes.length === 0) continue;
    const from = [...gone].find((old) => {
      const was = known.get(old);
      return was?.row.type === file.type && was.base.hash === file.hash;
    });
    const was = from === undefined ? undefined : known.get(from);
    if (from === undefined || was === undefined) continue;
    gone.delete(from);
    await attempt(sides, one, async () => {
      const row = await theme.rename(was.row, file.name);
      changed(sides, from, undefined);
      known.set(key, { ...was, row });
      changed(sides, key, row);
      say(`${file.path}  renamed from ${calledOf(sides, from, was.row)}`);
      return false;
    });
  }
}
