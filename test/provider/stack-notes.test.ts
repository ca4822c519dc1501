// One process works for several stacks: the notes of each lie beside its own state, whoever asks.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stackNotes } from "../../provider/run/stack-notes.ts";

const silent = () => {
  throw new Error("nothing is to be said");
};

/** A process that knows no stack yet. */
function open() {
  const inProcess = stackNotes();
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-stacks-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = {
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_NODEJS_PROJECT: "p",
    PULUMI_NODEJS_STACK: "dev",
  };
  const note = (of: string, at: number) => ({
    of,
    kind: "Thing",
    shop: "https://a.test",
    at,
    skewMs: 0,
    above: {},
    print: { by: ["code"], key: "k", content: "c", text: undefined },
  });
  const has = (stack: string, ending: string) =>
    existsSync(join(folder, ".pulumi/stacks/p", `${stack}.${ending}`));
  const opened = (wanted: Readonly<Record<string, string>>, by = inProcess) =>
    by.notesOf({ config: () => undefined, env: wanted } as never, silent);
  return { env, note, has, notes: opened(env), opened, changeNotesOf: inProcess.changeNotesOf };
}

test("a create is noted beside the state of its own stack, and found there by its resource alone", async () => {
  const { env, note, has, notes, opened } = open();
  const ending = await notes.begin(note("dev::a", 1));
  expect([has("dev", "creates"), has("live", "creates")]).toEqual([true, false]);
  await notes.begin(note("live::a", 2));
  expect(has("live", "creates")).toBe(true);
  expect(notes.of("Thing", "dev::a").map(({ at }) => at)).toEqual([1]);
  expect(notes.of("Thing", "live::a").map(({ at }) => at)).toEqual([2]);
  expect(notes.of("Thing", "dev::b")).toEqual([]);
  expect(notes.all().map(({ of }) => of)).toEqual(["dev::a", "live::a"]);
  await ending.made("7");
  // Whoever opens them again has the same.
  expect(opened(env).all()).toEqual(notes.all());
});

test("an object that another resource of the same stack made is its own; of another stack nothing is known", async () => {
  const { note, notes } = open();
  await (await notes.begin(note("dev::a", 1))).made("7");
  expect(notes.isOthers("Thing", "7", "dev::b")).toBe(true);
  expect(notes.isOthers("Thing", "7", "dev::a")).toBe(false);
  expect(notes.isOthers("Thing", "7", "live::b")).toBe(false);
});

test("what was found, and what is given up, ends in its own stack", async () => {
  const { note, notes } = open();
  for (const of of ["dev::a", "live::a"]) await notes.begin(note(of, 1));
  await notes.found("Thing", "dev::a", "7");
  expect(notes.of("Thing", "dev::a").map(({ id }) => id)).toEqual(["7"]);
  expect(notes.of("Thing", "live::a").map(({ id }) => id)).toEqual([undefined]);
  await notes.end("Thing", "dev::a");
  expect(notes.all().map(({ of }) => of)).toEqual(["live::a"]);
});

test("what a state shows ends in every stack that is open, and in the one that is named before it is", async () => {
  const { env, note, notes, opened } = open();
  await (await notes.begin(note("dev::a", 1))).made("7");
  await (await notes.begin(note("live::a", 2))).made("8");
  await notes.confirm("Thing", "7");
  expect(notes.all().map(({ id }) => id)).toEqual(["8"]);
  await notes.confirm("Thing", "8", "live::a");
  expect(notes.all()).toEqual([]);
  const others = opened({ ...env, PULUMI_NODEJS_PROJECT: "q" });
  await (await others.begin(note("old::a", 3))).made("9");
  expect(others.all().map(({ id }) => id)).toEqual(["9"]);
});

test("in a new process a stack's notes are there before any of its resources is asked for", async () => {
  const { env, note, notes, opened } = open();
  await notes.begin(note("dev::a", 1));
  const again = (wanted: Readonly<Record<string, string>>) => opened(wanted, stackNotes());
  expect(again(env).all()).toHaveLength(1);
  const { PULUMI_NODEJS_STACK: _stack, ...without } = env;
  expect(again(without).all()).toEqual([]);
});

test("in a new process what a state shows ends in the stack that is named", async () => {
  const { env, note, notes, opened } = open();
  await (await notes.begin(note("live::a", 1))).made("8");
  const again = opened(env, stackNotes());
  await again.confirm("Thing", "8");
  expect(again.all().concat(again.of("Thing", "live::a"))).toHaveLength(1);
  const third = opened(env, stackNotes());
  await third.confirm("Thing", "8", "live::a");
  expect(third.of("Thing", "live::a")).toEqual([]);
});

test("notes of changes lie beside the state, the same for all; where no folder holds it there are none", async () => {
  const { env, has, changeNotesOf } = open();
  const notes = changeNotesOf("dev", env, silent);
  expect(notes).toBeDefined();
  expect(changeNotesOf("dev", env, silent)).toBe(notes);
  expect(changeNotesOf("live", env, silent)).not.toBe(notes);
  expect(has("dev", "changes")).toBe(false);
  await notes?.untrusted("things", "Thing 7 changed");
  expect([has("dev", "changes"), has("live", "changes")]).toEqual([true, false]);
  expect(changeNotesOf("dev", { ...env, PULUMI_BACKEND_URL: "s3://bucket" }, silent)).toBeUndefined();
});
