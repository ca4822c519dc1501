// The package as others get it: packed, installed into clean folders by three package managers, run on three Nodes,
// compiled by three TypeScripts. Nothing of this repository is in reach of them but the tarball.
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { root } from "./cli/terminal.ts";
import { campaignTest, full, partOf } from "./support/campaign.ts";
import { freshEnv, runCommand } from "./support/process.ts";
import { openWorld, type World } from "./support/world.ts";

let home = "";
let tarball = "";

const run = (cwd: string, command: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runCommand(cwd, command, { ...freshEnv(), ...env });

async function done(
  cwd: string,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, output } = await run(cwd, command, env);
  expect(code, `${command.join(" ")}\n${output}`).toBe(0);
  return output;
}

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const place = join(home, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    writeFileSync(join(place, path), text);
  }
  return place;
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "pulumi-shop-packages-"));
  await done(root, ["npm", "pack", "--ignore-scripts", "--pack-destination", home]);
  tarball = join(home, readdirSync(home)[0] ?? "");
});
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));

const project = "name: consumer\nruntime: { name: nodejs, options: { typescript: false } }\nmain: MAIN\n";
const esm = `import { Coupon } from "pulumi-shop";
export const code = new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 }).code;
`;
const cjs = `const { Coupon } = require("pulumi-shop");
exports.code = new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 }).code;
`;
const esmFiles = {
  "package.json": '{ "name": "consumer", "private": true, "type": "module" }',
  "Pulumi.yaml": project.replace("MAIN", "index.ts"),
  "Pulumi.dev.yaml": "config: {}\n",
  "index.ts": esm,
};
const cjsFiles = {
  "package.json": '{ "name": "consumer", "private": true }',
  "Pulumi.yaml": project.replace("MAIN", "index.js"),
  "Pulumi.dev.yaml": "config: {}\n",
  "index.js": cjs,
};

/** The program converges a fresh shop, and a second time there is nothing to do. */
async function converges(
  place: string,
  node: readonly string[],
  engine: readonly string[] = [],
): Promise<void> {
  const world: World = await openWorld();
  const env = {
    ...world.env,
    PULUMI_BACKEND_URL: `file://${mkdtempSync(join(home, "state-"))}`,
    PULUMI_CONFIG_PASSPHRASE: "",
  };
  const command = [...node, join(place, "node_modules/pulumi-shop/dist/cli/main.js")];
  if (engine.length > 0) await done(place, ["pulumi", "stack", "init", "dev"], env);
  await done(place, [...command, "up", "--stack", "dev", "--yes", ...engine], env);
  expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["SPRING"]);
  await done(place, [...command, "preview", "--stack", "dev", "--expect-no-changes", ...engine], env);
}

const managers = {
  npm: (files: string) => [
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    files,
    "@pulumi/pulumi",
  ],
  pnpm: (files: string) => ["npx", "-y", "pnpm@12", "add", files, "@pulumi/pulumi"],
  yarn: (files: string) => [
    "npx",
    "-y",
    "-p",
    "@yarnpkg/cli-dist@4",
    "yarn",
    "add",
    `pulumi-shop@file:${files}`,
    "@pulumi/pulumi",
  ],
} as const;
/** Puts the package where a manager would, and beside it the packages that it names, which this repository has. */
async function unpack(place: string): Promise<void> {
  const modules = join(place, "node_modules");
  const own = join(modules, "pulumi-shop");
  mkdirSync(own, { recursive: true });
  await done(home, ["tar", "-xzf", tarball, "-C", own, "--strip-components=1"]);
  const { dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name), "dir");
  }
}

const yarnrc =
  'nodeLinker: node-modules\nenableTelemetry: false\nnpmRegistryServer: "https://registry.npmjs.org"\nenableImmutableInstalls: false\n';

// pnpm asks about every build script; protobufjs, which Pulumi's SDK brings, needs none (installation-configuration.md).
const pnpmWorkspace = "allowBuilds:\n  protobufjs: false\n";

