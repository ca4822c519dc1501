// What holds of a stack whichever form its resources have, dynamic ones or the plugin's: of every kind, by the command.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectStack, openScene, openTerminal, type Terminal } from "../cli/terminal.ts";
import { sampleOf } from "../provider/samples.ts";
import { partOf } from "../support/campaign.ts";
import { forms, plugged, storyForms } from "../support/forms.ts";
import { openWorld, type Rows, resources, type World } from "../support/world.ts";

type Definitions = typeof resources;

/**
 * A program of every kind that a program can make.
 * @param isChanged with the change that each sample has
 * @param options of each resource, KIND stands for its kind
 */
async function programOf(
  world: World,
  isChanged: boolean,
  {
    number = 1,
    options = "{}",
    of = resources,
  }: { number?: number; options?: string; of?: Definitions } = {},
): Promise<string> {
  const lines = await Promise.all(
    of.map(async (definition) => {
      const { args, change = {} } = await sampleOf(definition, world);
      const all = isChanged ? { ...args, ...change } : args;
      const name = `"${definition.kind}-${number}"`;
      const own = options.replaceAll("KIND", definition.kind);
      return `new shop.${definition.kind}(${name}, ${JSON.stringify(all)} as never, ${own});\n`;
    }),
  );
  return `import * as shop from "pulumi-shop";\n${lines.join("")}`;
}

const project = (name: string, plugins: string) =>
  `name: ${name}\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n${plugins}`;

const apply = ["up", "--yes", "--skip-preview", "--stack"];

test.each(forms)(
  "a run that succeeds prints no warning when it creates, changes, replaces or deletes objects (%s)",
  async (_form, plugins) => {
    const world = await openWorld();
    const terminal = openTerminal(await programOf(world, false), world.env);
    terminal.write("Pulumi.yaml", project("user", plugins));
    const { all: first } = await terminal.done(...apply, "dev");
    expect(first).toContain(`${resources.length} created`);
    expect(first).not.toMatch(/warning|cut off|earlier run/i);
    terminal.write("index.ts", await programOf(world, true));
    expect((await terminal.done(...apply, "dev")).all).not.toMatch(/warning|cut off|earlier run/i);
    // Another file in the place of each: what can't be changed is replaced.
    terminal.write("index.ts", (await programOf(world, true)).replace("a,b\\n", "c,d\\n"));
    const { all: replaced } = await terminal.done(...apply, "dev");
    expect(replaced).toContain("1 replaced");
    expect(replaced).not.toMatch(/warning|cut off|earlier run/i);
    terminal.write("index.ts", "export {};\n");
    expect((await terminal.done(...apply, "dev")).all).not.toMatch(/warning|cut off|earlier run/i);
  },
);

test.each(storyForms)(
  "compare and pull know the objects that the stack manages (%s)",
  async (_form, plugins) => {
    const world = await openWorld();
    const code = 'import { Coupon } from "pulumi-shop";\n';
    const coupon = (name: string, discount: number) =>
      `new Coupon("${name}", { code: "${name.toUpperCase()}", discount: ${discount}, typeId: 1 });\n`;
    const other = await openWorld();
    const terminal = openTerminal(code + coupon("one", 10) + coupon("two", 20), {}, "", ["dev", "live"]);
    terminal.write("Pulumi.yaml", project("user", plugins));
    await connectStack(terminal, "dev", world);
    await connectStack(terminal, "live", other);
    await terminal.done(...apply, "dev");
    await world.client.coupons.create({ code: "STAFF", discount: 5, typeId: 1 });
    terminal.write("index.ts", code + coupon("one", 90));
    await terminal.done(...apply, "live");
    const compared = await terminal.run("compare", "dev", "live", "--json");
    expect(compared.code, compared.all).not.toBe(0);
    expect(compared.stdout).toContain("90");
    const { all: pulled } = await terminal.done("pull", "coupons", "--new", "--stack", "dev", "--json");
    expect(JSON.parse(pulled.slice(0, pulled.lastIndexOf("}") + 1))).toMatchObject({
      objects: { coupons: 1 },
    });
  },
);

