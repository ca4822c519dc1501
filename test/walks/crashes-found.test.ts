// Bugs that the crash campaign found: an interrupted run, and the next one.
import { expect, test } from "vitest";
import { openNotes } from "../../provider/context/create-notes.ts";
import { diskNoteFile } from "../../provider/context/note-file.ts";
import { partOf } from "../support/campaign.ts";
import { openDisk } from "../support/disk.ts";
import type { Options, Resource } from "./house/types.ts";
import type { House } from "./house.ts";
import { open } from "./scenes.ts";

/** The process ends after the first response to such a request. */
const cutAt = (line: RegExp): Options => ({
  crash: { plan: ({ path }) => (line.test(path) ? { crash: "before" } : undefined) },
});
const answerTo = (line: string) => cutAt(new RegExp(`^answer ${line}`));
const messages = (ran: Awaited<ReturnType<House["go"]>>) =>
  ran.result?.failures.map(({ message }) => message) ?? [ran.error?.message ?? ""];

const one = (kind: string, args: object): readonly Resource[] => [{ kind, name: "x", args } as Resource];
const text = { type: "JsTag::TextTag", name: "t" };
const returnUrl = "https://app.example.test/";

test.each([
  ["File", "file", { filename: "a.txt", content: "a" }, { filename: "a.txt", content: "b" }],
  ["File", "file", { filename: "a.txt", content: "a" }, { filename: "b.txt", content: "a" }],
  ["JsTag", "js_tag", { ...text, content: "a()" }, { ...text, content: "b()" }],
  [
    "ApplicationCharge",
    "application_charge",
    { name: "Setup", price: 5, returnUrl },
    { name: "Setup", price: 6, returnUrl },
  ],
] as const)(
  "%s: what a create that was interrupted made is replaced, where the program was edited since in what can't be changed in place",
  async (kind, table, args, edited) => {
    const house = open();
    await house.go(one(kind, args), answerTo("POST "));
    const [first] = house.rows(table);
    const kept = await house.go(one(kind, edited));
    expect(messages(kept)[0]).toMatch(/created by an earlier run with other arguments/);
    expect(house.state()[0]?.id).toBe(String(first?.id));
    const next = await house.up(one(kind, edited));
    expect(next.steps).toEqual(["replace x"]);
    const live = house.rows(table).filter(({ status }) => status !== "declined");
    expect(live).toHaveLength(1);
    expect(live[0]?.id).not.toBe(first?.id);
    expect((await house.up(one(kind, edited))).steps).toEqual([]);
  },
);

test("a recurring charge whose create was interrupted is recognised with an edited price", async () => {
  const house = open();
  await house.go(one("RecurringCharge", { monthly: 10 }), answerTo("POST "));
  const next = await house.go(one("RecurringCharge", { monthly: 12 }));
  expect(next.result?.outcome).toBe("succeeded");
  expect(Number(house.rows("recurring_charge")[0]?.monthly)).toBe(12);
});

test("what a destroy that was interrupted had deleted is created again by up, not called the same", async () => {
  const house = open();
  const program = one("Coupon", { code: "SALE", discount: 10, typeId: 1 });
  await house.go(program);
  const cut = await house.destroy(answerTo("DELETE "));
  expect(cut.error?.name).toBe("CrashError");
  expect(house.rows("discount_code")).toEqual([]);
  const next = await house.up(program);
  expect(next.steps).toEqual(["create x"]);
  expect(house.state()[0]?.id).toBe(String(house.rows("discount_code")[0]?.id));
});

test.each([
  ["destroy", (house: House) => house.end(), "deleting it; this run deletes it"],
  ["refresh", (house: House) => house.refresh(), "the next up tries again if it should still be deleted"],
] as const)(
  "what an interrupted destroy deleted is no sign of another shop: %s goes on",
  async (_name, run, said) => {
    const house = open();
    await house.go(
      ["a", "b"].map((name) => ({ kind: "Coupon", name, args: { code: name, discount: 10, typeId: 1 } })),
    );
    const cut = await house.destroy(answerTo("DELETE "));
    expect(cut.error?.name).toBe("CrashError");
    // The other delete was sent, too.
    for (const { id } of house.rows("discount_code")) house.shop.store.remove("discount_code", Number(id));
    const next = await run(house);
    expect(messages(next)).toEqual([]);
    expect(JSON.stringify(next.events)).toContain(said);
    expect(house.state()).toEqual([]);
  },
);

