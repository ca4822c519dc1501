/**
 * A disk in memory that numbers every effect and can fail or end at each of them: content that wasn't synced may be
 * lost or torn, as may names whose folder wasn't synced. After a crash, the next run uses the remaining disk.
 */
import { dirname } from "node:path";
import type { Files, OpenFile } from "../../engine/common/disk.ts";

/** An effect of a process; requests may be numbered, too. */
export interface Effect {
  readonly number: number;
  readonly name:
    | "makeFolder"
    | "open"
    | "write"
    | "syncData"
    | "sync"
    | "truncate"
    | "rename"
    | "remove"
    | "syncFolder"
    | "request";
  /** The path, or the request. */
  readonly path: string;
  /** Bytes of a write. */
  readonly bytes: number;
}

export type Fault =
  /** The process ends before or after the effect, or after a number of written bytes. */
  | { readonly crash: "before" | "after" | number }
  /** The call fails with this error code. */
  | { readonly error: string }
  /** A write takes only this number of bytes. */
  | { readonly short: number };

/** Restrictions of a disk from now on. */
export interface Limits {
  /** Maximum bytes of all files. */
  readonly capacity?: number;
  /** Maximum bytes of one file. */
  readonly fileSize?: number;
  readonly readOnly?: boolean;
  /** Every write and sync fails with EIO. */
  readonly broken?: boolean;
}

/**
 * What a crash leaves of unsynced data: all (only the process ended), nothing, names without content, content without
 * names, or random parts by seed.
 */
export type Left = "all" | "nothing" | "names" | "content" | number;

/** The process has ended: its further calls fail with this error. */
export class CrashError extends Error {
  override readonly name = "CrashError";
}

interface Node {
  /** Undefined for a folder. */
  readonly folder: boolean;
  live: Buffer;
  synced: Buffer;
  mode: number;
  /** The number of its last write. */
  written: number;
}

let writes = 0;
const nextWrite = () => {
  writes += 1;
  return writes;
};

export interface DiskOptions {
  /** The counter of effects, shared by all parts of a run. */
  readonly counter?: { next: number };
  /** The fault at an effect. */
  readonly plan?: (effect: Effect) => Fault | undefined;
}

export type Disk = ReturnType<typeof openDisk>;

/** An empty disk with a root folder. */
export const openDisk = (options: DiskOptions = {}) => diskOf(new Map([["/", folderNode()]]), options);

const folderNode = (): Node => ({
  folder: true,
  live: Buffer.alloc(0),
  synced: Buffer.alloc(0),
  mode: 0o700,
  written: nextWrite(),
});

