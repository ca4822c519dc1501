/**
 * Texts that a program joined out of values that are no texts: the SDK gives an advice in place of an output that isn't known yet,
 * JavaScript a word in place of an object.
 */

import { isBodyName } from "../body/arguments.ts";
import { readOwner } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";

// `${output}` and `"" + output` bring the first, JSON.stringify brings the second, f"{output}" the third; all brackets are the SDK's own.
const advice =
  /Calling (\[toString\]|\[toJSON\]|__str__) on an (?:\[Output<T>\]|Output\[T\]) is not supported/;
const cures: Readonly<Record<string, string>> = {
  "[toString]":
    "holds an Output that was joined to a text with + or in a template: put the word pulumi.interpolate before the template",
  "[toJSON]": "holds an Output that was given to JSON.stringify: use pulumi.jsonStringify",
  __str__:
    "holds an Output that was made a text by str() or an f-string: use pulumi.Output.concat or pulumi.Output.format",
};
const joinedName =
  "the resource's name was made from an Output or another object; a name must be known before anything is created: make it from a text of the program";
// A script may have such a word as its own.
const object = /\[object \w+\]/;

/**
 * All places at any depth of the arguments that hold such a text, which a shop would show on its pages; the resource's own name
 * has no place.
 */
export function joinedOutputs({ __of, ...args }: Values): ReturnType<typeof joinedIn> {
  const isJoined = reasonIn(readOwner(String(__of ?? "")).name ?? "") !== undefined;
  return isJoined ? [{ property: "", reason: joinedName }] : joinedIn(args);
}

/** @param path where the value stands, empty for the arguments themselves */
function joinedIn(
  value: unknown,
  path = "",
): readonly { readonly property: string; readonly reason: string }[] {
  if (typeof value === "string") {
    const reason = reasonIn(value, isBodyName(path) || path === "otherwise");
    return reason === undefined ? [] : [{ property: path, reason }];
  }
  if (Array.isArray(value)) return value.flatMap((one, index) => joinedIn(one, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const reason = reasonIn(name);
    return reason === undefined
      ? joinedIn(one, path === "" ? name : `${path}.${name}`)
      : [{ property: path, reason: `has a name that ${reason}` }];
  });
}

function reasonIn(text: string, isBody = false): string | undefined {
  const [, how = ""] = advice.exec(text) ?? [];
  if (how !== "") return cures[how];
  const [joined] = isBody ? [] : (object.exec(text) ?? []);
  return joined === undefined
    ? undefined
    : `holds ${joined}, which is an object that was joined to a text: join one of its values, or await it where it is a promise. A secret of another stack is an object where its passphrase isn't this stack's`;
}