test("an update that was interrupted is undone where the program says again what it said before", async () => {
  const house = open();
  const program = (title: string) => one("Product", { title, variants: [{ sku: "S", price: 1 }] });
  await house.go(program("Mug"));
  await house.go(program("Cup"), answerTo("PUT "));
  expect(house.rows("product")[0]?.title).toBe("Cup");
  const next = await house.up(program("Mug"));
  expect(next.steps).toEqual(["update x"]);
  expect(house.rows("product")[0]?.title).toBe("Mug");
});

test.each([
  ["destroy", (house: House) => house.destroy()],
  ["up without the resource", (house: House) => house.go([])],
] as const)("%s names what a create that was interrupted has left, until it is gone", async (_name, run) => {
  const house = open();
  await house.go(one("File", { filename: "a.txt", content: "a" }), answerTo("POST "));
  const id = String(house.rows("file")[0]?.id);
  for (let count = 0; count < 2; count += 1) {
    const { said } = await run(house);
    expect(said.at(-1)).toContain(`(resource x), which is in no state`);
    expect(said.at(-1)).toContain(id);
  }
  house.shop.store.remove("file", Number(id));
  expect((await run(house)).said).toEqual([]);
  expect((await run(house)).requests).toEqual([]);
});

test("an answer to a create that says nothing of the object, and a look that fails: the create is not forgotten", async () => {
  const house = open();
  const program = one("File", { filename: "a.txt", content: "a" });
  house.shop.faults.add({ method: "GET", path: "*", fault: "500", times: 99 });
  house.shop.faults.add({ method: "POST", path: "*", fault: "504-after-commit", times: 1 });
  expect((await house.go(program)).result?.outcome).toBe("failed");
  house.shop.faults.clear();
  expect((await house.go(program)).result?.outcome).toBe("succeeded");
  expect(house.rows("file")).toHaveLength(1);
});

const note = (of: string) => ({
  of,
  kind: "File",
  shop: "http://shop",
  at: 0,
  skewMs: undefined,
  above: {},
  print: { by: [], key: undefined, content: of, text: undefined },
});

test("the name of a new file of notes is on the disk with its first line, and a torn line takes no other with it", async () => {
  const path = "/state/dev.creates";
  const disk = openDisk();
  const notes = openNotes(
    () => diskNoteFile(path, disk.files),
    "1",
    () => {},
  );
  const ending = await notes.begin(note("dev::a"));
  await ending.made("7");
  const left = disk.next("nothing");
  const text = left.text(path) ?? "";
  expect(text).toContain('"id":"7"');
  left.put(path, `${text}{"begin":"torn`);
  const after = openNotes(
    () => diskNoteFile(path, left.files),
    "2",
    () => {},
  );
  await after.found("File", "dev::a", "8");
  const last = openNotes(
    () => diskNoteFile(path, left.files),
    "3",
    () => {},
  );
  expect(last.all()).toMatchObject([{ of: "dev::a", id: "8" }]);
});

