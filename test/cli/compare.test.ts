// `compare` reports differences, and nothing that can't be equal (ids, timestamps, stock).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { comparisonLines, comparisonMarkdown } from "../../cli/terminal/comparison.ts";
import { campaignTest } from "../support/campaign.ts";
import { plugged } from "../support/forms.ts";
import { openFront } from "../support/front.ts";
import { openWorld, type World } from "../support/world.ts";
import { furnish } from "./furnish.ts";
import { connectStack, openScene, openTerminal } from "./terminal.ts";

const program = `import { Asset, Coupon, File, getThemeOutput, Product } from "pulumi-shop";
const theme = getThemeOutput({ published: true });
new Product("mug", { title: "Mug", permalink: "mug", variants: [{ sku: "R", price: 10, quantity: 3 }, { sku: "B", price: 12 }] });
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });
new Asset("page", { themeId: theme.id, type: "Asset::Template", name: "page.care.liquid", file: "care.liquid" });
new File("chart", { content: "a,b\\n", filename: "chart.csv" });
`;

async function opened() {
  const [staging, live] = [await openWorld(), await openWorld()];
  const terminal = openTerminal(program, { SHOP_PASSWORD: staging.credentials.password });
  terminal.write("care.liquid", "one\ntwo\nthree\n");
  const connect = async (stack: string, world: World) => {
    await connectStack(terminal, stack, world);
    await terminal.done("up", "--stack", stack, "--yes", "--skip-preview");
  };
  await connect("staging", staging);
  await connect("live", live);
  return { staging, live, terminal };
}

