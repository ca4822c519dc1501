/** The provider's notices, by step. */
import { ends, type Failure, kindOf, type Result, type Step, typeOf } from "../../engine/index.ts";
import {
  hidden,
  isBodyPath,
  isRestored,
  isSheet,
  type Notice,
  ownerOf,
  readOwner,
} from "../../provider/inventory/index.ts";
import { definitionOfType } from "../../provider/resources/index.ts";

export type StepNotices = ReturnType<typeof stepNotices>;

/** Whether a step sends nothing: the shop has the values already, or keeps the edits of staff. */
export const sendsNothing = (step: Step, notices: StepNotices): boolean => {
  const changes = notices.changes(step);
  if (step.op !== "update" || step.unfinished === true || changes?.sends !== 0) return false;
  return changes.done.length > 0 || changes.keeps !== undefined;
};

/** Whether a step only updates the state, because staff made the same change in the shop. */
export const isDoneAlready = (step: Step, notices: StepNotices): boolean =>
  sendsNothing(step, notices) && notices.changes(step)?.done.length !== 0;

/** Whether the program hides how the step's text changes (`hideDiffs`). */
const hidesText = ({ changes }: Step): boolean =>
  changes.some((change) => isBodyPath(change.path) && [change.old, change.new].includes(hidden));

/** @param places the resources of the run, with their positions in the program */
export function stepNotices(notices: readonly Notice[], places: Result["places"] = new Map()) {
  const all = notices.filter((notice) => notice.type === "text");
  const by = <One extends { readonly kind: string; readonly id: string; readonly provider?: string }>(
    some: readonly One[],
    more: (one: One) => string = () => "",
  ) => new Map(some.map((one) => [`${more(one)}${one.provider ?? ""} ${one.kind} ${one.id}`, one]));
  const ofEnd = ({ ends: isEnd }: { readonly ends?: true | undefined }) => `${isEnd === true} `;
  const hunks = by(all, ofEnd);
  const stated = by(notices.filter((notice) => notice.type === "adopts"));
  const changes = by(
    notices.filter((notice) => notice.type === "changes"),
    ofEnd,
  );
  // A refresh also reads what a delete would take away.
  const putBack = by(
    notices.filter((notice) => notice.type === "puts-back"),
    ({ withheld }) => `${withheld === "delete"} `,
  );
  const overwritten = by(
    notices.filter((notice) => notice.type === "overwrites"),
    ({ withheld }) => `${withheld === "update"} `,
  );
  const settings = by(
    notices.filter((notice) => notice.type === "settings"),
    ({ found }) => `${found} `,
  );
  const keyOf = (step: Step) => `${step.provider ?? ""} ${kindOf(step.type)} ${idOf(step)}`;
  const endKeyOf = (step: Step) => `${endsSheet(step)} ${keyOf(step)}`;
  const left = by(notices.filter((notice) => notice.type === "leaves"));
  return {
    all,
    /** Whether the object stays in the shop after the step deletes or replaces its resource. */
    leaves: (step: Step) => step.stays === true || (ends(step.op) && left.has(keyOf(step))),
    /** Sentences about values that the shop keeps because the program no longer sets them. */
    unstated: notices.flatMap((notice) => (notice.type === "unstated" ? notice.lines : [])),
    /** Values that a shop probably refuses, changes or shows garbled. */
    doubts: doubtfulArguments(
      notices.filter((notice) => notice.type === "doubts"),
      places,
    ),
    // These hunks go from the shop's text to the program's; a refresh reports its own.
    /** The changed lines of a text; undefined if the provider didn't read it. */
    of: (step: Step) => (step.found || hidesText(step) ? undefined : hunks.get(endKeyOf(step))?.lines),
    /** The changed settings of a JSON file; undefined if they weren't compared. */
    settings: (step: Step) =>
      hidesText(step) ? undefined : settings.get(`${step.found} ${keyOf(step)}`)?.values,
    /** The step compared with the shop; undefined if it wasn't compared. */
    changes: (step: Step) => (updatesInPlace(step) ? changes.get(endKeyOf(step)) : undefined),
    /**
     * The step's effects on the shop; undefined if the provider didn't report them. Removing a sheet may restore
     * prices.
     */
    effects(step: Step) {
      if (!updatesInPlace(step) && !endsSheet(step)) return undefined;
      const adopted = step.op === "adopt" ? stated.get(keyOf(step))?.effects : undefined;
      return adopted ?? changes.get(endKeyOf(step))?.effects;
    },
    /** Whether removing a sheet gives the shop its old prices back. Another sheet may set the same prices by now. */
    restores: (step: Step) =>
      isEndOfSheet(step) &&
      step.stays !== true &&
      isRestored(step.olds) &&
      changes.get(endKeyOf(step))?.sends !== 0,
    overwritten: (step: Step) =>
      step.found || (!updatesInPlace(step) && !ends(step.op))
        ? []
        : (overwritten.get(`${updatesInPlace(step)} ${keyOf(step)}`)?.fields ?? []),
    /** Edits of staff that a refresh has read and the step puts back or deletes. */
    putBack: (step: Step) =>
      updatesInPlace(step) || (!step.found && (step.op === "replace" || step.op === "delete"))
        ? (putBack.get(`${step.op === "delete"} ${keyOf(step)}`)?.fields ?? [])
        : [],
    /** The id in `adopt`, if the shop doesn't have that object and another one is adopted. */
    instead: (step: Step) => stated.get(keyOf(step))?.instead,
  };
}

/** Doubts in the form of failures, so that reports show both alike. */
function doubtfulArguments(
  all: readonly Extract<Notice, { readonly type: "doubts" }>[],
  places: Result["places"],
): readonly Failure[] {
  if (all.length === 0) return [];
  const urns = new Map(
    [...places.keys()].flatMap((urn) =>
      definitionOfType(typeOf(urn)) === undefined ? [] : [[ownerOf(urn).of, urn] as const],
    ),
  );
  return all.map(({ of, doubts }) => {
    const urn = urns.get(of);
    const place = urn === undefined ? undefined : places.get(urn);
    const message = doubts.map(({ property, given, reason }) => `${property} is ${given}; it ${reason}`);
    return { urn, message: message.join("\n"), ...(place !== undefined && { place }), wrong: doubts };
  });
}

/** The id of a step's object. A sheet has none that the shop gives: its replacement has the one from before. */
export const idOf = ({ id, type, urn }: Step): string | undefined =>
  id ?? (isSheet(kindOf(type)) ? readOwner(ownerOf(urn).of).place : undefined);

/** Whether a step removes a sheet, which is no object of the shop. */
export const isEndOfSheet = (step: Step) => endsSheet(step) && step.op === "delete";

/** Whether a step deletes a sheet, also one that the same run creates again. */
const endsSheet = ({ op, found, type }: Step) =>
  !found && (op === "delete" || op === "delete-replaced") && isSheet(kindOf(type));

/** Whether a step gives an object a successor; to the shop, the replacement of a sheet is an update. */
export const isReplaced = ({ op, type }: Step) =>
  (op === "replace" || op === "create-replacement") && !isSheet(kindOf(type));

const updatesInPlace = (step: Step) =>
  !step.found &&
  ["update", "rename", "adopt", "replace", "create-replacement"].includes(step.op) &&
  !isReplaced(step);
