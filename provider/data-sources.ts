/** What can be asked of a shop: functions of a program, `getTheme` and `getThemes` for instance. */

import { createClient } from "./client/index.ts";
import type { Transport } from "./client/transport.ts";
import type { Definition } from "./definition/define.ts";
import { allDefinitions } from "./resources/index.ts";
import type { OpenShop } from "./run/open-shop.ts";
import { pickOne } from "./values/identity.ts";
import type { Values } from "./wire/codec.ts";
import { listOf } from "./wire/values.ts";

export interface DataSource {
  readonly name: string;
  readonly definition: Definition;
  /** The name under which an answer holds a list; undefined where the answer is one object. */
  readonly list: string | undefined;
  /** Whether it takes what `lookups` of the definition names. */
  readonly takesLookups: boolean;
  /**
   * Asks a shop; one request a process, however often it is asked.
   * @throws Error that lists what there is, where none or several match
   */
  ask(shop: OpenShop, args: Values): Promise<unknown>;
}

type Method = () => Promise<unknown>;

const asked = new WeakMap<OpenShop, Map<string, Promise<unknown>>>();

/** All objects of a group, or the one there is. */
function all(shop: OpenShop, group: string): Promise<unknown> {
  const lists = asked.get(shop) ?? new Map<string, Promise<unknown>>();
  asked.set(shop, lists);
  const known = lists.get(group);
  if (known !== undefined) return known;
  const answer = askOnce(shop, group);
  lists.set(group, answer);
  // A failure is not an answer: the next call asks again.
  answer.catch(() => lists.delete(group));
  return answer;
}

/** Asks, and tells whoever plans how many requests it took: the program of the run asks again. */
async function askOnce(shop: OpenShop, group: string): Promise<unknown> {
  const { transport } = shop.client;
  let requests = 0;
  const counting: Transport = {
    ...transport,
    send(request, read) {
      requests += 1;
      return transport.send(request, read);
    },
  };
  const groups = createClient(counting) as unknown as Readonly<
    Record<string, Readonly<Record<string, Method>>>
  >;
  const { list, get } = groups[group] as { list?: Method; get: Method };
  const answer = await (list ?? get)();
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
  if (operations.list === undefined) return [source(`get${kind}`, undefined, (shop) => all(shop, group))];
  const many = source(`get${kind}s`, group, (shop) => all(shop, group));
  if (lookups === undefined) return [many];
  const one: DataSource["ask"] = async (shop, args) =>
    pickOne(definition, listOf(await all(shop, group)), args);
  return [many, source(`get${kind}`, undefined, one, true)];
}

/** All of them, out of the definitions of what a program can't make. */
export const dataSources: readonly DataSource[] = Object.entries(allDefinitions).flatMap(
  ([group, definition]) => (definition.operations.create === undefined ? ofKind(group, definition) : []),
);
