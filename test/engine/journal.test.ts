// The journal: refusals of the disk, reserved room, and reading it again.
import { describe, expect, test } from "vitest";
import { readJournal } from "../../engine/pulumi/journal.ts";
import { type Entry, markSaved, openJournal } from "../../engine/state/journal-writer.ts";
import type { State } from "../../engine/state/snapshot.ts";
import { openDisk } from "../support/disk.ts";
import { undisturbed } from "./in-process.ts";

const path = "/backend/dev.journal";
const state = (urn: string, more: Partial<State> = {}): State => ({ urn, custom: true, type: "t", ...more });
const begin = (number: number, resource = state("a")): Entry => ({
  begin: number,
  type: "creating",
  resource,
});
const put = (number: number, resource = state("a", { id: "1" })): Entry => ({ put: resource, end: number });

function open() {
  const disk = openDisk();
  const journal = openJournal(disk.files, path, "base", undisturbed);
  const read = () => readJournal(disk.files, path);
  return { disk, journal, read, text: () => (disk.text(path) ?? "").trimEnd() };
}

describe("a journal on a broken disk", () => {
  test("a broken disk lets no operation begin, with an error", async () => {
    const { disk, journal, read } = open();
    disk.limit({ broken: true });
    await expect(journal.append(begin(1))).rejects.toThrow(
      /^the journal \/backend\/dev\.journal could not be written, so no new operation was started: EIO/,
    );
    expect(journal.unwritten()).toEqual([]);
    disk.limit({});
    await journal.append(begin(2));
    expect(read()?.entries).toEqual([begin(2)]);
  });

  test("a result that a broken disk refuses is kept and written with the next entry", async () => {
    const { disk, journal, read } = open();
    await journal.append(begin(1));
    disk.limit({ broken: true });
    await journal.append(put(1));
    expect(journal.unwritten()).toEqual([put(1)]);
    await journal.append({ drop: "b" });
    expect(journal.unwritten()).toEqual([put(1), { drop: "b" }]);
    disk.limit({});
    await journal.append({ end: 2 });
    expect(journal.unwritten()).toEqual([]);
    expect(read()?.entries).toEqual([begin(1), put(1), { drop: "b" }, { end: 2 }]);
  });

  test("a result is written at the end at the latest, or is an error", async () => {
    const { disk, journal, read } = open();
    disk.limit({ broken: true });
    await journal.append({ drop: "b" });
    await expect(journal.saved("new")).rejects.toThrow("EIO");
    expect(journal.unwritten()).toEqual([{ drop: "b" }]);
    disk.limit({});
    await journal.saved("new");
    expect(journal.unwritten()).toEqual([]);
    expect(read()).toEqual({ base: "base", saved: ["new"], entries: [{ drop: "b" }] });
  });

  test("a broken disk refuses new operations and keeps results of the same moment", async () => {
    const { disk, journal } = open();
    disk.limit({ broken: true });
    const [began, ended] = await Promise.allSettled([
      journal.append(begin(1)),
      journal.append({ drop: "b" }),
    ]);
    expect([began?.status, ended?.status]).toEqual(["rejected", "fulfilled"]);
    expect(journal.unwritten()).toEqual([{ drop: "b" }]);
  });

  test("a journal that can't be created completely isn't created at all", () => {
    const none =
      /^the journal \/backend\/dev\.journal could not be written, so nothing was started: E.*; make room/;
    const disk = openDisk();
    disk.limit({ broken: true });
    expect(() => openJournal(disk.files, path, "base", undisturbed)).toThrow(none);
    disk.limit({});
    disk.put("/backend/meta.yaml", "version: 1");
    for (const limits of [{ broken: true }, { capacity: disk.used() + 10 }]) {
      disk.limit(limits);
      expect(() => openJournal(disk.files, path, "base", undisturbed)).toThrow(none);
      expect(disk.paths()).not.toContain(path);
    }
  });
});

