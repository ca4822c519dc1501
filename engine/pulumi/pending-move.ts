/**
 * A move of resources between two stacks' states. The target state is written first. Until the source state is written
 * without them, a marker file beside it names them, so that after a crash they count in the target only.
 */

import { type Files, removeWhole, writeWhole } from "./disk.ts";

/** The file of the target state, and each URN there by the URN here. */
export interface PendingMove {
  readonly to: string;
  readonly urns: Readonly<Record<string, string>>;
}

/** A resource in a state. */
interface Named {
  readonly urn: string;
  readonly id?: string | undefined;
}

/** @param state the path of the source state, as in all functions here */
export const pendingMovePath = (state: string): string => `${state}.moving`;

export const writePendingMove = (files: Files, state: string, moving: PendingMove): void =>
  writeWhole(files, pendingMovePath(state), `${JSON.stringify(moving)}\n`);

export const hasPendingMove = (files: Pick<Files, "exists">, state: string): boolean =>
  files.exists(pendingMovePath(state));

export const removePendingMove = (files: Files, state: string): void => {
  if (hasPendingMove(files, state)) removeWhole(files, pendingMovePath(state));
};

/** The resources of a state without those that the target state already has. @throws Error if a file is damaged */
export function withoutMoved<One extends Named>(
  files: Pick<Files, "exists" | "read">,
  state: string,
  resources: readonly One[],
): readonly One[] {
  if (!hasPendingMove(files, state)) return resources;
  const { to, urns } = parsed<PendingMove>(files, pendingMovePath(state));
  const there = files.exists(to)
    ? parsed<{ checkpoint?: { latest?: { resources?: readonly Named[] } } }>(files, to)
    : {};
  const ids = new Map((there.checkpoint?.latest?.resources ?? []).map(({ urn, id }) => [urn, id]));
  const isThere = ({ urn, id }: Named) => {
    const next = urns[urn];
    return next !== undefined && ids.has(next) && ids.get(next) === id;
  };
  return resources.filter((one) => !isThere(one));
}

function parsed<T>(files: Pick<Files, "read">, path: string): T {
  try {
    return JSON.parse(files.read(path).toString("utf8")) as T;
  } catch (cause) {
    throw new Error(`${path} is damaged: ${(cause as Error).message}`, { cause });
  }
}