const hasPulumi = spawnSync("pulumi", ["version"]).status === 0;

const all = Object.keys(managers) as (keyof typeof managers)[];

describe.each(partOf(all, []))("installed with %s", (name) => {
  test("a program as an ES module and one as CommonJS converge", async () => {
    for (const [format, files] of Object.entries({ esm: esmFiles, cjs: cjsFiles })) {
      const extra = {
        npm: {},
        pnpm: { "pnpm-workspace.yaml": pnpmWorkspace },
        yarn: { ".yarnrc.yml": yarnrc, "yarn.lock": "" },
      }[name];
      const place = folder(`${name}-${format}`, { ...files, ...extra });
      await done(place, managers[name](tarball));
      await converges(place, [process.execPath]);
    }
  });
});

describe("once installed", () => {
  let place = "";
  beforeAll(async () => {
    place = folder("consumer", { ...esmFiles, ".npmrc": "fund=false\naudit=false\n" });
    await (full ? done(place, managers.npm(tarball)) : unpack(place));
  });

  test("its program converges", () => converges(place, [process.execPath]));

  test("a command says at once that a package of it is missing, and no request is repeated for that", () => {
    const command = join(place, "node_modules/pulumi-shop/dist/cli/main.js");
    const [there, away] = [join(place, "node_modules/undici"), join(place, "undici-away")];
    renameSync(there, away);
    const env = { SHOP_URL: "http://127.0.0.1:1", SHOP_APPLICATION_ID: "a", SHOP_PASSWORD: "a".repeat(32) };
    const ran = spawnSync(process.execPath, [command, "pull"], {
      cwd: folder("incomplete", { "README.md": "" }),
      encoding: "utf8",
      env: { ...process.env, ...env },
    });
    renameSync(away, there);
    expect([ran.status, ran.stderr]).toEqual([
      1,
      "error: no request can be sent: the package undici is missing or damaged (Cannot find module 'undici'). " +
        "Nothing was sent; run npm install, then run again\n",
    ]);
  });

  test("its init writes a .gitignore, although npm packs no file of that name", async () => {
    const command = join(place, "node_modules/pulumi-shop/dist/cli/main.js");
    await done(home, [process.execPath, command, "init", "by-init", "--no-workflows"]);
    expect(readFileSync(join(home, "by-init/.gitignore"), "utf8")).toContain("\nPulumi.dev.yaml\n");
  });

  campaignTest("so does one as CommonJS", async () => {
    const other = folder("consumer-cjs", cjsFiles);
    symlinkSync(join(place, "node_modules"), join(other, "node_modules"), "dir");
    await converges(other, [process.execPath]);
  });

  campaignTest("the program of docs/library.md plans and carries out by the packed door", async () => {
    const [, program = ""] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/library.md"), "utf8")) ?? [];
    const other = folder("library", {
      "package.json": '{ "type": "module" }',
      "run.ts": program.replace("env: process.env", "env: process.env, create: true"),
      ...Object.fromEntries(Object.entries(esmFiles).map(([path, text]) => [`shop/${path}`, text])),
    });
    symlinkSync(join(place, "node_modules"), join(other, "node_modules"), "dir");
    const world = await openWorld();
    const env = {
      ...world.env,
      PULUMI_BACKEND_URL: `file://${mkdtempSync(join(home, "state-"))}`,
      PULUMI_CONFIG_PASSPHRASE: "",
    };
    expect(await done(other, [process.execPath, "run.ts"], env)).toMatch(/^\d+ steps, \d+ API requests\n$/);
    expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["SPRING"]);
    expect(readFileSync(join(other, "plan.md"), "utf8")).toContain("### Updating");
  });

  campaignTest.each(["22", "26"])("Node %s runs it", async (version) => {
    const node = (
      await done(place, ["npx", "-y", "-p", `node@${version}`, "--", "node", "-p", "process.execPath"])
    ).trim();
    await converges(place, [node.split("\n").at(-1) ?? ""]);
  });

  test.skipIf(!hasPulumi)(
    "the real engine runs it",
    () => converges(place, [process.execPath], ["--engine", "pulumi"]),
    120_000,
  );

  campaignTest.each(["5.9", "6", "7"])(
    "TypeScript %s reads its types, whatever resolves them",
    async (version) => {
      writeFileSync(
        join(place, "types.ts"),
        `import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, getThemeOutput, Product, type ProductArgs } from "pulumi-shop";
import { openClient } from "pulumi-shop/client";
import { openStack, type Plan, plan } from "pulumi-shop/engine";
import { openShop } from "pulumi-shop/testing";
const args: ProductArgs = { title: "Mug", variants: [{ sku: "M", price: 7 }] };
export const permalink: pulumi.Output<string | undefined> = new Product("mug", args).permalink;
export const discount: pulumi.Output<number> = new Coupon("c", { code: "C", discount: "7.5", typeId: 1 }).discount;
new Asset("a", { themeId: getThemeOutput({ published: true }).id, type: "Asset::Snippet", name: "a.liquid", content: "" });
export const codes = openClient().coupons.list().then((all) => all.map(({ code }) => code satisfies string | undefined));
export const steps: Promise<readonly string[]> = openShop().then((shop) => shop.up()).then((done) => done.steps);
export const planned: Promise<Plan> = plan(openStack({ folder: ".", env: {} }), { allow: ["c"] });
// @ts-expect-error a coupon's type is one of two
new Coupon("d", { code: "D", discount: 1, typeId: 3 });
// @ts-expect-error what the shop computes can't be set
new Product("p", { title: "P", createdAt: "" });
`,
      );
      const resolutions = [
        ["nodenext", "nodenext"],
        ["preserve", "bundler"],
        // What Pulumi's own TypeScript template has; 7 has left it behind.
        ...(version === "7" ? [] : [["commonjs", version === "6" ? "bundler" : "node10"]]),
      ];
      for (const [module, moduleResolution] of resolutions) {
        writeFileSync(
          join(place, "tsconfig.json"),
          JSON.stringify({
            compilerOptions: {
              target: "es2022",
              lib: ["es2023", "esnext.disposable"],
              types: [],
              strict: true,
              noEmit: true,
              module,
              moduleResolution,
              skipLibCheck: true,
            },
            files: ["types.ts"],
          }),
        );
        // In a folder of its own: npx takes a version that the place has for installed, and doesn't find its command.
        const compiler = ["npx", "-y", "-p", `typescript@${version}`, "--", "tsc", "-p", place];
        await done(home, compiler);
      }
    },
  );

  test("it brings no install script, and what the README says of its size is so", async () => {
    const own = JSON.parse(readFileSync(join(place, "node_modules/pulumi-shop/package.json"), "utf8")) as {
      scripts?: Record<string, string>;
      dependencies: Record<string, string>;
    };
    expect(Object.keys(own.scripts ?? {}).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const megabytes = Number(/([\d.]+) MB packed/.exec(readme)?.[1]);
    expect(Math.abs(readFileSync(tarball).length / 1e6 - megabytes)).toBeLessThan(0.05);
    const reasons = readFileSync(join(root, "docs/dependencies.md"), "utf8");
    for (const name of Object.keys(own.dependencies)) expect(reasons).toContain(`\`${name}\``);
  });

  test("no file of it holds a key of a shop, and none is of no use to who installs it", () => {
    const own = join(place, "node_modules/pulumi-shop");
    const paths = readdirSync(own, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(own, join(parentPath, name)).replaceAll("\\", "/"));
    expect(paths.length).toBeGreaterThan(50);
    const ours =
      /^(dist\/|plugin\/|examples\/template\/|examples\/workflows\/|README|CHANGELOG|LICENSE|package\.json)/;
    expect(paths.filter((path) => !ours.test(path))).toEqual([]);
    const examples =
      /4dabf18193072939515e22adb298388d|1b47061264138c4ac30d75fd1eb44270|d0e6a833031e9bbcd3f4e8bde6ca49a4/g;
    const isKey = (path: string) =>
      /\b[0-9a-f]{32}\b/.test(readFileSync(join(own, path), "utf8").replace(examples, ""));
    expect(paths.filter(isKey)).toEqual([]);
  });

  campaignTest("the linters for packages have nothing to say", async () => {
    const bin = (name: string) => join(root, "node_modules/.bin", name);
    await done(root, [bin("publint"), "--strict", tarball]);
    await done(root, [bin("attw"), tarball, "--profile", "esm-only"]);
  });
});

