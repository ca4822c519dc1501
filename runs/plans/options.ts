/** Options of a run that name resources, and their meaning for the engine and the provider. */

import { kindOf, load, nameOf, type RunOptions, type Stack, type State, typeOf } from "../../engine/index.ts";
import { didYouMeanAny } from "../../engine/pulumi/urn.ts";
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

/** The objects that each name stands for, as `Kind:id`. The provider knows deleted objects only by id. */
function objectsOf(stack: Stack, names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { resources } = load(stack);
  const found = (name: string) =>
    resources.filter(({ urn, id }) => id !== undefined && (isMeant(name, nameOf(urn)) || urn === name));
  return new Map(
    names.map((name) => [name, found(name).map(({ type, id }) => objectKey(kindOf(type), id ?? ""))]),
  );
}

const isKind = (stack: Stack, name: string) =>
  definitionOf(name) !== undefined || load(stack).resources.some(({ type }) => kindOf(type) === name);

const suggestion = (stack: Stack, name: string, urns: readonly string[]) =>
  didYouMeanAny([name], [...load(stack).resources.map(({ urn }) => urn), ...urns]);

/** Adds names to a list that the stack's environment already has. */
const extendedEnv = ({ env }: Stack, name: "allow" | "overwrite" | "keep", more: readonly string[]): Env =>
  chosenEnv({ [name]: [...(chosenIn(env, name) ?? []), ...more] });

/**
 * Tells the provider which objects `--overwrite` and `--keep` name. Names that the state doesn't have are passed
 * as they are: new resources, or kinds.
 */
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

/** Tells the provider what `--allow` names: objects, new resources, kinds, and items in brackets. */
export function allowEnv(stack: Stack, names: readonly string[] | undefined): Env {
  if (names === undefined) return {};
  const objects = names.flatMap((name) =>
    [...(objectsOf(stack, [wholeOf(name)]).get(wholeOf(name)) ?? [])].map(
      (object) => `${object}${name.slice(wholeOf(name).length)}`,
    ),
  );
  return extendedEnv(stack, "allow", [...objects, ...names]);
}

/**
 * Rejects mistyped names in --allow, --overwrite, --keep and --resend.
 * @param resources of the plan
 * @throws RunError for a name that neither the state nor the plan has
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
        `--${option}: the stack ${stack.name} has no resource ${name}, and the plan creates none${suggestion(stack, name, urns)}`,
      );
    }
  }
}

export const nameOptions = ["allow", "overwrite", "keep", "resend", "target", "exclude", "replace"] as const;

/** The options of a run. Resources are given by name or URN. */
export interface UpdateOptions {
  /** For a preview: the time to preview for, default now. It decides about resources with `from` or `until`. */
  readonly at?: string;
  /** Reads the shop into the state first. */
  readonly refresh?: boolean;
  /** Moves the stack to another shop: the state forgets the old shop's objects. */
  readonly newShop?: boolean;
  /** Allows a refresh to empty the state if the shop has none of its objects. */
  readonly allGone?: boolean;
  /** Resources that may exceed the stack's limits. */
  readonly allow?: readonly string[];
  /** Resources to change or delete although staff changed them too. */
  readonly overwrite?: readonly string[];
  /** Resources or kinds that keep the edits of staff which a refresh has read. */
  readonly keep?: readonly string[];
  /** Charges to create again after the response to their create was lost. */
  readonly resend?: readonly string[];
  /** Only these resources; all others stay as they are. */
  readonly target?: readonly string[];
  /** With `target`: also the resources that depend on them. */
  readonly targetDependents?: boolean;
  /** All resources except these. */
  readonly exclude?: readonly string[];
  /** Resources to replace, even without changes. */
  readonly replace?: readonly string[];
}

type Selection = Pick<RunOptions, "target" | "exclude" | "targetDependents" | "replace">;

const isUrn = (name: string) => name.startsWith("urn:");

/** @throws RunError for options that contradict each other, with either engine */
export function checkOptions(options: UpdateOptions): void {
  const { target, exclude, replace, targetDependents, keep = [], overwrite = [] } = options;
  const wrong = (text: string) => new RunError("option", text);
  if (target !== undefined && exclude !== undefined) throw wrong("--target and --exclude exclude each other");
  if (targetDependents && target === undefined) throw wrong("--target-dependents goes with --target");
  for (const [name, names] of Object.entries({ target, exclude, replace }))
    if (names?.length === 0) throw wrong(`--${name} requires names of resources, separated by commas`);
  // A name and a URN may mean the same resource.
  const kept = new Set([...keep, ...keep.filter(isUrn).map(nameOf)]);
  const both = overwrite.find((one) => kept.has(one) || (isUrn(one) && keep.includes(nameOf(one))));
  if (both !== undefined)
    throw wrong(
      `--keep and --overwrite both name ${both}: --keep leaves the edits of staff in the shop, --overwrite sends the program's ` +
        `values; name it in one of them`,
    );
}

/**
 * The options that select resources, in the engine's form.
 * @throws RunError for contradicting options, and for a name of `replace` that the state doesn't have
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
