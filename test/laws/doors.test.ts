// Every value passes every door: what the provider answers can be encoded and comes back equal, whichever verb answers and
// whatever comes of it, through Pulumi's own host of dynamic providers and through the plugin.
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { differences } from "../../provider/change/diff.ts";
import { asKeyedLists, asLists } from "../../provider/change/keyed-lists.ts";
import { closeShops, lazyShop } from "../../provider/context/open-shop.ts";
import type { Definition, Field, Fields } from "../../provider/definition/define.ts";
import { handlerOf } from "../../provider/index.ts";
import { toImport } from "../../provider/native.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import { hyphenated, type Values } from "../../provider/wire/codec.ts";
import { openPlug, type Plug, unfinished, urn } from "../plugin/engine.ts";
import { sampleOf } from "../provider/samples.ts";
import { partOf } from "../support/campaign.ts";
import { openWorld, resources, type World } from "../support/world.ts";

/** What is stated of every argument whose type takes it. */
const values: Readonly<Record<string, (field: Field) => unknown>> = {
  "an empty text": () => "",
  zero: ({ type }) => (type === "integer" || type === "decimal" ? 0 : undefined),
  "zero as a text": ({ type }) => (type === "decimal" || type === "text" ? "0" : undefined),
  false: ({ type }) => (type === "boolean" ? false : undefined),
  "a long text": ({ type }) => (type === "text" ? "long ".repeat(16_000) : undefined),
  "a text of other scripts": ({ type }) => (type === "text" ? "Ёж 😀 👩‍👩‍👧" : undefined),
  nothing: () => undefined,
};

const stated = (fields: Fields, value: (field: Field) => unknown, known: Values): Values =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const isPlain = field.mode === "optional" && field.items === undefined && field.values === undefined;
      if (!isPlain || field.replaces || known[name] !== undefined || field.refersTo !== undefined) return [];
      const one = value(field);
      return one === undefined ? [] : [[name, one]];
    }),
  );

/** Arguments with a value wherever they state nothing, in the items of their lists as well. */
function filled(
  { fields, suffixesDuplicates }: Definition,
  args: Values,
  value: (field: Field) => unknown,
): Values {
  const lists = Object.entries(fields).flatMap(([name, { items }]) => {
    const inner = items?.fields;
    if (inner === undefined || !Array.isArray(args[name])) return [];
    return [
      [name, (args[name] as Values[]).map((item) => ({ ...item, ...stated(inner, value, item) }))] as const,
    ];
  });
  // Of an address the shop makes another one.
  const own = Object.entries(stated(fields, value, args)).filter(([name]) => name !== suffixesDuplicates);
  return { ...args, ...Object.fromEntries([...own, ...lists]) };
}

