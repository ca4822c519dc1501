// Arguments in natural forms beside the provider's: the same state, the same requests, and the program keeps its
// form.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const wire = `import { Coupon, Product } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });
new Coupon("welcome", { code: "WELCOME", discount: "5.50", typeId: 2 });
new Product("mug", { title: "Mug", variants: [
  { sku: "R", price: 5, options: [{ title: "Size", value: "L" }, { title: "Colour", value: "Red" }] },
  { sku: "B", price: 6, options: [{ title: "Size", value: "M" }, { title: "Colour", value: "Blue" }] },
] });
`;
const natural = `import * as pulumi from "@pulumi/pulumi";
import { Coupon, Product } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: { percent: 10 } });
new Coupon("welcome", { code: "WELCOME", discount: pulumi.output({ amount: "5.50" }) });
new Product("mug", { title: "Mug", variants: [
  { sku: "R", price: 5, options: { Size: "L", Colour: "Red" } },
  { sku: "B", price: 6, options: { Size: "M", Colour: "Blue" } },
] });
`;

test.each(storyForms)(
  "with %s, a program in natural forms is the program in the wire's: neither previews anything after the other, and accept keeps the form",
  async (_form, plugins) => {
    const { world, terminal } = await openScene(natural, plugins);
    const run = async (...args: readonly string[]) => (await terminal.done(...args)).stdout;
    await run("up", "--create", "--yes", "--skip-preview");
    const coupons = world
      .rows("discount_code")
      .toSorted((one, other) => (`${one.code}` < `${other.code}` ? -1 : 1));
    expect(coupons).toMatchObject([
      { code: "SPRING", discount: "10.0", type_id: 1 },
      { code: "WELCOME", discount: "5.5", type_id: 2 },
    ]);
    expect(world.rows("product")).toMatchObject([{ option_names: [{ title: "Size" }, { title: "Colour" }] }]);
    for (const program of [wire, natural]) {
      terminal.write("index.ts", program);
      expect(await run("up", "--yes")).toContain("3 unchanged");
    }

    const set = { discount: "4.0", type_id: 2 };
    await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set });
    await run("accept", "--all", "--yes", "--force");
    expect(terminal.read("index.ts")).toBe(natural.replace("{ percent: 10 }", "{ amount: 4 }"));
    expect(await run("preview")).toContain("3 unchanged");
  },
);
