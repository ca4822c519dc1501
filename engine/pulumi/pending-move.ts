/**
 * A move of resources between two stacks' states. The target state is written first. Until the source state is written
 * without them, a marker file beside it names them, so that after a crash they count in the target only. The target's
 * next writer may rename or delete them, so it first notes in a file of its own which ones have arrived.
 */

import { type Files, removeWhole, writeWhole } from "../common/disk.ts";

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

/** @param state the path of the target state */
export const arrivalPath = (state: string): string => `${state}.arriving`;

interface Arrival {
  /** The path of the source state. */
  readonly from: string;
  /** The URNs there of what has arrived; undefined if nobody has written the target since the move. */
  readonly arrived?: readonly string[];
}

/** @throws Error if another move to the target was interrupted */
export function writePendingMove(files: Files, state: string, moving: PendingMove): void {
  const path = arrivalPath(moving.to);
  if (files.exists(path))
    throw new Error(
      `another move to ${moving.to} was interrupted: run refresh on the stack of ${parsed<Arrival>(files, path).from} first, which finishes it`,
    );
  writeJson(files, path, { from: state } satisfies Arrival);
  writeJson(files, pendingMovePath(state), moving);
}

const writeJson = (files: Files, path: string, value: unknown): void =>
  writeWhole(files, path, `${JSON.stringify(value)}\n`);

export const hasPendingMove = (files: Pick<Files, "exists">, state: string): boolean =>
  files.exists(pendingMovePath(state));

export function removePendingMove(files: Files, state: string): void {
  if (!hasPendingMove(files, state)) return;
  const { to } = parsed<PendingMove>(files, pendingMovePath(state));
  removeWhole(files, pendingMovePath(state));
  if (arrivalOf(files, to)?.from === state) removeWhole(files, arrivalPath(to));
}

const arrivalOf = (files: Pick<Files, "exists" | "read">, state: string): Arrival | undefined =>
  files.exists(arrivalPath(state)) ? parsed<Arrival>(files, arrivalPath(state)) : undefined;

/**
 * Notes what an interrupted move has brought to a state, before the state is written again.
 * @param state the path of the target state
 */
export function noteArrived(files: Files, state: string): void {
  const arrival = arrivalOf(files, state);
  if (arrival === undefined || arrival.arrived !== undefined) return;
  const { from } = arrival;
  const isOpen =
    hasPendingMove(files, from) && parsed<PendingMove>(files, pendingMovePath(from)).to === state;
  if (!isOpen) {
    removeWhole(files, arrivalPath(state));
    return;
  }
  const there = resourcesIn(files, from);
  const left = new Set(withoutMoved(files, from, there));
  const arrived = there.filter((one) => !left.has(one)).map(({ urn }) => urn);
  writeJson(files, arrivalPath(state), { from, arrived } satisfies Arrival);
}

/** The resources of a state without those that the target state already has. @throws Error if a file is damaged */
export function withoutMoved<One extends Named>(
  files: Pick<Files, "exists" | "read">,
  state: string,
  resources: readonly One[],
): readonly One[] {
  if (!hasPendingMove(files, state)) return resources;
  const { to, urns } = parsed<PendingMove>(files, pendingMovePath(state));
  const { from, arrived } = arrivalOf(files, to) ?? {};
  if (from === state && arrived !== undefined) return resources.filter(({ urn }) => !arrived.includes(urn));
  const ids = new Map(resourcesIn(files, to).map(({ urn, id }) => [urn, id]));
  const isThere = ({ urn, id }: Named) => {
    const next = urns[urn];
    return next !== undefined && ids.has(next) && ids.get(next) === id;
  };
  return resources.filter((one) => !isThere(one));
}

function resourcesIn(files: Pick<Files, "exists" | "read">, state: string): readonly Named[] {
  if (!files.exists(state)) return [];
  const file = parsed<{ checkpoint?: { latest?: { resources?: readonly Named[] } } }>(files, state);
  return file.checkpoint?.latest?.resources ?? [];
}

function parsed<T>(files: Pick<Files, "read">, path: string): T {
  try {
    return JSON.parse(files.read(path).toString("utf8")) as T;
  } catch (cause) {
    throw new Error(`${path} is damaged: ${(cause as Error).message}`, { cause });
  }
}
