// An edit of staff that one checkout accepted, in a checkout that lacks it: a preview marks each edit that it would revert.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { begin, git } from "../support/git.ts";
import { openWorld, type World } from "../support/world.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

const page = "one\ntwo\nthree\nfour\nfive\nsix\n";
const settings = JSON.stringify({ current: { colour: "red", font: "serif" } }, undefined, 2);
const program = `import { Asset, Coupon, getThemeOutput, Product } from "pulumi-shop";
const themeId = getThemeOutput({ published: true }).id;
new Asset("page", { themeId, type: "Asset::Snippet", name: "own_page.liquid", file: "theme/own_page.liquid" });
new Asset("settings", { themeId, type: "Asset::Configuration", name: "own_data.json", file: "theme/own_data.json" });
new Coupon("spring", { code: "SPRING", discount: { percent: 10 } });
new Coupon("gone", { code: "GONE", discount: { percent: 5 } });
new Product("mug", {
  title: "Mug",
  variants: [
    { sku: "M-RED", price: 20 },
    { sku: "M-BLUE", price: 21 },
  ],
});
`;

const outputOf = async (terminal: Terminal, ...args: readonly string[]) =>
  (await terminal.run(...args, "--stack", "dev")).stdout.trimEnd().split("\n").at(-1) ?? "";

async function openProject(
  world: World,
  plugins: string,
  text = program,
  files: Readonly<Record<string, string>> = {},
): Promise<Terminal> {
  const terminal = openTerminal(text, world.env);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
  terminal.write("theme/own_page.liquid", page);
  terminal.write("theme/own_data.json", settings);
  for (const [path, own] of Object.entries(files)) terminal.write(path, own);
  begin(terminal.folder);
  await terminal.done("up", "--yes", "--skip-preview");
  return terminal;
}

async function editEverything(world: World): Promise<void> {
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: "30.0" } });
  const own = (world.rows("product")[0]?.variants ?? []) as readonly Record<string, unknown>[];
  const variants = [
    ...own.filter(({ sku }) => sku !== "M-BLUE").map((one) => ({ ...one, price: "9.0" })),
    { sku: "M-GREEN", price: "22.0", quantity: 1 },
  ];
  await world.edit({ kind: "product", where: { title: "Mug" }, set: { variants } });
  const text = { where: { name: "own_page.liquid" }, set: { content: page.replace("two", "two by staff") } };
  await world.edit({ kind: "asset", ...text });
  const json = settings.replace("red", "green");
  await world.edit({ kind: "asset", where: { name: "own_data.json" }, set: { content: json } });
  const coupon = world.rows("discount_code").find(({ code }) => code === "GONE");
  await world.ask("DELETE", `/admin/discount_codes/${coupon?.id}.xml`);
}

