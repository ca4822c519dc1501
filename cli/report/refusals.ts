/** Why a plan is not carried out, as a person reads it. */
import { kindOf, type Step } from "../../engine/index.ts";

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
