/** What a person permits by name: what the provider is told of it, and which names mean nothing. */

import { kindOf, load, nameOf, type Stack, type Step } from "../../engine/index.ts";
import {
  allowance,
  chosenEnv,
  chosenIn,
  type Env,
  isMeant,
  wholeOf,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { didYouMeanAny } from "../../pulumi/nearest.ts";
import { RunError } from "../stack/errors.ts";

/** Objects of the state that a name means, by kind and id: a provider knows no names of what is deleted. */
function objectsOf(stack: Stack, names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { resources } = load(stack);
  const found = (name: string) =>
    resources.filter(({ urn, id }) => id !== undefined && (isMeant(name, nameOf(urn)) || urn === name));
  return new Map(
    names.map((name) => [name, found(name).map(({ type, id }) => allowance(kindOf(type), id ?? ""))]),
  );
}

/** Whether it is a kind of the shop's objects, or one that the state has something of. */
const isKind = (stack: Stack, name: string) =>
  definitionOf(name) !== undefined || load(stack).resources.some(({ type }) => kindOf(type) === name);

const meant = (stack: Stack, name: string, steps: readonly Step[] = []) =>
  didYouMeanAny(
    [name],
    [...load(stack).resources, ...steps].map(({ urn }) => urn),
  );

/** What the environment of the stack says already, and more. */
const withMore = ({ env }: Stack, name: "allow" | "overwrite" | "keep", more: readonly string[]): Env =>
  chosenEnv({ [name]: [...(chosenIn(env, name) ?? []), ...more] });

/**
 * What `--overwrite` means to the provider: objects that the state has.
 * @throws RunError for a name that no resource of the stack has
 */
export function overwriteEnv(stack: Stack, names: readonly string[] | undefined): Env {
  return names === undefined ? {} : withMore(stack, "overwrite", stateObjects(stack, "overwrite", names));
}

function stateObjects(
  stack: Stack,
  option: "overwrite" | "keep",
  names: readonly string[],
): readonly string[] {
  const objects = objectsOf(stack, names);
  for (const [name, found] of objects)
    if (found.length === 0)
      throw new RunError(
        "option",
        `--${option}: the stack ${stack.name} has no resource ${name}${meant(stack, name)}`,
      );
  return [...objects.values()].flat();
}

/**
 * What `--keep` means to the provider: objects that the state has, and kinds.
 * @throws RunError for a name that neither a resource of the stack nor a kind has
 */
export function keepEnv(stack: Stack, names: readonly string[] | undefined): Env {
  if (names === undefined) return {};
  const kinds = names.filter((name) => isKind(stack, name));
  const others = names.filter((name) => !kinds.includes(name));
  return withMore(stack, "keep", [...kinds, ...stateObjects(stack, "keep", others)]);
}

/** What `--allow` means to the provider: objects that the state has, resources by name, which may be new, kinds and items. */
export function allowEnv(stack: Stack, names: readonly string[] | undefined): Env {
  if (names === undefined) return {};
  // A provider knows no names of what is deleted.
  const objects = names.flatMap((name) =>
    [...(objectsOf(stack, [wholeOf(name)]).get(wholeOf(name)) ?? [])].map(
      (object) => `${object}${name.slice(wholeOf(name).length)}`,
    ),
  );
  return withMore(stack, "allow", [...objects, ...names]);
}

/**
 * @param steps of the plan
 * @throws RunError for a name of `--allow` that neither the state nor the plan has: a mistyped one permits nothing
 */
export function refuseUnknownNames(
  stack: Stack,
  names: readonly string[] = [],
  steps: readonly Step[],
): void {
  const planned = steps.flatMap(({ name, urn, type }) => [name, urn, allowance(kindOf(type), "")]);
  for (const [name, found] of objectsOf(stack, names.map(wholeOf))) {
    if (found.length > 0 || isKind(stack, name) || planned.some((one) => isMeant(name, one))) continue;
    throw new RunError(
      "option",
      `--allow: the stack ${stack.name} has no resource ${name}, and the plan makes none of that name${meant(stack, name, steps)}`,
    );
  }
}
