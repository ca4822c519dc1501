/** What a run says of all that it didn't do. */
import type { Result } from "../../engine/index.ts";
import type { Spent } from "../stack/meter.ts";

/** Whether it is sure that nothing was changed: no request went out that may have. */
export const isUnchanged = ({ writes }: Pick<Spent, "writes">): boolean => writes === 0;

export const unchangedText = "Nothing was changed in the shop.";

/** Of a program that didn't come to its end; undefined of one that did. */
export const deletesText = ({ deletesUnknown }: Result, planned: boolean): string | undefined =>
  deletesUnknown === undefined
    ? undefined
    : `The program did not finish: what it ${planned ? "would delete is unknown" : "no longer has was not deleted"}.`;