test.each(
  (["dynamic", "plugin"] as const).flatMap((form) =>
    ["send GET", "answer GET", "send PUT", "answer PUT"].flatMap((line) =>
      (["before", "after"] as const).map((sold) => ({ form, line, sold })),
    ),
  ),
)(
  "what is sold $sold an update was interrupted stays sold, and the rest is done ($line, $form)",
  async ({ form, line, sold }) => {
    const house = open();
    const mug = (title: string, quantity = 4) =>
      one("Product", {
        title,
        variants: [
          { sku: "A", price: 1 },
          { sku: "B", price: 2, quantity },
        ],
      });
    const variants = () => house.rows("product")[0]?.variants as { sku: string; quantity: number }[];
    const stock = () => variants().find(({ sku }) => sku === "B")?.quantity;
    const sell = () => {
      const rest = variants().map((item) => (item.sku === "B" ? { ...item, quantity: 3 } : item));
      house.shop.edit({ kind: "product", id: Number(house.rows("product")[0]?.id), set: { variants: rest } });
    };
    await house.up(mug("Mug"), { form });
    if (sold === "before") sell();
    await house.go(mug("Large mug"), { form, ...cutAt(new RegExp(`^${line}`)) });
    if (sold === "after") sell();
    const next = await house.up(mug("Large mug"), { form });
    expect([messages(next), house.rows("product")[0]?.title, stock()]).toEqual([[], "Large mug", 3]);
    // The program changes a field of its own.
    await house.up(mug("Large mug", 9), { form });
    expect(stock()).toBe(9);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "a delete of what was replaced that was interrupted asks for nothing of what took its place (%s)",
  async (form) => {
    const house = open();
    const charge = (price: number) => one("ApplicationCharge", { name: "Setup", price, returnUrl });
    await house.up(charge(5), { form });
    await house.go(charge(6), { form, ...cutAt(/^send .*decline/) });
    const { planned, ...next } = await house.up(charge(6), { form });
    expect(next.requests.map((line) => line.replace(/\d+/, "N"))).toEqual([
      "GET /admin/application_charges/N.xml",
      "POST /admin/application_charges/N/decline.xml",
    ]);
    expect(planned.requestsNeeded).toBe(next.requests.length);
    expect((await house.up(charge(6), { form })).steps).toEqual([]);
  },
);

test.each([
  ["File", "dynamic", "file", { filename: "a.txt", content: "a" }, { filename: "b.txt", content: "a" }],
  ["JsTag", "plugin", "js_tag", { ...text, content: "a()" }, { ...text, name: "other", content: "a()" }],
] as const)(
  "%s: the replacement of what a program took over by its id is done once wherever it was interrupted, and its object stays (%s)",
  async (kind, form, table, args, edited) => {
    const house = open();
    await house.go(one(kind, args), { form });
    const [{ id } = { id: 0 }] = house.rows(table);
    house.loseState();
    house.loseNotes();
    const adopted = one(kind, { ...edited, adopt: String(id) });
    await house.go(one(kind, { ...args, adopt: String(id) }), { form });
    house.clock.offsetMs += 60_000;
    const start = house.moment();
    const { effects } = await house.go(adopted, { form, crash: { plan: () => undefined } });
    const some = effects.filter(({ number }) => number % 3 === (form === "plugin" ? 0 : 1));
    for (const { number } of partOf(effects, some)) {
      house.goTo(start);
      await house.go(adopted, {
        form,
        crash: { plan: (effect) => (effect.number === number ? { crash: "before" } : undefined) },
      });
      await house.up(adopted, { form });
      expect((await house.up(adopted, { form })).steps).toEqual([]);
      expect(house.rows(table).map((row) => String(row.id))).toEqual([house.state()[0]?.id]);
    }
  },
);

test.each(["dynamic", "plugin"] as const)(
  "what a replacement has left to be deleted stays, where another resource asks for it by its id (%s)",
  async (form) => {
    const house = open();
    const tag = (name: string, more: object) => ({
      kind: "JsTag",
      name,
      args: { ...text, content: "a()", ...more },
    });
    await house.go([tag("x", {})], { form });
    const [old] = house.rows("js_tag");
    house.shop.faults.add({ method: "DELETE", path: "*", fault: "500", times: 99 });
    expect((await house.go([tag("x", { name: "new" })], { form })).result?.outcome).toBe("failed");
    house.shop.faults.clear();
    const both = [tag("x", { name: "new" }), tag("kept", { adopt: String(old?.id) })];
    expect((await house.up(both, { form })).steps).toEqual(["rename kept"]);
    expect(house.rows("js_tag")).toHaveLength(2);
    expect((await house.up(both, { form })).steps).toEqual([]);
  },
);
