/**
 * Notes of creates, so that one that was cut off is recognised when it is asked for again: by a run that died between
 * the shop's answer and the engine's state, or whose answer never came. A note is written before the request and
 * forgotten when the engine shows that its state has the object. They cost no request, and a few bytes per create.
 *
 * A line is on its way to the disk when the write returns: that survives the death of every process of ours. It is not
 * forced to the disk as the engine's journal is; after a power cut objects with a natural key are still recognised by it.
 */
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Values } from "./codec.ts";

/** What is left of a create that no state has shown since. */
export interface Note {
  /** Milliseconds since 1970, when it began. */
  readonly at: number;
  /** The object, where its answer came. */
  readonly id: string | undefined;
}

export interface Notes {
  /** What earlier runs left of creates with these arguments; each is handed out once. */
  earlier(kind: string, args: Values): Note | undefined;
  /** Notes that a create begins. */
  begin(kind: string, args: Values, at: number): Ending;
  /** The engine's state has this object: there is nothing to recognise. */
  confirm(kind: string, id: string): void;
}

export interface Ending {
  /** The object is there. */
  made(id: string): void;
  /** Nothing was made, and nothing can have been. */
  nothing(): void;
}

type Line =
  | { readonly begin: string; readonly key: string; readonly at: number }
  | { readonly made: string; readonly id: string }
  | { readonly end: string };

interface Open extends Note {
  readonly key: string;
  readonly kind: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The file of a stack on a shop; runs of one stack follow each other, those of different stacks share nothing. */
export function notesFile(shop: string, folder: string, env: Env): string {
  const home = env.PULUMI_HOME ?? join(env.HOME ?? homedir(), ".pulumi");
  const about = [shop, folder, env.PULUMI_NODEJS_PROJECT ?? "", env.PULUMI_NODEJS_STACK ?? ""];
  const name = createHash("sha256").update(JSON.stringify(about)).digest("hex").slice(0, 24);
  return join(home, "pulumi-shop", `${name}.notes`);
}

/** Opens the notes of a file; nothing is read or written before it is needed. */
export function openNotes(file: () => string): Notes {
  let open: Map<string, Open> | undefined;
  const byObject = new Map<string, string>();
  let numbers = 0;
  const notes = () => {
    if (open === undefined) {
      open = readNotes(file());
      for (const [number, { kind, id }] of open) if (id !== undefined) byObject.set(`${kind} ${id}`, number);
    }
    return open;
  };
  const write = (line: Line) => appendFileSync(file(), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  return {
    earlier(kind, args) {
      const key = keyOf(kind, args);
      for (const [number, note] of notes()) {
        if (note.key !== key) continue;
        notes().delete(number);
        return note;
      }
      return undefined;
    },
    begin(kind, args, at) {
      // The first create of a run tidies up: it has the stack to itself (a preview creates nothing).
      if (numbers === 0) compact(file(), notes());
      numbers += 1;
      const number = `${kind} ${process.pid}.${at}.${numbers}`;
      write({ begin: number, key: keyOf(kind, args), at });
      return {
        made: (id) => write({ made: number, id }),
        nothing: () => write({ end: number }),
      };
    },
    confirm(kind, id) {
      const open = notes();
      const number = byObject.get(`${kind} ${id}`);
      if (number === undefined || !open.delete(number)) return;
      write({ end: number });
    },
  };
}

/** A kind and its arguments in a few bytes; what they are can't be read from it. */
function keyOf(kind: string, args: Values): string {
  const sorted = Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([kind, sorted]))
    .digest("base64url")
    .slice(0, 22);
}

function readNotes(path: string): Map<string, Open> {
  const open = new Map<string, Open>();
  if (!existsSync(path)) return open;
  for (const text of readFileSync(path, "utf8").split("\n")) {
    const line = parsed(text);
    if (line === undefined) continue;
    if ("begin" in line) {
      const kind = line.begin.split(" ")[0] ?? "";
      open.set(line.begin, { key: line.key, kind, at: line.at, id: undefined });
    } else if ("made" in line) {
      const begun = open.get(line.made);
      if (begun !== undefined) open.set(line.made, { ...begun, id: line.id });
    } else open.delete(line.end);
  }
  return open;
}

// A line that was cut off while it was written says nothing.
function parsed(text: string): Line | undefined {
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as Line;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function compact(path: string, open: ReadonlyMap<string, Open>): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lines = [...open].flatMap(([number, { key, at, id }]): Line[] => [
    { begin: number, key, at },
    ...(id === undefined ? [] : [{ made: number, id }]),
  ]);
  writeFileSync(`${path}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
