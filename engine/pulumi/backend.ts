/**
 * Where a project keeps its stacks' states: Pulumi's choice of a backend (pkg/workspace/creds.go) and the layout of its
 * file backend (pkg/backend/diy). Used by both engine and provider.
 */
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { isRecord } from "../common/record.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The functions of a disk that are needed. */
export interface Disk {
  exists(path: string): boolean;
  read(path: string): Buffer;
}

/** The parts of a project that determine its backend. */
export interface ProjectPlace {
  /** The folder of Pulumi.yaml; without one, the folder that was asked about. */
  readonly folder: string;
  /** `backend.url` of Pulumi.yaml. */
  readonly backendUrl: string | undefined;
}

export interface StackPlace {
  readonly project: string;
  readonly stack: string;
}

/** The project's file in a folder. */
export const projectFileIn = (disk: Pick<Disk, "exists">, folder: string): string | undefined =>
  ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find((path) => disk.exists(path));

/** The project's file in a folder or in one above it. */
export function projectFile(disk: Pick<Disk, "exists">, folder: string): string | undefined {
  const path = projectFileIn(disk, folder);
  if (path !== undefined || dirname(folder) === folder) return path;
  return projectFile(disk, dirname(folder));
}

let yaml: { parse(yaml: string): unknown } | undefined;

/** The project of a folder or of one above it, in any language. */
export function projectPlace(disk: Disk, folder: string): ProjectPlace {
  const path = projectFile(disk, folder);
  if (path === undefined) return { folder, backendUrl: undefined };
  const text = disk.read(path).toString("utf8");
  // Most projects name no backend and need no YAML parser.
  if (!text.includes("backend")) return { folder: dirname(path), backendUrl: undefined };
  yaml ??= createRequire(import.meta.url)("yaml") as typeof yaml & object;
  return { folder: dirname(path), backendUrl: backendUrlOf(yaml.parse(text)) };
}

/** @throws Error for a backend that isn't written as Pulumi reads it: the states would be looked for elsewhere */
export function backendUrlOf(yaml: unknown): string | undefined {
  const backend = (isRecord(yaml) ? yaml.backend : undefined) ?? {};
  const { url = undefined, ...others } = isRecord(backend) ? backend : { url: backend, isBare: true };
  if (Object.keys(others).length === 0 && (url === undefined || url === null || typeof url === "string"))
    return url ?? undefined;
  throw new Error("backend must have the key url alone: backend: { url: file://./states }");
}

/** The backend's address: from PULUMI_BACKEND_URL, the project, or the last login; undefined if none is set. */
export const namedBackend = (disk: Disk, project: ProjectPlace, env: Env): string | undefined =>
  env.PULUMI_BACKEND_URL || project.backendUrl || lastLogin(disk, env);

export const homeBackend = "file://~";

/** The folder that contains .pulumi; undefined if the backend isn't a folder. Relative to the project's folder. */
export function folderOf(
  url: string,
  { folder }: Pick<ProjectPlace, "folder">,
  env: Env,
): string | undefined {
  if (!url.startsWith("file://")) return undefined;
  const path = folderIn(url);
  if (path === "~" || path.startsWith("~/"))
    return join(env.HOME ?? env.USERPROFILE ?? homedir(), path.slice(1));
  return resolve(folder, path === "" ? "." : path);
}

/** The path in a file:// address of Pulumi, which isn't URL-encoded; on Windows it has a drive. */
export const folderIn = (url: string): string =>
  url
    .slice("file://".length)
    .replace(/\?.*$/, "")
    .replace(/^\/(?=[A-Za-z]:[\\/])/, "");

/** The address of a folder that contains .pulumi, absolute. */
export const urlOfFolder = (root: string): string => `file://${root}`;

export const pulumiHome = (env: Env): string =>
  env.PULUMI_HOME ?? join(env.HOME ?? env.USERPROFILE ?? homedir(), ".pulumi");

function lastLogin(disk: Disk, env: Env): string | undefined {
  const path = join(pulumiHome(env), "credentials.json");
  if (!disk.exists(path)) return undefined;
  try {
    return (JSON.parse(disk.read(path).toString("utf8")) as { current?: string }).current || undefined;
  } catch (cause) {
    throw new Error(`${path} is damaged: ${(cause as Error).message}; remove it, or set PULUMI_BACKEND_URL`, {
      cause,
    });
  }
}

export const stacksFolder = (root: string, project: string): string => join(root, ".pulumi/stacks", project);

/** The endings of a state: with PULUMI_DIY_BACKEND_GZIP or _ZSTD, Pulumi compresses it. */
export const stateEndings = ["json", "json.gz", "json.zst"];

/** The stack whose state a file of this name is. */
export const stackOfState = (name: string): string | undefined =>
  /^(.+?)\.json(?:\.gz|\.zst)?$/.exec(name)?.[1];

/** The path of a stack's state, compressed or not; undefined if there is none. */
export const existingState = (
  disk: Pick<Disk, "exists">,
  root: string,
  place: StackPlace,
): string | undefined =>
  stateEndings.map((ending) => stackFile(root, place, ending)).find((path) => disk.exists(path));

const gzipMagic = 0x1f8b;
const zstdMagic = 0x28b52ffd;

/** The content of a file that Pulumi may have compressed: like Pulumi, by its first bytes. */
export function unpacked(bytes: Buffer): Buffer {
  if (bytes.length < 4) return bytes;
  if (bytes.readUInt16BE(0) === gzipMagic) return gunzipSync(bytes);
  return bytes.readUInt32BE(0) === zstdMagic ? zstdDecompressSync(bytes) : bytes;
}

/** A file of a stack: its state (`json`) or one beside it. */
export const stackFile = (root: string, { project, stack }: StackPlace, ending: string): string =>
  join(stacksFolder(root, project), `${stack}.${ending}`);
