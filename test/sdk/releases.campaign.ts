// Other releases of Pulumi's SDK than the installed one: the oldest and newest that package.json accepts, and the
// newest release. Each has all parts in use (engine/pulumi/sdk-internals.ts) and runs a program in both forms.
// PULUMI_SHOP_SDK="3.200.0" tests others instead.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../cli/terminal.ts";
import { plugged } from "../support/forms.ts";
import { freshEnv, runCommand } from "../support/process.ts";
import { openWorld } from "../support/world.ts";
import { lacking } from "./lacking.ts";

const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>;
};
const range = dependencies["@pulumi/pulumi"] as string;
const releases = process.env.PULUMI_SHOP_SDK?.split(",") ?? [range.replace("^", ""), range, "latest"];

const project = "name: releases\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n";
const program = `import * as pulumi from "@pulumi/pulumi";
import { Coupon, Product } from "pulumi-shop";
class Shelf extends pulumi.ComponentResource {
  constructor(name: string) {
    super("shop:test:Shelf", name);
    new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1, description: pulumi.secret("for staff") }, { parent: this });
  }
}
new Shelf("shelf");
export const mug = new Product("mug", { title: "Mug", variants: [{ sku: "M", price: 7 }] });
`;

let home = "";
let tarball = "";
async function done(cwd: string, command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, output } = await runCommand(cwd, command, { ...freshEnv(), ...env });
  expect(code, `${command.join(" ")}\n${output}`).toBe(0);
  return output;
}
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pulumi-shop-releases-"));
  await done(root, ["npm", "pack", "--ignore-scripts", "--pack-destination", home]);
  tarball = join(home, readdirSync(home)[0] ?? "");
});
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const tried = new Set<string>();

test.each(releases)(
  "a program converges with the SDK %s, which has all that is reached of it",
  async (release) => {
    const place = mkdtempSync(join(home, "project-"));
    writeFileSync(
      join(place, "package.json"),
      JSON.stringify({
        private: true,
        type: "module",
        dependencies: { "pulumi-shop": `file:${tarball}`, "@pulumi/pulumi": release },
        // Only this SDK, without ours beside it.
        overrides: { "@pulumi/pulumi": "$@pulumi/pulumi" },
      }),
    );
    await done(place, ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"]);
    const require = createRequire(join(place, "package.json"));
    const { version } = require("@pulumi/pulumi/package.json") as { readonly version: string };
    if (tried.has(version)) return;
    tried.add(version);
    expect(lacking(require.resolve("@pulumi/pulumi"))).toEqual([]);
    writeFileSync(join(place, "index.ts"), program);
    writeFileSync(join(place, "Pulumi.dev.yaml"), "config: {}\n");
    const world = await openWorld();
    mkdirSync(join(place, "backend"));
    const env = {
      ...world.env,
      PULUMI_BACKEND_URL: `file://${place}/backend`,
      PULUMI_CONFIG_PASSPHRASE: "x",
    };
    const command = [process.execPath, join(place, "node_modules/pulumi-shop/dist/cli/main.js")];
    for (const form of ["", plugged]) {
      writeFileSync(join(place, "Pulumi.yaml"), project + form);
      await done(place, [...command, "up", "--stack", "dev", "--yes"], env);
      await done(place, [...command, "preview", "--stack", "dev", "--expect-no-changes"], env);
    }
    expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["SPRING"]);
    await done(place, [...command, "destroy", "--stack", "dev", "--yes"], env);
    expect(world.rows("discount_code")).toEqual([]);
  },
);
