/** Files of a theme's folder that have another name than when the stack was last applied: known by their content, from the state. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Disk,
  folderOf,
  homeBackend,
  namedBackend,
  projectPlace,
  type StackPlace,
  stackFile,
} from "./backend.ts";
import type { FolderFile } from "./theme-folder.ts";
import { typeOf } from "./urn.ts";

/** Whose folder it is: a component of a stack. */
export interface FolderPlace extends StackPlace {
  /** The component's type and name. */
  readonly type: string;
  readonly name: string;
  /** Where the files are. */
  readonly folder: string;
}

interface Resource {
  readonly urn: string;
  readonly delete?: boolean;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

const disk: Disk = { exists: existsSync, read: (path) => readFileSync(path) };

/**
 * New path to old one, for files that the state has under a path that is no more, and that are found under another one with the
 * same type and content. A content that several files have tells nothing.
 */
export function renamedFiles(
  place: FolderPlace,
  found: readonly FolderFile[],
): Readonly<Record<string, string>> {
  const text = stateText(place);
  if (text === undefined) return {};
  const there = new Set(found.map(({ path }) => path));
  const known = pathsIn(text, place);
  const added = found.filter(({ path }) => !known.has(path));
  // Most runs end here: a large state is gone through, and not parsed.
  if (added.length === 0 || [...known].every((path) => there.has(path))) return {};
  const gone = new Map<string, string | undefined>();
  for (const { urn, delete: isLeaving, outputs = {} } of resourcesIn(text)) {
    const path = pathIn(urn, place);
    if (path === undefined || there.has(path) || isLeaving || typeof outputs.sha256 !== "string") continue;
    const key = `${outputs.type} ${outputs.sha256}`;
    gone.set(key, gone.has(key) ? undefined : path);
  }
  const all = added.flatMap(({ type, path }) =>
    [...new Set(digestsOf(join(place.folder, path)))].map((digest) => [`${type} ${digest}`, path] as const),
  );
  const counts = Map.groupBy(all, ([key]) => key);
  return Object.fromEntries(
    all.flatMap(([key, path]) => {
      const old = gone.get(key);
      return old === undefined || (counts.get(key)?.length ?? 0) > 1 ? [] : [[path, old]];
    }),
  );
}

/** The state as it stands on the disk; undefined where no folder holds it. */
function stateText(place: StackPlace): string | undefined {
  const project = projectPlace(disk, process.cwd());
  const root = folderOf(namedBackend(disk, project, process.env) ?? homeBackend, project, process.env);
  const path = root === undefined ? undefined : stackFile(root, place, "json");
  return path !== undefined && existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** The paths of a component's files that a state's text names. */
function pathsIn(text: string, { type, name }: FolderPlace): ReadonlySet<string> {
  const urns = new RegExp(`${escaped(`${type}$`)}[^"$]*::${escaped(`${name}/`)}([^"]+)"`, "g");
  return new Set([...text.matchAll(urns)].map(([, path = ""]) => path));
}

function pathIn(urn: string, { type, name }: FolderPlace): string | undefined {
  const own = `${type}$${typeOf(urn)}::${name}/`;
  const at = urn.lastIndexOf(own);
  return at === -1 ? undefined : urn.slice(at + own.length);
}

function resourcesIn(text: string): readonly Resource[] {
  const state = JSON.parse(text) as {
    readonly checkpoint?: { readonly latest?: { readonly resources?: readonly Resource[] } };
  };
  return state.checkpoint?.latest?.resources ?? [];
}

/** A file as the state may have it: bytes as they are, a text with our line ends. */
function digestsOf(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const digest = (content: string | Buffer) => createHash("sha256").update(content).digest("hex");
  return bytes.length === 0 ? [] : [digest(bytes), digest(bytes.toString("utf8").replaceAll("\r\n", "\n"))];
}
