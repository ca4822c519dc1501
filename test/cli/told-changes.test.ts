// Changes in the terminal and the comment: settings value by value, shortened texts, files by name, items by key.
import { describe, expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const settings = (values: object, indent?: number) => JSON.stringify(values, undefined, indent);
const first = { banner: "Hello", columns: 3, colours: { link: "#fff" } };
const second = { banner: "Spring is here", columns: 4, colours: { link: "#fff" }, badge: true };

const theme = (asset: string) => `import { Asset, getThemeOutput } from "pulumi-shop";
const theme = getThemeOutput({ published: true });
new Asset("settings", { themeId: theme.id, type: "Asset::Configuration", name: "settings_data.json", adopt: "key", ${asset} });
`;

async function opened(program: string, files: Readonly<Record<string, string>> = {}) {
  const { world, terminal } = await openScene(program);
  for (const [path, text] of Object.entries(files)) terminal.write(path, text);
  await terminal.done("up", "--yes", "--skip-preview");
  const run = async (...args: readonly string[]) => {
    const { code, stdout, all } = await terminal.dev(...args, "--markdown", "told.md");
    return { code, stdout, all: all, comment: terminal.read("told.md") };
  };
  return { world, terminal, run };
}

describe("the settings of a theme are told value by value", () => {
  const changed = ['~ banner: "Hello" => "Spring is here"', "~ columns: 3 => 4", "+ badge: true"];
  const rows = ["banner: Hello → **Spring is here**", "columns: 3 → **4**", "badge: nothing → **yes**"];

  test.each([
    [
      "given as content",
      `content: ${JSON.stringify(settings(first))}`,
      `content: ${JSON.stringify(settings(second))}`,
    ],
    ["given as a file", 'file: "settings.json"', 'file: "settings.json"'],
  ])("in the preview and in the comment: %s", async (_how, before, after) => {
    const { terminal, run } = await opened(theme(before), { "settings.json": settings(first, 2) });
    terminal.write("index.ts", theme(after));
    terminal.write("settings.json", settings(second, 2));
    for (const more of [[], ["--diff"]]) {
      const { stdout, comment } = await run("preview", ...more);
      const lines = stdout.split("\n").map((line) => line.trim());
      expect(lines).toEqual(expect.arrayContaining(changed));
      expect(stdout).not.toMatch(/@@|sha256|file\.size|bytes/);
      for (const row of rows) expect(comment).toContain(row);
      expect(comment).not.toContain("{");
    }
    const hiding = after.replace(/^(\w+)(.*)/s, '$1$2 }, { hideDiffs: ["$1"]');
    terminal.write("index.ts", theme(hiding));
    const { stdout, comment } = await run("preview", "--diff");
    expect(stdout).toContain("settings");
    expect(stdout + comment).not.toContain("Spring");
  });

  test("in a refresh, and in the preview after it, also where the shop's editor took out all spaces", async () => {
    const { world, terminal, run } = await opened(theme('file: "settings.json"'), {
      "settings.json": settings(first, 2),
    });
    const id = world.rows("asset").find(({ name }) => name === "settings_data.json")?.id;
    const byStaff = { ...first, colours: { link: "#000" } };
    await world.edit({ kind: "asset", id, set: { content: settings(byStaff) } });
    const found = await run("refresh", "--yes");
    expect(found.stdout).toContain('~ colours.link: "#fff" => "#000"\n');
    expect(found.all).not.toMatch(/sha256|file\.size|@@/);
    expect(found.comment).toContain("colours.link: #fff → **#&#8203;000**");
    terminal.write("settings.json", settings({ ...first, columns: 5 }, 2));
    const { stdout, comment } = await run("preview", "--diff");
    expect(stdout).toContain('~ colours.link puts back: "#fff", staff: "#000"\n');
    expect(stdout).toContain("~ columns: 3 => 5\n");
    expect(stdout).not.toContain("@@");
    expect(comment).not.toContain("```diff");
  });
});

const long = (end: string) => `${"The same words in each of them, at great length. ".repeat(8)}${end}`;
const product = (description: string, metaDescription = "") => `import { Product } from "pulumi-shop";
new Product("mug", { title: "Mug", description: ${JSON.stringify(description)}, metaDescription: ${JSON.stringify(metaDescription)}, variants: [{ sku: "M", price: 10, quantity: 1 }] });
`;

test("a long text of one line is cut around what differs, in the preview, the comment, a conflict and a refresh", async () => {
  const { world, terminal, run } = await opened(product(long("old end"), long("before")));
  terminal.write("index.ts", product(long("new end"), long("after")));
  const { stdout, comment } = await run("preview");
  expect(stdout).toMatch(/~ description: …[^…]*old end" => …[^…]*new end"/);
  expect(comment).toMatch(/meta description: …[^…]*before → \*\*…[^…]*after\*\*/);
  const [row] = world.rows("product");
  await world.edit({ kind: "product", id: row?.id, set: { description: long("staff's end") } });
  const conflict = await run("preview");
  expect(conflict.stdout).toMatch(
    /description: last run …[^…]*old end, in the shop now …[^…]*staff's end, the program asks for …[^…]*new end/,
  );
  expect(conflict.comment).toMatch(
    /\| …[^…]*old end \| \*\*…[^…]*staff's end\*\* \| …[^…]*new end: not sent \|/,
  );
  for (const how of [["--preview-only", "--diff"], ["--yes"]]) {
    const refreshed = await run("refresh", ...how);
    expect(refreshed.stdout).toMatch(/~ description: …[^…]*old end" => …[^…]*staff's end"/);
  }
});

describe("a description of many lines is told as hunks, as a theme's files are", () => {
  const html = (end: string) => `<h2>Mug</h2>\n<table>\n${"<tr><td>x</td></tr>\n".repeat(20)}${end}\n`;
  // As a browser sends it: line ends make no difference.
  const staff = (text: string) => {
    const description = text.replaceAll("\n", "\r\n");
    return { kind: "product", where: { title: "Mug" }, set: { description } };
  };

  test("in a conflict, in what overwrites it, and where staff emptied or deleted it", async () => {
    const { world, terminal, run } = await opened(product(html("<p>old</p>")));
    terminal.write("index.ts", product(html("<p>new</p>")));
    await world.edit(staff(html("<p>staff</p>")));
    const { stdout, comment } = await run("preview");
    expect(stdout).toMatch(
      /description: changed in the shop:\n(?: .*\n)* +- <p>old<\/p>\n +\+ <p>staff<\/p>\n/,
    );
    expect(stdout).toMatch(
      /description: changed in the program:\n(?: .*\n)* +- <p>old<\/p>\n +\+ <p>new<\/p>\n/,
    );
    expect(comment).toMatch(/```diff\n(?:.*\n)*-<p>old<\/p>\n\+<p>staff<\/p>\n/);
    const fences = [...comment.matchAll(/```diff\n([\s\S]*?)```/g)].map(([, inside = ""]) => inside);
    expect(fences.join("")).not.toMatch(/refresh|overwrite|Nothing was sent/);
    const over = await run("preview", "--diff", "--overwrite", "mug");
    expect(over.stdout).toMatch(
      /~ description: \(overwrites staff's text\)\n(?: .*\n)* +- <p>staff<\/p>\n +\+ <p>new<\/p>\n/,
    );
    expect(over.comment).toMatch(
      / {2}- description \(overwrites staff's text\):\n\n {4}```diff\n(?: .*\n)* {4}-<p>staff<\/p>\n {4}\+<p>new<\/p>\n/,
    );
    for (const { all, comment: told } of [{ all: stdout, comment }, over])
      expect(all + told, "equal lines far from what differs").not.toContain("<h2>");
    await world.edit(staff(""));
    const emptied = await run("preview");
    expect(emptied.stdout).toMatch(
      /description: changed in the shop:\n(?: +@@.*\n| +- .*\n)* +- <p>old<\/p>\n/,
    );
    expect(emptied.stdout).toMatch(/description: changed in the program:\n(?: .*\n)* +\+ <p>new<\/p>\n/);
    await world.edit({ kind: "product", where: { title: "Mug" }, delete: true });
    const gone = await run("preview");
    expect(gone.stdout).toMatch(
      /was deleted in the shop\n +description: changed in the program:\n(?: .*\n)* +- <p>old<\/p>\n +\+ <p>new<\/p>\n/,
    );
    expect(gone.comment).toContain("description | a text | **deleted** | another text: not sent |");
  });

  test("in what is kept, in a refresh without being asked for, and where it is put back after it; one that is secret is never told", async () => {
    const secret = `new Product("jug", { title: "Jug", description: pulumi.secret(${JSON.stringify(html("<p>hidden</p>"))}), variants: [{ sku: "J", price: 10, quantity: 1 }] });\n`;
    const program = (meta = "") =>
      `import * as pulumi from "@pulumi/pulumi";\n${product(html("<p>old</p>"), meta)}${secret}`;
    const { world, terminal, run } = await opened(program());
    await world.edit(staff(html("<p>staff</p>")));
    await world.edit({ ...staff(html("<p>hidden, too</p>")), where: { title: "Jug" } });
    terminal.write("index.ts", program("another"));
    const kept = await run("preview");
    expect(kept.all).toMatch(
      /and kept: description \(its lines below\); refresh .*\n +description:\n(?: .*\n)* +-<p>old<\/p>\n +\+<p>staff<\/p>\n/,
    );
    terminal.write("index.ts", program());
    const found = await run("refresh", "--yes");
    expect(found.stdout).toMatch(/~ description:\n +@@ .*\n(?: .*\n)* +- <p>old<\/p>\n +\+ <p>staff<\/p>\n/);
    expect(found.comment).toMatch(/ {2}- description:\n\n {4}```diff\n(?: .*\n)* {4}-<p>old<\/p>\n/);
    const plain = await run("preview");
    expect(plain.stdout).toContain("~ description puts back the program's text over staff's\n");
    expect(plain.stdout).not.toContain("<p>old");
    const asked = await run("preview", "--diff");
    expect(asked.stdout).toMatch(
      /~ description puts back the program's text over staff's\n +@@ .*\n(?: .*\n)* +- <p>staff<\/p>\n +\+ <p>old<\/p>\n/,
    );
    expect(asked.comment).toMatch(
      / {2}- description: \*\*puts back the program's text over staff's\*\*\n\n {4}```diff\n(?: .*\n)* {4}\+<p>old<\/p>\n/,
    );
    for (const { all, comment } of [kept, found, plain, asked])
      expect(all + comment).not.toMatch(/hidden|<h2>/);
  });
});

test("a list of which one item lost its key is told item by item", async () => {
  const variants = Array.from({ length: 40 }, (_none, index) => ({
    sku: `TS-${index}`,
    price: 10 + index,
    quantity: 1,
  }));
  const program = (list: readonly object[]) => `import { Product } from "pulumi-shop";
new Product("shirt", { title: "Shirt", variants: ${JSON.stringify(list)} });
`;
  const { world, terminal, run } = await opened(program(variants));
  const [row] = world.rows("product");
  const rows = row?.variants as readonly { readonly sku: string }[];
  const set = { variants: rows.map((one) => (one.sku === "TS-7" ? { ...one, sku: "" } : one)) };
  await world.edit({ kind: "product", id: row?.id, set });
  const found = await run("refresh", "--yes");
  expect(found.stdout).toContain('~ variants[TS-7].sku: "TS-7" => unset\n');
  expect(found.comment).toContain("TS-7 sku: TS-7 → **nothing**");
  for (const { stdout, comment } of [found, await run("preview")]) {
    expect(Math.max(...stdout.split("\n").map(({ length }) => length))).toBeLessThan(160);
    expect(stdout).not.toMatch(/variants: [[{]/);
    expect(comment).not.toContain("options");
  }
  terminal.write(
    "index.ts",
    program(variants.map((one) => (one.sku === "TS-9" ? { ...one, price: 99 } : one))),
  );
  const { stdout } = await run("preview");
  expect(stdout).toContain("~ variants[TS-9].price: 19 => 99\n");
});

test("a file is told by its name and what became of it, in up as in the preview", async () => {
  const page = `import { Asset, File, getThemeOutput } from "pulumi-shop";
const theme = getThemeOutput({ published: true });
new Asset("page", { themeId: theme.id, type: "Asset::Template", name: "page.care.liquid", file: "theme/care.liquid" });
new File("logo", { file: "theme/logo.png" });
`;
  const { terminal, run } = await opened(page, {
    "theme/care.liquid": "one\n",
    "theme/logo.png": "picture one",
  });
  terminal.write("theme/care.liquid", "one and more\n");
  terminal.write("theme/logo.png", "picture two");
  const { stdout, comment } = await run("preview");
  const up = await run("up", "--yes");
  for (const text of [stdout, up.stdout]) {
    expect(text).toContain("theme/care.liquid: 4 bytes => 13 bytes\n");
    expect(text).toContain("theme/logo.png: another picture of 11 bytes\n");
    expect(text).not.toMatch(/sha256|file\.size|file: /);
  }
  expect(comment).toContain("theme/care.liquid: 4 bytes → **13 bytes**");
  expect(comment).toContain("theme/logo.png: **another picture of 11 bytes**");
});

test("a charge that was paid is told as what it is: it stays, and what takes its place is one more", async () => {
  const charge = (price: number) => `import { ApplicationCharge } from "pulumi-shop";
new ApplicationCharge("setup", { name: "Setup", price: ${price}, returnUrl: "https://app.example/" });
`;
  const { world, terminal, run } = await opened(charge(10));
  await world.edit({ kind: "application_charge", where: { name: "Setup" }, set: { status: "accepted" } });
  terminal.write("index.ts", charge(20));
  const another = await run("preview");
  expect(another.stdout).toContain("! Charges  Setup: 20 once, new");
  expect(another.stdout).toContain("the old one stays in the shop");
  expect(another.comment).toContain("the old one stays in the shop");
  expect(another.stdout + another.comment).not.toMatch(/deleted and created again|10 → 20 once/);
  terminal.write("index.ts", "");
  const forgotten = await run("preview");
  expect(forgotten.stdout).toMatch(/- ApplicationCharge +setup +to delete, stays in the shop/);
  expect(forgotten.all + forgotten.comment).not.toContain("ended");
});

test("the content of an upload, which a refresh can't read, stays in the state, and a change of it is told as hunks", async () => {
  const sizes = (content: string) => `import { File } from "pulumi-shop";
new File("sizes", { filename: "sizes.csv", content: ${JSON.stringify(content)} });
`;
  const { terminal, run } = await opened(sizes("S\n"));
  await run("refresh", "--yes");
  terminal.write("index.ts", sizes("S\nM\n"));
  const { comment } = await run("preview");
  expect(comment).toContain("@@ -1,1 +1,2 @@\n   S\n  +M\n");
});

test("a preview that failed announces no requests, because up would send none", async () => {
  const { terminal, run } = await opened("export {};");
  const mug = (price: string) => `import { Coupon, Product } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: 5, typeId: 1 });
new Product("mug", { title: "Mug", variants: [{ sku: "MUG", price: ${price} }] });
`;
  terminal.write("index.ts", mug('"12,50"'));
  const failed = await run("preview");
  expect(failed.code).toBe(1);
  expect(failed.all + failed.comment).not.toMatch(/requests(?: needed)?: at most/);
  terminal.write("index.ts", mug("12.5"));
  expect((await run("preview")).all).toMatch(/requests needed: at most/);
});

test("where staff's edit alone is refused, only their lines are shown", async () => {
  const { world, terminal } = await openScene(
    'import { Coupon } from "pulumi-shop";\nnew Coupon("a", { code: "A", discount: 5, typeId: 1, description: "one\\ntwo" });\n',
  );
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "A" }, set: { description: "one\nthree" } });
  await terminal.done("refresh", "--yes");
  await terminal.done("config", "set", "shop:drift", "stop");
  const { all } = await terminal.dev("preview");
  expect(all).toMatch(/description: changed in the shop:\n(?: .*\n)* +- two\n +\+ three\n/);
  expect(all).not.toContain("changed in the program");
});

