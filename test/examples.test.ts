// Every example is a whole program: previewed, made, left alone, found without drift, taken away; on a shop of its own.
import {
  copyFileSync,
  existsSync,
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
import * as engine from "../engine/index.ts";
import { root } from "./cli/terminal.ts";
import { openWorld } from "./world.ts";

const folders = readdirSync(join(root, "examples"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, "examples", entry.name, "index.ts")))
  .map(({ name }) => name);

/** The project of an example: its own, or the root's for the one that is the root's main. */
const projectOf = (name: string) =>
  existsSync(join(root, "examples", name, "Pulumi.yaml")) ? join(root, "examples", name) : root;

async function opened(name: string) {
  const world = await openWorld();
  const backend = mkdtempSync(join(tmpdir(), "pulumi-shop-example-"));
  onTestFinished(() => rmSync(backend, { recursive: true, force: true }));
  const env = {
    ...process.env,
    SHOP_URL: world.url,
    SHOP_APPLICATION_ID: world.credentials.applicationId,
    SHOP_PASSWORD: world.credentials.password,
    PULUMI_BACKEND_URL: `file://${backend}`,
    PULUMI_CONFIG_PASSPHRASE: "",
  };
  const run = async (verb: "preview" | "up" | "refresh" | "destroy") => {
    const { events, watch } = engine.recorder();
    const stack = engine.openStack({ folder: projectOf(name), stack: "test", env });
    const verbs = {
      preview: engine.preview,
      up: engine.up,
      refresh: engine.refresh,
      destroy: engine.destroy,
    };
    const result = await verbs[verb](stack, { watch });
    const said = events.flatMap((event) =>
      event.type === "printed" || event.type === "message" ? [event.text] : [],
    );
    expect(result.failures, said.join("\n")).toEqual([]);
    return result;
  };
  return { world, run };
}

const countOf = ({ counts }: engine.Result) =>
  Object.entries(counts).filter(([op]) => op !== "same" && op !== "read");

test("the examples of the reference are one program that converges and stays", async () => {
  const world = await openWorld();
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-reference-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = join(root, "docs/resources/examples");
  const names = readdirSync(source);
  for (const name of names) copyFileSync(join(source, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "main.ts"), names.map((name) => `export * from "./${name}";\n`).join(""));
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    "name: reference\nruntime: {name: nodejs, options: {typescript: false}}\nmain: main.ts\n",
  );
  const env = {
    ...process.env,
    SHOP_URL: world.url,
    SHOP_APPLICATION_ID: world.credentials.applicationId,
    SHOP_PASSWORD: world.credentials.password,
    PULUMI_BACKEND_URL: `file://${folder}`,
  };
  const open = () => engine.openStack({ folder, stack: "test", env });
  const made = await engine.up(open(), { watch: () => {} });
  expect(made.failures).toEqual([]);
  expect(made.counts.create).toBe(names.length);
  expect((await engine.preview(open(), { watch: () => {} })).changed).toBe(false);
});

describe.each(folders)("examples/%s", (name) => {
  test("converges, and stays", async () => {
    const { world, run } = await opened(name);
    const before = Object.values((await world.control("GET", "objects")) as Record<string, unknown[]>).flat()
      .length;
    const planned = await run("preview");
    const made = await run("up");
    expect(made.counts.create).toBe(planned.counts.create);
    expect(made.counts.create).toBeGreaterThan(0);
    const writes = await world.during(() => run("up").then((result) => expect(countOf(result)).toEqual([])));
    expect(writes.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(countOf(await run("refresh"))).toEqual([]);
    expect((await run("preview")).changed).toBe(false);
    const gone = await run("destroy");
    expect(gone.counts.delete).toBe(made.counts.create);
    const live = Object.values(
      (await world.control("GET", "objects")) as Record<string, { archived: boolean; status?: string }[]>,
    )
      .flat()
      .filter(({ archived, status }) => !archived && status !== "declined");
    expect(live).toHaveLength(before);
  });

  test("says in its README how to run it", () => {
    expect(readFileSync(join(root, "examples", name, "README.md"), "utf8")).toContain("pulumi-shop up");
  });
});
