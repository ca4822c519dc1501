/** The objects in a stack's state, read without its passphrase: neither names nor ids are secret. */

import { isRecord } from "../../engine/common/record.ts";
import * as engine from "../../engine/index.ts";
import { asLists, type Key, keyOf } from "../../provider/inventory/index.ts";
import { kindOfType } from "../../provider/names/types.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import { elsewhereIn } from "./other-shops.ts";

export interface ManagedObject {
  readonly kind: string;
  /** The engine's id: `8841`, or `511734/82621` for an asset. */
  readonly id: string;
  readonly name: string;
  /** Whether it was replaced and is still to be deleted. */
  readonly isReplaced: boolean;
  /** Whether it is in another shop than the stack's. */
  readonly isElsewhere: boolean;
  /** Its natural key; undefined if the program doesn't set it. */
  readonly key: Key | undefined;
  /** Paths of secret arguments, without the positions of items: `content`, `variants.costPrice`. */
  readonly secretPaths: readonly string[];
}

/** Reads a state with its secrets masked, without a passphrase. */
export const readWithoutSecrets = (stack: engine.Stack): readonly engine.State[] =>
  engine.load(engine.withoutSecrets(stack)).resources;

/** @throws Error if the state file is damaged or the embedded engine can't read it */
export function managedObjects(stack: engine.Stack): readonly ManagedObject[] {
  const states = readWithoutSecrets(stack);
  const isElsewhere = elsewhereIn(stack, states);
  return states.flatMap((state) => {
    const { type, id, urn, external, delete: replaced, inputs } = state;
    const kind = kindOfType(type);
    if (kind === undefined || id === undefined || external) return [];
    const args = withLists(type, inputs ?? {});
    const bare = engine.bareProperties(args as engine.Properties);
    const secretPaths = [...new Set(secretPathsIn(args, bare, ""))];
    return [
      {
        kind,
        id,
        name: engine.nameOf(urn),
        isReplaced: replaced === true,
        isElsewhere: isElsewhere(state),
        key: naturalKey(type, bare),
        secretPaths,
      },
    ];
  });
}

function naturalKey(type: string, args: engine.Properties): Key | undefined {
  const definition = definitionOfType(type);
  return definition && keyOf(definition, args);
}

// Turns keyed objects back into lists, so that paths don't contain keys. A list that is secret as a whole stays as it
// is.
function withLists(type: string, inputs: engine.Properties): Readonly<Record<string, unknown>> {
  const definition = definitionOfType(type);
  if (definition === undefined) return inputs;
  const open = Object.entries(inputs).filter(([, value]) => !engine.isSecret(value));
  return { ...inputs, ...asLists(definition, Object.fromEntries(open)) };
}

const json = (value: unknown) => JSON.stringify(value);

// A value that changes when its secrets are unwrapped contains a secret.
function secretPathsIn(marked: unknown, bare: unknown, path: string): readonly string[] {
  if (json(marked) === json(bare)) return [];
  if (Array.isArray(marked) && Array.isArray(bare))
    return marked.flatMap((item, index) => secretPathsIn(item, bare[index], path));
  if (!isRecord(marked) || !isRecord(bare) || json(Object.keys(marked)) !== json(Object.keys(bare)))
    return [path];
  return Object.keys(marked).flatMap((name) =>
    secretPathsIn(marked[name], bare[name], path === "" ? name : `${path}.${name}`),
  );
}
