// One process works for several stacks, and each has its notes beside its own state.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stackNotes } from "../../provider/context/stack-notes.ts";

const of = (name: string, stack = "dev", project = "p") => `urn:pulumi:${stack}::${project}::Thing::${name}`;

const silent = () => {
  throw new Error("nothing is to be said");
};

/** A process that knows no stack yet. */
function open() {
  const inProcess = stackNotes();
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-stacks-"));
  onTestFinished(async () => {
    // The end of a note that isn't awaited is written to this folder too.
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    rmSync(folder, { recursive: true });
  });
  const env = {
    PULUMI_BACKEND_URL: `file://${folder}`,
  };
  const place = (path: string) => join(folder, ".pulumi/stacks", path);
  /** A state of a stack, such as `p/dev`, with files by their ids. */
  const state = (stack: string, files: Readonly<Record<string, object>> = {}, isUnderWay = false) => {
    const resources = Object.entries(files).map(([id, more]) => ({
      urn: "urn:pulumi:dev::p::shop:index:Thing::b",
      type: "shop:index:Thing",
      id,
      ...more,
    }));
    const pending_operations = isUnderWay
      ? resources.map((resource) => ({ resource, type: "updating" }))
      : [];
    mkdirSync(dirname(place(stack)), { recursive: true });
    writeFileSync(
      place(`${stack}.json`),
      JSON.stringify({ version: 3, checkpoint: { latest: { resources, pending_operations } } }),
    );
  };
  for (const stack of ["p/dev", "p/live", "q/dev"]) state(stack);
  const note = (of: string, at: number) => ({
    of,
    kind: "Thing",
    shop: "https://a.test",
    at,
    skewMs: 0,
    above: {},
    print: { by: ["code"], key: "k", content: "c", text: undefined },
  });
  const has = (stack: string, ending: string) => existsSync(place(`p/${stack}.${ending}`));
  const opened = (wanted: Readonly<Record<string, string>>, by = inProcess) =>
    by.notesOf({ config: () => undefined, env: wanted } as never, silent);
  return { env, place, state, note, has, notes: opened(env), opened };
}

test("a create is noted beside its stack's state and found only by its resource", async () => {
  const { env, note, has, notes, opened } = open();
  const ending = await notes.begin(note(of("a"), 1));
  expect([has("dev", "creates"), has("live", "creates")]).toEqual([true, false]);
  await notes.begin(note(of("a", "live"), 2));
  expect(has("live", "creates")).toBe(true);
  expect(notes.of("Thing", of("a")).map(({ at }) => at)).toEqual([1]);
  expect(notes.of("Thing", of("a", "live")).map(({ at }) => at)).toEqual([2]);
  expect(notes.of("Thing", of("b"))).toEqual([]);
  expect(notes.all().map(({ of }) => of)).toEqual([of("a"), of("a", "live")]);
  await ending.made("7");
  // Opening them again returns the same notes.
  expect(opened(env).all()).toEqual(notes.all());
});

test("an object's creator is known within a stack, but not across stacks", async () => {
  const { note, notes } = open();
  await (await notes.begin(note(of("a"), 1))).made("7");
  expect(notes.isOfOther("Thing", "7", of("b"))).toBe(true);
  expect(notes.isOfOther("Thing", "7", of("a"))).toBe(false);
  expect(notes.isOfOther("Thing", "7", of("b", "live"))).toBe(false);
});

test("found and abandoned creates end in their own stack", async () => {
  const { note, notes } = open();
  for (const one of [of("a"), of("a", "live")]) await notes.begin(note(one, 1));
  await notes.found("Thing", of("a"), "7");
  expect(notes.of("Thing", of("a")).map(({ id }) => id)).toEqual(["7"]);
  expect(notes.of("Thing", of("a", "live")).map(({ id }) => id)).toEqual([undefined]);
  await notes.end("Thing", of("a"));
  expect(notes.all().map(({ of }) => of)).toEqual([of("a", "live")]);
});

test("creates in a state end in every open stack, and in the named one", async () => {
  const { note, notes } = open();
  await (await notes.begin(note(of("a"), 1))).made("7");
  await (await notes.begin(note(of("a", "live"), 2))).made("8");
  await notes.confirm("Thing", "7");
  expect(notes.all().map(({ id }) => id)).toEqual(["8"]);
  await notes.confirm("Thing", "8", of("a", "live"));
  expect(notes.all()).toEqual([]);
});

