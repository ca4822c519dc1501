/**
 * Texts that a program joined out of values that are no texts: the SDK gives an advice in place of an output that isn't known yet,
 * JavaScript a word in place of an object.
 */
import { isBodyName } from "../body/arguments.ts";

// `${output}` and `"" + output` bring the first, JSON.stringify brings the second; in both the brackets are the SDK's own.
const advice = /Calling \[to(String|JSON)\] on an \[Output<T>\] is not supported/;
// A script may have this word as its own.
const object = "[object Object]";

/**
 * All places at any depth of the arguments that hold such a text: a shop would show it on its pages.
 * @param path where the value stands, empty for the arguments themselves
 */
export function joinedOutputs(
  value: unknown,
  path = "",
): readonly { readonly property: string; readonly reason: string }[] {
  if (typeof value === "string") {
    const reason = reasonIn(value, isBodyName(path) || path === "otherwise");
    return reason === undefined ? [] : [{ property: path, reason }];
  }
  if (Array.isArray(value)) return value.flatMap((one, index) => joinedOutputs(one, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    const reason = reasonIn(name);
    return reason === undefined
      ? joinedOutputs(one, path === "" ? name : `${path}.${name}`)
      : [{ property: path, reason: `has a name that ${reason}` }];
  });
}

function reasonIn(text: string, isBody = false): string | undefined {
  const [, how] = advice.exec(text) ?? [];
  if (how === "JSON") return "holds an Output that was given to JSON.stringify: use pulumi.jsonStringify";
  if (how !== undefined)
    return "holds an Output that was joined to a text with + or in a template: put the word pulumi.interpolate before the template";
  return isBody || !text.includes(object)
    ? undefined
    : `holds ${object}, which is an object that was joined to a text: join one of its values. A secret of another stack is an object where its passphrase isn't this stack's`;
}
