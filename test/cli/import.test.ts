// Imports objects of every kind: the printed code is a program with an empty preview, in both forms. pulumi's own
// command imports with the plugin only.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../provider/samples.ts";
import { freshEnv, runCommand } from "../support/process.ts";
import { openWorld, resources, type World } from "../support/world.ts";
import { openScene, type Terminal } from "./terminal.ts";

const hasPulumi = spawnSync("pulumi", ["version"]).status === 0;

const project = "name: user\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n";
const plugged = `${project}plugins: { providers: [{ name: shop, path: node_modules/pulumi-shop/plugin }] }\n`;

/** One object of each kind from another client, as an import file. */
async function listed(world: World) {
  const all = [];
  for (const definition of resources) {
    const { args } = await sampleOf(definition, world);
    const others = world.verbs(definition);
    const { id } = await others.create(await others.checked(args));
    all.push({ type: `shop:index:${definition.kind}`, name: definition.kind.toLowerCase(), id });
  }
  return all;
}

const reads = (requests: readonly string[]) => requests.filter((line) => !line.startsWith("GET "));
const stateOf = (terminal: Terminal) =>
  (
    JSON.parse(terminal.read("backend/.pulumi/stacks/user/dev.json")) as {
      checkpoint: { latest: { resources: readonly Readonly<Record<string, unknown>>[] } };
    }
  ).checkpoint.latest.resources;

async function opened(yaml = project) {
  const { world, terminal } = await openScene("");
  terminal.write("Pulumi.yaml", yaml);
  return { world, terminal, run: terminal.dev };
}

const spring = { code: "SPRING", discount: 10, typeId: 1 };
async function withCoupon(yaml?: string) {
  const all = await opened(yaml);
  const { id } = await all.world.client.coupons.create(spring as never);
  return { ...all, id: String(id) };
}

describe.each([
  ["dynamic resources", project],
  ["the plugin", plugged],
])("%s", (_name, yaml) => {
  test("of every kind what was imported is a program whose preview is empty", async () => {
    const { world, terminal, run } = await opened(yaml);
    terminal.write("import.json", JSON.stringify({ resources: await listed(world) }));
    const sent = await world.during(async () => {
      const imported = await run("import", "--file", "import.json", "--out", "lines.ts", "--yes");
      expect(imported.code, imported.all).toBe(0);
      expect(imported.stdout).toContain(`= ${resources.length} imported`);
      terminal.write("index.ts", terminal.read("lines.ts"));
      const preview = await run("preview", "--expect-no-changes", "--diff");
      expect(preview.code, preview.all).toBe(0);
      expect(preview.stdout).toContain(`${resources.length} unchanged`);
      const up = await run("up", "--yes", "--expect-no-changes");
      expect(up.code, up.all).toBe(0);
    });
    expect(reads(sent)).toEqual([]);
    expect(stateOf(terminal).filter(({ protect }) => protect)).toHaveLength(resources.length);
  });

  test("one object is imported by its kind, and its lines are printed; it is protected unless that is refused", async () => {
    const { terminal, run, id } = await withCoupon(yaml);
    const imported = await run("import", "coupon", "spring", id, "--yes", "--protect=false");
    expect(imported.code, imported.stderr).toBe(0);
    const [, lines] = /(import \{ Coupon \}[\s\S]*)$/.exec(imported.stdout) ?? [];
    expect(lines).toContain('new Coupon("spring", { code: "SPRING", discount: { percent: 10 }');
    terminal.write("index.ts", lines ?? "");
    expect((await run("preview", "--expect-no-changes")).code).toBe(0);
    expect(stateOf(terminal).filter(({ protect }) => protect)).toEqual([]);
    terminal.write("index.ts", "");
    expect((await run("up", "--yes")).stdout).toContain("- 1 deleted");
  });

  test("what isn't in the shop isn't imported, and is named", async () => {
    const { terminal, run, world } = await opened(yaml);
    const imported = await run("import", "coupon", "spring", "77", "--yes");
    expect(imported.code).toBe(1);
    expect(imported.stderr).toContain(`  Coupon "spring"\n    the shop ${world.url} has no coupon 77\n`);
    expect((await run("import", "price-kind", "list", "88", "--yes")).stderr).toContain(
      "has no price kind 88\n",
    );
    expect(() => stateOf(terminal)).toThrow();
  });
});

