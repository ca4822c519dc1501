// Follows docs/plugin.md command by command, and makes a project from the template, if `pulumi` is on PATH.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "../cli/terminal.ts";
import { hasPulumi } from "../support/engines.ts";
import { plugged } from "../support/forms.ts";
import { freshEnv, runCommand } from "../support/process.ts";
import { openWorld } from "../support/world.ts";

const json = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
const [stored, manifest] = [json(join(root, "plugin/schema.json")), json(join(root, "package.json"))];

let home = "";
let made = "";
const page = readFileSync(join(root, "docs/plugin.md"), "utf8");

async function done(cwd: string, command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, output } = await runCommand(cwd, command, {
    ...freshEnv(),
    PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(":"),
    PULUMI_BACKEND_URL: `file://${home}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_HOME: join(home, "pulumi"),
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ...env,
  });
  expect(code, `${command.join(" ")}\n${output}`).toBe(0);
  return output;
}

/** A command of the page that begins with these words. */
function stated(start: string): readonly string[] {
  const found = new RegExp(`(?:^|\`)(${start}[^\`\n#]*)`, "m").exec(page)?.[1]?.trim();
  expect(found, `docs/plugin.md has no command ${start}`).toBeDefined();
  return (found ?? "").split(" ");
}

const node = "name: walk\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n";
const program =
  'import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });\n';

/** A project with the package as npm installed it. */
function project(name: string, yaml: string, files: Readonly<Record<string, string>> = {}): string {
  const place = join(home, name);
  mkdirSync(place);
  cpSync(join(made, "node_modules"), join(place, "node_modules"), { recursive: true });
  for (const file of ["package.json", "package-lock.json"]) cpSync(join(made, file), join(place, file));
  writeFileSync(join(place, "Pulumi.yaml"), yaml);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(place, path), text);
  return place;
}

const pluginFiles = (place: string) =>
  readdirSync(join(place, "node_modules/pulumi-shop/plugin"), { recursive: true }).toSorted();

