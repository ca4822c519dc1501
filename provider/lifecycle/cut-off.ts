/**
 * At the end of a run: creates that were cut off and that no program asked for again. Nothing else would ever say that
 * the shop has their objects (docs/decisions/0010-what-a-create-is-of.md).
 */

import type { Definition } from "../definition/define.ts";
import { definitionOf } from "../resources/index.ts";
import { markOfShop, objectKey, type Shop } from "../run/context.ts";
import { type Ended, isSentTo, type Note, unsettled } from "../run/notes.ts";
import { engineIdOf } from "../values/identity.ts";
import { findPatiently, isResent, resourceText, UndecidedError } from "./lost.ts";
import { observe } from "./observe.ts";

/**
 * Looks for the objects of creates that were cut off.
 * @returns a sentence for each that the shop has, or may have
 */
export async function cutOff(shop: Shop, ended: Ended): Promise<readonly string[]> {
  for (const key of ended.has) shop.memory.owners.kept(key, "");
  const patient = tellingWaits(shop);
  const lines: string[] = [];
  // One after the other: what one finds the next must not take for its own.
  for (const note of await unsettled(shop.notes, ended)) {
    const definition = definitionOf(note.kind);
    if (definition === undefined || !isSentTo(markOfShop(shop), note)) continue;
    const line = await found(definition, patient, note);
    if (line === undefined) continue;
    lines.push(line);
  }
  return lines;
}

/** The shop, for a look that may take a minute: whoever watches is told once why nothing ends. */
function tellingWaits(shop: Shop): Shop {
  let isTold = false;
  return {
    ...shop,
    async wait(delayMs) {
      const seconds = Math.ceil(shop.plan.patienceMs / 1000);
      if (!isTold)
        shop.say(`waiting up to ${seconds} s: the shop may still carry out a create of an interrupted run`);
      isTold = true;
      await shop.wait(delayMs);
    },
  };
}

async function found(definition: Definition, shop: Shop, note: Note): Promise<string | undefined> {
  try {
    const id = note.id ?? (await search(definition, shop, note));
    if (id === undefined) {
      await shop.notes.end(note.kind, note.of);
      return undefined;
    }
    const seen = await observe(definition, shop, id);
    const isOpen =
      typeof seen === "object" &&
      Object.entries(definition.cancel?.when ?? {}).every(([name, value]) => seen[name] === value);
    if (seen !== "hidden" && !isOpen) {
      await shop.notes.confirm(note.kind, id);
      return undefined;
    }
    shop.memory.owners.kept(objectKey(note.kind, id), "");
    return (
      `a create of ${note.kind}${resourceText(note)} was interrupted in an earlier run, and the shop has its object, ${id}, which is in no state: ` +
      `put the resource back into the program and run up to take it over, or delete ${id} in the back office`
    );
  } catch (error) {
    if (error instanceof UndecidedError) return error.message;
    throw error;
  }
}

async function search(definition: Definition, shop: Shop, note: Note): Promise<string | undefined> {
  const seen = await findPatiently(definition, shop, note, { isGivenUp: isResent(shop, note) });
  if (seen === undefined) return undefined;
  const id = engineIdOf(definition, seen, note.above);
  await shop.notes.found(note.kind, note.of, id);
  return id;
}
