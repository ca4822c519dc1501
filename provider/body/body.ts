/** Bodies of files and assets: where they come from, what the state keeps of them, how they travel. */
import { createHash } from "node:crypto";
import { isAbsolute, relative, sep } from "node:path";
import type { Definition, FileFact } from "../definition/define.ts";
import { forbiddenAt } from "../definition/scalars.ts";
import type { Values } from "../wire/codec.ts";
import { readProjectFile } from "./project-file.ts";

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
 * @param folder the project's; a file outside it, also by a symbolic link, is an error
 * @param allowOutside permits files outside the folder (`allowOutsideOf`)
 * @throws Error that names the path and what to do
 */
export async function readBody(path: string, folder: string, allowOutside = false): Promise<Body> {
  return bodyOf(await readProjectFile(path, folder, allowOutside));
}

/** What the state keeps of a file: a path that holds on every machine, size and hash. Errors are those of `readBody`. */
export async function fileFact(path: string, folder: string, allowOutside = false): Promise<FileFact> {
  const body = await readBody(path, folder, allowOutside);
  const place = isAbsolute(path) ? relative(folder, path) : path;
  return {
    path: place.split(sep).join("/"),
    size: body.bytes.length,
    sha256: sha256(body.bytes),
    ...(body.text === undefined && { binary: true as const }),
    ...(body.text?.trim() === "" && { blank: true as const }),
  };
}

/**
 * The request values of a body.
 * @throws Error where the file is no longer the one that check saw
 */
export async function bodyForRequest(
  definition: Definition,
  args: Values,
  folder: string,
  allowOutside = false,
): Promise<Values> {
  const { body } = definition;
  if (body === undefined || args.src !== undefined) return {};
  const found = await askedBody(args, folder, allowOutside);
  if (found === undefined) return {};
  const name = args.filename ?? (args.file as FileFact | undefined)?.path.split("/").at(-1);
  const named = body.name === undefined ? {} : { [body.name]: name };
  if (body.text !== undefined && found.text !== undefined) return { [body.text]: found.text, ...named };
  return { [body.bytes]: found.bytes.toString("base64"), ...named };
}

async function askedBody(args: Values, folder: string, allowOutside: boolean): Promise<Body | undefined> {
  if (typeof args.content === "string") return bodyOf(Buffer.from(args.content));
  const fact = args.file as FileFact | undefined;
  if (fact === undefined) return undefined;
  const body = await readBody(fact.path, folder, allowOutside);
  if (sha256(body.bytes) === fact.sha256) return body;
  throw new Error(
    `${fact.path} changed while the run was under way; run again, so that what was previewed is what is written`,
  );
}
