// What holds whichever engine runs a program and whichever form its resources have (test/support/engines.ts): the embedded engine
// always, `pulumi` where it is on PATH.
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSeat, pulumiWays, type Seat, ways } from "../support/engines.ts";

const coupons = (percent: number) => `import { Coupon } from "pulumi-shop";
for (const name of ["a", "b", "c", "d"]) new Coupon(name, { code: name.toUpperCase(), discount: ${percent}, typeId: 1 });
`;
const asset = (more: string) => `import { Asset, getThemeOutput } from "pulumi-shop";
new Asset("note", { themeId: getThemeOutput({ published: true }).id, name: "page.note.liquid", ${more} });
`;

const discounts = ({ world }: Seat) =>
  Object.fromEntries(world.rows("discount_code").map(({ code, discount }) => [code, Number(discount)]));
const idOf = ({ world }: Seat, code: string) =>
  world.rows("discount_code").find((row) => row.code === code)?.id;
const noteIn = ({ world }: Seat) => world.rows("asset").filter(({ name }) => name === "page.note.liquid");

test.each(ways)(
  "a preview reports every conflict, and the run applies everything else ($form, $engine)",
  async (way) => {
    const isPulumi = way.engine === "pulumi";
    const seat = await openSeat(way, coupons(10));
    await seat.up();
    for (const code of ["A", "C"])
      await seat.world.edit({ kind: "discount_code", where: { code }, set: { discount: 55 } });
    seat.program(coupons(20));
    const preview = await seat.run(["preview"]);
    const told = isPulumi
      ? ["A", "C"].filter((code) =>
          preview.output.includes(`conflict: Coupon ${idOf(seat, code)} was changed`),
        )
      : (preview.output.match(/in the shop now 55/g) ?? []);
    expect(told, preview.output).toHaveLength(2);
    const rest = isPulumi ? ["--continue-on-error"] : [];
    const up = await seat.run(["up", "--yes", "--skip-preview", ...rest]);
    expect(up.code, up.output).not.toBe(0);
    expect(discounts(seat)).toEqual({ A: 55, B: 20, C: 55, D: 20 });
    const named = ["A", "C"].map((code) => `Coupon:${idOf(seat, code)}`);
    if (isPulumi) for (const name of named) expect(up.output).toContain(`SHOP_OVERWRITE=${name}`);
    await seat.done(["up", "--yes", "--skip-preview"], { SHOP_OVERWRITE: named.join(",") });
    expect(discounts(seat)).toEqual({ A: 20, B: 20, C: 20, D: 20 });
  },
);

test.each(pulumiWays)(
  "a preview tells what is doubtful about a new value, and the run doesn't ($form)",
  async (way) => {
    const words = (description: string) =>
      coupons(10).replace("typeId", `description: ${JSON.stringify(description)}, typeId`);
    const seat = await openSeat(way, words("Fish &amp; chips"));
    expect(await seat.done(["preview"])).toContain("a: description is");
    expect(await seat.up()).not.toContain("description is");
    seat.program(words("Fish &lt; chips"));
    expect(await seat.done(["preview"])).toContain("a: description is");
    expect(await seat.up()).not.toContain("description is");
  },
);

test.each(ways)(
  "a refresh of a file that nobody changed shows no change and leaves its text in the state ($form, $engine)",
  async (way) => {
    const text = 'new File("terms", { content: "words", filename: "terms.txt" });';
    const seat = await openSeat(way, `import { File } from "pulumi-shop";\n${text}\n`);
    await seat.up();
    expect(await seat.done(["preview", "--refresh"])).not.toContain("content");
    expect(await seat.done(["refresh", "--yes"])).not.toContain("content");
    const state = seat.terminal.read("backend/.pulumi/stacks/user/dev.json");
    expect(state).toMatch(/"content": ?"words"/);
  },
);

test.each(ways)(
  "an argument that the program has removed is reported once, also if a refresh follows ($form, $engine)",
  async (way) => {
    const words = coupons(10).replace("typeId", 'description: "words", typeId');
    const seat = await openSeat(way, words);
    await seat.up();
    seat.program(coupons(10));
    expect(await seat.done(["preview"])).toContain("description of a is no longer set");
    expect(await seat.up()).not.toContain("no longer set");
    await seat.done(["refresh", "--yes"]);
    expect(await seat.done(["preview"])).not.toContain("no longer set");
    await seat.world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: 55 } });
    expect(await seat.done(["refresh", "--yes"])).not.toContain("description");
    expect(await seat.done(["preview"])).not.toContain("no longer set");
  },
);