campaignTest(
  "init writes a project that installs, checks, and passes its own test on an embedded shop",
  async () => {
    const command = [process.execPath, join(root, "dist/cli/main.js")];
    const said = await done(home, [...command, "init", "new-shop"]);
    expect(said).toContain("  cd new-shop\n  npm install\n  npm test\n");
    const place = join(home, "new-shop");
    expect(readFileSync(join(place, "Pulumi.yaml"), "utf8")).not.toContain("template:");
    expect(readdirSync(join(place, ".github/workflows")).toSorted()).toEqual([
      "deploy.yml",
      "drift.yml",
      "preview.yml",
      "sale.yml",
    ]);
    const manifest = readFileSync(join(place, "package.json"), "utf8");
    writeFileSync(
      join(place, "package.json"),
      manifest.replace(/"pulumi-shop": "[^"]*"/, `"pulumi-shop": "file:${tarball}"`),
    );
    await done(place, ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline"]);
    await done(place, ["npm", "test"]);
    await done(place, ["npm", "run", "check"]);
    const again = await run(home, [...command, "init", "new-shop"]);
    expect(again).toMatchObject({
      code: 2,
      output: expect.stringContaining("files of a project already; nothing was written"),
    });
    expect(await run(home, [...command, "init", "New Shop"])).toMatchObject({
      code: 2,
      output: expect.stringContaining("is not a valid project name"),
    });
  },
);

test("no file of a stack in the template has a placeholder: pulumi new writes a line's end after each in YAML", () => {
  const template = join(root, "examples/template");
  const files = readdirSync(template).filter((name) => /^Pulumi\..+\.yaml$/.test(name));
  expect(files).not.toEqual([]);
  for (const file of files) expect(readFileSync(join(template, file), "utf8"), file).not.toContain("${");
});

test.skipIf(!hasPulumi)(
  "pulumi new takes the template of the package, with the configuration of each stack",
  async () => {
    const place = folder("from-template", {});
    mkdirSync(place, { recursive: true });
    await done(home, ["tar", "-xzf", tarball]);
    const env = {
      PULUMI_BACKEND_URL: `file://${mkdtempSync(join(home, "state-"))}`,
      PULUMI_CONFIG_PASSPHRASE: "",
      PULUMI_HOME: join(home, "pulumi"),
    };
    const given = ["--name", "from-template", "--description", "x", "--generate-only", "--yes", "--force"];
    await done(place, ["pulumi", "new", join(home, "package/examples/template"), ...given], env);
    expect(readFileSync(join(place, "index.test.ts"), "utf8")).toContain('"from-template:welcomePercent"');
    expect(readFileSync(join(place, "Pulumi.yaml"), "utf8")).toContain("name: from-template");
    expect(readFileSync(join(place, ".gitignore"), "utf8")).toContain("\nPulumi.dev.yaml\n");
    for (const [stack, percent] of [
      ["staging", "15"],
      ["live", "10"],
    ] as const) {
      await done(place, ["pulumi", "stack", "init", stack], env);
      const said = await done(place, ["pulumi", "config", "get", "welcomePercent", "--stack", stack], env);
      expect(said.trim()).toBe(percent);
    }
  },
);