const renames = [
  ["the plugin, by name", "", plugged, '{ aliases: [{ name: "KIND-1" }] }'],
  ["dynamic resources, by name", plugged, "", '{ aliases: [{ name: "KIND-1" }] }'],
  [
    "the plugin, by URN",
    "",
    plugged,
    '{ aliases: ["urn:pulumi:dev::user::pulumi-nodejs:dynamic/shop:KIND::KIND-1"] }',
  ],
  [
    "dynamic resources, by a URN of that form",
    plugged,
    "",
    '{ aliases: ["urn:pulumi:dev::user::pulumi-nodejs:dynamic/shop:KIND::KIND-1"] }',
  ],
  [
    "the plugin, by a name that is known later",
    "",
    plugged,
    '{ aliases: [Promise.resolve({ name: "KIND-1" })] }',
  ],
] as const;

test.each(partOf(renames, renames.slice(2)))(
  "a resource that changes its name and its form in one run keeps its object (to %s)",
  async (_how, from, to, options) => {
    const world = await openWorld();
    const terminal = openTerminal(await programOf(world, false), world.env);
    terminal.write("Pulumi.yaml", project("user", from));
    await terminal.done(...apply, "dev");
    terminal.write("Pulumi.yaml", project("user", to));
    terminal.write("index.ts", await programOf(world, false, { number: 2, options }));
    const sent = await world.during(() => terminal.done(...apply, "dev"));
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
  },
);

const tables = [
  "product",
  "discount_code",
  "file",
  "js_tag",
  "application_charge",
  "price_kind",
  "collection",
];
const shopOf = (world: World): Readonly<Record<string, Rows>> =>
  Object.fromEntries(tables.map((table) => [table, world.rows(table)]));

/** Notes as a killed run leaves them: what was begun, and, where its answer came, what was made. */
const killed = (text: string, isAnswered: boolean) =>
  text
    .split("\n")
    .filter((line) => line.startsWith('{"begin"') || (isAnswered && line.startsWith('{"made"')))
    .map((line) => `${line}\n`)
    .join("");

/** Takes away what an engine knows of a stack: all but the notes of its creates. */
function forget(terminal: Terminal, folder: string, isAnswered: boolean): void {
  for (const name of readdirSync(join(terminal.folder, folder)))
    if (name !== "dev.creates") rmSync(join(terminal.folder, folder, name));
  terminal.write(`${folder}/dev.creates`, killed(terminal.read(`${folder}/dev.creates`), isAnswered));
}

test.each(
  forms.flatMap(([from, before]) =>
    forms.flatMap(([to, after]) =>
      // `npm test` has each form with each answer before and after.
      partOf([true, false], [before === after]).map(
        (isAnswered) => [from, to, isAnswered ? "came" : "didn't come", before, after] as const,
      ),
    ),
  ),
)(
  "a run of %s that was killed during a create leaves an object that a run of %s finds when the answer %s",
  async (_from, _to, answered, before, after) => {
    const world = await openWorld();
    const terminal = openTerminal(await programOf(world, false), world.env);
    terminal.write("Pulumi.yaml", project("user", before));
    await terminal.done(...apply, "dev");
    const made = shopOf(world);
    forget(terminal, "backend/.pulumi/stacks/user", answered === "came");
    terminal.write("Pulumi.yaml", project("user", after));
    const sent = await world.during(() => terminal.done(...apply, "dev"));
    expect(sent.filter((line) => line.startsWith("POST "))).toEqual([]);
    expect(shopOf(world)).toEqual(made);
    expect((await terminal.done(...apply, "dev")).all).toContain(`${resources.length} unchanged`);
  },
);

