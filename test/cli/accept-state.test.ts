// An `accept` that writes nothing leaves the state as it was. Removing a resource from the program settles a delete
// by staff.
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest, partOf } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { begin, commit, git } from "../support/git.ts";
import { openWorld } from "../support/world.ts";
import { openScene, openTerminal } from "./terminal.ts";

const page = "one\ntwo\nthree\nfour\nfive\nsix\n";
const gone = `new Coupon("gone", { code: "GONE", discount: 5, typeId: 1 });\n`;
const program = `import { Asset, Coupon, getThemeOutput } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
new Asset("page", { themeId, type: "Asset::Snippet", name: "own_page.liquid", file: "theme/own_page.liquid" });
`;

test.each(storyForms)(
  "an accept without a terminal, or over uncommitted files, leaves the state as it was: %s",
  async (_form, plugins) => {
    const world = await openWorld();
    const terminal = openTerminal(program + gone, world.env);
    const run = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await terminal.run(...args, "--stack", "dev");
      return { code, all: `${stdout}${stderr}` };
    };
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
    terminal.write("theme/own_page.liquid", page);
    expect(await run("up", "--yes", "--skip-preview")).toMatchObject({ code: 0 });
    begin(terminal.folder);
    await world.edit({
      kind: "asset",
      where: { name: "own_page.liquid" },
      set: { content: page.replace("two", "two by staff") },
    });
    const coupon = world.rows("discount_code").find(({ code }) => code === "GONE");
    await world.ask("DELETE", `/admin/discount_codes/${coupon?.id}.xml`);
    terminal.write("theme/own_page.liquid", page.replace("five", "five by us"));
    const state = terminal.read("backend/.pulumi/stacks/user/dev.json");
    const unasked = await run("accept", "--all");
    expect(unasked).toMatchObject({ code: 2, all: expect.stringContaining("no terminal to confirm on") });
    const uncommitted = await run("accept", "--all", "--yes");
    expect(uncommitted).toMatchObject({ code: 2, all: expect.stringContaining("uncommitted changes") });
    expect(terminal.read("backend/.pulumi/stacks/user/dev.json")).toBe(state);
    // A preview merges both texts without a conflict.
    expect((await run("preview")).all).not.toMatch(/conflict|staff changed/i);

    commit(terminal.folder);
    const taken = await run("accept", "--all", "--yes");
    expect(taken, taken.all).toMatchObject({
      code: 0,
      all: expect.stringContaining("Wrote 2 edits of staff."),
    });
    commit(terminal.folder);
    expect((await run("up", "--yes")).all).toMatch(/Resources:\n +~ 1 updated\n/);
    // Another coupon with the same name is a new resource: nobody deleted it.
    terminal.write("index.ts", program + gone.replace("GONE", "NEW"));
    const made = await run("preview");
    expect(made.all).toMatch(/\+ Coupon +gone +to create {2}\(NEW\)/);
    expect(made.all).not.toContain("staff deleted it");
  },
);

campaignTest("accept after a run that was killed finds what it created as that stack's own", async () => {
  const world = await openWorld();
  const coupon = (name: string) =>
    `new Coupon("${name}", { code: "${name}", discount: 5, typeId: 1, description: "ours" });\n`;
  const head = 'import { Coupon } from "pulumi-shop";\n';
  const terminal = openTerminal(head + coupon("A"), world.env);
  expect((await terminal.run("up", "--stack", "dev", "--yes")).code).toBe(0);
  terminal.write("index.ts", head + coupon("A") + coupon("B"));
  const notes = "backend/.pulumi/stacks/user/dev.creates";
  const [backend, before] = ["backend", "before"].map((one) => join(terminal.folder, one)) as [
    string,
    string,
  ];
  cpSync(backend, before, { recursive: true });
  expect((await terminal.run("up", "--stack", "dev", "--yes")).code).toBe(0);
  // As after a run that was killed when the shop had created the object.
  const begun = terminal
    .read(notes)
    .split("\n")
    .filter((line) => line.includes("Coupon::B"));
  rmSync(backend, { recursive: true });
  renameSync(before, backend);
  terminal.write(notes, `${terminal.read(notes)}${begun[0]}\n`);
  expect(world.rows("discount_code")).toHaveLength(2);
  await world.edit({ kind: "discount_code", where: { code: "A" }, set: { description: "staff" } });
  const { code, stdout, stderr } = await terminal.run(
    "accept",
    "--all",
    "--yes",
    "--force",
    "--stack",
    "dev",
  );
  expect(code, stdout + stderr).toBe(0);
  expect(terminal.read("index.ts")).toContain("staff");
  expect((await terminal.run("up", "--stack", "dev", "--yes")).code).toBe(0);
  expect(world.rows("discount_code")).toHaveLength(2);
});