test.each(storyForms)(
  "every accepted edit is marked in the checkout that lacks it: %s",
  async (_form, plugins) => {
    const world = await openWorld();
    const terminal = await openProject(world, plugins);
    terminal.warnings.push(/ reverts? (edits of staff|changes of) /);
    git(terminal.folder, ["switch", "-q", "-c", "staff"]);
    await editEverything(world);
    expect((await terminal.done("accept", "--all", "--yes")).all).toContain("Wrote 7 edits of staff.");
    git(terminal.folder, ["commit", "-qam", "Take in what staff changed"]);
    expect((await terminal.done("preview")).all).toMatch(/Resources:\n +4 unchanged\n/);

    git(terminal.folder, ["switch", "-q", "main"]);
    const seen = (await terminal.done("preview")).all;
    expect(seen).toContain("! Puts back         6 edits of staff: ");
    expect(seen).toContain("! Puts back         1 coupon (GONE), deleted by staff");
    for (const line of [
      "discount puts back: 10 %, staff: 30 % (accepted, but not in this program)",
      "variants[M-RED].price puts back: 20, staff: 9 (accepted, but not in this program)",
      'variants[M-BLUE].sku puts back: "M-BLUE", staff: "M-GREEN" (accepted, but not in this program)',
      "content puts back the program's text over staff's (accepted, but not in this program)",
      'current.colour puts back: "red", staff: "green" (accepted, but not in this program)',
      "to create again, staff deleted it",
    ])
      expect(seen).toContain(line);
    expect(seen).toMatch(
      /warning: these steps revert edits of staff that accept wrote into a program \(\w+, just now, from branch staff \(\w{7}\)\): Coupon spring, Coupon gone, Product mug, .*\. To keep them, merge that program first/,
    );
    expect(JSON.parse(await outputOf(terminal, "preview", "--json")).impact).toMatchObject({
      putBack: expect.objectContaining({ length: 6 }),
      createdAgain: [{ name: "gone" }],
    });
    // The program's own changes stay, and what both changed is listed.
    terminal.write("theme/own_page.liquid", page.replace("five", "five by us"));
    terminal.write("index.ts", program.replace("percent: 10", "percent: 12"));
    expect((await terminal.done("preview")).all).toContain(
      "discount sets: 12 %, staff: 30 % (accepted, and changed in the program)",
    );
    const merged = await terminal.run("accept", "--all", "--dry-run", "--stack", "dev");
    expect(merged.code).toBe(2);
    expect(merged.stdout).toContain("\n one\n-two\n+two by staff\n three\n four\n five by us\n six\n");
    expect(merged.stdout).toContain(
      "Coupon spring: discount: 12 % => 30 % (both changed it; --theirs accepts the shop's value)",
    );
    git(terminal.folder, ["checkout", "-q", "."]);

    // It isn't told twice, and says so as long as nobody has applied the other program.
    const kept = (await terminal.done("up", "--yes", "--keep", "spring,page,settings,mug,gone")).all;
    expect(kept).toMatch(/5 unchanged|4 unchanged/);
    expect(world.rows("discount_code")).toMatchObject([{ code: "SPRING", discount: "30.0" }]);

    // A run of the program that has the edits settles them; then the history knows whose they are.
    git(terminal.folder, ["switch", "-q", "staff"]);
    const settled = (await terminal.done("up", "--yes")).all;
    expect(settled).toMatch(/Resources:\n +4 unchanged\n/);
    expect(terminal.read("backend/.pulumi/stacks/user/dev.json")).not.toContain("__accepted");
    git(terminal.folder, ["switch", "-q", "main"]);
    const later = (await terminal.done("preview")).all;
    expect(later).not.toContain("puts back");
    expect(later).toMatch(/warning: these steps revert changes of \w+'s up from branch staff \(\w{7}\): /);
    for (const name of ["Coupon gone", "Coupon spring", "Product mug", "Asset page", "Asset settings"])
      expect(later.split("\n").find((line) => line.startsWith("warning: "))).toContain(name);
  },
);

const priced = (title: string, trade: number) => `import { PriceKind, Product } from "pulumi-shop";
const kinds = ["${title}", "Club"].map((title, at) => new PriceKind(\`kind-\${at}\`, { title }));
const prices = { "${title}": ${trade}, Club: 7 };
new Product("mug", { title: "Mug", variants: [{ sku: "M", price: 10, prices }] }, { dependsOn: kinds });
`;

campaignTest.each(storyForms)(
  "an accepted price of a kind is marked, also where the program gives that kind another title: %s",
  async (_form, plugins) => {
    const world = await openWorld();
    const terminal = await openProject(world, plugins, priced("Wholesale", 8));
    terminal.warnings.push(/ reverts? edits of staff /);
    git(terminal.folder, ["switch", "-q", "-c", "staff"]);
    const [variant] = (world.rows("product")[0]?.variants ?? []) as readonly Record<string, unknown>[];
    const edited = { ...variant, price2: "9.0", price3: "6.0" };
    await world.edit({ kind: "product", where: { title: "Mug" }, set: { variants: [edited] } });
    // The program changed one of the two prices too: only the other one is accepted.
    terminal.write("index.ts", priced("Wholesale", 8).replace("Club: 7", "Club: 5"));
    const accepted = await terminal.run("accept", "mug", "--yes", "--force", "--stack", "dev");
    expect([accepted.code, accepted.stdout]).toEqual([2, expect.stringContaining("Wrote 1 edit of staff.")]);

    git(terminal.folder, ["checkout", "-q", "index.ts"]);
    git(terminal.folder, ["switch", "-q", "main"]);
    terminal.write("index.ts", priced("Trade", 8));
    const seen = (await terminal.done("preview")).all;
    expect(seen).toContain(
      "variants[M].prices[Trade] puts back: 8, staff: 9 (accepted, but not in this program)",
    );
    expect(seen).toMatch(/variants\[M\]\.prices\[Club\] puts back: 7, staff: 6\n/);
    terminal.write("index.ts", priced("Trade", 9));
    const merged = (await terminal.done("preview")).all;
    expect(merged).not.toContain("prices[Trade] puts back");
    expect(merged).toMatch(/variants\[M\]\.prices\[Club\] puts back: 7, staff: 6\n/);
  },
);

const sheetProgram = `import { Prices } from "pulumi-shop";
new Prices("sheet", { file: "prices.csv" });
`;

campaignTest.each(storyForms)(
  "rows of a sheet that one checkout accepted are marked in the checkout that lacks them: %s",
  async (_form, plugins) => {
    const world = await openWorld();
    await world.client.products.create({ title: "Cup", variants: [{ sku: "CUP", price: 5 }] });
    const terminal = openTerminal(sheetProgram, world.env);
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
    const [lacking, accepted, later] = [10, 11, 13].map((price) => `sku,price\nCUP,${price}\n`) as [
      string,
      string,
      string,
    ];
    terminal.write("prices.csv", lacking);
    await terminal.done("up", "--yes", "--skip-preview");
    const edit = (price: string) => {
      const [variant] = (world.rows("product")[0]?.variants ?? []) as readonly object[];
      return world.edit({
        kind: "product",
        where: { title: "Cup" },
        set: { variants: [{ ...variant, price }] },
      });
    };
    await edit("11.0");
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("prices.csv")).toBe(accepted);
    const after = (await terminal.done("preview", "--expect-no-changes")).all;
    expect(after).not.toContain("Done already");

    terminal.write("prices.csv", lacking);
    terminal.warnings.push(/ reverts? edits of staff /);
    const seen = (await terminal.done("preview")).all;
    expect(seen).toContain("! Puts back    1 edit of staff: sheet CUP price 11 → 10");
    expect(seen).toContain("rows[CUP].price puts back: 10, staff: 11 (accepted, but not in this program)");
    expect(seen).toContain("edits of staff that accept wrote into a program");
    expect((await terminal.done("up", "--yes", "--keep", "sheet")).all).not.toContain("updated");
    expect((await terminal.done("accept", "--all", "--dry-run")).all).toContain("-CUP,10\n+CUP,11\n");
    terminal.write("prices.csv", later);
    expect((await terminal.done("preview")).all).toContain(
      "rows[CUP].price sets: 13, staff: 11 (accepted, and changed in the program)",
    );

    // A later edit of staff is one to the sheet that has the earlier one.
    terminal.write("prices.csv", accepted);
    await edit("13.0");
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("prices.csv")).toBe(later);
    expect((await terminal.done("up", "--yes")).all).not.toContain("updated");
    expect(terminal.read("backend/.pulumi/stacks/user/dev.json")).not.toContain("^");
  },
);

