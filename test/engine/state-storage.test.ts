// Journals of interrupted runs that match, don't match, or are damaged; a lost stack file.
import { expect, test } from "vitest";
import { type Event, openStack, preview, type Stack, up } from "../../engine/index.ts";
import { openDisk } from "../support/disk.ts";
import {
  machineOf,
  openCloud,
  openMemory,
  places,
  programOf,
  providerOf,
  putProject,
  runUp,
} from "./in-process.ts";

const a1 = { a: { n: 1 } };

/** A disk after a run that ended when its create was done but not yet written. */
async function cutOff() {
  const cloud = openCloud();
  const whole = putProject(openDisk());
  await runUp(whole, cloud, a1);
  const cut = whole.next("all", {
    plan: ({ name, path }) => (name === "request" && path === "create c" ? { crash: "after" } : undefined),
  });
  await runUp(cut, cloud, { ...a1, b: { n: 2 }, c: { n: 3 } });
  return { cloud, disk: cut.next("all") };
}

const warnings = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "message" && event.severity === "warning" ? [event.text] : []));

test("a journal is folded only into the state that its first line names", async () => {
  const { disk, cloud } = await cutOff();
  // Another engine has written the state since, without the journal's run.
  const newer = disk.text(places.state)?.replace('"time":"2026-01-01', '"time":"2026-02-02') ?? "";
  disk.put(places.state, newer);
  const { error } = await runUp(disk, cloud, a1);
  expect(error?.message).toContain(places.journal);
  expect(error?.message).toContain(places.state);
  expect(error?.message).toMatch(
    /another run or another engine has written the state since[\s\S]*remove the journal;/,
  );
  expect(disk.text(places.state)).toBe(newer);
  expect((await runUp(disk, cloud, a1, { verb: preview })).error?.message).toBe(error?.message);
});

test("a state file in which git left a conflict is refused with the way out, another damaged one with its copy", async () => {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  await runUp(disk, cloud, a1);
  const whole = disk.text(places.state) ?? "";
  const errorOf = async (text: string) => {
    disk.put(places.state, text);
    return (await runUp(disk, cloud, a1)).error?.message ?? "";
  };
  const unmerged = `<<<<<<< HEAD\n${whole}\n=======\n${whole}\n>>>>>>> spring\n`;
  expect(await errorOf(unmerged)).toMatch(/has a conflict that git left\. Take one side of it whole/);
  expect(await errorOf(whole.slice(0, -20))).toContain(`Copy ${places.state}.bak over it`);
  expect(cloud.requests).toEqual(["create a"]);
});

test("a journal whose last line names the present state is removed silently", async () => {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  const cut = disk.next("all", {
    plan: ({ name, path }) =>
      name === "remove" && path === places.journal ? { crash: "before" } : undefined,
  });
  await runUp(cut, cloud, a1);
  const left = cut.next("all");
  expect(left.text(places.journal)).toContain('"saved"');
  const { result, events } = await runUp(left, cloud, a1);
  expect(result).toMatchObject({ outcome: "succeeded", changed: false });
  expect(warnings(events)).toEqual([]);
  expect(cloud.requests).toEqual(["create a"]);
});

test.each([
  ['{"put":{"urn":"x', 2, /Unterminated string/],
  ["null", 2, /not an entry/],
  ['{"put":{}}', 2, /not an entry/],
  ['{"begin":1,"type":"creating"}', 2, /not an entry/],
])(
  "a damaged line in the middle of a journal is named with its file, and what to do: %s",
  async (line, number, why) => {
    const { disk, cloud } = await cutOff();
    const [head, , ...rest] = disk.text(places.journal)?.split("\n") ?? [];
    disk.put(places.journal, [head, line, ...rest].join("\n"));
    const { error } = await runUp(disk, cloud, a1);
    expect(error?.message).toContain(`the journal ${places.journal} is damaged in line ${number}`);
    expect(error?.message).toMatch(why);
    expect(error?.message).toContain("restore it from a backup");
  },
);

test("a journal of an older version is an error and stays unchanged", async () => {
  const { disk, cloud } = await cutOff();
  const old = disk.text(places.journal)?.split("\n").slice(1).join("\n") ?? "";
  disk.put(places.journal, old);
  expect((await runUp(disk, cloud, a1)).error?.message).toMatch(/dev\.journal does not say which state file/);
  expect(disk.text(places.journal)).toBe(old);
});

