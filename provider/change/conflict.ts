/** A conflict, for reports and for programs that use the library. */

import type { AcceptedEdit } from "./field-change.ts";

/** The step that isn't done because of the conflict. */
export type RefusedStep = "update" | "replace" | "delete";

/**
 * An object that staff changed and the program wants to change too. Secrets are masked, and control characters are
 * visible.
 */
export interface Conflict {
  readonly kind: string;
  readonly id: string;
  /** The resource's name in the program; empty if it isn't known. */
  readonly name: string;
  readonly withheld: RefusedStep;
  /** Whether staff deleted the object. Then `fields` has the program's changes. */
  readonly isGone?: true;
  /** Whether only staff changed it, and `shop:drift: stop` keeps their edit from being put back. */
  readonly isStaffs?: true;
  /** Whether everything except these fields was done, as in a price sheet, whose rows are independent. */
  readonly isRest?: true;
  readonly fields: readonly ConflictField[];
  /** The object's arguments in the shop. */
  readonly live: Readonly<Record<string, unknown>>;
}

/** Whether the program adopts another object instead of the deleted one. */
export const adoptsInstead = ({ fields }: Pick<Conflict, "fields">): boolean =>
  fields.some(({ path }) => path === "adopt");

/** The reason for a step that was done except for its conflicts. */
export const partlyDoneText =
  "the values that somebody also changed in the shop were not sent; the rest was applied, and the next run tries again";

/** Two texts that a report compares: the old one with staff's or the program's, or staff's with the program's. */
export interface ChangedSide {
  readonly by: "staff" | "program" | "both";
  readonly old: unknown;
  readonly next: unknown;
}

/** What each side changed; a side that changed nothing is left out. Without the old text, both sides are compared. */
export function changedSides({ was, is, asked }: Pick<ConflictField, "was" | "is" | "asked">) {
  const all: readonly ChangedSide[] =
    was === undefined
      ? [{ by: "both", old: is, next: asked }]
      : [
          { by: "staff", old: was, next: is },
          { by: "program", old: was, next: asked },
        ];
  return all.filter(({ old, next }) => old !== undefined && next !== undefined && old !== next);
}

/** One field of a conflict. Null means no value; an unknown value is left out. */
export interface ConflictField {
  /** `discount`, `variants[MUG-R].price`, `content: colors.link`. For a secret list, only its name. */
  readonly path: string;
  /** The value after the last run. */
  readonly was?: unknown;
  /** The value in the shop. */
  readonly is?: unknown;
  /** Whether the shop's value is JSON's null: `is` is null as if there were none. */
  readonly isNull?: true;
  /** The program's value; left out for a delete. */
  readonly asked?: unknown;
  /** The edit of staff was accepted into another checkout; the program reverts it or sets a third value. */
  readonly accepted?: AcceptedEdit;
  /** Units of the values, such as `%`. A value without a unit has none here. */
  readonly units?: { readonly was?: string; readonly is?: string; readonly asked?: string };
}
