/** An object that was deleted in the shop, and that the program means to change: a conflict like any other. */
import type { Definition } from "../definition/define.ts";
import type { Subject } from "../run/subject.ts";
import { touchedIn } from "../values/change.ts";
import { ConflictError, conflictOf } from "./conflict.ts";
import { decided } from "./decided.ts";

/** An object that was there a moment ago and is no more. */
export function absent(definition: Definition, id: string): never {
  throw new Error(`${definition.kind} ${id} was deleted in the shop; run refresh, then up creates it again`);
}

/** @throws ConflictError naming what the program changes of it */
export function refuseGone(subject: Subject): never {
  const { olds } = subject;
  const sides = touchedIn(decided(subject)).map((side) => ({ ...side, is: undefined }));
  const conflict = conflictOf({ ...subject, seen: olds }, { sides, withheld: "update" });
  throw new ConflictError({ ...conflict, isGone: true, live: {} });
}
