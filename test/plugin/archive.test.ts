// The plugin of a release: a folder with its own Node, without access to this repository and the machine's packages.
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { layOut } from "../../scripts/archives.ts";
import { root } from "../cli/terminal.ts";
import { openWorld } from "../support/world.ts";
import { openPlug, urn } from "./engine.ts";

const json = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8")) as Record<string, unknown>;

let folder = "";
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "pulumi-shop-archive-")));
  symlinkSync(process.execPath, layOut(folder, "linux-amd64"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

test("a release's archive has every file that the plugin loads", () => {
  const files = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
  const loads = files
    .filter((file) => file.endsWith(".js"))
    .flatMap((file) => {
      const code = readFileSync(join(folder, "dist", file), "utf8").replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, "");
      const named = code.matchAll(
        /\b(?:from\s|import\s|createRequire\(import\.meta\.url\)\(|import\(|require\()\s*"([^"]+)"/gi,
      );
      return [...named].map(([, what = ""]) => ({ file, what }));
    });
  expect(loads.map(({ what }) => what)).toEqual(expect.arrayContaining(["undici", "diff", "yaml", "saxes"]));
  const missing = loads.filter(({ file, what }) => {
    try {
      const path = createRequire(join(folder, "dist", file)).resolve(what);
      return !isBuiltin(what) && !path.startsWith(folder);
    } catch {
      return true;
    }
  });
  expect(missing).toEqual([]);
});

test.skipIf(process.platform === "win32")(
  "the plugin of a release starts without anything of the machine, has the committed schema, and works on a shop",
  async () => {
    const world = await openWorld();
    const plug = await openPlug(world, { executable: join(folder, "pulumi-resource-shop") });
    const { schema } = await plug.call("getSchema");
    expect(JSON.parse(schema as string)).toEqual({
      ...json("plugin/schema.json"),
      version: json("package.json").version,
    });
    const properties = { code: "SPRING", discount: 10, typeId: 1 };
    const { id } = await plug.call("create", { urn: urn("Coupon"), properties });
    const read = { id, urn: urn("Coupon"), properties: {}, inputs: {} };
    expect((await plug.call("read", read)).properties).toMatchObject({ code: "SPRING" });
    expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["SPRING"]);
  },
);
