/** Checks the lists among the arguments: duplicate items, and `otherVariants`. */
import type { Definition, Items } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { isBlank, listOf } from "../wire/values.ts";
import { ignoredIn } from "./keyed-lists.ts";
import { missingForCreate, othersMeanings, partialLists } from "./partial.ts";
import { isSecretPath, shownPath } from "./secrets.ts";

/** An argument that was rejected: its path, and the reason as a message shows it. */
export interface Failure {
  readonly property: string;
  readonly reason: string;
}

/** A failure with the value that the program set, which a message shows unless it is a secret. */
export interface InvalidArgument extends Failure {
  readonly value?: unknown;
}

/**
 * Finds items that can't be told apart, such as two variants with one SKU.
 * @param there the list of the last run or, for an adopted object, of the shop: its duplicates may stay
 * @returns a failure for each duplicate
 */
export function duplicateItems({ fields }: Definition, args: Values, there: Values): readonly Failure[] {
  return Object.entries(fields).flatMap(([list, { items }]) => {
    const inner = items?.fields;
    if (inner?.id === undefined || items?.key === undefined || !Array.isArray(args[list])) return [];
    const names = [items.key, ...items.identifiers.filter((name) => inner[name]?.items !== undefined)];
    return names.flatMap((name) => {
      const known = Map.groupBy(listOf(there[list]), (item) => spelled(item?.[name]));
      const first = new Map<string, number>();
      return listOf(args[list]).flatMap((item, index): readonly Failure[] => {
        const text = spelled(item?.[name]);
        const other = first.get(text);
        if (text !== "" && other === undefined) first.set(text, index);
        if (text === "" || other === undefined || (known.get(text)?.length ?? 0) > 1) return [];
        const property = `${list}[${index}].${name}`;
        const what = isSecretPath(args, property) ? "" : ` ${text}`;
        return [
          {
            property: shownPath(args, property),
            reason: `is the same${what} as ${list}[${other}].${name}: nothing would tell the two apart, so write each ${name} once`,
          },
        ];
      });
    });
  });
}

/** A value as a text, with options in alphabetical order; empty if it is unset or unknown. */
function spelled(value: unknown): string {
  if (typeof value === "string") return value === "" || value === unknownValue ? "" : JSON.stringify(value);
  const entries = listOf(value).map((one) => Object.values(one ?? {}).map(String));
  const isSaid = entries.length > 0 && !entries.flat().includes(unknownValue);
  return isSaid
    ? entries
        .map((one) => one.join(" "))
        .toSorted()
        .join(", ")
    : "";
}

const words = Object.keys(othersMeanings).map((word) => JSON.stringify(word));

/**
 * Checks `otherVariants` and its list.
 * @param news the arguments as the engine sent them
 * @param inputs the checked arguments
 * @returns the checked value; "delete" is the default and left out
 */
export function checkOthersArgument(definition: Definition, news: Values, inputs: Values) {
  const failures: InvalidArgument[] = [];
  const kept: Record<string, unknown> = {};
  for (const { list, items, others } of partialLists(definition)) {
    const given = news[others] ?? undefined;
    if (given === "keep" || given === unknownValue) kept[others] = given;
    else if (given !== undefined && given !== "delete")
      failures.push({ property: others, value: given, reason: `must be ${words.join(" or ")}` });
    if (given === "keep") failures.push(...unidentified(list, items, inputs[list], others));
    const asked = inputs[list];
    if (Array.isArray(asked) && asked.length === 0 && given !== "keep")
      failures.push({ property: list, reason: "must have at least one: a shop doesn't delete the last" });
    // An invalid argument has a failure of its own.
    const [left] = missingForCreate(definition, inputs).filter(
      (name) => (news[name] ?? undefined) === undefined && !ignoredIn(news).includes(name),
    );
    if (given === undefined && left !== undefined && asked !== undefined)
      failures.push({
        property: others,
        reason:
          `is required where ${left} is left to the shop: "keep" leaves the ${list} that the program doesn't list as they are, ` +
          `"delete" deletes them`,
      });
  }
  return { inputs: kept, failures };
}

/** Items without a field that identifies them among the shop's items. */
function unidentified(
  list: string,
  { key, identifiers }: Items,
  asked: unknown,
  others: string,
): readonly InvalidArgument[] {
  const names = [...(key === undefined ? [] : [key]), ...identifiers];
  return (Array.isArray(asked) ? listOf(asked) : []).flatMap((item, index) =>
    typeof item !== "object" || item === null || names.some((name) => !isBlank(item[name]))
      ? []
      : [
          {
            property: `${list}[${index}]`,
            reason: `must set its ${names.join(" or ")}: with ${others}: "keep" the run finds it by that`,
          },
        ],
  );
}
