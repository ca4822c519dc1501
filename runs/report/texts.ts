/** What the provider told of single objects while it planned: hunks of texts, and what is taken over. */
import { kindOf, type Step } from "../../engine/index.ts";
import type { LeafChange, Notice } from "../../provider/inventory/index.ts";

export interface Texts {
  /** The hunks of what a step does to a text; undefined where no text was looked at, and of what a refresh found. */
  of(step: Step): string | undefined;
  /** What becomes of the values of a text that is JSON, of what a refresh found too; undefined where nobody compared them. */
  settings(step: Step): readonly LeafChange[] | undefined;
  /** The id that the program stated of what a step takes over, where the shop doesn't have that one. */
  instead(step: Step): string | undefined;
  readonly all: readonly Extract<Notice, { type: "text" }>[];
}

/** What the notices of a plan tell of its objects. */
export function textsIn(notices: readonly Notice[]): Texts {
  const all = notices.filter((notice) => notice.type === "text");
  const texts = new Map(all.map(({ kind, id, lines }) => [`${kind} ${id}`, lines]));
  const stated = new Map(
    notices.flatMap((notice) =>
      notice.type === "adopts" ? [[`${notice.kind} ${notice.id}`, notice.instead] as const] : [],
    ),
  );
  const settings = new Map(
    notices.flatMap((notice) =>
      notice.type === "settings"
        ? [[`${notice.found} ${notice.kind} ${notice.id}`, notice.values] as const]
        : [],
    ),
  );
  const keyOf = ({ type, id }: Step) => `${kindOf(type)} ${id}` as const;
  return {
    all,
    // Hunks are the shop's text against the program's: what was found is the other way round, and told when it is read.
    of: (step) => (step.found ? undefined : texts.get(keyOf(step))),
    settings: (step) => settings.get(`${step.found} ${keyOf(step)}`),
    instead: (step) => stated.get(keyOf(step)),
  };
}
