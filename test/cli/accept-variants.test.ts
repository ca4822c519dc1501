// Variants that staff added or removed, beside variants that the program adds or removes before its next `up`.
import { expect, test } from "vitest";
import { campaignTest, partOf } from "../support/campaign.ts";
import { openScene } from "./terminal.ts";

const lineOf = (sku: string) => `{ sku: "${sku}", price: 10, options: { Size: "of ${sku}" } }`;
const program = (skus: string) => `import { Product } from "pulumi-shop";
new Product("mug", { title: "Mug", permalink: "mug", variants: [
${[...skus].map((sku) => `  ${lineOf(sku)},\n`).join("")}] });
`;
interface Row {
  readonly id: number;
  readonly variants: readonly { readonly sku: string; readonly option_values: readonly object[] }[];
}

interface Scene {
  readonly before: string;
  /** The variants of staff, of the program, and of the program after accept. */
  readonly staff: string;
  readonly asks: string;
  readonly accepts: string;
  /** What the next preview shows of single variants. */
  readonly shows: readonly string[];
}

const scenes: Readonly<Record<string, Scene>> = {
  "one that they removed": { before: "AB", staff: "A", asks: "ABC", accepts: "AC", shows: ["+ C"] },
  "the first one removed": { before: "AB", staff: "B", asks: "ABC", accepts: "BC", shows: ["+ C"] },
  "one that they added": { before: "AB", staff: "ABD", asks: "ABC", accepts: "ABCD", shows: ["+ C"] },
  "one removed and one added": { before: "AB", staff: "AD", asks: "ABC", accepts: "ACD", shows: ["+ C"] },
  "one that they removed, beside one that the program removes": {
    ...{ before: "ABE", staff: "AE", asks: "BE", accepts: "E", shows: ["- A"] },
  },
};

/** A variant that staff add. */
function addedTo({ variants: [first] }: Row, sku: string) {
  const option = { ...first?.option_values[0], id: 990012, title: `of ${sku}` };
  return { ...first, id: 990011, sku, option_values: [option] };
}

async function scene({ before, staff, asks }: Pick<Scene, "before" | "staff" | "asks">) {
  const { world, terminal } = await openScene(program(before));
  await terminal.done("up", "--yes", "--skip-preview");
  const row = world.rows("product")[0] as unknown as Row;
  const variants = [...staff].map((sku) => row.variants.find((one) => one.sku === sku) ?? addedTo(row, sku));
  await world.edit({ kind: "product", id: row.id, set: { variants } });
  terminal.write("index.ts", program(asks));
  const accepted = await terminal.done("accept", "--all", "--yes", "--force");
  const preview = async () => {
    const { stdout } = await terminal.dev("preview", "--diff");
    return stdout.split("\n").flatMap((line) => {
      const [, sign, sku, rest = ""] = /^ +([-+~]) variants\[(\w+)\](.*)$/.exec(line) ?? [];
      const [, why = ""] = /(\(accepted[^)]*\))$/.exec(rest) ?? [];
      return sign === undefined ? [] : [`${sign} ${sku} ${why}`.trim()];
    });
  };
  const skusOf = () => (world.rows("product")[0] as unknown as Row).variants.map(({ sku }) => sku);
  return { terminal, accepted, preview, skusOf };
}

test.each(partOf(Object.entries(scenes), Object.entries(scenes).slice(0, 2)))(
  "accept of %s leaves the program's own change for the next preview, and no variant is lost or doubled",
  async (_name, { shows, accepts, ...own }) => {
    const { terminal, preview, skusOf } = await scene(own);
    expect(terminal.read("index.ts")).toBe(program(accepts));
    expect(await preview()).toEqual(shows);
    await terminal.done("up", "--yes");
    expect(skusOf().toSorted()).toEqual([...accepts]);
    await terminal.done("preview", "--refresh", "--expect-no-changes");
  },
);

campaignTest(
  "a checkout without the accept doesn't turn the variant of staff into its own, and is told what it reverts",
  async () => {
    const added = await scene({ before: "AB", staff: "ABD", asks: "AB" });
    added.terminal.warnings.push(/this step reverts edits of staff/);
    added.terminal.write("index.ts", program("ABC"));
    expect(await added.preview()).toEqual(["~ D (accepted, but not in this program)", "+ C"]);
    const removed = await scene({ before: "AB", staff: "A", asks: "AB" });
    removed.terminal.warnings.push(/this step reverts edits of staff/);
    removed.terminal.write("index.ts", program("ABC"));
    expect(await removed.preview()).toEqual(["~ B (accepted, but not in this program)", "+ C"]);
  },
);

