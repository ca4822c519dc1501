// Runs that are about some resources only, as a person types them; a saved plan keeps the choice, and limits hold.
import { expect, test } from "vitest";
import { openWorld } from "../world.ts";
import { connectStack, openTerminal } from "./terminal.ts";

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
  const discounts = () => world.rows("discount_code").map(({ code, discount }) => `${code} ${discount}`);
  await succeeds("up", "--yes", "--skip-preview");
  write("index.ts", program(15));
  await succeeds("preview", "--target", "spring", "--save-plan", "plan.json");
  const both = await run("up", "--plan", "plan.json", "--target", "summer", "--yes", "--stack", "dev");
  expect(both.stderr).toContain("--target is decided with the plan");
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

test("what a shop lets nobody have twice is replaced by name as anything else: the old one goes first", async () => {
  const world = await openWorld();
  const terminal = openTerminal(`import { Coupon, getThemeOutput, Asset, Product } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });
new Product("mug", { title: "Mug", permalink: "mug", variants: [{ sku: "M", price: 1 }] });
const themeId = getThemeOutput({ published: true }).id;
new Asset("note", { themeId, type: "Asset::Snippet", name: "note.liquid", content: "note" });
`);
  await connectStack(terminal, "dev", world);
  const up = (...args: readonly string[]) =>
    terminal.run("up", "--yes", "--skip-preview", "--stack", "dev", ...args);
  expect(await up()).toMatchObject({ code: 0 });
  const there = () =>
    ["discount_code", "product", "asset"].map((table) => {
      const { id, code, permalink, name } = world.rows(table).at(-1) ?? {};
      return [id, code ?? permalink ?? name];
    });
  const before = there();
  const replaced = await up("--replace", "spring,mug,note");
  expect(replaced.code, replaced.stdout + replaced.stderr).toBe(0);
  expect(there().map(([, key]) => key)).toEqual(["SPRING", "mug", "note.liquid"]);
  expect(there().filter(([id]) => before.some(([old]) => old === id))).toEqual([]);
  expect(await up("--expect-no-changes")).toMatchObject({ code: 0 });
});
