// A stack is on disk before its first request: every command finds the objects of a killed first run.
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { isAlive } from "../support/families.ts";
import { storyForms } from "../support/forms.ts";
import { openWorld, type World } from "../support/world.ts";
import { openScene, openTerminal, type Terminal } from "./terminal.ts";

const program = `import { Coupon } from "pulumi-shop";
for (let n = 0; n < 6; n += 1) new Coupon("c" + n, { code: "C" + n, discount: 10, typeId: 1 });
`;

async function killed() {
  const { world, terminal } = await openScene(program, "", []);
  const slow = { method: "POST", path: "/admin/discount_codes.xml", fault: "slow", delayMs: 40, times: 99 };
  await world.fault(slow);
  await terminal.until(
    /created/,
    (pid) => process.kill(pid, "SIGKILL"),
    ...["up", "--stack", "new", "--create", "--yes", "--skip-preview", "--parallel", "1"],
  );
  expect(world.rows("discount_code").length).toBeGreaterThan(0);
  terminal.warnings.push(/an earlier run was interrupted/);
  return { world, terminal };
}

test("what a first run made that was killed is listed and destroyed", async () => {
  const { world, terminal } = await killed();
  const listed = await terminal.run("state", "list", "--stack", "new");
  expect([listed.code, listed.stdout], listed.stderr).toEqual([0, expect.stringContaining("Coupon")]);
  // The last create may be in no state: up adopts its object, destroy names it.
  await terminal.run("up", "--stack", "new", "--yes", "--skip-preview");
  await terminal.done("destroy", "--stack", "new", "--yes");
  expect(world.rows("discount_code")).toEqual([]);
});

test("a stack whose first run was killed is refreshed and unlocked, also where only its lock was written", async () => {
  const { terminal } = await killed();
  await terminal.done("refresh", "--stack", "new", "--yes");
  const other = openTerminal(program, {}, "", []);
  const locks = "backend/.pulumi/locks/organization/user/fresh";
  const holder = { pid: 1, username: "somebody", hostname: "elsewhere", timestamp: "2026-01-01T00:00:00Z" };
  other.write(`${locks}/one.json`, JSON.stringify(holder));
  const unlocked = await other.run("unlock", "--stack", "fresh", "--yes");
  expect([unlocked.code, unlocked.stdout], unlocked.stderr).toEqual([0, expect.stringContaining("somebody")]);
  expect(readdirSync(join(other.folder, locks))).toEqual([]);
  expect(existsSync(join(other.folder, "backend/.pulumi/stacks/user/fresh.json"))).toBe(false);
});

test("a stack whose folder can't be looked into isn't taken for a new one", async () => {
  const { world, terminal } = await openScene(program, "", []);
  const states = join(terminal.folder, "backend/.pulumi/stacks");
  await terminal.done("up", "--stack", "dev", "--yes", "--skip-preview", "--create");
  rmSync(join(states, "user"), { recursive: true });
  // As root in the tests may read everything, a link to itself stands for a folder of another user.
  symlinkSync(join(states, "user"), join(states, "user"));
  const why = `${join(states, "user")} can't be opened: its symbolic links lead in a circle`;
  const listed = await terminal.run("state", "list", "--stack", "dev");
  expect([listed.code, listed.stderr]).toEqual([1, expect.stringContaining(why)]);
  const ran = await terminal.run("up", "--stack", "dev", "--yes", "--skip-preview", "--create");
  expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining(why)]);
  expect(world.rows("discount_code")).toHaveLength(6);
});

test("a stack whose files are behind a link that leads nowhere isn't taken for a new one", async () => {
  const { world, terminal } = await openScene(program, "", []);
  await terminal.done("up", "--stack", "dev", "--yes", "--skip-preview", "--create");
  const [backend, away] = [join(terminal.folder, "backend"), join(terminal.folder, "away")];
  for (const path of ["", ".pulumi", ".pulumi/stacks/user/dev.json"]) {
    const place = join(backend, path);
    renameSync(place, away);
    symlinkSync("/nowhere/states", place);
    for (const command of [
      ["state", "list"],
      ["up", "--yes", "--create"],
      ["destroy", "--yes"],
    ]) {
      const ran = await terminal.run(...command, "--stack", "dev");
      const why = `${place} is a link to /nowhere/states, which does not exist: restore that, or remove the link`;
      expect([ran.code, ran.stderr], command.join(" ")).toEqual([1, expect.stringContaining(why)]);
    }
    rmSync(place);
    renameSync(away, place);
  }
  expect(world.rows("discount_code")).toHaveLength(6);
});

