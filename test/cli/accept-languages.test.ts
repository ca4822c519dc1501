// `accept` for programs in other languages: YAML is edited value by value; for other languages the line is reported.
import { chmodSync, readFileSync } from "node:fs";
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
  # Ends soon.
  gone:
    type: shop:Coupon
    properties: { code: GONE, typeId: 1, discount: 5 }
  pot:
    type: shop:Product
    properties:
      title: Pot
      permalink: pot
      variants: [{ sku: P-1, price: 1 }, { sku: P-2, price: 2 }, { sku: P-3, price: 3 }]

  sheet:
    type: shop:Prices
    properties: { file: prices.csv }
  jug:
    type: shop:Product
    properties:
      title: Jug
      permalink: jug
      variants:
        - { sku: J-1, price: 1 }
        # the second
        - sku: J-2
          price: 2
        - { sku: J-3, price: 3 } # the last
`;

interface Written {
  readonly resources: Readonly<Record<string, { type: string; name?: string; properties: object }>>;
}

/** A program with the same resources that runs here. */
const node = (text: string) =>
  `import { Coupon, Prices, Product } from "pulumi-shop";\n${Object.entries(
    (parse(text) as Written).resources,
  )
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
  terminal.write("prices.csv", "sku,price\nL-1,4\n");
  await world.client.products.create({ title: "Lid", variants: [{ sku: "L-1", price: 3 }] });
  const up = await run("up", "--yes", "--skip-preview");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  const coupon = world.rows("discount_code").find(({ code }) => code === "SPRING");
  const rows = new Map(world.rows("product").map((row) => [row.permalink, row]));
  const variantsOf = (name: string) => (rows.get(name) as { readonly variants: readonly object[] }).variants;
  const product = rows.get("mug");
  const [first, second] = variantsOf("mug");
  // Pulumi would read it as an interpolation.
  const text = "it's $\u007bnow}: 15 %";
  await world.edit({ kind: "discount_code", id: coupon?.id, set: { discount: "15.0", description: text } });
  const variants = [
    { ...first, price: "26.0", old_price: null },
    { ...second, price: "17.5" },
  ];
  await world.edit({
    kind: "product",
    id: product?.id,
    set: { title: "Mug: large", description: "<p>Two: $\u007bx}</p>\n\n<p>2</p>\n", variants },
  });
  await world.edit({ kind: "discount_code", where: { code: "GONE" }, delete: true });
  const [potOne] = variantsOf("pot");
  const [jugOne, , jugThree] = variantsOf("jug");
  const fourth = { ...potOne, id: 990_001, sku: "P-4", price: "4.5" };
  await world.edit({ kind: "product", id: rows.get("pot")?.id, set: { variants: [potOne, fourth] } });
  const fifth = { ...jugOne, id: 990_002, sku: "J-5: b", price: "5.5" };
  await world.edit({
    kind: "product",
    id: rows.get("jug")?.id,
    // Pulumi would read it as a number.
    set: { title: "1_0", variants: [jugOne, jugThree, fifth] },
  });

  terminal.write("Pulumi.yaml", yaml.replace("runtime: yaml", "runtime: python"));
  terminal.write("__main__.py", 'shop.Coupon(\n    "spring", code="SPRING")\nshop.Product("mug")\n');
  const python = await run("accept", "spring", "--yes", "--force");
  expect([python.code, python.stdout]).toEqual([
    2,
    expect.stringContaining(
      "__main__.py:2  Coupon spring: discount: 10 % => 15 % (edit the python program by hand)",
    ),
  ]);
  // It computes the name.
  terminal.write("__main__.py", 'for code in ["Spring"]:\n    shop.Coupon(code.lower(), code=code)\n');
  expect((await run("accept", "spring", "--yes", "--force")).stdout).toContain(
    "__main__.py:2  Coupon spring: ",
  );

  terminal.write("Pulumi.yaml", yaml);
  const refused = await run("preview");
  expect(refused.code).not.toBe(0);
  expect(refused.stdout + refused.stderr).toContain(
    "only Pulumi runs programs of the runtime yaml: use --engine pulumi",
  );
  // A fake pulumi that records its arguments.
  terminal.write("bin/pulumi", '#!/bin/sh\necho "$@" >> asked.log\n');
  chmodSync(join(terminal.folder, "bin/pulumi"), 0o755);
  terminal.env.PATH = [join(terminal.folder, "bin"), terminal.env.PATH].join(delimiter);
  terminal.warnings.push(/only pulumi runs a program in yaml/);
  const byPulumi = await run("up", "--yes", "--engine", "pulumi", "--overwrite", "spring");
  expect([byPulumi.code, byPulumi.stderr]).toEqual([
    0,
    expect.stringContaining("are not checked: only pulumi runs a program in yaml"),
  ]);
  const saved = await run("preview", "--engine", "pulumi", "--save-plan", "p.json");
  expect(saved.stderr).toContain("saved plans need a program in Node.js; this one is in yaml");
  expect(terminal.read("asked.log")).toBe("up --stack dev --yes\n");
  const pulled = await run("pull", "--force");
  expect(pulled.stdout + pulled.stderr).toContain("pull writes one in TypeScript");
  const state = terminal.read("backend/.pulumi/stacks/user/dev.json");
  const dry = await run("accept", "--all", "--dry-run");
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining("+        - { sku: M-1, price: 26.00")]);
  expect([terminal.read("Pulumi.yaml"), terminal.read("backend/.pulumi/stacks/user/dev.json")]).toEqual([
    yaml,
    state,
  ]);
  const { code, stdout } = await run("accept", "--all", "--yes", "--force");
  expect(code, stdout).toBe(0);
  const accepted = yaml
    .replace(
      "discount: 10, description: 'as it was'",
      () => "discount: 15, description: 'it''s $$\u007bnow}: 15 %'",
    )
    .replace('"Mug"', '"Mug: large"')
    .replace("title: Jug", 'title: "1_0"')
    .replace("price: 24.50, oldPrice: 28.00", 'price: 26.00, oldPrice: ""')
    .replace('"19.00"', '"17.50"')
    .replace("<p>One.</p>\n", () => "<p>Two: $$\u007bx}</p>\n\n        <p>2</p>\n")
    .replace(/ {2}# Ends soon\.[\s\S]*?(?= {2}pot:)/, "")
    .replace("{ sku: P-2, price: 2 }, { sku: P-3, price: 3 }", "{ sku: P-4, price: 4.5 }")
    .replace(/ {8}# the second[\s\S]*?(?= {8}- \{ sku: J-3)/, "")
    .replace("# the last\n", '# the last\n        - { sku: "J-5: b", price: 5.5 }\n');
  expect(terminal.read("Pulumi.yaml")).toBe(accepted);

  // A checkout that has the edits has nothing to take in; another one takes them in beside its own changes.
  const again = await run("accept", "--all", "--yes", "--force");
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining("staff changed nothing")]);
  terminal.write("Pulumi.yaml", yaml.replace('"Mug"', '"Cup"'));
  const other = await run("accept", "--all", "--yes", "--force");
  expect([other.code, other.stdout]).toEqual([
    2,
    expect.stringContaining('Product mug: title: "Mug" => "Mug: large" (both changed it;'),
  ]);
  expect(terminal.read("Pulumi.yaml")).toBe(accepted.replace('"Mug: large"', '"Cup"'));

  // The program has the shop's values.
  terminal.write("Pulumi.yaml", own);
  terminal.write("index.ts", node(accepted.replaceAll("$$", () => "$")));
  const after = await run("preview", "--expect-no-changes");
  expect(after.code, after.stdout).toBe(0);
  // The drift of the sheet is reported.
  const lid = world.rows("product").find(({ title }) => title === "Lid");
  const [only] = (lid?.variants ?? []) as readonly object[];
  await world.edit({ kind: "product", id: lid?.id, set: { variants: [{ ...only, price: "5.0" }] } });
  terminal.write("Pulumi.yaml", accepted);
  // A cell that the program changed, too, is only accepted with --theirs.
  terminal.write("prices.csv", "sku,price\nL-1,4.5\n");
  const both = await run("accept", "--all", "--yes", "--force");
  expect([both.code, both.stdout + both.stderr]).toEqual([
    2,
    expect.stringContaining(
      "Prices sheet: rows[L-1].price: 4 => 5 (both changed it; --theirs accepts the shop's value)",
    ),
  ]);
  terminal.write("prices.csv", "sku,price\nL-1,4\n");
  const sheet = await run("accept", "--all", "--yes", "--force");
  expect([sheet.code, sheet.stdout]).toEqual([
    0,
    expect.stringContaining("Prices sheet: rows[L-1].price: 4 => 5  (prices.csv:2)"),
  ]);
  expect(terminal.read("prices.csv")).toBe("sku,price\nL-1,5\n");
});

