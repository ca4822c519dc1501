// A resource with another name or parent and no alias: its object is never created a second time unseen.
import { expect, test } from "vitest";
import { partOf } from "../support/campaign.ts";
import { openWorld } from "../support/world.ts";
import { openScene, openTerminal } from "./terminal.ts";

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
    const { world, terminal } = await openScene(program(what, "p2"));
    await terminal.done("up", "--yes");
    const rows = () => tables.flatMap((table) => world.rows(table).map(({ id }) => `${table} ${id}`));
    const before = rows();
    terminal.write("index.ts", program(what, "pot"));
    world.requests();
    const refused = await terminal.dev("up", "--yes");
    expect(refused.code, refused.stdout).not.toBe(0);
    const told = refused.all;
    expect(told).toContain('give it aliases: [{ name: "p2" }], or run pulumi-shop state rename p2 pot');
    expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
    expect(rows()).toEqual(before);
    terminal.write("index.ts", program(what, "pot", '{ aliases: [{ name: "p2" }] }'));
    expect((await terminal.dev("preview")).stdout).not.toMatch(/to (create|delete)/);
    terminal.write("index.ts", program(what, "pot"));
    await terminal.done("state", "rename", "p2", "pot");
    await terminal.done("preview", "--expect-no-changes");
    expect(rows()).toEqual(before);
  },
);

test.each(["Product", "Coupon by its code"] as const)(
  "a %s that moves into a component, and out of it, is told with the alias that is right",
  async (kind) => {
    const what = made[kind];
    const { world, terminal } = await openScene(program(what, "p2"));
    await terminal.done("up", "--yes", "--skip-preview");
    const alias = "{ parent: pulumi.rootStackResource }";
    terminal.write("index.ts", inGroup(what));
    const moved = await terminal.dev("preview");
    expect(moved.code).not.toBe(0);
    expect(moved.all).toContain(`give it aliases: [${alias}]`);
    terminal.write("index.ts", inGroup(what, `, aliases: [${alias}]`));
    const up = await terminal.done("up", "--yes");
    expect(up.stdout).not.toMatch(/deleted/);
    const { urn } = (
      JSON.parse((await terminal.dev("state", "list", "--json")).stdout) as { name: string; urn: string }[]
    ).find(({ name }) => name === "p2") as { urn: string };
    terminal.write("index.ts", program(what, "p2"));
    const out = await terminal.dev("preview");
    expect(out.code).not.toBe(0);
    expect(out.all).toContain(`give it aliases: [${JSON.stringify(urn)}]`);
    terminal.write("index.ts", program(what, "p2", `{ aliases: [${JSON.stringify(urn)}] }`));
    await terminal.done("up", "--yes");
    expect(world.rows(kind === "Product" ? "product" : "discount_code")).toHaveLength(1);
  },
);

test("what is allowed by name is made a second time, and comments and JSON name a refused rename", async () => {
  const { terminal } = await openScene(program(made.Product, "p2"));
  await terminal.done("up", "--yes", "--skip-preview");
  terminal.write("index.ts", program(made.Product, "pot"));
  for (const form of [["--json"], ["--markdown", "plan.md"]]) {
    const ran = await terminal.dev("preview", ...form);
    expect(ran.code).not.toBe(0);
    const text = form.length === 1 ? ran.stdout : terminal.read("plan.md");
    expect(text).toContain("state rename p2 pot");
  }
  const allowed = await terminal.done("up", "--yes", "--allow", "pot");
  expect(allowed.stdout).toMatch(/1 created/);
});

test("a tag whose name another one takes is not made again, and the state's command keeps it", async () => {
  const world = await openWorld();
  const one = (name: string, content: string) =>
    `new JsTag("${name}", { type: "JsTag::TextTag", content: "${content}" });\n`;
  const terminal = openTerminal(`${head}${one("p2", "v()")}`, world.env);
  await terminal.done("up", "--yes", "--skip-preview");
  const [before] = world.rows("js_tag");
  terminal.write("index.ts", `${head}${one("p2", "w()")}${one("pot", "v()")}`);
  const refused = await terminal.dev("up", "--skip-preview");
  expect(refused.code, refused.stdout).toBe(1);
  expect(refused.stderr).toContain(
    "both are the same object (all values are equal): run pulumi-shop state rename p2 pot",
  );
  await terminal.done("state", "rename", "p2", "pot");
  const { code, all } = await terminal.dev("up", "--yes");
  expect(code, all).toBe(0);
  expect(world.rows("js_tag").map(({ id, content }) => [id, content])).toEqual([
    [before?.id, "v()"],
    [expect.anything(), "w()"],
  ]);
});

test("under another name of the project, the stack whose state it had is named, with the ways back to it", async () => {
  const { terminal } = await openScene(program(made.JsTag, "p2"));
  await terminal.done("up", "--yes");
  const project = terminal.read("Pulumi.yaml");
  terminal.write("Pulumi.yaml", project.replace("name: user", "name: renamed"));
  expect((await terminal.dev("preview")).all).toContain(
    "renamed/dev has no state yet, and the stack user/dev has objects of this shop. If user is the old name of this project, " +
      "write name: user in Pulumi.yaml again, or run pulumi stack rename organization/renamed/dev --stack organization/user/dev",
  );
  terminal.write("Pulumi.yaml", project);
  expect((await terminal.done("preview", "--expect-no-changes")).all).not.toContain("no state yet");
});

test("a state with resources of another project asks for aliases with that project", async () => {
  const { terminal } = await openScene(program(made["Coupon by its code"], "p2"));
  await terminal.done("up", "--yes");
  const state = "backend/.pulumi/stacks/user/dev.json";
  terminal.write(state, terminal.read(state).replaceAll("urn:pulumi:dev::user::", "urn:pulumi:dev::older::"));
  const refused = await terminal.dev("preview");
  expect(refused.all).toMatch(/if this is p2, give it aliases: \[\{ project: "older" \}\]\n/);
  terminal.write(
    "index.ts",
    program(made["Coupon by its code"], "p2", '{ aliases: [{ project: "older" }] }'),
  );
  await terminal.done("preview", "--expect-no-changes");
});
