/** Texts about plans that are refused and runs that changed nothing. */
import { kindOf, type Result, type Step } from "../../engine/index.ts";
import type { RequestUsage } from "../stack/request-counter.ts";

/** One reason to refuse a plan. */
export interface Refusal {
  /** The refused step; undefined if there are too many steps. */
  readonly step: Step | undefined;
  /** `would be deleted (shop:protected)`. */
  readonly text: string;
  /** How to permit it. */
  readonly permit: string;
}

/** `Product mug would be deleted (shop:protected); pass --allow mug to permit it`. */
export const refusalText = ({ step, text, permit }: Refusal): string =>
  `${step === undefined ? "" : `${kindOf(step.type)} ${step.name} `}${text}; ${permit}`;

/** The maximum number of lines. */
const mostRefusals = 50;

/** All refusals of a plan, under a heading with the stack's name. */
export function refusalLines(stack: string, refused: readonly Refusal[], all: boolean): readonly string[] {
  const shown = all ? refused : refused.slice(0, mostRefusals);
  const more = refused.length - shown.length;
  return [
    `Refused on the stack ${stack}:`,
    ...shown.map(refusalText),
    ...(more > 0 ? [`… and ${more} more; --verbose shows each`] : []),
  ];
}

/** Whether it is certain that nothing was changed: no request was sent that could have changed something. */
export const sentNoWrites = ({ writes }: Pick<RequestUsage, "writes">): boolean => writes === 0;

export const unchangedText = "Nothing was changed in the shop.";

/** For a program that ended early; undefined for a complete run. */
export const deletesText = ({ deletesUnknown }: Result, planned: boolean): string | undefined =>
  deletesUnknown === undefined
    ? undefined
    : `The program did not finish, so ${planned ? "its deletes are unknown" : "nothing was deleted"}.`;
