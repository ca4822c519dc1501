// A resource with another name or parent and no alias: its object is never created a second time unseen.
import { expect, test } from "vitest";
import { partOf } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const made = {
  Product: `Product(NAME, { title: "P 2", variants: [{ sku: "P2", price: 5 }] }`,
  JsTag: `JsTag(NAME, { type: "JsTag::TextTag", content: "v()" }`,
  "Product without a sku": `Product(NAME, { title: "P 2", variants: [{ price: 5 }] }`,
  File: `File(NAME, { filename: "a.txt", content: "one" }`,
  "Coupon by its code": `Coupon(NAME, { code: "C4", discount: 10, typeId: 1 }`,
};

const head = `import * as pulumi from "@pulumi/pulumi";
import { Coupon, File, JsTag, Product } from "pulumi-shop";
class Group extends pulumi.ComponentResource {
  constructor(name) { super("user:index:Group", name); }
}
`;
const program = (what: string, name: string, options = "{}") =>
  `${head}new ${what.replace("NAME", JSON.stringify(name))}, ${options});\n`;
const inGroup = (what: string, more = "") =>
  `${head}const parent = new Group("group");\nnew ${what.replace("NAME", '"p2"')}, { parent${more} });\n`;

const tables = ["product", "file", "js_tag", "discount_code"];

// `npm test` has one for each way of recognising the object; the next tests have the others.
test.each(partOf(Object.entries(made), Object.entries(made).slice(2)))(
  "a %s under another name is not made again, and both ways that are told keep it",
  async (_kind, what) => {
    const world = await openWorld();
    const terminal = openTerminal(program(what, "p2"), world.env);
    const run = (...args: readonly string[]) => terminal.run(...args, "--stack", "dev");
    const first = await run("up", "--yes");
    expect(first.code, first.stdout + first.stderr).toBe(0);
    const rows = () => tables.flatMap((table) => world.rows(table).map(({ id }) => `${table} ${id}`));
    const before = rows();
    terminal.write("index.ts", program(what, "pot"));
    world.requests();
    const refused = await run("up", "--yes");
    expect(refused.code, refused.stdout).not.toBe(0);
    const told = refused.stdout + refused.stderr;
    expect(told).toContain('give it aliases: [{ name: "p2" }], or run pulumi-shop state rename p2 pot');
    expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(rows()).toEqual(before);
    terminal.write("index.ts", program(what, "pot", '{ aliases: [{ name: "p2" }] }'));
    expect((await run("preview")).stdout).not.toMatch(/to (create|delete)/);
    terminal.write("index.ts", program(what, "pot"));
    expect((await run("state", "rename", "p2", "pot")).code).toBe(0);
    expect((await run("preview", "--expect-no-changes")).code).toBe(0);
    expect(rows()).toEqual(before);
  },
);

test.each(["Product", "Coupon by its code"] as const)(
  "a %s that moves into a component, and out of it, is told with the alias that is right",
  async (kind) => {
    const what = made[kind];
    const world = await openWorld();
    const terminal = openTerminal(program(what, "p2"), world.env);
    const run = (...args: readonly string[]) => terminal.run(...args, "--stack", "dev");
    expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
    const alias = "{ parent: pulumi.rootStackResource }";
    terminal.write("index.ts", inGroup(what));
    const moved = await run("preview");
    expect(moved.code).not.toBe(0);
    expect(moved.stdout + moved.stderr).toContain(`give it aliases: [${alias}]`);
    terminal.write("index.ts", inGroup(what, `, aliases: [${alias}]`));
    const up = await run("up", "--yes");
    expect(up.code, up.stdout + up.stderr).toBe(0);
    expect(up.stdout).not.toMatch(/deleted/);
    const { urn } = (
      JSON.parse((await run("state", "list", "--json")).stdout) as { name: string; urn: string }[]
    ).find(({ name }) => name === "p2") as { urn: string };
    terminal.write("index.ts", program(what, "p2"));
    const out = await run("preview");
    expect(out.code).not.toBe(0);
    expect(out.stdout + out.stderr).toContain(`give it aliases: [${JSON.stringify(urn)}]`);
    terminal.write("index.ts", program(what, "p2", `{ aliases: [${JSON.stringify(urn)}] }`));
    const back = await run("up", "--yes");
    expect(back.code, back.stdout + back.stderr).toBe(0);
    expect(world.rows(kind === "Product" ? "product" : "discount_code")).toHaveLength(1);
  },
);

test("what is allowed by name is made a second time, and comments and JSON name a refused rename", async () => {
  const world = await openWorld();
  const terminal = openTerminal(program(made.Product, "p2"), world.env);
  const run = (...args: readonly string[]) => terminal.run(...args, "--stack", "dev");
  expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
  terminal.write("index.ts", program(made.Product, "pot"));
  for (const form of [["--json"], ["--markdown", "plan.md"]]) {
    const ran = await run("preview", ...form);
    expect(ran.code).not.toBe(0);
    const text = form.length === 1 ? ran.stdout : terminal.read("plan.md");
    expect(text).toContain("state rename p2 pot");
  }
  const allowed = await run("up", "--yes", "--allow", "pot");
  expect(allowed.code, allowed.stdout + allowed.stderr).toBe(0);
  expect(allowed.stdout).toMatch(/1 created/);
});

test("a tag whose name another one takes is not made again, and the state's command keeps it", async () => {
  const world = await openWorld();
  const one = (name: string, content: string) =>
    `new JsTag("${name}", { type: "JsTag::TextTag", content: "${content}" });\n`;
  const terminal = openTerminal(`${head}${one("p2", "v()")}`, world.env);
  const run = (...args: readonly string[]) => terminal.run(...args, "--stack", "dev");
  expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
  const [before] = world.rows("js_tag");
  terminal.write("index.ts", `${head}${one("p2", "w()")}${one("pot", "v()")}`);
  const refused = await run("up", "--skip-preview");
  expect(refused.code, refused.stdout).toBe(1);
  expect(refused.stderr).toContain(
    "both are the same object (all values are equal): run pulumi-shop state rename p2 pot",
  );
  expect((await run("state", "rename", "p2", "pot")).code).toBe(0);
  const { code, stdout, stderr } = await run("up", "--yes");
  expect(code, stdout + stderr).toBe(0);
  expect(world.rows("js_tag").map(({ id, content }) => [id, content])).toEqual([
    [before?.id, "v()"],
    [expect.anything(), "w()"],
  ]);
});
