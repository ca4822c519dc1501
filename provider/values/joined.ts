/** Texts that a program joined out of outputs: the SDK gives an advice in place of a value that isn't known yet. */

interface Joined {
  readonly property: string;
  readonly reason: string;
}

// `${output}` and `"" + output` bring the first, JSON.stringify brings the second; in both the brackets are the SDK's own.
const advice = /Calling \[to(String|JSON)\] on an \[Output<T>\] is not supported/;

/**
 * All places at any depth of the arguments that hold such a text: a shop would show it on its pages.
 * @param path where the value stands, empty for the arguments themselves
 */
export function joinedOutputs(value: unknown, path = ""): readonly Joined[] {
  if (typeof value === "string") {
    const [, how] = advice.exec(value) ?? [];
    if (how === undefined) return [];
    return [
      {
        property: path,
        reason:
          how === "JSON"
            ? "holds an Output that was given to JSON.stringify: use pulumi.jsonStringify"
            : "holds an Output that was joined to a text with + or in a template: put the word pulumi.interpolate before the template",
      },
    ];
  }
  if (Array.isArray(value)) return value.flatMap((one, index) => joinedOutputs(one, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    joinedOutputs(one, path === "" ? name : `${path}.${name}`),
  );
}
