/** Where in the program a resource is made, for whoever reads why it failed. */
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Failure } from "../values/events.ts";
import type { Position } from "../values/goal.ts";

/** @param folder of the project: a place is told from there, and only of files in it */
export function openPlaces(folder: string) {
  const places = new Map<string, string>();
  const textOf = (position: Position | undefined): string | undefined => {
    if (position === undefined || !URL.canParse(position.uri)) return undefined;
    const path = relative(folder, fileURLToPath(position.uri)).replaceAll("\\", "/");
    return path === "" || path.startsWith("../") || path.includes("node_modules/")
      ? undefined
      : `${path}:${position.line}`;
  };
  return {
    note(urn: string, position: Position | undefined): void {
      const text = textOf(position);
      if (text !== undefined) places.set(urn, text);
    },
    /** ` (index.ts:2, index.ts:3)`: where a resource was made that is made again; empty where nobody knows. */
    both(urn: string, position: Position | undefined): string {
      const all = [places.get(urn), textOf(position)].filter((one) => one !== undefined);
      return all.length === 0 ? "" : ` (${all.join(", ")})`;
    },
    /** A failure with the place of its resource. */
    placed(failure: Failure): Failure {
      const place = failure.urn === undefined ? undefined : places.get(failure.urn);
      return place === undefined ? failure : { ...failure, place };
    },
  };
}
