/** Who does the verbs of a class: a kind's definition for the shop's objects, a room of its own for what has no object there. */
import type { Definition } from "./definition/define.ts";
import { type Lifecycle, lifecycle } from "./lifecycle/lifecycle.ts";
import { prices } from "./prices/definition.ts";
import { pricesVerbs } from "./prices/verbs.ts";
import { creatableOf, definitionOf } from "./resources/index.ts";
import type { Shop } from "./run/context.ts";

export interface Verbs {
  readonly definition: Definition;
  readonly on: (shop: Shop) => Lifecycle;
}

/** What is made without an object of its own. */
const others: readonly Verbs[] = [{ definition: prices, on: pricesVerbs }];

/** The verbs of a kind of objects. */
export const verbsOfKind =
  (definition: Definition): Verbs["on"] =>
  (shop) =>
    lifecycle(definition, shop);

/** @throws Error where there is no class of that name */
export function verbsOf(name: string): Verbs {
  const other = others.find(({ definition }) => definition.kind === name);
  if (other !== undefined) return other;
  const definition = creatableOf(name);
  return { definition, on: verbsOfKind(definition) };
}

/** The arguments and outputs of a class; undefined where there is none of that name. */
export const shapeOf = (name: string): Definition | undefined =>
  others.find(({ definition }) => definition.kind === name)?.definition ?? definitionOf(name);

/** All that has no object of its own. */
export const otherShapes: readonly Definition[] = others.map(({ definition }) => definition);
