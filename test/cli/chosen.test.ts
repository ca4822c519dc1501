// --target, --exclude and --replace at a terminal: a saved plan keeps them, and limits hold.
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { connectStack, openScene, openTerminal } from "./terminal.ts";

const program = (discount: number) => `import { Coupon } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: ${discount}, typeId: 1 });
new Coupon("summer", { code: "SUMMER", discount: ${discount}, typeId: 1 });
`;

test("only what is named is planned, saved, carried out and limited", async () => {
  const world = await openWorld();
  const terminal = openTerminal(program(10));
  const { run, write } = terminal;
  await connectStack(terminal, "dev", world);
  const succeeds = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await run(...args, "--stack", "dev");
    expect(code, stdout + stderr).toBe(0);
    return stdout;
  };
  // They are created in any order.
  const discounts = () =>
    world
      .rows("discount_code")
      .map(({ code, discount }) => `${code} ${discount}`)
      .sort();
  await succeeds("up", "--yes", "--skip-preview");
  write("index.ts", program(15));
  await succeeds("preview", "--target", "spring", "--save-plan", "plan.json");
  const both = await run("up", "--plan", "plan.json", "--target", "summer", "--yes", "--stack", "dev");
  expect(both.stderr).toContain("--target is part of a saved plan");
  await succeeds("up", "--plan", "plan.json", "--yes");
  expect(discounts()).toEqual(["SPRING 15.0", "SUMMER 10.0"]);
  await succeeds("config", "set", "shop:maxDiscount", "12");
  const refused = await run("preview", "--exclude", "spring", "--replace", "summer", "--stack", "dev");
  expect(refused.stdout).toContain("1 to replace");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("summer");
  const unknown = await run("preview", "--replace", "sprong", "--stack", "dev");
  expect(unknown.stderr).toContain("--replace: the stack dev has no resource sprong");
});

test.each(storyForms)(
  "the preview of a replacement whose old object stays under the same key is refused, as the shop would: %s",
  async (_how, plugins) => {
    const retained = (discount: number, options = "{ retainOnDelete: true }") =>
      program(discount).replace(/ \}\);\n$/, ` }, ${options});\n`);
    const { world, terminal } = await openScene(retained(10), plugins);
    await terminal.done("up", "--yes");
    const replacing = ["--replace", "summer", "--yes"];
    for (const verb of [
      ["preview", "--replace", "summer"],
      ["up", ...replacing],
    ]) {
      const { code, all } = await terminal.dev(...verb);
      expect(code, all).toBe(1);
      expect(all).toMatch(
        /Coupon \d+ has code SUMMER, which the shop has once, and retainOnDelete leaves it in the shop: run up without retainOnDelete/,
      );
    }
    terminal.write("index.ts", retained(10, "{}"));
    await terminal.done("up", "--yes");
    const { stdout } = await terminal.done("up", ...replacing);
    expect(stdout).toContain("1 replaced");
    expect(world.rows("discount_code")).toHaveLength(2);
    world.requests();
  },
);

test("pulumi is given the same choice: patterns of names, and URNs of what is replaced", async () => {
  const { terminal } = await openScene(program(10));
  await terminal.done("up", "--yes");
  // A fake pulumi that records its arguments.
  const note =
    'test -z "$SHOP_REPLACE" || echo "replaces $SHOP_REPLACE" >> asked.log; echo "told $SHOP_RUN" >> told.log';
  terminal.write(
    "bin/pulumi",
    `#!/bin/sh
echo "$@" >> asked.log
${note}
`,
  );
  chmodSync(join(terminal.folder, "bin/pulumi"), 0o755);
  terminal.env.PATH = [join(terminal.folder, "bin"), terminal.env.PATH].join(delimiter);
  const run = (...args: readonly string[]) => terminal.dev(...args, "--engine", "pulumi");
  expect((await run("preview", "--target", "spring, summer", "--target-dependents")).code).toBe(0);
  expect((await run("preview", "--exclude", "spring")).code).toBe(0);
  expect((await run("up", "--replace", "summer", "--yes")).code).toBe(0);
  const summer = "urn:pulumi:dev::user::pulumi-nodejs:dynamic/shop:Coupon::summer";
  const asked = [
    "preview --stack dev --target **::spring --target **::summer --target-dependents",
    "preview --stack dev --exclude **::spring",
    `up --stack dev --yes --replace ${summer}`,
    // pulumi asks the provider to create a replacement like a new resource, so its name is passed.
    "replaces summer",
  ];
  expect(terminal.read("asked.log").trim().split("\n")).toEqual(asked);
  // The provider reports to pulumi itself; nobody reads its notices.
  expect(terminal.read("told.log")).not.toContain("notices");
  const refused: readonly (readonly [readonly string[], string])[] = [
    [["--target", ","], "--target requires names of resources"],
    [["--target", "spring", "--exclude", "summer"], "exclude each other"],
    [["--keep", "summer,spring", "--overwrite", "spring"], "--keep and --overwrite both name spring: "],
    [["--target-dependents"], "--target-dependents goes with --target"],
    [["--replace", "sprong"], "--replace: the stack dev has no resource sprong"],
  ];
  for (const [args, message] of refused)
    expect(await run("preview", ...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(message),
    });
  expect(terminal.read("asked.log").trim().split("\n")).toEqual(asked);
});

