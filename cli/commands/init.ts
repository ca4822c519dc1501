/** init: writes a new project from the template of `pulumi new`, with workflows. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { packageFolder, packedEnding, templateText, writeFiles } from "../stack/write-files.ts";

const options = {
  name: { type: "string", value: "NAME", text: "the project's name (default: the folder's name)" },
  "no-workflows": { type: "boolean", text: "don't write .github/workflows" },
  help: stackOptions.help,
} as const;

export const init = defineCommand({
  usage: "init [FOLDER] [options]",
  description:
    "Writes a new project: a program, its test, three stacks (dev, staging, live), and workflows for pull requests.",
  example: "npx pulumi-shop init my-shop",
  options,
  maxPositionals: 1,
  run,
});

async function run(values: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const folder = resolve(positionals[0] ?? process.cwd());
  const name = values.name ?? basename(folder);
  // Valid for both Pulumi and npm.
  if (!/^[a-z][a-z0-9_.-]{0,99}$/.test(name))
    throw usageError(
      `${JSON.stringify(name)} is not a valid project name: it must begin with a lower-case letter, and have at most 100 lower-case letters, ` +
        "digits, hyphens, underscores and periods. Set one with --name, such as --name my-shop",
    );
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw usageError(`${folder} is a file: name a folder`);
  const files = projectFiles(name, values["no-workflows"] !== true);
  const there = [...files.keys()].filter((path) => existsSync(join(folder, path)));
  if (there.length > 0)
    throw usageError(
      `${folder} has ${there.slice(0, 3).join(", ")}${there.length > 3 ? ` and ${there.length - 3} more files of a project` : ""} already; nothing was written. Name a new folder: init my-shop`,
    );
  writeFiles(folder, files);
  const cd = relative(process.cwd(), folder);
  process.stdout.write(`Wrote ${files.size} files. Next:
  ${cd === "" ? "" : `cd ${/\s/.test(cd) ? JSON.stringify(cd) : cd}\n  `}npm install
  npm test
  npx pulumi-shop serve --stack dev     # a shop on this machine; keeps running
  npx pulumi-shop up --stack dev        # in a second terminal
For a shop of your own, run the three commands at the top of Pulumi.staging.yaml.
`);
  return codes.success;
}

function projectFiles(name: string, workflows: boolean): ReadonlyMap<string, string> {
  const template = join(packageFolder(), "examples/template");
  const files = new Map<string, string>();
  for (const entry of readdirSync(template, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = relative(template, join(entry.parentPath, entry.name)).replaceAll("\\", "/");
    files.set(path.replace(packedEnding, ""), filled(path, templateText(path), name));
  }
  const examples = join(packageFolder(), "examples/workflows");
  for (const file of workflows ? readdirSync(examples).filter(isOfOneWay) : [])
    files.set(`.github/workflows/${file}`, readFileSync(join(examples, file), "utf8"));
  return files;
}

// Only the workflows for one way of keeping states (examples/workflows/README.md). With both, two workflows would
// deploy each push from separate states, and create everything twice.
const isOfOneWay = (file: string) => file.endsWith(".yml") && !file.endsWith("-pulumi.yml");

function filled(path: string, text: string, name: string): string {
  const whole = text
    .replaceAll(/\$\{PROJECT\}/g, name)
    .replaceAll(/\$\{DESCRIPTION\}/g, "An online shop as a program");
  // Removes the section for `pulumi new`.
  return path === "Pulumi.yaml" ? whole.replace(/^template:\n(?: .*\n)*/m, "") : whole;
}
