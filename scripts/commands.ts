/**
 * Generates docs/commands/<name>.md: a page for each command, from its help and from the commands in the guides, which
 * a test runs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../cli/commands/index.ts";
import type { Option } from "../cli/options.ts";
import { capital, type Page } from "./reference.ts";

const root = join(import.meta.dirname, "..");
const loaded = await Promise.all(
  Object.entries(commands).map(async ([name, { summary, load }]) => ({ name, summary, ...(await load()) })),
);

interface Guide {
  readonly path: string;
  readonly title: string;
  readonly text: string;
}
const guides: readonly Guide[] = ["tutorials", "how-to"].flatMap((folder) =>
  readdirSync(join(root, "docs", folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(root, "docs", folder, name), "utf8");
      return { path: `../${folder}/${name}`, title: /^# (.*)$/m.exec(text)?.[1] ?? name, text };
    }),
);

const cell = (text: string) => text.replaceAll("|", "\\|");

function optionRow([name, { short, value, text }]: readonly [string, Option]): string {
  const long = `\`--${name}${value === undefined ? "" : ` ${value}`}\``;
  return `| ${cell(short === undefined ? long : `\`-${short}\`, ${long}`)} | ${cell(capital(text))} |`;
}

const mostExamples = 6;

/** The lines of guides that run a command, without duplicates. */
function examplesOf(name: string): readonly string[] {
  const lines = guides.flatMap(({ text }) =>
    [...text.matchAll(/^```(?:sh|bash)\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) =>
      block
        .split("\n")
        .filter((line) => new RegExp(`^npx pulumi-shop ${name}( |$)`).test(line))
        .map((line) => line.replace(/\s+# .*$/, "")),
    ),
  );
  return [...new Set(lines)].slice(0, mostExamples);
}

function usedIn(name: string): string {
  const used = guides.filter(({ text }) => new RegExp(`pulumi-shop ${name}\\b`).test(text));
  if (used.length === 0) return "";
  return `\n## Guides that use it\n\n${used.map(({ path, title }) => `- [${title}](${path})`).join("\n")}\n`;
}

function pageOf({
  name,
  summary,
  usage,
  description: what,
  example,
  notes,
  options,
}: (typeof loaded)[number]): Page {
  const own = example.split("\n").map((line) => line.replace(/^(?=pulumi-shop )/, "npx "));
  const examples = [...new Set([...own, ...examplesOf(name)])];
  const text = `<!-- Generated from the command's help by npm run generate. -->
# pulumi-shop ${name}

${capital(summary)}.

\`\`\`text
pulumi-shop ${usage}
\`\`\`

${what}

## Examples

\`\`\`sh
${examples.join("\n")}
\`\`\`
${notes === undefined ? "" : `\n${notes.trimEnd()}\n`}
## Options

| option | meaning |
|---|---|
${Object.entries(options).map(optionRow).join("\n")}

[Exit codes](../commands.md#exit-codes) are those of all commands.
${usedIn(name)}`;
  return { path: `docs/commands/${name}.md`, text };
}

export const commandPages = (): readonly Page[] => loaded.map(pageOf);
