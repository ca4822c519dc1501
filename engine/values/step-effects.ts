/** The effect of each step on its object: one table, so that a new kind of step can't be missed. */
import type { Op, Step } from "./events.ts";

interface Doing {
  /** The resource gets an object that it didn't have before. */
  readonly makes?: true;
  /** The resource's object is deleted or released. */
  readonly ends?: true;
  /** The resource's object is changed, or the resource is renamed. */
  readonly changes?: true;
  /** The step that this one is reported as a part of. */
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
  // An import changes nothing; differences are a separate update.
  import: {},
};

/** Whether a step gives its resource another object: created or adopted. */
export const makes = (op: Op): boolean => doings[op].makes === true;
/** Whether a step ends its resource's object. */
export const ends = (op: Op): boolean => doings[op].ends === true;
export const writes = (op: Op): boolean => makes(op) || ends(op) || doings[op].changes === true;
/** Whether a step sends inputs to the provider. */
export const asks = (op: Op): boolean => makes(op) || doings[op].changes === true;
/** The step that a part is reported as; for other steps the step itself. */
export const wholeOf = (op: Op): Op => doings[op].partOf ?? op;
/** Whether a refresh found that a resource's object no longer exists. */
export const isGone = ({ found, op, stays, replaced }: Step): boolean =>
  found && op === "delete" && stays !== true && replaced !== true;
