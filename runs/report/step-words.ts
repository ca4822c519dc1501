/** Words for steps, runs and refused plans. */
import { kindOf, type Op, type Result, type Step } from "../../engine/index.ts";
import type { RequestUsage } from "../stack/request-counter.ts";

/** The operation of a run. */
export type Verb = "preview" | "up" | "refresh" | "destroy" | "import";

export type Colour = "red" | "green" | "yellow" | "cyan" | "magenta" | "dim" | "bold";

interface Words {
  readonly sign: string;
  readonly colour: Colour;
  readonly planned: string;
  readonly done: string;
  /** Whether the old and new values are shown. */
  readonly showsChanges?: true;
}

/** In the order of the summary. */
export const opWords: Readonly<Record<Op, Words>> = {
  same: { sign: " ", colour: "dim", planned: "unchanged", done: "unchanged" },
  create: { sign: "+", colour: "green", planned: "to create", done: "created" },
  update: { sign: "~", colour: "yellow", planned: "to update", done: "updated", showsChanges: true },
  replace: { sign: "+-", colour: "magenta", planned: "to replace", done: "replaced", showsChanges: true },
  "create-replacement": {
    sign: "++",
    colour: "green",
    planned: "create replacement",
    done: "created replacement",
  },
  delete: { sign: "-", colour: "red", planned: "to delete", done: "deleted" },
  "delete-replaced": { sign: "--", colour: "red", planned: "delete replaced", done: "deleted replaced" },
  read: { sign: ">", colour: "cyan", planned: "to read", done: "read" },
  refresh: { sign: "~", colour: "yellow", planned: "to refresh", done: "refreshed" },
  adopt: { sign: "=", colour: "green", planned: "to adopt", done: "adopted", showsChanges: true },
  import: { sign: "=", colour: "green", planned: "to import", done: "imported" },
  rename: { sign: "»", colour: "cyan", planned: "to rename", done: "renamed", showsChanges: true },
};

export const opOrder: readonly Op[] = (Object.keys(opWords) as Op[]).filter((op) => op !== "same");

const foundWords: Readonly<Partial<Record<Op, string>>> = {
  update: "changed in the shop",
  delete: "deleted in the shop",
  refresh: "could not be read",
};

/** The word for a step: planned, done, or found by a refresh. */
export function stepWord({ op, found, stays, again, left }: Step, planned = true): string {
  if (left) return "stays deleted, as staff left it";
  if (found && stays) return "forgotten";
  const word = countWord(op, found, planned);
  return again ? `${word} again, staff deleted it` : word;
}

export const countWord = (op: Op, finding: boolean, planned = true): string =>
  (finding ? foundWords[op] : undefined) ?? (planned ? opWords[op].planned : opWords[op].done);

const runTitles: Readonly<Record<Verb, readonly [planned: string, done: string]>> = {
  preview: ["Preview:", "Preview:"],
  up: ["Preview:", "Updating"],
  refresh: ["Reading", "Refreshing"],
  destroy: ["Preview of destroy:", "Destroying"],
  import: ["Preview of import:", "Importing"],
};
export const runTitle = (verb: Verb, planned: boolean): string => runTitles[verb][planned ? 0 : 1];

/**
 * Whether the preview of an operation is a plan: it is checked against limits, and the run must follow it.
 * Refresh and import only read.
 */
export const isPlan = (verb: Verb): boolean => verb !== "refresh" && verb !== "import";

/** One reason to refuse a plan. */
export interface Refusal {
  /** The refused step; undefined if there are too many steps. */
  readonly step: Step | undefined;
  /** `would be deleted (shop:protected)`. */
  readonly text: string;
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
    : `The program did not finish, so ${planned ? "its deletes are unknown: up deletes nothing until it does" : "nothing was deleted"}.`;
