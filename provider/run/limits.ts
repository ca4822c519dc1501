/**
 * What a stack's file says of how far a run may go: `shop:protected` and the limits beside it. Each holds by itself, on
 * any stack; none permits what another refuses.
 */

import { type Path, pathIn, pathText, topOf } from "../../engine/pulumi/path.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, objectKey } from "../names/owner.ts";

import { chosenIn, messageIn } from "../settings/protocol.ts";
import { countOf, flagOf, percentageOf, type Sources, wordOf } from "../settings/settings.ts";
import type { Diff } from "../values/diff.ts";
import { isSecretPath, secretsOf, shownPath } from "../values/secrets.ts";
import type { Values } from "../wire/codec.ts";
import { type Effect, effectsOf, type Offer } from "./effects.ts";

export interface Limits {
  /** Nothing is deleted, replaced, hidden from shoppers or emptied. */
  readonly isProtected: boolean;
  /** Percent that a price may move, up or down. */
  readonly maxPriceChange: number | undefined;
  /** Percent of an order that a new or a changed discount may take. */
  readonly maxDiscount: number | undefined;
  /** Objects that one run may delete, and replace. */
  readonly maxDeletes: number | undefined;
  readonly maxReplacements: number | undefined;
  /** Whether nothing may be sold for less than it cost. */
  readonly refusesBelowCost: boolean;
}

/** The limits of a stack in one run. */
export interface Guard extends Limits {
  /** Whether whoever plans looks at the whole plan: a diff then refuses nothing, so that the list gets whole. */
  readonly isPlanned: boolean;
  /** What a person permits: objects as `Kind:id`, resources by name. */
  readonly allowed: ReadonlySet<string>;
}

/**
 * The limits of a stack: its configuration, else the environment.
 * @throws Error where a setting can't be read
 */
export const limitsOf = (sources: Pick<Sources, "config" | "env">): Limits => ({
  isProtected: flagOf(sources, "protected"),
  maxPriceChange: percentageOf(sources, "maxPriceChange"),
  maxDiscount: percentageOf(sources, "maxDiscount"),
  maxDeletes: countOf(sources, "maxDeletes"),
  maxReplacements: countOf(sources, "maxReplacements"),
  refusesBelowCost: wordOf(sources, "belowCost") === "refuse",
});

/** Whether any of them could refuse anything. */
export const isLimiting = (limits: Limits): boolean =>
  Object.values(limits).some((limit) => limit !== undefined && limit !== false);

/**
 * What a person permits: resources by name or URN, objects as `Kind:id`, kinds; `*` stands for any letters. Behind a name, in
 * brackets, the items that it is about: `sale[SUMMER-*]`.
 */

/** Whether one that was named means a name. */
export function isMeant(one: string, name: string): boolean {
  if (one === name) return true;
  if (one.includes("*")) return patternOf(one).test(name);
  return /^[A-Z]\w*$/.test(one) && name.startsWith(`${one}:`);
}

const patternOf = (one: string): RegExp =>
  new RegExp(`^${one.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s");

/** Whether one of these names is permitted. */
export const permits = (allowed: ReadonlySet<string>, names: readonly string[]): boolean =>
  names.some((name) => allowed.has(name) || [...allowed].some((one) => isMeant(one, name)));

/** A name without the items that stand behind it: `sale` of `sale[A-*]`. */
export const wholeOf = (one: string): string => /^([^[]+)\[.+\]$/.exec(one)?.[1] ?? one;

/** Whether an item of what has these names is permitted. */
export const permitsItem = (
  allowed: ReadonlySet<string>,
  names: readonly string[],
  item: string | undefined,
): boolean =>
  item !== undefined &&
  permits(
    allowed,
    names.map((name) => `${name}[${item}]`),
  );

/** A sheet may have thousands. */
const mostRefusals = 20;

/** A change that a stack's limits refuse; nothing was sent. */
export class ProtectedError extends Error {
  override readonly name = "ProtectedError";
  readonly refusals: readonly string[];
  /** The first argument that is to blame; empty where none is. */
  readonly argument: string;

  constructor(what: string, allowed: string, refusals: readonly string[], argument = "") {
    const more = refusals.length - mostRefusals;
    const shown = refusals.slice(0, mostRefusals).join("; ");
    super(
      `beyond the limits of the stack: ${what} ${shown}${more > 0 ? `; and ${more.toLocaleString("en-US")} more` : ""}. ` +
        `Pass --allow with the resource's name to permit it, or set SHOP_ALLOW=${allowed}`,
    );
    this.refusals = refusals;
    this.argument = argument;
  }
}

/**
 * The guard of a stack; undefined where it has no limits.
 * @throws Error where a setting can't be read
 */
