// Computed numbers: what the preview shows is what is sent, in every form of a price.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const program = (factor: number) => `import { Coupon, Prices, PriceKind, Product } from "pulumi-shop";
const kind = new PriceKind("wholesale", { title: "Wholesale" });
const mug = new Product("mug", {
  title: "Mug",
  variants: [{ sku: "A", price: 12 * ${factor}, prices: { Wholesale: 6 * ${factor} } }],
}, { dependsOn: kind });
new Prices("sheet", { rows: [{ sku: "A", oldPrice: 3 * ${factor} }], unknown: "report" }, { dependsOn: mug });
new Coupon("spring", { code: "SPRING", discount: { percent: 12 * ${factor} } });
`;

test.each(storyForms)(
  "a computed price is shown and sent as the number that is meant: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(program(1.1), plugins);
    const made = await terminal.done("up", "--yes", "--json");
    terminal.write("index.ts", program(1.2));
    const preview = await terminal.dev("preview", "--diff", "--markdown", "comment.md");
    const told = await terminal.dev("up", "--yes", "--json");
    const all = [made, preview, told].map(({ stdout }) => stdout).join("") + terminal.read("comment.md");
    expect(preview.stdout).toContain("discount: 13.2 % => 14.4 %");
    expect(terminal.read("comment.md")).toContain("discount: 13.2 % → **14.4 %**");
    expect(all).not.toMatch(/\.\d*(0{6}|9{6})\d/);
    expect(JSON.stringify(world.rows("product"))).not.toMatch(/\.\d*(0{6}|9{6})\d/);
  },
);