test("files come into a program in YAML as staff changed them: a template, a settings file in its layout, and a picture", async () => {
  const world = await openWorld();
  const pixel = (last: string) =>
    Buffer.concat([Buffer.from("89504e470d0a1a0a00", "hex"), Buffer.from(last)]);
  const files = ["Template page.care.liquid", "Configuration extra.json", "Media dot.png"].map((line) =>
    line.split(" "),
  );
  const asset = ([kind, name]: readonly string[]) => ({
    ...{ type: `Asset::${kind}`, name, file: `theme/${name}` },
    themeId: world.rows("theme").find((row) => row.is_published)?.id,
  });
  const terminal = openTerminal(
    `import { Asset } from "pulumi-shop";\n${files.map((one, n) => `new Asset("a${n}", ${JSON.stringify(asset(one))});\n`).join("")}`,
    world.env,
  );
  const own = terminal.read("Pulumi.yaml") + plugins;
  const run = (...args: readonly string[]) => terminal.run(...args, "--stack", "dev");
  terminal.write("Pulumi.yaml", own);
  terminal.write("theme/page.care.liquid", "<h1>Care</h1>\n<p>Wash.</p>\n<hr>\n<p>Dry.</p>\n");
  terminal.write("theme/extra.json", '{\n    "colour": "red",   "size": 1\n}\n');
  terminal.write("theme/dot.png", pixel("one"));
  const up = await run("up", "--yes", "--skip-preview");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  await world.control("POST", "clock", { advanceSeconds: 5 });
  const row = (name = "") =>
    world.rows("asset").find((one) => one.name === name) as { readonly id: number; theme_id: number };
  const edit = (name: string, body: object) =>
    world.client.assets.edit({ themeId: row(name).theme_id, id: row(name).id, ...body });
  await edit("page.care.liquid", { content: "<h1>Care</h1>\n<p>Wash at 30.</p>\n<hr>\n<p>Dry.</p>\n" });
  await edit("extra.json", { content: '{"colour":"blue","size":1}' });
  await edit("dot.png", { attachment: pixel("two").toString("base64") });

  const text = `name: user\nruntime: yaml\n${plugins}\nresources:\n${files.map((one, n) => `  a${n}: { type: "shop:Asset", properties: ${JSON.stringify(asset(one))} }\n`).join("")}`;
  terminal.write("Pulumi.yaml", text);
  // The program's own line is kept beside the line that staff changed.
  terminal.write("theme/page.care.liquid", "<h1>Care</h1>\n<p>Wash.</p>\n<hr>\n<p>Dry flat.</p>\n");
  const dry = await run("accept", "--all", "--dry-run");
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining("Binary file theme/dot.png: 12 bytes")]);
  const accepted = await run("accept", "--all", "--yes", "--force");
  expect([accepted.code, accepted.stdout]).toEqual([
    0,
    expect.stringContaining("Asset a2: content: the shop's file  (theme/dot.png)"),
  ]);
  expect(terminal.read("theme/page.care.liquid")).toBe(
    "<h1>Care</h1>\n<p>Wash at 30.</p>\n<hr>\n<p>Dry flat.</p>\n",
  );
  expect(terminal.read("theme/extra.json")).toBe('{\n    "colour": "blue",   "size": 1\n}\n');
  expect(readFileSync(join(terminal.folder, "theme/dot.png"))).toEqual(pixel("two"));

  terminal.write("Pulumi.yaml", own);
  // The program has the shop's values beside its own line and layout.
  terminal.write("theme/page.care.liquid", "<h1>Care</h1>\n<p>Wash at 30.</p>\n<hr>\n<p>Dry.</p>\n");
  terminal.write("theme/extra.json", '{"colour":"blue","size":1}');
  const after = await run("preview", "--expect-no-changes");
  expect(after.code, after.stdout + after.stderr).toBe(0);
});