export function guardOf(sources: Pick<Sources, "config" | "env">): Guard | undefined {
  const limits = limitsOf(sources);
  if (!isLimiting(limits)) return undefined;
  const { env } = sources;
  return {
    ...limits,
    isPlanned: messageIn(env).guard !== undefined,
    allowed: new Set(chosenIn(env, "allow")),
  };
}

/**
 * Whether a call is to judge what it is asked for: whoever plans judges the whole plan by itself, but sees no secret.
 */
export const isJudged = (guard: Guard | undefined, ...values: readonly Values[]): boolean =>
  guard !== undefined && (!guard.isPlanned || values.some((one) => secretsOf(one).length > 0));

/** An object as the state has it, and as the program asks for it. */
interface ObjectChange {
  readonly definition: Definition;
  readonly id: string;
  readonly olds: Values;
  readonly args: Values;
}

/**
 * @param means what the change means to the shop, where whoever asks knows it already
 * @throws ProtectedError naming all that a change would do
 */
export function guardChange(
  guard: Guard | undefined,
  { definition, id, olds: state, args }: ObjectChange,
  verdict: Diff,
  means?: readonly Effect[],
): void {
  const key = objectKey(definition.kind, id);
  if (guard === undefined || verdict.type === "none" || isAllowed(guard, key, ...namesOf(args))) return;
  const isReplaced = verdict.type === "replace";
  const replaced =
    isReplaced && guard.isProtected
      ? [`would be replaced, because of ${pathsText(args, verdict.replaces)} (shop:protected)`]
      : [];
  const isSecret = (path: string) => isSecretPath(args, path) || isSecretPath(state, path);
  const all = means ?? effectsOf(definition, state, args, isReplaced);
  const effects = judged(guard, all, [key, ...namesOf(args)]);
  const refusals = [...replaced, ...refusalsOf(guard, effects, isSecret)];
  if (refusals.length > 0) throw new ProtectedError(`${definition.kind} ${id}`, key, refusals);
}

/** @throws ProtectedError naming all that a change would do that means this to the shop */
export function guardEffects(
  guard: Guard,
  { kind, name }: { readonly kind: string; readonly name: string },
  id: string,
  effects: readonly Effect[],
): void {
  const key = objectKey(kind, id);
  if (isAllowed(guard, key, name)) return;
  const refusals = refusalsOf(guard, judged(guard, effects, [key, name]), () => false);
  if (refusals.length > 0) throw new ProtectedError(`${kind} ${id}`, key, refusals);
}

/** @throws ProtectedError where what is new goes beyond a limit */
export function guardCreate(guard: Guard | undefined, definition: Definition, args: Values): void {
  const names = namesOf(args);
  if (guard === undefined || isAllowed(guard, objectKey(definition.kind, ""), ...names)) return;
  const name = names.at(-1) ?? "";
  const isSecret = (path: string) => isSecretPath(args, path);
  const effects = judged(guard, effectsOf(definition, undefined, args), names);
  const refusals = refusalsOf(guard, effects, isSecret);
  const blamed = effects.find((effect) => refusalsOf(guard, [effect], isSecret).length > 0);
  if (blamed === undefined) return;
  throw new ProtectedError(`${definition.kind} ${name}`.trim(), name, refusals, topOf(blamed.path));
}

const pathsText = (args: Values, paths: readonly Path[]) =>
  [...new Set(paths.map((path) => shownPath(args, pathText(path))))].join(", ");

/** @throws ProtectedError where the object wasn't named */
export function guardDelete(guard: Guard | undefined, definition: Definition, id: string): void {
  const key = objectKey(definition.kind, id);
  if (guard === undefined || !guard.isProtected || isAllowed(guard, key)) return;
  throw new ProtectedError(`${definition.kind} ${id}`, key, ["would be deleted (shop:protected)"]);
}

const namesOf = (args: Values): readonly string[] => [nameIn(args)].filter((one) => one !== "");

/** Whether a person permits what becomes of an object, by any of its names. */
export const isAllowed = ({ allowed }: Pick<Guard, "allowed">, ...names: readonly string[]): boolean =>
  permits(allowed, names);

/** What is held against the limits: without what is about an item that a person permits. */
const judged = ({ allowed }: Guard, effects: readonly Effect[], names: readonly string[]) =>
  effects.filter(({ path }) => !permitsItem(allowed, names, pathIn(path)[1]));

/** Whether what stands at a path is a secret, so that neither its value nor its item's key is shown. */
type IsSecret = (path: string) => boolean;

