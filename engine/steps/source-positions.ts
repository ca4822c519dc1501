/** Finds where in the program each resource is created, for error messages. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Failure } from "../values/events.ts";
import type { Position } from "../values/goal.ts";

/** @param folder the project's folder: positions are relative to it, and files outside it are left out */
export function openSourcePositions(folder: string) {
  const places = new Map<string, string | undefined>();
  const textOf = (position: Position | undefined): string | undefined => {
    if (position === undefined || !URL.canParse(position.uri)) return undefined;
    const path = relative(folder, fileURLToPath(position.uri)).replaceAll("\\", "/");
    return path === "" || path.startsWith("../") || path.includes("node_modules/")
      ? undefined
      : `${path}:${position.line}`;
  };
  return {
    note(urn: string, position: Position | undefined): void {
      places.set(urn, textOf(position));
    },
    /** The positions of two resources with the same name, ` (index.ts:2, index.ts:3)`; empty if unknown. */
    both(urn: string, position: Position | undefined): string {
      const all = [places.get(urn), textOf(position)].filter((one) => one !== undefined);
      return all.length === 0 ? "" : ` (${all.join(", ")})`;
    },
    /** The position of each registered resource by URN; undefined if unknown. */
    places: places as ReadonlyMap<string, string | undefined>,
    /** Adds the resource's position to a failure. */
    placed(failure: Failure): Failure {
      const place = failure.urn === undefined ? undefined : places.get(failure.urn);
      return place === undefined ? failure : { ...failure, place };
    },
  };
}