describe("compare", () => {
  test("of two shops with other ids throughout says that they are equal", async () => {
    const { staging, live, terminal } = await opened();
    const ids = (world: World) =>
      ["product", "discount_code", "asset", "theme", "file"].flatMap((table) =>
        world.rows(table).map(({ id }) => id),
      );
    expect(ids(staging).filter((id) => ids(live).includes(id))).toEqual([]);
    const numbers =
      "not compared: Product.categoryId (1 object): it names an object by a number that can't be looked up\n";
    const stock = "not compared: Product.variants.quantity (1 object): the shop changes it by itself\n";
    const unstated = (field: string) => `not compared: ${field} (1 object): the program doesn't set it\n`;
    const ofProgram = [
      ...["Coupon.actOnce", "Coupon.disabled"].map(unstated),
      numbers,
      ...["Product.currencyCode", "Product.isHidden", "Product.unit"].map(unstated),
      stock,
      unstated("Product.vat"),
    ].join("");
    for (const [sides, left] of [
      [["staging", "live"], numbers + stock],
      [["shop:staging", "shop:live"], numbers + stock],
      [["staging", "program:live"], ofProgram],
    ] as const) {
      const { code, stdout, stderr } = await terminal.run("compare", ...sides);
      expect([code, stdout], stderr).toEqual([
        0,
        `${sides.join(" and ")} are equal in what was compared\n${left}`,
      ]);
    }
    expect(live.requests().filter((line) => line.startsWith("PUT") || line.startsWith("DELETE"))).toEqual([]);
  });

  test("says what is only in one, and both values of what differs; a text as hunks; exit code 7", async () => {
    const { staging, live, terminal } = await opened();
    await staging.client.coupons.create({ code: "EXTRA", discount: 1, typeId: 1 });
    await live.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
    await live.edit({
      kind: "asset",
      where: { name: "page.care.liquid" },
      set: { content: "one\n2\nthree\n" },
    });
    const product = live.rows("product")[0] as { variants: readonly Record<string, unknown>[] } & Record<
      string,
      unknown
    >;
    await live.edit({ kind: "product", id: product.id, set: { variants: product.variants.slice(0, 1) } });
    const { code, stdout } = await terminal.run("compare", "shop:staging", "shop:live");
    expect(code).toBe(7);
    expect(stdout).toContain("- Coupon             EXTRA   only in shop:staging");
    expect(stdout).toContain("~ Coupon             SPRING\n       ~ discount: 10 % => 55 %");
    expect(stdout).toMatch(/~ content:\n.*@@ -1,3 \+1,3 @@\n.* one\n\s+- two\n\s+\+ 2\n.* three\n/);
    expect(stdout).toMatch(/- variants\[B\]: /);
    expect(stdout).not.toMatch(/updatedAt|\bid\b/);
    expect(stdout.match(/.*quantity.*/g)).toEqual([
      "not compared: Product.variants.quantity (1 object): the shop changes it by itself",
    ]);
    expect(stdout.trim().split("\n").at(-1)).toBe("3 different, 1 only in shop:staging, 0 only in shop:live");
    // A stack compares only what it manages.
    expect((await terminal.run("compare", "staging", "live")).stdout).not.toContain("EXTRA");
  });

  test("tells what is in an item that only one side has", async () => {
    const world = await openWorld();
    const variant = (sku: string, price: number) => ({ sku, price });
    await world.client.products.create({ title: "Pot", permalink: "pot", variants: [variant("A", 15)] });
    const terminal = openTerminal(
      `import { Product } from "pulumi-shop";\nnew Product("pot", ${JSON.stringify({
        ...{ title: "Pot", permalink: "pot", adopt: "key" },
        variants: [variant("A", 15), variant("B", 20)],
      })});\n`,
      world.env,
    );
    const { stdout } = await terminal.run("compare", "shop:dev", "program:dev");
    expect(stdout).toContain('\n       + variants[B]: {"sku":"B","price":20}\n');
    expect(stdout).not.toContain("there");
  });

  test("finds a part of a product by its SKU, and leaves what others have of it out", async () => {
    const world = await openWorld();
    const variants = ["A", "B"].map((sku) => ({ sku, price: 15, quantity: 3 }));
    await world.client.products.create({ title: "Pot", permalink: "pot", variants });
    const part = { adopt: "key", otherVariants: "keep", variants: [{ sku: "B", price: 20 }] };
    const terminal = openTerminal(
      `import { Product } from "pulumi-shop";\nnew Product("pot", ${JSON.stringify(part)});\n`,
      world.env,
    );
    await terminal.done("up", "--yes", "--skip-preview");
    const same = await terminal.run("compare", "dev", "program:dev");
    expect([same.code, same.stdout], same.stderr).toEqual([0, expect.stringContaining("are equal in what")]);
    expect(same.stdout).toContain("Product.variants (1 object): the program doesn't set it");
    const [{ id, variants: [first, second] = [] } = {}] = world.rows("product") as readonly {
      id?: unknown;
      variants?: readonly object[];
    }[];
    const edited = [
      { ...first, price: "9.0" },
      { ...second, price: "21.0" },
    ];
    await world.edit({ kind: "product", id, set: { variants: edited } });
    const { code, stdout } = await terminal.run("compare", "dev", "program:dev");
    const lines = stdout.split("\n").filter((line) => line !== "" && !line.startsWith("not compared"));
    expect([code, ...lines]).toEqual([
      7,
      " ~ Product            pot",
      "       ~ variants[B].price: 21 => 20",
      "1 different, 0 only in dev, 0 only in program:dev",
    ]);
  });

  campaignTest("of a shop and a program says nothing of what the program doesn't state", async () => {
    const { live, terminal } = await opened();
    await live.edit({ kind: "product", where: { permalink: "mug" }, set: { description: "by staff" } });
    expect((await terminal.run("compare", "live", "program:live")).code).toBe(0);
    expect((await terminal.run("compare", "live", "staging")).code).toBe(7);
    terminal.write("care.liquid", "changed\n");
    const { code, stdout } = await terminal.run("compare", "live", "program:live");
    expect(code).toBe(7);
    expect(stdout).toMatch(/- one[\s\S]*\+ changed/);
  });

  campaignTest("is written as JSON, and as Markdown that fits into a comment", async () => {
    const { live, terminal } = await opened();
    await live.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
    const { stdout } = await terminal.run("compare", "staging", "live", "--json", "--markdown", "out.md");
    expect(JSON.parse(stdout)).toEqual({
      a: "staging",
      b: "live",
      equal: false,
      differences: [
        {
          type: "different",
          kind: "Coupon",
          key: "SPRING",
          changes: [{ path: "discount", kind: "update", old: 10, new: 55, units: { old: "%", new: "%" } }],
        },
      ],
      notCompared: [
        {
          kind: "Product",
          path: "categoryId",
          objects: 1,
          reason: "it names an object by a number that can't be looked up",
        },
        { kind: "Product", path: "variants.quantity", objects: 1, reason: "the shop changes it by itself" },
      ],
    });
    const markdown = readFileSync(join(terminal.folder, "out.md"), "utf8");
    expect(markdown).toContain("- **Coupon** `SPRING`\n\n```diff\n! discount: 10 % => 55 %\n```");
  });

  test("as Markdown is never longer than a comment may be, and its own fences hold", () => {
    const text = "```\n".repeat(3_000);
    const differences = Array.from({ length: 50 }, (_, index) => ({
      type: "different" as const,
      kind: "Asset",
      key: `a\`${index}`,
      changes: [{ path: "content", kind: "update" as const, old: "x\n", new: `${text}${index}\n` }],
    }));
    const markdown = comparisonMarkdown({ a: "a", b: "b" }, { differences, notCompared: [] });
    expect(markdown.length).toBeLessThan(65_536);
    expect(markdown).toMatch(/… and 4\d more, which don't fit here/);
    expect(markdown).toContain("````diff\n");
  });

  test("leaves out what a provider of another shop has, not what one of the stack's shop has, and says so", async () => {
    const [here, outlet] = [await openWorld(), await openWorld()];
    const at = ({ url, credentials: { applicationId, password } }: World) =>
      JSON.stringify({ url, applicationId, password });
    const terminal = openTerminal(
      `import { Coupon, Product, Provider } from "pulumi-shop";
const provider = new Provider("outlet", ${at(outlet)});
const mug = (price: number) => ({ title: "Mug", variants: [{ sku: "MUG", price }] });
new Product("mug", mug(10));
new Product("outletMug", mug(8), { provider });
new Coupon("spring", { code: "SPRING", discount: { percent: 5 } }, { provider: new Provider("slow", ${at(here)}) });
`,
      here.env,
    );
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
    await connectStack(terminal, "live", here);
    await terminal.done("up", "--stack", "live", "--yes", "--skip-preview");
    const { code, all } = await terminal.run("compare", "live", "program:live");
    expect(code, all).toBe(0);
    expect(all).toContain("live and program:live are equal in what was compared");
    expect(all.match(/1 resource of another shop: not compared/g)).toHaveLength(2);
    await here.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: "7.0" } });
    expect((await terminal.run("compare", "live", "program:live")).stdout).toMatch(/discount: 7 % => 5 %/);
    expect((await terminal.done("pull", "coupons", "--new", "--stack", "live")).stdout).toContain(
      "no objects that the program lacks",
    );
  });

  test("shows the name of an object in one line, whatever characters staff put into it", () => {
    const differences = [{ type: "only-in-a" as const, kind: "JsTag", key: "note\nof \u001b[31mstaff" }];
    const compared = { differences, notCompared: [] };
    const [line] = comparisonLines({ a: "shop:a", b: "shop:b" }, compared);
    expect(line?.text).toMatch(/^ - JsTag {14}note\\nof \S+staff {3}only in shop:a$/);
    expect(line?.text).not.toContain("\u001b");
    expect(comparisonMarkdown({ a: "a", b: "b" }, compared)).toContain("note\\nof ");
  });

  test("refuses an invalid side, and a stack that isn't there", async () => {
    const { terminal } = await opened();
    expect(await terminal.run("compare", "staging")).toMatchObject({ code: 2 });
    expect((await terminal.run("compare", "staging", "cloud:live")).stderr).toContain("invalid side");
    expect(await terminal.run("compare", "staging", "nowhere")).toMatchObject({ code: 6 });
  });

  test("says what no argument carries and differs, where both shops hold it, and what it can't compare", async () => {
    const [one, two] = [await openWorld(), await openWorld()];
    const terminal = openTerminal("", { SHOP_PASSWORD: one.credentials.password });
    const common = { title: "Mug", permalink: "mug", category: "Tableware" };
    for (const [stack, world, own] of [
      ["one", one, { collection: "Sale", material: "Clay" }],
      ["two", two, { collection: "Kitchen", material: "Steel" }],
    ] as const) {
      await connectStack(terminal, stack, world);
      await furnish(world, { ...common, ...own });
    }
    const { code, stdout, stderr } = await terminal.run("compare", "shop:one", "shop:two");
    expect([code, stdout.trimEnd().split("\n")], stderr).toEqual([
      7,
      [
        " ~ Product            mug",
        "       - collectionsIds[Sale]",
        '       - characteristics[Clay]: {"title":"Clay"}',
        "       + collectionsIds[Kitchen]",
        '       + characteristics[Steel]: {"title":"Steel"}',
        "not compared: Product.categoryId (1 object): it names an object by a number that can't be looked up",
        "not compared: Product.images.originalUrl (1 object): it is an address, which differs from shop to shop",
        "not compared: Product.variants.quantity (1 object): the shop changes it by itself",
        "1 different, 0 only in shop:one, 0 only in shop:two",
      ],
    ]);
  });

  campaignTest(
    "compares what no argument carries where both sides are shops, by what it names; a program's side lists it",
    async () => {
      const [one, two] = [await openWorld(), await openWorld()];
      const terminal = openTerminal("", { SHOP_PASSWORD: one.credentials.password });
      for (const [stack, world] of [
        ["one", one],
        ["two", two],
      ] as const) {
        await connectStack(terminal, stack, world);
        const sale = world.rows("collection").find(({ title }) => title === "Sale");
        await world.client.coupons.create({ code: "A", discount: 1, typeId: 1 });
        const { absoluteUrl } = await world.client.files.create({
          attachment: "aGk=",
          filename: "a.txt",
        } as never);
        await world.client.jsTags.create({ type: "JsTag::TextTag", content: `show("${absoluteUrl}")` });
        await world.client.products.create({ title: "Mug", variants: [{ sku: "M", price: 1 }] });
        await world.edit({
          kind: "product",
          where: { title: "Mug" },
          set: {
            collections_ids: [sale?.id],
            images: [{ id: Number(sale?.id), title: "Front", original_url: `/images/${sale?.id}.jpg` }],
            characteristics: [{ id: Number(sale?.id), property_id: 1, title: "red" }],
          },
        });
      }
      const equal = await terminal.run("compare", "shop:one", "shop:two");
      expect([equal.code, equal.stdout], equal.stderr).toEqual([
        0,
        "shop:one and shop:two are equal in what was compared\n" +
          "not compared: Product.categoryId (1 object): it names an object by a number that can't be looked up\n" +
          "not compared: Product.images.originalUrl (1 object): it is an address, which differs from shop to shop\n",
      ]);
      const [sale] = one.rows("collection").filter(({ title }) => title === "Sale");
      await one.edit({
        kind: "discount_code",
        where: { code: "A" },
        set: { discount_collections: [{ collection_id: sale?.id }] },
      });
      await two.edit({
        kind: "product",
        where: { title: "Mug" },
        set: { collections_ids: [], characteristics: [{ id: 5, property_id: 1, title: "blue" }] },
      });
      const settings = (world: World, content: string) =>
        world.edit({
          kind: "asset",
          id: world.rows("asset").find(({ name }) => name === "settings_data.json")?.id,
          set: { content },
        });
      await settings(one, '{"a":1,"colours":{"link":"red","text":"black"}}');
      await settings(two, '{ "colours": { "text": "black", "link": "blue" }, "a": 1 }');
      const { code, stdout } = await terminal.run("compare", "shop:one", "shop:two");
      expect(code).toBe(7);
      expect(stdout.split("\n").filter((line) => /^\s+[-+~] /.test(line))).toEqual([
        " ~ Asset              published Asset::Configuration settings_data.json",
        '       ~ content.colours.link: "red" => "blue"',
        " ~ Coupon             A",
        "       - discountCollections[Sale]",
        " ~ Product            mug",
        "       - collectionsIds[Sale]",
        '       - characteristics[red]: {"title":"red"}',
        '       + characteristics[blue]: {"title":"blue"}',
      ]);
      terminal.write("index.ts", `${hand("Coupon", "{ code: 'A', discount: 1, typeId: 1 }")}\n`);
      const program = await terminal.run("compare", "shop:one", "program:one");
      expect(program.stdout).toContain(
        "not compared: Coupon.discountCollections (1 object): no argument sets it",
      );
    },
  );

  campaignTest(
    "right after a pull finds nothing, with files of one name, odd names, tags without a name",
    async () => {
      const { world, terminal } = await openScene("");
      const upload = async (filename: string, text: string) =>
        (await world.client.files.create({
          attachment: Buffer.from(text).toString("base64"),
          filename,
        } as never)) as { readonly absoluteUrl?: string };
      for (const text of ["one", "two"]) await upload("a.txt", text);
      const { absoluteUrl } = await upload("\u202egnp.\u00e9 (1).txt", "three");
      for (const content of ["alert(1)", "alert(2)", `show("${absoluteUrl}")`])
        await world.client.jsTags.create({ type: "JsTag::TextTag", content });
      await terminal.run("pull", "files", "js-tags");
      const compared = await terminal.run("compare", "shop:live", "program:live", "--json");
      const { differences, notCompared } = JSON.parse(compared.stdout) as Compared;
      // Themes are in the shop and weren't pulled.
      expect(differences.filter(({ kind }) => kind !== "Asset")).toEqual([]);
      expect(notCompared).toEqual([]);
      await world.client.jsTags.create({ type: "JsTag::TextTag", content: "alert(3)" });
      const { stdout } = await terminal.run("compare", "shop:live", "program:live");
      expect(stdout.split("\n").filter((line) => line.includes("JsTag"))).toEqual([
        ' - JsTag              "alert(3)"   only in shop:live',
      ]);
    },
  );

  campaignTest("doesn't call secrets equal, doesn't show them, and says that it left them out", async () => {
    const world = await openWorld();
    const args = (discount: string, code: string) =>
      `{ code: ${code}, discount: ${discount}, typeId: 1, description: pulumi.secret("hush-1") }`;
    const program = (discount: string, code: string) =>
      `import * as pulumi from "@pulumi/pulumi";\n${hand("Coupon", args(discount, code))}`;
    const terminal = openTerminal(program("10", '"A"'), world.env);
    await terminal.run("up", "--stack", "live", "--create", "--yes", "--skip-preview");
    await world.edit({ kind: "discount_code", where: { code: "A" }, set: { description: "hush-2" } });
    const unstated = (field: string) =>
      `not compared: Coupon.${field} (1 object): the program doesn't set it\n`;
    const left = `${unstated("actOnce")}not compared: Coupon.description (1 object): it is a secret\n${unstated("disabled")}`;
    const compared = await terminal.run("compare", "live", "program:live");
    expect(compared.stdout, compared.stderr).toBe(
      `live and program:live are equal in what was compared\n${left}`,
    );
    terminal.write("index.ts", program("12", 'pulumi.secret("A")'));
    const other = await terminal.run("compare", "live", "program:live", "--markdown", "-");
    expect(other.stdout).toContain("! discount: 10 % => 12 %");
    expect(other.stdout).toContain(
      "- Coupon.code (1 object): it is a secret\n- Coupon.description (1 object): it is a secret\n",
    );
    expect(other.stdout).not.toContain("hush");
  });
});

