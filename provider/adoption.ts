/** Taking over what a shop has already: found by its natural key or its id, read, compared; nothing is sent here. */
import type { Failure } from "./check.ts";
import type { Values } from "./codec.ts";
import type { Definition } from "./define.ts";
import { asksText, diff as compare, type Diff, unknownValue } from "./diff.ts";
import { guardChange, ProtectedError } from "./guard.ts";
import { above, identify, type Key, keyOf, keyText } from "./identity.ts";
import type { Shop } from "./lifecycle.ts";
import { findByKey, listed, observe } from "./observe.ts";
import { difference, stateOf } from "./state.ts";

/** An object that a create takes over, and what of it differs from what the program asks. */
export interface Adoption {
  readonly id: string;
  /** The object as it was read. */
  readonly seen: Values;
  readonly state: Values;
  readonly verdict: Exclude<Diff, { readonly type: "replace" }>;
}

/** Whether a create looks for what is there before it makes anything. */
export function looksFirst(definition: Definition, shop: Shop, args: Values): boolean {
  return args.adopt !== undefined || definition.singleton !== undefined || byStack(definition, shop, args);
}

// The stack says for all its resources what a program says for one: take over what is there, create what isn't.
const byStack = (definition: Definition, shop: Shop, args: Values) =>
  shop.adopt === "key" && keyOf(definition, args) !== undefined;

/**
 * What a create takes over; undefined where it isn't there and nobody insists.
 * @throws Error where the object that is meant isn't there, isn't one alone, or can't become what is asked
 */
export async function adoptionOf(
  definition: Definition,
  shop: Shop,
  args: Values,
): Promise<Adoption | undefined> {
  const place = placeOf(definition, args);
  // What this run looked at when it checked the arguments need not be asked for again.
  const known = shop.looked.get(place);
  shop.looked.delete(place);
  const seen = known ?? (await find(definition, shop, args));
  if (seen === undefined) return undefined;
  const id = identify(definition, seen, args);
  const state = stateOf(definition, args, seen, {});
  const verdict = compare(definition, state, args);
  if (verdict.type === "replace") {
    throw new Error(
      `can't take over ${definition.kind} ${id}: ${verdict.paths.join(", ")} can't be changed in place; state what the shop has`,
    );
  }
  if (verdict.type === "update" && args.adopt === undefined && shop.adopt === undefined) {
    const terms = verdict.paths.map((path) => difference(state, args, path)).join("; ");
    throw new Error(
      `the shop already has a ${definition.kind} with other terms (${terms}); set adopt: "key" to take it over`,
    );
  }
  guardChange(shop.guard, definition, id, state, args, verdict);
  return { id, seen, state, verdict };
}

/** What a create means to take over, as far as its arguments say. */
const placeOf = (definition: Definition, args: Values) =>
  JSON.stringify([definition.kind, args.adopt, above(definition, args), keyOf(definition, args)]);

async function find(definition: Definition, shop: Shop, args: Values): Promise<Values | undefined> {
  const { adopt } = args;
  if (definition.singleton === undefined && (adopt === "key" || adopt === undefined)) {
    const found = await findByKey(definition, shop, args);
    if (found !== undefined || adopt === undefined) return found;
    const key = keyText(keyOf(definition, args) ?? {});
    throw new Error(
      `adopt: "key" found no ${definition.kind} with ${key} in the shop; leave adopt out to create it`,
    );
  }
  const place = adopt === undefined || adopt === "key" ? definition.one : String(adopt);
  const id =
    definition.singleton === undefined && !place.includes("/")
      ? identify(definition, { id: place }, args)
      : place;
  const seen = (await listed(definition, shop, id, asksText(args))) ?? (await observe(definition, shop, id));
  if (typeof seen === "object") return seen;
  if (adopt === undefined) return undefined;
  const why = seen === "gone" ? "there is none with that id" : "this shop doesn't let such objects be read";
  throw new Error(`can't take over ${definition.kind} ${place}: ${why}; leave adopt out to create it`);
}

/**
 * Looks, before anything is done, at what a create will take over, and says it to the person who watches.
 * @returns why it can't, as failures of the argument
 */
export async function announce(
  definition: Definition,
  shop: Shop,
  args: Values,
): Promise<readonly Failure[]> {
  const takes = args.adopt !== undefined || byStack(definition, shop, args);
  if (!takes || isUnknown(definition, args)) return [];
  try {
    const adoption = await adoptionOf(definition, shop, args);
    if (adoption === undefined) return [];
    shop.looked.set(placeOf(definition, args), adoption.seen);
    shop.foretell(adoptionText(definition, args, adoption));
    return [];
  } catch (error) {
    // An answer about the object is the argument's failure; no answer is the run's.
    if (!(error instanceof ProtectedError) && (error as Error).name !== "Error") throw error;
    return [{ property: "adopt", reason: (error as Error).message }];
  }
}

/** `adopts Coupon 8841 (code SALE10), changes discount: 10 => 15`. */
function adoptionText(definition: Definition, args: Values, { id, state, verdict }: Adoption): string {
  const key: Key | undefined = definition.singleton === undefined ? keyOf(definition, args) : undefined;
  const name = key === undefined ? "" : ` (${keyText(key)})`;
  const what = `adopts ${definition.kind} ${id}${name}`;
  if (verdict.type === "none") return `${what} as it is`;
  return `${what}, changes ${verdict.paths.map((path) => difference(state, args, path)).join("; ")}`;
}

// What a preview doesn't know yet can't be looked for.
function isUnknown(definition: Definition, args: Values): boolean {
  const needed = [
    args.adopt,
    ...Object.values(above(definition, args)),
    ...Object.values(keyOf(definition, args) ?? {}),
  ];
  return needed.includes(unknownValue);
}
