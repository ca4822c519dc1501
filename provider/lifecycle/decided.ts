/** The change of an object, computed once: by its state when the engine asks what differs, and what the verb then goes by. */

import { isDeepStrictEqual } from "node:util";
import { isCompared } from "../definition/define.ts";
import { keyIn, type Looked, type Subject } from "../run/subject.ts";
import { type Change, changeOf } from "../values/change.ts";
import { stateOf } from "../values/state.ts";
import { mergingOf } from "./conflict.ts";

/** What the program changes of an object, by its state alone. */
export function decided(subject: Subject): Change {
  const { definition, shop, olds, args } = subject;
  const known = shop.memory.decided.get(keyIn(subject));
  if (known !== undefined && isDeepStrictEqual(known.of, [olds, args])) return known.change;
  const change = changeOf(definition, { known: olds, seen: olds, asked: args }, mergingOf(subject));
  if (change.fields.length > 0) shop.memory.decided.set(keyIn(subject), { of: [olds, args], change });
  return change;
}

/** The same by what the shop has: where that is as the state knew it, it is decided already. */
export function met(looked: Looked): Change {
  const { definition, olds, seen, args } = looked;
  const state = stateOf(definition, {}, seen, olds);
  const isAsKnown =
    definition.body === undefined &&
    Object.entries(definition.fields).every(
      ([name, field]) => !isCompared(field) || isDeepStrictEqual(state[name], olds[name]),
    );
  if (isAsKnown) return decided(looked);
  return changeOf(definition, { known: olds, seen, asked: args }, mergingOf(looked));
}
