/** The options of a run, from its stack and its environment. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Digest, PlannedField } from "../change/planned-fields.ts";
import type { Definition } from "../definition/define.ts";
import { ownerOf } from "../names/owner.ts";
import { type Choice, chosenIn, engineRunIn, messageIn, type PlannedReads } from "../settings/protocol.ts";
import { integerOf, type Sources, wordOf } from "../settings/settings.ts";
import type { Values } from "../wire/codec.ts";
import { messageOf } from "../wire/text.ts";
import { listText } from "./reads.ts";

/** How the command's plan reads each list; undefined without a plan. */
export function plannedReadsOf({
  env,
  by = "host",
  provider,
}: Pick<Sources, "env" | "by" | "provider">): (
  definition: Definition,
  above: Values,
) => PlannedReads | undefined {
  const { reads = {} } = messageIn(env);
  return ({ kind }, above) => reads[listText({ by, provider, kind, above: JSON.stringify(above) })];
}

/** Seconds to search for the object of a create whose response was lost. */
export const defaultPatience = 60;

/** What happens to edits of staff that a refresh has read (`shop:drift`). */
export const driftOf = (sources: Sources): string | undefined =>
  messageIn(sources.env).edits === undefined ? wordOf(sources, "drift") : "revert";

/** How the run is meant. */
export type Plan = Readonly<ReturnType<typeof planOf>>;

/** @throws Error if a setting is invalid */
export function planOf(sources: Sources) {
  const { env } = sources;
  const { planKey, isOwnPlan, approved, check, diff, edits, at } = messageIn(env);
  const drift = driftOf(sources);
  const named = (choice: Choice): ReadonlySet<string> => new Set(chosenIn(env, choice));
  const { isPreview, isEmbedded, recovered, refreshes } = engineRunIn(env);
  return {
    isPreview,
    isEmbedded,
    refreshes,
    /** Whether only the arguments are checked, for a comparison. Nothing is searched for in the shop. */
    onlyArguments: check !== undefined,
    /** Whether diffs show changes of texts line by line (`--diff`). */
    showsTexts: diff !== undefined,
    /** Whether edits of staff may be overwritten, for all objects (`shop:conflicts`). */
    overwritesAll: edits !== undefined || wordOf(sources, "conflicts") === "overwrite",
    /** Objects as `Kind:id` and resources by name that may be overwritten (`--overwrite`). */
    overwritten: named("overwrite"),
    /** Whether edits of staff that a refresh has read stay in the shop, for all objects (`shop:drift: keep`). */
    keepsAll: drift === "keep",
    /** Whether such edits are conflicts (`shop:drift: stop`). */
    stopsOnDrift: drift === "stop",
    /** Objects as `Kind:id`, and kinds, whose edits stay (`--keep`). */
    kept: named("keep"),
    /** Resources whose create may be sent again (`--resend`). */
    resent: named("resend"),
    /** Resources to replace (`--replace`): the object that has their key is the old one. */
    replaced: named("replace"),
    /** Milliseconds to search for the object of a create whose response was lost. */
    patienceMs: (integerOf(sources, "lateAnswers") ?? defaultPatience) * 1000,
    /** The time that the command gave the run: arguments with `from` and `until` apply by it. */
    at,
    /** Makes digests of a plan's secrets; undefined without a plan. */
    digest: planKey === undefined ? undefined : digestUnder(planKey),
    approved: approved === undefined ? undefined : approvedFor(sources, readApproved(approved)),
    /** Resources whose create was interrupted and that the embedded engine has put into the state of this run, by owner. */
    recovered: new Set(recovered.map((urn) => ownerOf(urn).of)),
    /** Whether that plan is the run's own preview, and not a saved one. */
    isOwnPlan,
  };
}

/** Makes keyed digests. @param key in hex */
export function digestUnder(key: string): Digest {
  const bytes = Buffer.from(key, "hex");
  return (text) => createHmac("sha256", bytes).update(text).digest("base64url");
}

/** The stack's setting `shop:adopt`. @throws Error where it can't be read */
export const adoptOf = (sources: Sources): "key" | undefined => wordOf(sources, "adopt");

type ApprovedObjects = Readonly<
  Record<string, readonly { readonly ends: boolean; readonly fields?: readonly PlannedField[] | undefined }[]>
>;

export interface Approved {
  /** What the plan does to each object, by `Kind:id`, with the fields that it saw. */
  readonly objects: ApprovedObjects;
  /** The same for each provider that the program makes, by its URN. */
  readonly others?: Readonly<Record<string, ApprovedObjects>>;
  /** Resources that it creates, by `resourceOf`. */
  readonly creates: readonly string[];
}

/** The part of a plan that is for one process. */
export const approvedFor = ({ provider }: Pick<Sources, "provider">, approved: Approved): Approved =>
  provider === undefined ? approved : { ...approved, objects: approved.others?.[provider] ?? {} };

export const printApproved = (approved: Approved): string => JSON.stringify(approved);

/** @throws Error if the file can't be read, or the command didn't write it: then nothing is approved */
export function readApproved(path: string): Approved {
  try {
    const { objects, others, creates }: Partial<Approved> = JSON.parse(readFileSync(path, "utf8"));
    if (typeof objects === "object" && objects !== null && Array.isArray(creates))
      return { objects, creates, ...(others && { others }) };
  } catch (cause) {
    throw new Error(`the approved plan ${path} can't be read: ${messageOf(cause)}`, { cause });
  }
  throw new Error(`the approved plan ${path} can't be read: it is not one that up --plan has left`);
}
