/** Bodies of files and assets: where they come from, what the state keeps of them, how they travel. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Values } from "./codec.ts";
import type { Definition, FileFact } from "./define.ts";
import { forbiddenAt } from "./xml.ts";

/** A body as it is sent: text as text where the kind can, everything else in base64. */
export interface Body {
  readonly bytes: Buffer;
  /** Undefined where the bytes are not text that XML can carry. */
  readonly text: string | undefined;
}

/** Lowercase hex. */
export function sha256(body: string | Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

/** A body out of bytes: text keeps LF only, so that a checkout on another system is no change. */
export function bodyOf(bytes: Buffer): Body {
  const text = asText(bytes)?.replaceAll("\r\n", "\n");
  return text === undefined ? { bytes, text } : { bytes: Buffer.from(text), text };
}

function asText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return forbiddenAt(text) === undefined ? text : undefined;
  } catch {
    // Not UTF-8: that is the answer, not a failure.
    return undefined;
  }
}

/**
 * Reads a file of the project.
 * @throws Error that names the path and what to do
 */
export async function readBody(path: string, folder: string): Promise<Body> {
  const place = resolve(folder, path);
  try {
    return bodyOf(await readFile(place));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why =
      code === "ENOENT"
        ? "there is no such file"
        : code === "EISDIR"
          ? "it is a folder"
          : String(code ?? cause);
    throw new Error(`can't read ${path}: ${why}; write a path relative to the program's folder`, { cause });
  }
}

/** What the state keeps of a file: a path that holds on every machine, size and hash. */
export async function fileFact(path: string, folder: string): Promise<FileFact> {
  const body = await readBody(path, folder);
  const place = isAbsolute(path) ? relative(folder, path) : path;
  return {
    path: place.split(sep).join("/"),
    size: body.bytes.length,
    sha256: sha256(body.bytes),
    ...(body.text === undefined && { binary: true as const }),
  };
}

/**
 * The request values of a body.
 * @throws Error where the file is no longer the one that check saw
 */
export async function sentBody(definition: Definition, args: Values, folder: string): Promise<Values> {
  const { body } = definition;
  if (body === undefined || args.src !== undefined) return {};
  const found = await askedBody(args, folder);
  if (found === undefined) return {};
  const name = args.filename ?? (args.file as FileFact | undefined)?.path.split("/").at(-1);
  const named = body.name === undefined ? {} : { [body.name]: name };
  if (body.text !== undefined && found.text !== undefined) return { [body.text]: found.text, ...named };
  return { [body.bytes]: found.bytes.toString("base64"), ...named };
}

async function askedBody(args: Values, folder: string): Promise<Body | undefined> {
  if (typeof args.content === "string") return bodyOf(Buffer.from(args.content));
  const fact = args.file as FileFact | undefined;
  if (fact === undefined) return undefined;
  const body = await readBody(fact.path, folder);
  if (sha256(body.bytes) === fact.sha256) return body;
  throw new Error(
    `${fact.path} changed while the run was under way; run again, so that what was previewed is what is written`,
  );
}
