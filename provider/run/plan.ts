/** How a run is meant, as its stack and its environment say it. */
import { createHmac } from "node:crypto";
import type { Definition } from "../definition/define.ts";
import { chosenIn, engineRunIn, messageIn, type PlannedReads } from "../settings/protocol.ts";
import { type Sources, secondsOf, wordOf } from "../settings/settings.ts";
import type { Digest } from "../values/planned-fields.ts";
import type { Values } from "../wire/codec.ts";
import { readApproved } from "./approved.ts";
import type { Plan } from "./context.ts";
import { listText } from "./reads.ts";

/** What the command's plan found to be cheapest for a list; undefined where it says nothing. */
export function plannedOf({
  env,
  by = "host",
}: Pick<Sources, "env" | "by">): (definition: Definition, above: Values) => PlannedReads | undefined {
  const { reads = {} } = messageIn(env);
  return ({ kind }, above) => reads[listText({ by, kind, above: JSON.stringify(above) })];
}

/** Seconds for which a create that may have happened is looked for before it is sent again. */
export const usualPatience = 60;
const longestPatience = 600;

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
    overwrites: wordOf(sources, "conflicts") === "overwrite",
    overwritten: new Set(chosenIn(env, "overwrite")),
    keeps: drift === "keep",
    stops: drift === "stop",
    kept: new Set(chosenIn(env, "keep")),
    resent: new Set(chosenIn(env, "resend")),
    replaced: new Set(chosenIn(env, "replace")),
    patienceMs: (secondsOf(sources, "lateAnswers", longestPatience) ?? usualPatience) * 1000,
    at,
    seal: planKey === undefined ? undefined : sealOf(planKey),
    approved: approved === undefined ? undefined : readApproved(approved),
    isOwnPlan,
  };
}

/** Digests under a saved plan's key. @param key in hex */
export function sealOf(key: string): Digest {
  const bytes = Buffer.from(key, "hex");
  return (text) => createHmac("sha256", bytes).update(text).digest("base64url");
}

/** What a stack says of adoption (`shop:adopt`). @throws Error where it can't be read */
export const adoptOf = (sources: Sources): "key" | undefined => wordOf(sources, "adopt");
