/** An object that was deleted in the shop, and that the program means to change: a conflict like any other. */
import type { Definition } from "../definition/define.ts";
import type { Shop } from "../run/context.ts";
import { merge } from "../values/merge.ts";
import { ConflictError, conflictOf, type Met } from "./conflict.ts";

/** An object that was there a moment ago and is no more. */
export function absent(definition: Definition, id: string): never {
  throw new Error(`${definition.kind} ${id} was deleted in the shop; run refresh, then up creates it again`);
}

/**
 * @param met the object as the state knows it
 * @throws ConflictError naming what the program changes of it
 */
export function refuseGone(definition: Definition, shop: Shop, met: Met): never {
  const { touched } = merge(definition, met.seen, met.seen, met.args, shop);
  const sides = touched.map((side) => ({ ...side, is: undefined }));
  const conflict = conflictOf(definition, shop, met, { sides, withheld: "update" });
  throw new ConflictError({ ...conflict, isGone: true, live: {} });
}
