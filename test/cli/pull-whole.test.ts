// A pull writes all of its files or none, so it can be repeated after a full disk.
import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeFiles } from "../../cli/stack/write-files.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal, ranOf, root } from "./terminal.ts";

test("files are all written, or the folder is as it was", () => {
  const { folder } = openTerminal("");
  const place = join(folder, "shop");
  mkdirSync(place);
  writeFileSync(join(place, "kept.ts"), "old");
  chmodSync(join(place, "kept.ts"), 0o600);
  symlinkSync(join(place, "kept.ts"), join(place, "link.ts"));
  const names = () => readdirSync(place).toSorted();
  const read = (path: string) => readFileSync(join(place, path), "utf8");
  // A file is in the place of a folder.
  const blocked = new Map([
    ["kept.ts", "new"],
    ["deep/a.ts", "a"],
    ["kept.ts/b.ts", "b"],
  ]);
  expect(() => writeFiles(place, blocked)).toThrow(
    /^the files of \S+shop could not be written: (?:ENOTDIR|EEXIST).*; make room or make the folder writable, /,
  );
  expect(read("kept.ts")).toBe("old");
  expect(names()).not.toContain("a.ts");
  writeFiles(
    place,
    new Map<string, string | Buffer>([
      ["link.ts", "new"],
      ["deep/a.ts", Buffer.from("a")],
    ]),
  );
  // Links stay links, and permissions stay.
  expect([read("kept.ts"), statSync(join(place, "kept.ts")).mode & 0o777, read("deep/a.ts")]).toEqual([
    "new",
    0o600,
    "a",
  ]);
  expect(names()).toEqual(["deep", "kept.ts", "link.ts"]);
  expect(() =>
    writeFiles(
      join(folder, "fresh"),
      new Map([
        ["a", "x"],
        ["a/b", "y"],
      ]),
    ),
  ).toThrow();
  expect(existsSync(join(folder, "fresh"))).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "a pull that the disk cuts off leaves nothing, and is repeated",
  async () => {
    const world = await openWorld();
    for (let at = 0; at < 60; at += 1)
      await world.client.coupons.create({
        code: `C${at}`,
        discount: 1,
        typeId: 1,
        description: `${at} `.repeat(200),
      });
    const terminal = openTerminal("", world.env, "", []);
    const pull = "pull --cwd shop --stack live";
    const command = `ulimit -f 16; exec "${process.execPath}" "${join(root, "dist/cli/main.js")}" ${pull}`;
    const cut = await ranOf(
      spawn("sh", ["-c", command], {
        cwd: terminal.folder,
        env: terminal.env,
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    expect(cut.code).not.toBe(0);
    expect(cut.stderr).toMatch(/(EFBIG|ENOSPC): .*, write '.*coupons\.ts'/);
    expect(existsSync(join(terminal.folder, "shop"))).toBe(false);
    expect(await terminal.run(...pull.split(" "))).toMatchObject({ code: 0 });
    expect(terminal.read("shop/coupons.ts")).toContain("C59");
  },
);

test("a pull that Ctrl-C stops writes nothing and says so", async () => {
  const world = await openWorld();
  await world.fault({ method: "GET", path: "*", fault: "429", times: 9, retryAfterSeconds: 250 });
  const terminal = openTerminal("", world.env, "", []);
  const stop = (pid: number) => process.kill(pid, "SIGINT");
  const stopped = await terminal.until(/waiting 250 s/, stop, "pull", "--cwd", "shop", "--stack", "live");
  expect(stopped).toMatchObject({ code: 8, stderr: "stopped: nothing was written\n" });
  expect(existsSync(join(terminal.folder, "shop"))).toBe(false);
});
