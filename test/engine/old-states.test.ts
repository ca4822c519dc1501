// States of released versions stay valid: the same program has nothing to change. A release adds its own with
// `PULUMI_SHOP_KEEP_STATE=1.2.3 npm test -- test/engine/old-states`.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import * as engine from "../../engine/index.ts";
import { root } from "../cli/terminal.ts";
import { openWorld } from "../support/world.ts";

const kept = join(root, "test/fixtures/states");
const released = readdirSync(kept).filter((name) => name.endsWith(".json"));

async function project(themeId: string) {
  const world = await openWorld();
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-states-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: kept\nruntime: {name: nodejs, options: {typescript: false}}\nmain: program.ts\n",
  );
  copyFileSync(join(kept, "program.ts"), join(folder, "program.ts"));
  const state = join(folder, "backend/.pulumi/stacks/kept/dev.json");
  mkdirSync(join(folder, "backend/.pulumi/stacks/kept"), { recursive: true });
  const env = {
    ...process.env,
    THEME_ID: themeId,
    ...world.env,
    PULUMI_BACKEND_URL: `file://${folder}/backend`,
  };
  const stack = () => engine.openStack({ folder, stack: "dev", env, create: true });
  return { world, state, stack };
}

const themeOf = (text: string) => /"themeId":(\d+)/.exec(text)?.[1] ?? "";

describe.each(released)("a state of %s", (name) => {
  test("a state of a released version has nothing to change and needs no request", async () => {
    const text = readFileSync(join(kept, name), "utf8");
    const { world, state, stack } = await project(themeOf(text));
    writeFileSync(state, text);
    const { events, watch } = engine.recorder();
    const result = await engine.preview(stack(), { watch });
    expect(result.failures).toEqual([]);
    expect(
      events.flatMap((event) => (event.type === "done" && event.step.op !== "same" ? [event.step.name] : [])),
    ).toEqual([]);
    expect(result.counts).toEqual({ same: 8 });
    expect(world.requests()).toEqual([]);
  });
});

test("there is a recorded state of every released version", () => {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const versions = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm)].map((match) => `${match[1]}.json`);
  expect(released).toEqual(expect.arrayContaining(versions));
});

const version = process.env.PULUMI_SHOP_KEEP_STATE;
test.runIf(version !== undefined && !existsSync(join(kept, `${version}.json`)))(
  "keep the state of a release",
  async () => {
    const { world, state, stack } = await project("0");
    const [theme] = await world.client.themes.list();
    const env = { ...stack().env, THEME_ID: String(theme?.id) };
    const opened = { ...stack(), env };
    const result = await engine.up(opened, { watch: () => {} });
    expect(result.failures).toEqual([]);
    copyFileSync(state, join(kept, `${version}.json`));
  },
);
