/** A stack's outputs, as a program registers them. */
import { exportedWhole } from "../../pulumi/sdk-internals.ts";
import { isObject, mapValue, type Properties, unknownText } from "./values.ts";

/** Those of a resource that is exported whole come without the preview's mark, and without what isn't known yet. */
export const stackOutputs = (outputs: Properties): Properties =>
  mapValue(outputs, (value) => {
    if (!isObject(value) || value[exportedWhole] === undefined) return value;
    const known = Object.entries(value).filter(([key, one]) => key !== exportedWhole && one !== unknownText);
    return Object.fromEntries(known);
  }) as Properties;
