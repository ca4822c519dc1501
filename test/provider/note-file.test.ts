// A notes file: a note that was confirmed is on disk, whole, whatever a write accepts.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { besideState, diskNoteFile, notesPath } from "../../provider/context/note-file.ts";
import { type DiskOptions, openDisk } from "../support/disk.ts";

const path = "/home/notes/dev.creates";

function opened(options: DiskOptions = {}) {
  const disk = openDisk(options);
  return {
    disk,
    file: diskNoteFile(path, disk.files),
    text: () => disk.text(path),
    effects: () => disk.effects.map(({ name, path: at }) => `${name} ${at}`),
  };
}

describe("on a disk", () => {
  test("the first line creates and syncs the folders and the file before its bytes", async () => {
    const { file, effects, text } = opened();
    expect(file.read()).toBeUndefined();
    await file.append("one\n");
    expect(effects()).toEqual([
      "makeFolder /home",
      "syncFolder /",
      "makeFolder /home/notes",
      "syncFolder /home",
      `open ${path}`,
      "syncFolder /home/notes",
      `write ${path}`,
      `syncData ${path}`,
    ]);
    expect([text(), file.read()]).toEqual(["one\n", "one\n"]);
  });

  test("a line is appended behind an incomplete line without damaging it", async () => {
    for (const [there, then] of [
      ["one\n", "one\ntwo\nthree\n"],
      ["on", "on\ntwo\nthree\n"],
      ["", "two\nthree\n"],
    ] as const) {
      const { disk, file, text, effects } = opened();
      disk.put(path, there);
      const before = effects().length;
      await file.append("two\n");
      await file.append("three\n");
      expect(text()).toBe(then);
      expect(effects().slice(before)).toEqual([
        `write ${path}`,
        `syncData ${path}`,
        `write ${path}`,
        `syncData ${path}`,
      ]);
    }
  });

  test("a partial write is completed without repeating a byte", async () => {
    const { file, text } = opened({ plan: ({ name }) => (name === "write" ? { short: 3 } : undefined) });
    await file.append("größer als drei\n");
    await file.append("two\n");
    expect(text()).toBe("größer als drei\ntwo\n");
  });

  test("a full disk fails all waiting lines, and a later line starts on its own", async () => {
    let writes = 0;
    const { file, text } = opened({
      plan({ name }) {
        if (name !== "write") return undefined;
        writes += 1;
        return writes === 1 ? { short: 2 } : writes === 2 ? { short: 0 } : undefined;
      },
    });
    const full = { message: "ENOSPC: the disk takes no more bytes, write", code: "ENOSPC" };
    const both = await Promise.allSettled([file.append("one\n"), file.append("two\n")]);
    expect(both).toMatchObject([
      { status: "rejected", reason: full },
      { status: "rejected", reason: full },
    ]);
    await file.append("three\n");
    expect(text()).toBe("on\nthree\n");
  });

  test("a file is emptied only if it has this text and no more", async () => {
    const { file, effects, text } = opened();
    file.clear("");
    expect(effects()).toEqual([]);
    await file.append("one\n");
    file.clear("");
    file.clear("one");
    expect(text()).toBe("one\n");
    file.clear("one\n");
    expect(text()).toBe("");
    await file.append("two\n");
    expect(text()).toBe("two\n");
  });
});

