/** The interface for processes that implement Pulumi's provider protocol themselves (plugin/). */

import { engineIdOf, parentNames } from "./change/identity.ts";
import { every } from "./client/paged-lists.ts";
import { lazyShop, type OpenShop, type Say } from "./context/open-shop.ts";
import type { Definition } from "./definition/define.ts";
import { type Handler, handlerOf } from "./index.ts";
import { importKey } from "./inventory/importing.ts";
import { titleOf } from "./inventory/program-arguments.ts";
import { ownerOf } from "./names/owner.ts";
import { handlerText } from "./names/types.ts";
import { resources } from "./resources/index.ts";
import type { Sources } from "./settings/settings.ts";
import { verbsOf } from "./verbs.ts";
import type { Values } from "./wire/codec.ts";

export type { FileArgument } from "./body/arguments.ts";
export { bareValues, marked, markedNames } from "./change/secrets.ts";
export { emitStop as stopHere } from "./client/host-stop.ts";
export { closeShops, openShop, type Say } from "./context/open-shop.ts";
export { type DataSource, dataSources } from "./data-sources.ts";
export { isArgument, isReturnedArgument } from "./definition/define.ts";
export type { Difference } from "./index.ts";
export { workIn } from "./settings/folder.ts";
export { type Setting, settings, textOf } from "./settings/settings.ts";
export { shapeOf as definitionOf } from "./verbs.ts";
export type { Values } from "./wire/codec.ts";
export { encodable } from "./wire/encodable.ts";
export { valuesOf } from "./wire/values.ts";

/**
 * The state with which Pulumi's host, which has no import, finds a kind's provider and reads an object by its id.
 * @param urn of the resource to import
 */
export const toImport = (kind: string, urn: string): Readonly<Record<string, string>> => ({
  __provider: handlerText(kind),
  __of: ownerOf(urn).of,
  [importKey]: "true",
});

/** The verbs of a kind that needs no `configure`. */
export type NativeHandler = Omit<Handler, "configure">;

/**
 * The provider of a kind.
 * @param say prints a line
 * @throws Error if there is no such kind, or a setting is invalid
 */
export function nativeHandler(kind: string, sources: Sources, say: Say): NativeHandler {
  const shop = lazyShop(sources, say);
  const { definition, on } = verbsOf(kind);
  return handlerOf(
    definition,
    () => shop,
    async () => {},
    on,
  );
}

interface Listing {
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
        throw new Error(
          `a list of ${definition.kind} objects needs ${missing.join(" and ")}: set it in the query`,
        );
      const place = Object.fromEntries(takes.map((name) => [name, args[name]]));
      // An unreadable value doesn't hide the object.
      const onBadValue = () => {};
      for await (const seen of every(shop.client.transport, definition, place, { onBadValue })) {
        yield { id: engineIdOf(definition, seen, args), name: titleOf(definition, seen) };
      }
    },
  };
}