test("a picture that staff uploaded comes into its file", async () => {
  const world = await openWorld();
  const themeId = world.rows("theme").find((row) => row.is_published)?.id;
  const terminal = openTerminal(
    `import { Asset } from "pulumi-shop";\nnew Asset("dot", { themeId: ${themeId}, type: "Asset::Media", name: "dot.png", file: "dot.png" });\n`,
    world.env,
  );
  const picture = (last: string) =>
    Buffer.concat([Buffer.from("89504e470d0a1a0a00ff", "hex"), Buffer.from(last)]);
  terminal.write("dot.png", picture("one"));
  const run = (...args: readonly string[]) => terminal.run(...args, "--stack", "dev");
  const up = await run("up", "--yes", "--skip-preview");
  expect(up.code, up.stdout + up.stderr).toBe(0);
  await world.control("POST", "clock", { advanceSeconds: 5 });
  const id = world.rows("asset").find(({ name }) => name === "dot.png")?.id as number;
  const attachment = picture("two").toString("base64");
  await world.client.assets.edit({ themeId: themeId as number, id, attachment });
  const accepted = await run("accept", "--all", "--yes", "--force");
  expect([accepted.code, accepted.stdout + accepted.stderr]).toEqual([
    0,
    expect.stringContaining("Asset dot: content: the shop's file  (dot.png)"),
  ]);
  expect(readFileSync(join(terminal.folder, "dot.png"))).toEqual(picture("two"));
  const after = await run("preview", "--expect-no-changes");
  expect(after.code, after.stdout + after.stderr).toBe(0);
});

