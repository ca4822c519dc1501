/** What an object is recognised by when nobody knows its id: the same hashes out of arguments and out of what was read. */
import { createHash } from "node:crypto";
import { sha256 } from "./body.ts";
import { textOf } from "./body-merge.ts";
import type { Values } from "./codec.ts";
import type { Definition, FileFact } from "./define.ts";
import { askedHash, lastPart, lineFeeds, servedName } from "./diff.ts";
import { valueAt } from "./identity.ts";
import type { Fingerprint } from "./notes.ts";

/**
 * The fingerprint of what arguments ask for.
 * @param folder where their files are
 */
export function fingerprint(definition: Definition, args: Values, folder: string): Fingerprint {
  const by = (definition.keys ?? []).find((paths) =>
    paths.every((path) => valueAt(args, path) !== undefined && valueAt(args, path) !== ""),
  );
  const text = definition.body?.text === undefined ? undefined : textOf(args, folder);
  return {
    by: by ?? [],
    key: by === undefined ? undefined : keyHash(args, by),
    content: contentHash(definition, args, askedName(args)),
    text: text === undefined ? undefined : sha256(text),
    body: askedBody(definition, args),
  };
}

/** The body that arguments ask for, as a hash. */
export function askedBody(definition: Definition, args: Values): string | undefined {
  if (definition.body === undefined) return undefined;
  return askedHash(args) ?? (typeof args.src === "string" ? sha256(args.src) : undefined);
}

/** A file's name as its address has it. */
export const nameOf = (definition: Definition, seen: Values): string | undefined =>
  definition.body?.name === undefined ? undefined : servedName(definition, seen);

/** Whether an object that was read has the natural key that was asked for; any has where there is none. */
export const hasPrintedKey = (seen: Values, print: Fingerprint): boolean =>
  print.key === undefined || keyHash(seen, print.by) === print.key;

/** Whether it is in all that can be read what was asked for: content counts for every kind. */
export function hasPrintedContent(definition: Definition, seen: Values, print: Fingerprint): boolean {
  if (contentHash(definition, seen, servedName(definition, seen)) !== print.content) return false;
  return (
    print.text === undefined ||
    typeof seen.content !== "string" ||
    sha256(lineFeeds(seen.content)) === print.text
  );
}

const hash = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

const keyHash = (values: Values, by: readonly string[]) =>
  hash(by.map((path) => valueAt(values, path) ?? ""));

function contentHash(definition: Definition, values: Values, name: string | undefined): string {
  const required = Object.entries(definition.fields).flatMap(([field, { mode, unread }]) => {
    const value = values[field];
    return mode === "required" && !unread
      ? [[field, typeof value === "string" ? lineFeeds(value) : (value ?? "")]]
      : [];
  });
  return hash([definition.kind, required, definition.body?.name === undefined ? null : (name ?? null)]);
}

/** A file's name as arguments ask for it: stated, else the path's or the address's last part. */
function askedName({ filename, file, src }: Values): string | undefined {
  if (typeof filename === "string") return filename;
  const path = (file as FileFact | undefined)?.path;
  if (path !== undefined) return path.split("/").at(-1);
  return typeof src === "string" ? lastPart(src) : undefined;
}
