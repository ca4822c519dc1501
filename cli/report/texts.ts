/** Hunks of texts that a plan changes, as the provider told them while it planned. */
import { kindOf, type Step } from "../../engine/index.ts";
import type { Notice } from "../../provider/inventory/index.ts";

export interface Texts {
  /** The hunks of what a step is about; undefined where no text was looked at. */
  of(step: Step): string | undefined;
  readonly all: readonly Extract<Notice, { type: "text" }>[];
}

/** The texts among the notices of a plan. */
export function textsIn(notices: readonly Notice[]): Texts {
  const all = notices.filter((notice) => notice.type === "text");
  const texts = new Map(all.map(({ kind, id, lines }) => [`${kind} ${id}`, lines]));
  return { all, of: ({ type, id }) => texts.get(`${kindOf(type)} ${id}`) };
}
