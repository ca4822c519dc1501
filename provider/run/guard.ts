/**
 * What a stack marked `shop:protected` refuses: deletes, taking something from the shoppers' eyes, and prices that move
 * further than `shop:maxPriceChange` percent. Refused where the change is first known, which is the preview.
 */
import type { Sources } from "../client/connection.ts";
import type { Definition, Field, Fields } from "../definition/define.ts";
import { type Diff, pair, topOf, unknownValue } from "../values/diff.ts";
import { hidden, isSecretPath, shownPath } from "../values/secrecy.ts";
import type { Values } from "../wire/codec.ts";

/** The rules of a protected stack. */
export interface Guard {
  /** Percent that a price may move without being allowed by name; any when undefined. */
  readonly maxPriceChange: number | undefined;
  /** Whether whoever plans looks at the whole plan: a diff then refuses nothing, so that the list gets whole. */
  readonly isPlanned: boolean;
  /** Objects that were named, as `Kind:id`. */
  readonly allowed: ReadonlySet<string>;
}

/** A change that a protected stack refuses; nothing was sent. */
export class ProtectedError extends Error {
  override readonly name = "ProtectedError";
  readonly refusals: readonly string[];

  constructor(definition: Definition, id: string, refusals: readonly string[]) {
    super(
      `the stack is protected (shop:protected): ${definition.kind} ${id} ${refusals.join("; ")}. ` +
        `Pass --allow with the resource's name to permit it, or set SHOP_ALLOW=${allowance(definition.kind, id)}`,
    );
    this.refusals = refusals;
  }
}

/** How an object is named to a guard. */
export const allowance = (kind: string, id: string): string => `${kind}:${id}`;

/**
 * The guard of a stack; undefined where it isn't protected.
 * @throws Error where a setting can't be read
 */
export function guardOf({ config, env }: Pick<Sources, "config" | "env">): Guard | undefined {
  const isProtected = config?.("shop:protected") ?? env.SHOP_PROTECTED ?? "";
  if (isProtected === "" || isProtected === "false") return undefined;
  if (isProtected !== "true")
    throw new Error(`shop:protected takes true or false, not ${JSON.stringify(isProtected)}`);
  const most = config?.("shop:maxPriceChange") ?? env.SHOP_MAX_PRICE_CHANGE ?? "";
  if (most !== "" && !(Number(most) >= 0))
    throw new Error(`shop:maxPriceChange is a percentage, 20 for instance, not ${JSON.stringify(most)}`);
  return {
    maxPriceChange: most === "" ? undefined : Number(most),
    isPlanned: env.SHOP_GUARD === "plan",
    allowed: new Set((env.SHOP_ALLOW ?? "").split(",").map((name) => name.trim())),
  };
}

/** @throws ProtectedError naming all that a change would do */
export function guardChange(
  guard: Guard | undefined,
  definition: Definition,
  id: string,
  state: Values,
  args: Values,
  verdict: Diff,
): void {
  if (guard === undefined || verdict.type === "none" || guard.allowed.has(allowance(definition.kind, id)))
    return;
  const replaced =
    verdict.type === "replace" ? [`would be replaced, because of ${pathsText(args, verdict.paths)}`] : [];
  const secret = (path: string) => isSecretPath(args, path) || isSecretPath(state, path);
  const refusals = [...replaced, ...refusalsOf(guard, definition.fields, state, args, "", secret)];
  if (refusals.length > 0) throw new ProtectedError(definition, id, refusals);
}

const pathsText = (args: Values, paths: readonly string[]) =>
  [...new Set(paths.map((path) => shownPath(args, path)))].join(", ");

/** @throws ProtectedError where the object wasn't named */
export function guardDelete(guard: Guard | undefined, definition: Definition, id: string): void {
  if (guard === undefined || guard.allowed.has(allowance(definition.kind, id))) return;
  throw new ProtectedError(definition, id, ["would be deleted"]);
}

/** Whether what stands at a path is a secret, so that neither its value nor its item's key is shown. */
type IsSecret = (path: string) => boolean;

function refusalsOf(
  guard: Guard,
  fields: Fields,
  state: Values,
  args: Values,
  above: string,
  isSecret: IsSecret,
): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const [old, next] = [state[name], args[name]];
    const path = above + name;
    // Of what the engine hides only the provider can judge (lifecycle.ts, diff).
    if (next === undefined || next === unknownValue || holdsHidden(next)) return [];
    if (field.items?.fields !== undefined) return itemRefusals(guard, field, old, next, path, isSecret);
    const shown = isSecret(path) ? topOf(path) : path;
    if (field.hides && next === true && old !== true) return [`would be hidden from shoppers (${shown})`];
    if (field.money && guard.maxPriceChange !== undefined)
      return priceRefusals(guard.maxPriceChange, shown, old, next, isSecret(path));
    return [];
  });
}

const holdsHidden = (value: unknown): boolean =>
  value === hidden ||
  (Array.isArray(value) &&
    value.some(
      (item: unknown) => typeof item === "object" && item !== null && Object.values(item).includes(hidden),
    ));

function itemRefusals(
  guard: Guard,
  { items }: Field,
  old: unknown,
  next: unknown,
  path: string,
  isSecret: IsSecret,
): readonly string[] {
  if (items?.fields === undefined) return [];
  const { fields, key } = items;
  const { pairs, gone } = pair(items, next as readonly Values[], (old ?? []) as readonly Values[]);
  const nameOf = (item: Values, index: number) =>
    `${path}[${(key === undefined ? undefined : item[key]) ?? index}]`;
  const changed = pairs.flatMap(([entry, known], index) =>
    known === undefined || (entry as unknown) === unknownValue
      ? []
      : refusalsOf(guard, fields, known, entry, `${nameOf(entry, index)}.`, isSecret),
  );
  const lost = isSecret(path)
    ? gone.slice(0, 1).map(() => `would lose items of ${path}`)
    : gone.map((item, index) => `would lose ${nameOf(item, index)}`);
  return [...changed, ...lost];
}

function priceRefusals(
  most: number,
  path: string,
  old: unknown,
  next: unknown,
  isSecret: boolean,
): readonly string[] {
  const [from, to] = [Number(old ?? Number.NaN), next === "" ? 0 : Number(next)];
  // What had no price yet has none that could move.
  if (Number.isNaN(from) || from === to) return [];
  const percent = from === 0 ? Number.POSITIVE_INFINITY : (Math.abs(to - from) / Math.abs(from)) * 100;
  if (percent <= most) return [];
  const allowed = `and shop:maxPriceChange is ${most} %`;
  if (isSecret) return [`would move ${path}, a secret value, by more than is allowed, ${allowed}`];
  const moved = Number.isFinite(percent) ? `by ${Math.round(percent * 10) / 10} %` : "from nothing";
  return [`would move ${path} ${moved}, ${from} => ${to}, ${allowed}`];
}
