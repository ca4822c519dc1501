/** What a resource has of an object that others have a part of, too: what it takes over, reads, replaces and leaves. */
import type { Definition } from "../definition/define.ts";
import { calledIn, nameIn, type Shop } from "../run/context.ts";
import type { Known, Subject } from "../run/subject.ts";
import type { Failure } from "../values/check-lists.ts";
import { withoutIgnored } from "../values/keyed-lists.ts";
import { isPartial, missingForCreate, onlyListedItems } from "../values/partial.ts";
import { stateOf } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { lackingFailures } from "./adoption-texts.ts";

/** What is asked of an object that is taken over, and its state as far as that goes. */
export function takenBy(
  definition: Definition,
  args: Values,
  seen: Values,
): { readonly asked: Values; readonly state: Values } {
  const own = onlyListedItems(definition, args, seen);
  const asked = withoutIgnored(definition, own, args);
  return { asked, state: stateOf(definition, asked, own, {}) };
}

/** @throws Error where an object would be replaced or created again, and the program states a part of it only */
export function refuseReplacedPart({ definition, id, args }: Subject): void {
  const [name] = missingForCreate(definition, args);
  if (name === undefined) return;
  throw new Error(
    `${calledIn(definition, args)}: ${definition.kind} ${id} would be replaced, and the program states a part of it only: ` +
      `state ${name}, too, or take the resource out of the state (state remove) and adopt another one`,
  );
}

/**
 * Says of an object, of which a resource had a part, that it stays.
 * @returns whether it does
 */
export function leavePart({ definition, shop, id, olds }: Known): boolean {
  const stays = isPartial(definition, olds);
  if (stays)
    shop.say(`${definition.kind} ${id}: stays in the shop, because the program stated a part of it only`);
  return stays;
}

/** The arguments that a replacement needs and the program leaves to the object that is there. */
export function lackingInReplacement(
  definition: Definition,
  { plan }: Shop,
  olds: Values,
  args: Values,
): readonly Failure[] {
  if (Object.keys(olds).length > 0 && !plan.replaced.has(nameIn(args))) return [];
  return lackingFailures(definition, args, "a replacement is a new object, which has nothing of the old one");
}
