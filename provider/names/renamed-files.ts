/** Finds files of a theme's folder that were renamed since the last run, by their content or their lines in the state. */
import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../engine/common/record.ts";
import {
  type Disk,
  existingState,
  folderOf,
  homeBackend,
  namedBackend,
  projectPlace,
  type StackPlace,
  unpacked,
} from "../../engine/pulumi/backend.ts";
import { typeOf } from "../../engine/pulumi/urn.ts";
import { hashesIn, hashOfLine, linesOf } from "./line-hashes.ts";
import type { FolderFile } from "./theme-folder.ts";

export interface FolderPlace extends StackPlace {
  readonly type: string;
  readonly name: string;
  readonly folder: string;
}

interface Resource {
  readonly urn: string;
  readonly delete?: boolean;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

const disk: Disk = { exists: existsSync, read: (path) => readFileSync(path) };

/** Maps new paths to old ones, for files with the same type and the same content or mostly the same lines. */
export function renamedFiles(
  place: FolderPlace,
  found: readonly FolderFile[],
): Readonly<Record<string, string>> {
  const text = stateText(place);
  if (text === undefined) return {};
  const there = new Set(found.map(({ path }) => path));
  // Pending operations name files that may not exist.
  const known = /"pending_operations":\s*\[\s*\{/.test(text)
    ? new Set(resourcesIn(text).flatMap(({ urn }) => pathIn(urn, place) ?? []))
    : pathsIn(text, place);
  const added = found.filter(({ path }) => !known.has(path));
  // Most runs end here: a large state is searched, not parsed.
  if (added.length === 0 || [...known].every((path) => there.has(path))) return {};
  const gone = resourcesIn(text).flatMap((one): readonly Gone[] => {
    const path = pathIn(one.urn, place);
    return path === undefined || there.has(path) || one.delete ? [] : [{ ...one, path }];
  });
  const same = ofSameContent(gone, added, place.folder);
  const isOpen = (path: string) => same[path] === undefined;
  const taken = new Set(Object.values(same));
  return {
    ...same,
    ...ofSameLines(
      gone.filter(({ path }) => !taken.has(path)),
      added.filter(({ path }) => isOpen(path)),
      place.folder,
    ),
  };
}

interface Gone extends Resource {
  readonly path: string;
}
type Pairs = Readonly<Record<string, string>>;

/** A content that several files have is ambiguous. */
function ofSameContent(gone: readonly Gone[], added: readonly FolderFile[], folder: string): Pairs {
  const before = new Map<string, string | undefined>();
  for (const { path, inputs = {}, outputs = {} } of gone) {
    // The shop's content and the program's last one: somebody may have changed it in the shop.
    const { file } = inputs;
    for (const digest of new Set([outputs.sha256, isRecord(file) ? file.sha256 : undefined])) {
      const key = `${outputs.type} ${digest}`;
      if (typeof digest === "string") before.set(key, before.has(key) ? undefined : path);
    }
  }
  const all = added.flatMap(({ type, path }) =>
    [...new Set(digestsOf(join(folder, path)))].map((digest) => [`${type} ${digest}`, path] as const),
  );
  const counts = Map.groupBy(all, ([key]) => key);
  return Object.fromEntries(
    all.flatMap(([key, path]) => {
      const old = before.get(key);
      return old === undefined || (counts.get(key)?.length ?? 0) > 1 ? [] : [[path, old]];
    }),
  );
}

/** Minimum number of equal lines, and their part of the longer file. */
const fewestAlike = 3;
const leastAlike = 0.5;

/** A renamed and changed text has more than half of its lines in common with a missing file. */
function ofSameLines(gone: readonly Gone[], added: readonly FolderFile[], folder: string): Pairs {
  const blank = hashOfLine("");
  const counted = (hashes: readonly string[]) => {
    const lines = hashes.filter((one) => one !== blank);
    const counts = new Map<string, number>();
    for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
    return { counts, length: lines.length };
  };
  const old = gone.map(({ path, outputs = {} }) => ({
    ...{ path, type: outputs.type },
    ...counted(hashesIn(typeof outputs.__lines === "string" ? outputs.__lines : "")),
  }));
  const found = added.flatMap(({ type, path }) => {
    if (!old.some((one) => one.type === type && one.length >= fewestAlike)) return [];
    const text = bytesOf(join(folder, path)).toString("utf8").replaceAll("\r\n", "\n");
    const own = counted(linesOf(text).map(hashOfLine));
    return old.flatMap((one) => {
      if (one.type !== type) return [];
      let alike = 0;
      for (const [line, count] of own.counts) alike += Math.min(count, one.counts.get(line) ?? 0);
      const part = alike / Math.max(own.length, one.length);
      return alike >= fewestAlike && part > leastAlike ? [{ path, old: one.path, part }] : [];
    });
  });
  const pairs = new Map<string, string>();
  for (const { path, old: from } of found.toSorted((one, other) => other.part - one.part))
    if (!pairs.has(path) && ![...pairs.values()].includes(from)) pairs.set(path, from);
  return Object.fromEntries(pairs);
}

/** The state's text; undefined if the backend isn't a folder. */
function stateText(place: StackPlace): string | undefined {
  const project = projectPlace(disk, process.cwd());
  const root = folderOf(namedBackend(disk, project, process.env) ?? homeBackend, project, process.env);
  const path = root === undefined ? undefined : existingState(disk, root, place);
  return path && unpacked(disk.read(path)).toString();
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

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
  const state: { readonly checkpoint?: { readonly latest?: { readonly resources?: readonly Resource[] } } } =
    JSON.parse(text);
  return state.checkpoint?.latest?.resources ?? [];
}

/** The hashes of a file: of its bytes, and with LF line ends. */
function digestsOf(path: string): readonly string[] {
  const bytes = bytesOf(path);
  return bytes.length === 0
    ? []
    : [hash("sha256", bytes), hash("sha256", bytes.toString("utf8").replaceAll("\r\n", "\n"))];
}

/** Empty if the file can't be read: the provider reports why. */
function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    return Buffer.alloc(0);
  }
}
