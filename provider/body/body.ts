/** Reads the bodies of files and assets, and prepares them for requests. */
import { createHash } from "node:crypto";
import { isAbsolute, relative, sep } from "node:path";
import type { Definition, FileFact } from "../definition/define.ts";
import { forbiddenAt } from "../definition/scalars.ts";
import type { Values } from "../wire/codec.ts";
import { readProjectFile } from "./project-file.ts";

/** A body in a request: text if the kind accepts it, otherwise base64. */
export interface Body {
  readonly bytes: Buffer;
  /** Undefined if XML can't carry the bytes as text. */
  readonly text: string | undefined;
}

/** Lowercase hex. */
export function sha256(body: string | Buffer): string {
  return createHash("sha256").update(body).digest("hex");
}

/** Converts bytes to a body. Line ends become LF, so that a checkout on another system isn't a change. */
export function bodyOf(bytes: Buffer): Body {
  const text = asText(bytes)?.replaceAll("\r\n", "\n");
  return text === undefined ? { bytes, text } : { bytes: Buffer.from(text), text };
}

function asText(bytes: Buffer): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return forbiddenAt(text) === undefined ? text : undefined;
  } catch {
    // It isn't UTF-8, so it isn't text.
    return undefined;
  }
}

/**
 * Reads a file of the project.
 * @param folder the project's folder; a file outside it, also behind a symbolic link, is an error
 * @param allowOutside permits files outside the folder (`allowOutsideOf`)
 * @throws Error with the path and a remedy
 */
export async function readBody(path: string, folder: string, allowOutside = false): Promise<Body> {
  return bodyOf(await readProjectFile(path, folder, allowOutside));
}

/** The size and hash of a file for the state, and its path with forward slashes. Throws as `readBody` does. */
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
 * The body's fields in a request.
 * @throws Error if the file changed after the check
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
