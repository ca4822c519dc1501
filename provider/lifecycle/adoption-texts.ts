/** What is said of an object that a create takes over, and of one that isn't there. */
import type { Definition } from "../definition/define.ts";
import { calledIn, type Shop } from "../run/context.ts";
import type { Change } from "../values/change.ts";
import type { Failure } from "../values/check-lists.ts";
import type { Diff } from "../values/diff.ts";
import { keyOf, ownId } from "../values/identity.ts";
import { missingForCreate } from "../values/partial.ts";
import { difference } from "../values/value-text.ts";
import type { Values } from "../wire/codec.ts";
import { shownKey } from "./observe.ts";

/** An object that a create takes over, and what of it differs from what the program asks. */
export interface Adoption {
  readonly id: string;
  /** The object as it was read. */
  readonly seen: Values;
  /** What of it the program asks about. */
  readonly state: Values;
  /** The arguments, without what `ignoreChanges` leaves to the object. */
  readonly asked: Values;
  readonly verdict: Exclude<Diff, { readonly type: "replace" }>;
  readonly change: Change;
}

/** The id that the program stated, where another object is taken over: the shop has none of that id any more. */
export function insteadOf({ adopt }: Values, { id }: Adoption): string | undefined {
  if (adopt === undefined || adopt === "key") return undefined;
  return ownId(String(adopt)) === ownId(id) ? undefined : String(adopt);
}

// Of a resource that it replaces on a person's word Pulumi's own engine tells as of a new one.
export const unlessReplaced = ({ plan }: Shop) =>
  plan.isEmbedded ? "" : ", unless pulumi is told to replace it";

/** `adopts Coupon 8841 (code SALE10), changes discount: expected 15, got 10`. */
export function adoptionText(definition: Definition, shop: Shop, args: Values, adoption: Adoption): string {
  const key = definition.singleton === undefined ? keyOf(definition, args) : undefined;
  const name = key === undefined ? "" : ` (${shownKey(args, key)})`;
  const wanted = insteadOf(args, adoption);
  const instead = wanted === undefined ? "" : ` instead of ${wanted}, which the shop doesn't have`;
  const what = `adopts ${definition.kind} ${adoption.id}${name}${instead}`;
  const changes = changesText(definition, adoption);
  const text = changes.length === 0 ? `${what} as it is` : `${what}, changes ${changes.join("; ")}`;
  return text + unlessReplaced(shop);
}

export const changesText = (
  definition: Definition,
  { state, verdict, asked }: Pick<Adoption, "state" | "verdict" | "asked">,
): readonly string[] =>
  verdict.type === "none" ? [] : verdict.paths.map((path) => difference(definition, state, asked, path));

/** `the shop has no Product 8841, nor one with permalink mug`. */
function absentText(definition: Definition, args: Values): string {
  const key = keyOf(definition, args);
  const by = args.adopt === "key" || key === undefined ? "" : `, nor one with ${shownKey(args, key)}`;
  const what =
    args.adopt === "key"
      ? `${definition.kind} with ${shownKey(args, key ?? {})}`
      : `${definition.kind} ${args.adopt}`;
  return `the shop has no ${what}${by}`;
}

/** Says that what was to be taken over is created. */
export const missingText = (definition: Definition, args: Values): string =>
  `${calledIn(definition, args)}: ${absentText(definition, args)}: it is created`;

/** What isn't there can't be created of a part. */
export const absentFailures = (definition: Definition, args: Values): readonly Failure[] =>
  lackingFailures(definition, args, `${absentText(definition, args)}, and none can be created without it`);

/** A failure for each argument that a program may leave to an object that is there, and that a create needs. */
export const lackingFailures = (definition: Definition, args: Values, why: string): readonly Failure[] =>
  missingForCreate(definition, args).map((property) => ({ property, reason: `is required: ${why}` }));
