// What changed since a moment: everything that did, or word that the list can't say.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changed } from "../../provider/client/delta.ts";
import { NotFoundError } from "../../provider/client/errors.ts";
import type { Transport } from "../../provider/client/transport.ts";
import { definitions } from "../../provider/resources/index.ts";
import { noon, openInProcess } from "../emulator/in-process.ts";

const mug = (n: number) =>
  `<product><title>P${n}</title><variants-attributes><variants-attribute><price>1</price></variants-attribute></variants-attributes></product>`;

/** A shop, and the client's way to it. @param between what others do before each request */
async function opened(count: number, between: (request: number) => void = () => undefined) {
  const world = openInProcess();
  for (let n = 0; n < count; n += 1) await world.ask("POST", "/admin/products.xml", mug(n));
  const requests: string[] = [];
  let edits = 0;
  const rewrite = { answer: (text: string, _request: number) => text, path: (path: string) => path };
  const transport = {
    async send({ path }: { path: string }, read: (answer: object) => unknown) {
      requests.push(path);
      between(requests.length);
      const { status, text } = await world.ask("GET", rewrite.path(path));
      if (status === 404) throw new NotFoundError({ method: "GET", path, status });
      return read({
        status,
        contentType: "application/xml",
        body: rewrite.answer(text, requests.length),
      });
    },
  } as unknown as Transport;
  const ask = (since: number, more: { deleted?: true; most?: number } = {}) =>
    changed(transport, definitions.products, { perPage: 10 }, { since, most: 50, ...more });
  const edit = (index: number, seconds: number) => {
    world.shop.advance(seconds);
    const row = world.shop.store.list("product")[index];
    if (row !== undefined) world.shop.edit({ kind: "product", id: row.id, set: { title: `E${edits++}` } });
    return String(row?.id);
  };
  return { ...world, ask, edit, requests, rewrite, transport };
}

describe("changes of a list", () => {
  test("that has none are one request", async () => {
    const { ask, requests } = await opened(30);
    expect(await ask(noon + 1_000)).toEqual(new Map());
    expect(requests).toEqual([
      "/admin/products.xml?page=1&per_page=10&updated_since=2027-01-15T12%3A00%3A01Z",
    ]);
  });

  test("of many seconds are read from second to second; those of the last second come once more", async () => {
    const { ask, edit, requests } = await opened(30);
    const ids = Array.from({ length: 25 }, (_, index) => edit(index, 1));
    const found = await ask(noon + 1_000);
    expect([...(found ?? []).keys()].sort()).toEqual(ids.sort());
    expect(requests.length).toBe(3);
  });

  test("of one second that fills a page can't be told apart: then the list can't say", async () => {
    const { ask } = await opened(12);
    expect(await ask(noon)).toBeUndefined();
    const { ask: askTen } = await opened(10);
    expect((await askTen(noon))?.size).toBe(10);
  });

  test("that take more requests than allowed aren't read", async () => {
    const { ask, edit, requests } = await opened(30);
    for (let index = 0; index < 30; index += 1) edit(index, 1);
    expect(await ask(noon + 1_000, { most: 2 })).toBeUndefined();
    expect(requests.length).toBe(2);
  });

  test("in another order, or from before, are no list of changes", async () => {
    for (const path of [
      (asked: string) => asked.replace(/&updated_since=[^&]*/, ""),
      (asked: string) => asked.replace("2027", "2026"),
    ]) {
      const { ask, edit, rewrite } = await opened(5);
      for (const index of [4, 3, 2]) edit(index, 10);
      rewrite.path = path;
      expect(await ask(noon + 5_000)).toBeUndefined();
    }
  });

  test("with a value that can't be read, or of a shop without the list, are left to whoever reads everything", async () => {
    const { ask, rewrite } = await opened(3);
    rewrite.answer = (text) => text.replace(/<is-hidden[^>]*>false/, "<is-hidden>maybe");
    expect(await ask(noon)).toBeUndefined();
    rewrite.path = () => "/admin/nothing.xml";
    expect(await ask(noon)).toBeUndefined();
  });

  test("are not cut short by a page that is smaller than was asked for", async () => {
    const { edit, transport, rewrite } = await opened(40);
    const ids = Array.from({ length: 35 }, (_, index) => edit(index, 1));
    rewrite.path = (path) => path.replace("per_page=100", "per_page=10");
    const found = await changed(transport, definitions.products, {}, { since: noon + 1_000, most: 50 });
    expect([...(found ?? []).keys()].sort()).toEqual(ids.sort());
  });

  test("are not cut short by a shop that gives four objects on a page", async () => {
    const { edit, transport, rewrite } = await opened(40);
    const ids = Array.from({ length: 15 }, (_, index) => edit(index, 1));
    let page = 1;
    rewrite.path = (path) => {
      page = Number(new URL(path, "http://shop").searchParams.get("page"));
      return path.replace(/([?&]page)=\d+/, "$1=1");
    };
    rewrite.answer = (text) => {
      let place = -1;
      return text.replace(/<product>.*?<\/product>\s*/gs, (one) => {
        place += 1;
        return Math.floor(place / 4) === page - 1 ? one : "";
      });
    };
    const ask = (since: number) => changed(transport, definitions.products, {}, { since, most: 50 });
    expect([...((await ask(noon + 1_000)) ?? []).keys()].sort()).toEqual(ids.sort());
    // The last four, which fill a page: another one could follow.
    expect((await ask(noon + 12_000))?.size).toBe(4);
  });

  test("that fill no page are two requests", async () => {
    const { ask, edit, requests } = await opened(30);
    const id = edit(3, 60);
    expect([...((await ask(noon + 1_000)) ?? []).keys()]).toEqual([id]);
    expect(requests.length).toBe(2);
  });

  test("of what was deleted", async () => {
    const { ask, shop } = await opened(3);
    shop.advance(60);
    const [first] = shop.store.list("product");
    shop.edit({ kind: "product", id: first?.id as number, delete: true });
    expect([...((await ask(noon + 1_000, { deleted: true })) ?? []).keys()]).toEqual([String(first?.id)]);
  });

  test("are complete while others go on changing it", async () => {
    let complete = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(29), fc.constantFrom(0, 0, 0.3, 1, 40)), { maxLength: 40 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.nat(29), fc.constantFrom(0, 0.001, 1)), {
          maxLength: 8,
        }),
        async (before, meanwhile) => {
          const scene = await opened(30, (request) => {
            for (const [at, index, seconds] of meanwhile) if (at === request) scene.edit(index, seconds);
          });
          scene.shop.advance(10);
          for (const [index, seconds] of before) scene.edit(index, seconds);
          const must = scene.shop.store.list("product").filter((row) => row.updated_at >= noon + 10_000);
          const found = await scene.ask(noon + 10_000);
          if (found === undefined) return;
          complete += 1;
          for (const { id } of must) expect(found.has(String(id)), String(id)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
    expect(complete).toBeGreaterThan(20);
  });
});
