/** What a stack and its environment say of a run beside the connection. */
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Sources } from "../client/connection.ts";
import type { Definition } from "../definition/define.ts";
import type { Seal } from "../values/bound.ts";
import type { Values } from "../wire/codec.ts";
import type { Approved, Plan } from "./context.ts";
import { listText, type Planned } from "./reads.ts";

/** What a stack's file may say to this provider, as `shop:url`; docs/installation-configuration.md has each. */
export const settingNames = [
  "url",
  "applicationId",
  "password",
  "token",
  "secret",
  "capacity",
  "perPage",
  "maxWait",
  "allowOutside",
  "adopt",
  "conflicts",
  "lateAnswers",
  "refresh",
  "protected",
  "maxPriceChange",
  "maxDiscount",
  "maxDeletes",
  "maxReplacements",
  "belowCost",
] as const;
export type SettingName = (typeof settingNames)[number];

/** What the command's plan found to be cheapest (`SHOP_READS`, cli/report/request-cost.ts), by `listText`. */
export function plannedOf({
  SHOP_READS: stated = "{}",
}: Sources["env"]): (definition: Definition, above: Values) => Planned | undefined {
  const planned = JSON.parse(stated) as Readonly<Record<string, Planned>>;
  return ({ kind }, above) => planned[listText(kind, JSON.stringify(above))];
}

const names = (text: string | undefined): ReadonlySet<string> =>
  new Set(
    (text ?? "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );

/** Milliseconds for which a create that may have happened is looked for before it is sent again. */
const usualPatienceMs = 60_000;

/**
 * How a run is meant.
 * @throws Error where a setting can't be read
 */
export function planOf({ config, env }: Sources): Plan {
  const conflicts = config?.("shop:conflicts") ?? env.SHOP_CONFLICTS ?? "";
  if (!["", "stop", "overwrite"].includes(conflicts))
    throw new Error(`shop:conflicts must be stop or overwrite, got ${JSON.stringify(conflicts)}`);
  const seconds = config?.("shop:lateAnswers") ?? env.SHOP_LATE_ANSWERS ?? "";
  if (seconds !== "" && !(Number(seconds) >= 0 && Number(seconds) <= 600))
    throw new Error(
      `shop:lateAnswers must be a number of seconds from 0 to 600, got ${JSON.stringify(seconds)}`,
    );
  const isEmbedded = env.PULUMI_EMBEDDED_ENGINE === "true";
  const dry = env.PULUMI_NODEJS_DRY_RUN;
  return {
    // The real engine doesn't tell the host of dynamic providers which of the two it is at.
    isPreview: isEmbedded && dry !== undefined ? dry === "true" : undefined,
    isEmbedded,
    onlyArguments: env.SHOP_CHECK === "arguments",
    overwrites: conflicts === "overwrite",
    overwritten: names(env.SHOP_OVERWRITE),
    resent: names(env.SHOP_RESEND),
    patienceMs: seconds === "" ? usualPatienceMs : Number(seconds) * 1000,
    seal: env.SHOP_PLAN_KEY === undefined ? undefined : sealOf(env.SHOP_PLAN_KEY),
    approved: approvedOf(env.SHOP_APPROVED),
  };
}

/** Digests under a saved plan's key. @param key in hex */
export function sealOf(key: string): Seal {
  const bytes = Buffer.from(key, "hex");
  return (text) => createHmac("sha256", bytes).update(text).digest("base64url");
}

/** The saved plan that the command carries out: a file of its own making. */
const approvedOf = (path: string | undefined): Approved | undefined =>
  path === undefined ? undefined : (JSON.parse(readFileSync(path, "utf8")) as Approved);

/** What a stack says of adoption (`shop:adopt`). @throws Error where it can't be read */
export function adoptOf({ config, env }: Sources): "key" | undefined {
  const stated = config?.("shop:adopt") ?? env.SHOP_ADOPT;
  if (stated === undefined || stated === "") return undefined;
  if (stated === "key") return stated;
  throw new Error(`shop:adopt must be key, or left out; got ${JSON.stringify(stated)}`);
}

/**
 * Whether refreshes may ask for what changed since the last one (`shop:refresh`), and this run's reads are a refresh's:
 * an engine of ours also reads what it is about to delete.
 * @throws Error where it can't be read
 */
export function refreshesByChanges({ config, env }: Sources): boolean {
  const stated = config?.("shop:refresh") ?? env.SHOP_REFRESH ?? "";
  if (!["", "whole", "changes"].includes(stated))
    throw new Error(`shop:refresh must be whole or changes, got ${JSON.stringify(stated)}`);
  const isRefresh = env.PULUMI_EMBEDDED_ENGINE !== "true" || env.PULUMI_EMBEDDED_REFRESH === "true";
  return stated === "changes" && isRefresh;
}