test.each(storyForms)(
  "two projects with stacks of the same name on one backend keep their objects apart (%s)",
  async (_form, plugins) => {
    const world = await openWorld();
    // Of what has a natural key a shop has one only.
    const of = resources.filter(({ keys, singleton }) => keys === undefined && singleton === undefined);
    const terminal = openTerminal(await programOf(world, false, { of }), world.env);
    const run = async (name: string) => {
      terminal.write("Pulumi.yaml", project(name, plugins));
      return (await terminal.done(...apply, "dev")).all;
    };
    await run("one");
    // Pulumi's own engine says nothing at the end of a run: the notes of what it created are open still.
    const notes = "backend/.pulumi/stacks/one/dev.creates";
    terminal.write(notes, killed(terminal.read(notes), true));
    const before = shopOf(world);
    expect(await run("two")).toContain(`${of.length} created`);
    terminal.write("index.ts", "export {};\n");
    await run("two");
    const left = shopOf(world);
    for (const [table, rows] of Object.entries(before))
      expect(left[table], table).toEqual(expect.arrayContaining([...rows]));
  },
);

test.each(storyForms)(
  "notes lie beside the state when the program is in a subfolder and the backend's path is relative (%s)",
  async (_form, plugins) => {
    const { world, terminal } = await openScene("");
    delete terminal.env.PULUMI_BACKEND_URL;
    const settings = "backend:\n  # Beside the program.\n  url: file://./state\n";
    terminal.write("Pulumi.yaml", project("user", plugins).replace("main: ", "main: src/") + settings);
    terminal.write("src/index.ts", await programOf(world, false));
    mkdirSync(join(terminal.folder, "state"));
    await terminal.done(...apply, "dev");
    const folder = "state/.pulumi/stacks/user";
    expect(readdirSync(join(terminal.folder, folder))).toEqual(
      expect.arrayContaining(["dev.creates", "dev.json"]),
    );
    expect(readdirSync(join(terminal.folder, "src"))).toEqual(["index.ts"]);
    // An object that no state has is told of, and destroy has not done what it is for.
    const notes = killed(terminal.read(`${folder}/dev.creates`), true);
    forget(terminal, folder, true);
    terminal.write("src/index.ts", "export {};\n");
    terminal.write(`${folder}/dev.creates`, notes);
    const told = /an earlier run created .*, which is in no state/;
    terminal.warnings.push(told);
    expect((await terminal.done(...apply, "dev")).all).toMatch(told);
  },
);

test.each(storyForms)(
  "after a killed replacement, the next run finds the new object while the state still has to delete the old one (%s)",
  async (_form, plugins) => {
    const world = await openWorld();
    const file = (content: string) =>
      `import { File } from "pulumi-shop";\nnew File("list", { filename: "list.csv", content: "${content}" });\n`;
    const terminal = openTerminal(file("one"), world.env);
    terminal.write("Pulumi.yaml", project("user", plugins));
    await terminal.done(...apply, "dev");
    const folder = "backend/.pulumi/stacks/user";
    const before = terminal.read(`${folder}/dev.json`);
    terminal.write("index.ts", file("two"));
    await terminal.done(...apply, "dev");
    const [made] = world.rows("file");
    // As it was when the run was killed: the first object is still there, and marked to be deleted.
    const old = await world.client.files.create({ filename: "list.csv", attachment: "b25l" } as never);
    const [begun] =
      terminal
        .read(`${folder}/dev.creates`)
        .match(/^\{"begin".*\n/gm)
        ?.slice(-1) ?? [];
    forget(terminal, folder, false);
    terminal.write(`${folder}/dev.creates`, begun ?? "");
    const state = JSON.parse(before) as { checkpoint: { latest: { resources: Record<string, unknown>[] } } };
    for (const one of state.checkpoint.latest.resources)
      if (String(one.urn).endsWith("::list")) {
        const { id, absoluteUrl, createdAt } = old;
        const outputs = { ...(one.outputs as object), id, absoluteUrl, createdAt };
        Object.assign(one, { delete: true, id: String(id), outputs });
      }
    terminal.write(`${folder}/dev.json`, JSON.stringify(state));
    await terminal.done(...apply, "dev");
    expect(world.rows("file").map(({ id }) => id)).toEqual([made?.id]);
  },
);