function diskOf(names: Map<string, Node>, options: DiskOptions) {
  const syncedNames = new Map(names);
  const counter = options.counter ?? { next: 1 };
  const effects: Effect[] = [];
  const now: { limits: Limits; dead: boolean } = { limits: {}, dead: false };

  function alive(): void {
    if (now.dead) throw new CrashError("the process has ended");
  }
  function crash(): never {
    now.dead = true;
    throw new CrashError("the process has ended");
  }

  /** Performs an effect according to the plan. */
  function effect<T>(name: Effect["name"], path: string, work: (bytes: number) => T, bytes = 0): T {
    alive();
    const it: Effect = { number: counter.next, name, path, bytes };
    counter.next += 1;
    effects.push(it);
    const fault = options.plan?.(it);
    alive();
    if (fault !== undefined && "error" in fault) throw failure(fault.error, name, path);
    if (name !== "request") refuse(name, path);
    if (fault === undefined) return work(bytes);
    if ("short" in fault) return work(Math.min(bytes, fault.short));
    if (fault.crash === "before") crash();
    work(typeof fault.crash === "number" ? Math.min(bytes, fault.crash) : bytes);
    return crash();
  }

  function refuse(name: Effect["name"], path: string): void {
    const { readOnly, broken } = now.limits;
    const reads = name === "syncFolder" || name === "sync" || name === "syncData";
    if (readOnly === true && !reads) throw failure("EROFS", name, path);
    if (broken === true) throw failure("EIO", name, path);
  }

  /** Number of bytes with room. */
  function room(node: Node, position: number, bytes: number): number {
    const { capacity = Number.POSITIVE_INFINITY, fileSize = Number.POSITIVE_INFINITY } = now.limits;
    const free = Math.max(0, capacity - used(names));
    return Math.max(0, Math.min(bytes, node.live.length + free - position, fileSize - position));
  }

  function write(node: Node, path: string, content: Uint8Array, position: number): number {
    return effect(
      "write",
      path,
      (bytes) => {
        const fits = room(node, position, bytes);
        if (fits === 0 && content.length > 0 && bytes > 0)
          throw failure(now.limits.fileSize === undefined ? "ENOSPC" : "EFBIG", "write", path);
        const size = Math.max(node.live.length, position + fits);
        const live = Buffer.concat([node.live], size);
        live.set(content.subarray(0, fits), position);
        node.live = live;
        node.written = nextWrite();
        return fits;
      },
      content.length,
    );
  }

  function openFile(node: Node, path: string): OpenFile {
    const settle = () => {
      node.synced = node.live;
    };
    return {
      write: (bytes, position) => write(node, path, bytes, position),
      syncData: async () => effect("syncData", path, settle),
      sync: () => effect("sync", path, settle),
      truncate: (size) =>
        effect("truncate", path, () => {
          node.live = Buffer.concat([node.live], size);
        }),
      close: alive,
    };
  }

  function nodeAt(path: string): Node {
    alive();
    const node = names.get(path);
    if (node === undefined) throw failure("ENOENT", "open", path);
    return node;
  }

  function childrenOf(folder: string, of: ReadonlyMap<string, Node>): readonly string[] {
    return [...of.keys()].filter((path) => path !== "/" && dirname(path) === folder);
  }

  const files: Files = {
    exists(path) {
      alive();
      return names.has(path);
    },
    isFolder: (path) => nodeAt(path).folder,
    real: (path) => path,
    size: (path) => nodeAt(path).live.length,
    read: (path) => Buffer.from(nodeAt(path).live),
    mode: (path) => nodeAt(path).mode,
    modified: (path) => nodeAt(path).written,
    list(folder) {
      nodeAt(folder);
      return childrenOf(folder, names).map((path) => path.slice(folder === "/" ? 1 : folder.length + 1));
    },
    makeFolder(path) {
      effect("makeFolder", path, () => {
        nodeAt(dirname(path));
        if (!names.has(path)) names.set(path, folderNode());
      });
    },
    open(path, how, mode = 0o600) {
      alive();
      const there = names.get(path);
      if (how === "new" && there !== undefined) throw failure("EEXIST", "open", path);
      if (how === "keep" || (how === "append" && there !== undefined)) return openFile(nodeAt(path), path);
      return effect("open", path, () => {
        nodeAt(dirname(path));
        const node = there ?? { ...folderNode(), folder: false, mode };
        node.live = Buffer.alloc(0);
        node.written = nextWrite();
        names.set(path, node);
        return openFile(node, path);
      });
    },
    rename(from, to) {
      effect("rename", to, () => {
        names.set(to, nodeAt(from));
        names.delete(from);
      });
    },
    remove(path) {
      alive();
      if (names.has(path)) effect("remove", path, () => names.delete(path));
    },
    syncFolder(folder) {
      effect("syncFolder", folder, () => {
        for (const path of childrenOf(folder, syncedNames)) if (!names.has(path)) syncedNames.delete(path);
        for (const path of childrenOf(folder, names)) syncedNames.set(path, names.get(path) as Node);
      });
    },
  };

  return {
    files,
    effects: effects as readonly Effect[],
    /** Numbers another effect of the process, such as a request; it fails or ends according to the plan. */
    effect: <T>(path: string, work: () => T): T => effect("request", path, work),
    /** Sets the disk's restrictions. */
    limit: (limits: Limits) => {
      now.limits = limits;
    },
    used: () => used(names),
    isDead: () => now.dead,
    /** Ends the process from outside. */
    end: () => {
      now.dead = true;
    },
    /** A file's content, without an effect. */
    text: (path: string) => names.get(path)?.live.toString("utf8"),
    paths: () => [...names.keys()].filter((path) => names.get(path)?.folder === false),
    /** Creates a synced file with its folders, without an effect. */
    put(path: string, text: string | Uint8Array) {
      for (let folder = dirname(path); folder !== "/"; folder = dirname(folder)) {
        const node = names.get(folder) ?? folderNode();
        names.set(folder, node);
        syncedNames.set(folder, node);
      }
      const bytes = Buffer.from(text);
      const node: Node = { ...folderNode(), folder: false, live: bytes, synced: bytes, mode: 0o600 };
      names.set(path, node);
      syncedNames.set(path, node);
    },
    /** The disk that the next process finds, with or without a crash. */
    next: (left: Left = "all", more: DiskOptions = { counter }) =>
      diskOf(survivors(names, syncedNames, left), more),
  };
}

const used = (names: ReadonlyMap<string, Node>) =>
  [...new Set(names.values())].reduce((sum, { live }) => sum + live.length, 0);

function failure(code: string, call: string, path: string): Error {
  const words: Readonly<Record<string, string>> = {
    ENOSPC: "no space left on device",
    EFBIG: "file too large",
    EIO: "i/o error",
    EROFS: "read-only file system",
    ENOENT: "no such file or directory",
    EEXIST: "file already exists",
  };
  return Object.assign(new Error(`${code}: ${words[code] ?? code}, ${call} '${path}'`), { code });
}

function survivors(
  names: ReadonlyMap<string, Node>,
  synced: ReadonlyMap<string, Node>,
  left: Left,
): Map<string, Node> {
  const random = typeof left === "number" ? randomOf(left) : () => 0;
  const chosen = new Map<string, Node>();
  for (const path of [...new Set([...synced.keys(), ...names.keys()])].sort()) {
    const keepsName = typeof left === "number" ? random() < 0.5 : left === "all" || left === "names";
    const node = (keepsName ? names : synced).get(path);
    if (node !== undefined) chosen.set(path, node);
  }
  const contents = new Map<Node, Node>();
  const result = new Map<string, Node>();
  // Sorted by path, so that folders come before their content.
  for (const [path, node] of chosen) {
    if (path !== "/" && !result.has(dirname(path))) continue;
    const bytes = contents.get(node)?.live ?? contentOf(node, left, random);
    const kept = contents.get(node) ?? { ...node, live: bytes, synced: bytes };
    contents.set(node, kept);
    result.set(path, kept);
  }
  return result;
}

function contentOf({ live, synced }: Node, left: Left, random: () => number): Buffer {
  if (left === "all" || left === "content") return live;
  if (left === "nothing" || left === "names" || live === synced) return synced;
  const from = Math.floor(random() * (live.length + 1));
  return Buffer.concat([live.subarray(0, from), synced.subarray(from)]);
}

/** A repeatable random number from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
