/** The options of a run, for the library and for pulumi. */
import { namesIn } from "../../provider/inventory/index.ts";
import type { UpdateOptions } from "../../runs/command.ts";
import type { RunValues } from "../options.ts";

const named = ["allow", "overwrite", "keep", "resend", "target", "exclude", "replace"] as const;

/** Options that weren't given are left out. */
export const choicesOf = (values: RunValues): UpdateOptions => ({
  ...(values.at !== undefined && { at: values.at }),
  ...(values.refresh && { refresh: true }),
  ...(values["new-shop"] && { newShop: true }),
  ...(values["all-gone"] && { allGone: true }),
  ...(values["target-dependents"] && { targetDependents: true }),
  ...Object.fromEntries(
    named.flatMap((name) => (values[name] === undefined ? [] : [[name, namesIn(values[name])] as const])),
  ),
});

/** The same selection as flags of pulumi, which takes patterns of URNs. */
export const chosenFlags = ({
  target,
  exclude,
  replace,
  targetDependents,
}: UpdateOptions): readonly string[] => [
  ...Object.entries({ target, exclude, replace }).flatMap(([option, names = []]) =>
    names.flatMap((name) => [`--${option}`, name.startsWith("urn:") ? name : `**::${name}`]),
  ),
  ...(targetDependents ? ["--target-dependents"] : []),
];