test("creates in a state end in the named stack in a new process", async () => {
  const { env, note, notes, opened } = open();
  await (await notes.begin(note(of("a", "live"), 1))).made("8");
  const again = opened(env, stackNotes());
  await again.confirm("Thing", "8");
  expect(again.all().concat(again.of("Thing", of("a", "live")))).toHaveLength(1);
  const third = opened(env, stackNotes());
  await third.confirm("Thing", "8", of("a", "live"));
  expect(third.of("Thing", of("a", "live"))).toEqual([]);
});

test("creates of another project's stack with the same name are ignored", async () => {
  const { note, notes, place } = open();
  await (await notes.begin(note(of("a", "dev", "q"), 1))).made("7");
  expect(existsSync(place("q/dev.creates"))).toBe(true);
  expect(notes.of("Thing", of("a"))).toEqual([]);
  expect(notes.isOfOther("Thing", "7", of("b"))).toBe(false);
});

test("a renamed stack finds and ends its creates under the old name", async () => {
  const { env, note, notes, opened, place, state } = open();
  await (await notes.begin(note(of("a"), 1))).made("7");
  await notes.begin(note(of("b"), 2));
  renameSync(place("p/dev.json"), place("p/new.json"));
  const renamed = opened(env, stackNotes());
  const found = renamed.of("Thing", of("a", "new"));
  expect(found.map(({ id }) => id)).toEqual(["7"]);
  await renamed.confirm("Thing", "7", of("a", "new"));
  expect(opened(env, stackNotes()).of("Thing", of("a", "new"))).toEqual([]);
  // Another project's stacks, and stacks with a state, aren't renamed stacks.
  expect(opened(env, stackNotes()).of("Thing", of("b", "new", "q"))).toEqual([]);
  state("p/dev");
  expect(opened(env, stackNotes()).of("Thing", of("b", "new"))).toEqual([]);
});

test("a create of a killed first run belongs to its stack, which only has a journal", async () => {
  const { env, note, notes, opened, place } = open();
  await notes.begin(note(of("a", "first"), 1));
  writeFileSync(place("p/first.journal"), "");
  expect(opened(env, stackNotes()).of("Thing", of("a"))).toEqual([]);
});

test("an object in a state isn't taken for an interrupted create's", async () => {
  const { env, note, notes, opened, place, state } = open();
  for (const [name, id] of [
    ["a", "7"],
    ["b", "8"],
    ["c", "9"],
  ] as const)
    await (await notes.begin(note(of(name), 1))).made(id);
  state("p/dev", { 7: { delete: true }, 8: { external: true } });
  const again = opened(env, stackNotes());
  expect(["a", "b", "c"].map((name) => again.of("Thing", of(name)).length)).toEqual([0, 1, 1]);
  expect(["7", "8"].map((id) => again.inState("Thing", id, note(of("z"), 1)))).toEqual([
    "urn:pulumi:dev::p::shop:index:Thing::b",
    undefined,
  ]);
  rmSync(place("p/dev.json"));
  state("q/live", { 9: {} });
  const renamed = opened(env, stackNotes());
  expect(["b", "c"].map((name) => renamed.of("Thing", of(name, "new")).length)).toEqual([1, 0]);
});

test("an object of another shop with the same id hides neither who has one, nor where it was moved", () => {
  const { note, notes, state } = open();
  const held = (shop: string, name: string) => ({
    urn: `urn:pulumi:dev::p::shop:index:Thing::${name}`,
    outputs: { __shop: shop, __of: of(name) },
  });
  // The resource of shop a was moved to q/dev, and the stack has another one of shop b with its id.
  state("p/dev", { 7: held("https://b.test#2", "b") });
  state("q/dev", {
    7: { ...held("https://a.test#1", "a"), urn: "urn:pulumi:dev::q::shop:index:Thing::a" },
  });
  const its = { of: of("a"), shop: "https://a.test#1" };
  expect(notes.inState("Thing", "7", its)).toBe(undefined);
  expect(notes.inState("Thing", "7", { ...note(of("b"), 1), shop: "https://b.test#2" })).toContain("::b");
  expect(notes.ownerNow("Thing", "7", its)).toBe("urn:pulumi:dev::q::Thing::a");
});

