/** Why a plan is not carried out, as a person reads it. */
import { kindOf, type Result, type Step } from "../../engine/index.ts";
import type { RequestUsage } from "../stack/request-counter.ts";

/** One reason why a plan isn't carried out. */
export interface Refusal {
  /** The step that is refused; undefined where it is their number. */
  readonly step: Step | undefined;
  /** `would be deleted (shop:protected)`. */
  readonly text: string;
  /** What permits it. */
  readonly permit: string;
}

/** A refusal as a line: `Product mug would be deleted (shop:protected); pass --allow mug to permit it`. */
export const refusalText = ({ step, text, permit }: Refusal): string =>
  `${step === undefined ? "" : `${kindOf(step.type)} ${step.name} `}${text}; ${permit}`;

/** More refusals than these nobody reads. */
const mostRefusals = 50;

/** All refusals of a plan, under a line that says whose they are. */
export function refusalLines(stack: string, refused: readonly Refusal[], all: boolean): readonly string[] {
  const shown = all ? refused : refused.slice(0, mostRefusals);
  const more = refused.length - shown.length;
  return [
    `Refused on the stack ${stack}:`,
    ...shown.map(refusalText),
    ...(more > 0 ? [`… and ${more} more; --verbose shows each`] : []),
  ];
}

/** Whether it is sure that nothing was changed: no request went out that may have. */
export const sentNoWrites = ({ writes }: Pick<RequestUsage, "writes">): boolean => writes === 0;

export const unchangedText = "Nothing was changed in the shop.";

/** Of a program that didn't come to its end; undefined of one that did. */
export const deletesText = ({ deletesUnknown }: Result, planned: boolean): string | undefined =>
  deletesUnknown === undefined
    ? undefined
    : `The program did not finish: what it ${planned ? "would delete is unknown" : "no longer has was not deleted"}.`;
