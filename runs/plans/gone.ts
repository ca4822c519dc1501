/** Objects that staff deleted, as a refresh has found, and that the program still asks for: what a stack does about them. */
import { kindOf, nameOf, type Stack, type Step, typeOf } from "../../engine/index.ts";
import { allowance, chosenIn, isAllowed, wordOf } from "../../provider/inventory/index.ts";
import type { Refusal } from "../report/refusals.ts";
import { sourcesOf } from "../stack/sources.ts";
import type { Choices } from "./choices.ts";

const driftOf = (stack: Stack) => wordOf(sourcesOf(stack), "drift");

const isNamed = (names: readonly string[], urn: string): boolean =>
  isAllowed({ allowed: new Set(names) }, nameOf(urn), urn, allowance(kindOf(typeOf(urn)), ""));

/** Which of them stay deleted: those that `--keep` names, or all that there are (`shop:drift: keep`). */
export function staysGone(stack: Stack, { keep = [] }: Choices): (urn: string) => boolean {
  const names = [...(chosenIn(stack.env, "keep") ?? []), ...keep];
  const keepsAll = driftOf(stack) === "keep";
  return (urn) => keepsAll || isNamed(names, urn);
}

/** Whether the stack waits for a person's word (`shop:drift: stop`). */
export const stopsAtGone = (stack: Stack): boolean => driftOf(stack) === "stop";

/** What of a plan would create them again without that word. */
export function goneRefusals(
  stack: Stack,
  { overwrite = [] }: Choices,
  steps: readonly Step[],
): readonly Refusal[] {
  if (!stopsAtGone(stack)) return [];
  const names = [...(chosenIn(stack.env, "overwrite") ?? []), ...overwrite];
  return steps
    .filter(({ again, urn }) => again && !isNamed(names, urn))
    .map((step) => ({
      step,
      text: "was deleted by staff and would be created again (shop:drift)",
      permit: `accept takes it out of the program, --keep ${step.name} leaves it deleted, --overwrite ${step.name} creates it again`,
    }));
}