function refusalsOf(guard: Guard, effects: readonly Effect[], isSecret: IsSecret): readonly string[] {
  const refusals = effects.flatMap((effect): readonly string[] => {
    const secret = isSecret(effect.path);
    const path = secret ? topOf(effect.path) : effect.path;
    switch (effect.type) {
      case "hides":
        return guard.isProtected ? [`would be hidden from shoppers (${path}; shop:protected)`] : [];
      case "loses":
        return guard.isProtected ? [`would lose ${secret ? `items of ${path}` : path} (shop:protected)`] : [];
      case "page":
        return guard.isProtected && effect.isEmptied
          ? ["would be emptied, with nothing left on its pages (shop:protected)"]
          : [];
      case "price":
        return [...moveRefusals(guard, effect, path, secret), ...costRefusals(guard, effect, path, secret)];
      case "discount":
        return offerRefusals(guard, effect, path, secret);
      default:
        return [];
    }
  });
  return [...new Set(refusals)];
}

type Price = Extract<Effect, { type: "price" }>;

function moveRefusals(
  { maxPriceChange: most }: Guard,
  { from, to }: Price,
  path: string,
  isSecret: boolean,
): readonly string[] {
  // What had no price yet has none that could move.
  if (most === undefined || from === undefined || to === undefined) return [];
  const percent = Math.abs(percentOf(from, to));
  if (!exceeds(percent, most)) return [];
  const limit = `and shop:maxPriceChange is ${most} %`;
  if (isSecret) return [`would move ${path}, a secret value, by more than is allowed, ${limit}`];
  const moved = Number.isFinite(percent) ? `by ${rounded(percent, most)} %` : "from nothing";
  return [`would move ${path} ${moved}, ${from} => ${to}, ${limit}`];
}

/** Percent by which a figure moves; infinite from nothing. */
export const percentOf = (from: number, to: number): number =>
  from === to ? 0 : from === 0 ? Number.POSITIVE_INFINITY : ((to - from) / Math.abs(from)) * 100;

function costRefusals(
  { refusesBelowCost }: Guard,
  { from, to, cost, costBefore }: Price,
  path: string,
  isSecret: boolean,
): readonly string[] {
  if (!refusesBelowCost || to === undefined || cost === undefined || to >= cost) return [];
  // What was below its cost already, and comes nearer to it, gets no worse.
  const wasBelow = from !== undefined && costBefore !== undefined && from < costBefore;
  if (wasBelow && !exceeds(cost - to, costBefore - from)) return [];
  const what = isSecret ? `${path}, a secret value, below its cost` : `${path} ${to}, below its cost ${cost}`;
  return [`would make ${what}, and shop:belowCost is refuse`];
}

function offerRefusals(
  { maxDiscount: most }: Guard,
  { from, to }: Extract<Effect, { type: "discount" }>,
  path: string,
  isSecret: boolean,
): readonly string[] {
  if (most === undefined || to === undefined || !to.isOpen || !exceeds(to.depth, most)) return [];
  if (from !== undefined && isNoBetter(from, to)) return [];
  const limit = `and shop:maxDiscount is ${most} %`;
  if (isSecret) return [`would take more off an order than is allowed (${path}, a secret value), ${limit}`];
  if (to.isPercent) return [`would take ${to.amount} % off (${path}), ${limit}`];
  if (to.depth >= 100) return [`would take ${to.amount} off, which may be all of a small order, ${limit}`];
  return [`would take ${to.amount} off, ${rounded(to.depth, most)} % of the smallest order, ${limit}`];
}

// What was too deep before is judged where it gets deeper, is opened, or is good for longer.
function isNoBetter(from: Offer, to: Offer): boolean {
  const day = (text: string | undefined, none: string) => text ?? none;
  return (
    from.isOpen &&
    !isDeeper(from, to) &&
    day(to.ends, "9999") <= day(from.ends, "9999") &&
    day(to.starts, "0000") >= day(from.starts, "0000")
  );
}

// A sum of money takes less of a larger order, a percentage the same of any; more than all of the smallest is no more of it.
function isDeeper(from: Offer, to: Offer): boolean {
  if (exceeds(to.depth, from.depth) || (to.isPercent && !from.isPercent)) return true;
  return to.depth >= 100 && !from.isPercent && to.amount > from.amount;
}

/** Whether a figure is above another by more than decimal fractions are off: 0.05 is 25.000000000000007 % above 0.04. */
const exceeds = (one: number, other: number) => one - other > 1e-9;

/** A percentage above a limit, in as few decimal places as show that it is. */
function rounded(percent: number, most: number): number {
  for (let places = 1; places < 9; places += 1) {
    const shown = Number(percent.toFixed(places));
    if (shown > most) return shown;
  }
  return percent;
}
