/** How a run is meant, as its stack and its environment say it. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Definition } from "../definition/define.ts";
import { chosenIn, type EngineRun, engineRunIn, messageIn, type PlannedReads } from "../settings/protocol.ts";
import { type Sources, secondsOf, wordOf } from "../settings/settings.ts";
import type { Digest, PlannedField } from "../values/planned-fields.ts";
import type { Values } from "../wire/codec.ts";
import { messageOf } from "../wire/text.ts";
import { listText } from "./reads.ts";

/** What the command's plan found to be cheapest for a list; undefined where it says nothing. */
export function plannedReadsOf({
  env,
  by = "host",
}: Pick<Sources, "env" | "by">): (definition: Definition, above: Values) => PlannedReads | undefined {
  const { reads = {} } = messageIn(env);
  return ({ kind }, above) => reads[listText({ by, kind, above: JSON.stringify(above) })];
}

/** Seconds for which a create that may have happened is looked for before it is sent again. */
export const defaultPatience = 60;
const maxPatience = 600;

/**
 * How a run is meant.
 * @throws Error where a setting can't be read
 */
export function planOf(sources: Sources): Plan {
  const { env } = sources;
  const { planKey, isOwnPlan, approved, check, diff, at } = messageIn(env);
  const drift = wordOf(sources, "drift");
  const { isPreview, isEmbedded } = engineRunIn(env);
  return {
    isPreview,
    isEmbedded,
    onlyArguments: check !== undefined,
    showsTexts: diff !== undefined,
    overwritesAll: wordOf(sources, "conflicts") === "overwrite",
    overwritten: new Set(chosenIn(env, "overwrite")),
    keepsAll: drift === "keep",
    stopsOnDrift: drift === "stop",
    kept: new Set(chosenIn(env, "keep")),
    resent: new Set(chosenIn(env, "resend")),
    replaced: new Set(chosenIn(env, "replace")),
    patienceMs: (secondsOf(sources, "lateAnswers", maxPatience) ?? defaultPatience) * 1000,
    at,
    digest: planKey === undefined ? undefined : digestUnder(planKey),
    approved: approved === undefined ? undefined : readApproved(approved),
    isOwnPlan,
  };
}

/** Digests under a saved plan's key. @param key in hex */
export function digestUnder(key: string): Digest {
  const bytes = Buffer.from(key, "hex");
  return (text) => createHmac("sha256", bytes).update(text).digest("base64url");
}

/** What a stack says of adoption (`shop:adopt`). @throws Error where it can't be read */
export const adoptOf = (sources: Sources): "key" | undefined => wordOf(sources, "adopt");

export interface Approved {
  /** By `Kind:id`: what becomes of an object, with the fields that the plan bound where it saw any. */
  readonly objects: Readonly<
    Record<
      string,
      readonly { readonly ends: boolean; readonly fields?: readonly PlannedField[] | undefined }[]
    >
  >;
  /** Resources that it creates, as `resourceOf` names them. */
  readonly creates: readonly string[];
}

export const printApproved = (approved: Approved): string => JSON.stringify(approved);

/** @throws Error where the file can't be read, or is none of the command's: nothing is approved then */
export function readApproved(path: string): Approved {
  try {
    const { objects, creates }: Partial<Approved> = JSON.parse(readFileSync(path, "utf8"));
    if (typeof objects === "object" && objects !== null && Array.isArray(creates))
      return { objects, creates };
  } catch (cause) {
    throw new Error(`the approved plan ${path} can't be read: ${messageOf(cause)}`, { cause });
  }
  throw new Error(`the approved plan ${path} can't be read: it is not one that up --plan has left`);
}

/** How the run is meant. */
export interface Plan extends Pick<EngineRun, "isPreview" | "isEmbedded"> {
  /** Whether only the arguments are wanted, as a comparison reads a program: nothing is looked for in the shop. */
  readonly onlyArguments: boolean;
  /** Whether a diff tells what becomes of a text, line by line. */
  readonly showsTexts: boolean;
  /** Whether what staff changed may be overwritten, for all objects. */
  readonly overwritesAll: boolean;
  /** What may be overwritten: objects as `Kind:id`, and names of resources. */
  readonly overwritten: ReadonlySet<string>;
  /** Whether what staff changed and a refresh has read stays in the shop where the program asks as before, for all objects. */
  readonly keepsAll: boolean;
  /** Whether the program may not put it back unless a person says so, as of a conflict. */
  readonly stopsOnDrift: boolean;
  /** Objects of which it stays, as `Kind:id`, and kinds. */
  readonly kept: ReadonlySet<string>;
  /** Names of resources whose create may be sent again although the first may have happened. */
  readonly resent: ReadonlySet<string>;
  /** Names of resources that are replaced: what has their key is what they replace. */
  readonly replaced: ReadonlySet<string>;
  /** Milliseconds to look for a create whose answer was lost before it is sent again. */
  readonly patienceMs: number;
  /** The moment of the run, where whoever started it says one: what is asked for a time is asked by it. */
  readonly at?: string | undefined;
  /** Makes what is secret in a plan comparable; undefined where nobody plans. */
  readonly digest?: Digest | undefined;
  /** The plan that is carried out. */
  readonly approved?: Approved | undefined;
  /** Whether that plan is the run's own preview, and no saved one. */
  readonly isOwnPlan?: true | undefined;
}
