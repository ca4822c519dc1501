// A stack moves from dynamic resources to the plugin and back, under the real engine: every object stays as it is.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { openTerminal } from "../cli/terminal.ts";
import { freshEnv, runCommand } from "../process.ts";
import { openWorld } from "../world.ts";

const hasPulumi = spawnSync("pulumi", ["version"]).status === 0;

const program = `import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, File, getThemeOutput, Product } from "pulumi-shop";
new Product("mug", { title: "Mug", variants: [{ sku: "MUG-R", price: 7 }, { sku: "MUG-G", price: 8 }] });
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 }, { protect: true });
new Coupon("staff", { code: "STAFF", discount: 30, typeId: 1, description: pulumi.secret("only for staff") });
new Asset("about", { themeId: getThemeOutput({ published: true }).id, type: "Asset::Snippet", name: "about.liquid", content: "Hi\\n" });
new File("terms", { content: "a,b\\n", filename: "terms.csv" });
`;
const project = "name: moving\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n";
const plugged = "plugins: { providers: [{ name: shop, path: node_modules/pulumi-shop/plugin }] }\n";

test.skipIf(!hasPulumi)("to the plugin and back: unchanged, and only read", async () => {
  const world = await openWorld();
  const terminal = openTerminal(program);
  const env = {
    ...freshEnv(),
    ...world.env,
    PULUMI_BACKEND_URL: `file://${terminal.folder}/backend`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const pulumi = async (...args: readonly string[]) => {
    const { code, output } = await runCommand(terminal.folder, ["pulumi", ...args], env);
    expect(code, output).toBe(0);
    return output;
  };
  terminal.write("Pulumi.yaml", project);
  await pulumi("stack", "select", "--create", "dev");
  await pulumi("up", "--yes", "--skip-preview");
  for (const yaml of [project + plugged, project]) {
    terminal.write("Pulumi.yaml", yaml);
    const sent = await world.during(async () =>
      expect(await pulumi("up", "--yes", "--skip-preview")).toContain("6 unchanged"),
    );
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    const state = await pulumi("stack", "export");
    expect(state).toContain(yaml === project ? "pulumi-nodejs:dynamic/shop:Coupon" : "shop:index:Coupon");
    expect(state).not.toContain("only for staff");
    expect(state.match(/"protect": true/g)).toHaveLength(1);
  }
  // What came back is deleted by the host of dynamic providers, with what the plugin left in the state.
  await pulumi("state", "unprotect", "--all", "--yes");
  await pulumi("destroy", "--yes", "--skip-preview");
  expect(world.rows("discount_code")).toEqual([]);
});