test("lines that several processes write into one file are all there, also if one of them empties it first", async () => {
  const root = mkdtempSync(join(tmpdir(), "pulumi-shop-notes-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const at = join(root, "dev.creates");
  const [one, other] = [diskNoteFile(at), diskNoteFile(at)];
  await one.append("old\n");
  other.clear("old\n");
  await Promise.all([one.append("one\n"), other.append("other\n")]);
  writeFileSync(at, "cut", { flag: "a" });
  await one.append("two\n");
  expect(other.read()?.split("\n").toSorted()).toEqual(["", "cut", "one", "other", "two"]);
});

test("the notes on disk are readable only by their owner", async () => {
  const root = mkdtempSync(join(tmpdir(), "pulumi-shop-notes-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const at = join(root, "a/b/dev.creates");
  const file = diskNoteFile(at);
  await file.append("one\n");
  await file.append("two\n");
  expect([file.read(), diskNoteFile(at).read()]).toEqual(["one\ntwo\n", "one\ntwo\n"]);
  file.clear("one\ntwo\n");
  await file.append("three\n");
  expect(diskNoteFile(at).read()).toBe("three\n");
  expect(readdirSync(dirname(at))).toEqual(["dev.creates"]);
  if (process.platform === "win32") return;
  const modes = [at, dirname(at), join(root, "a")].map((one) => statSync(one).mode & 0o777);
  expect(modes).toEqual([0o600, 0o700, 0o700]);
});

describe("the notes of a stack lie", () => {
  function folder(files: Readonly<Record<string, string>> = {}) {
    const root = mkdtempSync(join(tmpdir(), "pulumi-shop-notes-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(root, name, ".."), { recursive: true });
      writeFileSync(join(root, name), text);
    }
    return root;
  }
  const env = {};
  const place = { project: "shop", stack: "dev" };

  test("notes lie on the drive of a Windows path", () => {
    const at = folder();
    expect(besideState(place, at, { ...env, PULUMI_BACKEND_URL: "file:///C:/b" })).toBe(
      join(resolve(at, "C:/b"), ".pulumi/stacks/shop/dev.creates"),
    );
  });

  test("notes lie in the backend of a parent folder's project, relative to that project", () => {
    const at = folder({ "Pulumi.yaml": "backend:\n  url: file://./state\n", "a/b/x": "" });
    expect(besideState(place, join(at, "a/b"), { ...env, PULUMI_HOME: at })).toBe(
      join(at, "state/.pulumi/stacks/shop/dev.creates"),
    );
  });

  test("notes lie in the backend of the last login, or in the home folder", () => {
    const login = (text: string) => folder({ "credentials.json": text });
    const beside = (home: string, more = {}) =>
      besideState(place, folder(), { ...env, PULUMI_HOME: home, HOME: "/h", ...more });
    expect(beside(login('{"current":"file:///l"}'))).toBe("/l/.pulumi/stacks/shop/dev.creates");
    for (const text of ['{"current":""}', "{}"])
      expect(beside(login(text)), text).toBe("/h/.pulumi/stacks/shop/dev.creates");
    for (const text of ["{", ""])
      expect(() => beside(login(text)), text).toThrow("credentials.json is damaged");
    expect(beside(folder())).toBe("/h/.pulumi/stacks/shop/dev.creates");
    const home = folder({ ".pulumi/credentials.json": '{"current":"file:///l"}' });
    expect(besideState(place, folder(), { ...env, HOME: home })).toBe("/l/.pulumi/stacks/shop/dev.creates");
    expect(besideState(place, folder(), { PULUMI_BACKEND_URL: "file://~" })).toBe(
      join(homedir(), ".pulumi/stacks/shop/dev.creates"),
    );
  });

  test("notes lie in the home folder, one file for each stack, if the state is in no folder", () => {
    const at = folder();
    const file = (more: object, named = place) =>
      notesPath(named, at, { ...env, HOME: "/h", PULUMI_BACKEND_URL: "s3://b", ...more });
    expect(besideState(place, at, { ...env, PULUMI_BACKEND_URL: "s3://b" })).toBeUndefined();
    const one = file({});
    expect(one).toMatch(/^\/h\/\.pulumi\/pulumi-shop\/[0-9a-f]{24}\.creates$/);
    expect(file({})).toBe(one);
    const others = [
      file({}, { ...place, stack: "prod" }),
      file({}, { ...place, project: "blog" }),
      file({ PULUMI_BACKEND_URL: "s3://c" }),
      file({ PULUMI_HOME: "/p" }),
    ];
    expect(new Set([one, ...others]).size).toBe(5);
    expect(others[3]).toMatch(/^\/p\/pulumi-shop\/[0-9a-f]{24}\.creates$/);
  });
});