campaignTest.each(storyForms)(
  "a checkout with the first of several accepted edits lacks only the later ones: %s",
  async (_form, plugins) => {
    const world = await openWorld();
    await world.client.products.create({ title: "Cup", variants: [{ sku: "CUP", price: 10 }] });
    const text = `${program.replace('new Coupon("gone"', 'new Prices("sheet", { file: "prices.csv" });\nnew Coupon("gone"')}`;
    const terminal = await openProject(world, plugins, text.replace("Product }", "Prices, Product }"), {
      "prices.csv": "sku,price\nCUP,10\n",
    });
    terminal.warnings.push(/ reverts? edits of staff /);
    const variantsOf = (title: string) =>
      (world.rows("product").find((one) => one.title === title)?.variants ?? []) as readonly Record<
        string,
        unknown
      >[];
    const price = (sku: string, amount: number) => (one: Record<string, unknown>) =>
      one.sku === sku ? { ...one, price: `${amount}.0` } : one;
    for (const turn of [1, 2]) {
      await world.edit({
        kind: "discount_code",
        where: { code: "SPRING" },
        set: { discount: `${10 + turn}.0` },
      });
      const added = turn === 1 ? [{ id: 900_001, sku: "M-GREEN", price: "30.0", quantity: 1 }] : [];
      const mugs = [
        ...variantsOf("Mug")
          .map(price("M-RED", 20 + turn))
          .map(price("M-GREEN", 30 + turn)),
        ...added,
      ];
      await world.edit({ kind: "product", where: { title: "Mug" }, set: { variants: mugs } });
      const cups = variantsOf("Cup").map(price("CUP", 10 + turn));
      await world.edit({ kind: "product", where: { title: "Cup" }, set: { variants: cups } });
      const content = page.replace("two", `two by staff ${turn}`);
      await world.edit({ kind: "asset", where: { name: "own_page.liquid" }, set: { content } });
      const json = settings.replace("red", `green ${turn}`);
      await world.edit({ kind: "asset", where: { name: "own_data.json" }, set: { content: json } });
      expect((await terminal.done("accept", "--all", "--yes")).all).toContain("Wrote 6 edits of staff.");
      git(terminal.folder, ["commit", "-qam", `Take in edits ${turn}`]);
    }
    expect((await terminal.done("preview", "--expect-no-changes")).all).toMatch(
      /Resources:\n +6 unchanged\n/,
    );
    git(terminal.folder, ["checkout", "-q", "HEAD^"]);
    const seen = (await terminal.done("preview")).all;
    for (const line of [
      "discount puts back: 11 %, staff: 12 %",
      "variants[M-RED].price puts back: 21, staff: 22",
      "variants[M-GREEN].price puts back: 30, staff: 32",
      "content puts back the program's text over staff's",
      'current.colour puts back: "green 1", staff: "green 2"',
      "rows[CUP].price puts back: 11, staff: 12",
    ])
      expect(seen).toContain(`${line} (accepted, but not in this program)\n`);
    // An edit of its own on another line is no conflict with the later one.
    const own = terminal.read("theme/own_page.liquid").replace("five", "five by us");
    terminal.write("theme/own_page.liquid", own);
    const merged = await terminal.run("accept", "page", "--dry-run", "--stack", "dev");
    expect([merged.code, merged.stdout]).toEqual([
      0,
      expect.stringContaining("-two by staff 1\n+two by staff 2\n three\n four\n five by us\n"),
    ]);
    expect(terminal.read("theme/own_page.liquid")).toBe(own);
    git(terminal.folder, ["checkout", "-q", "."]);
    // It can take the later ones in, and keep them in the shop.
    expect(
      (await terminal.done("up", "--yes", "--keep", "spring,mug,page,settings,sheet")).all,
    ).not.toContain("updated");
    expect((await terminal.done("accept", "--all", "--yes")).all).toContain("Wrote 6 edits of staff.");
    expect(git(terminal.folder, ["diff", "main"])).toBe("");
    expect((await terminal.done("up", "--yes")).all).toMatch(/Resources:\n +6 unchanged\n/);
    expect(terminal.read("backend/.pulumi/stacks/user/dev.json")).not.toMatch(/__accepted|\^/);
  },
);

