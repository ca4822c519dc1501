/** What each step does to the object that it is about: asked here, so that a new step is forgotten nowhere. */
import type { Op, Step } from "./events.ts";

interface Doing {
  /** Afterwards there is an object that the resource didn't have before. */
  readonly makes?: true;
  /** The object that the resource had is gone afterwards. */
  readonly ends?: true;
  /** The object that the resource had is changed, or is the resource's under another name. */
  readonly changes?: true;
  /** The step that it carries out a part of, where one is told as a whole. */
  readonly partOf?: "replace";
}

const doings: Readonly<Record<Op, Doing>> = {
  same: {},
  create: { makes: true },
  update: { changes: true },
  delete: { ends: true },
  replace: { makes: true, ends: true },
  "create-replacement": { makes: true, partOf: "replace" },
  "delete-replaced": { ends: true, partOf: "replace" },
  read: {},
  refresh: {},
  adopt: { makes: true },
  rename: { changes: true },
  // What is there comes into the state as it is; what differs is an update.
  import: {},
};

/** Whether a step gives its resource another object: made, or taken over. */
export const makes = (op: Op): boolean => doings[op].makes === true;
/** Whether a step ends the object of its resource. */
export const ends = (op: Op): boolean => doings[op].ends === true;
/** Whether a step does anything to an object. */
export const writes = (op: Op): boolean => makes(op) || ends(op) || doings[op].changes === true;
/** Whether a step asks for arguments. */
export const asks = (op: Op): boolean => makes(op) || doings[op].changes === true;
/** The step as which it is told where it carries out a part of one; the step itself of all others. */
export const wholeOf = (op: Op): Op => doings[op].partOf ?? op;
/** Whether a refresh has found that the object of a resource is gone. */
export const isGone = ({ found, op, stays, replaced }: Step): boolean =>
  found && op === "delete" && stays !== true && replaced !== true;
