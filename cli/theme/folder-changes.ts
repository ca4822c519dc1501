/** Applies changes in the folder to the shop: new, changed, renamed and deleted files. */
import pLimit from "p-limit";
import { sendingOrder } from "../../provider/names/theme-folder.ts";
import type { Content, LocalFile } from "./folder.ts";
import { takeFromShop } from "./shop-changes.ts";
import { baseOf, displayPath, problemAt, type Sides } from "./sync-state.ts";
import { isRefusal, type Row } from "./theme-client.ts";

/** A read that is younger than this isn't repeated, so that fast saves cost one request each. */
const freshMs = 1_000;
const atOnce = 8;

type Entry = readonly [key: string, file: LocalFile];

/** Whether a file differs from the shop's and may be sent. */
export const isPending = ({ known, held }: Sides, [key, file]: Entry): boolean =>
  known.get(key)?.base.hash !== file.hash &&
  held.get(key)?.theirs === undefined &&
  held.get(key)?.hash !== file.hash;

/** Sends pending files. @returns whether the folder changed instead */
export async function sendAll(sides: Sides, whole: readonly Entry[]): Promise<boolean> {
  await moveAll(sides, whole);
  const seats = pLimit(atOnce);
  let came = false;
  for (const type of sendingOrder) {
    const pending = whole.filter((one) => one[1].type === type && isPending(sides, one));
    const done = await Promise.all(
      pending.map((one) => seats(() => attempt(sides, one, () => sendFile(sides, one)))),
    );
    came ||= done.includes(true);
  }
  return came;
}

/** A rejected file waits for the next save; a failed request is tried again. */
async function attempt({ held }: Sides, [key, file]: Entry, work: () => Promise<boolean>): Promise<boolean> {
  try {
    const came = await work();
    if (held.get(key)?.theirs === undefined) held.delete(key);
    return came;
  } catch (error) {
    const isFinal = isRefusal(error);
    const problem = problemAt(
      file.path ?? file.place,
      `the shop rejected it: ${(error as Error).message}`,
      isFinal ? "change the file: it is sent again when you save it" : "it is tried again",
    );
    held.set(key, { problem, hash: isFinal ? file.hash : undefined });
    return false;
  }
}

/** Reads whether the shop still has the last common content, unless it was read just now. @returns the other content */
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

/** Notes the shop's new row. @param row undefined for a deleted file */
function changed(sides: Sides, key: string, row: Row | undefined): void {
  if (row === undefined) {
    sides.known.delete(key);
    sides.rows.delete(key);
  } else sides.rows.set(key, row);
  sides.touched.add(key);
  sides.isChanged = true;
}

async function sendFile(sides: Sides, [key, file]: Entry): Promise<boolean> {
  const { theme, known, now, say } = sides;
  const was = known.get(key);
  const other = await changedThere(sides, key);
  if (was !== undefined && typeof other === "object") return takeFromShop(sides, key, was.row, other);
  const isNew = was === undefined || other === "gone";
  const row = isNew ? await theme.create(file) : await theme.write(was.row, file);
  const before = [...(was?.before ?? []), ...(was === undefined ? [] : [was.base])].slice(-20);
  known.set(key, { row, base: baseOf(file), before, seenAt: now() });
  changed(sides, key, row);
  say(`${file.path}  ${isNew ? "created" : "sent"}`);
  return false;
}

/** Deletes a file in the shop. @returns whether the folder changed instead */
export async function deleteInShop(sides: Sides, key: string): Promise<boolean> {
  const { theme, known, say } = sides;
  const was = known.get(key);
  if (was === undefined) return false;
  const other = await changedThere(sides, key);
  if (typeof other === "object") return takeFromShop(sides, key, was.row, other);
  if (other === undefined) await theme.remove(was.row);
  changed(sides, key, undefined);
  say(`${displayPath(sides, key, was.row)}  deleted`);
  return false;
}

/** Renames files in the shop whose content is unchanged. */
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
      say(`${file.path}  renamed from ${displayPath(sides, from, was.row)}`);
      return false;
    });
  }
}