campaignTest(
  "an object that staff deleted after accept wrote another edit of it is created again without a warning",
  async () => {
    const world = await openWorld();
    const terminal = await openProject(
      world,
      "",
      'import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { code: "SPRING", discount: { percent: 10 } });\n',
    );
    await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: "30.0" } });
    expect((await terminal.done("accept", "--all", "--yes")).all).toContain("no longer shows it.");
    git(terminal.folder, ["commit", "-qam", "Take in what staff changed"]);
    await world.ask("DELETE", `/admin/discount_codes/${world.rows("discount_code")[0]?.id}.xml`);
    await terminal.done("refresh", "--yes");
    const seen = (await terminal.done("preview")).all;
    expect(seen).toContain("to create again, staff deleted it");
    expect(seen).not.toContain("reverts");
  },
);

campaignTest(
  "of several accepts of a text, a checkout with the first and lines of its own lacks only the next one",
  async () => {
    const world = await openWorld();
    const only = program.replace(/new Asset\("settings"[\s\S]*/, "");
    const terminal = await openProject(world, "", only);
    terminal.warnings.push(/ reverts edits of staff /);
    const staff = (content: string) =>
      world.edit({ kind: "asset", where: { name: "own_page.liquid" }, set: { content } });
    for (const line of ["two A", "two B"]) {
      await staff(page.replace("two", line));
      await terminal.done("accept", "--all", "--yes", "--force");
    }
    terminal.write("theme/own_page.liquid", page.replace("two", "two A").replace("six", "six ours"));
    expect((await terminal.done("preview", "--diff")).all).toContain(
      "! Puts back    1 edit of staff: own_page.liquid",
    );
    const kept = (await terminal.done("preview", "--diff", "--keep", "page")).all;
    expect(kept).not.toMatch(/two|Puts back/);
    expect(kept).toContain("+ six ours");
    // An edit that nobody has read doesn't hide the accepted one.
    await staff(page.replace("two", "two B").replace("four", "four C"));
    const refused = await terminal.dev("preview", "--diff");
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("- two B\n")]);
    await terminal.done("up", "--yes", "--keep", "page");
    const merged = page.replace("two", "two B").replace("four", "four C").replace("six", "six ours");
    expect(world.rows("asset").find(({ name }) => name === "own_page.liquid")?.content).toBe(merged);
  },
);

