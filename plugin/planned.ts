/** What a preview answers for outputs: what the program states, and that the rest is not known yet. */
import {
  asLists,
  definitionOf,
  isOutput,
  isReturnedArgument,
  unknownValue,
  type Values,
} from "../provider/native.ts";

/** @param olds outputs before; undefined for what is yet to be made */
export function planned(kind: string, inputs: Values, olds: Values | undefined): Values {
  const definition = definitionOf(kind);
  if (definition === undefined) return {};
  const asked = asLists(definition, inputs);
  const outs = Object.entries(definition.fields).flatMap(([name, field]): [string, unknown][] => {
    if (!isOutput(field)) return [];
    if (!isReturnedArgument(field)) return [[name, unknownValue]];
    // What isn't stated is the shop's: as it was, or not known before it is made.
    return [[name, asked[name] ?? (olds === undefined ? unknownValue : olds[name])]];
  });
  return Object.fromEntries(outs);
}
