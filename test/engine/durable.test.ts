// What counts as done is on the disk: the order of calls to the file system, since no test can pull the plug.
import type * as fs from "node:fs";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";

const calls: string[] = [];
vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  const noted = <T extends (...args: never[]) => unknown>(name: string, work: T): T =>
    ((...args: never[]) => {
      calls.push(name);
      return work(...args);
    }) as unknown as T;
  return {
    ...real,
    writeSync: noted("write", real.writeSync),
    fsyncSync: noted("sync", real.fsyncSync),
    renameSync: noted("rename", real.renameSync),
    fdatasync: (file: number, done: (error: Error | null) => void) =>
      real.fdatasync(file, (error) => {
        calls.push("synced");
        done(error);
      }),
  };
});

const { openJournal } = await import("../../engine/journal.ts");
const { writeWhole } = await import("../../engine/backend.ts");

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "pulumi-shop-durable-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  calls.length = 0;
  return path;
}

test("a line of the journal counts when it is on the disk; lines of one moment share the trip", async () => {
  const journal = openJournal(join(folder(), "dev.journal"));
  await Promise.all([1, 2, 3].map((end) => journal.append({ end }).then(() => calls.push(`done ${end}`))));
  expect(calls).toEqual(["write", "synced", "done 1", "done 2", "done 3"]);
  journal.close();
});

test("a state is written beside, to the disk, and then put in its place; the folder too goes to the disk", () => {
  const path = join(folder(), "dev.json");
  writeWhole(path, "one");
  expect(calls).toEqual(["write", "sync", "rename", "sync"]);
  writeWhole(path, "two");
  expect(readFileSync(path, "utf8")).toBe("two");
  expect(readFileSync(`${path}.bak`, "utf8")).toBe("one");
});