describe("a journal on a full disk", () => {
  /** A disk without room beside the journal's. */
  const full = () => {
    const opened = open();
    const fill = () => opened.disk.limit({ capacity: opened.disk.used() });
    return { ...opened, fill };
  };
  const long = state("a", { inputs: { text: "x".repeat(40_000) } });

  test("a full disk has room for the results of all running operations, even twice as large as their inputs", async () => {
    const { journal, fill, read } = full();
    await Promise.all([journal.append(begin(1, long)), journal.append(begin(2, long))]);
    fill();
    const result = (number: number) => put(number, { ...long, outputs: { text: "y".repeat(40_000) } });
    await journal.append(result(1));
    await journal.append(result(2));
    expect(journal.unwritten()).toEqual([]);
    expect(read()?.entries).toHaveLength(4);
  });

  test("an operation begins only if its result fits on the disk", async () => {
    const { journal, fill } = full();
    fill();
    await journal.append(begin(1));
    await expect(journal.append(begin(2, long))).rejects.toThrow("no new operation was started: ENOSPC");
    await journal.append(put(1));
    expect(journal.unwritten()).toEqual([]);
  });

  test("the room of an ended operation is available to the next one", async () => {
    const { journal, fill } = full();
    fill();
    for (let number = 1; number <= 20; number += 1) {
      await journal.append(begin(number));
      await journal.append({ end: number });
    }
    expect(journal.unwritten()).toEqual([]);
  });
});

describe("reading a journal", () => {
  const disk = openDisk();
  const read = (text: string) => {
    disk.put(path, text);
    return readJournal(disk.files, path);
  };
  const head = '{"journal":1,"base":"b"}\n';

  test("a missing journal, or one with an incomplete first line, has no entries", () => {
    expect(readJournal(openDisk().files, path)).toBeUndefined();
    expect(read("")).toBeUndefined();
    expect(read(head.trimEnd())).toBeUndefined();
    expect(read(head)).toEqual({ base: "b", saved: [], entries: [] });
  });

  test("a journal has every complete line, regardless of the reserved room behind it", () => {
    const lines = [begin(1), put(1), { drop: "a", end: 2 }, { end: 3 }];
    const text = `${head}${lines.map((line) => `${JSON.stringify(line)}\n`).join("")}`;
    for (const rest of ["", "     ", '{"put":', '{"end":4}'])
      expect(read(`${text}${rest}`)).toEqual({ base: "b", saved: [], entries: lines });
  });

  test("a journal names the state files that it became", () => {
    read(`${head}{"end":1}\n          `);
    markSaved(disk.files, path, "one");
    markSaved(disk.files, path, "two");
    expect(readJournal(disk.files, path)).toEqual({
      base: "b",
      saved: ["one", "two"],
      entries: [{ end: 1 }],
    });
  });

  test.each(["[]", "null", "7", '{"end":1}', '{"journal":2,"base":"b"}', '{"journal":1,"base":7}'])(
    "must begin with the state that it continues from: %s",
    (line) => {
      expect(() => read(`${line}\n`)).toThrow(/^the journal .* does not say which state file it belongs to/);
    },
  );

  test.each([
    "[]",
    "{}",
    '{"drop":7}',
    '{"end":"1"}',
    '{"put":{"urn":"a"}}',
    '{"put":{"type":"t"}}',
    '{"put":[]}',
    '{"begin":"1","type":"creating","resource":{"urn":"a","type":"t"}}',
    '{"begin":1,"type":"creating","resource":{"urn":7,"type":"t"}}',
  ])("a line that isn't an entry damages the journal, and the error names the line: %s", (line) => {
    expect(() => read(`${head}{"end":1}\n${line}\n`)).toThrow(
      /^the journal .* is damaged in line 3 \(not an entry of a journal\)/,
    );
  });

  test("a line that isn't JSON damages the journal", () => {
    expect(() => read(`${head}{\n`)).toThrow(/^the journal .* is damaged in line 2 \(.*JSON/);
  });
});
