/** Titles that amounts are stated under: those that the shop doesn't have yet, and those that a run gives other objects. */
import { baseIn, baseKey, setPathsIn } from "../body/state.ts";
import { titlesMissing } from "../client/call.ts";
import { renamedTitles, titlesIn, withRenamedTitles } from "../client/titled-amounts.ts";
import type { Definition, Fields } from "../definition/define.ts";
import { calledIn, type Shop } from "../run/context.ts";
import { baseItemsIn } from "../values/base.ts";
import type { Values } from "../wire/codec.ts";

/** Says in a preview which titles the shop lacks, where the program states others than before. */
export async function tellTitles(
  definition: Definition,
  shop: Shop,
  olds: Values,
  args: Values,
): Promise<void> {
  if (shop.plan.isPreview === false || shop.plan.onlyArguments) return;
  if (titlesIn(definition, args).join() === titlesIn(definition, olds).join()) return;
  const { kind, missing } = await titlesMissing(shop.transport, definition, args);
  for (const title of missing)
    shop.sayInPreview(
      `${calledIn(definition, args)}: the shop has no ${kind} ${JSON.stringify(title)} yet; the program must create it first`,
    );
}

/** The paths of amounts, as `__stated` has them up to their titles: `variants.prices.` */
const namedPaths = (fields: Fields): readonly string[] =>
  Object.entries(fields).flatMap(([name, { namedBy, items }]) =>
    namedBy !== undefined ? [`${name}.`] : namedPaths(items?.fields ?? {}).map((path) => `${name}.${path}`),
  );

/**
 * A state from before this run's renames, as if it had been written after them: an amount stays that of its object, and
 * is not taken for another's that has the title now.
 */
export function underNewTitles({ fields }: Definition, { transport }: Shop, state: Values): Values {
  const titles = renamedTitles(transport);
  const paths = titles.size === 0 ? [] : namedPaths(fields);
  if (paths.length === 0) return state;
  const rename = (title: string) => titles.get(title) ?? title;
  const asked = Object.entries(baseIn(state)).map(([name, value]) => {
    const inner = fields[name]?.items?.fields;
    if (inner === undefined) return [name, value] as const;
    const items = Object.entries(baseItemsIn(value)).map(([id, item]) => [
      id,
      item && withRenamedTitles(inner, item, rename),
    ]);
    return [name, Object.fromEntries(items)] as const;
  });
  const stated = [...setPathsIn(state)].map((path) => {
    const start = paths.find((one) => path.startsWith(one));
    if (start === undefined) return path;
    return start + encodeURIComponent(rename(decodeURIComponent(path.slice(start.length))));
  });
  return {
    ...withRenamedTitles(fields, state, rename),
    ...(state[baseKey] !== undefined && { [baseKey]: Object.fromEntries(asked) }),
    ...(state.__stated !== undefined && { __stated: stated.join(",") }),
  };
}
