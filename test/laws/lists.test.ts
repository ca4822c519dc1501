// What holds for every list: the shop says how long its pages are, and when they end; a list may move while it is read;
// one object that can't be read is that object's failure.
import { describe, expect, test } from "vitest";
import { engineIdOf, parentNames } from "../../provider/change/identity.ts";
import { UnreadableValueError } from "../../provider/client/errors.ts";
import { every } from "../../provider/client/index.ts";
import { openReads } from "../../provider/context/reads.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { readObject } from "../../provider/lifecycle/observe.ts";
import { definitions } from "../../provider/resources/index.ts";
import { type Answers, notFound, scene } from "../provider/answers.ts";

const listed = (Object.values(definitions) as readonly Definition[]).filter(
  ({ operations }) => operations.list !== undefined,
);
const from = (count: number) => Array.from({ length: count }, (_none, index) => index + 1);

/** A shop with a list of these objects, so many on a page at most, whatever it is asked for. */
function shopOf(
  definition: Definition,
  ids: number[],
  cap: number,
  more: (id: number) => object = () => ({}),
) {
  const { list, get } = definition.operations;
  const isPaged = list?.perPage !== undefined;
  const answers: Answers = (line) => {
    const url = new URL(line.slice(line.indexOf("/")), "http://shop.test");
    const own = Number(/\/(\d+)(?:\.xml)?$/.exec(url.pathname)?.[1] ?? Number.NaN);
    const document = (id: number) => ({ id, ...more(id) });
    if (get !== undefined && !url.searchParams.has("page") && !Number.isNaN(own))
      return ids.includes(own) ? document(own) : notFound;
    if (!isPaged) return ids.map(document);
    const [page, asked] = ["page", "per_page"].map((name) => Number(url.searchParams.get(name)));
    const size = Math.min(cap, asked as number);
    return ids.slice(((page as number) - 1) * size, (page as number) * size).map(document);
  };
  const place = Object.fromEntries(parentNames(definition).map((name) => [name, 1]));
  return { ...scene(answers), place, isPaged };
}

/** A field that is no text, and what it can't be. */
const lossy = (definition: Definition) => {
  const [name] = Object.entries(definition.fields).find(
    ([, { type, mode, items }]) =>
      ["integer", "decimal", "boolean", "date", "time"].includes(type) &&
      mode !== "program" &&
      items === undefined,
  ) ?? [undefined];
  return name === undefined
    ? undefined
    : {
        [definition.fields[name]?.read ?? name.replace(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)]:
          "12345678901234567.89",
      };
};

describe.each(listed)("$kind: its list", (definition) => {
  test("a list returns every object whatever the shop's page size, with at most one more request", async () => {
    for (const cap of [1, 2, 3, 5, 7, 10, 11, 250])
      for (const count of [0, 1, 2, 3, 6, 7, 10, 11, 20]) {
        const { shop, place, log, isPaged } = shopOf(definition, from(count), cap);
        const found: unknown[] = [];
        for await (const { id } of every(shop.transport, definition, { ...place, perPage: 10 }))
          found.push(id);
        expect(found, `${count} by ${cap}`).toEqual(from(count));
        const pages = Math.ceil(count / Math.min(cap, 10));
        expect(log().length, `${count} by ${cap}`).toBeLessThanOrEqual(isPaged ? pages + 1 : 1);
      }
  });

  test("a list that changes while it is read still returns every object that stays", async () => {
    for (const cap of [2, 5, 10])
      for (const gone of from(6)) {
        const ids = from(23);
        const { shop, place } = shopOf(definition, ids, cap);
        let asked = 0;
        const transport: typeof shop.transport = Object.create(shop.transport, {
          send: {
            value: async (...request: Parameters<typeof shop.transport.send>) => {
              const answered = await shop.transport.send(...request);
              asked += 1;
              if (asked === 2) ids.splice(ids.indexOf(gone), 1);
              return answered;
            },
          },
        });
        const reads = openReads({ transport: () => transport, perPage: () => 10, now: shop.now });
        const { objects } = await reads.again(definition, place);
        const found = new Set(objects.map(({ id }) => id));
        expect(
          ids.filter((id) => !found.has(id)),
          `${gone} gone, pages of ${cap}`,
        ).toEqual([]);
      }
  });

  test("a list with an object that can't be read returns the others, and that object as a failure", async () => {
    const bad = lossy(definition);
    if (bad === undefined) return;
    const { shop, place } = shopOf(definition, from(12), 5, (id) => (id === 7 ? bad : {}));
    const reads = openReads({ transport: () => shop.transport, perPage: () => 10, now: shop.now });
    const seen = async (id: number) => {
      const own = engineIdOf(definition, { id, ...place }, place);
      const found = await reads.find(definition, own, { isPlanned: false });
      return found?.seen ?? (await readObject(definition, shop, own));
    };
    const outcomes = await Promise.all(
      from(12).map((id) =>
        seen(id).then(
          (object) => (object as { readonly id?: unknown }).id,
          (error: unknown) =>
            error instanceof UnreadableValueError ? `${error.objectId} can't be read` : error,
        ),
      ),
    );
    expect(outcomes).toEqual(from(12).map((id) => (id === 7 ? "7 can't be read" : id)));
    const whole = await reads.all(definition, place);
    expect([whole.objects.length, [...whole.unreadable.keys()]]).toEqual([12, ["7"]]);
  });
});

test("a list goes on after a page that is as long as an earlier one and shorter than requested", async () => {
  const { shop, log } = shopOf(definitions.coupons as Definition, from(20), 10);
  const found: unknown[] = [];
  for await (const { id } of every(shop.transport, definitions.coupons as Definition, {})) found.push(id);
  expect([found, log().length]).toEqual([from(20), 3]);
});
