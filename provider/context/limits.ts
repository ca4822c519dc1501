/**
 * The limits of a stack: `shop:protected` and the settings beside it. Each applies by itself, in the preview, where a
 * change is first known.
 */

import { type Path, pathIn, pathText, topOf } from "../../engine/pulumi/path.ts";
import type { Diff } from "../change/diff.ts";
import { isSecretPath, secretsOf, shownPath } from "../change/secrets.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, objectKey } from "../names/owner.ts";
import { chosenIn, messageIn } from "../settings/protocol.ts";
import { flagOf, integerOf, percentageOf, type Sources, wordOf } from "../settings/settings.ts";
import type { Values } from "../wire/codec.ts";
import { type Effect, effectsOf, type Offer } from "./effects.ts";

export interface Limits {
  /** Nothing is deleted, replaced, hidden from shoppers or emptied. */
  readonly isProtected: boolean;
  /** Percent that a price may change, up or down. */
  readonly maxPriceChange: number | undefined;
  /** Percent of an order that a new or changed discount may take off. */
  readonly maxDiscount: number | undefined;
  /** Objects that one run may delete. */
  readonly maxDeletes: number | undefined;
  readonly maxReplacements: number | undefined;
  /** Whether a price below the cost is refused. */
  readonly refusesBelowCost: boolean;
}

/** The limits of a stack in one run. */
export interface Guard extends Limits {
  /** Whether the command checks the whole plan, so that diffs refuse nothing. */
  readonly isPlanned: boolean;
  readonly allowed: ReadonlySet<string>;
}

const limitsOf = (sources: Pick<Sources, "config" | "env">): Limits => ({
  isProtected: flagOf(sources, "protected"),
  maxPriceChange: percentageOf(sources, "maxPriceChange"),
  maxDiscount: percentageOf(sources, "maxDiscount"),
  maxDeletes: integerOf(sources, "maxDeletes"),
  maxReplacements: integerOf(sources, "maxReplacements"),
  refusesBelowCost: wordOf(sources, "belowCost") === "refuse",
});

const isLimiting = (limits: Limits): boolean =>
  Object.values(limits).some((limit) => limit !== undefined && limit !== false);

/**
 * Matches a name of `--allow`: a resource by name or URN, an object as `Kind:id`, or a kind. `*` stands for any
 * letters; items follow in brackets: `sale[SUMMER-*]`, `Prices[SUMMER-*]`.
 */
export function isMeant(one: string, name: string): boolean {
  if (one === name) return true;
  if (one.includes("*")) return patternOf(one).test(name);
  return /^[A-Z]\w*$/.test(one) && name.startsWith(`${one}:`);
}

