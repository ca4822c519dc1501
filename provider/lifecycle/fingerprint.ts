/** What an object is recognised by when nobody knows its id: the same hashes out of arguments and out of what was read. */

import { createHash } from "node:crypto";
import { shownText, textOf, wantedBodyHash, wantedFileName } from "../body/arguments.ts";
import { sha256 } from "../body/body.ts";
import { type Definition, isRequired, isReturnedArgument } from "../definition/define.ts";
import type { Fingerprint } from "../run/notes.ts";
import { servedName } from "../values/compare.ts";
import { valueAt } from "../values/identity.ts";
import { setPaths } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { withLineFeeds } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";

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
    content: contentHash(definition, args, wantedFileName(args)),
    text: text === undefined ? undefined : sha256(text),
    body: wantedBodyHash(definition, args),
    stated: setPaths(definition.fields, args).join(","),
    whole: wholeHash(definition, args, setPaths(definition.fields, args)),
  };
}

/** Whether an object is in all that was stated as it was made; false also where a shop spells a value its own way. */
export function isAsPrinted(definition: Definition, seen: Values, print: Fingerprint): boolean {
  const paths = (print.stated ?? "").split(",");
  return hasPrintedContent(definition, seen, print) && wholeHash(definition, seen, paths) === print.whole;
}

function wholeHash(definition: Definition, values: Values, paths: readonly string[]): string {
  const stated = paths.flatMap((path) => {
    const [name = "", inner] = path.split(".");
    const field = definition.fields[name];
    const isRead = field !== undefined && isReturnedArgument(field) && !field.writeOnly;
    if (!isRead) return [];
    const fields = field.items?.fields;
    const items = listOf(values[name]);
    // An empty list is told from one that got an item since by its length alone.
    if (inner === undefined) return [[path, fields === undefined ? plain(values[name]) : items.length]];
    // What the shop changes by itself tells nothing.
    if (fields?.[inner]?.serverManaged) return [];
    return [[path, items.map((item) => plain(item[inner]))]];
  });
  return hash(stated);
}

const plain = (value: unknown): unknown => {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return withLineFeeds(value);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown) =>
    typeof item === "object" && item !== null
      ? Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1))
      : item,
  );
};

/** A file's name as its address has it. */
export const nameOf = (definition: Definition, seen: Values): string | undefined =>
  definition.body?.name === undefined ? undefined : servedName(definition, seen);

/** Whether an object that was read has the natural key that was asked for; any has where there is none. */
export const hasPrintedKey = (seen: Values, print: Fingerprint): boolean =>
  print.key === undefined || keyHash(seen, print.by) === print.key;

/** Whether it is in all that can be read what was asked for: content counts for every kind. */
export function hasPrintedContent(definition: Definition, seen: Values, print: Fingerprint): boolean {
  if (contentHash(definition, seen, servedName(definition, seen)) !== print.content) return false;
  const shown = shownText(seen);
  return print.text === undefined || shown === undefined || sha256(shown) === print.text;
}

const hash = (value: unknown) =>
  createHash("sha256").update(JSON.stringify(value)).digest("base64url").slice(0, 22);

const keyHash = (values: Values, by: readonly string[]) =>
  hash(by.map((path) => valueAt(values, path) ?? ""));

function contentHash(definition: Definition, values: Values, name: string | undefined): string {
  const required = Object.entries(definition.fields).flatMap(([name, field]) => {
    const value = values[name];
    return isRequired(field) && !field.writeOnly
      ? [[name, typeof value === "string" ? withLineFeeds(value) : (value ?? "")]]
      : [];
  });
  return hash([definition.kind, required, definition.body?.name === undefined ? null : (name ?? null)]);
}