test("accept that is stopped, or that can't write the state, leaves the program's files as they were", async () => {
  const world = await openWorld();
  const coupon =
    'import { Coupon } from "pulumi-shop";\nnew Coupon("a", { code: "A", discount: 5, typeId: 1 });\n';
  const terminal = openTerminal(coupon, world.env);
  expect((await terminal.run("up", "--stack", "dev", "--yes")).code).toBe(0);
  await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "9.0" } });
  const accept = ["accept", "--all", "--yes", "--force", "--stack", "dev"];
  const interrupt = (pid: number) => process.kill(pid, "SIGINT");
  // Its preview of the new program begins after this line.
  const stopped = await terminal.until(/Coupon a: discount: 5 % => 9 %/, interrupt, ...accept);
  expect([stopped.code, stopped.stderr]).toEqual([8, expect.stringContaining("nothing was written")]);
  expect(stopped.stdout).not.toContain("Not written");
  expect(terminal.read("index.ts")).toBe(coupon);

  // The state is written under this name first.
  const inTheWay = join(terminal.folder, "backend/.pulumi/stacks/user/dev.json.tmp");
  mkdirSync(inTheWay);
  const failed = await terminal.run(...accept);
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("dev.json.tmp")]);
  expect(terminal.read("index.ts")).toBe(coupon);
  rmSync(inTheWay, { recursive: true });
  expect((await terminal.run(...accept)).stdout).toContain("Wrote 1 edit of staff.");
  expect(terminal.read("index.ts")).toBe(coupon.replace("5", "9"));
});

campaignTest("a command removes the temporary folders that a killed accept left", async () => {
  const world = await openWorld();
  const terminal = openTerminal(
    'import { Coupon } from "pulumi-shop";\nnew Coupon("a", { code: "A", discount: 5, typeId: 1 });\n',
    world.env,
  );
  expect((await terminal.run("up", "--stack", "dev", "--yes")).code).toBe(0);
  await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "9.0" } });
  const left = () => readdirSync(terminal.folder).filter((name) => name.startsWith("pulumi-shop-"));
  const kill = (pid: number) => process.kill(pid, "SIGKILL");
  const accept = ["accept", "--all", "--yes", "--force", "--stack", "dev"];
  await terminal.until(/Coupon a: discount: 5 % => 9 %/, kill, ...accept);
  expect(left().length).toBeGreaterThan(0);
  terminal.env.TMPDIR = terminal.folder;
  // As if it had been killed a moment later, when it writes the files.
  const written = `.${left()[0]?.replace(/(?<=^pulumi-shop-)\w+/, "files")}`;
  mkdirSync(join(terminal.folder, written));
  const { stdout } = await terminal.done("preview");
  expect(stdout).toContain("1 unchanged");
  expect(left()).toEqual([]);
  await terminal.done("accept", "--all", "--yes", "--force");
  expect(existsSync(join(terminal.folder, written))).toBe(false);
});

// The program ends the command that tries an edit in it.
const killing = `import { Coupon } from "pulumi-shop";
import { percent } from "./rates.ts";
new Coupon("a", { code: "A", discount: percent, typeId: 1 });
if (percent === 9 && process.env.KILLS === "yes") {
  process.kill(process.ppid, "SIGKILL");
  process.exit(1);
}
`;
const rates = "export const percent: number = 5;\n";

const kills = [
  ["--dry-run", rates],
  ["--yes", rates],
  ["--dry-run", "export const percent = 7;\n"],
] as const;
test.each(partOf(kills, kills.slice(1, 2)))(
  "the command after a killed accept %s puts back what it was trying, and nothing that somebody edited since: %j",
  async (option, edited) => {
    const world = await openWorld();
    const terminal = openTerminal(killing, world.env);
    terminal.write("rates.ts", rates);
    await terminal.done("up", "--yes", "--skip-preview");
    await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "9.0" } });
    terminal.env.KILLS = "yes";
    await terminal.until(/never/, () => {}, "accept", "--all", option, "--force", "--stack", "dev");
    terminal.env.KILLS = "no";
    terminal.env.TMPDIR = terminal.folder;
    const tried = terminal.read("rates.ts");
    expect(tried).toBe(rates.replace("5", "9"));
    if (edited !== rates) terminal.write("rates.ts", edited);
    await terminal.dev("preview");
    expect(terminal.read("rates.ts")).toBe(edited);
    expect(terminal.read("index.ts")).toBe(killing);
  },
);