test("a value in YAML that an alias repeats elsewhere is listed, because an edit would change both", async () => {
  const world = await openWorld();
  const coupons = `name: user
runtime: yaml
${plugins}
resources:
  a:
    type: shop:Coupon
    properties: &common
      code: A
      typeId: 1
      discount: &ten 10
      minPrice: 3
  b:
    type: shop:Coupon
    properties: { code: B, typeId: 1, discount: *ten, minPrice: &own 4 }
  c:
    type: shop:Coupon
    properties:
      <<: *common
      code: C
`;
  const program = `import { Coupon } from "pulumi-shop";
for (const [code, minPrice] of [["A", 3], ["B", 4], ["C", 3]] as const)
  new Coupon(code.toLowerCase(), { code, typeId: 1, discount: 10, minPrice });
`;
  const terminal = openTerminal(program, world.env);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
  expect((await terminal.run("up", "--yes", "--skip-preview", "--stack", "dev")).code).toBe(0);
  for (const code of ["A", "B"])
    await world.edit({ kind: "discount_code", where: { code }, set: { discount: "15.0", min_price: "9.0" } });
  await world.edit({ kind: "discount_code", where: { code: "C" }, delete: true });
  terminal.write("Pulumi.yaml", coupons);
  const { code, stdout } = await terminal.run("accept", "--all", "--yes", "--force", "--stack", "dev");
  expect(code).toBe(2);
  for (const line of [
    "Pulumi.yaml:13  Coupon a: discount: 10 % => 15 % (an alias of &common uses it elsewhere)",
    "Pulumi.yaml:14  Coupon a: minPrice: 3 => 9 (an alias of &common uses it elsewhere)",
    "Pulumi.yaml:17  Coupon b: discount: 10 % => 15 % (the anchor &ten gives it)",
  ])
    expect(stdout).toContain(line);
  expect(terminal.read("Pulumi.yaml")).toBe(
    coupons.replace("&own 4", "&own 9").replace(/ {2}c:\n[\s\S]*/, ""),
  );
});

