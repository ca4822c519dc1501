// A stack moves from dynamic resources to the plugin and back: every object stays as it is. Under our engine always, under
// the real one where it is installed. The plugin is started by its folder in node_modules, as a project names it.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { openTerminal, type Terminal } from "../cli/terminal.ts";
import { freshEnv, runCommand } from "../process.ts";
import { openWorld, type World } from "../world.ts";

const hasPulumi = spawnSync("pulumi", ["version"]).status === 0;

const program = `import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, File, getThemeOutput, Product } from "pulumi-shop";
new Product("mug", { title: "Mug", variants: [{ sku: "MUG-R", price: 7 }, { sku: "MUG-G", price: 8 }] });
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 }, { protect: true });
new Coupon("staff", { code: "STAFF", discount: 30, typeId: 1, description: pulumi.secret("only for staff") });
new Asset("about", { themeId: getThemeOutput({ published: true }).id, type: "Asset::Snippet", name: "about.liquid", content: "Hi\\n" });
new File("terms", { content: "a,b\\n", filename: "terms.csv" });
`;
const project = "name: user\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n";
const plugged = "plugins: { providers: [{ name: shop, path: node_modules/pulumi-shop/plugin }] }\n";

/** A command of an engine: what it printed, once it succeeded. */
type Engine = (...args: readonly string[]) => Promise<string>;

function ours(terminal: Terminal): Engine {
  return async (...args) => {
    const { code, stdout, stderr } = await terminal.run(...args);
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };
}

function pulumis(terminal: Terminal, world: World): Engine {
  const env = { ...freshEnv(), ...world.env, ...terminal.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const path = { PATH: process.env.PATH ?? "" };
  return async (...args) => {
    const { code, output } = await runCommand(terminal.folder, ["pulumi", ...args], { ...env, ...path });
    expect(code, output).toBe(0);
    return output;
  };
}

const stateOf = (terminal: Terminal) => terminal.read("backend/.pulumi/stacks/user/dev.json");

test.each(hasPulumi ? ["embedded", "pulumi"] : ["embedded"])(
  "to the plugin and back: unchanged, and only read (%s)",
  async (name) => {
    const world = await openWorld();
    const terminal = openTerminal(program, world.env);
    terminal.write("Pulumi.yaml", project);
    const isOurs = name === "embedded";
    const run = isOurs ? ours(terminal) : pulumis(terminal, world);
    const stack = ["--stack", "dev", "--yes", "--skip-preview"];
    if (!isOurs) await run("stack", "init", "dev");
    await run("up", ...stack);
    for (const yaml of [project + plugged, project]) {
      terminal.write("Pulumi.yaml", yaml);
      const sent = await world.during(async () =>
        expect(await run("up", ...stack)).toContain(isOurs ? "5 unchanged" : "6 unchanged"),
      );
      expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
      const state = stateOf(terminal);
      expect(state).toContain(yaml === project ? "pulumi-nodejs:dynamic/shop:Coupon" : '"shop:index:Coupon"');
      expect(state).not.toContain("only for staff");
      expect(state.match(/"protect": ?true/g)).toHaveLength(1);
    }
    // What came back is deleted by the host of dynamic providers, with what the plugin left in the state.
    terminal.write("index.ts", program.replace(", { protect: true }", ""));
    await run("up", ...stack);
    await run("destroy", ...stack);
    expect(world.rows("discount_code")).toEqual([]);
  },
);
