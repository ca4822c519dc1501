/** What the provider told of single objects while it planned: hunks of notices, and what is taken over. */
import { ends, kindOf, type Step } from "../../engine/index.ts";
import { isRestored, isSheet, type LeafChange, type Notice } from "../../provider/inventory/index.ts";

type NoticeOf<Type extends Notice["type"]> = Extract<Notice, { type: Type }>;

export interface StepNotices {
  /** The hunks of what a step does to a text; undefined where no text was looked at, and of what a refresh found. */
  of(step: Step): string | undefined;
  /** What becomes of the values of a text that is JSON, of what a refresh found too; undefined where nobody compared them. */
  settings(step: Step): readonly LeafChange[] | undefined;
  /** The id that the program stated of what a step takes over, where the shop doesn't have that one. */
  instead(step: Step): string | undefined;
  /** What the step means as the shop has the object; undefined where it was not compared with the shop. */
  changes(step: Step): NoticeOf<"changes"> | undefined;
  /** What a step means to the shop; undefined where the provider didn't tell it. The end of a sheet may put values back. */
  effects(step: Step): NoticeOf<"changes">["effects"] | undefined;
  /** Whether a step is the end of a sheet by which the shop gets back what it had: another one may ask the same by now. */
  restores(step: Step): boolean;
  /** What others changed in the shop and the step overwrites, or deletes. */
  overwritten(step: Step): NoticeOf<"overwrites">["fields"];
  /** What others changed in the shop, and a refresh has read, and the step puts back. */
  putBack(step: Step): NoticeOf<"puts-back">["fields"];
  /** Whether the object stays in the shop although the state forgets it, or another takes its place. */
  leaves(step: Step): boolean;
  /** What the shop keeps of arguments that the program states no longer, a sentence each. */
  readonly unstated: readonly string[];
  readonly all: readonly NoticeOf<"text">[];
}

/** Whether a step sends nothing: the shop has already what is asked for, or keeps what staff made of it. */
export const sendsNothing = (step: Step, notices: StepNotices): boolean => {
  const changes = notices.changes(step);
  if (step.op !== "update" || step.unfinished === true || changes?.sends !== 0) return false;
  return changes.done.length > 0 || changes.keeps !== undefined;
};

/** Whether a step only takes into the state what the shop has already: somebody made the same change there. */
export const isDoneAlready = (step: Step, notices: StepNotices): boolean =>
  sendsNothing(step, notices) && notices.changes(step)?.done.length !== 0;

/** What the notices of a plan tell of its objects. */
export function stepNotices(notices: readonly Notice[]): StepNotices {
  const all = notices.filter((notice) => notice.type === "text");
  const by = <One extends { readonly kind: string; readonly id: string }>(
    some: readonly One[],
    more: (one: One) => string = () => "",
  ) => new Map(some.map((one) => [`${more(one)}${one.kind} ${one.id}`, one]));
  const hunks = by(all);
  const stated = by(notices.filter((notice) => notice.type === "adopts"));
  const changes = by(notices.filter((notice) => notice.type === "changes"));
  const putBack = by(notices.filter((notice) => notice.type === "puts-back"));
  const overwritten = by(
    notices.filter((notice) => notice.type === "overwrites"),
    ({ withheld }) => `${withheld === "update"} `,
  );
  const settings = by(
    notices.filter((notice) => notice.type === "settings"),
    ({ found }) => `${found} `,
  );
  const keyOf = ({ type, id }: Step) => `${kindOf(type)} ${id}` as const;
  const left = by(notices.filter((notice) => notice.type === "leaves"));
  return {
    all,
    leaves: (step) => step.stays === true || (ends(step.op) && left.has(keyOf(step))),
    unstated: notices.flatMap((notice) => (notice.type === "unstated" ? notice.lines : [])),
    // Hunks are the shop's text against the program's: what was found is the other way round, and told when it is read.
    of: (step) => (step.found ? undefined : hunks.get(keyOf(step))?.lines),
    settings: (step) => settings.get(`${step.found} ${keyOf(step)}`)?.values,
    changes: (step) => (updatesInPlace(step) ? changes.get(keyOf(step)) : undefined),
    effects: (step) =>
      updatesInPlace(step) || isEndOfSheet(step) ? changes.get(keyOf(step))?.effects : undefined,
    restores: (step) => isEndOfSheet(step) && isRestored(step.olds) && changes.get(keyOf(step))?.sends !== 0,
    overwritten: (step) =>
      step.found || (!updatesInPlace(step) && !ends(step.op))
        ? []
        : (overwritten.get(`${updatesInPlace(step)} ${keyOf(step)}`)?.fields ?? []),
    putBack: (step) =>
      updatesInPlace(step) || (!step.found && step.op === "replace")
        ? (putBack.get(keyOf(step))?.fields ?? [])
        : [],
    instead: (step) => stated.get(keyOf(step))?.instead,
  };
}

/** Whether a step deletes a resource that is no object of the shop: nothing goes there. */
export const isEndOfSheet = ({ op, found, type }: Step) => !found && op === "delete" && isSheet(kindOf(type));

/** Whether a step changes an object in place. */
const updatesInPlace = ({ op, found }: Step) =>
  !found && (op === "update" || op === "rename" || op === "adopt");