describe("the state", () => {
  test("has nothing of a preview, and nothing without a yes", async () => {
    const { terminal, run, id } = await withCoupon();
    expect(await run("import", "coupon", "spring", id, "--preview-only")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/= Coupon +spring +to import[\s\S]*= 1 to import/),
    });
    expect(await run("import", "coupon", "spring", id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("pass --yes"),
    });
    expect(() => stateOf(terminal)).toThrow();
  });

  test("keeps what it has: the same import again changes nothing, another one needs another name", async () => {
    const { world, terminal, run, id } = await withCoupon();
    await run("import", "coupon", "spring", id, "--yes");
    const before = terminal.read("backend/.pulumi/stacks/user/dev.json");
    const again = await run("import", "coupon", "spring", id, "--yes");
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("is in the state already") });
    expect(again.stdout).toContain("new Coupon(");
    const other = await world.client.coupons.create({ ...spring, code: "OTHER" } as never);
    const taken = await run("import", "coupon", "spring", String(other.id), "--yes");
    expect(taken).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("give the imported object another name"),
    });
    const twice = await run("import", "coupon", "second", id, "--yes");
    expect(twice).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `second can't import Coupon ${id}: resource spring of this stack has it`,
      ),
    });
    expect(terminal.read("backend/.pulumi/stacks/user/dev.json")).toBe(before);
  });

  test("has those that are there, where one of a file isn't and no preview was asked for", async () => {
    const { terminal, run, id } = await withCoupon();
    const coupon = (name: string, of: string) => ({ type: "shop:Coupon", name, id: of });
    terminal.write(
      "import.json",
      JSON.stringify({ resources: [coupon("gone", "77"), coupon("spring", id)] }),
    );
    const file = ["import", "--file", "import.json", "--yes"] as const;
    expect((await run(...file)).code).toBe(1);
    expect(() => stateOf(terminal)).toThrow();
    const { code, stdout } = await run(...file, "--skip-preview");
    expect(code).toBe(1);
    expect(stdout).toContain('new Coupon("spring"');
    expect(stdout).not.toContain('new Coupon("gone"');
    expect(stateOf(terminal).flatMap(({ id: own }) => own ?? [])).toContain(id);
  });
});

test("what stands in a component is imported under it, and its lines name the component", async () => {
  const { terminal, run, id } = await withCoupon();
  const program = (more: string) => `import * as pulumi from "@pulumi/pulumi";
    import { Coupon } from "pulumi-shop";
    const season = new pulumi.ComponentResource("my:index:Season", "season");
    ${more}`;
  terminal.write("index.ts", program(""));
  await run("up", "--yes", "--skip-preview");
  const imported = await run("import", "Coupon", "spring", id, "--parent", "season", "--yes");
  expect(imported.code, imported.all).toBe(0);
  const [, line] = /(new Coupon[\s\S]*)$/.exec(imported.stdout) ?? [];
  expect(line).toContain("{ parent: season, protect: true });");
  terminal.write("index.ts", program(line ?? ""));
  const preview = await run("preview", "--expect-no-changes");
  expect(preview.code, preview.stdout).toBe(0);
});

test("a file of a theme's folder is imported under the component, and is asked for as a file, not as a line", async () => {
  const { world, terminal, run } = await opened();
  const themeId = Number(world.rows("theme")[0]?.id);
  const file = { themeId, type: "Asset::Snippet", name: "a.liquid", content: "<p>a</p>\n" } as const;
  const { id } = await world.client.assets.create(file);
  terminal.write("theme/snippets/b.liquid", "<p>b</p>\n");
  terminal.write(
    "index.ts",
    `import { ThemeFolder } from "pulumi-shop";\nnew ThemeFolder("theme", { themeId: ${themeId}, folder: "theme" });\n`,
  );
  await run("up", "--yes", "--skip-preview");
  const importAs = (name: string) =>
    run("import", "asset", name, `${themeId}/${id}`, "--parent", "theme", "--yes");
  expect(await importAs("theme/a.liquid")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      "the folder's name and the file's path, such as theme/snippets/card.liquid",
    ),
  });
  const { code, stdout, stderr } = await importAs("theme/snippets/a.liquid");
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toContain(
    "Add the imported files to the theme's folder: the imported resources are protected",
  );
  expect(stdout).toContain(
    '// theme/snippets/a.liquid needs no line: save the file, as the shop has it, in the folder of ThemeFolder "theme".\n',
  );
  expect(stdout).not.toContain("new Asset");
  terminal.write("theme/snippets/a.liquid", "<p>a</p>\n");
  const preview = await run("preview", "--expect-no-changes");
  expect(preview.code, preview.stdout).toBe(0);
});

