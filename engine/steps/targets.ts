/**
 * Selects the resources of a run with --target and --exclude; others stay unchanged. Providers and the stack are always
 * included (pkg/resource/deploy/step_generator.go, isIncludedInOperation).
 */

import { didYouMeanAny, isProviderType, parseUrn, stackType } from "../pulumi/urn.ts";
import { allDependencies } from "../state/dependency-order.ts";
import type { State } from "../state/snapshot.ts";

/** Names or URNs of resources. */
export interface TargetOptions {
  readonly target?: readonly string[];
  /** All but these. */
  readonly exclude?: readonly string[];
  /** With `target`: also resources that depend on the targets. */
  readonly targetDependents?: boolean;
  /**
   * Whether staff deleted the object of a resource that the program registers and the state doesn't have, and what
   * becomes of it: it is left out, or created again. @param formerly the URNs of its aliases
   */
  readonly ifGone?: (urn: string, formerly: readonly string[]) => "left" | "again" | undefined;
}

export type Targets = ReturnType<typeof openTargets>;

type Named = Pick<State, "urn" | "type">;

const isNamed = (names: readonly string[], urn: string) =>
  names.includes(urn) || names.includes(parseUrn(urn).name);
const isImplied = ({ type }: Named) => type === stackType || isProviderType(type);

/** A target that is not a resource. */
export class UnknownNameError extends Error {
  override readonly name = "UnknownNameError";
}

export function openTargets({
  target,
  exclude = [],
  targetDependents = false,
  ifGone = () => undefined,
}: TargetOptions) {
  const included = new Set<string>();

  /** The targets among the resources to delete. @throws Error if another resource depends on one of them */
  function deletableTargets(leaving: readonly State[], all: readonly State[]): readonly State[] {
    const chosen = new Set(leaving.filter(({ urn }) => isNamed(target ?? [], urn)));
    const goes = (urn: string) => [...chosen].some((state) => !state.delete && state.urn === urn);
    for (let before = -1; before !== chosen.size; ) {
      before = chosen.size;
      for (const state of all) {
        const needed = chosen.has(state) || state.delete ? undefined : allDependencies(state).find(goes);
        if (needed === undefined) continue;
        if (!targetDependents || !leaving.includes(state))
          throw new Error(
            `${parseUrn(state.urn).name} needs ${parseUrn(needed).name}, which would be deleted: name it too, or pass --target-dependents`,
          );
        chosen.add(state);
      }
    }
    return leaving.filter((state) => chosen.has(state));
  }

  function withoutExcluded(leaving: readonly State[], all: readonly State[]): readonly State[] {
    const kept = new Set(all.filter(({ urn }) => isNamed(exclude, urn)).map(({ urn }) => urn));
    for (let before = -1; before !== kept.size; ) {
      before = kept.size;
      for (const state of all)
        if (kept.has(state.urn)) for (const urn of allDependencies(state)) kept.add(urn);
    }
    return leaving.filter(({ urn }) => !kept.has(urn));
  }

  return {
    ifGone,
    /** Whether a run includes a resource. Dependencies must be asked for first. */
    includes(state: State): boolean {
      if (isImplied(state)) return true;
      if (target === undefined) return !isNamed(exclude, state.urn);
      const isTarget =
        isNamed(target, state.urn) ||
        (targetDependents && allDependencies(state).some((urn) => included.has(urn)));
      if (isTarget) included.add(state.urn);
      return isTarget;
    },
    deletable(leaving: readonly State[], all: readonly State[]): readonly State[] {
      if (target !== undefined) return deletableTargets(leaving, all);
      return exclude.length > 0 ? withoutExcluded(leaving, all) : leaving;
    },
    /** @throws UnknownNameError if a target names no resource */
    refuseUnknown(urns: readonly string[]): void {
      const unknown = [...(target ?? []), ...exclude].filter(
        (name) => !urns.some((urn) => isNamed([name], urn)),
      );
      if (unknown.length > 0)
        throw new UnknownNameError(
          `--${target === undefined ? "exclude" : "target"}: neither the program nor the state has ${unknown.join(", ")}${didYouMeanAny(unknown, urns)}`,
        );
    },
  };
}