const themed = `import { existsSync } from "node:fs";
import { getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("theme", { themeId: getThemeOutput({ published: true }).id, folder: "theme" });
if (process.env.KILLS === "yes" && !existsSync("theme/media/own.css")) {
  process.kill(process.ppid, "SIGKILL");
  process.exit(1);
}
`;

campaignTest(
  "a file that accept tries to do without comes back with its mode, and a link as a link",
  async () => {
    const world = await openWorld();
    const terminal = openTerminal(themed, world.env);
    const [own, linked] = ["theme/media/own.css", "theme/media/linked.css"].map((path) =>
      join(terminal.folder, path),
    ) as [string, string];
    terminal.write("theme/media/own.css", "a { b: c }");
    terminal.write("theme/media/stays.css", "a { b: e }");
    terminal.write("shared/linked.css", "a { b: d }");
    chmodSync(own, 0o750);
    symlinkSync("../../shared/linked.css", linked);
    await terminal.done("up", "--yes", "--skip-preview");
    for (const name of ["own.css", "linked.css"])
      await world.edit({ kind: "asset", where: { name }, delete: true });
    const expectAsBefore = () => {
      expect([lstatSync(own).mode & 0o777, terminal.read("theme/media/own.css")]).toEqual([
        0o750,
        "a { b: c }",
      ]);
      expect([readlinkSync(linked), terminal.read("theme/media/linked.css")]).toEqual([
        "../../shared/linked.css",
        "a { b: d }",
      ]);
    };
    await terminal.done("accept", "--all", "--dry-run");
    expectAsBefore();
    terminal.env.KILLS = "yes";
    await terminal.until(/never/, () => {}, "accept", "--all", "--yes", "--force", "--stack", "dev");
    expect([existsSync(own), existsSync(linked)]).toEqual([false, false]);
    terminal.env.KILLS = "no";
    terminal.env.TMPDIR = terminal.folder;
    await terminal.done("preview");
    expectAsBefore();
  },
);

campaignTest("accept writes into a committed file of a submodule, and not over changes in it", async () => {
  const world = await openWorld();
  const terminal = openTerminal(
    'import { Coupon } from "pulumi-shop";\nimport { percent } from "./shared/rates.ts";\nnew Coupon("a", { code: "A", discount: percent, typeId: 1 });\n',
    world.env,
  );
  terminal.write("shared/rates.ts", "export const percent = 5;\n");
  const at = (folder: string) => join(terminal.folder, folder);
  for (const folder of ["shared", "."]) {
    git(at(folder), ["init", "-q"]);
    git(at(folder), ["add", "-A", "--", ":!backend", ":!node_modules"]);
    git(at(folder), ["commit", "-q", "-m", "Begin"]);
  }
  expect((await terminal.run("up", "--stack", "dev", "--yes")).code).toBe(0);
  const accept = async (discount: string) => {
    await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount } });
    return terminal.run("accept", "--all", "--yes", "--stack", "dev");
  };
  expect(await accept("9.0")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Wrote 1 edit of staff."),
  });
  expect(terminal.read("shared/rates.ts")).toBe("export const percent = 9;\n");
  expect(await accept("8.0")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("\n  shared/rates.ts\n"),
  });
});

campaignTest(
  "a variant that staff delete and make again is no edit of theirs, and the program can give it another SKU",
  async () => {
    const world = await openWorld();
    const program = (sku: string) => `import { Product } from "pulumi-shop";
new Product("cup", { title: "Cup", variants: [
  { sku: "${sku}", price: 5, oldPrice: "" },
  { sku: "CUP-B", price: 6 },
] });
`;
    const terminal = openTerminal(program("CUP-A"), world.env);
    const run = (...args: readonly string[]) => terminal.run(...args, "--stack", "dev");
    expect((await run("up", "--yes")).code).toBe(0);
    const [row] = world.rows("product") as unknown as [{ variants: readonly { sku: string }[] }];
    const edit = (variants: readonly object[]) =>
      world.edit({ kind: "product", where: { title: "Cup" }, set: { variants } });
    terminal.write("index.ts", program("CUP-X"));
    await edit(row.variants.filter(({ sku }) => sku !== "CUP-A"));
    expect((await run("refresh", "--yes")).code).toBe(0);
    await edit(row.variants.map((one) => (one.sku === "CUP-A" ? { ...one, id: 990_001 } : one)));
    expect((await run("accept", "--all", "--yes", "--force")).stdout).toContain("staff changed nothing");
    expect((await run("preview")).stdout).not.toContain("Puts back");
    expect((await run("up", "--yes")).stdout).toMatch(/~ 1 updated/);
    expect(world.rows("product")).toMatchObject([
      { variants: [{ id: 990_001, sku: "CUP-X" }, { sku: "CUP-B" }] },
    ]);
  },
);

