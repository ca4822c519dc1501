// The shop without a socket, for simulations: equal inputs give identical answers, and it can be restored.
import { expect, test } from "vitest";
import { InvalidControl } from "../../emulator/index.ts";
import { openInProcess } from "./in-process.ts";

const coupon = (code: string) =>
  `<discount_code><code>${code}</code><discount>10</discount><type_id>1</type_id></discount_code>`;

test("two shops with the same clock and randomness give identical answers to the same requests", async () => {
  const story = async () => {
    const { shop, ask } = openInProcess();
    const answers = [
      await ask("POST", "/admin/discount_codes.xml", coupon("A")),
      await ask("GET", "/admin/discount_codes.xml"),
      await ask("GET", "/admin/themes.xml"),
      await ask("GET", "/_control/objects"),
    ];
    return { answers, credentials: shop.credentials, control: shop.control };
  };
  expect(await story()).toEqual(await story());
});

test("edit changes or deletes an object like staff, and refuses invalid edits", async () => {
  const { shop, ask } = openInProcess();
  await ask("POST", "/admin/discount_codes.xml", coupon("A"));
  const edited = shop.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "55.0" } });
  expect(edited).toMatchObject({ code: "A", discount: "55.0" });
  expect((await ask("GET", `/admin/discount_codes/${edited?.id}.xml`)).text).toContain(">55.0<");
  expect(shop.edit({ kind: "discount_code", where: { code: "A" }, delete: true })).toBeUndefined();
  expect((await ask("GET", `/admin/discount_codes/${edited?.id}.xml`)).status).toBe(404);
  expect(() => shop.edit({ kind: "discount_code", where: { code: "B" }, delete: true })).toThrow(
    InvalidControl,
  );
});

test("faults are added without a request and used once", async () => {
  const { shop, ask } = openInProcess();
  shop.faults.add({ fault: "503", path: "/admin/themes.xml" });
  expect((await ask("GET", "/admin/themes.xml")).status).toBe(503);
  expect((await ask("GET", "/admin/themes.xml")).status).toBe(200);
  expect(() => shop.faults.add({ fault: "earthquake" as never })).toThrow("there is no fault earthquake");
});

test("a snapshot restores rows, files, sequences, clock, rate limit, log and faults, also in another shop", async () => {
  const { shop, ask } = openInProcess({ limit: { max: 5, windowMs: 300_000 } });
  await ask("POST", "/admin/discount_codes.xml", coupon("A"));
  shop.faults.add({ fault: "503", times: 2, path: "/admin/files.xml" });
  shop.advance(60);
  const snapshot = shop.snapshot();
  const look = async (from: typeof ask) => {
    const [body, objects, log, window] = [
      await from("GET", "/admin/discount_codes.xml"),
      await from("GET", "/_control/objects"),
      await from("GET", "/_control/log"),
      await from("GET", "/_control/window"),
    ];
    return [body.text, objects.text, log.text, window.text];
  };
  const before = await look(ask);
  shop.restore(snapshot);
  await ask("POST", "/admin/discount_codes.xml", coupon("B"));
  await ask(
    "POST",
    "/admin/files.xml",
    "<file><attachment>eA==</attachment><filename>a.txt</filename></file>",
  );
  shop.advance(1_000);
  shop.restore(snapshot);
  expect(await look(ask)).toEqual(before);
  const other = openInProcess({ limit: { max: 5, windowMs: 300_000 } });
  other.shop.restore(snapshot);
  expect(await look(other.ask)).toEqual(before);
  expect((await other.ask("GET", "/admin/files.xml")).status).toBe(503);
});

test.each(["constructor", "a.toString", "__proto__"])(
  "a file and a snippet called %s are like any others",
  async (name) => {
    const { ask, shop } = openInProcess();
    const file = `<file><attachment>eA==</attachment><filename>${name}</filename></file>`;
    expect((await ask("POST", "/admin/files.xml", file)).status).toBe(201);
    const theme = shop.store.list("theme")[0]?.id;
    const asset = `<asset><name>${name}.liquid</name><type>Asset::Snippet</type><content>x</content></asset>`;
    const made = await ask("POST", `/admin/themes/${theme}/assets.xml`, asset);
    expect([made.status, made.text]).toEqual([201, expect.stringContaining(`${name}.liquid`)]);
    expect((await ask("GET", `/admin/themes/${theme}/assets.xml`)).status).toBe(200);
  },
);
