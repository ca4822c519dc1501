// An object that staff deleted and made again is the same resource: a pull keeps its name, and up takes the new one over.
import { expect, test } from "vitest";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

test("a pull keeps the names of objects that staff deleted and made again, and up then changes nothing", async () => {
  const world = await openWorld();
  await world.client.coupons.create({ code: "SPRING", discount: 10, typeId: 1 });
  await world.client.products.create({ title: "Mug", variants: [{ sku: "MUG", price: 5 }] });
  await world.client.priceKinds.create({ title: "Wholesale" });
  const terminal = openTerminal("", world.env);
  const right = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await terminal.run(...args, "--stack", "dev");
    expect(code, stdout + stderr).toBe(0);
    return stdout + stderr;
  };
  const pull = () => right("pull", "coupons", "products", "price-kinds", "--force");
  await pull();
  await right("up", "--yes");
  const program = terminal.read("coupons.ts");
  for (const { id, code } of world.rows("discount_code")) {
    await world.client.coupons.remove({ id: Number(id) });
    await world.client.coupons.create({ code: String(code), discount: 20, typeId: 1 });
  }
  for (const { id } of world.rows("price_kind")) {
    await world.client.priceKinds.remove({ id: Number(id) });
    for (const title of ["Wholesale", "Wholesale"]) await world.client.priceKinds.create({ title });
  }
  const pulled = await pull();
  expect(pulled).toContain("Coupon spring was deleted in the shop and made again");
  expect(terminal.read("coupons.ts")).toBe(program.replace("percent: 10", "percent: 20"));
  // Of two that could be it the first one is.
  expect(terminal.read("price-kinds.ts").match(/new PriceKind\("[^"]+"/g)).toEqual([
    'new PriceKind("wholesale"',
    'new PriceKind("wholesale-2"',
  ]);
  world.requests();
  // Without a refresh it is a conflict, and no word of a person makes a second one.
  const refused = await terminal.run(
    "up",
    "--stack",
    "dev",
    "--yes",
    "--overwrite",
    "spring",
    "--allow",
    "*",
  );
  expect(refused.code, refused.stdout).toBe(1);
  expect(refused.stdout).toMatch(/adopt: last run \d+, the program asks \d+/);
  expect(refused.stdout).toContain("up --refresh takes over what adopt names now (spring)");
  const plan = await right("preview", "--refresh");
  expect(plan).toMatch(/= Coupon +spring +to adopt/);
  await right("up", "--refresh", "--yes");
  expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  await right("preview", "--refresh", "--expect-no-changes");
});

test("what staff made again is shown as adopted, with its values, also where the program moves to the other form", async () => {
  const world = await openWorld();
  const plugin = "plugins: { providers: [{ name: shop, path: node_modules/pulumi-shop/plugin }] }\n";
  const program = `import { Product } from "pulumi-shop";
new Product("mug", { title: "Mug", permalink: "mug", variants: [{ sku: "MUG", price: 5 }] });
`;
  const terminal = openTerminal(program, world.env);
  const up = await terminal.run("up", "--stack", "dev", "--yes", "--skip-preview");
  expect(up.code, up.stdout).toBe(0);
  await world.client.products.remove({ id: Number(world.rows("product")[0]?.id) });
  await world.client.products.create({
    title: "Mug",
    permalink: "mug",
    variants: [{ sku: "MUG", price: 9 }],
  });
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugin);
  terminal.write(
    "Pulumi.dev.yaml",
    terminal.read("Pulumi.dev.yaml").replace("config: {}", "config:\n  shop:adopt: key"),
  );
  const { code, stdout, stderr } = await terminal.run("preview", "--stack", "dev", "--refresh");
  expect(code, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/= Product +mug +to adopt/);
  expect(stdout).toContain("variants[MUG].price: expected 5, got 9");
});