test("the lines of a text in YAML that staff and the program both changed are merged", async () => {
  const world = await openWorld();
  const lines = (two: string, four: string) =>
    ["one", two, "three", four].map((line) => `${line}\n`).join("");
  const program = (text: string) => `name: user
runtime: yaml
${plugins}
resources:
  a:
    type: shop:Coupon
    properties:
      code: A # ours
      discount: { percent: 5 }
      description: |
${text.replaceAll(/^(?=.)/gm, "        ")}`;
  const terminal = openTerminal(node(program(lines("two", "four"))), world.env, plugins);
  await terminal.done("up", "--yes", "--skip-preview");
  const staff = (description: string) =>
    world.edit({ kind: "discount_code", where: { code: "A" }, set: { description } });
  await staff(lines("two by staff", "four"));
  terminal.write("Pulumi.yaml", program(lines("two", "four by us")));
  const { stdout } = await terminal.done("accept", "--all", "--yes", "--force");
  expect(stdout).toContain("  Coupon a: description: the lines of both  (Pulumi.yaml:13)\n");
  expect(terminal.read("Pulumi.yaml")).toBe(program(lines("two by staff", "four by us")));

  await staff(lines("two by staff", "four, too"));
  const refused = await terminal.dev("accept", "--all", "--yes", "--force");
  expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining("both changed it; --theirs")]);
  await terminal.done("accept", "--all", "--theirs", "--yes", "--force");
  expect(terminal.read("Pulumi.yaml")).toBe(program(lines("two by staff", "four, too")));
});

test("a resource in YAML that staff deleted takes its own comments along, and no comment or text of others", async () => {
  const world = await openWorld();
  const coupon = (code: string, rest = "") =>
    `  ${code}:\n    type: shop:Coupon\n    properties:\n      code: ${code}\n      discount: 5\n      typeId: 1\n${rest}`;
  const text = [
    `name: user\nruntime: yaml\n${plugins}resources:\n`,
    `  # For two seasons.\n${coupon("spring")}${coupon("autumn", "      description: |\n        Now\n        # 1\n")}`,
    `${coupon("winter")}\n  # The last one.\n${coupon("last")}`,
  ].join("");
  const terminal = openTerminal(node(text), world.env, plugins);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const code of ["spring", "winter", "last"])
    await world.edit({ kind: "discount_code", where: { code }, delete: true });
  terminal.write("Pulumi.yaml", text);
  const { stdout } = await terminal.done("accept", "--all", "--yes", "--force");
  expect(terminal.read("Pulumi.yaml")).toBe(
    text
      .replace(coupon("spring"), "")
      .replace(coupon("winter"), "")
      .replace(`  # The last one.\n${coupon("last")}`, ""),
  );
  for (const [code, line] of Object.entries({ spring: 8, winter: 23, last: 31 }))
    expect(stdout).toContain(`  Coupon ${code}: deleted by staff  (Pulumi.yaml:${line})\n`);
});

test("a resource in YAML that the program has renamed is known by its aliases, also if staff deleted it", async () => {
  const world = await openWorld();
  const coupon = (name: string, code: string, options = "") =>
    `  ${name}:\n    type: shop:Coupon\n${options}    properties: { code: ${code}, discount: 5, typeId: 1 }\n`;
  const head = `name: user\nruntime: yaml\n${plugins}resources:\n`;
  const terminal = openTerminal(node(head + coupon("a", "A") + coupon("b", "B")), world.env, plugins);
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: "9.0" } });
  await world.edit({ kind: "discount_code", where: { code: "B" }, delete: true });
  const first = coupon("a-now", "A", "    options: { aliases: [{ name: a }] }\n");
  const urn = "urn:pulumi:dev::user::shop:index:Coupon::b";
  terminal.write(
    "Pulumi.yaml",
    head + first + coupon("b-now", "B", `    options:\n      aliases: [ "${urn}" ]\n`),
  );
  const { stdout } = await terminal.done("accept", "--all", "--yes", "--force");
  expect(stdout).toContain("  Coupon a: discount: 5 % => 9 %  (Pulumi.yaml:");
  expect(stdout).toContain("  Coupon b: deleted by staff  (Pulumi.yaml:");
  expect(terminal.read("Pulumi.yaml")).toBe(head + first.replace("discount: 5", "discount: 9"));
});

