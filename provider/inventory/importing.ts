/** Imports an object: its state, and the arguments that a program would have. */
import { bodyAsArgument } from "../body/arguments.ts";
import { stateOf } from "../change/state.ts";
import type { Shop } from "../context/context.ts";
import type { Definition } from "../definition/define.ts";
import type { Read } from "../lifecycle/lifecycle.ts";
import { noticeRead, readFromList, readObject } from "../lifecycle/observe.ts";
import { objectKey } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { programArguments } from "./program-arguments.ts";

/** Tells a read to import; a host of dynamic providers has no other way. */
export const importKey = "__import";

/** The state and the arguments of an imported object. */
export type Imported = Pick<Read, "id" | "props" | "inputs">;

/**
 * Reads an object, with all its arguments except stock.
 * @param added arguments that the engine adds
 * @returns undefined if the object doesn't exist
 * @throws Error if the shop doesn't return such objects
 */
export async function readForImport(
  definition: Definition,
  shop: Shop,
  id: string,
  added: Values,
): Promise<Imported | undefined> {
  const { kind, singleton, one, operations } = definition;
  if (operations.get === undefined && operations.list === undefined)
    throw new Error(
      `${kind} can't be imported, because it is not an object of the shop. Add it to the program and run up`,
    );
  const object = { definition, shop, id, args: added };
  noticeRead(object, "get");
  const page = await readFromList(object, { isPlanned: true });
  const seen = page ?? (await readObject(definition, shop, id));
  if (seen === "gone") return undefined;
  if (seen === "hidden") throw new Error(`${kind} ${id} can't be read: this shop doesn't offer it`);
  shop.memory.imported.add(objectKey(kind, id));
  const { args, leftOut } = programArguments(definition, seen);
  for (const { path, reason } of leftOut)
    shop.say(`${kind} ${id}: ${path} can't be set by a program and is left out: ${reason}`);
  const inputs = { ...args, ...bodyAsArgument(definition, shop.url, seen) };
  return {
    id: singleton === undefined ? id : one,
    props: stateOf(definition, { ...inputs, ...added }, seen, {}),
    inputs,
  };
}
