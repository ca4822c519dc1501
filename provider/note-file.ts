/** Where the notes of a stack's creates lie: beside its state, or in the home folder where no folder holds the state. */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fdatasync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** A file of lines, as far as notes need it; tests hold one in memory. */
export interface NoteFile {
  /** Undefined where there is none. */
  read(): string | undefined;
  /** Resolves when the text is on the disk. */
  append(text: string): Promise<void>;
  /** Puts a text in place of all that is there: whole or not at all. */
  replace(text: string): Promise<void>;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The file of a stack's notes.
 * @param of a resource, as the SDK names it: its stack first
 * @param folder the program's folder, absolute
 */
export function notesPath(of: string, folder: string, env: Env): string {
  const [stack = ""] = of.split("::");
  const project = env.PULUMI_NODEJS_PROJECT ?? "";
  const home = env.PULUMI_HOME ?? join(env.HOME ?? homedir(), ".pulumi");
  const url = env.PULUMI_BACKEND_URL ?? projectBackend(folder) ?? lastLogin(home) ?? "file://~";
  if (url.startsWith("file://")) {
    const path = url.slice("file://".length).replace(/^\/(?=[A-Za-z]:[\\/])/, "");
    const root = /^~(\/|$)/.test(path) ? join(env.HOME ?? homedir(), path.slice(1)) : resolve(folder, path);
    return join(root, ".pulumi/stacks", project, `${stack}.creates`);
  }
  const name = createHash("sha256")
    .update(JSON.stringify([url, project, stack]))
    .digest("hex")
    .slice(0, 24);
  return join(home, "pulumi-shop", `${name}.creates`);
}

// `backend: { url: ... }` of the project (pkg/workspace/project.go); one line is all that is read of it.
function projectBackend(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(at, name)).find((one) => existsSync(one));
    if (path !== undefined)
      return /^backend:\s*(?:\{\s*|\n\s+)url:\s*["']?([^\s"'}]+)/m.exec(readFileSync(path, "utf8"))?.[1];
    if (dirname(at) === at) return undefined;
  }
}

function lastLogin(home: string): string | undefined {
  try {
    const { current } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as {
      current?: string;
    };
    return current === "" ? undefined : current;
  } catch {
    // Nobody has logged in, or the file is damaged: then the engine says so, or has no use for it.
    return undefined;
  }
}

/** A file of the disk. Lines that are appended together reach the disk together. */
export function diskNoteFile(path: string): NoteFile {
  let file: number | undefined;
  let text = "";
  let waiting: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  let busy = false;
  const opened = () => {
    if (file === undefined) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      file = openSync(path, "a", 0o600);
    }
    return file;
  };
  const flush = () => {
    if (busy || waiting.length === 0) return;
    const [lines, batch] = [text, waiting];
    [text, waiting, busy] = ["", [], true];
    const settle = (error: unknown) => {
      busy = false;
      for (const { resolve: done, reject } of batch)
        error === null || error === undefined ? done() : reject(error);
      flush();
    };
    try {
      writeAll(opened(), lines);
      fdatasync(opened(), settle);
    } catch (error) {
      settle(error);
    }
  };
  return {
    read: () => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    append: (line) =>
      new Promise((done, reject) => {
        text += line;
        waiting.push({ resolve: done, reject });
        setImmediate(flush);
      }),
    async replace(whole) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const beside = openSync(`${path}.new`, "w", 0o600);
      try {
        writeAll(beside, whole);
        fsyncSync(beside);
      } finally {
        closeSync(beside);
      }
      renameSync(`${path}.new`, path);
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

// A disk that is nearly full takes a part of a write and says so.
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
