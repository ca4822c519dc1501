// Two shops side by side: what differs is said, what can't be the same (ids, stamps, stock) is not.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { comparisonMarkdown } from "../../cli/compare/print.ts";
import { openWorld, type World } from "../world.ts";
import { connectStack, openTerminal } from "./terminal.ts";

const program = `import { Asset, Coupon, File, getThemeOutput, Product } from "pulumi-shop";
const theme = getThemeOutput({ published: true });
new Product("mug", { title: "Mug", permalink: "mug", variants: [{ sku: "R", price: 10, quantity: 3 }, { sku: "B", price: 12 }] });
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });
new Asset("page", { themeId: theme.id, type: "Asset::Template", name: "page.care.liquid", file: "care.liquid" });
new File("chart", { content: "a,b\\n", filename: "chart.csv" });
`;

async function opened() {
  const [staging, live] = [await openWorld(), await openWorld()];
  const terminal = openTerminal(program, { SHOP_PASSWORD: staging.credentials.password });
  terminal.write("care.liquid", "one\ntwo\nthree\n");
  const connect = async (stack: string, world: World) => {
    await connectStack(terminal, stack, world);
    const made = await terminal.run("up", "--stack", stack, "--yes", "--skip-preview");
    expect(made.code, made.stdout + made.stderr).toBe(0);
  };
  await connect("staging", staging);
  await connect("live", live);
  return { staging, live, terminal };
}

describe("compare", () => {
  test("of two shops with other ids throughout says that they are equal", async () => {
    const { staging, live, terminal } = await opened();
    const ids = (world: World) =>
      ["product", "discount_code", "asset", "theme", "file"].flatMap((table) =>
        world.rows(table).map(({ id }) => id),
      );
    expect(ids(staging).filter((id) => ids(live).includes(id))).toEqual([]);
    for (const sides of [
      ["staging", "live"],
      ["shop:staging", "shop:live"],
      ["staging", "program:live"],
    ]) {
      const { code, stdout, stderr } = await terminal.run("compare", ...sides);
      expect([code, stdout], stderr).toEqual([
        0,
        `${sides.join(" and ")} are equal in what was compared\nnot compared: Product.variants.quantity of 1: the shop changes it by itself\n`,
      ]);
    }
    expect(live.requests().filter((line) => line.startsWith("PUT") || line.startsWith("DELETE"))).toEqual([]);
  });

  test("says what is only in one, and both values of what differs; a text as hunks; exit code 2", async () => {
    const { staging, live, terminal } = await opened();
    await staging.client.coupons.create({ code: "EXTRA", discount: 1, typeId: 1 });
    await live.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
    await live.edit({
      kind: "asset",
      where: { name: "page.care.liquid" },
      set: { content: "one\n2\nthree\n" },
    });
    const product = live.rows("product")[0] as { variants: readonly Record<string, unknown>[] } & Record<
      string,
      unknown
    >;
    await live.edit({ kind: "product", id: product.id, set: { variants: product.variants.slice(0, 1) } });
    const { code, stdout } = await terminal.run("compare", "shop:staging", "shop:live");
    expect(code).toBe(2);
    expect(stdout).toContain("- Coupon             EXTRA   only in shop:staging");
    expect(stdout).toContain("~ Coupon             SPRING\n       ~ discount: 10 => 55");
    expect(stdout).toMatch(/~ content:\n.*@@ -1,3 \+1,3 @@\n.* one\n\s+- two\n\s+\+ 2\n.* three\n/);
    expect(stdout).toMatch(/- variants\[B\]: /);
    expect(stdout).not.toMatch(/updatedAt|\bid\b/);
    expect(stdout.match(/.*quantity.*/g)).toEqual([
      "not compared: Product.variants.quantity of 1: the shop changes it by itself",
    ]);
    expect(stdout.trim().split("\n").at(-1)).toBe("3 different, 1 only in shop:staging, 0 only in shop:live");
    // A stack compares what it manages: what staff made beside it is nobody's difference.
    expect((await terminal.run("compare", "staging", "live")).stdout).not.toContain("EXTRA");
  });

  test("of a shop and a program says nothing of what the program doesn't state", async () => {
    const { live, terminal } = await opened();
    await live.edit({ kind: "product", where: { permalink: "mug" }, set: { description: "by staff" } });
    expect((await terminal.run("compare", "live", "program:live")).code).toBe(0);
    expect((await terminal.run("compare", "live", "staging")).code).toBe(2);
    terminal.write("care.liquid", "changed\n");
    const { code, stdout } = await terminal.run("compare", "live", "program:live");
    expect(code).toBe(2);
    expect(stdout).toMatch(/- one[\s\S]*\+ changed/);
  });

  test("is written as JSON, and as Markdown that fits into a comment", async () => {
    const { live, terminal } = await opened();
    await live.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55 } });
    const { stdout } = await terminal.run("compare", "staging", "live", "--json", "--markdown", "out.md");
    expect(JSON.parse(stdout)).toEqual({
      a: "staging",
      b: "live",
      equal: false,
      differences: [
        {
          type: "different",
          kind: "Coupon",
          key: "SPRING",
          changes: [{ path: "discount", kind: "update", old: 10, new: 55 }],
        },
      ],
      notCompared: [
        { kind: "Product", path: "variants.quantity", objects: 1, reason: "the shop changes it by itself" },
      ],
    });
    const markdown = readFileSync(join(terminal.folder, "out.md"), "utf8");
    expect(markdown).toContain("- **Coupon** `SPRING`\n\n```diff\n! discount: 10 => 55\n```");
  });

  test("as Markdown is never longer than a comment may be, and its own fences hold", () => {
    const text = "```\n".repeat(3_000);
    const differences = Array.from({ length: 50 }, (_, index) => ({
      type: "different" as const,
      kind: "Asset",
      key: `a\`${index}`,
      changes: [{ path: "content", kind: "update" as const, old: "x\n", new: `${text}${index}\n` }],
    }));
    const markdown = comparisonMarkdown({ a: "a", b: "b" }, { differences, notCompared: [] });
    expect(markdown.length).toBeLessThan(65_536);
    expect(markdown).toMatch(/… and 4\d more, which don't fit here/);
    expect(markdown).toContain("````diff\n");
  });

  test("refuses what is no side, and a stack that isn't there", async () => {
    const { terminal } = await opened();
    expect(await terminal.run("compare", "staging")).toMatchObject({ code: 2 });
    expect((await terminal.run("compare", "staging", "cloud:live")).stderr).toContain("is no side");
    expect(await terminal.run("compare", "staging", "nowhere")).toMatchObject({ code: 1 });
  });
});
