// The figure that docs/performance.md names: a night on which 10,000 products don't change.
import { join } from "node:path";
import { expect, test } from "vitest";
import { definitions } from "../../provider/resources/index.ts";
import { openChangeNotes } from "../../provider/run/change-notes.ts";
import { openChanges } from "../../provider/run/changes.ts";
import { diskNoteFile } from "../../provider/run/note-file.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { openWorld } from "../support/world.ts";

const count = 10_000;

test("a refresh of 10,000 unchanged products is two requests", async () => {
  const product = Array.from({ length: count }, (_, n) => ({
    title: `Product ${n}`,
    variants: [{ sku: `S${n}`, price: "5.0" }],
  }));
  const world = await openWorld({ fixture: { product } });
  const { transport } = world.client;
  const skewMs = () => transport.shopAheadMs();
  const ids = world.rows("product").map(({ id }) => String(id));
  const night = async (states: readonly Values[]) => {
    await world.control("POST", "clock", { advanceSeconds: 86_400 });
    // Each night is a process of its own: all it has is the state and the file beside it.
    const notes = openChangeNotes(
      () => diskNoteFile(join(world.folder, "dev.changes")),
      () => {},
    );
    const changes = openChanges({
      transport: () => transport,
      shop: () => world.url,
      perPage: () => undefined,
      now: Date.now,
      skewMs,
      notes: () => notes,
      say: () => {},
    });
    const verbs = world.verbs(definitions.products, undefined, undefined, {}, changes);
    let read: readonly Values[] = [];
    const requests = await world.during(async () => {
      const found = await Promise.all(ids.map((id, n) => verbs.read(id, states[n] as Values)));
      read = found.flatMap((one) => (one === undefined ? [] : [one.props]));
    });
    return { read, requests };
  };
  const first = await night(ids.map((_id, n) => ({ __stated: "title", __of: `dev::p${n}` })));
  expect([first.read.length, first.requests.length]).toEqual([count, count / 100]);
  const second = await night(first.read);
  expect(second.read).toEqual(first.read);
  expect(second.requests).toHaveLength(2);
});
