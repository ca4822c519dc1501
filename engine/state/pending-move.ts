/**
 * A move of resources between two stacks' states. The target state is written first. Until the source state is written
 * without them, a marker file names them, so that after a crash they count in the target only.
 */

import type { StackPaths } from "../project/backend.ts";
import { type Files, removeWhole, writeWhole } from "../pulumi/disk.ts";
import type { Snapshot, State } from "./snapshot.ts";

/** The file of the target state, and each URN there by the URN here. */
export interface PendingMove {
  readonly to: string;
  readonly urns: Readonly<Record<string, string>>;
}

interface Place {
  readonly files: Files;
  readonly paths: Pick<StackPaths, "state">;
}

export const pendingMovePath = ({ state }: Pick<StackPaths, "state">): string => `${state}.moving`;

export const writePendingMove = ({ files, paths }: Place, moving: PendingMove): void =>
  writeWhole(files, pendingMovePath(paths), `${JSON.stringify(moving)}\n`);

export const hasPendingMove = ({ files, paths }: Place): boolean => files.exists(pendingMovePath(paths));

export const removePendingMove = ({ files, paths }: Place): void => {
  if (hasPendingMove({ files, paths })) removeWhole(files, pendingMovePath(paths));
};

/** A state without the resources that the target state already has. @throws Error if a file is damaged */
export function withoutMoved({ files, paths }: Place, snapshot: Snapshot): Snapshot {
  if (!hasPendingMove({ files, paths })) return snapshot;
  const { to, urns } = parsed<PendingMove>(files, pendingMovePath(paths));
  const there = files.exists(to) ? parsed<{ checkpoint?: { latest?: Partial<Snapshot> } }>(files, to) : {};
  const ids = new Map((there.checkpoint?.latest?.resources ?? []).map(({ urn, id }) => [urn, id]));
  const isThere = ({ urn, id }: State) => {
    const next = urns[urn];
    return next !== undefined && ids.has(next) && ids.get(next) === id;
  };
  return { ...snapshot, resources: snapshot.resources.filter((state) => !isThere(state)) };
}

function parsed<T>(files: Files, path: string): T {
  try {
    return JSON.parse(files.read(path).toString("utf8")) as T;
  } catch (cause) {
    throw new Error(`${path} is damaged: ${(cause as Error).message}`, { cause });
  }
}
