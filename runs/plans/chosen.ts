/** What a person chooses by name for a run: what it is about, and what it replaces. */
import { load, nameOf, type RunOptions, type Stack } from "../../engine/index.ts";
import { CommandError, codes } from "../../cli/exit.ts";
import type { RunValues } from "../../cli/options.ts";

type Chosen = Pick<RunOptions, "target" | "exclude" | "targetDependents" | "replace">;

/** Names of an option, without what is empty. */
export const namesIn = (names: string | undefined): readonly string[] =>
  (names ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/**
 * What the options choose, as the engine takes it.
 * @throws CommandError for a choice that is none, and for a name of `--replace` that the state doesn't have
 */
export function chosenOf(stack: Stack, values: RunValues): Chosen {
  const { target, exclude, replace } = values;
  const wrong = (text: string) => new CommandError(text, codes.configuration);
  if (target !== undefined && exclude !== undefined) throw wrong("--target and --exclude exclude each other");
  if (values["target-dependents"] && target === undefined)
    throw wrong("--target-dependents goes with --target");
  for (const [name, names] of Object.entries({ target, exclude, replace }))
    if (names !== undefined && namesIn(names).length === 0)
      throw wrong(`--${name} requires names of resources, separated by commas`);
  return {
    ...(target !== undefined && { target: namesIn(target) }),
    ...(exclude !== undefined && { exclude: namesIn(exclude) }),
    ...(values["target-dependents"] && { targetDependents: true }),
    ...(replace !== undefined && { replace: namesIn(replace).map((name) => urnOf(stack, name)) }),
  };
}

function urnOf(stack: Stack, name: string): string {
  const urns = load(stack).resources.flatMap(({ urn }) =>
    urn === name || nameOf(urn) === name ? [urn] : [],
  );
  const [urn, ...others] = new Set(urns);
  if (urn === undefined)
    throw new CommandError(`--replace: the stack ${stack.name} has no resource ${name}`, codes.configuration);
  if (others.length > 0)
    throw new CommandError(
      `--replace: several resources are named ${name}; use the URN of one:\n  ${[urn, ...others].join("\n  ")}`,
      codes.configuration,
    );
  return urn;
}

/** The same choice for the real engine, which takes patterns of URNs. */
export const chosenFlags = ({ target, exclude, replace, ...values }: RunValues): readonly string[] => [
  ...Object.entries({ target, exclude, replace }).flatMap(([option, names]) =>
    namesIn(names).flatMap((name) => [`--${option}`, name.startsWith("urn:") ? name : `**::${name}`]),
  ),
  ...(values["target-dependents"] ? ["--target-dependents"] : []),
];
