/** Conflicts: objects that staff and the program both changed. */
import { type Ended, type Failure, kindOf, type Result } from "../../engine/index.ts";
import {
  type Notice,
  partlyDoneText,
  type Conflict as Told,
  type ConflictField as ToldField,
} from "../../provider/inventory/index.ts";
import { labelText } from "./labels.ts";
import { objectName } from "./object-names.ts";

/** One field of a conflict; `asked` is missing if the object is to be deleted. */
export interface ConflictField extends ToldField {
  /** The path in words: `MUG-R price`. */
  readonly label: string;
}

/** An object for which nothing was sent. Secrets are "[secret]". */
export interface Conflict extends Told {
  /** The object's name in the shop. */
  readonly title: string;
  readonly urn: string;
  /** The URN of the provider that the program gives it; undefined for the default one. */
  readonly provider?: string;
  readonly fields: readonly ConflictField[];
}

/**
 * The conflicts of a pass: refused steps, and steps that are applied except for some fields.
 * @param ended the steps of the pass
 * @param earlier conflicts of the preview: the run doesn't ask the provider about them again
 */
export function conflictsIn(
  { done, failed, refused }: Ended,
  notices: readonly Notice[],
  earlier: readonly Conflict[] = [],
): readonly Conflict[] {
  const keyOf = (kind: string, id: string | undefined, provider = "") => `${provider} ${kind} ${id}`;
  const told = new Map(
    notices.flatMap((notice) =>
      notice.type === "conflict" ? [[keyOf(notice.kind, notice.id, notice.provider), notice] as const] : [],
    ),
  );
  const declined = new Set(refused.map(({ step }) => step));
  const found = [...declined, ...failed.map(({ step }) => step), ...done].flatMap(
    (step): readonly Conflict[] => {
      const notice = told.get(keyOf(kindOf(step.type), step.id, step.provider));
      const isDeclined = declined.has(step);
      if (notice === undefined)
        return isDeclined ? earlier.filter(({ urn, id }) => urn === step.urn && id === step.id) : [];
      const { type: _conflict, withheld, fields, ...own } = notice;
      if (!isDeclined && !own.isRest) return [];
      return [
        {
          ...own,
          ...objectName(step),
          urn: step.urn,
          ...(step.provider !== undefined && { provider: step.provider }),
          // The provider sees a replacement as a delete.
          withheld: withheld === "delete" && step.op !== "delete" ? "replace" : withheld,
          fields: fields.map((field) => ({ ...field, label: labelText(field.path) })),
        },
      ];
    },
  );
  // A replacement and its parts are one conflict.
  return [...new Map(found.map((one) => [keyOf(one.urn, one.id), one])).values()];
}

/** Adds the failures for steps that were applied except for their conflicts. */
export function withRefusedRest(result: Result, conflicts: readonly Conflict[]): Result {
  const rest = conflicts.filter(({ isRest }) => isRest);
  if (rest.length === 0) return result;
  const others = result.failures.filter(({ message }) => message !== partlyDoneText);
  const refused = rest.map(({ urn }): Failure => ({ urn, message: partlyDoneText, refused: true }));
  return {
    ...result,
    outcome: result.outcome === "succeeded" ? "failed" : result.outcome,
    failures: [...others, ...refused],
  };
}

export const otherFailures = (
  failures: readonly Failure[],
  conflicts: readonly Conflict[],
): readonly Failure[] =>
  failures.filter(({ urn, refused }) => !(refused && conflicts.some((one) => one.urn === urn)));
