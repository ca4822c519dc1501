// Texts in the program that staff and the program both changed: their lines are merged, as those of files are.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const lines = (of: Readonly<Record<number, string>>) =>
  ["<h2>Mug</h2>", "one", "two", "three", "four", "five"].map((line, at) => `${of[at] ?? line}\n`).join("");
const program = (
  description: string,
  snippet: string,
) => `import { Asset, getThemeOutput, Product } from "pulumi-shop";
// The description is ours and theirs.
new Product("mug", {
  title: "Mug", // short
  description: \`${description}\`,
  variants: [{ sku: "MUG", price: 5 }],
});
new Asset("own", {
  themeId: getThemeOutput({ published: true }).id,
  type: "Asset::Snippet",
  name: "own.liquid",
  content: \`${snippet}\`,
});
`;

test.each(storyForms)(
  "accept merges the lines of a text that both changed in the program: %s",
  async (_form, plugins) => {
    const { world, terminal } = await openScene(program(lines({}), lines({})), plugins);
    await terminal.done("up", "--yes", "--skip-preview");
    const staff = (of: Readonly<Record<number, string>>) =>
      Promise.all([
        world.edit({ kind: "product", where: { title: "Mug" }, set: { description: lines(of) } }),
        world.edit({ kind: "asset", where: { name: "own.liquid" }, set: { content: lines(of) } }),
      ]);
    await staff({ 1: "one by staff" });
    const [ours, both] = [{ 4: "four by us" }, { 1: "one by staff", 4: "four by us" }];
    terminal.write("index.ts", program(lines(ours), lines(ours)));
    const { stdout } = await terminal.done("accept", "--all", "--yes", "--force");
    expect(stdout).toContain("  Product mug: description: the lines of both  (index.ts:5)\n");
    expect(terminal.read("index.ts")).toBe(program(lines(both), lines(both)));
    const left = await terminal.done("preview", "--diff");
    expect(left.stdout).not.toMatch(/by staff|Puts back/);
    expect(left.stdout).toContain("+ four by us");

    // Another checkout has our lines only.
    terminal.warnings.push(/ reverts? edits of staff /);
    terminal.write("index.ts", program(lines(ours), lines(ours)));
    const lacking = await terminal.done("preview", "--diff");
    expect(lacking.stdout).toContain("replaces staff's text (accepted, and changed in the program)");
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("index.ts")).toBe(program(lines(both), lines(both)));
    await terminal.done("up", "--yes");
    expect(world.rows("product")[0]?.description).toBe(lines(both));

    await staff({ 2: "two by staff", 4: "four by us" });
    terminal.write("index.ts", program(lines({ 2: "two by us", 4: "four by us" }), lines(both)));
    const refused = await terminal.dev("accept", "mug", "--yes", "--force");
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining("both changed it; --theirs")]);
    await terminal.done("accept", "--all", "--theirs", "--yes", "--force");
    const after = { 2: "two by staff", 4: "four by us" };
    expect(terminal.read("index.ts")).toBe(program(lines(after), lines(after)));
    await terminal.done("preview", "--expect-no-changes");
  },
);

test.each(storyForms)(
  "a value that staff and the program both added is a conflict, which accept --theirs ends: %s",
  async (_form, plugins) => {
    const coupon = (description: string) =>
      `import { Coupon } from "pulumi-shop";\nnew Coupon("spring", { code: "SPRING", discount: { percent: 5 }${description} });\n`;
    const { world, terminal } = await openScene(coupon(""), plugins);
    await terminal.done("up", "--yes", "--skip-preview");
    await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { description: "theirs" } });
    terminal.write("index.ts", coupon(', description: "ours"'));
    const shown = await terminal.dev("preview");
    expect(shown.stdout).toContain("last run nothing, in the shop now theirs, the program asks for ours");
    expect(shown.stdout).toContain("accept spring --theirs writes the shop's values into the program");
    const refused = await terminal.dev("accept", "spring", "--yes", "--force");
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining("both changed it; --theirs")]);
    await terminal.done("accept", "spring", "--theirs", "--yes", "--force");
    expect(terminal.read("index.ts")).toBe(coupon(', description: "theirs"'));
    await terminal.done("preview", "--expect-no-changes");
  },
);
