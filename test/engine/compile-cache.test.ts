// The cache of compiled code: in a folder that only this user can write to, or nowhere.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cacheFolder, isOwn } from "../../engine/processes/compile-cache.ts";

function home(): string {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-home-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

test("compiled code is kept in the user's own cache folder", () => {
  expect(cacheFolder({ HOME: "/home/ann" }, "linux")).toBe("/home/ann/.cache/pulumi-embedded/compiled");
  expect(cacheFolder({ HOME: "/home/ann", XDG_CACHE_HOME: "/var/ann" }, "linux")).toBe(
    "/var/ann/pulumi-embedded/compiled",
  );
  expect(cacheFolder({ HOME: "/home/ann", XDG_CACHE_HOME: "cache" }, "linux")).toBe(
    "/home/ann/.cache/pulumi-embedded/compiled",
  );
  expect(cacheFolder({ HOME: "/Users/ann" }, "darwin")).toBe(
    "/Users/ann/Library/Caches/pulumi-embedded/compiled",
  );
  expect(cacheFolder({ USERPROFILE: "C:/ann", LOCALAPPDATA: "/local" }, "win32")).toBe(
    "/local/pulumi-embedded/compiled",
  );
});

test.runIf(process.getuid !== undefined)(
  "a folder for compiled code is the user's alone, or it is not used",
  () => {
    const folder = join(home(), "caches", "compiled");
    expect(isOwn(folder)).toBe(true);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(isOwn(folder)).toBe(true);
    chmodSync(folder, 0o770);
    expect(isOwn(folder)).toBe(false);
    chmodSync(folder, 0o700);
    // Whoever can write to a parent folder can replace the cache.
    chmodSync(join(folder, ".."), 0o777);
    expect(isOwn(folder)).toBe(false);
    chmodSync(join(folder, ".."), 0o1777);
    expect(isOwn(folder)).toBe(true);
  },
);

test.runIf(process.getuid !== undefined)(
  "compiled code is kept neither behind a link nor in a file's place",
  () => {
    const folder = home();
    mkdirSync(join(folder, "real"), { mode: 0o700 });
    symlinkSync(join(folder, "real"), join(folder, "link"));
    writeFileSync(join(folder, "file"), "");
    expect(isOwn(join(folder, "link"))).toBe(false);
    expect(isOwn(join(folder, "file", "compiled"))).toBe(false);
  },
);
