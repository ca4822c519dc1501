/** Deletes that nobody confirms: an empty sheet of prices is a program that has no products any more. */
import { kindOf, load, type Stack, type Step } from "../../engine/index.ts";
import { allowance, chosenIn, isAllowed } from "../../provider/inventory/index.ts";
import type { Refusal } from "../report/refusals.ts";
import { limitsDeletes } from "./guard.ts";

/** So many deletes of a kind, and more than so large a part of it, are no everyday change. */
const fewest = 10;
const share = 0.1;

/** What of a plan wants a person's word, where the stack has no limit that says how much may be deleted. */
export function unattendedRefusals(stack: Stack, steps: readonly Step[]): readonly Refusal[] {
  if (limitsDeletes(stack)) return [];
  const allowed = new Set(chosenIn(stack.env, "allow"));
  const deleted = steps.filter(
    ({ op, stays, partOf, type, name, id = "" }) =>
      op === "delete" &&
      stays !== true &&
      partOf === undefined &&
      !isAllowed({ allowed }, name, allowance(kindOf(type), id)),
  );
  const managed = Map.groupBy(load(stack).resources, ({ type }) => type);
  return [...Map.groupBy(deleted, ({ type }) => type)].flatMap(([type, { length }]): readonly Refusal[] => {
    const all = managed.get(type)?.length ?? length;
    if (length < fewest || length <= all * share) return [];
    return [
      {
        step: undefined,
        text: `${length} of ${all} resources of the kind ${kindOf(type)} would be deleted, and nobody confirms it`,
        permit:
          "set shop:maxDeletes to how many a run may delete (SHOP_MAX_DELETES for one run), or pass --allow NAME,NAME",
      },
    ];
  });
}
