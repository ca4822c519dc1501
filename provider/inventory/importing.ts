/** An object that no program states yet, as a program would state it: for engines that import. */
import { bodyAsArgument } from "../body/arguments.ts";
import type { Definition } from "../definition/define.ts";
import { observe } from "../lifecycle/observe.ts";
import type { Shop } from "../run/context.ts";
import { stateOf } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { programArguments } from "./program-arguments.ts";

/** By this a read knows that it shall import: a host of dynamic providers has no other verb for it. */
export const importKey = "__import";

/** What the state keeps of an imported object, and the arguments that a program has for it. */
export interface Imported {
  readonly id: string;
  readonly props: Values;
  readonly inputs: Values;
}

/**
 * Reads an object with all arguments that it has values for; what the shop moves by itself (stock) is left to the shop.
 * @param told what the engine says of the resource beside its arguments
 * @returns undefined where there is no such object
 * @throws Error where the shop doesn't let such objects be read
 */
export async function readForImport(
  definition: Definition,
  shop: Shop,
  id: string,
  told: Values,
): Promise<Imported | undefined> {
  const { kind, singleton, one, operations } = definition;
  if (operations.get === undefined && operations.list === undefined)
    throw new Error(
      `${kind} can't be imported: it is no object of the shop. Add it to the program and run up`,
    );
  const seen = await observe(definition, shop, id);
  if (seen === "gone") return undefined;
  if (seen === "hidden") throw new Error(`${kind} ${id} can't be read: this shop doesn't offer it`);
  const { args, leftOut } = programArguments(definition, seen);
  for (const { path, reason } of leftOut)
    shop.say(`${kind} ${id}: ${path} can't be set by a program and is left out: ${reason}`);
  const inputs = { ...args, ...bodyAsArgument(definition, shop.url, seen) };
  return {
    id: singleton === undefined ? id : one,
    props: stateOf(definition, { ...inputs, ...told }, seen, {}),
    inputs,
  };
}
