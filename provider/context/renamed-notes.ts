/** Notes of resources whose names change in the state. */
import { diskFiles, type Files, writeWhole } from "../../engine/common/disk.ts";
import { typeOf } from "../../engine/pulumi/urn.ts";
import { ownerOf } from "../names/owner.ts";
import { kindOfType } from "../names/types.ts";
import { noteLine } from "./create-notes.ts";

/**
 * Gives the notes of resources their new names: the next run looks for those.
 * @param path of the notes
 * @param urns the new URN of each renamed resource
 */
export function renameNotes(path: string, urns: ReadonlyMap<string, string>, files: Files = diskFiles): void {
  if (!files.exists(path)) return;
  const owners = new Map(
    [...urns].flatMap(([old, now]) =>
      kindOfType(typeOf(old)) === undefined ? [] : [[ownerOf(old).of, ownerOf(now).of] as const],
    ),
  );
  const text = files.read(path).toString("utf8");
  const renamed = text.split("\n").map((part) => {
    const line = noteLine(part);
    const of = line !== undefined && "begin" in line ? owners.get(line.of) : undefined;
    return of === undefined ? part : JSON.stringify({ ...line, of });
  });
  if (renamed.join("\n") !== text) writeWhole(files, path, renamed.join("\n"));
}