describe.skipIf(!hasPulumi)("docs/plugin.md with pulumi", () => {
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), "pulumi-shop-page-"));
    made = join(home, "made");
    mkdirSync(made);
    await done(root, ["npm", "pack", "--ignore-scripts", "--pack-destination", home]);
    const tarball = join(home, readdirSync(home).find((name) => name.endsWith(".tgz")) ?? "");
    writeFileSync(join(made, "package.json"), '{ "name": "walk", "private": true, "type": "module" }');
    await done(made, ["npm", "install", "--no-audit", "--no-fund", tarball, "@pulumi/pulumi"]);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

  test("package add in a TypeScript project doesn't change the package", async () => {
    const world = await openWorld();
    const place = project("typescript", node + plugged, { "index.ts": program });
    const before = pluginFiles(place);
    await done(place, stated("pulumi package add"));
    expect(pluginFiles(place)).toEqual(before);
    await done(place, ["pulumi", "stack", "init", "typescript"]);
    const said = await done(place, ["pulumi", "up", "--yes", "--skip-preview"], world.env);
    expect(said).toContain("shop:index:Coupon spring created");
  });

  test.each(["python", "go", "nodejs"])("gen-sdk makes an SDK for %s", async (language) => {
    const place = project(`gen-${language}`, node);
    const command = stated("pulumi package gen-sdk").map((word) => (word === "python" ? language : word));
    await done(place, command);
    expect(readdirSync(join(place, "sdk"))).toEqual([language]);
  });

  test("get-schema of the installed folder is the package's schema with its version", async () => {
    const place = project("schema", node);
    await done(place, ["sh", "-c", "pulumi package get-schema ./node_modules/pulumi-shop/plugin > got.json"]);
    expect(json(join(place, "got.json"))).toEqual({ ...stored, version: manifest.version });
  });

  test("the YAML program is applied and unchanged the second time", async () => {
    const world = await openWorld();
    const [, resources = ""] = /```yaml\n(resources:\n[^`]*)```/.exec(page) ?? [];
    const place = project("yaml", `name: walk\nruntime: yaml\n${plugged}${resources}`);
    await done(place, ["pulumi", "stack", "init", "yaml"]);
    await done(place, ["pulumi", "up", "--yes", "--skip-preview"], world.env);
    expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["SPRING"]);
    await done(place, ["pulumi", "preview", "--expect-no-changes"], world.env);
  });

  test("a release's archive is installed by pulumi, and then a project needs no package", async () => {
    const world = await openWorld();
    const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
    await done(root, ["npm", "run", "release", "--", "--only", platform, "--out", join(home, "archives")]);
    const [archive = "", sums = ""] = readdirSync(join(home, "archives")).toSorted((one) =>
      one.endsWith(".txt") ? 1 : -1,
    );
    const bytes = readFileSync(join(home, "archives", archive));
    const digest = createHash("sha256").update(bytes).digest("hex");
    expect(readFileSync(join(home, "archives", sums), "utf8")).toBe(`${digest}  ${archive}\n`);
    const place = join(home, "archive");
    mkdirSync(place);
    const [, resources = ""] = /```yaml\n(resources:\n[^`]*)```/.exec(page) ?? [];
    writeFileSync(join(place, "Pulumi.yaml"), `name: walk\nruntime: yaml\n${resources}`);
    const { version } = manifest;
    const install = ["pulumi", "plugin", "install", "resource", "shop", `v${version}`];
    await done(place, [...install, "--file", join(home, "archives", archive)]);
    await done(place, ["sh", "-c", `pulumi package get-schema shop@${version} > got.json`]);
    expect(json(join(place, "got.json"))).toEqual({ ...stored, version });
    await done(place, ["pulumi", "stack", "init", "archive"]);
    await done(place, ["pulumi", "up", "--yes", "--skip-preview"], world.env);
    expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["SPRING"]);
    await done(place, ["pulumi", "preview", "--expect-no-changes"], world.env);
  });

  const python = `${/```python\n([^`]*)```/.exec(page)?.[1] ?? ""}
options = [shop.ProductOptionArgs(title="Colour", value="Red")]
shop.Product("cup", title="Cup", variants=[shop.ProductVariantArgs(sku="CUP-RED", price=15, options=options)])
`;
  const go = `package main

import (
	"github.com/pulumi-shop/pulumi-shop/sdk/go/shop"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		if _, err := shop.NewCoupon(ctx, "spring", &shop.CouponArgs{Code: pulumi.String("SPRING"), Discount: pulumi.Float64(10), TypeId: pulumi.Int(1)}); err != nil {
			return err
		}
		options := shop.ProductOptionArray{shop.ProductOptionArgs{Title: pulumi.String("Colour"), Value: pulumi.String("Red")}}
		variants := shop.ProductVariantArray{shop.ProductVariantArgs{Sku: pulumi.String("MUG-RED"), Price: pulumi.Float64(15), Options: options}}
		_, err := shop.NewProduct(ctx, "mug", &shop.ProductArgs{Title: pulumi.String("Mug"), Variants: variants})
		return err
	})
}
`;
  const languages = {
    python: {
      runtime: "{ name: python, options: { virtualenv: venv } }",
      files: { "__main__.py": python, "requirements.txt": "pulumi>=3.170.0,<4.0.0\n" },
      before: [["python3", "-m", "venv", "venv"]],
      after: [],
      more: {},
      skus: ["CUP-RED", "MUG-R"],
    },
    go: {
      runtime: "go",
      files: { "main.go": go, "go.mod": "module walk\n\ngo 1.24\n" },
      before: [["go", "get", "github.com/pulumi/pulumi/sdk/v3@latest"]],
      after: [["go", "mod", "tidy"]],
      // Pulumi's SDK takes minutes to compile: the person's cache makes it once.
      more: { HOME: process.env.HOME ?? "" },
      skus: ["MUG-RED"],
    },
  } as const;
  test.each(Object.entries(languages))(
    "package add makes an SDK with which a %s program is applied",
    async (language, { runtime, files, before, after, more, skus }) => {
      const world = await openWorld();
      const place = project(language, `name: walk\nruntime: ${runtime}\n`, files);
      const env = { ...world.env, ...more };
      const add = [stated("pulumi package add")];
      for (const command of [...before, ...add, ...after]) await done(place, command, env);
      await done(place, ["pulumi", "stack", "init", language]);
      await done(place, ["pulumi", "up", "--yes", "--skip-preview"], env);
      expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["SPRING"]);
      const variants = world
        .rows("product")
        .flatMap((row) => row.variants as { sku: string; title: string }[]);
      expect(variants.map(({ sku, title }) => `${sku} ${title}`).toSorted()).toEqual(
        skus.map((sku) => `${sku} Red`),
      );
      await done(place, ["pulumi", "preview", "--expect-no-changes"], env);
    },
  );

  test("every stack of a project from the package's template is applied", async () => {
    const world = await openWorld();
    const template = join(made, "node_modules/pulumi-shop/examples/template");
    const given = ["--name", "my-shop", "--yes", "--generate-only", "--non-interactive"];
    await done(home, ["pulumi", "new", template, "--dir", "my-shop", ...given]);
    const place = join(home, "my-shop");
    cpSync(join(made, "node_modules"), join(place, "node_modules"), { recursive: true });
    const stacks = readdirSync(place).flatMap((name) => /^Pulumi\.(\w+)\.yaml$/.exec(name)?.slice(1) ?? []);
    expect(stacks.length).toBeGreaterThan(1);
    for (const stack of stacks) {
      await done(place, ["pulumi", "stack", "init", stack]);
      await done(place, ["pulumi", "up", "--yes", "--skip-preview"], world.env);
      expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["WELCOME"]);
      await done(place, ["pulumi", "preview", "--expect-no-changes"], world.env);
      const allowed = { SHOP_ALLOW: "welcome,about" };
      await done(place, ["pulumi", "destroy", "--yes", "--skip-preview"], { ...world.env, ...allowed });
    }
  });

  test("the program of an import has an empty preview", async () => {
    const world = await openWorld();
    const coupon = await world.client.coupons.create({ code: "SPRING", discount: 10, typeId: 1 });
    const place = project("imports", node + plugged, { "index.ts": "" });
    await done(place, ["pulumi", "stack", "init", "imports"]);
    const command = stated("pulumi import shop:index:Coupon").map((word) =>
      word === "8841" ? String(coupon?.id) : word,
    );
    await done(place, [...command, "--yes", "--protect=false", "--out", "found.ts"], world.env);
    const found = readFileSync(join(place, "found.ts"), "utf8");
    writeFileSync(join(place, "index.ts"), found.replaceAll("pulumi-shop-sdk", "pulumi-shop"));
    await done(place, ["pulumi", "preview", "--expect-no-changes"], world.env);
  });
});
