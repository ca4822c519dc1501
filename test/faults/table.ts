/** What a campaign found, as a table: printed, and written into docs/campaigns.md where PULUMI_SHOP_TABLES asks. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../cli/terminal.ts";

export type Row = readonly (string | number)[];

export function table(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_cell, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  const [first, ...rest] = all as [string[], ...string[][]];
  return [line(first), rule, ...rest.map(line)].join("\n");
}

/** Prints a campaign's table, and puts it between the marks of its name. */
export function report(name: string, text: string): void {
  process.stdout.write(`\n${name}\n${text}\n`);
  if (process.env.PULUMI_SHOP_TABLES !== "docs") return;
  const path = join(root, "docs/campaigns.md");
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const page = readFileSync(path, "utf8");
  const [before = "", rest = ""] = page.split(begin);
  writeFileSync(path, `${before}${begin}\n${text}\n${end}${rest.split(end)[1] ?? ""}`);
}
