/** The events of a run. They never contain secrets. */
import type { Change, Value } from "./values.ts";

/** Pulumi's names of steps (pkg/display/step_op.go). */
export type Op =
  | "same"
  | "create"
  | "update"
  | "delete"
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  | "read"
  | "refresh"
  /** A create for which the provider adopts an existing object. */
  | "adopt"
  /** The resource gets another name; its object stays. */
  | "rename"
  /** An existing object is imported by its id. */
  | "import";

export interface Step {
  readonly op: Op;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent: string | undefined;
  readonly custom: boolean;
  readonly id: string | undefined;
  /** The URN of the provider that the program gives it; undefined for the default one. */
  readonly provider?: string;
  /** The paths in the option `ignoreChanges`, if there are any. */
  readonly ignoreChanges?: readonly string[];
  /** The differences by path; secret values are "[secret]", unknown ones `unknownText`. */
  readonly changes: readonly Change[];
  /**
   * The inputs of a resource that is created or changed; if the run has a digest key, also those of unchanged
   * resources.
   */
  readonly inputs: Readonly<Record<string, Value>>;
  /** The old outputs, or those of an adopted object; empty for a new resource. */
  readonly olds: Readonly<Record<string, Value>>;
  /** Inputs that force the replacement. */
  readonly replaces: readonly string[];
  /** The former name of a renamed resource. */
  readonly from?: string | undefined;
  /** A part of another step, which is reported separately. */
  readonly partOf?: "replace" | undefined;
  /** For a delete: the resource leaves the state only, its object stays. */
  readonly stays?: true | undefined;
  /** For a create: a refresh found that staff deleted the object, and it is created again. */
  readonly again?: true;
  /** For a delete that a refresh found: the program has the resource, but its object isn't created again. */
  readonly left?: true;
  /** For a delete that a refresh found: the missing object had been replaced, so the resource still has another one. */
  readonly replaced?: true;
  /** Whether a refresh found the difference, and nothing was done to the object. */
  readonly found: boolean;
  /** For a change that a refresh found: the present outputs. */
  readonly seen?: Readonly<Record<string, Value>>;
  /** An earlier run left the resource incomplete, so it is updated again even without differences. */
  readonly unfinished?: true;
  /** The errors of that earlier run. */
  readonly missing?: readonly string[];
  /**
   * Keyed digests of the secrets among inputs and changes, by path (`inputs content`, `old discount`); only if the run
   * has a digest key.
   */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A step that was not performed, and the reason. */
export interface Unfinished {
  readonly step: Step;
  readonly message: string;
}

export type Severity = "info" | "warning" | "error";

/**
 * An event of a run. A step that starts ends exactly once: done, failed or refused. A step that can't begin is reported
 * as failed or refused without a start. The last event of a step repeats all its details. A replacement whose part
 * failed or was refused ends the same way; only the delete of the old object may come after it is done.
 */
export type Event =
  | { readonly type: "started"; readonly step: Step }
  | { readonly type: "done"; readonly step: Step }
  | ({ readonly type: "failed" } & Unfinished)
  /** The provider refused the step and changed nothing: the resource stays as it is, the run continues. */
  | ({ readonly type: "refused" } & Unfinished)
  | {
      readonly type: "message";
      readonly severity: Severity;
      readonly text: string;
      readonly urn: string | undefined;
    }
  /** A line that the program or the provider printed. */
  | { readonly type: "printed"; readonly text: string };

export type Watch = (event: Event) => void;

/** The steps that have ended, in that order; includes parts of replacements. */
export interface Ended {
  readonly done: readonly Step[];
  readonly failed: readonly Unfinished[];
  readonly refused: readonly Unfinished[];
}

/** Sorts the steps of a run by how they ended. */
export const endedIn = (events: readonly Event[]): Ended => ({
  done: events.filter((event) => event.type === "done").map(({ step }) => step),
  failed: events.filter((event) => event.type === "failed"),
  refused: events.filter((event) => event.type === "refused"),
});

/**
 * The events with the ended steps last, in the order in which the program registers their resources. Steps end in any
 * order, and people compare two plans. Resources that the program doesn't have follow by URN.
 */
export function inProgramOrder(events: readonly Event[], registered: Iterable<string>): readonly Event[] {
  const order = new Map([...registered].map((urn, index) => [urn, index]));
  const placeOf = (urn: string) => order.get(urn) ?? order.size;
  const ended = events.flatMap((event) => ("step" in event && event.type !== "started" ? [event] : []));
  const inOrder = ended.toSorted(
    ({ step: { urn: one } }, { step: { urn: other } }) =>
      placeOf(one) - placeOf(other) || (one < other ? -1 : Number(one > other)),
  );
  return [...events.filter((event) => !("step" in event) || event.type === "started"), ...inOrder];
}

/** Number of steps by name, for resources that a provider manages. */
export type Counts = Readonly<Partial<Record<Op, number>>>;

/** Counts updates that sent nothing as unchanged. @param unsent their number */
export function countsWithout(counts: Counts, unsent: number): Counts {
  if (unsent === 0) return counts;
  const { update = 0, same = 0, ...rest } = counts;
  return { ...rest, ...(update > unsent && { update: update - unsent }), same: same + unsent };
}

/** An error; one of the program as a whole has no URN. */
export interface Failure {
  readonly urn: string | undefined;
  readonly message: string;
  /** The position in the program that creates the resource, `index.ts:4`. */
  readonly place?: string;
  /** The step was refused and changed nothing, so the rest of the run is unaffected. */
  readonly refused?: true;
  /** The provider's process ended before it answered: the step may have been done. */
  readonly unanswered?: true;
  /** The invalid arguments that the message lists. */
  readonly wrong?: readonly WrongArgument[];
}

export interface WrongArgument {
  readonly property: string;
  readonly reason: string;
  /** The value as a message shows it, if the reason doesn't contain it. */
  readonly given?: string;
}

export function wrongText(name: string, wrong: readonly WrongArgument[]): string {
  const lines = wrong.map(
    ({ property, reason }) => `\n  ${name}${property === "" ? "" : `.${property}`}: ${reason}`,
  );
  return `invalid ${wrong.length === 1 ? "argument" : "arguments"}:${lines.join("")}`;
}

interface Doing {
  /** The resource gets an object that it didn't have before. */
  readonly makes?: true;
  /** The resource's object is deleted or released. */
  readonly ends?: true;
  /** The resource's object is changed, or the resource is renamed. */
  readonly changes?: true;
  /** The step that this one is reported as a part of. */
  readonly partOf?: "replace";
}

const doings: Readonly<Record<Op, Doing>> = {
  same: {},
  create: { makes: true },
  update: { changes: true },
  delete: { ends: true },
  replace: { makes: true, ends: true },
  "create-replacement": { makes: true, partOf: "replace" },
  "delete-replaced": { ends: true, partOf: "replace" },
  read: {},
  refresh: {},
  adopt: { makes: true },
  rename: { changes: true },
  // An import changes nothing; differences are a separate update.
  import: {},
};

/** Whether a step gives its resource another object: created or adopted. */
export const makes = (op: Op): boolean => doings[op].makes === true;
/** Whether a step ends its resource's object. */
export const ends = (op: Op): boolean => doings[op].ends === true;
export const writes = (op: Op): boolean => makes(op) || ends(op) || doings[op].changes === true;
/** Whether a step sends inputs to the provider. */
export const asks = (op: Op): boolean => makes(op) || doings[op].changes === true;
/** The step that a part is reported as; for other steps the step itself. */
export const wholeOf = (op: Op): Op => doings[op].partOf ?? op;
/** Whether a refresh found that a resource's object no longer exists. */
export const isGone = ({ found, op, stays, replaced }: Step): boolean =>
  found && op === "delete" && stays !== true && replaced !== true;