test.each(ways)(
  "a preview tells which edits of staff stay, and a run that keeps them doesn't repeat it ($form, $engine)",
  async (way) => {
    const seat = await openSeat(way, coupons(10));
    await seat.up();
    await seat.world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: 55 } });
    await seat.done(["refresh", "--yes"]);
    await seat.done(["config", "set", "shop:drift", "keep"]);
    expect(await seat.done(["preview"])).toMatch(/10 % => 55 %|stays in the shop/);
    expect(await seat.up()).not.toMatch(/10 % => 55 %|stays? in the shop/);
  },
);

test.each(ways)("an object that staff changed is never replaced ($form, $engine)", async (way) => {
  const seat = await openSeat(way, asset('type: "Asset::Snippet", content: "ours\\n"'));
  await seat.up();
  const [made] = noteIn(seat);
  await seat.world.edit({ kind: "asset", id: made?.id, set: { content: "theirs\n" } });
  seat.program(asset('type: "Asset::Template", content: "ours\\n"'));
  expect((await seat.run(["preview"])).output).toMatch(/to be replaced, but was changed|content/);
  const up = await seat.run(["up", "--yes", "--skip-preview"]);
  expect(up.code, up.output).not.toBe(0);
  expect(noteIn(seat)).toMatchObject([{ id: made?.id, content: "theirs\n" }]);
  await seat.done(["up", "--yes", "--skip-preview"], { SHOP_CONFLICTS: "overwrite" });
  expect(noteIn(seat)).toMatchObject([{ type: "Asset::Template", content: "ours\n" }]);
});

test.each(ways)(
  "a preview shows the changed lines of a file's text, unless the text is secret ($form, $engine)",
  async (way) => {
    const seat = await openSeat(way, asset('type: "Asset::Snippet", file: "note.liquid"'));
    seat.terminal.write("note.liquid", "one\ntwo\nthree\n");
    await seat.up();
    seat.terminal.write("note.liquid", "one\nTWO\nthree\n");
    const { output } = await seat.run(["preview", "--diff"]);
    expect(output).toMatch(/-\s*two/);
    expect(output).toMatch(/\+\s*TWO/);
    seat.program(
      asset('type: "Asset::Snippet", content: pulumi.secret("hidden words\\n")').replace(
        /^/,
        'import * as pulumi from "@pulumi/pulumi";\n',
      ),
    );
    const secret = await seat.run(["preview", "--diff"]);
    expect(secret.output).not.toContain("hidden words");
    expect(secret.output).not.toMatch(/-\s*two/);
  },
);

test.each(ways)(
  "a preview without a connection fails and names the missing setting ($form, $engine)",
  async (way) => {
    const seat = await openSeat(way, coupons(10));
    const { code, output } = await seat.run(["preview"], { SHOP_URL: "", SHOP_PASSWORD: "" });
    expect(code, output).not.toBe(0);
    expect(output).toContain("SHOP_URL");
    expect(output).toContain("SHOP_PASSWORD");
  },
);

