/** Arguments that state a body: exactly one way, and a file that may be read. */

import type { Definition } from "../definition/define.ts";
import { reasonOf } from "../wire/reasons.ts";
import { unknownValue } from "../wire/text.ts";
import { statedBy } from "./arguments.ts";
import { fileFact } from "./body.ts";

interface Wrong {
  readonly property: string;
  readonly reason: string;
}

interface Folder {
  readonly folder: string;
  readonly allowOutside?: boolean | undefined;
}

/** Checks the body of arguments, and replaces the path of a file by what is kept of it. @returns what is wrong */
export async function checkBody(
  definition: Definition,
  inputs: Record<string, unknown>,
  { folder, allowOutside }: Folder,
): Promise<readonly Wrong[]> {
  const failures: Wrong[] = [];
  const stated = statedBy(inputs);
  if (stated.length !== 1) {
    const reason =
      stated.length === 0
        ? "one of content, file and src is required"
        : `only one of ${stated.join(" and ")} may be set`;
    failures.push({ property: stated[1] ?? "content", reason });
  }
  const { file } = inputs;
  if (typeof file === "string" && file !== unknownValue) {
    try {
      inputs.file = await fileFact(file, folder, allowOutside);
    } catch (error) {
      failures.push({ property: "file", reason: reasonOf(error) });
    }
  }
  if (definition.body?.name !== undefined && inputs.content !== undefined && inputs.filename === undefined)
    failures.push({ property: "filename", reason: "is required with content" });
  return failures;
}
