// Stacks and locks: a mistyped name creates nothing, and a lock names its holder.
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { diskFiles, makeFolders, writeWhole } from "../../engine/common/disk.ts";
import {
  holders,
  NoStackError,
  openStack,
  removeResource,
  removeStack,
  renameResource,
  type StackOptions,
  stacks,
  unlock,
} from "../../engine/index.ts";
import { type Machine, takeLock } from "../../engine/state/lock.ts";
import { type Disk, openDisk } from "../support/disk.ts";
import { machineOf, openCloud, openMemory, places, putProject, runUp } from "./in-process.ts";

const now = new Date("2026-01-01T00:00:00.000Z");

describe("a stack or backend that doesn't exist", () => {
  const opened = (disk = putProject(openDisk())) => ({
    disk,
    open: (more: Partial<StackOptions>) =>
      openStack({ folder: places.folder, stack: "dev", env: { HOME: "/home" }, files: disk.files, ...more }),
  });

  test("a mistyped stack name creates nothing, and the error suggests the right one", () => {
    const { disk, open } = opened();
    disk.put(`${places.folder}/Pulumi.live.yaml`, "config: {}\n");
    expect(() => open({ stack: "lvie" })).toThrow(NoStackError);
    expect(() => open({ stack: "lvie", create: false })).toThrow(
      "does not exist (did you mean live?); the project memory has dev, live; for a new stack, add --create",
    );
    expect(() => open({ stack: "production" })).toThrow(
      /production does not exist; the project memory has dev, live$/,
    );
    expect(open({ stack: "production", create: true })).toMatchObject({ name: "production", exists: false });
    expect(disk.paths().filter((path) => path.includes("production"))).toEqual([]);
  });

  test("a stack exists if it has a state or a configuration file", async () => {
    const { disk, open } = opened();
    expect(open({}).exists).toBe(false);
    await runUp(disk, openCloud(), { a: { n: 1 } });
    disk.files.remove(`${places.folder}/Pulumi.dev.yaml`);
    expect(open({}).exists).toBe(true);
    disk.put(`${places.folder}/Pulumi.live.yaml`, "config: {}\n");
    expect(stacks({ folder: places.folder, env: { HOME: "/home" }, files: disk.files })).toEqual([
      "dev",
      "live",
    ]);
  });

  test("a missing backend folder is an error; the default home folder may be missing", () => {
    const { disk, open } = opened();
    const env = { HOME: "/home", PULUMI_BACKEND_URL: "file:///bakend" };
    expect(() => open({ env })).toThrow(/\/bakend[\s\S]*does not exist[\s\S]*--create/);
    expect(() => open({ env })).toThrow(NoStackError);
    expect(open({ env, create: true }).paths.root).toBe("/bakend");
    disk.put(`${places.folder}/Pulumi.yaml`, "name: memory\nruntime: nodejs\n");
    expect(open({}).paths.root).toBe("/home");
  });
});

const locksOn = (disk: Disk, machine: Machine) => ({
  files: disk.files,
  folder: places.locks,
  machine,
  now,
});

describe("the lock", () => {
  const hold = (text: string) => {
    const disk = putProject(openDisk());
    disk.put(`${places.locks}/one.json`, text);
    return disk;
  };
  const lockOf = (holder: object) =>
    JSON.stringify({ pid: 7, username: "bob", hostname: "desk", timestamp: now.toISOString(), ...holder });
  const take = (disk: ReturnType<typeof openDisk>, isAlive = false) =>
    takeLock(locksOn(disk, machineOf(1, { isAlive: () => isAlive })));

  test("a lock names process, user, machine, boot and container in Pulumi's format", async () => {
    const disk = putProject(openDisk());
    await take(disk);
    const [path = ""] = disk.paths().filter((one) => one.startsWith(places.locks));
    expect(JSON.parse(disk.text(path) ?? "")).toEqual({
      pid: 1,
      username: "ann",
      hostname: "desk",
      timestamp: "2026-01-01T00:00:00.000Z",
      boot: "boot-1",
      container: "pid:[1]",
    });
  });

  test("the lock of a process that has certainly ended is taken over: same machine, boot and container", async () => {
    const same = { boot: "boot-1", container: "pid:[1]" };
    const dead = hold(lockOf(same));
    (await take(dead)).release();
    expect(dead.paths().filter((path) => path.startsWith(places.locks))).toEqual([]);
    await expect(take(hold(lockOf(same)), true)).rejects.toThrow(
      /locked by bob@desk \(pid 7\) since 2026-01-01/,
    );
    await expect(take(hold(lockOf({ ...same, container: "pid:[2]" })))).rejects.toThrow(
      "in another container, pid:[2]",
    );
    await expect(take(hold(lockOf({ ...same, boot: "boot-0" })))).rejects.toThrow("locked by bob@desk");
    await expect(take(hold(lockOf({})))).rejects.toThrow("locked by bob@desk");
  });

  test.each(["", "null", "{", "7", '{"pid":"7"}'])(
    "that can't be read is named, and unlock removes it: %j",
    async (text) => {
      const disk = hold(text);
      const { error } = await runUp(disk, openCloud(), { a: { n: 1 } });
      expect(error?.message).toContain(`an unknown process: the lock ${places.locks}/one.json can't be read`);
      expect(error?.message).toContain("unlock");
      const stack = openMemory(disk);
      expect(holders(stack)).toHaveLength(1);
      expect(unlock(stack)).toBe(1);
      expect((await runUp(disk, openCloud(), { a: { n: 1 } })).result?.outcome).toBe("succeeded");
    },
  );

  test("a lock that can't be written is an error and doesn't block the next run", async () => {
    const disk = putProject(openDisk());
    disk.limit({ capacity: disk.used() + 5 });
    const cloud = openCloud();
    const { error } = await runUp(disk, cloud, { a: { n: 1 } });
    expect(error?.message).toMatch(
      /the lock .* could not be written, so nothing was started: ENOSPC.*; make room/,
    );
    expect(disk.paths().filter((path) => path.includes("locks"))).toEqual([]);
    disk.limit({});
    expect((await runUp(disk, cloud, { a: { n: 1 } })).result?.outcome).toBe("succeeded");
  });
});