/** As a kill leaves a stack: the objects are there, the state has only that their creates began, and so have the notes. */
function forgetEnds(terminal: Terminal, noted: string): void {
  const place = "backend/.pulumi/stacks/user/dev";
  const state = JSON.parse(terminal.read(`${place}.json`)) as {
    checkpoint: { latest: { resources: { type: string; id?: string }[]; pending_operations?: unknown } };
  };
  const { latest } = state.checkpoint;
  const isCoupon = ({ type }: { readonly type: string }) => type.endsWith(":Coupon");
  latest.pending_operations = latest.resources
    .filter(isCoupon)
    .map(({ id: _id, ...resource }) => ({ resource, type: "creating" }));
  latest.resources = latest.resources.filter((one) => !isCoupon(one));
  terminal.write(`${place}.json`, JSON.stringify(state));
  const begun = terminal.read(`${place}.creates`).match(/^\{"begin".*\n/gm) ?? [];
  terminal.write(`${place}.creates`, "");
  terminal.write(
    `${place.replace(/dev$/, noted)}.creates`,
    begun.join("").replaceAll("urn:pulumi:dev::", `urn:pulumi:${noted}::`),
  );
}

const outlet = ({ SHOP_URL, SHOP_APPLICATION_ID, SHOP_PASSWORD }: World["env"]) =>
  `{ provider: new Provider("outlet", ${JSON.stringify({ url: SHOP_URL, applicationId: SHOP_APPLICATION_ID, password: SHOP_PASSWORD })}) }`;

test.each(
  storyForms.flatMap(([form, plugins]) => [
    [form, "its name", "dev", plugins, false] as const,
    [form, "the name that it had before pulumi stack rename", "older", plugins, false] as const,
    ...(plugins === "" ? [] : [[form, "another shop", "dev", plugins, true] as const]),
  ]),
)(
  "an interrupted create is told of once in the preview and once in the run, and not as a warning (%s, notes under %s)",
  async (_form, _name, noted, plugins, isOutlet) => {
    const { world: own, terminal } = await openScene(program);
    const world = isOutlet ? await openWorld() : own;
    if (isOutlet)
      terminal.write(
        "index.ts",
        program
          .replace("{ Coupon }", "{ Coupon, Provider }")
          .replace("for (", `const options = ${outlet(world.env)};\nfor (`)
          .replace("});", "}, options);"),
      );
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
    await terminal.done("up", "--yes", "--stack", "dev");
    forgetEnds(terminal, noted);
    const { stdout } = await terminal.done("up", "--yes", "--stack", "dev");
    const [, needed] = /API requests needed: at most (\d+)/.exec(stdout) ?? [];
    const [, sent] = /API requests: (\d+)/.exec(stdout.split("Updating")[1] ?? "") ?? [];
    expect(Number(sent)).toBeLessThanOrEqual(Number(needed));
    const told = stdout.split("\n").filter((line) => line.includes("an earlier run"));
    const names = ["c0", "c1", "c2", "c3", "c4", "c5"];
    expect(
      told.map((line) => line.replace(/^ +(info: )?/, "").replace(/ Coupon \d+/, "")).toSorted(),
    ).toEqual(
      names.flatMap((name) => [
        `${name}: an earlier run had created already`,
        `${name}: an earlier run was interrupted while creating it; this run looks for the object first`,
      ]),
    );
    expect(world.rows("discount_code")).toHaveLength(names.length);
    expect((await terminal.done("up", "--yes", "--stack", "dev")).stdout).toContain("6 unchanged");
  },
);

test("the program of a command that is killed ends with it", async () => {
  const world = await openWorld();
  const waits =
    'console.log("it is " + process.pid);\nsetInterval(() => {}, 1000);\nawait new Promise(() => {});\n';
  const terminal = openTerminal(waits, world.env, "", ["dev"]);
  let program = 0;
  await terminal.until(
    /it is \d+/,
    (pid, printed) => {
      program = Number(/it is (\d+)/.exec(printed)?.[1]);
      process.kill(pid, "SIGKILL");
    },
    ...["preview", "--stack", "dev"],
  );
  expect(program).toBeGreaterThan(0);
  await expect.poll(() => isAlive(program), { timeout: 20_000 }).toBe(false);
});

test.each([
  ["gz", gzipSync],
  ["zst", zstdCompressSync],
] as const)(
  "a state that pulumi has compressed is refused instead of begun again, and other stacks know its objects (%s)",
  async (ending, pack) => {
    const coupon = (percent: number, more = "") =>
      `import { Coupon } from "pulumi-shop";\nnew Coupon("a", { code: "A", discount: { percent: ${percent} }${more} });\nexport const said = "seven";\n`;
    const { world, terminal } = await openScene(coupon(10), "", ["dev", "other"]);
    await terminal.done("up", "--stack", "dev", "--yes");
    const path = join(terminal.folder, "backend/.pulumi/stacks/user/dev.json");
    writeFileSync(`${path}.${ending}`, pack(readFileSync(path)));
    rmSync(path);
    for (const args of [["preview"], ["up", "--yes"], ["state", "list"], ["compare", "dev", "shop:dev"]]) {
      const { code, all } = await terminal.run(...args, ...(args[0] === "compare" ? [] : ["--stack", "dev"]));
      expect([code === 0, all], args.join(" ")).toEqual([
        false,
        expect.stringContaining(`dev.json.${ending} is compressed, which only pulumi reads`),
      ]);
    }
    const reader =
      'import * as pulumi from "@pulumi/pulumi";\nexport const read = new pulumi.StackReference("dev").requireOutput("said");\n';
    terminal.write("index.ts", reader);
    expect((await terminal.done("preview", "--stack", "other")).stdout).toContain("seven");
    terminal.write("index.ts", coupon(20, ', adopt: "key"'));
    const other = await terminal.run("preview", "--stack", "other");
    expect([other.code === 0, other.all]).toEqual([
      false,
      expect.stringContaining("is set by Coupon a of the stack user/dev"),
    ]);
    expect(world.rows("discount_code")).toMatchObject([{ discount: "10.0" }]);
  },
);
