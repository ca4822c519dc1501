/**
 * What a refresh read, noted beside the state, so that the next one can ask for what changed since. Each object is noted
 * by a hash of what the state has of it: a state that is older, or was changed, has another, and such an object is read.
 */
import { createHash } from "node:crypto";
import type { Values } from "../wire/codec.ts";
import type { NoteFile } from "./note-file.ts";

/** Until when a list was read. */
export interface Mark {
  /** Address of the shop, and its application. */
  readonly shop: string;
  /** Milliseconds since 1970 by the shop's clock: whatever changed before was read. */
  readonly since: number;
  /** How far the shop's clock was ahead of ours, in milliseconds. */
  readonly aheadMs: number;
  /** When the list was last read whole, by the shop's clock. */
  readonly wholeAt: number;
}

/** What is noted of a list. */
export interface ListNotes {
  readonly mark: Mark;
  /** Hashes of objects as the state was told to have them, by id. */
  readonly hashes: ReadonlyMap<string, string>;
}

type Line = { readonly list: string } & (
  | {
      readonly mark: Mark /** All that was noted is forgotten, or these objects. */;
      readonly forget: "all" | readonly string[];
    }
  | { readonly id: string; readonly hash: string }
  | { readonly distrust: string }
);

export type ChangeNotes = ReturnType<typeof openChangeNotes>;

interface Known {
  mark: Mark | undefined;
  readonly hashes: Map<string, string>;
  distrust: string | undefined;
}

/**
 * Opens the notes of a stack; nothing is read before it is needed.
 * @param say a line for the person who watches: what can't be noted is only read again
 */
export function openChangeNotes(fileOf: () => NoteFile, say: (line: string) => void) {
  let known: Map<string, Known> | undefined;
  let file: NoteFile | undefined;
  let isBroken = false;
  const opened = () => {
    file ??= fileOf();
    return file;
  };
  const lists = () => {
    known ??= readLines(opened().read() ?? "");
    return known;
  };
  const listOf = (list: string) => take(lists(), list);
  const writing = async (work: () => Promise<void>) => {
    if (isBroken) return;
    await work().catch((error: Error) => {
      if (!isBroken) say(`what was read can't be noted, the next refresh reads everything: ${error.message}`);
      isBroken = true;
    });
  };
  const write = (line: Line) => {
    apply(lists(), line);
    return writing(() => opened().append(`${JSON.stringify(line)}\n`));
  };
  return {
    /** What is noted of a list; undefined where nothing is. */
    of(list: string): ListNotes | undefined {
      const { mark, hashes } = listOf(list);
      return mark === undefined ? undefined : { mark, hashes: new Map(hashes) };
    },
    /** Why a list's times of change aren't trusted, where they were seen to be wrong. */
    distrust: (list: string): string | undefined => listOf(list).distrust,
    /** The list is being read whole: what was noted of it before counts no more. */
    whole(list: string, mark: Mark): Promise<void> {
      apply(lists(), { list, mark, forget: "all" });
      return writing(() => opened().replace(() => textOf(lists())));
    },
    /** What changed was read. @param forget objects that may differ from what was noted of them */
    moved: (list: string, mark: Mark, forget: readonly string[]): Promise<void> =>
      write({ list, mark, forget }),
    /** The state was told to have an object so. */
    object: (list: string, id: string, hash: string): Promise<void> =>
      listOf(list).hashes.get(id) === hash ? Promise.resolve() : write({ list, id, hash }),
    /** The list's times of change are wrong; it is read whole from now on. */
    untrusted: (list: string, distrust: string): Promise<void> => write({ list, distrust }),
  };
}

function take(lists: Map<string, Known>, list: string): Known {
  const found = lists.get(list) ?? { mark: undefined, hashes: new Map(), distrust: undefined };
  lists.set(list, found);
  return found;
}

function apply(lists: Map<string, Known>, line: Line): void {
  const known = take(lists, line.list);
  if ("hash" in line) known.hashes.set(line.id, line.hash);
  else if ("distrust" in line) known.distrust = line.distrust;
  else {
    known.mark = line.mark;
    if (line.forget === "all") known.hashes.clear();
    else for (const id of line.forget) known.hashes.delete(id);
  }
}

function readLines(text: string): Map<string, Known> {
  const lists = new Map<string, Known>();
  for (const part of text.split("\n")) {
    const line = parsed(part);
    if (line !== undefined) apply(lists, line);
  }
  return lists;
}

// A line that was cut off, or that somebody else wrote: what it would say is read again.
function parsed(text: string): Line | undefined {
  try {
    const line = JSON.parse(text || "null") as Partial<Record<string, unknown>> | null;
    if (typeof line?.list !== "string") return undefined;
    const isObject = typeof line.id === "string" && typeof line.hash === "string";
    const isKnown = isObject || typeof line.distrust === "string" || isMark(line);
    return isKnown ? (line as Line) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isMark({ mark, forget }: Partial<Record<string, unknown>>): boolean {
  const { shop, since, aheadMs, wholeAt } = (mark ?? {}) as Partial<Mark>;
  const isTime = [since, aheadMs, wholeAt].every((time) => Number.isFinite(time));
  return typeof shop === "string" && isTime && (forget === "all" || Array.isArray(forget));
}

function textOf(lists: ReadonlyMap<string, Known>): string {
  const lines = [...lists].flatMap(([list, { mark, hashes, distrust }]): Line[] => [
    ...(mark === undefined ? [] : [{ list, mark, forget: "all" } as const]),
    ...[...hashes].map(([id, hash]) => ({ list, id, hash })),
    ...(distrust === undefined ? [] : [{ list, distrust }]),
  ]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** One hash for equal values, in whatever order their names stand. */
export const hashOf = (values: Values): string =>
  createHash("sha256")
    .update(JSON.stringify(ordered(values)))
    .digest("base64url")
    .slice(0, 27);

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [two]) => (one < two ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, ordered(inner)]));
}