test("a variant that staff and the program added, each with another price, is taken from the shop with --theirs only", async () => {
  const { world, terminal } = await openScene(program("A"));
  await terminal.done("up", "--yes", "--skip-preview");
  const row = world.rows("product")[0] as unknown as Row;
  const [first] = row.variants;
  const [value] = first?.option_values ?? [];
  const added = {
    ...{ ...first, id: 990011, sku: "B", price: "12.0" },
    option_values: [{ ...value, id: 990012, title: "of B" }],
  };
  await world.edit({ kind: "product", id: row.id, set: { variants: [first, added] } });
  terminal.write("index.ts", program("AB"));
  const left = await terminal.dev("accept", "--all", "--yes", "--force");
  expect([left.code, terminal.read("index.ts")]).toEqual([2, program("AB")]);
  expect(left.all).toContain("--theirs");
  await terminal.done("accept", "--all", "--yes", "--force", "--theirs");
  expect(terminal.read("index.ts")).toBe(program("AB").replace('"B", price: 10', '"B", price: 12'));
});

const made = (red: string, all: string) => `import { Product } from "pulumi-shop";
const variant = (sku: string, price: number) => ({ sku, price });
const red = [
  variant("RED-S", 10),${red} // the reds
];
const all = {
  red: { title: "Red", variants: red },${all}
};
for (const name in all) {
  const args = all[name as keyof typeof all];
  new Product(name, args);
}
`;

campaignTest(
  "a variant that a function makes is removed from its list, and an object whose name a loop takes from its table",
  async () => {
    const blue = `
  blue: { title: "Blue", variants: [variant("BLUE-S", 11)] }, // blue`;
    const { world, terminal } = await openScene(made(' variant("RED-M", 11), variant("RED-L", 12),', blue));
    await terminal.done("up", "--yes", "--skip-preview");
    for (const { id, title, variants } of world.rows("product")) {
      const [first] = variants as readonly object[];
      if (title === "Blue") await world.client.products.remove({ id: Number(id) });
      else await world.edit({ kind: "product", id, set: { variants: [first] } });
    }
    const { stdout } = await terminal.done("accept", "--all", "--yes", "--force");
    expect(stdout).toContain("Wrote 3 edits of staff.");
    expect(terminal.read("index.ts")).toBe(made("", ""));
    await terminal.done("preview", "--expect-no-changes");
  },
);

test.each([
  ["a variant of staff", "A", "A"],
  ["one that the program removes and staff changed", "AB", "A"],
])(
  "%s is written with the ignored price that the others state, and can be created from it",
  async (_name, before, asks) => {
    const ignoring = (skus: string, title: string, priceOf = (_sku: string) => 10) =>
      `import { Product } from "pulumi-shop";
new Product("mug", { title: "${title}", permalink: "mug", variants: [
${[...skus].map((sku) => `  ${lineOf(sku).replace("10", String(priceOf(sku)))},\n`).join("")}] }, { ignoreChanges: ["variants[*].price"] });
`;
    const { world, terminal } = await openScene(ignoring(before, "Mug"));
    await terminal.done("up", "--yes", "--skip-preview");
    terminal.write("index.ts", ignoring(before, "Cup"));
    await terminal.done("up", "--yes", "--skip-preview");
    const row = world.rows("product")[0] as unknown as Row;
    const [first, second = addedTo(row, "B")] = row.variants;
    const theirs = {
      ...second,
      price: 12,
      option_values: [{ ...second.option_values[0], title: "Big" }],
    };
    await world.edit({ kind: "product", id: row.id, set: { variants: [first, theirs] } });
    terminal.write("index.ts", ignoring(asks, "Cup"));
    await terminal.done("accept", "--all", "--theirs", "--yes", "--force");
    const accepted = ignoring("AB", "Cup", (sku) => (sku === "B" ? 12 : 10)).replace("of B", "Big");
    expect(terminal.read("index.ts")).toBe(accepted);
    await world.edit({ kind: "product", id: row.id, set: { variants: [first] } });
    await terminal.done("up", "--yes", "--refresh");
    expect((world.rows("product")[0] as unknown as Row).variants).toMatchObject([
      { sku: "A", price: "10.0" },
      { sku: "B", price: "12.0" },
    ]);
  },
);

test("a second variant of one SKU is accepted, and the next preview shows no empty field of it", async () => {
  const emptied = (title: string, more = "") => `import { Product } from "pulumi-shop";
new Product("mug", { title: "${title}", permalink: "mug", variants: [
  { sku: "A", price: 10, weight: "", options: { Size: "of A" } },
  { sku: "B", price: 10, options: { Size: "of B" } },
${more}] });
`;
  const { world, terminal } = await openScene(emptied("Mug"));
  await terminal.done("up", "--yes", "--skip-preview");
  const row = world.rows("product")[0] as unknown as Row;
  const second = { ...addedTo(row, "A again"), sku: "A" };
  await world.edit({ kind: "product", id: row.id, set: { variants: [...row.variants, second] } });
  terminal.write("index.ts", emptied("Cup"));
  await terminal.done("accept", "--all", "--yes", "--force");
  expect(terminal.read("index.ts")).toBe(
    emptied("Cup", `  { sku: "A", price: 10, options: { Size: "of A again" } },\n`),
  );
  const { stdout } = await terminal.dev("preview", "--json");
  const paths = stdout.split("\n").flatMap((line) => {
    const said = line === "" ? {} : JSON.parse(line);
    return said.type === "done" ? said.step.changes.map(({ path }: { path: string }) => path) : [];
  });
  expect(paths).toEqual(["title"]);
});