test.each(storyForms)(
  "staff's edit of a script is told with both sides, although the script has to be replaced: %s",
  async (_form, plugins) => {
    const scripts = ["one();", "one();\\ntwo();"].map(
      (content, n) =>
        `new JsTag("s${n}", { type: "JsTag::TextTag", name: "s${n}", content: "${content}" });\n`,
    );
    const { world, terminal } = await openScene(
      `import { JsTag } from "pulumi-shop";\n${scripts.join("")}`,
      plugins,
    );
    await terminal.done("up", "--yes", "--skip-preview");
    await world.edit({ kind: "js_tag", where: { name: "s0" }, set: { content: "staff();" } });
    await world.edit({ kind: "js_tag", where: { name: "s1" }, set: { content: "one();\nstaff();" } });
    await terminal.done("refresh", "--yes");
    const { stdout } = await terminal.dev("preview", "--diff");
    expect(stdout).toContain('~ content puts back: "one();", staff: "staff();"\n');
    expect(stdout).toMatch(
      /content puts back the program's text over staff's\n[^~]*- staff\(\);\n +\+ two\(\);\n/,
    );
  },
);

test.each(storyForms)("up tells a renamed variant once, with its product: %s", async (_form, plugins) => {
  const mug = (sku: string) => `import { Product } from "pulumi-shop";
new Product("mug", { title: "Mug", variants: [{ sku: "${sku}", price: 1, quantity: 3, options: { Size: "S" } }] });
`;
  const { terminal } = await openScene(mug("A"), plugins);
  await terminal.done("up", "--yes", "--skip-preview");
  terminal.write("index.ts", mug("B"));
  const { all } = await terminal.dev("up", "--yes", "--skip-preview");
  expect(all.match(/.*\brenamed\b.*/g)).toEqual([expect.stringContaining("~ variants[A] renamed B")]);
});
