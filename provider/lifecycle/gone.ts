/** An object that was deleted in the shop, and that the program means to change: a conflict like any other. */
import type { Definition } from "../definition/define.ts";
import type { Subject } from "../run/subject.ts";
import { programChanges } from "../values/change.ts";
import { engineIdOf, ownId } from "../values/identity.ts";
import { ConflictError, conflictOf } from "./conflict.ts";
import { decided } from "./decided.ts";
import { observe } from "./observe.ts";

/** An object that was there a moment ago and is no more. */
export function absent(definition: Definition, id: string): never {
  throw new Error(`${definition.kind} ${id} was deleted in the shop; run refresh, then up creates it again`);
}

/** The object that the program adopts in its place, where the shop has it: staff made it again, and a pull knows the new one. */
export async function adoptedInstead({ definition, shop, id, args }: Subject): Promise<string | undefined> {
  const { adopt } = args;
  if (adopt === undefined || adopt === "key" || definition.singleton !== undefined) return undefined;
  const other = engineIdOf(definition, { id: ownId(String(adopt)) }, args);
  if (other === id) return undefined;
  return typeof (await observe(definition, shop, other)) === "object" ? other : undefined;
}

/**
 * @param instead the object that the program adopts in its place
 * @throws ConflictError naming what the program changes of it
 */
export function refuseGone(subject: Subject, instead?: string): never {
  const { id, olds } = subject;
  const sides = programChanges(decided(subject)).map((side) => ({ ...side, is: undefined }));
  const { fields, ...conflict } = conflictOf({ ...subject, seen: olds }, { sides, withheld: "update" });
  const adopts = instead === undefined ? [] : [{ path: "adopt", was: id, is: null, asked: instead }];
  throw new ConflictError({ ...conflict, isGone: true, fields: [...adopts, ...fields], live: {} });
}
