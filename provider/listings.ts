/** Lists the objects of a kind, for engines that ask what can be imported. */
import { every } from "./client/lists.ts";
import type { Definition } from "./definition/define.ts";
import { titleOf } from "./inventory/program-arguments.ts";
import { resources } from "./resources/index.ts";
import type { OpenShop } from "./run/open-shop.ts";
import { engineIdOf, parentNames } from "./values/identity.ts";
import type { Values } from "./wire/codec.ts";

export interface Listing {
  readonly definition: Definition;
  /** Arguments that identify the list, such as the theme of assets. */
  readonly takes: readonly string[];
  /** Reads all pages. @throws Error where an argument is missing */
  each(shop: OpenShop, args: Values): AsyncIterable<{ readonly id: string; readonly name: string }>;
}

/** One for each kind that has a list. */
export const listings: readonly Listing[] = resources.flatMap(([, definition]) =>
  definition.operations.list === undefined ? [] : [listingOf(definition)],
);

function listingOf(definition: Definition): Listing {
  const takes = parentNames(definition);
  return {
    definition,
    takes,
    async *each(shop, args) {
      const missing = takes.filter((name) => args[name] === undefined);
      if (missing.length > 0)
        throw new Error(`${definition.kind} is listed by ${missing.join(" and ")}: state it in the query`);
      const place = Object.fromEntries(takes.map((name) => [name, args[name]]));
      // An unreadable value doesn't hide the object.
      const onBadValue = () => {};
      for await (const seen of every(shop.client.transport, definition, place, { onBadValue })) {
        yield { id: engineIdOf(definition, seen, args), name: titleOf(definition, seen) };
      }
    },
  };
}
