/** What a person chooses by name for a run: what it is about, and what it replaces. */

import { load, nameOf, type RunOptions, type Stack, type State } from "../../engine/index.ts";
import { didYouMeanAny } from "../../engine/pulumi/nearest.ts";
import { RunError } from "../stack/errors.ts";
import type { Choices } from "./choices.ts";

type Chosen = Pick<RunOptions, "target" | "exclude" | "targetDependents" | "replace">;

const isUrn = (name: string) => name.startsWith("urn:");

/** @throws RunError for a choice that is none, whichever engine runs */
export function checkChosen(choices: Choices): void {
  const { target, exclude, replace, targetDependents, keep = [], overwrite = [] } = choices;
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
export function chosenOf(stack: Stack, choices: Choices): Chosen {
  checkChosen(choices);
  const { target, exclude, replace, targetDependents } = choices;
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
