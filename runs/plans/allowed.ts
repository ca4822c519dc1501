/** What a person permits by name: what the provider is told of it, and which names mean nothing. */

import { kindOf, load, nameOf, type Stack, typeOf } from "../../engine/index.ts";
import { didYouMeanAny } from "../../engine/pulumi/nearest.ts";
import {
  allowance,
  chosenEnv,
  chosenIn,
  type Env,
  isMeant,
  wholeOf,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { RunError } from "../stack/errors.ts";
import type { Choices } from "./choices.ts";

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

const meant = (stack: Stack, name: string, urns: readonly string[]) =>
  didYouMeanAny([name], [...load(stack).resources.map(({ urn }) => urn), ...urns]);

/** What the environment of the stack says already, and more. */
const withMore = ({ env }: Stack, name: "allow" | "overwrite" | "keep", more: readonly string[]): Env =>
  chosenEnv({ [name]: [...(chosenIn(env, name) ?? []), ...more] });

/** What `--overwrite` and `--keep` mean to the provider: objects that the state has, and what a plan may have under a new name, or kinds. */
export function chosenObjects(
  stack: Stack,
  option: "overwrite" | "keep",
  names: readonly string[] | undefined,
): Env {
  if (names === undefined) return {};
  const objects = [...objectsOf(stack, names)].flatMap(([name, found]) =>
    found.length > 0 ? found : [name],
  );
  return withMore(stack, option, objects);
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
 * @param resources of the plan
 * @throws RunError for a name that neither the state nor the plan has: a mistyped one decides nothing
 */
export function refuseUnknownNames(
  stack: Stack,
  { allow = [], overwrite = [], keep = [], resend = [] }: Choices,
  resources: readonly { readonly urn: string | undefined }[],
): void {
  const urns = resources.flatMap(({ urn = [] }) => urn);
  const planned = urns.flatMap((urn) => [nameOf(urn), urn, allowance(kindOf(typeOf(urn)), "")]);
  for (const [option, names] of Object.entries({ allow: allow.map(wholeOf), overwrite, keep, resend })) {
    for (const [name, found] of objectsOf(stack, names)) {
      if (found.length > 0 || ((option === "allow" || option === "keep") && isKind(stack, name))) continue;
      if (planned.some((one) => isMeant(name, one))) continue;
      throw new RunError(
        "option",
        `--${option}: the stack ${stack.name} has no resource ${name}, and the plan makes none of that name${meant(stack, name, urns)}`,
      );
    }
  }
}