campaignTest(
  "what staff deleted and the program changed stays in the program, except with --theirs",
  async () => {
    const source = (
      percent: number,
    ) => `import { Asset, Coupon, getThemeOutput, ThemeFolder } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
new ThemeFolder("theme", { themeId, folder: "theme" });
new Asset("page", { themeId, type: "Asset::Snippet", name: "page.liquid", file: "page.liquid" });
new Coupon("stay", { code: "STAY", discount: { percent: 1 } });
new Coupon("changed", { code: "CHANGED", discount: { percent: ${percent} } });
new Coupon("same", { code: "SAME", discount: { percent: 10 }, description: "a" }, { ignoreChanges: ["description"] });
`;
    const world = await openWorld();
    const terminal = openTerminal(source(10), world.env);
    const [one, two] = ["theme/snippets/one.liquid", "theme/snippets/two.liquid"] as const;
    for (const path of [one, two, "theme/snippets/three.liquid", "page.liquid"]) terminal.write(path, page);
    await terminal.done("up", "--yes", "--skip-preview");
    for (const { id, code } of world.rows("discount_code"))
      if (code !== "STAY") await world.client.coupons.remove({ id: Number(id) });
    for (const { id, theme_id: themeId, name } of world.rows("asset"))
      if (["one.liquid", "two.liquid", "page.liquid"].includes(String(name)))
        await world.client.assets.remove({ themeId: Number(themeId), id: Number(id) });
    terminal.write("index.ts", source(12));
    for (const path of [one, "page.liquid"]) terminal.write(path, `${page}ours\n`);
    const accept = ["accept", "--all", "--yes", "--force"];
    const dry = await terminal.dev("accept", "--all", "--theirs", "--dry-run");
    expect(dry.all).toContain(`--- a/${one}\n`);
    const { code, stdout } = await terminal.dev(...accept);
    expect([code, stdout]).toEqual([2, expect.stringContaining("Wrote 2 edits of staff.")]);
    const why = "deleted by staff (both changed it; --theirs accepts the shop's delete)";
    for (const line of [`index.ts:4  Asset page: ${why}`, `index.ts:6  Coupon changed: ${why}`])
      expect(stdout).toContain(line);
    expect(stdout).toContain(`${one}  Asset ${one}: ${why}`);
    expect(terminal.read("index.ts")).toBe(source(12).replace(/new Coupon\("same.*\n/, ""));
    expect([one, two].map((path) => existsSync(join(terminal.folder, path)))).toEqual([true, false]);
    // That accept's refresh has taken them out of the state.
    const again = await terminal.dev(...accept);
    expect([again.code, again.stdout]).toEqual([2, expect.stringContaining("Not written, 3:\n")]);
    expect(again.stdout).toContain(`index.ts:6  Coupon changed: ${why}`);
    await terminal.done(...accept, "--theirs");
    expect(terminal.read("index.ts")).not.toMatch(/"page"|"changed"/);
    expect(existsSync(join(terminal.folder, one))).toBe(false);
    await terminal.done("preview", "--expect-no-changes");
  },
);

test("what staff changed in an object that the program no longer has is listed", async () => {
  const program = (coupon: string) => `import { Coupon, getThemeOutput, ThemeFolder } from "pulumi-shop";
new ThemeFolder("theme", { themeId: getThemeOutput({ published: true }).id, folder: "theme" });
${coupon}`;
  const { world, terminal } = await openScene(program(gone));
  const file = "theme/snippets/own_page.liquid";
  for (const path of [file, "theme/snippets/own_other.liquid"]) terminal.write(path, page);
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "GONE" }, set: { discount: "9.0" } });
  const content = page.replace("two", "two by staff");
  await world.edit({ kind: "asset", where: { name: "own_page.liquid" }, set: { content } });
  terminal.write("index.ts", program(""));
  rmSync(join(terminal.folder, file));
  const why = "(the program no longer has it: up deletes it, --keep leaves it in the shop)";
  const { code, stdout } = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(code, stdout).toBe(2);
  expect(stdout).toContain(`Coupon gone: discount: 5 % => 9 % ${why}\n`);
  expect(stdout).toContain(`Asset ${file}: content: the shop's text ${why}\n`);
  await terminal.dev("up", "--yes", "--keep", `gone,${file}`);
  expect(world.rows("discount_code")).toHaveLength(1);
});
