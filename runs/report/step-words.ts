/** Steps in words: what is planned, was done, or was found. */
import type { Op, Step } from "../../engine/index.ts";

/** What a run does. */
export type Verb = "preview" | "up" | "refresh" | "destroy" | "import";

/** What a person is shown a step in, where there are colours. */
export type Colour = "red" | "green" | "yellow" | "cyan" | "magenta" | "dim" | "bold";

interface Words {
  readonly sign: string;
  readonly colour: Colour;
  readonly planned: string;
  readonly done: string;
  /** Whether what changes is shown: there was an object before. */
  readonly showsChanges?: true;
}

/** In the order in which a person asks for their number. */
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

/** All steps that are more than none, in that order. */
export const opOrder: readonly Op[] = (Object.keys(opWords) as Op[]).filter((op) => op !== "same");

// What a refresh found: somebody else did it.
const foundWords: Readonly<Partial<Record<Op, string>>> = {
  update: "changed in the shop",
  delete: "deleted in the shop",
  refresh: "could not be read",
};

/** What is planned for a resource, or was found of it, in words. */
export function stepWord({ op, found, stays, again, left }: Step, planned = true): string {
  if (left) return "stays deleted, as staff left it";
  if (found && stays) return "forgotten";
  const word = countWord(op, found, planned);
  return again ? `${word} again, staff deleted it` : word;
}

/** The same of a count: what is planned or done, or what a refresh found. */
export const countWord = (op: Op, finding: boolean, planned = true): string =>
  (finding ? foundWords[op] : undefined) ?? (planned ? opWords[op].planned : opWords[op].done);

/** What a run is called above the steps of its preview, and above its own. */
const runTitles: Readonly<Record<Verb, readonly [planned: string, done: string]>> = {
  preview: ["Preview:", "Preview:"],
  up: ["Preview:", "Updating"],
  refresh: ["Reading", "Refreshing"],
  destroy: ["Preview of destroy:", "Destroying"],
  import: ["Preview of import:", "Importing"],
};
export const runTitle = (verb: Verb, planned: boolean): string => runTitles[verb][planned ? 0 : 1];

/** Whether the preview of a verb is a plan, which limits are held against and the run may not go beyond; others only read. */
export const isPlan = (verb: Verb): boolean => verb !== "refresh" && verb !== "import";
