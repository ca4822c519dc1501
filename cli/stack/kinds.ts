/** The kinds that a person may name. */

import { didYouMean } from "../../engine/pulumi/nearest.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { resources } from "../../provider/resources/index.ts";
import { CommandError, codes } from "../exit.ts";

const plain = (name: string) => name.toLowerCase().replaceAll("-", "");

/**
 * The kind of a name, by file or by class, whatever its case.
 * @throws CommandError that lists the kinds
 */
export function kindNamed(name: string): readonly [group: string, definition: Definition] {
  const found = resources.find(
    ([group, { kind }]) => plain(group) === plain(name) || plain(kind) === plain(name),
  );
  if (found !== undefined) return found;
  const kinds = resources.flatMap(([group, { kind }]) => [group, kind]);
  const near = didYouMean(name, kinds);
  throw new CommandError(
    `there is no kind ${name}${near === "" ? "; the" : `${near} The`} kinds are ${resources.map(([group]) => group).join(", ")}`,
    codes.configuration,
  );
}