campaignTest(
  "a checkout with all accepts of a text and lines of its own merges a later edit of staff",
  async () => {
    const world = await openWorld();
    const only = program.replace(/new Asset\("settings"[\s\S]*/, "");
    const terminal = await openProject(world, "", only);
    const staff = (content: string) =>
      world.edit({ kind: "asset", where: { name: "own_page.liquid" }, set: { content } });
    await staff(page.replace("two", "two A"));
    await terminal.done("accept", "--all", "--yes", "--force");
    terminal.write("theme/own_page.liquid", page.replace("two", "two A").replace("six", "six ours"));
    await staff(page.replace("two", "two A").replace("four", "four C"));
    expect((await terminal.done("preview", "--diff")).all).not.toMatch(/two A[\s\S]*\+ four/);
    await terminal.done("up", "--yes");
    const merged = page.replace("two", "two A").replace("four", "four C").replace("six", "six ours");
    expect(world.rows("asset").find(({ name }) => name === "own_page.liquid")?.content).toBe(merged);
  },
);

campaignTest(
  "an accept under one name of a resource is known in a checkout that has another name for it",
  async () => {
    const world = await openWorld();
    const coupon = (name: string, code: string, percent: number, was?: string) =>
      `new Coupon("${name}", { code: "${code}", discount: { percent: ${percent} } }${was === undefined ? "" : `, { aliases: [{ name: "${was}" }] }`});\n`;
    const head = 'import { Coupon } from "pulumi-shop";\n';
    const old = head + coupon("spring", "S", 10) + coupon("gone", "G", 5) + coupon("late", "L", 7);
    const renamed =
      head + coupon("early", "S", 10, "spring") + coupon("left", "G", 5, "gone") + coupon("late", "L", 7);
    const terminal = await openProject(world, "", old);
    terminal.warnings.push(/ reverts? (edits of staff|changes of) /);
    git(terminal.folder, ["switch", "-q", "-c", "staff"]);
    await world.edit({ kind: "discount_code", where: { code: "S" }, set: { discount: "30.0" } });
    await world.edit({ kind: "discount_code", where: { code: "G" }, delete: true });
    await terminal.done("accept", "--all", "--yes");
    git(terminal.folder, ["commit", "-qam", "Take in what staff changed"]);
    git(terminal.folder, ["switch", "-q", "main"]);
    const told = (names: string) =>
      new RegExp(
        `warning: these steps revert edits of staff that accept wrote into a program \\(.*\\): ${names}\\.`,
      );
    const marks = [
      "puts back: 10 %, staff: 30 % (accepted, but not in this program)",
      "to create again, staff deleted it",
    ];
    terminal.write("index.ts", renamed);
    const seen = (await terminal.done("preview")).all;
    for (const mark of marks) expect(seen).toContain(mark);
    expect(seen).toMatch(told("Coupon early, Coupon left"));

    // The other way round: the program with the new names has accepted the edits.
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("index.ts")).toBe(
      renamed.replace("10", "30").replace(coupon("left", "G", 5, "gone"), ""),
    );
    await world.edit({ kind: "discount_code", where: { code: "S" }, set: { discount: "40.0" } });
    await world.edit({ kind: "discount_code", where: { code: "L" }, delete: true });
    await terminal.done("accept", "--all", "--yes", "--force");
    git(terminal.folder, ["checkout", "-q", "."]);
    git(terminal.folder, ["switch", "-q", "staff"]);
    const other = (await terminal.done("preview")).all;
    expect(other).toContain("puts back: 30 %, staff: 40 % (accepted, but not in this program)");
    expect(other).toMatch(told("Coupon spring, Coupon late"));
  },
);
