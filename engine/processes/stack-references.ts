/**
 * Stack references: the outputs of another stack in the same backend, as Pulumi's own provider reads them
 * (builtins.go).
 */

import { stackNames } from "../project/backend.ts";
import { existingState, unpacked } from "../pulumi/backend.ts";
import { stackType } from "../pulumi/urn.ts";
import { NoStackError, type Stack } from "../stack/stack.ts";
import { parseSnapshot } from "../state/snapshot.ts";
import { hasSecret, type Properties } from "../values/values.ts";
import type { Provider } from "./provider.ts";

/**
 * Project and stack of a reference: `organization/<project>/<stack>`, `<project>/<stack>`, or a stack of the same
 * project.
 */
function partsOf(reference: string, own: string): { readonly project: string; readonly stack: string } {
  const [stack = "", project = own] = reference.split("/").reverse();
  return { project, stack };
}

/**
 * The outputs of another stack, with secrets marked.
 * @throws NoStackError if the backend has no such stack
 * @throws Error if its state can't be read, or its secrets have another passphrase
 */
export function referredOutputs({ files, paths, project, config }: Stack, reference: string): Properties {
  const other = partsOf(reference, project.name);
  const state = existingState(files, paths.root, other);
  if (state === undefined) {
    const there = stackNames(files, paths.root, other.project).join(", ") || "none";
    throw new NoStackError(
      `the stack ${reference}, which the program refers to, was not found in ${paths.root}; the project ${other.project} has ` +
        `the states of ${there}`,
    );
  }
  const { resources } = parseSnapshot(unpacked(files.read(state)).toString("utf8"), state, config.crypterOf);
  return resources.find(({ type }) => type === stackType)?.outputs ?? {};
}

const readsOnly = () => Promise.reject(new Error("a stack reference is only read"));

/** The provider of Pulumi's own package, which reads stack references. */
export const referenceProvider = (stack: Stack): Provider => ({
  acceptsSecrets: true,
  check: async (_urn, _olds, inputs) => ({ inputs, failures: [] }),
  diff: async () => ({ changes: "none", replaces: [], deleteBeforeReplace: false }),
  async read(_urn, id, inputs) {
    const outputs = referredOutputs(stack, id);
    const secretOutputNames = Object.keys(outputs).filter((name) => hasSecret(outputs[name] ?? null));
    return { id, inputs, outputs: { name: id, outputs, secretOutputNames } };
  },
  create: readsOnly,
  update: readsOnly,
  delete: readsOnly,
  stop: () => {},
  close: () => {},
});
