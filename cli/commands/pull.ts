/** pull: generates a program from an existing shop. */

import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import * as engine from "../../engine/index.ts";
import { projectFileIn } from "../../engine/pulumi/backend.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { printable } from "../../provider/inventory/index.ts";
import { resources } from "../../provider/resources/index.ts";
import { checkShop, plural } from "../../runs/command.ts";
import { endingWith } from "../deploy/cancellation.ts";
import { codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { type Entry, entryOf, packageIn } from "../pull/entry.ts";
import { exportsName } from "../pull/existing-program.ts";
import { checkSheetKinds, sheetAdvice, sheetProgram } from "../pull/price-sheet.ts";
import { type Program, writeProgram } from "../pull/program.ts";
import { readShop, type Target } from "../pull/read-shop.ts";
import {
  adoptedFile,
  adoptedText,
  adoptText,
  readAdopted,
  readmeFiles,
  scaffold,
  stackText,
} from "../pull/scaffold.ts";
import { firstLimit } from "../stack/first-limits.ts";
import { kindNamed } from "../stack/kinds.ts";
import { type Connected, connect } from "../stack/open-stack.ts";
import { type Files, missingFiles, writeFiles } from "../stack/write-files.ts";
import { confirmOverwrite } from "../terminal/prompts.ts";
import { openTerminal, type Terminal } from "../terminal/terminal.ts";

const options = {
  stack: { ...stackOptions.stack, text: "the stack to write for this shop (default live)" },
  cwd: { ...stackOptions.cwd, text: "the folder to write to; created if it does not exist" },
  new: {
    type: "boolean",
    text: "add only objects that are neither pulled nor managed yet, in new files",
  },
  "as-sheet": {
    type: "boolean",
    text: "with products: write only a price sheet (prices.csv) and the Prices resource that reads it",
  },
  force: {
    type: "boolean",
    text: "don't ask before overwriting files with uncommitted changes, or a program of another stack",
  },
  json: { type: "boolean", text: "print one JSON object at the end, for other tools" },
  help: stackOptions.help,
} as const;

export const pull = defineCommand({
  usage: "pull [KIND ...] [options]",
  description:
    "Reads a shop and generates a program that adopts every object: the first up changes nothing in the shop. It reads the shop " +
    `of the stack, or the one in SHOP_URL, SHOP_APPLICATION_ID and SHOP_PASSWORD.\nKinds: ${resources.map(([name]) => name).join(", ")} (default: all).`,
  example: "pulumi-shop pull --cwd my-shop --stack live",
  options,
  maxPositionals: resources.length,
  completions: ({ positionals }) => resources.flatMap(([name]) => (positionals.includes(name) ? [] : [name])),
  run,
});

async function run(values: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const folder = resolve(values.cwd ?? process.cwd());
  const stack = values.stack ?? "live";
  const kinds = kindsOf(positionals);
  if (existsSync(folder) && !statSync(folder).isDirectory())
    throw usageError(`--cwd: ${folder} is a file: name a folder`);
  const terminal = openTerminal(values.json ? process.stderr : process.stdout, process.env);
  const project =
    projectFileIn({ exists: existsSync }, folder) === undefined
      ? undefined
      : engine.openStack({ folder, stack, env: process.env, create: true });
  if (project !== undefined && project.project.runtime.name !== "nodejs")
    throw usageError(
      `${project.project.path}: the project's program is in ${project.project.runtime.name}, and pull writes one in TypeScript: name a folder of its own with --cwd`,
    );
  const home = project?.project.programFolder ?? folder;
  const target: Target = {
    folder,
    home,
    stack,
    project,
    adopted: readAdopted(home, stack),
    onlyNew: values.new === true,
  };
  if (values["as-sheet"] === true) checkSheetKinds(kinds, target);
  if (values.force !== true) checkStack(target);
  const say = (line: string) => terminal.print(line);
  if (project !== undefined) await checkShop(project, { say });
  const shop = connect(project, process.env, say);
  try {
    const { counts, notices, files } = await endingWith("stopped: nothing was written", () =>
      generate(shop, kinds, target, { values, terminal }),
    );
    const requests = shop.transport.usage().sent;
    if (values.json) process.stdout.write(`${JSON.stringify(summaryOf(counts, notices, files, requests))}\n`);
    else printSummary(terminal, target, shop, { counts, notices, requests, isNew: values.new === true });
    return codes.success;
  } finally {
    await shop.transport.close();
  }
}

/** Reads the shop and writes the program. */
async function generate(
  shop: Connected,
  kinds: readonly (readonly [string, Definition])[],
  target: Target,
  { values, terminal }: { readonly values: Parsed<typeof options>; readonly terminal: Terminal },
) {
  const { folder, home, stack, project } = target;
  const read = await readShop(shop, kinds, target, terminal);
  const program =
    values["as-sheet"] === true
      ? sheetProgram(read.pulled, target)
      : writeProgram({ ...read, url: shop.connection.url, stack, home });
  const entry = entryOf(
    {
      home,
      stated: project?.project.entry ?? ".",
      isCompiled: project?.project.runtime.typescript === true,
      url: shop.connection.url,
    },
    program.modules,
  );
  const { written, extended } = filesOf(target, shop, program, entry);
  const removed = program.removed.map((path) => pathFrom(folder, join(home, path)));
  await confirmOverwrite(folder, written, values.force === true, removed);
  const files = new Map([...written, ...extended]);
  const advice = values["as-sheet"] === true ? [] : sheetAdvice(read.pulled);
  const notices = [
    ...[...read.notices, ...program.notices, ...entry.notices, ...advice],
    ...moduleNotice(folder, entry),
  ];
  writeFiles(folder, files, removed);
  return { counts: program.counts, notices, files };
}

const kindsOf = (names: readonly string[]): readonly (readonly [string, Definition])[] =>
  names.length === 0 ? resources : names.map(kindNamed);

const pathFrom = (folder: string, place: string) => relative(folder, place).split(sep).join("/");

function filesOf(
  { folder, home, stack, project, adopted }: Target,
  { connection }: Connected,
  program: Program,
  entry: Entry,
): { readonly written: Files; readonly extended: Files } {
  const own = (path: string) => pathFrom(folder, join(home, path));
  const { path = join(folder, "Pulumi.yaml"), stackFolder = folder } = project?.project ?? {};
  const settings = pathFrom(folder, join(stackFolder, engine.configFile({ path }, stack)));
  const before = existsSync(join(folder, settings)) ? readFileSync(join(folder, settings), "utf8") : "";
  const { url, applicationId } = connection;
  const values = { "shop:url": url, "shop:applicationId": applicationId };
  const name = project?.project.name ?? projectName(folder);
  // An existing stack keeps its own limits.
  const limit = before === "" ? firstLimit(stack, url, []) : undefined;
  checkAdopt(join(home, "adopt.ts"));
  const first = project === undefined ? readmeFiles(name, stack) : [];
  // A compiler that Pulumi calls refuses its options, and the program that exists would fail.
  const isLeft = (name: string) =>
    (name === "tsconfig.json" && project?.project.runtime.typescript === true) ||
    (name === "Pulumi.yaml" && project !== undefined);
  const base = [...scaffold(folder)].filter(([path]) => !isLeft(path));
  const always = new Map([...base, ...first, [own("adopt.ts"), adoptText]]);
  const written = new Map<string, string | Buffer>([
    ...missingFiles(folder, always),
    ...[...program.files].map(([path, content]) => [own(path), content] as const),
  ]);
  // Files that only get new lines lose nothing.
  const extended = new Map<string, string | Buffer>([
    [settings, stackText(before, values, name, { config: program.config, limit })],
    [own(adoptedFile(stack)), adoptedText(adopted, program.adopted)],
    ...(entry.text === undefined ? [] : [[own(entry.path), entry.text] as const]),
  ]);
  return { written, extended };
}

/**
 * Refuses to pull another shop into this program: objects that only one of the shops has would be lost.
 * @throws CommandError if only other stacks were pulled here
 */
function checkStack({ home, stack, project }: Target): void {
  const pulled = existsSync(home)
    ? readdirSync(home).flatMap((name) => /^adopt\.(.+)\.json$/.exec(name)?.[1] ?? [])
    : [];
  if (pulled.length === 0 || pulled.includes(stack) || project === undefined) return;
  throw usageError(
    `this program was pulled from the shop of ${pulled.join(" and ")}, and ${stack} is another stack: up in ${stack} would create the program's objects there. To pull the shop of ${stack}, use another folder (--cwd), or --force`,
  );
}

function projectName(folder: string): string {
  const name = scaffold(folder)
    .get("Pulumi.yaml")
    ?.match(/^name: *(.*)/m)?.[1];
  return name === undefined ? basename(folder) : (JSON.parse(name) as string);
}

/** @throws CommandError if pulled files can't import `adopt` from the file */
function checkAdopt(path: string): void {
  if (!existsSync(path) || exportsName(path, "adopt")) return;
  throw usageError(
    `${path} has no function adopt, which pulled files import from it: rename it; nothing was written`,
  );
}

// Our engine runs the program in any case; Node, and so pulumi, needs "type": "module", or finds out by itself.
function moduleNotice(folder: string, { isCommonJs }: Entry): readonly string[] {
  const path = join(folder, "package.json");
  // The file that pull writes says it.
  if (!existsSync(path)) return [];
  const { type } = packageIn(path);
  if (isCommonJs)
    return type === "commonjs"
      ? ['package.json: remove "type": "commonjs", with which pulumi can\'t run the pulled files']
      : [];
  return type === "module"
    ? []
    : ['package.json: set "type": "module", which pulumi and a type checker need'];
}

const summaryOf = (
  counts: Program["counts"],
  notices: readonly string[],
  files: Files,
  requests: number,
) => ({
  type: "pulled",
  objects: counts,
  files: [...files.keys()],
  notices,
  requests,
});

function printSummary(
  terminal: Terminal,
  { folder, stack, project }: Target,
  { connection }: Connected,
  {
    counts,
    notices,
    requests,
    isNew,
  }: {
    readonly counts: Program["counts"];
    readonly notices: readonly string[];
    readonly requests: number;
    readonly isNew: boolean;
  },
): void {
  const count = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const sent = plural(requests, "request");
  terminal.print(
    isNew && count === 0
      ? `The shop has no objects that the program lacks (${sent})`
      : `Pulled ${plural(count, "object")} of ${connection.url} with ${sent}${count === 0 ? "" : ":"}`,
  );
  for (const [client, one] of Object.entries(counts)) {
    if (one > 0) terminal.print(`  ${client.padEnd(20)} ${one.toLocaleString("en")}`);
  }
  for (const notice of notices) terminal.print(terminal.paint("yellow", printable(`  ${notice}`)));
  if (count === 0) return;
  const place = relative(process.cwd(), folder);
  const cd = place === "" ? "" : `cd ${place} && `;
  // An existing project is installed and configured already.
  const first = `${cd}npm install
  npx pulumi-shop config set shop:password --secret --stack ${stack}   # asks for it; or SHOP_PASSWORD
  `;
  terminal.print(`Next:
  ${project === undefined ? first : cd}npx pulumi-shop preview --stack ${stack}   # up will adopt these objects and change nothing in them`);
}
