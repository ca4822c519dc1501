// A removed argument keeps its value in the shop, and the preview says so.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const program = (variants: readonly object[], more = "") => `import { Product } from "pulumi-shop";
new Product("tov-0", { title: "Tov", ${more}variants: ${JSON.stringify(variants)} });
`;
const one = { sku: "SKU-0-0", price: 15, quantity: 1 };
const two = { sku: "SKU-0-1", price: 16, quantity: 1 };

test.each(storyForms)(
  "the preview says what the shop keeps of an argument that is taken away: %s",
  async (_how, plugins) => {
    const { terminal } = await openScene(
      program([{ ...one, oldPrice: 20 }, two], 'description: "Old words", '),
      plugins,
    );
    const up = await terminal.done("up", "--yes", "--skip-preview");
    expect(up.stdout).not.toContain("is no longer set");
    terminal.write("index.ts", program([one, two]));
    const shown = await terminal.dev("preview", "--markdown", "plan.md");
    const words = 'oldPrice of tov-0 (SKU-0-0) is no longer set: the shop keeps 20; "" removes it';
    expect(shown.stdout).toContain(words);
    expect(shown.stdout).toContain(
      'description of tov-0 is no longer set: the shop keeps Old words; "" removes it',
    );
    expect(terminal.read("plan.md")).toContain(`- ${words}\n`);
    // It isn't shown as a change, because nothing is sent for it.
    terminal.write("index.ts", program([{ ...one, price: 14 }, two]));
    const beside = await terminal.dev("preview");
    expect(beside.stdout).toContain(words);
    expect(beside.stdout).toContain("[variants[SKU-0-0].price]");
    expect(beside.stdout).not.toMatch(/[-~] (variants.*oldPrice|description)/);
    // An empty value is removed, without a message.
    terminal.write("index.ts", program([{ ...one, oldPrice: "" }, two], 'description: "", '));
    const emptied = await terminal.dev("preview");
    expect(emptied.stdout).toContain('variants[SKU-0-0].oldPrice: 20 => ""');
    expect(emptied.stdout).not.toContain("is no longer set");
  },
);
