// The number of requests that a preview announces contains what the program only reads, or imports.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const numbers = (text: string, what: RegExp) => [...text.matchAll(what)].map(([, count]) => Number(count));

test.each(storyForms)(
  "gets and imports send as many requests as announced, with %s",
  async (_form, project) => {
    const world = await openWorld();
    const coupons = Array.from({ length: 12 }, (_one, index) => ({
      code: `C${index}`,
      discount: 5,
      typeId: 1 as const,
    }));
    for (const coupon of coupons) await world.client.coupons.create(coupon);
    const mug = { title: "Mug", variants: [{ sku: "M", price: 5 }] };
    const { id: product } = await world.client.products.create(mug);
    const { id: file } = await world.client.files.create({ filename: "a.txt", attachment: "eA==" });
    const ids = world.rows("discount_code").map(({ id }) => String(id));
    const terminal = openTerminal("", world.env);
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + project);
    const up = async (program: string) => {
      terminal.write("index.ts", `import { Coupon, File, Product } from "pulumi-shop";\n${program}`);
      const { all } = await terminal.done("up", "--yes", "--stack", "dev");
      const [, sent] = numbers(all, /API requests: (\d+)/g);
      return { announced: numbers(all, /needed: at most (\d+)/g)[0], sent };
    };
    const get = (kind: string, id: unknown) => `${kind}.get("${kind}${id}", "${id}");\n`;
    const few = get("Coupon", ids[0]) + get("Product", product) + get("File", file);
    expect(await up(few)).toEqual({ announced: 3, sent: 3 });
    // Nothing changes: it ends with the preview.
    expect(await up(few)).toEqual({ announced: undefined, sent: undefined });
    const many = ids.map((id) => get("Coupon", id)).join("");
    const both = await up(many);
    expect(both.sent).toBeLessThan(6);
    expect(both.announced).toBe(both.sent);
    const imports = `new Product("mug", ${JSON.stringify(mug)}, { import: "${product}" });
new Coupon("c", { code: "C0", discount: { percent: 5 } }, { import: "${ids[0]}" });
`;
    const imported = await up(imports);
    expect(imported.announced).toBe(imported.sent);
  },
);
