/** Kinds by the names that users type. */

import { didYouMean } from "../../engine/common/nearest.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { resources } from "../../provider/resources/index.ts";
import { usageError } from "../exit.ts";

const plain = (name: string) => name.toLowerCase().replaceAll("-", "");
/** Whether a user means a kind by a name, in any case. */
export const isKindName = (kind: string, name: string): boolean => plain(kind) === plain(name);

/**
 * Finds a kind by its module or class name, in any case.
 * @throws CommandError that lists the kinds
 */
export function kindNamed(name: string): readonly [group: string, definition: Definition] {
  const found = resources.find(([group, { kind }]) => isKindName(group, name) || isKindName(kind, name));
  if (found !== undefined) return found;
  const kinds = resources.flatMap(([group, { kind }]) => [group, kind]);
  const near = didYouMean(name, kinds);
  throw usageError(
    `there is no kind ${name}${near === "" ? "; the" : `${near} The`} kinds are ${resources.map(([group]) => group).join(", ")}`,
  );
}