/** A way to a shop that loses what it is told to lose of what is written. */
async function openLossy(url: string) {
  let lost: readonly string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", async () => {
      let body = Buffer.concat(chunks).toString();
      for (const name of lost) body = without(body, name);
      const { host: _host, "content-length": _length, ...headers } = request.headers;
      const isWrite = request.method !== "GET" && request.method !== "DELETE";
      const answer = await fetch(`${url}${request.url}`, {
        method: request.method as string,
        headers: headers as Record<string, string>,
        ...(isWrite && { body }),
      });
      const type = { "content-type": answer.headers.get("content-type") ?? "" };
      response.writeHead(answer.status, type).end(Buffer.from(await answer.arrayBuffer()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const lose = (names: readonly string[]) => {
    lost = names;
  };
  return { url: `http://127.0.0.1:${port}`, lose };
}

const without = (body: string, name: string): string =>
  body
    .replace(new RegExp(`<${name}(?: [^>]*)?/>|<${name}(?: [^>]*)?>[^<]*</${name}>`, "g"), "")
    .replace(new RegExp(`"${name}":("[^"]*"|[\\w.]+),?`, "g"), "");

/** The names under which a request has any argument that may be left out. */
const elements = ({ fields }: Definition): readonly string[] => {
  const of = (some: Fields): string[] =>
    Object.entries(some).flatMap(([name, { mode, sent, read, items }]) => [
      ...(mode === "optional" && name !== "sku" ? [sent ?? read ?? hyphenated(name), name] : []),
      ...of(items?.fields ?? {}),
    ]);
  return [...new Set(of(fields))];
};

const lawKey = "__pulumiShopLaw";
interface Door {
  readonly plug: Plug;
  /** What an engine adds to a resource's values. */
  readonly beside: (values: Values) => Values;
  readonly read: (id: string) => Values;
  readonly lose: (names: readonly string[]) => void;
}

async function openDoor(form: "host" | "here", world: World, definition: Definition): Promise<Door> {
  await closeShops();
  onTestFinished(closeShops);
  const { url, lose } = await openLossy(world.url);
  const { kind } = definition;
  const plug = await openPlug({ url, credentials: world.credentials }, form);
  if (form === "here") return { plug, beside: (one) => one, read: () => ({}), lose };
  const env = { ...world.env, SHOP_URL: url, PULUMI_BACKEND_URL: `file://${world.folder}` };
  const shop = lazyShop({ config: () => undefined, env }, () => {});
  (globalThis as unknown as Record<string, unknown>)[lawKey] = (name: string) =>
    handlerOf(
      definitionOf(name) as Definition,
      () => shop,
      async () => {},
    );
  const __provider = `/* ${url} */ exports.handler=()=>globalThis.${lawKey}("${kind}")`;
  const beside = (one: Values) => ({
    ...asKeyedLists(definition, one, undefined),
    __of: "dev::one",
    __provider,
  });
  return { plug, beside, read: () => ({ ...toImport(kind, urn(kind)), __provider }), lose };
}

const bare = (found: unknown): Values =>
  Object.fromEntries(Object.entries((found ?? {}) as Values).filter(([name]) => !name.startsWith("__")));

/** What came of a call, which always has an answer that says it. */
async function answered(work: Promise<Values>): Promise<{ done?: Values; left?: Values; refused?: string }> {
  try {
    return { done: await work };
  } catch (error) {
    const { code, details } = error as { code: number; details: string };
    const left = unfinished(error);
    // Of an answer that can't be encoded, and of none, the protocol itself speaks: never the provider.
    expect([2, 9], details).toContain(code);
    expect(details).not.toMatch(/struct type/);
    expect(left !== undefined || details.length > 10, details).toBe(true);
    return left === undefined ? { refused: details } : { left };
  }
}

describe.each(["host", "here"] as const)("the provider through %s", (form) => {
  test.each(resources.map((definition, turn) => ({ kind: definition.kind, definition, turn })))(
    "$kind: no value makes any verb crash or hang",
    async ({ definition, turn }) => {
      const world = await openWorld();
      const { kind } = definition;
      const { plug, beside, read, lose } = await openDoor(form, world, definition);
      const sample = await sampleOf(definition, world);
      const shape = (one: unknown) => asLists(definition, bare(one));
      const all = Object.entries(values);
      // The door is one, so that `npm test` tries a quarter of them through each form, of the next kind another.
      const quarter = all.filter((_one, index) => (index + turn) % 4 === (form === "host" ? 0 : 2));
      // What a shop has once is tried once: only a person ends it for good.
      const tried = partOf(all, quarter).slice(0, definition.singleton === undefined ? undefined : 1);
      for (const [what, value] of tried) {
        const checked = async (args: Values, olds: Values = {}): Promise<Values> => {
          const asked = { urn: urn(kind), olds, news: beside(args) };
          const { inputs, failuresList } = await plug.call("check", asked);
          const wrong = (failuresList as { property: string; reason: string }[]).map(
            ({ property }) => property,
          );
          if (wrong.length === 0) return inputs as Values;
          // What may not be so is said, and is left out.
          const rest = Object.fromEntries(
            Object.entries(args).flatMap(([name, one]) => {
              if (!wrong.some((path) => path.startsWith(name))) return [[name, one]];
              return sample.args[name] === undefined ? [] : [[name, sample.args[name]]];
            }),
          );
          expect(rest, `${what}: ${wrong}`).not.toEqual(args);
          return checked(rest, olds);
        };
        const inputs = await checked(filled(definition, sample.args, value));
        const made = await answered(plug.call("create", { urn: urn(kind), properties: inputs }));
        expect(made.done, `${what}: ${made.refused ?? JSON.stringify(made.left)}`).toBeDefined();
        const { id, properties } = made.done as { id: string; properties: Values };
        const same = async (props: Values, args: Values) => {
          expect(differences(definition, shape(props), shape(args)), what).toEqual([]);
          const call = { urn: urn(kind), id, olds: props, oldInputs: args, news: args };
          expect(await plug.call("diff", call), what).toMatchObject({ changes: 1 });
          const again = await plug.call("read", { urn: urn(kind), id, properties: props, inputs: args });
          expect(again.id, what).toBe(id);
          expect(differences(definition, shape(again.properties), shape(args)), what).toEqual([]);
          // Without arguments, engines keep those in the state.
          const { content: _content, ...read } = shape(again.inputs ?? args);
          const { content: _asked, ...asked } = shape(args);
          expect(read, `${what}: a read says what the program states`).toMatchObject(asked);
        };
        await same(properties, inputs);

        let now = { props: properties, args: inputs };
        const change = sample.change;
        if (change !== undefined) {
          const news = await checked({ ...shape(inputs), ...change }, inputs);
          const call = { urn: urn(kind), id, olds: now.props, news };
          const updated = await answered(plug.call("update", call));
          expect(updated.done, `${what}: ${updated.refused ?? JSON.stringify(updated.left)}`).toBeDefined();
          await same(updated.done?.properties as Values, news);
          // Whoever still goes by what was before meets what has been changed since.
          const other = await checked({ ...shape(inputs), ...again(change) }, inputs);
          await answered(plug.call("update", { ...call, news: other }));
          now = { props: updated.done?.properties as Values, args: news };
          // A shop that takes nothing of what may be left out.
          lose(elements(definition));
          const base = await checked(
            { ...sample.args, ...again(change), ...emptied(definition, sample.args, change) },
            now.args,
          );
          const lost = await answered(
            plug.call("update", { urn: urn(kind), id, olds: now.props, news: base }),
          );
          lose([]);
          const kept = (lost.left?.properties ?? lost.done?.properties ?? now.props) as Values;
          const next = await answered(plug.call("update", { urn: urn(kind), id, olds: kept, news: base }));
          expect(next.done, `${what}: ${next.refused ?? JSON.stringify(next.left)}`).toBeDefined();
          await same(next.done?.properties as Values, base);
          now = { props: next.done?.properties as Values, args: base };
        }
        const imported = await plug.call("read", { urn: urn(kind), id, properties: read(id) });
        expect(imported.id, what).toBe(id);
        await answered(plug.call("delete", { urn: urn(kind), id, properties: now.props }));
        if (
          definition.singleton === undefined &&
          definition.cancel === undefined &&
          definition.suffixesDuplicates === undefined
        ) {
          const gone = await answered(plug.call("read", { urn: urn(kind), id, properties: now.props }));
          expect(gone.done?.id, what).toBe("");
        }
      }
    },
  );
});

/** Another value than a change has. */
const again = (change: Values): Values =>
  Object.fromEntries(
    Object.entries(change).map(([name, one]) => [name, typeof one === "number" ? one + 1 : `${one} 2`]),
  );

/** A number in each item that states none: what a lossy shop then leaves out. */
const emptied = (definition: Definition, args: Values, change: Values): Values => {
  const { ...rest } = filled(definition, args, ({ type }) => (type === "decimal" ? 3 : undefined));
  for (const name of Object.keys(change)) delete (rest as Record<string, unknown>)[name];
  return rest;
};
