/** What a person permits by name: what the provider is told of it, and which names mean nothing. */

import { kindOf, load, nameOf, type RunOptions, type Stack, type State, typeOf } from "../../engine/index.ts";
import { didYouMeanAny } from "../../engine/pulumi/nearest.ts";
import {
  chosenEnv,
  chosenIn,
  type Env,
  isMeant,
  objectKey,
  wholeOf,
} from "../../provider/inventory/index.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { RunError } from "../stack/errors.ts";

/** Objects of the state that a name means, by kind and id: a provider knows no names of what is deleted. */
function objectsOf(stack: Stack, names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { resources } = load(stack);
  const found = (name: string) =>
    resources.filter(({ urn, id }) => id !== undefined && (isMeant(name, nameOf(urn)) || urn === name));
  return new Map(
    names.map((name) => [name, found(name).map(({ type, id }) => objectKey(kindOf(type), id ?? ""))]),
  );
}

/** Whether it is a kind of the shop's objects, or one that the state has something of. */
const isKind = (stack: Stack, name: string) =>
  definitionOf(name) !== undefined || load(stack).resources.some(({ type }) => kindOf(type) === name);

const suggestion = (stack: Stack, name: string, urns: readonly string[]) =>
  didYouMeanAny([name], [...load(stack).resources.map(({ urn }) => urn), ...urns]);

/** What the environment of the stack says already, and more. */
const extendedEnv = ({ env }: Stack, name: "allow" | "overwrite" | "keep", more: readonly string[]): Env =>
  chosenEnv({ [name]: [...(chosenIn(env, name) ?? []), ...more] });

/** What `--overwrite` and `--keep` mean to the provider: objects that the state has, and what a plan may have under a new name, or kinds. */
export function namedObjectsEnv(
  stack: Stack,
  option: "overwrite" | "keep",
  names: readonly string[] | undefined,
): Env {
  if (names === undefined) return {};
  const objects = [...objectsOf(stack, names)].flatMap(([name, found]) =>
    found.length > 0 ? found : [name],
  );
  return extendedEnv(stack, option, objects);
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
  return extendedEnv(stack, "allow", [...objects, ...names]);
}

/**
 * @param resources of the plan
 * @throws RunError for a name that neither the state nor the plan has: a mistyped one decides nothing
 */
export function checkNames(
  stack: Stack,
  { allow = [], overwrite = [], keep = [], resend = [] }: UpdateOptions,
  resources: readonly { readonly urn: string | undefined }[],
): void {
  const urns = resources.flatMap(({ urn = [] }) => urn);
  const planned = urns.flatMap((urn) => [nameOf(urn), urn, objectKey(kindOf(typeOf(urn)), "")]);
  for (const [option, names] of Object.entries({ allow: allow.map(wholeOf), overwrite, keep, resend })) {
    for (const [name, found] of objectsOf(stack, names)) {
      if (found.length > 0 || ((option === "allow" || option === "keep") && isKind(stack, name))) continue;
      if (planned.some((one) => isMeant(name, one))) continue;
      throw new RunError(
        "option",
        `--${option}: the stack ${stack.name} has no resource ${name}, and the plan makes none of that name${suggestion(stack, name, urns)}`,
      );
    }
  }
}

/** What a person decides for a run beside its program. Resources are named by their names, or their URNs. */
export interface UpdateOptions {
  /** The moment whose plan it is, of a preview: now when left out. Resources that are asked for a time are asked by it. */
  readonly at?: string;
  /** Reads the shop first. */
  readonly refresh?: boolean;
  /** The stack's shop is another one on purpose: the state forgets what it has of others, which stays there. */
  readonly newShop?: boolean;
  /** The shop may have nothing left of all that the state has: the state is emptied then. */
  readonly allGone?: boolean;
  /** What may be done although the limits of the stack refuse it. */
  readonly allow?: readonly string[];
  /** What may be changed or deleted although it was changed in the shop too. */
  readonly overwrite?: readonly string[];
  /** What stays in the shop as staff changed it and a refresh read it, where the program asks as before; kinds too. */
  readonly keep?: readonly string[];
  /** Charges whose create may be sent again after an answer was lost. */
  readonly resend?: readonly string[];
  /** Only these resources; all others stay as they are. */
  readonly target?: readonly string[];
  /** With `target`: what depends on them too. */
  readonly targetDependents?: boolean;
  /** All resources but these. */
  readonly exclude?: readonly string[];
  /** Resources to replace, whatever has changed of them. */
  readonly replace?: readonly string[];
}

type Selection = Pick<RunOptions, "target" | "exclude" | "targetDependents" | "replace">;

const isUrn = (name: string) => name.startsWith("urn:");

/** @throws RunError for a choice that is none, whichever engine runs */
export function checkOptions(options: UpdateOptions): void {
  const { target, exclude, replace, targetDependents, keep = [], overwrite = [] } = options;
  const wrong = (text: string) => new RunError("option", text);
  if (target !== undefined && exclude !== undefined) throw wrong("--target and --exclude exclude each other");
  if (targetDependents && target === undefined) throw wrong("--target-dependents goes with --target");
  for (const [name, names] of Object.entries({ target, exclude, replace }))
    if (names?.length === 0) throw wrong(`--${name} requires names of resources, separated by commas`);
  // A name and a URN may be one resource; two URNs of one name are two.
  const kept = new Set([...keep, ...keep.filter(isUrn).map(nameOf)]);
  const both = overwrite.find((one) => kept.has(one) || (isUrn(one) && keep.includes(nameOf(one))));
  if (both !== undefined)
    throw wrong(
      `--keep and --overwrite both name ${both}: --keep leaves the edits of staff in the shop, --overwrite sends the program's ` +
        `values; name it in one of them`,
    );
}

/**
 * What is chosen, as the engine takes it.
 * @throws RunError for a choice that is none, and for a name of `replace` that the state doesn't have
 */
export function selectionOf(stack: Stack, options: UpdateOptions): Selection {
  checkOptions(options);
  const { target, exclude, replace, targetDependents } = options;
  const resources = replace === undefined ? [] : load(stack).resources;
  return {
    ...(target !== undefined && { target }),
    ...(exclude !== undefined && { exclude }),
    ...(targetDependents && { targetDependents }),
    ...(replace !== undefined && { replace: replace.map((name) => urnOf(stack, resources, name)) }),
  };
}

function urnOf(stack: Stack, resources: readonly State[], name: string): string {
  const urns = resources.flatMap(({ urn }) => (urn === name || nameOf(urn) === name ? [urn] : []));
  const [urn, ...others] = new Set(urns);
  if (urn === undefined)
    throw new RunError(
      "option",
      `--replace: the stack ${stack.name} has no resource ${name}${didYouMeanAny(
        [name],
        resources.map((one) => one.urn),
      )}`,
    );
  if (others.length > 0)
    throw new RunError(
      "option",
      `--replace: several resources are named ${name}; use the URN of one:\n  ${[urn, ...others].join("\n  ")}`,
    );
  return urn;
}
