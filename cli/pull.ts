/** pull: from an existing shop to a program. */
import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import * as engine from "../engine/index.ts";
import type { Referred } from "../provider/comparison.ts";
import type { Definition } from "../provider/define.ts";
import { resources } from "../provider/resources/index.ts";
import { HiddenKindError, readReferred, survey } from "../provider/survey.ts";
import { CommandError, codes } from "./exit.ts";
import { help, parse, stackOptions } from "./options.ts";
import { changedFiles, type Files, missing, place, unsaved } from "./pull/place.ts";
import { type Adopted, adoptOf, type Program, type Pulled, writeProgram } from "./pull/program.ts";
import { adoptedText, indexText, readAdopted, scaffold, stackText } from "./pull/scaffold.ts";
import { type Connected, connect } from "./shop.ts";
import { openTerminal, saysYes, type Terminal } from "./terminal.ts";

const options = {
  stack: { ...stackOptions.stack, text: "the stack that this shop is; live when left out" },
  cwd: { ...stackOptions.cwd, text: "the folder to write to; made where there is none" },
  new: { type: "boolean", text: "only what the last pull of this stack didn't see, into files of its own" },
  force: { type: "boolean", text: "overwrite files with changes that git doesn't know, without asking" },
  json: { type: "boolean", text: "one JSON object at the end, for machines" },
  help: stackOptions.help,
} as const;

/** `pulumi-shop pull [KIND ...]`. @returns the exit code */
export async function pull(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parse(argv, options, resources.length);
  if (values.help) {
    const what =
      "Reads a shop and writes a program of it: every object with what takes it over, so that up of the program changes nothing.\n" +
      `The shop is the stack's, or SHOP_URL, SHOP_APPLICATION_ID and SHOP_PASSWORD. Kinds: ${resources.map(([name]) => name).join(", ")}; all when left out.`;
    process.stdout.write(
      help("pull [KIND ...] [options]", what, options, "pulumi-shop pull --cwd my-shop --stack live"),
    );
    return codes.success;
  }
  const folder = resolve(values.cwd ?? process.cwd());
  const stack = values.stack ?? "live";
  const kinds = chosen(positionals);
  const terminal = openTerminal(values.json ? process.stderr : process.stdout, process.env);
  const config = existsSync(join(folder, "Pulumi.yaml"))
    ? engine.openStack({ folder, stack, env: process.env, create: true }).config.values
    : {};
  const shop = connect(config, process.env, (line) => terminal.print(line));
  try {
    const before = values.new ? readAdopted(folder, stack) : {};
    const read = await readShop(shop, kinds, before, terminal);
    const program = writeProgram({
      ...read,
      url: shop.connection.url,
      before,
      isFree: (path) => !values.new || !existsSync(join(folder, path)),
    });
    const { written, extended } = filesOf(folder, stack, shop, program, before, values.new === true);
    await guard(folder, written, values.force === true);
    const files = new Map([...written, ...extended]);
    place(folder, files);
    const requests = shop.transport.usage().sent;
    if (values.json)
      process.stdout.write(`${JSON.stringify(summaryOf(read.pulled, program, files, requests))}\n`);
    else tell(terminal, folder, stack, shop, read.pulled, program, requests);
    return codes.success;
  } finally {
    await shop.transport.close();
  }
}

const plain = (name: string) => name.toLowerCase().replaceAll("-", "");

/** The kinds that were named, by file or by class; all where none was. */
function chosen(names: readonly string[]): readonly (readonly [string, Definition])[] {
  if (names.length === 0) return resources;
  return names.map((name) => {
    const found = resources.find(
      ([group, { kind }]) => plain(group) === plain(name) || plain(kind) === plain(name),
    );
    if (found !== undefined) return found;
    throw new CommandError(
      `there is no kind ${name}: there are ${resources.map(([group]) => group).join(", ")}`,
      codes.configuration,
    );
  });
}

interface Read {
  readonly pulled: readonly Pulled[];
  readonly referred: Referred;
}

async function readShop(
  { connection, transport }: Connected,
  kinds: readonly (readonly [string, Definition])[],
  before: Adopted,
  terminal: Terminal,
): Promise<Read> {
  const pulled: Pulled[] = [];
  for (const [group, definition] of kinds) {
    let drawnAt = Number.NEGATIVE_INFINITY;
    const progress = (read: number, of: number | undefined) => {
      if (read !== of && performance.now() - drawnAt < drawMs) return;
      drawnAt = performance.now();
      terminal.live([`${group.padEnd(20)} ${bar(read, of)}   ${transport.usage().sent} requests`]);
    };
    progress(0, undefined);
    try {
      const known = new Set(Object.values(before[definition.kind] ?? {}));
      const isNew = (id: string) => !known.has(adoptOf(definition, id));
      const { url, perPage } = connection;
      const objects = await survey(definition, { transport, url, perPage, progress, isWanted: isNew });
      pulled.push({ definition, group, objects });
    } catch (error) {
      if (!(error instanceof HiddenKindError)) throw error;
      terminal.live([]);
      terminal.print(`${error.message}; they are not in the program`);
    }
  }
  const groupsRead = pulled.map(({ definition, objects }) => ({
    definition,
    stated: objects.map(({ seen }) => seen),
  }));
  const referred = await readReferred(transport, groupsRead);
  terminal.live([]);
  return { pulled, referred };
}

