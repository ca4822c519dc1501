/**
 * The verbs of each class: derived from a kind's definition, or from a room of its own for classes without an object in
 * the shop.
 */

import type { Shop } from "./context/context.ts";
import type { Definition } from "./definition/define.ts";
import { withHeldLines } from "./lifecycle/held-lines.ts";
import { type Lifecycle, lifecycle } from "./lifecycle/lifecycle.ts";
import { prices } from "./prices/definition.ts";
import { pricesVerbs } from "./prices/verbs.ts";
import { creatableOf, definitionOf } from "./resources/index.ts";

export interface Verbs {
  readonly definition: Definition;
  readonly on: (shop: Shop) => Lifecycle;
}

/** Classes without an object in the shop. */
const others: readonly Verbs[] = [{ definition: prices, on: withHeldLines(prices.kind, pricesVerbs) }];

export const verbsOfKind = (definition: Definition): Verbs["on"] =>
  withHeldLines(definition.kind, (shop) => lifecycle(definition, shop));

/** @throws Error if there is no such class */
export function verbsOf(name: string): Verbs {
  const other = others.find(({ definition }) => definition.kind === name);
  if (other !== undefined) return other;
  const definition = creatableOf(name);
  return { definition, on: verbsOfKind(definition) };
}

/** The arguments and outputs of a class; undefined if there is no such class. */
export const shapeOf = (name: string): Definition | undefined =>
  others.find(({ definition }) => definition.kind === name)?.definition ?? definitionOf(name);

export const otherShapes: readonly Definition[] = others.map(({ definition }) => definition);
