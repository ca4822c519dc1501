// What staff changed comes into a program in YAML, value by value; of a program in another language its place is told.
import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const plugins = "plugins:\n  providers:\n    - { name: shop, path: node_modules/pulumi-shop/plugin }\n";
const yaml = `name: user
runtime: yaml
${plugins}
resources:
  # The spring sale.
  spring:
    type: shop:Coupon
    properties: { code: SPRING, typeId: 1, discount: 10, description: 'as it was' } # short
  cup:
    type: shop:Product
    name: mug
    properties:
      title: "Mug"
      permalink: mug
      description: |
        <p>One.</p>
      variants:
        - { sku: M-1, price: 24.50, oldPrice: 28.00 } # large
        - sku: M-2
          price: "19.00"
`;

interface Written {
  readonly resources: Readonly<Record<string, { type: string; name?: string; properties: object }>>;
}

/** A program of the same resources that runs here. */
const node = (text: string) =>
  `import { Coupon, Product } from "pulumi-shop";\n${Object.entries((parse(text) as Written).resources)
    .map(
      ([key, { type, name = key, properties }]) =>
        `new ${type.split(":").at(-1)}("${name}", ${JSON.stringify(properties)});\n`,
    )
    .join("")}`;

test("what staff changed comes into a program in YAML, and of one in Python its lines are told", async () => {
  const world = await openWorld();
  const terminal = openTerminal(node(yaml), world.env);
  const own = terminal.read("Pulumi.yaml") + plugins;
  const run = (...args: readonly string[]) => terminal.run(...args, "--stack", "dev");
  terminal.write("Pulumi.yaml", own);
  const up = await run("up", "--yes", "--skip-preview");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const [coupon] = world.rows("discount_code");
  const [product] = world.rows("product");
  const [first, second] = (product as { readonly variants: readonly object[] }).variants;
  // Which Pulumi would take for a value of the program's.
  const text = "it's $\u007bnow}: 15 %";
  await world.edit({ kind: "discount_code", id: coupon?.id, set: { discount: "15.0", description: text } });
  const variants = [
    { ...first, price: "26.0", old_price: null },
    { ...second, price: "17.5" },
  ];
  await world.edit({
    kind: "product",
    id: product?.id,
    set: { title: "Mug: large", description: "<p>Two.</p>", variants },
  });

  terminal.write("Pulumi.yaml", yaml.replace("runtime: yaml", "runtime: python"));
  terminal.write("__main__.py", 'shop.Coupon(\n    "spring", code="SPRING")\nshop.Product("mug")\n');
  const python = await run("accept", "spring", "--yes", "--force");
  expect([python.code, python.stdout]).toEqual([
    2,
    expect.stringContaining(
      "__main__.py:2  Coupon spring: discount: 10 % => 15 % (a program in python is written by hand)",
    ),
  ]);

  terminal.write("Pulumi.yaml", yaml);
  const refused = await run("preview");
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain(
    "a program of the runtime yaml is run by Pulumi alone: use --engine pulumi",
  );
  // Stands in for pulumi: it notes what it is asked.
  terminal.write("bin/pulumi", '#!/bin/sh\necho "$@" >> asked.log\n');
  chmodSync(join(terminal.folder, "bin/pulumi"), 0o755);
  terminal.env.PATH = [join(terminal.folder, "bin"), terminal.env.PATH].join(delimiter);
  terminal.warnings.push(/only pulumi runs a program in yaml/);
  const byPulumi = await run("up", "--yes", "--engine", "pulumi", "--overwrite", "spring");
  expect([byPulumi.code, byPulumi.stderr]).toEqual([
    0,
    expect.stringContaining("not at all: only pulumi runs a program in yaml"),
  ]);
  const saved = await run("preview", "--engine", "pulumi", "--save-plan", "p.json");
  expect(saved.stderr).toContain("only for a program in Node.js; this one is in yaml");
  expect(terminal.read("asked.log")).toBe("up --stack dev --yes\n");
  const pulled = await run("pull", "--force");
  expect(pulled.stdout + pulled.stderr).toContain("pull writes one in TypeScript");
  const { code, stdout } = await run("accept", "--all", "--yes", "--force");
  expect([code, stdout]).toEqual([2, expect.stringContaining("Pulumi.yaml:18  Product mug: description: ")]);
  const accepted = yaml
    .replace(
      "discount: 10, description: 'as it was'",
      () => "discount: 15, description: 'it''s $$\u007bnow}: 15 %'",
    )
    .replace('"Mug"', '"Mug: large"')
    .replace("price: 24.50, oldPrice: 28.00", 'price: 26.00, oldPrice: ""')
    .replace('"19.00"', '"17.50"');
  expect(terminal.read("Pulumi.yaml")).toBe(accepted);

  // With the text that is left, the program asks what the shop has.
  terminal.write("Pulumi.yaml", own);
  terminal.write(
    "index.ts",
    node(accepted.replace("One", "Two").replace("$$", () => "$")).replace("</p>\\n", "</p>"),
  );
  const after = await run("preview", "--expect-no-changes");
  expect(after.code, after.stdout).toBe(0);
});