test("a preview during a run doesn't report that run's operations as interrupted", async () => {
  const disk = putProject(openDisk());
  const cloud = openCloud();
  const said: string[] = [];
  const watch = () => {};
  const alive = { isAlive: () => true };
  const open = (pid: number): Stack => ({ ...openMemory(disk), machine: machineOf(pid, alive) });
  const plan = async () => {
    const parts = { startProvider: async () => providerOf(cloud), program: programOf(a1) };
    const events: Event[] = [];
    const { counts } = await preview(open(2), { watch: (event) => events.push(event), parts });
    said.push(...warnings(events), JSON.stringify(counts));
  };
  const provider = providerOf(cloud);
  const create: typeof provider.create = async (urn, inputs) => {
    await plan();
    return provider.create(urn, inputs);
  };
  const parts = { startProvider: async () => ({ ...provider, create }), program: programOf(a1) };
  const result = await up(open(1), { watch, parts });
  expect(result.outcome).toBe("succeeded");
  expect(said).toEqual(['{"create":1}']);
});

const secretState = async () => {
  const disk = putProject(openDisk());
  const open = () =>
    openStack({
      folder: places.folder,
      stack: "dev",
      env: { HOME: "/home", PULUMI_CONFIG_PASSPHRASE: "correct horse" },
      files: disk.files,
      machine: machineOf(1),
    });
  open().config.set("token", "hunter2", true);
  const cloud = openCloud();
  const run = () => {
    const stack = open();
    const program = programOf({
      a: {
        token: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "hunter2" },
      },
    });
    return up(stack, { watch: () => {}, parts: { startProvider: async () => providerOf(cloud), program } });
  };
  return { disk, cloud, run, open };
};

test("if the stack's file is lost, the state's own salt decrypts its secrets and is kept", async () => {
  const { disk, cloud, run, open } = await secretState();
  expect((await run()).outcome).toBe("succeeded");
  const file = `${places.folder}/Pulumi.dev.yaml`;
  const salt = /encryptionsalt: (\S+)/.exec(disk.text(file) ?? "")?.[1] ?? "";
  expect(salt).toMatch(/^v1:/);
  expect(disk.text(places.state)).toContain(salt);
  expect(disk.text(places.state)).not.toContain("hunter2");
  disk.files.remove(file);
  expect(await run()).toMatchObject({ outcome: "succeeded", counts: { same: 1 } });
  expect(cloud.requests).toEqual(["create a"]);
  open().config.set("other", "secret too", true);
  expect(disk.text(file)).toContain(salt);
});

test("a stack's file with another salt doesn't prevent decrypting the state", async () => {
  const { disk, run } = await secretState();
  await run();
  const other = putProject(openDisk());
  const stack = openStack({
    folder: places.folder,
    stack: "dev",
    env: { HOME: "/home", PULUMI_CONFIG_PASSPHRASE: "correct horse" },
    files: other.files,
  });
  stack.config.set("token", "hunter2", true);
  disk.put(`${places.folder}/Pulumi.dev.yaml`, other.text(`${places.folder}/Pulumi.dev.yaml`) ?? "");
  expect(await run()).toMatchObject({ outcome: "succeeded", changed: false });
});

test("interrupted operations stay encrypted and pending in the state until they begin again", async () => {
  const { disk, open } = await secretState();
  const token = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "hunter2" };
  const cut = disk.next("all", {
    plan: ({ name }) => (name === "request" ? { crash: "before" } : undefined),
  });
  const dying = openCloud();
  const parts = {
    startProvider: async () => providerOf(dying, cut.effect),
    program: programOf({ a: { token } }),
  };
  await up({ ...open(), files: cut.files }, { watch: () => {}, parts }).catch(() => {});
  const left = cut.next("all");
  const failing = async () => 1;
  const said: Event[] = [];
  const next = (program: ReturnType<typeof programOf>) =>
    up(
      { ...open(), files: left.files },
      {
        watch: (event) => said.push(event),
        parts: { ...parts, startProvider: async () => providerOf(dying), program },
      },
    );
  // A program that fails before it registers the resource.
  await next(failing);
  expect(left.text(places.state)).toContain("pending_operations");
  expect(left.text(places.state)).not.toContain("hunter2");
  said.length = 0;
  await next(failing);
  expect(warnings(said)).toEqual([expect.stringContaining("interrupted while creating")]);
  await next(programOf({ a: { token } }));
  expect(left.text(places.state)).not.toContain("pending_operations");
});
