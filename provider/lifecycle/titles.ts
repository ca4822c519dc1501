/** Titles that amounts are stated under, and that the shop doesn't have yet. */
import { titlesMissing } from "../client/call.ts";
import { titlesIn } from "../client/named.ts";
import type { Definition } from "../definition/define.ts";
import { nameIn, type Shop } from "../run/context.ts";
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
      `${nameIn(args) || definition.kind}: the shop has no ${kind} ${JSON.stringify(title)} yet; this program must make it before`,
    );
}