test("a text of staff in place of a number in YAML is quoted, and stays the text that it is", async () => {
  const world = await openWorld();
  const head = `name: user\nruntime: yaml\n${plugins}resources:\n`;
  const coupon = (name: string, code: string) =>
    `  ${name}: { type: "shop:Coupon", properties: { discount: 5, typeId: 1, code: ${code} } }\n`;
  const texts = ["Mai: 10 #1", "- x", "007", "0103", "1.10", "2025"];
  const text = (codes: readonly string[]) => head + codes.map((code, n) => coupon(`c${n}`, code)).join("");
  const before = text(texts.map((_text, n) => `10${n}`));
  const program = node(before).replaceAll(/"code":(\d+)/g, '"code":"$1"');
  const terminal = openTerminal(program, world.env, plugins);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const [n, code] of texts.entries())
    await world.edit({ kind: "discount_code", where: { code: `10${n}` }, set: { code } });
  terminal.write("Pulumi.yaml", before);
  await terminal.done("accept", "--all", "--yes", "--force");
  expect(terminal.read("Pulumi.yaml")).toBe(
    text(['"Mai: 10 #1"', '"- x"', '"007"', '"0103"', '"1.10"', "2025"]),
  );
});

test("a text that a program in YAML reads from a file is written there, unless other resources read it too", async () => {
  const world = await openWorld();
  const product = (name: string, text: string) =>
    `  ${name}:\n    type: shop:Product\n    properties: { title: ${name}, permalink: ${name}, description: ${text}, variants: [{ sku: ${name}, price: 1 }] }\n`;
  const head = `name: user\nruntime: yaml\n${plugins}resources:\n`;
  const both = "<p>one</p>\r\n<p>two</p>\r\n<p>three</p>\r\n";
  const texts = { mug: "mug\n", bowl: both, jug: "jug", pot: "jug" };
  const text = (of: (name: string) => string) =>
    head +
    Object.keys(texts)
      .map((name) => product(name, of(name)))
      .join("");
  const file = (name: string) => `{ "fn::readFile": "texts/${name === "pot" ? "jug" : name}.html" }`;
  const program = node(text((name) => JSON.stringify(texts[name as keyof typeof texts])));
  const terminal = openTerminal(program, world.env, plugins);
  await terminal.done("up", "--yes", "--skip-preview");
  for (const [permalink, description] of Object.entries({
    mug: "cup\n",
    bowl: both.replaceAll("\r\n", "\n").replace("three", "3"),
    jug: "can",
  }))
    await world.edit({ kind: "product", where: { permalink }, set: { description } });
  terminal.write("Pulumi.yaml", text(file));
  for (const [name, own] of Object.entries(texts)) terminal.write(`texts/${name}.html`, own);
  // The program's own change is in another line.
  terminal.write("texts/bowl.html", both.replace("one", "1"));
  const ran = await terminal.dev("accept", "--all", "--yes", "--force");
  expect(ran.code).toBe(2);
  expect(ran.stdout).toContain(
    '  texts/jug.html:1  Product jug: description: "jug" => "can" (other resources read the same file)\n',
  );
  expect(terminal.read("Pulumi.yaml")).toBe(text(file));
  expect(["mug", "bowl", "jug"].map((name) => terminal.read(`texts/${name}.html`))).toEqual([
    "cup\n",
    both.replace("one", "1").replace("three", "3"),
    "jug",
  ]);
});
