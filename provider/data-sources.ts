/** Data sources: functions that read from a shop, such as `getTheme` and `getThemes`. */

import { pickOne } from "./change/identity.ts";
import { call } from "./client/call.ts";
import type { Transport } from "./client/transport.ts";
import type { OpenShop } from "./context/open-shop.ts";
import { type Definition, operationOf } from "./definition/define.ts";
import { allDefinitions } from "./resources/index.ts";
import type { Values } from "./wire/codec.ts";
import { listOf } from "./wire/values.ts";

export interface DataSource {
  readonly name: string;
  readonly definition: Definition;
  /** The name of the list in the result; undefined if the result is one object. */
  readonly list: string | undefined;
  /** Whether it accepts the `lookups` of the definition as arguments. */
  readonly takesLookups: boolean;
  /** Reads from a shop, once in a process. @throws Error that lists the objects, if none or several match */
  ask(shop: OpenShop, args: Values): Promise<unknown>;
}

const asked = new WeakMap<OpenShop, Map<string, Promise<unknown>>>();

/** All objects of a kind, or its only one. @param group its name in the client */
function all(shop: OpenShop, group: string, definition: Definition): Promise<unknown> {
  const lists = asked.get(shop) ?? new Map<string, Promise<unknown>>();
  asked.set(shop, lists);
  const known = lists.get(group);
  if (known !== undefined) return known;
  const answer = askOnce(shop, group, definition);
  lists.set(group, answer);
  // After a failure the next call tries again.
  answer.catch(() => lists.delete(group));
  return answer;
}

/** Reads, and notices the number of requests: the run reads again. */
async function askOnce(shop: OpenShop, group: string, definition: Definition): Promise<unknown> {
  const { transport } = shop.client;
  let requests = 0;
  const counting: Transport = {
    ...transport,
    send(request, read) {
      requests += 1;
      return transport.send(request, read);
    },
  };
  const operation = definition.operations.list ?? operationOf(definition, "get");
  const answer = await call(counting, definition, operation, {});
  shop.notice({ type: "asks", shop: shop.connection.url, group, requests });
  return answer;
}

function ofKind(group: string, definition: Definition): readonly DataSource[] {
  const { kind, operations, lookups } = definition;
  const source = (name: string, list: string | undefined, ask: DataSource["ask"], takesLookups = false) => ({
    name,
    definition,
    list,
    takesLookups,
    ask,
  });
  if (operations.list === undefined)
    return [source(`get${kind}`, undefined, (shop) => all(shop, group, definition))];
  const many = source(`get${kind}s`, group, (shop) => all(shop, group, definition));
  if (lookups === undefined) return [many];
  const one: DataSource["ask"] = async (shop, args) =>
    pickOne(definition, listOf(await all(shop, group, definition)), args);
  return [many, source(`get${kind}`, undefined, one, true)];
}

/** One or two for each kind that a program can't create. */
export const dataSources: readonly DataSource[] = Object.entries(allDefinitions).flatMap(
  ([group, definition]) => (definition.operations.create === undefined ? ofKind(group, definition) : []),
);