test("the engine's files are private to their owner, regardless of the umask", () => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-modes-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const before = process.umask(0);
  onTestFinished(() => {
    process.umask(before);
  });
  const path = join(folder, "backend/.pulumi/stacks/dev.json");
  writeWhole(diskFiles, path, "{}");
  makeFolders(diskFiles, join(folder, "backend/.pulumi/locks"));
  const modes = ["backend", "backend/.pulumi", "backend/.pulumi/stacks", "backend/.pulumi/locks"].map(
    (name) => statSync(join(folder, name)).mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o700]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "backend/.pulumi/stacks"))).toEqual(["dev.json"]);
});

describe("changes of a state without a run", () => {
  const things = { a: { n: 1 }, b: { n: 2 } };
  const made = async () => {
    const disk = putProject(openDisk());
    const cloud = openCloud();
    await runUp(disk, cloud, things);
    return { disk, cloud, stack: openMemory(disk) };
  };

  test("a resource removed from the state is no longer managed, and its object stays", async () => {
    const { disk, cloud, stack } = await made();
    await removeResource(stack, "b", false);
    expect(cloud.objects.size).toBe(2);
    expect((await runUp(disk, cloud, { a: { n: 1 } })).result).toMatchObject({ changed: false });
    await expect(removeResource(stack, "b", false)).rejects.toThrow("the stack dev has no resource b");
    expect(disk.paths().filter((path) => path.startsWith(places.locks))).toEqual([]);
  });

  test("a resource that others depend on can't be removed, and the error names them", async () => {
    const { disk, cloud, stack } = await made();
    const provider = "urn:pulumi:dev::memory::pulumi:providers:pulumi-nodejs::default";
    const before = disk.text(places.state);
    await expect(removeResource(stack, "default", false)).rejects.toThrow(/depend on it:\n.*::a\n.*::b/);
    expect(disk.text(places.state)).toBe(before);
    await renameResource(stack, "default", "other");
    expect(disk.text(places.state)).not.toContain(provider);
    expect((await runUp(disk, cloud, things)).result?.outcome).toBe("succeeded");
  });

  test("a renamed resource belongs to the program under its new name", async () => {
    const { disk, cloud, stack } = await made();
    await renameResource(stack, "b", "c");
    expect((await runUp(disk, cloud, { a: { n: 1 }, c: { n: 2 } })).result).toMatchObject({ changed: false });
    await expect(renameResource(stack, "a", "c")).rejects.toThrow("there is a resource c already");
    await expect(renameResource(stack, "a", "x::y")).rejects.toThrow("not a valid name");
    expect(cloud.requests).toEqual(["create a", "create b"]);
  });

  test("a stack with resources is removed only by force, and completely", async () => {
    const { disk, cloud, stack } = await made();
    await expect(removeStack(stack, { force: false, keepConfig: false })).rejects.toThrow(
      "still has 2 resources",
    );
    await runUp(disk, cloud, {});
    await removeStack(openMemory(disk), { force: false, keepConfig: true });
    expect(disk.paths().filter((path) => path.includes("dev"))).toEqual([`${places.folder}/Pulumi.dev.yaml`]);
    await runUp(disk, cloud, things);
    await removeStack(openMemory(disk), { force: true, keepConfig: false });
    expect(disk.paths().filter((path) => path.includes("dev"))).toEqual([]);
    expect(cloud.objects.size).toBe(2);
  });

  test("a state can't be edited during a run", async () => {
    const { disk, stack } = await made();
    const lock = await takeLock(locksOn(disk, machineOf(2, { isAlive: () => true })));
    const beside = { ...stack, machine: machineOf(3, { isAlive: () => true }) };
    await expect(removeResource(beside, "a", false)).rejects.toThrow("currently locked by ann@desk (pid 2)");
    lock.release();
    await removeResource(beside, "a", false);
  });
});

test("a new configuration file is block YAML, a removed key is gone, and permissions stay", () => {
  const disk = putProject(openDisk());
  disk.files.remove(`${places.folder}/Pulumi.dev.yaml`);
  const file = `${places.folder}/Pulumi.new.yaml`;
  const open = () =>
    openStack({
      folder: places.folder,
      stack: "new",
      env: { HOME: "/home" },
      files: disk.files,
      create: true,
    }).config;
  open().set("shop:url", "https://a.example", false);
  open().set("colour", "red", false);
  expect(disk.text(file)).toBe("config:\n  shop:url: https://a.example\n  memory:colour: red\n");
  expect(open().get("colour")).toBe("red");
  expect(open().remove("colour")).toBe(true);
  expect(open().remove("colour")).toBe(false);
  expect(disk.text(file)).toBe("config:\n  shop:url: https://a.example\n");
  disk.put(file, "# ours\nconfig: {}\n");
  open().set("colour", "red", false);
  expect(disk.text(file)).toBe("# ours\nconfig:\n  memory:colour: red\n");
  disk.limit({ capacity: disk.used() });
  expect(() => open().set("colour", "blue", false)).toThrow("ENOSPC");
  expect(disk.text(file)).toBe("# ours\nconfig:\n  memory:colour: red\n");
});
