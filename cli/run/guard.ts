/** A protected stack, as the command sees it: what a plan would delete, and which objects the person allows by name. */
import {
  bareProperties,
  kindOf,
  load,
  nameOf,
  type Stack,
  type State,
  type Step,
} from "../../engine/index.ts";
import type { Definition } from "../../provider/definition/define.ts";
import {
  allowance,
  asLists,
  type Diff,
  type Guard,
  guardChange,
  guardDelete,
  guardOf,
  ProtectedError,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { CommandError, codes } from "../exit.ts";
import type { Env } from "../stack/shop.ts";

/**
 * What the provider is told of `--allow` and `--overwrite`: objects by kind and id instead of names, which it doesn't know.
 * @throws CommandError for a name that no resource of the stack has
 */
export function allowanceEnv(stack: Stack, variable: string, option: string, names: string | undefined): Env {
  if (names === undefined) return {};
  const { resources } = load(stack);
  const allowed = names.split(",").flatMap((entry) => {
    const name = entry.trim();
    if (name === "") return [];
    const found = resources.filter(
      ({ urn, id }) => id !== undefined && (nameOf(urn) === name || urn === name),
    );
    if (found.length === 0)
      throw new CommandError(
        `${option}: the stack ${stack.name} has no resource ${name}`,
        codes.configuration,
      );
    return found.map(({ type, id }) => allowance(kindOf(type), id ?? ""));
  });
  return { [variable]: [stack.env[variable], ...allowed].filter(Boolean).join(",") };
}

/** What tells the provider that this command looks at the whole plan: it then lets the diffs of a preview pass. */
export const planned: Env = { SHOP_GUARD: "plan" };

/** Whether the stack is protected. @throws Error where a setting can't be read */
export const isProtected = ({ config, env }: Stack): boolean =>
  guardOf({ config: (key) => config.values[key], env }) !== undefined;

/** All that a protected stack refuses of a plan, a line each. */
export function refusedSteps(stack: Stack, steps: readonly Step[]): readonly string[] {
  const guard = guardOf({ config: (key) => stack.config.values[key], env: stack.env });
  if (guard === undefined || steps.length === 0) return [];
  const { resources } = load(stack);
  const states = new Map(resources.map((state) => [state.urn, state]));
  // A renamed resource stands in the state under the name it had.
  const stateOf = ({ urn, type, id }: Step) =>
    states.get(urn) ?? resources.find((state) => state.type === type && state.id === id);
  return steps.flatMap((step) => {
    const state = stateOf(step);
    const definition = definitionOf(kindOf(step.type));
    if (state === undefined || definition === undefined || !step.custom) return [];
    return refusalsOf(guard, definition, step, state).map(
      (refusal) => `${kindOf(step.type)} ${step.name} ${refusal}; pass --allow ${step.name} to permit it`,
    );
  });
}

function refusalsOf(guard: Guard, definition: Definition, step: Step, state: State): readonly string[] {
  const id = state.id ?? "";
  try {
    if (step.op === "delete" && !state.retainOnDelete && !state.external) guardDelete(guard, definition, id);
    if (step.op !== "update" && step.op !== "replace" && step.op !== "rename") return [];
    const verdict: Diff =
      step.op !== "replace"
        ? { type: "update", paths: [] }
        : { type: "replace", paths: step.replaces, deleteFirst: false };
    guardChange(
      guard,
      definition,
      id,
      bareProperties(state.outputs ?? {}),
      asLists(definition, step.inputs),
      verdict,
    );
    return [];
  } catch (error) {
    if (error instanceof ProtectedError) return error.refusals;
    throw error;
  }
}