test("a program with hooks is held against the limits before pulumi begins, and its plan is saved for pulumi", async () => {
  const world = await openWorld();
  const terminal = openTerminal(program(10));
  await connectStack(terminal, "dev", world);
  expect(await terminal.dev("up", "--yes")).toMatchObject({ code: 0 });
  terminal.write("bin/pulumi", "#!/bin/sh\necho $1 >> asked.log\n");
  chmodSync(join(terminal.folder, "bin/pulumi"), 0o755);
  terminal.env.PATH = [join(terminal.folder, "bin"), terminal.env.PATH].join(delimiter);
  // A state as pulumi leaves it: the other coupon has a hook for its delete.
  const path = "backend/.pulumi/stacks/user/dev.json";
  const state = JSON.parse(terminal.read(path));
  const [summer] = state.checkpoint.latest.resources.slice(-1);
  summer.resourceHooks = { AfterDelete: ["told"] };
  terminal.write(path, JSON.stringify(state));
  terminal.write(
    "index.ts",
    `import { ErrorHook, ResourceHook } from "@pulumi/pulumi";
import { Coupon } from "pulumi-shop";
const hooks = { afterUpdate: [new ResourceHook("told", () => {})], onError: [new ErrorHook("again", () => false)] };
new Coupon("spring", { code: "SPRING", discount: 15, typeId: 1 }, { hooks });
`,
  );
  const saved = await terminal.dev("preview", "--engine", "pulumi", "--save-plan", "plan.json");
  expect([saved.code, saved.stdout]).toEqual([0, expect.stringContaining("1 to update")]);
  await terminal.done("up", "--engine", "pulumi", "--plan", "plan.json", "--yes");
  await terminal.dev("config", "set", "shop:maxDeletes", "0");
  const limited = await terminal.dev("up", "--engine", "pulumi", "--yes");
  expect(limited.code).toBe(1);
  expect(limited.stderr).toContain("1 object would be deleted, but shop:maxDeletes is 0: Coupon summer");
  expect(terminal.read("asked.log")).toBe("preview\nup\n");
  expect((await terminal.dev("preview")).stderr).toContain("the resource option hooks is not supported");
});

test("what a shop lets nobody have twice is replaced by name as anything else: the old one goes first", async () => {
  const world = await openWorld();
  const terminal = openTerminal(`import { Coupon, getThemeOutput, Asset, Product } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });
new Product("mug", { title: "Mug", permalink: "mug", variants: [{ sku: "M", price: 1 }] });
const themeId = getThemeOutput({ published: true }).id;
new Asset("note", { themeId, type: "Asset::Snippet", name: "note.liquid", content: "note" });
`);
  await connectStack(terminal, "dev", world);
  const up = (...args: readonly string[]) => terminal.dev("up", "--yes", "--skip-preview", ...args);
  expect(await up()).toMatchObject({ code: 0 });
  const there = () =>
    ["discount_code", "product", "asset"].map((table) => {
      const { id, code, permalink, name } = world.rows(table).at(-1) ?? {};
      return [id, code ?? permalink ?? name];
    });
  const before = there();
  const replaced = await up("--replace", "spring,mug,note");
  expect(replaced.code, replaced.all).toBe(0);
  expect(there().map(([, key]) => key)).toEqual(["SPRING", "mug", "note.liquid"]);
  expect(there().filter(([id]) => before.some(([old]) => old === id))).toEqual([]);
  expect(await up("--expect-no-changes")).toMatchObject({ code: 0 });
});
