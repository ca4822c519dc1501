// Texts in the comment of a pull request: markup of theirs is shown, and never acts.
import { marked } from "marked";
import { expect, test } from "vitest";
import { openScene } from "./terminal.ts";

const description = `<p>Soft &amp; <b>warm</b> {{ product.title }} {% if x %}</p>
<script>alert(1)</script> <img src=x onerror="go()"> @team #1 | *a*`;

test("the comment shows the tags in the description of a new object as text", async () => {
  const { terminal } = await openScene(`import { Product } from "pulumi-shop";
new Product("mug", { title: "Mug", description: ${JSON.stringify(description)}, variants: [{ sku: "M", price: 5 }] });
`);
  const { stdout } = await terminal.dev("preview", "--markdown", "-");
  const html = marked.parse(stdout.slice(stdout.indexOf("- **Mug**")), { async: false });
  // As a browser shows it, without the spaces of no width.
  const signs: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', amp: "&" };
  const shown = html
    .replaceAll(/&(?:#(\d+)|(\w+));/g, (_all, number, name) =>
      number === undefined ? (signs[name] ?? "") : String.fromCodePoint(Number(number)),
    )
    .replaceAll("\u200b", "");
  expect(shown).toContain(`description: <strong>${description.replace("\n", " ")}</strong>`);
  expect(html).not.toMatch(/<(?:script|img|b)\b/);
});

test("the content of an upload is not said to have been nothing, and its next one is shown", async () => {
  const program = (content: string) => `import { File } from "pulumi-shop";
import { secret } from "@pulumi/pulumi";
new File("sizes", { filename: "sizes.csv", ${content} });
`;
  const { terminal } = await openScene(program('file: "sizes.csv"'));
  terminal.write("sizes.csv", Buffer.from([0, 255, 1]));
  await terminal.done("up", "--yes");
  for (const [given, shown] of [
    ['"S"', "S"],
    ['secret("S")', "a secret"],
  ]) {
    terminal.write("index.ts", program(`content: ${given}`));
    const { stdout } = await terminal.dev("preview", "--markdown", "-");
    expect(stdout).toContain(`\n  - content: **${shown}**\n`);
  }
});
