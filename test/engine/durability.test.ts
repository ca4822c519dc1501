// The order of disk operations: a step counts as done only after it is on the disk.
import { expect, test } from "vitest";
import { makeFolders, writeWhole } from "../../engine/common/disk.ts";
import { openJournal } from "../../engine/state/journal-writer.ts";
import { openDisk } from "../support/disk.ts";
import { undisturbed } from "./in-process.ts";

const calls = (disk: ReturnType<typeof openDisk>, from = 0) =>
  disk.effects.slice(from).map(({ name, path }) => `${name} ${path.split("/").at(-1)}`);

test("a journal entry counts when it is on the disk; entries of one turn are written together", async () => {
  const disk = openDisk();
  const journal = openJournal(disk.files, "/dev.journal", "none", undisturbed);
  expect(calls(disk)).toEqual(["open dev.journal", "write dev.journal", "sync dev.journal", "syncFolder "]);
  const done: string[] = [];
  await Promise.all(
    [1, 2, 3].map((end) =>
      journal.append({ end }).then(() => done.push(`${end} after ${disk.effects.length}`)),
    ),
  );
  expect(calls(disk, 4)).toEqual(["write dev.journal", "syncData dev.journal"]);
  expect(done).toEqual(["1 after 6", "2 after 6", "3 after 6"]);
  journal.close();
});

test("a file is written to a temporary name, synced, renamed, and its folder is synced", () => {
  const disk = openDisk();
  writeWhole(disk.files, "/dev.json", "one");
  expect(calls(disk)).toEqual([
    "open dev.json.tmp",
    "write dev.json.tmp",
    "sync dev.json.tmp",
    "rename dev.json",
    "syncFolder ",
  ]);
  expect(disk.next("nothing").text("/dev.json")).toBe("one");
});

test("a new folder is synced before anything is put into it", () => {
  const disk = openDisk();
  makeFolders(disk.files, "/a/b");
  expect(calls(disk)).toEqual(["makeFolder a", "syncFolder ", "makeFolder b", "syncFolder a"]);
});
