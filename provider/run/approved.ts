/** What of a saved plan is asked before each write: the command leaves it in a file, the provider reads it. */

import { readFileSync } from "node:fs";
import type { PlannedField } from "../values/planned-fields.ts";
import { messageOf } from "../wire/text.ts";

export interface Approved {
  /** By `Kind:id`: what becomes of an object, with the fields that the plan bound where it saw any. */
  readonly objects: Readonly<
    Record<
      string,
      readonly { readonly ends: boolean; readonly fields?: readonly PlannedField[] | undefined }[]
    >
  >;
  /** Resources that it creates, as `resourceOf` names them. */
  readonly creates: readonly string[];
}

export const printApproved = (approved: Approved): string => JSON.stringify(approved);

/** @throws Error where the file can't be read, or is none of the command's: nothing is approved then */
export function readApproved(path: string): Approved {
  try {
    const { objects, creates }: Partial<Approved> = JSON.parse(readFileSync(path, "utf8"));
    if (typeof objects === "object" && objects !== null && Array.isArray(creates))
      return { objects, creates };
  } catch (cause) {
    throw new Error(`the approved plan ${path} can't be read: ${messageOf(cause)}`, { cause });
  }
  throw new Error(`the approved plan ${path} can't be read: it is not one that up --plan has left`);
}