test.each(ways)(
  "a failed get is one error without an empty message beside it ($form, $engine)",
  async (way) => {
    const seat = await openSeat(way, 'import { Coupon } from "pulumi-shop";\nCoupon.get("lost", "999");\n');
    const { code, output } = await seat.run(["preview"]);
    expect(code, output).not.toBe(0);
    expect(output).toMatch(/Coupon 999 does not exist; check the id that get was given|999'? does not exist/);
    expect(output).not.toMatch(/^\s*:\s*$|1 message/m);
  },
);

const charged = `${coupons(10)}
import { File, RecurringCharge } from "pulumi-shop";
new RecurringCharge("fee", { monthly: 5 });
new File("terms", { content: "a\\n", filename: "terms.txt" });
`;
const typeIn = (form: string, kind: string) =>
  form === "plugin" ? `shop:index:${kind}` : `pulumi-nodejs:dynamic/shop:${kind}`;

test.each(pulumiWays)(
  "a resource that pulumi is told to replace, or that is tainted, is replaced without further options ($form)",
  async (way) => {
    const seat = await openSeat(way, charged);
    await seat.up();
    const urn = (kind: string, name: string) => `urn:pulumi:dev::user::${typeIn(way.form, kind)}::${name}`;
    const before = { coupon: idOf(seat, "A"), file: seat.world.rows("file")[0]?.id };
    const told = ["Coupon a", "File terms", "RecurringCharge fee"].flatMap((one) => {
      const [kind = "", name = ""] = one.split(" ");
      return ["--replace", urn(kind, name)];
    });
    for (const said of [await seat.done(["preview", ...told]), await seat.up(...told)])
      expect(said).not.toMatch(/adopts|has .* already|cut off|SHOP_REPLACE/);
    expect(idOf(seat, "A")).not.toBe(before.coupon);
    expect(seat.world.rows("file")).toHaveLength(1);
    expect(seat.world.rows("file")[0]?.id).not.toBe(before.file);
    expect(seat.world.rows("recurring_charge")).toHaveLength(1);
    const again = idOf(seat, "A");
    await seat.done(["state", "taint", urn("Coupon", "a"), "--yes"]);
    await seat.done(["preview"]);
    await seat.up();
    expect(idOf(seat, "A")).not.toBe(again);
    expect(seat.world.rows("discount_code").filter(({ code }) => code === "A")).toHaveLength(1);
    await seat.up("--target-replace", urn("File", "terms"));
    expect(seat.world.rows("file")).toHaveLength(1);
    expect(await seat.up()).toContain("7 unchanged");
  },
);

test.each(pulumiWays.filter(({ form }) => form === "plugin"))(
  "a replacement in the run that moves a stack away from the plugin is refused before any request ($engine)",
  async (way) => {
    const file = (text: string) =>
      `import { File } from "pulumi-shop";\nnew File("terms", { content: ${JSON.stringify(text)}, filename: "terms.txt" });\n`;
    const seat = await openSeat(way, file("a\n"));
    await seat.up();
    const [made] = seat.world.rows("file");
    seat.use("dynamic");
    seat.program(file("b\n"));
    for (const args of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const { code, output } = await seat.run(args);
      expect(code, output).not.toBe(0);
      expect(output).toContain("still belongs to the plugin in the state");
    }
    expect(seat.world.rows("file")).toMatchObject([{ id: made?.id }]);
    seat.use("plugin");
    await seat.up();
    seat.use("dynamic");
    expect(await seat.up()).toContain("2 unchanged");
    seat.program(file("c\n"));
    await seat.up();
    expect(seat.world.rows("file")).toHaveLength(1);
  },
);

test.each(pulumiWays)(
  "a resource that changes its name and its form in one run keeps its object (from $form)",
  async (way) => {
    const coupon = (name: string, more = "") =>
      `import { Coupon } from "pulumi-shop";\nnew Coupon("${name}", { code: "REN", discount: 5, typeId: 1 }${more});\n`;
    const seat = await openSeat(way, coupon("one"));
    await seat.up();
    seat.use(way.form === "plugin" ? "dynamic" : "plugin");
    seat.program(coupon("two", ', { aliases: [{ name: "one" }] }'));
    const sent = await seat.world.during(async () => expect(await seat.up()).toContain("2 unchanged"));
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
  },
);

const cutShort = [
  ["awaits what never comes", "await new Promise(() => {});"],
  ["calls process.exit", "process.exit(0);"],
  ["exports what never comes", "export const never = new Promise(() => {});"],
  [
    "has resources that wait for each other",
    `const { promise, resolve } = Promise.withResolvers<Coupon>();
const x = new Coupon("x", { code: "X", discount: 10, typeId: 1 }, { dependsOn: promise });
resolve(new Coupon("y", { code: "Y", discount: 10, typeId: 1 }, { dependsOn: x }));`,
  ],
] as const;

test.each(pulumiWays)(
  "a program that ends before its last line fails under pulumi and deletes nothing ($form)",
  async (way) => {
    const seat = await openSeat(way, coupons(10));
    await seat.up();
    for (const [what, line] of cutShort) {
      seat.program(
        `import { Coupon } from "pulumi-shop";\nnew Coupon("a", { code: "A", discount: 10, typeId: 1 });\n${line}\n`,
      );
      for (const args of [["preview"], ["up", "--yes", "--skip-preview"]]) {
        const { code, output } = await seat.run(args);
        expect(code, `${what}: ${output}`).not.toBe(0);
        expect(output, what).toMatch(/ended before its last line|did not resolve|registration/);
      }
      expect(discounts(seat), what).toEqual({ A: 10, B: 10, C: 10, D: 10 });
    }
    // A program that waits for a resource that failed says only why that failed.
    seat.program(
      `${coupons(10)}export const id = new Coupon("twin", { code: "A", discount: 1, typeId: 1 }).id;\n`,
    );
    for (const more of [[], ["--continue-on-error"]]) {
      const { code, output } = await seat.run(["up", "--yes", "--skip-preview", ...more]);
      expect(code, output).not.toBe(0);
      expect(output).toMatch(/has Coupon|only one Coupon can have it/);
      expect(output).not.toContain("last line");
    }
    seat.program(coupons(10));
    await seat.done(["preview", "--expect-no-changes"]);
  },
);

test.each(ways)(
  "a preview passes the program the same values as up, ids of variants too ($form, $engine)",
  async (way) => {
    const program = (price: number, more = "") => `import { Coupon, Product } from "pulumi-shop";
const variants = [{ sku: "MUG-RED", price: ${price}, options: { Colour: "Red" } }, { sku: "MUG-BLUE", price: 16, options: { Colour: "Blue" } }${more}];
const mug = new Product("mug", { title: "Mug", variants });
const first = mug.variants[0];
new Coupon("dep", { code: "DEP", discount: { percent: 10 }, description: mug.variants.apply((all) => all[0].sku + all[0].id) });
export const [id, sku, option] = [first.id, first.sku, first.options[0].value];
export const last = mug.variants.apply((all) => all.at(-1).id);
`;
    const seat = await openSeat(way, program(15));
    // Before the product exists, nobody knows the id.
    const created = await seat.done(["preview", "--diff"]);
    expect(created).toMatch(/MUG-RED/);
    expect(created).not.toMatch(/undefined/);
    await seat.up();
    expect(String(seat.world.rows("discount_code")[0]?.description)).toMatch(/^MUG-RED\d+$/);
    const quiet = await seat.done(["preview", "--diff"]);
    expect(quiet).not.toMatch(/^\s*[~+-] /m);
    seat.program(program(17));
    const said = await seat.done(["preview", "--diff"]);
    expect(said).toMatch(/15 => 17/);
    expect(said).not.toMatch(/description|dep\b|=> (?!17)|output</);
    expect(await seat.up()).toContain("1 updated");
    // The id of a new variant comes with it, so the coupon may get another description.
    seat.program(program(17, ', { sku: "MUG-PINK", price: 18, options: { Colour: "Pink" } }'));
    await seat.done(["preview", "--diff"]);
    expect(await seat.up()).toContain("1 updated");
    expect(await seat.done(["up", "--yes", "--skip-preview", "--expect-no-changes"])).toMatch(/unchanged/);
  },
);

test.each(ways)(
  "a replaced sheet of prices is previewed as an update, refuses staff's prices, and still puts the first ones back ($form, $engine)",
  async (way) => {
    const program = (price: number) => `import { Prices } from "pulumi-shop";
new Prices("sale", { rows: [{ sku: "CUP", price: ${price} }], onRemove: "restore" });
`;
    const seat = await openSeat(way, program(8));
    const { client } = seat.world;
    await client.products.create({ title: "Cup", variants: [{ sku: "CUP", price: 10 }] });
    const cup = () => seat.world.rows("product").at(-1) ?? {};
    const variants = () => cup().variants as readonly { readonly price: string }[];
    const priceNow = () => Number(variants()[0]?.price);
    const replace = ["--replace", way.engine === "pulumi" ? "**::sale" : "sale"];
    await seat.up();
    seat.program(program(7));
    expect(await seat.done(["preview", ...replace])).toMatch(/CUP.*8 => 7/);
    await seat.up(...replace);
    expect(priceNow()).toBe(7);
    const theirs = variants().map((one) => ({ ...one, price: "9.0" }));
    await seat.world.edit({ kind: "product", id: cup().id, set: { variants: theirs } });
    seat.program(program(6));
    const disputed = await seat.run(["up", "--yes", "--skip-preview", ...replace]);
    expect(disputed.code).not.toBe(0);
    expect(disputed.output).toMatch(/CUP/);
    expect(priceNow()).toBe(9);
    seat.program(program(9));
    await seat.up();
    seat.program("export {};\n");
    await seat.up();
    expect(priceNow()).toBe(10);
  },
);

test.each(pulumiWays)(
  "pulumi up --plan does what pulumi preview --save-plan saved, for new and changed products ($form)",
  async (way) => {
    const program = (price: number, more = "") => `import { Coupon, Product } from "pulumi-shop";
const mug = new Product("mug", { title: "Mug", variants: [{ sku: "MUG-RED", price: ${price} }${more}] });
new Coupon("dep", { code: "DEP", discount: { percent: 10 }, description: mug.variants.apply((all) => String(all.at(-1).id)) });
`;
    const seat = await openSeat(way, program(15));
    const plan = join(seat.folder, "plan.json");
    const planned = async () => {
      await seat.done(["preview", "--save-plan", plan]);
      return seat.done(["up", "--yes", "--skip-preview", "--plan", plan]);
    };
    expect(await planned()).toMatch(/\b3 created/);
    seat.program(program(17));
    expect(await planned()).toMatch(/\b1 updated/);
    seat.program(program(17, ', { sku: "MUG-BLUE", price: 18 }'));
    expect(await planned()).toMatch(/\b2 updated/);
    await seat.done(["preview", "--expect-no-changes"]);
  },
);

test.each(pulumiWays)(
  "up takes over the object of a resource that pulumi deleted from the state, and nothing speaks of an interruption ($form)",
  async (way) => {
    const seat = await openSeat(
      way,
      `import { Coupon, File } from "pulumi-shop";
new Coupon("a", { code: "A", discount: { percent: 10 } });
new File("terms", { content: "a", filename: "terms.txt" });
`,
    );
    await seat.up();
    const ids = [idOf(seat, "A"), seat.world.rows("file")[0]?.id];
    for (const one of ["Coupon::a", "File::terms"]) {
      const [kind = "", name = ""] = one.split("::");
      await seat.done([
        "state",
        "delete",
        `urn:pulumi:dev::user::${typeIn(way.form, kind)}::${name}`,
        "--yes",
      ]);
    }
    const previewed = await seat.done(["preview"]);
    expect(previewed).toContain(`a: an earlier run created Coupon ${ids[0]}, which is in no state`);
    expect(previewed + (await seat.up())).not.toMatch(/interrupted/);
    expect([idOf(seat, "A"), ...seat.world.rows("file").map(({ id }) => id)]).toEqual(ids);
    await seat.done(["preview", "--expect-no-changes"]);
  },
);

test.each(ways)(
  "after an import, only arguments that the program has set are reported as no longer set ($form, $engine)",
  async (way) => {
    const program = (id: number, more = "") => `import { Product } from "pulumi-shop";
new Product("mug", { title: "Mug", variants: [{ sku: "M", price: 5 }]${more} }, { import: "${id}" });
`;
    const seat = await openSeat(way, "");
    const variants = [{ sku: "M", price: 5, weight: 1 }];
    const made = await seat.world.client.products.create({ title: "Mug", description: "Words", variants });
    seat.program(program(made.id));
    const said = [await seat.up(), await seat.done(["preview"]), await seat.up()];
    expect(said.join("\n")).not.toContain("is no longer set");
    const [mug] = seat.world.rows("product").map((row) => row.variants as readonly object[]);
    const edited = mug?.map((one) => ({ ...one, price: "9.0", weight: "3.0" }));
    await seat.world.edit({ kind: "product", id: made.id, set: { description: "Theirs", variants: edited } });
    await seat.done(["refresh", "--yes"]);
    const back = await seat.done(["preview"]);
    expect(back).toMatch(/puts back.*\b5\b.*\b9\b/is);
    expect(back).not.toMatch(/is no longer set|Theirs|weight/);
    await seat.up();
    expect(seat.world.rows("product")).toMatchObject([{ description: "Theirs" }]);
    seat.program(program(made.id, ', description: "Theirs"'));
    await seat.up();
    seat.program(program(made.id));
    expect(await seat.done(["preview"])).toContain("description of mug is no longer set");
  },
);

test.each(ways)(
  "values in hideDiffs aren't shown, and a replaced object with retainOnDelete stays ($form, $engine)",
  async (way) => {
    const program = (words: string) => `import { Coupon, File } from "pulumi-shop";
new Coupon("a", { code: "A", discount: { percent: 10 }, description: "${words}" }, { hideDiffs: ["description"] });
new File("terms", { content: "${words}", filename: "terms.txt" }, { hideDiffs: ["content"], retainOnDelete: true });
`;
    const seat = await openSeat(way, program("first"));
    await seat.up();
    seat.program(program("second"));
    const said = (await seat.done(["preview", "--diff"])) + (await seat.up());
    expect(said).not.toMatch(/second|deleted and created again/);
    expect(said).toMatch(/\[retain\]|the old one stays in the shop/);
    expect(seat.world.rows("file")).toHaveLength(2);
    expect(seat.world.rows("discount_code")).toMatchObject([{ description: "second" }]);
  },
);

test.each(ways)(
  "neither a preview nor a refresh shows the text of a file in hideDiffs ($form, $engine)",
  async (way) => {
    const seat = await openSeat(
      way,
      asset('type: "Asset::Snippet", file: "note.liquid"').replace(
        " });\n",
        ' }, { hideDiffs: ["file"] });\n',
      ),
    );
    seat.terminal.write("note.liquid", "one\ntwo\nthree\n");
    await seat.up();
    seat.terminal.write("note.liquid", "one\nhidden words\nthree\n");
    const previewed = await seat.done(["preview", "--diff"]);
    expect(previewed).toContain("update");
    expect(previewed).not.toMatch(/hidden words|two/);
    await seat.up();
    const [note] = noteIn(seat);
    await seat.world.edit({ kind: "asset", id: note?.id, set: { content: "one\nother words\nthree\n" } });
    expect(await seat.done(["refresh", "--yes", "--diff"])).not.toMatch(/(hidden|other) words/);
  },
);

test.each(ways)(
  "staff's edit of an object that a resource with another name takes over stays or stops the run ($form, $engine)",
  async (way) => {
    const program = (name: string, more = "") => `import { Coupon } from "pulumi-shop";
new Coupon("${name}", { code: "A", discount: { percent: 10 }, description: "ours"${more} });
`;
    const seat = await openSeat(way, program("one"));
    await seat.up();
    await seat.world.edit({ kind: "discount_code", where: { code: "A" }, set: { description: "staff's" } });
    await seat.done(["refresh", "--yes"]);
    seat.program(program("two", ', adopt: "key"'));
    const words = () => seat.world.rows("discount_code").map(({ description }) => description);
    await seat.done(["config", "set", "shop:drift", "stop"]);
    expect((await seat.run(["preview"])).output).toMatch(
      /description: (was "ours", is "|last run ours, in the shop now )staff's/,
    );
    await seat.done(["config", "set", "shop:drift", "keep"]);
    await seat.up();
    expect(words()).toEqual(["staff's"]);
  },
);

test.each(ways)(
  "a new variant without its price is refused in the preview of an update ($form, $engine)",
  async (way) => {
    const program = (more: string) => `import { Product } from "pulumi-shop";
const ignoreChanges = ['variants["M2"].price'];
new Product("mug", { title: "Mug", variants: [{ sku: "M", price: 1 }${more}] }, { ignoreChanges });
`;
    const seat = await openSeat(way, program(""));
    await seat.up();
    seat.program(program(', { sku: "M2" }'));
    const sent = await seat.world.during(async () => {
      for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
        const { code, output } = await seat.run(command);
        expect([code === 0, output]).toEqual([
          false,
          expect.stringMatching(/variants\[M2\]\.price is required.*ignoreChanges/),
        ]);
      }
    });
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
  },
);
