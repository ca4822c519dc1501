// Answers that a cache or a proxy has broken on their way from the shop.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { forms, storyForms } from "../support/forms.ts";
import { openFront } from "../support/front.ts";
import { openScene } from "./terminal.ts";

const program = `import { Asset, Coupon, File, getThemeOutput, JsTag, PriceKind, Product } from "pulumi-shop";
new Asset("asset", { themeId: getThemeOutput({ published: true }).id, type: "Asset::Snippet", name: "a.liquid", content: "Hi" });
new Coupon("coupon", { code: "SPRING", discount: 10, typeId: 1 });
new File("file", { content: "a,b", filename: "sizes.csv" });
new JsTag("tag", { type: "JsTag::TextTag", name: "note", content: "alert(1)" });
new PriceKind("kind", { title: "Wholesale" });
new Product("product", { title: "Mug", variants: [{ sku: "MUG-R", price: 740 }] });
`;
const home = "backend/.pulumi/stacks/user/dev.json";

const xml = { "content-type": "application/xml" };
const isEmptied = (path: string) => !/account|themes\.xml/.test(path);
/** All values of a document become empty. */
const emptied = (answer: string) =>
  answer.startsWith("<")
    ? answer.replace(/<([a-z_-]+)( [^>]*)?>[^<]+<\/\1>/g, '<$1 nil="true"/>')
    : answer.replace(/:("[^"]*"|\w+)/g, ":null");
const withoutItemIds = (answer: string) => answer.replace(/(<variant>)<id[^<]*<\/id>/g, '$1<id nil="true"/>');

/** A shop behind a front that may break its answers (`openFront`). */
async function openBroken(plugins: string, broken: (path: string, method: string) => unknown) {
  const { world, terminal } = await openScene(program, plugins);
  terminal.env.SHOP_URL = await openFront(world.url, async (path, method) => broken(path, method));
  const known = () =>
    JSON.parse(terminal.read(home)).checkpoint.latest.resources.map(
      ({ id, outputs }: { readonly id?: string; readonly outputs?: object }) => ({ id, outputs }),
    );
  /** A command that fails for this reason, and leaves the state as it is. */
  const changesNothing = async (why: string, ...args: readonly string[]) => {
    const before = known();
    const ran = await terminal.dev(...args, "--yes");
    expect(ran.code, ran.all).toBe(1);
    expect(ran.stderr).toContain(why);
    expect(known()).toEqual(before);
  };
  return { world, terminal, known, changesNothing };
}

campaignTest.each(storyForms)(
  "a refresh takes no answer whose ids are empty for the shop's, and loses nothing: %s",
  async (_form, plugins) => {
    let change: ((answer: string) => string) | undefined;
    const { terminal, changesNothing } = await openBroken(plugins, (path, method) =>
      method === "GET" && isEmptied(path) ? change : undefined,
    );
    await terminal.done("up", "--yes", "--skip-preview");
    change = emptied;
    await changesNothing("got no usable answer: the answer is unreadable: it has no id", "refresh");
    change = withoutItemIds;
    await changesNothing("an element of variants has an empty id", "refresh", "--target", "product");
  },
);

test.each(storyForms)(
  "an address that doesn't find anything, its account neither, is no shop without objects: %s",
  async (_form, plugins) => {
    let status = 0;
    const page = () => status !== 0 && new Response("<html></html>", { status });
    const { terminal, changesNothing } = await openBroken(plugins, page);
    await terminal.done("up", "--yes", "--skip-preview");
    status = 404;
    for (const command of ["refresh", "destroy"])
      await changesNothing("neither is the shop's account", command);
  },
);

campaignTest("an account without an id names no shop, and a later refresh asks for it again", async () => {
  let isBroken = true;
  const { terminal } = await openBroken("", (path) => isBroken && /account/.test(path) && emptied);
  await terminal.done("up", "--yes", "--skip-preview");
  const marks = () => terminal.read(home).match(/"__shop":"[^"]*"/g) ?? [];
  expect(marks()).toEqual(marks().filter((mark) => !mark.includes("#")));
  isBroken = false;
  await terminal.done("refresh", "--yes");
  expect(marks()).toEqual(marks().filter((mark) => /#\d+"$/.test(mark)));
  expect(marks().length).toBe(6);
});

const changed = program
  .replace('"Hi"', '"Ho"')
  .replace("discount: 10", "discount: 12")
  .replace('"Wholesale"', '"Retail"')
  .replace('"Mug"', '"Cup"');

test.each(storyForms)(
  "a write is done only if its answer or the object says so: %s",
  async (_form, plugins) => {
    let text: string | undefined;
    const { world, terminal } = await openBroken(plugins, (_path, method) =>
      text !== undefined && method !== "GET" ? new Response(text, { headers: xml }) : undefined,
    );
    await terminal.done("up", "--yes", "--skip-preview");
    terminal.write("index.ts", changed);
    const untaken = async (...args: readonly string[]) => {
      const { code, all, stderr } = await terminal.dev(...args, "--yes");
      expect(code, all).toBe(1);
      return ["asset", "coupon", "file", "kind", "product", "tag"].filter((name) =>
        stderr.includes(`"${name}"`),
      );
    };
    text = "";
    expect(await untaken("up")).toEqual(["asset", "coupon", "kind", "product"]);
    text = undefined;
    await terminal.done("refresh", "--yes");
    text = "<html><body>Please log in</body></html>";
    expect(await untaken("up")).toEqual(["asset", "coupon", "kind", "product"]);
    expect(await untaken("destroy")).toEqual(["asset", "coupon", "file", "kind", "product", "tag"]);
    text = undefined;
    await terminal.done("refresh", "--yes");
    await terminal.done("up", "--yes");
    expect(world.rows("product")).toMatchObject([{ title: "Cup" }]);
  },
);

test.each(storyForms)(
  "a delete that is answered with 404 is done only if no read shows the object any more: %s",
  async (_form, plugins) => {
    let isBroken = true;
    const { world, terminal, changesNothing } = await openBroken(plugins, (_path, method) =>
      isBroken && method === "DELETE" ? new Response("<html></html>", { status: 404 }) : undefined,
    );
    const only =
      'import { File } from "pulumi-shop";\nnew File("file", { content: "a,b", filename: "sizes.csv" });\n';
    terminal.write("index.ts", only);
    await terminal.done("up", "--yes", "--skip-preview");
    await changesNothing("the shop answers 404, not found, and the object stays live", "destroy");
    isBroken = false;
    await terminal.done("destroy", "--yes");
    expect(world.rows("file")).toEqual([]);
  },
);

test.each(storyForms)(
  "an object that the shop makes of other values isn't made again in each run: %s",
  async (_form, plugins) => {
    const { world, terminal } = await openBroken(plugins, (path) =>
      path.includes("js_tags") ? (answer: string) => answer.replace("alert(1)", "alert(1);") : undefined,
    );
    const script = (content: string) =>
      `import { JsTag } from "pulumi-shop";\nnew JsTag("tag", { type: "JsTag::TextTag", name: "note", content: "${content}" });\n`;
    terminal.write("index.ts", script("alert(1)"));
    const why = 'the shop answered without taking content: expected "alert(1)", got "alert(1);"; set a value';
    const untaken = async (...args: readonly string[]) => {
      const { code, all } = await terminal.dev(...args);
      expect([code, all]).toEqual([1, expect.stringContaining(why)]);
      expect(world.rows("js_tag")).toHaveLength(1);
    };
    await untaken("up", "--yes");
    await untaken("preview");
    await untaken("up", "--yes", "--skip-preview");
    await terminal.done("refresh", "--yes");
    await untaken("up", "--yes", "--skip-preview");
    terminal.write("index.ts", script("alert(1);"));
    await terminal.done("up", "--yes");
    expect(world.rows("js_tag")).toHaveLength(1);
  },
);

campaignTest.each(forms)(
  "an object that the shop makes of other values isn't made again if an argument is secret, whose digest the state hides: %s",
  async (_form, plugins) => {
    const { world, terminal } = await openBroken(plugins, (path) =>
      path.includes("js_tags") ? (answer: string) => answer.replace("alert(1)", "alert(1);") : undefined,
    );
    terminal.write(
      "index.ts",
      `import { secret } from "@pulumi/pulumi";
import { JsTag } from "pulumi-shop";
new JsTag("tag", { type: "JsTag::TextTag", name: "note", content: secret("alert(1)") });
`,
    );
    for (const args of [
      ["up", "--yes"],
      ["refresh", "--yes"],
      ["up", "--yes", "--skip-preview"],
      ["preview"],
    ]) {
      const { code, all } = await terminal.dev(...args);
      expect([args, code, all]).toEqual([args, args[0] === "refresh" ? 0 : 1, all]);
      expect(all).not.toContain("alert(1");
      expect(world.rows("js_tag")).toHaveLength(1);
      expect(terminal.read(home)).toMatch(/"__untaken":\{"[0-9a-f]+":"[0-9a-f]+","ciphertext"/);
    }
  },
);

test.each(storyForms)(
  "a list whose second page repeats the first shows no delete, and no key as free: %s",
  async (_form, plugins) => {
    let isBroken = false;
    const { world, terminal, changesNothing } = await openBroken(plugins, async (path) => {
      if (!isBroken || !/files\.xml|discount_codes\.xml/.test(path)) return undefined;
      const first = path.replace(/page=\d+&per_page=\d+/, "page=1&per_page=1");
      return new Response(await (await world.ask("GET", first)).text(), { headers: xml });
    });
    const files = `import { Coupon, File } from "pulumi-shop";
for (const name of ["a", "b"]) new File(name, { content: name, filename: name });
`;
    terminal.write("index.ts", files);
    await terminal.done("up", "--yes", "--skip-preview");
    isBroken = true;
    await changesNothing("the list doesn't advance", "refresh");
    for (const code of ["ONE", "TWO"])
      await world.ask(
        "POST",
        "/admin/discount_codes.xml",
        `<discount_code><code>${code}</code><discount>5</discount><type-id>1</type-id></discount_code>`,
      );
    terminal.write(
      "index.ts",
      `${files}new Coupon("two", { code: "TWO", discount: 10, typeId: 1, adopt: "key" });\n`,
    );
    const adopted = await terminal.dev("preview");
    expect(adopted.code, adopted.all).toBe(1);
    expect(adopted.stderr).toContain("the list doesn't advance");
  },
);

campaignTest.each(storyForms)(
  "a refresh after a sheet's write that failed tells no change in the shop: %s",
  async (_form, plugins) => {
    let isBroken = false;
    const { world, terminal } = await openBroken(plugins, (_path, method) =>
      isBroken && method === "PUT" ? new Response("", { headers: xml }) : undefined,
    );
    await world.ask(
      "POST",
      "/admin/products.xml",
      "<product><title>Lamp</title><variants-attributes><variants-attribute><sku>LAMP</sku><price>800</price></variants-attribute></variants-attributes></product>",
    );
    const sheet = (price: number) => `import { Prices } from "pulumi-shop";
new Prices("sale", { rows: [{ sku: "LAMP", price: ${price} }] });
`;
    terminal.write("index.ts", sheet(700));
    await terminal.done("up", "--yes", "--skip-preview");
    isBroken = true;
    terminal.write("index.ts", sheet(650));
    const failed = await terminal.dev("up", "--yes", "--skip-preview");
    expect(failed.code, failed.all).toBe(1);
    expect(failed.stderr).toContain("without taking these values");
    const refreshed = await terminal.done("refresh", "--yes");
    expect(refreshed.stdout).not.toContain("changed in the shop");
    const { stdout } = await terminal.done("preview");
    expect(stdout).toContain("price: 700 => 650");
    isBroken = false;
    await terminal.done("up", "--yes");
  },
);
