/** What a run tells whoever watches it: values of a closed set. Secrets are in none of them. */
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
  /** A create for which the provider takes over an object that is there. */
  | "adopt"
  /** The same object under another name: what the state had it under is gone, the object stays. */
  | "rename"
  /** An object that is there comes under the program by its id. */
  | "import";

export interface Step {
  readonly op: Op;
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  readonly parent: string | undefined;
  readonly custom: boolean;
  readonly id: string | undefined;
  /** What differs, by path; secret values are "[secret]", unknown ones `unknownText`. */
  readonly changes: readonly Change[];
  /** All arguments of what is new or changes; of what stays as it is too where the run was given a seal. */
  readonly inputs: Readonly<Record<string, Value>>;
  /** What the state knows of it, or a provider of what is taken over; empty for what is new. */
  readonly olds: Readonly<Record<string, Value>>;
  /** Arguments that force its replacement. */
  readonly replaces: readonly string[];
  /** The name that a renamed resource had. */
  readonly from?: string | undefined;
  /** A step that only carries out another one, which is told as a whole and ends by itself. */
  readonly partOf?: "replace" | undefined;
  /** Of a delete: only the state forgets it, the object stays where it is. */
  readonly stays?: true | undefined;
  /** Of a create: somebody deleted the object, as a refresh has found; it is made again. */
  readonly again?: true;
  /** Of a delete that was found: the program asks for the object, and it isn't made again. */
  readonly left?: true;
  /** Of a delete that was found: it was left of a replacement, and the resource has another object. */
  readonly replaced?: true;
  /** Whether it tells what a refresh found, where nothing was done. */
  readonly found: boolean;
  /** Of a change that a refresh found: the outputs as they are now. */
  readonly seen?: Readonly<Record<string, Value>>;
  /** An earlier run left it half made: it is tried again, whatever differs. */
  readonly unfinished?: true;
  /** What that run said was missing: it is part of what is done now. */
  readonly missing?: readonly string[];
  /**
   * A keyed digest of each secret among the arguments and the changes, by its place (`inputs content`, `old discount`);
   * only where the run was given a seal.
   */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A step that was not done, and why. */
export interface Unfinished {
  readonly step: Step;
  readonly message: string;
}

export type Severity = "info" | "warning" | "error";

/**
 * What is told of a run, in its order. A step that started ends exactly once: done, failed or refused, and nothing follows of it.
 * One that can't begin is told as failed or refused without a start. What a step tells (why, what it was, what it will be) it
 * tells when it ends, too. A whole whose part failed or was refused ends like it; only the delete of what was replaced
 * may come after the whole is done.
 */
export type Event =
  | { readonly type: "started"; readonly step: Step }
  | { readonly type: "done"; readonly step: Step }
  | ({ readonly type: "failed" } & Unfinished)
  /** The provider declined to do it and did nothing: the resource stays as it is, the rest of the run goes on. */
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

/** The steps that have ended, in that order, parts among them. */
export interface Ended {
  readonly done: readonly Step[];
  readonly failed: readonly Unfinished[];
  readonly refused: readonly Unfinished[];
}

/** What became of the steps of a run. */
export function endedIn(events: readonly Event[]): Ended {
  const done: Step[] = [];
  const failed: Unfinished[] = [];
  const refused: Unfinished[] = [];
  for (const event of events)
    switch (event.type) {
      case "done":
        done.push(event.step);
        break;
      case "failed":
        failed.push(event);
        break;
      case "refused":
        refused.push(event);
        break;
      case "started":
      case "message":
      case "printed":
        break;
      default:
        event satisfies never;
    }
  return { done, failed, refused };
}

/** Steps by their name, of resources that a provider manages. */
export type Counts = Readonly<Partial<Record<Op, number>>>;

/** Why something failed; a program that fails as a whole has no urn. */
export interface Failure {
  readonly urn: string | undefined;
  readonly message: string;
  /** Where the program makes the resource, `index.ts:4`. */
  readonly place?: string;
  /** Nothing was done to the resource, and nothing else is in doubt for it. */
  readonly refused?: true;
  /** The arguments that the provider refused, which the message lists. */
  readonly wrong?: readonly WrongArgument[];
}

export interface WrongArgument {
  readonly property: string;
  readonly reason: string;
}

/** Arguments that a provider refused, as a failure lists them. */
export function wrongText(name: string, wrong: readonly WrongArgument[]): string {
  const lines = wrong.map(
    ({ property, reason }) => `\n  ${name}${property === "" ? "" : `.${property}`}: ${reason}`,
  );
  return `invalid ${wrong.length === 1 ? "argument" : "arguments"}:${lines.join("")}`;
}
