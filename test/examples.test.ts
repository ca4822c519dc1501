// Every example is a whole program: previewed, made, left alone, found without drift, taken away; on a shop of its own.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
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