test("of another shop it is imported by that shop's provider, and its lines name it", async () => {
  const { terminal, run } = await opened(plugged);
  const outlet = await openWorld();
  const { id } = await outlet.client.coupons.create(spring as never);
  const { applicationId, password } = outlet.credentials;
  const args = JSON.stringify({ url: outlet.url, applicationId, password });
  const program = (more: string) =>
    `import { Coupon, Provider } from "pulumi-shop";\nconst outlet = new Provider("outlet", ${args});\n${more}`;
  terminal.write("index.ts", program(""));
  await run("up", "--yes", "--skip-preview");
  const urn = stateOf(terminal).find(({ type }) => type === "pulumi:providers:shop")?.urn;
  const resource = { type: "shop:index:Coupon", name: "spring", id: String(id), provider: "outlet" };
  terminal.write("import.json", JSON.stringify({ nameTable: { outlet: urn }, resources: [resource] }));
  const imported = await run("import", "--file", "import.json", "--yes");
  expect(imported.code, imported.all).toBe(0);
  const [, line] = /(new Coupon[\s\S]*)$/.exec(imported.stdout) ?? [];
  expect(line).toContain("{ provider: outlet, protect: true });");
  terminal.write("index.ts", program(line ?? ""));
  const preview = await run("preview", "--expect-no-changes");
  expect(preview.code, preview.stdout).toBe(0);
  // Only the provider's wrong settings are named, not the stack's.
  const more = 'new Coupon("more", { code: "MORE", discount: { percent: 5 } }, { provider: outlet });';
  terminal.write("index.ts", program(`${line}${more}`).replace(password, "short"));
  const wrong = await run("preview");
  expect(wrong.all).toContain(
    "password of the provider outlet must be the application's password from the back office, 32 lowercase hex digits",
  );
  expect(wrong.all).not.toContain("shop:password");
});

describe("a wrong call says what is wrong, and nothing is read", () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ["no id", ["coupon", "spring"], "import takes TYPE NAME ID, or --file FILE"],
    [
      "an unknown kind",
      ["aws:s3:Bucket", "a", "1"],
      "there is no kind aws:s3:Bucket; the kinds are products",
    ],
    ["words beside a file", ["coupon", "--file", "import.json"], "leave out TYPE NAME ID"],
    ["a file that isn't there", ["--file", "gone.json"], "gone.json: there is no such file"],
    ["no JSON", ["--file", "index.ts"], "index.ts is not JSON"],
    ["no list", ["--file", "empty.json"], "resources must be a list of {type, name, id}"],
    ["no id in a file", ["--file", "no-id.json"], "no-id.json: resource 1 has no id"],
    ["a component", ["--file", "component.json"], "component can't be used here"],
    ["an unknown parent", ["--file", "parent.json"], "the parent season of spring is neither"],
    ["a parent that isn't there", ["coupon", "a", "1", "--parent", "season"], "has no resource season"],
    ["a file that is there", ["coupon", "a", "1", "--out", "index.ts"], "index.ts exists"],
    ["no such folder", ["coupon", "a", "1", "--out", "gone/lines.ts"], "there is no such folder"],
    ["a wrong protect", ["coupon", "a", "1", "--protect=no"], "--protect must be true or false, got no"],
  ];
  test.each(cases)("%s", async (_what, args, message) => {
    const { world, terminal, run } = await opened();
    const one = { type: "shop:Coupon", name: "spring", id: "1" };
    const file = (name: string, ...all: readonly object[]) =>
      terminal.write(name, JSON.stringify(all.length === 0 ? {} : { resources: all }));
    file("empty.json");
    file("no-id.json", { ...one, id: "" });
    file("component.json", { ...one, component: true });
    file("parent.json", { ...one, parent: "season" });
    const sent = await world.during(async () => {
      expect(await run("import", ...args, "--yes")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(message),
      });
    });
    expect(sent).toEqual([]);
  });
});

test.runIf(hasPulumi)("pulumi import of every kind is a program whose preview is empty", async () => {
  const { world, terminal } = await opened(plugged);
  const env = { ...freshEnv(), ...world.env, ...terminal.env, PATH: process.env.PATH ?? "" };
  const pulumi = async (...args: readonly string[]) => {
    const { code, output } = await runCommand(terminal.folder, ["pulumi", ...args], env);
    expect(code, output).toBe(0);
    return output;
  };
  terminal.write("import.json", JSON.stringify({ resources: await listed(world) }));
  rmSync(join(terminal.folder, "Pulumi.dev.yaml"));
  await pulumi("stack", "init", "dev");
  const sent = await world.during(async () => {
    await pulumi("import", "--file", "import.json", "--out", "lines.ts", "--yes", "--skip-preview");
    terminal.write("index.ts", terminal.read("lines.ts").replaceAll("pulumi-shop-sdk", "pulumi-shop"));
    const preview = await pulumi("preview", "--expect-no-changes", "--diff");
    expect(preview).toContain(`${resources.length + 1} unchanged`);
  });
  expect(reads(sent)).toEqual([]);
});
