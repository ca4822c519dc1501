/** How texts and files change, line by line or value by value. */

import {
  bodyDiffers,
  fileIn,
  hashIn,
  isBodyPath,
  isKnownBytes,
  shownText,
  textOf,
  withHash,
} from "../body/arguments.ts";
import { bodyOf, readBody, sha256 } from "../body/body.ts";
import { type LeafChange, leafChanges, leavesSince } from "../body/json.ts";
import { isBodySecret } from "../change/secrets.ts";
import { hunksText, mostLines, quotedSideBySide } from "../change/value-text.ts";
import type { ObjectRef, ReadSubject, Shop, StateObject, Subject } from "../context/context.ts";
import { ownerIn } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { changeFromShop } from "./object-change.ts";
import { readObject } from "./observe.ts";

/**
 * Downloads a file whose address changed, and adds the hash of its bytes. If that fails, the old address stays, so that
 * the next read tries again.
 */
export async function withChangedBytes(
  { definition, shop, olds }: StateObject,
  seen: Values,
): Promise<Values> {
  const { address = "" } = definition.body ?? {};
  if (!isKnownBytes(olds) || hashIn(olds) === undefined || typeof seen[address] !== "string") return seen;
  if (shownText(seen) !== undefined || seen[address] === olds[address]) return seen;
  const bytes = await shop.transport.download(new URL(seen[address], shop.url).href).catch(() => undefined);
  if (bytes === undefined) return { ...seen, [address]: olds[address] };
  return { ...seen, ...withHash(sha256(bodyOf(bytes).bytes)) };
}

/** Whether no line of an object's text may be printed: it is secret, or the program hides it (`hideDiffs`). */
const isTextHidden = (shop: Shop, olds: Values, args: Values): boolean =>
  isBodySecret(olds) ||
  isBodySecret(args) ||
  (shop.notes.heldBy(ownerIn(olds))?.hideDiff ?? []).some(isBodyPath);

/**
 * Reports edits of a text that was written from a file: by value for JSON, else by line. The diff of the arguments
 * shows an inline text.
 * @param hash of the text in the shop
 */
export async function reportTextDrift(
  { definition: { kind }, shop, id, olds, seen }: Omit<ReadSubject, "args">,
  hash: unknown,
): Promise<void> {
  const file = fileIn(olds);
  const shown = shownText(seen);
  if (file === undefined || shown === undefined || hashIn(olds) === hash) return;
  if (isTextHidden(shop, olds, {})) return;
  const local = await readBody(file.path, shop.folder, shop.allowOutside).catch(() => undefined);
  const isAsWritten = local !== undefined && sha256(local.bytes) === hashIn(olds);
  const values =
    (isAsWritten ? leafChanges(local.text, shown) : undefined) ??
    (olds.__leaves === undefined ? undefined : leavesSince(String(olds.__leaves), shown));
  if (values !== undefined) {
    if (!shop.notice({ type: "settings", kind, id, found: true, values }))
      shop.say(`${kind} ${id}: the settings were changed in the shop: ${values.map(leafText).join("; ")}`);
    return;
  }
  if (local?.text === undefined) return;
  if (isAsWritten)
    shop.say(`${kind} ${id}: the text was changed in the shop:\n${hunksText(local.text, shown, mostLines)}`);
  else
    shop.say(
      `${kind} ${id}: the text was changed in the shop, and ${file.path} since the last run too; the shop (-) against the file (+):\n${hunksText(shown, local.text, mostLines)}`,
    );
}

function changeText({ path, old, new: next }: LeafChange): string {
  const [before, after] = quotedSideBySide([old, next]);
  return `${path}: ${old === undefined ? "(none)" : before} => ${next === undefined ? "(none)" : after}`;
}

function leafText({ path, old, new: next }: LeafChange): string {
  const [before, after] = quotedSideBySide([old, next]);
  return old === undefined ? `${path} is ${after} now` : `${path}: ${before} => ${after}`;
}

/**
 * Reports how an update changes a JSON text, value by value. Values that only staff changed are kept.
 * @param wanted the merged arguments; without a body if none is sent
 */
export function reportSettings(
  { definition: { kind, body }, shop, id, olds, args, seen }: ReadSubject,
  wanted: Values,
): void {
  if (body?.text === undefined) return;
  const values = leafChanges(shownText(seen), textOf(wanted, shop.folder));
  if (values === undefined || isTextHidden(shop, olds, args)) return;
  if (shop.notice({ type: "settings", kind, id, found: false, values })) return;
  // In its diff Pulumi's engine shows two hashes.
  if (!shop.plan.isEmbedded)
    shop.sayInPreview(`${kind} ${id}: changes settings: ${values.map(changeText).join("; ")}`);
}

/**
 * The unified hunks of an update: the text in the shop against the one to be sent.
 * @param subject with the object, if it was read already
 * @returns undefined if no text changes, if it is hidden, or if the engine's diff shows all of it
 */
export async function textChange(
  subject: Subject & Partial<ReadSubject>,
  most = Number.POSITIVE_INFINITY,
): Promise<string | undefined> {
  const { definition, shop, id, olds, args } = subject;
  if (definition.body?.text === undefined || !bodyDiffers(definition, olds, args)) return undefined;
  if (isTextHidden(shop, olds, args)) return undefined;
  const seen = subject.seen ?? (await readObject(definition, shop, id));
  if (typeof seen !== "object") return undefined;
  const remote = shownText(seen);
  const { wanted } = changeFromShop({ ...subject, seen });
  const next = textOf(wanted, shop.folder);
  if (next === undefined || remote === undefined || next === remote) return undefined;
  // `reportSettings` shows these.
  if (leafChanges(remote, next) !== undefined) return undefined;
  // The engine's diff shows an inline text, unless others edited it since.
  if (fileIn(args) === undefined && sha256(remote) === hashIn(olds)) return undefined;
  return hunksText(remote, next, most);
}

/** Reports how a change changes a text, line by line. */
export async function showTextChange(subject: Subject & Partial<ReadSubject>): Promise<void> {
  const { definition, shop, id } = subject;
  const lines = await textChange(subject);
  if (lines === undefined) return;
  if (!shop.notice({ type: "text", kind: definition.kind, id, lines }))
    shop.say(textChangeText(subject, lines));
}

export const textChangeText = ({ definition, id }: ObjectRef, lines: string): string =>
  `${definition.kind} ${id}: remote text (-) and new text (+):\n${lines}`;