const patternOf = (one: string): RegExp =>
  new RegExp(`^${one.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "s");

export const permits = (allowed: ReadonlySet<string>, names: readonly string[]): boolean =>
  names.some((name) => allowed.has(name) || [...allowed].some((one) => isMeant(one, name)));

/** The name without its items: `sale` for `sale[A-*]`. */
export const wholeOf = (one: string): string => /^([^[]+)\[.+\]$/.exec(one)?.[1] ?? one;

const kindPrefix = /^[A-Z]\w*(?=:)/;

/** Whether an item of a resource with these names is permitted, or the item of any resource of its kind. */
export const permitsItem = (
  allowed: ReadonlySet<string>,
  names: readonly string[],
  item: string | undefined,
): boolean =>
  item !== undefined &&
  permits(
    allowed,
    names.flatMap((name) => [name, ...(kindPrefix.exec(name) ?? [])]).map((name) => `${name}[${item}]`),
  );

/** A sheet may have thousands. */
const mostRefusals = 20;

/** A change that exceeds the stack's limits. Nothing was sent. */
export class ProtectedError extends Error {
  override readonly name = "ProtectedError";
  readonly refusals: readonly string[];
  /** The first argument that exceeds a limit; empty if none does. */
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

/** The limits of a run; undefined if the stack has none. @throws Error where a setting can't be read */
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
 * Whether this call checks the limits: always without a planning command, and for secrets, which the command doesn't
 * see.
 */
export const isJudged = (guard: Guard | undefined, ...values: readonly Values[]): boolean =>
  guard !== undefined && (!guard.isPlanned || values.some((one) => secretsOf(one).length > 0));

interface ObjectChange {
  readonly definition: Definition;
  readonly id: string;
  readonly olds: Values;
  readonly args: Values;
}

/**
 * @param means the effects of the change, if they are computed already
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

/** @throws ProtectedError naming each effect that exceeds a limit */
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

/** @throws ProtectedError if the new object exceeds a limit */
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

/**
 * @param state the object's outputs, which have the resource's name
 * @throws ProtectedError if the stack is protected and `--allow` doesn't name the object
 */
export function guardDelete(
  guard: Guard | undefined,
  definition: Definition,
  id: string,
  state: Values = {},
): void {
  const key = objectKey(definition.kind, id);
  if (guard === undefined || !guard.isProtected || isAllowed(guard, key, ...namesOf(state))) return;
  throw new ProtectedError(`${definition.kind} ${id}`, key, ["would be deleted (shop:protected)"]);
}

const namesOf = (args: Values): readonly string[] => [nameIn(args)].filter((one) => one !== "");

/** Whether `--allow` names the object, by any of its names. */
export const isAllowed = ({ allowed }: Pick<Guard, "allowed">, ...names: readonly string[]): boolean =>
  permits(allowed, names);

const judged = ({ allowed }: Guard, effects: readonly Effect[], names: readonly string[]) =>
  effects.filter(({ path }) => !permitsItem(allowed, names, pathIn(path)[1]));

/** Whether the value at a path is a secret, so that neither it nor its item's key is shown. */
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
      case "currency":
        return currencyRefusals(guard, effect, path, secret);
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
  // An item without a price has none to change.
  if (most === undefined || from === undefined) return [];
  const limit = `and shop:maxPriceChange is ${most} %`;
  if (to === undefined)
    return [`would take away ${isSecret ? `${path}, a secret value` : `${path}, ${from}`}, ${limit}`];
  const percent = Math.abs(percentOf(from, to));
  if (!exceeds(percent, most)) return [];
  if (isSecret) return [`would move ${path}, a secret value, by more than is allowed, ${limit}`];
  const moved = Number.isFinite(percent) ? `by ${rounded(percent, most)} %` : "from nothing";
  return [`would move ${path} ${moved}, ${from} => ${to}, ${limit}`];
}

// Nobody knows the rate between two currencies here.
function currencyRefusals(
  { maxPriceChange: most }: Guard,
  { from, to }: Extract<Effect, { type: "currency" }>,
  path: string,
  isSecret: boolean,
): readonly string[] {
  if (most === undefined) return [];
  const change = isSecret ? "a secret value" : `${from} => ${to}`;
  return [
    `would change the currency of all its prices (${path}, ${change}), and shop:maxPriceChange is ${most} %`,
  ];
}

/** The change in percent; infinite from 0. */
export const percentOf = (from: number, to: number): number =>
  from === to ? 0 : from === 0 ? Number.POSITIVE_INFINITY : ((to - from) / Math.abs(from)) * 100;

function costRefusals(
  { refusesBelowCost }: Guard,
  { from, to, cost, costBefore }: Price,
  path: string,
  isSecret: boolean,
): readonly string[] {
  if (!refusesBelowCost || to === undefined || cost === undefined || to >= cost) return [];
  // A price below the cost may come nearer to it.
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

// A discount above the limit may stay: it is refused if it gets deeper, is activated, or lasts longer.
function isNoBetter(from: Offer, to: Offer): boolean {
  const day = (text: string | undefined, none: string) => text ?? none;
  return (
    from.isOpen &&
    !isDeeper(from, to) &&
    day(to.ends, "9999") <= day(from.ends, "9999") &&
    day(to.starts, "0000") >= day(from.starts, "0000")
  );
}

// A sum is a smaller part of a larger order, a percentage the same part of any. More than the whole smallest order is
// no more of that order.
function isDeeper(from: Offer, to: Offer): boolean {
  if (exceeds(to.depth, from.depth) || (to.isPercent && !from.isPercent)) return true;
  return to.depth >= 100 && !from.isPercent && to.amount > from.amount;
}

/** Whether a number is larger by more than rounding errors: 0.05 is 25.000000000000007 % above 0.04. */
const exceeds = (one: number, other: number) => one - other > 1e-9;

/** The percentage with as few decimal places as show that it is above the limit. */
function rounded(percent: number, most: number): number {
  for (let places = 1; places < 9; places += 1) {
    const shown = Number(percent.toFixed(places));
    if (shown > most) return shown;
  }
  return percent;
}
