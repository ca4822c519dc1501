/** Output values: values of the protocol that say of which resources they come (pkg/resource/deploy/source_eval.go). */
import { exportedWhole } from "../../pulumi/sdk-internals.ts";
import {
  isObject,
  isOutputValue,
  isSecret,
  mapValue,
  outputValue,
  type Properties,
  secretValue,
  unknownText,
  type Value,
} from "./values.ts";

type Dependencies = Readonly<Record<string, readonly string[]>>;

const dependenciesIn = ({ dependencies }: Properties) => (dependencies ?? []) as readonly string[];

/** What isn't known yet and what is secret, as output values. */
export const withOutputs = (properties: Properties): Properties =>
  mapValue(properties, (value) => {
    if (value === unknownText) return outputValue(undefined, false, []);
    if (!isSecret(value)) return value;
    const inner = secretValue(value);
    return isOutputValue(inner)
      ? outputValue(inner.value, true, dependenciesIn(inner))
      : outputValue(inner, true, []);
  }) as Properties;

/** Properties as output values wherever they come of resources that they don't say themselves. */
export function withDependencies(properties: Properties, dependencies: Dependencies): Properties {
  const entries = Object.entries(properties).map(([key, value]): [string, Value] => {
    const known = new Set(dependenciesOf(value));
    const of = dependencies[key] ?? [];
    if (of.every((urn) => known.has(urn))) return [key, value];
    if (!isOutputValue(value)) return [key, outputValue(value, false, of)];
    const all = [...new Set([...dependenciesIn(value), ...of])];
    return [key, outputValue(value.value, value.secret === true, all)];
  });
  return Object.fromEntries(entries);
}

/** A stack's outputs; of a resource that is exported whole without the preview's mark, and without what isn't known yet. */
export const stackOutputs = (outputs: Properties): Properties =>
  mapValue(outputs, (value) => {
    if (!isObject(value) || value[exportedWhole] === undefined) return value;
    const known = Object.entries(value).filter(([key, one]) => key !== exportedWhole && one !== unknownText);
    return Object.fromEntries(known);
  }) as Properties;

/** The resources that a value comes of, each once. */
export function dependenciesOf(value: Value | undefined): readonly string[] {
  const found = new Set<string>();
  const visit = (one: Value | undefined): void => {
    if (Array.isArray(one)) one.forEach(visit);
    if (!isObject(one)) return;
    if (isOutputValue(one)) for (const urn of dependenciesIn(one)) found.add(urn);
    Object.values(one).forEach(visit);
  };
  visit(value);
  return [...found];
}
