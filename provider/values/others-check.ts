/** What a program says of the items that it doesn't list (`otherVariants`), checked beside its list. */
import type { Definition, Items } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { isBlank, listOf } from "../wire/values.ts";
import { missingToCreate, otherWords, partialLists } from "./part.ts";
import { ignoredIn } from "./shapes.ts";

interface Wrong {
  readonly property: string;
  readonly reason: string;
  readonly given?: unknown;
}

const words = Object.keys(otherWords).map((word) => JSON.stringify(word));

/**
 * @param news what the program wrote, with what the SDK says beside it
 * @param inputs its arguments, checked
 * @returns the words to go by; that unlisted items go is what no word means, too
 */
export function checkOthers(definition: Definition, news: Values, inputs: Values) {
  const failures: Wrong[] = [];
  const kept: Record<string, unknown> = {};
  for (const { list, items, others } of partialLists(definition)) {
    const given = news[others] ?? undefined;
    if (given === "keep" || given === unknownValue) kept[others] = given;
    else if (given !== undefined && given !== "delete")
      failures.push({ property: others, given, reason: `must be ${words.join(" or ")}` });
    if (given === "keep") failures.push(...untold(list, items, inputs[list], others));
    const asked = inputs[list];
    if (Array.isArray(asked) && asked.length === 0 && given !== "keep")
      failures.push({ property: list, reason: "must have at least one: a shop keeps the last" });
    // One that is wrong is told by itself.
    const [left] = missingToCreate(definition, inputs).filter(
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

/** Items that have nothing by which they are found among others. */
function untold(list: string, { key, tells }: Items, asked: unknown, others: string): readonly Wrong[] {
  const names = [...(key === undefined ? [] : [key]), ...tells];
  return (Array.isArray(asked) ? listOf(asked) : []).flatMap((item, index) =>
    typeof item !== "object" || item === null || names.some((name) => !isBlank(item[name]))
      ? []
      : [
          {
            property: `${list}[${index}]`,
            reason: `must state its ${names.join(" or ")}: with ${others}: "keep" it is found by that`,
          },
        ],
  );
}
