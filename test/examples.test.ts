// Every example is a whole program: previewed, made, left alone, found without drift, taken away; on a shop of its own.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Counts } from "../engine/index.ts";
import { fileOf } from "../scripts/reference.ts";
import { openShop, type TestShop } from "../sdk/testing/index.ts";
import { root } from "./cli/terminal.ts";
import { full, partOf } from "./support/campaign.ts";
import { resources } from "./support/world.ts";

const folders = readdirSync(join(root, "examples"), { recursive: true })
  .map(String)
  .filter((path) => basename(path) === "index.ts")
  .map((path) => dirname(path).replaceAll("\\", "/"))
  .toSorted();

/** The project of an example: its own, or the root's for the one that is the root's main. */
const projectOf = (name: string) =>
  existsSync(join(root, "examples", name, "Pulumi.yaml")) ? join(root, "examples", name) : root;

async function opened(name: string): Promise<TestShop> {
  // What the shop has before: an example of a shop that others fill says so.
  const file = join(root, "examples", name, "shop.json");
  const fixture = existsSync(file) ? { fixture: JSON.parse(readFileSync(file, "utf8")) } : {};
  const shop = await openShop({ folder: projectOf(name), ...fixture });
  onTestFinished(() => shop.close());
  return shop;
}

const objectsOf = async ({ url }: TestShop) =>
  Object.values(
    (await (await fetch(`${url}/_control/objects`)).json()) as Record<
      string,
      { archived: boolean; status?: string }[]
    >,
  ).flat();

test("there is one for every kind that can be created", () => {
  const kinds = resources.map(({ kind }) => `kinds/${fileOf(kind)}`);
  expect(folders.filter((name) => name.startsWith("kinds/"))).toEqual(kinds.toSorted());
});

/** `npm test` runs the one that uses everything; the others run in the campaign. */
const run = partOf(folders, ["storefront"]);

describe.each(run)("examples/%s", (name) => {
  test("converges, and stays", async () => {
    const shop = await opened(name);
    const before = (await objectsOf(shop)).length;
    const planned = await shop.preview();
    const made = await shop.up();
    const begun = ({ create = 0, adopt = 0 }: Counts) => create + adopt;
    expect(made.counts).toEqual(planned.counts);
    expect(begun(made.counts)).toBeGreaterThan(0);
    const again = await shop.up();
    expect(again.steps).toEqual([]);
    expect(again.requests.filter((line) => !line.startsWith("GET "))).toEqual([]);
    if (full) {
      expect((await shop.refresh()).steps.filter((step) => !step.startsWith("refresh "))).toEqual([]);
      expect((await shop.preview()).steps).toEqual([]);
    }
    const gone = await shop.destroy();
    expect(gone.counts.delete).toBe(begun(made.counts));
    const live = (await objectsOf(shop)).filter(({ archived, status }) => !archived && status !== "declined");
    expect(live).toHaveLength(before);
  });
});

test.each(folders)("examples/%s says in its README how to run it", (name) => {
  expect(readFileSync(join(root, "examples", name, "README.md"), "utf8")).toContain("pulumi-shop up");
});
