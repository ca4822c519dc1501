/** The detailed diff: each differing property with its path and kind of change. */

import { pathIn } from "../engine/pulumi/path.ts";
import { type Difference, definitionOf, type Values } from "../provider/native.ts";

type Kind = "ADD" | "ADD_REPLACE" | "DELETE" | "DELETE_REPLACE" | "UPDATE" | "UPDATE_REPLACE";

export interface Detail {
  /** The argument. */
  readonly top: string;
  /** A property path: `variants[1].price`. */
  readonly path: string;
  readonly kind: Kind;
  /** Whether the arguments differ; otherwise the object differs from them. */
  readonly isOfInputs: boolean;
}

type Holder = Readonly<Record<string, unknown>> | readonly unknown[];

/**
 * @param before the arguments in the state
 * @param news the program's arguments
 */
export function detailed(
  kind: string,
  { paths, replaces = [] }: Difference,
  before: Values,
  news: Values,
): readonly Detail[] {
  const fields = definitionOf(kind)?.fields ?? {};
  const found = paths.map((path): Detail => {
    const [top = path, item, inner] = pathIn(path);
    const key = fields[top]?.items?.key;
    const [is, was] = [news, before].map((values) => placeOf(values[top], item, key));
    const place = is ?? was;
    // If neither side has the item by its key, the whole list is named.
    const isNamed = item === undefined || place !== undefined;
    const steps = [...(isNamed && item !== undefined ? [place as string] : [])];
    const leaf = isNamed && inner !== undefined ? [inner] : [];
    const at = (values: Values, own: string | undefined) =>
      [...(steps.length > 0 ? [own] : []), ...leaf].reduce<unknown>(
        (value, step) => (step === undefined ? undefined : (value as Holder | undefined)?.[step as never]),
        values[top],
      );
    const [old, next] = [at(before, was), at(news, is)];
    const verb = old === undefined ? "ADD" : next === undefined ? "DELETE" : "UPDATE";
    const isSame = JSON.stringify(old) === JSON.stringify(next);
    return {
      top,
      path: [
        top,
        ...steps.map((step) => stepText(step, news[top] ?? before[top])),
        ...leaf.map((step) => `.${step}`),
      ].join(""),
      kind: replaces.includes(top) ? `${isSame ? "UPDATE" : verb}_REPLACE` : isSame ? "UPDATE" : verb,
      // A property without an output would be shown as added to the object.
      isOfInputs: !isSame || fields[top]?.mode === "program",
    };
  });
  return [...new Map(found.map((detail) => [detail.path, detail])).values()];
}

/** The position of a list item with this key; for lists without a key, the item is the position. */
function placeOf(list: unknown, item: string | undefined, key: string | undefined): string | undefined {
  if (item === undefined || typeof list !== "object" || list === null) return undefined;
  if (!Array.isArray(list)) return Object.hasOwn(list, item) ? item : undefined;
  const index = list.findIndex((entry) => key !== undefined && entry?.[key] === item);
  if (index >= 0) return String(index);
  return /^\d+$/.test(item) && Number(item) < list.length ? item : undefined;
}

const stepText = (step: string, list: unknown) =>
  Array.isArray(list) ? `[${step}]` : `[${JSON.stringify(step)}]`;