test("an object of another stack isn't taken for an interrupted create's", () => {
  const { note, notes, place, state } = open();
  // Notes of a resource without a project lie beside the projects.
  writeFileSync(place("dev.creates"), "");
  const ofShop = (shop: string) => ({ outputs: { __shop: shop } });
  state("q/dev", { 7: ofShop("https://a.test#1"), 8: ofShop("https://b.test#2"), 9: {} });
  state("p/dev", { 6: ofShop("https://a.test#1") });
  const isElsewhere = (id: string) => notes.heldElsewhere("Thing", id, note(of("a"), 1)) !== undefined;
  expect(["6", "7", "8", "9"].map(isElsewhere)).toEqual([false, true, false, false]);
});

test("a note of an older version without a project belongs to the stack", async () => {
  const { env, note, opened, place } = open();
  writeFileSync(place("p/dev.creates"), `${JSON.stringify({ begin: "1", ...note("dev::group$a", 1) })}\n`);
  const notes = opened(env, stackNotes());
  expect(notes.of("Thing", "urn:pulumi:dev::p::group$Thing::a")).toHaveLength(1);
  expect(notes.of("Thing", of("a"))).toEqual([]);
});

test("a note stays while its object has a pending operation", async () => {
  const { env, state, note, notes, opened } = open();
  await (await notes.begin({ ...note(of("b"), 1), rows: "what was there" })).made("7");
  state("p/dev", { 7: {} }, true);
  const known = () =>
    opened(env, stackNotes())
      .of("Thing", of("b"))
      .map(({ rows }) => rows);
  expect(known()).toEqual(["what was there"]);
  state("p/dev", { 7: {} });
  expect(known()).toEqual([]);
});

test("the state's resources of the other form set the values that they list, or any if the list is encrypted", () => {
  const { state, notes } = open();
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:x",
  };
  const product = (variants: unknown) => ({
    urn: "urn:pulumi:dev::p::shop:index:Product::cup",
    type: "shop:index:Product",
    inputs: { variants },
    outputs: { variants: [{ id: 5, sku: "CUP", price: 8 }] },
  });
  const own = "urn:pulumi:dev::p::Prices::sale";
  const places = (variants: unknown) => {
    state("p/dev", { 7: product(variants) });
    return [...notes.setInOtherForm({ of: own, shop: "" }).keys()];
  };
  expect(places([{ sku: "CUP", price: 8 }])).toEqual(["variants 5 sku", "variants 5 price"]);
  expect(places(secret)).toEqual(["variants of Product:7"]);
});

test("a resource that the state has under an older name is of no other form", () => {
  const { state, notes } = open();
  const sheet = {
    urn: "urn:pulumi:dev::p::shop:index:Prices::sale",
    type: "shop:index:Prices",
    inputs: {},
    outputs: { __rows: "||price\nCUP|7/5|8<9\n" },
  };
  state("p/dev", { sale: sheet });
  const renamed = "urn:pulumi:dev::p::Prices::autumn";
  expect([...notes.setInOtherForm({ of: renamed, shop: "" }).keys()]).toEqual(["variants 5 price"]);
  expect([...notes.setInOtherForm({ of: renamed, shop: "" }, "Prices:sale").keys()]).toEqual([]);
});

test("where no state can be read, the notes of a deleted sheet end in the next process", async () => {
  const { env, note, opened, place } = open();
  const cloud = { PULUMI_BACKEND_URL: "https://cloud.example", PULUMI_HOME: place("home") };
  const sheet = { ...note(of("sale"), 1), kind: "Prices", rows: "||price\nC-1|1/2|7<10\n" };
  const notes = opened({ ...env, ...cloud });
  await notes.begin(sheet);
  await notes.found("Prices", of("sale"), "sale", true);
  await notes.begin({ ...sheet, of: of("list") });
  expect(notes.sheetNotes(of("sale"))).toHaveLength(2);
  const next = opened({ ...env, ...cloud }, stackNotes());
  expect(next.sheetNotes(of("sale")).map((one) => one.of)).toEqual([of("list")]);
});
