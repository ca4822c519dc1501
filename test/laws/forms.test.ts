// What holds of a stack whichever form its resources have, dynamic ones or the plugin's: of every kind, by the command.
import { expect, test } from "vitest";
import { connectStack, openTerminal, type Terminal } from "../cli/terminal.ts";
import { sampleOf } from "../provider/samples.ts";
import { openWorld, resources, type World } from "../world.ts";

const plugged = "plugins: { providers: [{ name: shop, path: node_modules/pulumi-shop/plugin }] }\n";
const forms = [
  ["dynamic resources", ""],
  ["the plugin", plugged],
] as const;

/**
 * A program of every kind that a program can make.
 * @param isChanged with the change that each sample has
 * @param options of each resource, KIND stands for its kind
 */
async function programOf(world: World, isChanged: boolean, number = 1, options = "{}"): Promise<string> {
  const lines = await Promise.all(
    resources.map(async (definition) => {
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

async function succeeds(terminal: Terminal, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await terminal.run(...args);
  expect(code, stdout + stderr).toBe(0);
  return stdout + stderr;
}

const apply = ["up", "--yes", "--skip-preview", "--stack"];

test.each(forms)(
  "a run that ends well warns of nothing, whether it creates, changes, replaces or deletes objects (%s)",
  async (_form, plugins) => {
    const world = await openWorld();
    const terminal = openTerminal(await programOf(world, false), world.env);
    terminal.write("Pulumi.yaml", project("user", plugins));
    const first = await succeeds(terminal, ...apply, "dev");
    expect(first).toContain(`${resources.length} created`);
    expect(first).not.toMatch(/warning|cut off|earlier run/i);
    terminal.write("index.ts", await programOf(world, true));
    expect(await succeeds(terminal, ...apply, "dev")).not.toMatch(/warning|cut off|earlier run/i);
    // Another file in the place of each: what can't be changed is replaced.
    terminal.write("index.ts", (await programOf(world, true)).replace("a,b\\n", "c,d\\n"));
    const replaced = await succeeds(terminal, ...apply, "dev");
    expect(replaced).toContain("1 replaced");
    expect(replaced).not.toMatch(/warning|cut off|earlier run/i);
    terminal.write("index.ts", "export {};\n");
    expect(await succeeds(terminal, ...apply, "dev")).not.toMatch(/warning|cut off|earlier run/i);
  },
);

test.each(forms)(
  "a stack's own objects are compared, and aren't pulled again as if nobody managed them (%s)",
  async (_form, plugins) => {
    const world = await openWorld();
    const code = 'import { Coupon } from "pulumi-shop";\n';
    const coupon = (name: string, discount: number) =>
      `new Coupon("${name}", { code: "${name.toUpperCase()}", discount: ${discount}, typeId: 1 });\n`;
    const other = await openWorld();
    const terminal = openTerminal(code + coupon("one", 10) + coupon("two", 20), {}, ["dev", "live"]);
    terminal.write("Pulumi.yaml", project("user", plugins));
    await connectStack(terminal, "dev", world);
    await connectStack(terminal, "live", other);
    await succeeds(terminal, ...apply, "dev");
    await world.client.coupons.create({ code: "STAFF", discount: 5, typeId: 1 });
    terminal.write("index.ts", code + coupon("one", 90));
    await succeeds(terminal, ...apply, "live");
    const compared = await terminal.run("compare", "dev", "live", "--json");
    expect(compared.code, compared.stdout + compared.stderr).not.toBe(0);
    expect(compared.stdout).toContain("90");
    const pulled = await succeeds(terminal, "pull", "coupons", "--new", "--stack", "dev", "--json");
    expect(JSON.parse(pulled.slice(0, pulled.lastIndexOf("}") + 1))).toMatchObject({
      objects: { coupons: 1 },
    });
  },
);

test.each([
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
])(
  "resources that get another name and another form in one run stay the objects that they are (to %s)",
  async (_how, from, to, options) => {
    const world = await openWorld();
    const terminal = openTerminal(await programOf(world, false), world.env);
    terminal.write("Pulumi.yaml", project("user", from));
    await succeeds(terminal, ...apply, "dev");
    terminal.write("Pulumi.yaml", project("user", to));
    terminal.write("index.ts", await programOf(world, false, 2, options));
    const sent = await world.during(() => succeeds(terminal, ...apply, "dev"));
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
  },
);