interface Compared {
  readonly differences: readonly { readonly kind: string }[];
  readonly notCompared: readonly unknown[];
}

const hand = (kind: string, args: string) =>
  `import { ${kind} } from "pulumi-shop";\nnew ${kind}("own", ${args});\n`;

campaignTest(
  "finds what slides to a page that was read already, where staff delete while a list is read",
  async () => {
    const worlds = [await openWorld(), await openWorld()] as const;
    for (const world of worlds)
      for (let at = 0; at < 12; at += 1)
        await world.client.coupons.create({ code: `T${at}`, discount: 1, typeId: 1 });
    const remove = (world: World) =>
      world.edit({ kind: "discount_code", where: { code: "T0" }, delete: true });
    await remove(worlds[0]);
    let meanwhile: (() => Promise<void>) | undefined = () => remove(worlds[1]);
    const front = await openFront(worlds[1].url, async (path) => {
      if (!/discount_codes.*[?&]page=2&/.test(path)) return;
      await meanwhile?.();
      meanwhile = undefined;
    });
    const terminal = openTerminal("", { SHOP_PER_PAGE: "10" });
    await connectStack(terminal, "staging", worlds[0]);
    await connectStack(terminal, "live", { ...worlds[1], url: front });
    const { code, stdout, stderr } = await terminal.run("compare", "shop:staging", "shop:live");
    expect([code, stdout], stderr).toEqual([0, expect.stringContaining("are equal")]);
  },
);