/** Often enough for an eye. */
const drawMs = 100;
const barWidth = 24;

function bar(read: number, of: number | undefined): string {
  const count = read.toLocaleString("en");
  if (of === undefined || of === 0) return `${"·".repeat(barWidth)} ${count}`;
  const full = Math.round((barWidth * read) / of);
  return `${"█".repeat(full)}${"·".repeat(barWidth - full)} ${count} of ${of.toLocaleString("en")}`;
}

function filesOf(
  folder: string,
  stack: string,
  { connection }: Connected,
  program: Program,
  before: Adopted,
  onlyNew: boolean,
): { readonly written: Files; readonly extended: Files } {
  const text = (path: string) =>
    existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined;
  const { url, applicationId } = connection;
  const project = (text("Pulumi.yaml") ?? scaffold(folder).get("Pulumi.yaml") ?? "").match(
    /^name: *"?([^"\n]*)/m,
  )?.[1];
  const stackFile = stackText(
    text(`Pulumi.${stack}.yaml`) ?? "",
    { "shop:url": url, "shop:applicationId": applicationId },
    project ?? basename(folder),
    program.config,
  );
  const lists = new Map([
    ["index.ts", indexText(onlyNew ? text("index.ts") : undefined, url, program.modules)],
    [`adopt.${stack}.json`, adoptedText(before, program.adopted)],
  ]);
  const own = new Map([...missing(folder, scaffold(folder)), ...program.files]);
  // What only gets lines beside those that it has loses nothing.
  const extended = new Map([[`Pulumi.${stack}.yaml`, stackFile], ...(onlyNew ? lists : [])]);
  return { written: new Map([...own, ...(onlyNew ? [] : lists)]), extended };
}

/** @throws CommandError where something would be lost and nobody allowed it; nothing is written then */
async function guard(folder: string, files: Files, force: boolean): Promise<void> {
  if (force) return;
  const atRisk = unsaved(folder, changedFiles(folder, files));
  if (atRisk.length === 0) return;
  const list = atRisk.map((path) => `  ${path}`).join("\n");
  const what = `these files have changes that git doesn't know:\n${list}\n`;
  if (!process.stdin.isTTY)
    throw new CommandError(
      `${what}commit them, or let --force overwrite them; nothing was written`,
      codes.configuration,
    );
  process.stderr.write(what);
  if (!(await saysYes("Overwrite them?"))) throw new CommandError("nothing was written", codes.cancelled);
}

// What `npm init` writes: our engine takes the program for what it is, Node and with it pulumi doesn't.
function moduleNotice(folder: string): readonly string[] {
  const path = join(folder, "package.json");
  const isModule = existsSync(path) && /"type"\s*:\s*"module"/.test(readFileSync(path, "utf8"));
  return isModule ? [] : ['package.json: set "type": "module", which pulumi and a type checker need'];
}

const summaryOf = (pulled: readonly Pulled[], program: Program, files: Files, requests: number) => ({
  type: "pulled",
  objects: Object.fromEntries(pulled.map(({ group, objects }) => [group, objects.length])),
  files: [...files.keys()],
  notices: program.notices,
  requests,
});

function tell(
  terminal: Terminal,
  folder: string,
  stack: string,
  { connection }: Connected,
  pulled: readonly Pulled[],
  program: Program,
  requests: number,
): void {
  const count = pulled.reduce((sum, { objects }) => sum + objects.length, 0);
  terminal.print(`Pulled ${count} objects of ${connection.url}, ${requests} requests:`);
  for (const { group, objects } of pulled) {
    if (objects.length > 0) terminal.print(`  ${group.padEnd(20)} ${objects.length.toLocaleString("en")}`);
  }
  for (const notice of [...program.notices, ...moduleNotice(folder)])
    terminal.print(terminal.paint("yellow", `  ${notice}`));
  if (count === 0) return;
  const place = relative(process.cwd(), folder);
  const cd = place === "" ? "" : `cd ${place} && `;
  terminal.print(`Next:
  ${cd}npm install
  npx pulumi-shop config set shop:password --secret --stack ${stack} < token.txt   # or SHOP_PASSWORD
  npx pulumi-shop preview --stack ${stack}   # adopts everything, changes nothing`);
}
