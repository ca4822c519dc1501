/** theme: checks a theme's files, and shows the theme in a browser while it is edited. */

import { join, relative, resolve, sep } from "node:path";
import {
  checkTheme,
  type Finding,
  printable,
  printableJson,
  readBody,
  type ThemeFile,
} from "../../provider/inventory/index.ts";
import { themeFilesIn } from "../../provider/names/theme-folder.ts";
import { codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { listThemeFiles } from "../stack/theme-files.ts";
import { openTerminal, printLines, printNote } from "../terminal/terminal.ts";
import { annotation, findingCounts, findingLines } from "../terminal/theme-findings.ts";
import { misplacedIn } from "../theme/folder.ts";

const options = {
  stack: {
    ...stackOptions.stack,
    text: "check: also look for files in the theme of this stack's shop; dev: the stack whose shop has the theme, or whose products an embedded shop shows",
  },
  theme: {
    type: "string",
    value: "ID",
    text: "a theme of the stack's shop (default for check: the published one)",
  },
  cwd: stackOptions.cwd,
  ignore: {
    type: "string",
    value: "PATTERNS",
    text: "files to leave out, such as media/*.map, separated by commas",
  },
  live: { type: "boolean", text: "dev: change the published theme, which shoppers see" },
  port: { type: "string", value: "N", text: "dev: port of the pages (default: a free one)" },
  poll: {
    type: "string",
    value: "SECONDS",
    text: "dev: seconds between checks for edits of colleagues (default 5)",
  },
  ours: { type: "boolean", text: "dev: if files differ at the start, upload those of the folder" },
  theirs: {
    type: "boolean",
    text: "dev: if files differ at the start, write those of the shop into the folder",
  },
  github: {
    type: "boolean",
    text: "check: print annotations, which GitHub shows beside the lines of a pull request",
  },
  json: { type: "boolean", text: "check: print one JSON object, for other tools" },
  help: stackOptions.help,
} as const;

export const theme = defineCommand({
  usage: "theme check | dev [FOLDER] [options]",
  description: `check finds mistakes in a theme's files: Liquid syntax, tags and filters, missing snippets and files, JSON, names and sizes. The exit code is ${codes.failure} if a file has an error.
dev shows the theme in a browser while you write it. When you save a file, it is checked and sent, and the page reloads. The theme is in an embedded shop or, with --theme or --live, in the stack's shop. Edits of colleagues are merged into the folder.
FOLDER (default theme) has templates/, snippets/, config/ and media/.`,
  example: "pulumi-shop theme dev theme --stack live --theme 640",
  options,
  maxPositionals: 2,
  completions: ({ positionals }) => (positionals.length === 0 ? ["check", "dev"] : []),
  run,
});

async function run(values: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const [verb, given = "theme"] = positionals;
  const home = values.cwd ?? process.cwd();
  const folder = resolve(home, given);
  if (verb === "dev") return develop(values, home, folder);
  if (verb !== "check")
    throw usageError("theme takes check [FOLDER] or dev [FOLDER]; --help shows an example");
  if (values.theme !== undefined && values.stack === undefined)
    throw usageError("--theme names a theme of a stack's shop: give --stack too");
  const { files, unread } = await filesOf(folder, values.ignore);
  const note = (line: string) => printNote(printable(line));
  const beyond =
    values.stack === undefined
      ? undefined
      : await listThemeFiles({ folder: home, stack: values.stack, theme: values.theme }, note);
  const alone = [
    ...unread,
    ...checkTheme(files, beyond),
    ...misplacedIn(folder, patterns(values.ignore), (path) => called(folder, path)),
  ];
  const { brokenTogether } = await import("../pictures/broken-pages.ts");
  const findings = [...alone, ...(await brokenTogether(files, alone))];
  const isBroken = findings.some(({ severity }) => severity === "error");
  if (values.json === true) {
    process.stdout.write(`${printableJson(JSON.stringify({ files: files.length, findings }))}\n`);
  } else {
    const terminal = openTerminal(process.stdout, process.env);
    for (const finding of findings) {
      if (values.github === true) terminal.print(annotation(finding));
      else printLines(terminal, findingLines(finding));
    }
    terminal.print(findingCounts(findings, files.length));
  }
  return isBroken ? codes.failure : codes.success;
}

const patterns = (ignore: string | undefined) => ignore?.split(",").map((one) => one.trim()) ?? [];

async function develop(values: Parsed<typeof options>, home: string, folder: string): Promise<number> {
  const { stack, theme: id, live = false, ours, theirs, port, poll } = values;
  if (id !== undefined && live) throw usageError("use either --theme or --live");
  if (ours && theirs) throw usageError("use either --ours or --theirs");
  // Loaded on demand: check needs neither a proxy nor a shop.
  const { dev } = await import("../theme/dev.ts");
  return dev({
    ...{ folder, home, stack, theme: id, live },
    port: numberOf("--port", port, 0, 65_535),
    pollMs: 1_000 * Math.max(0.1, numberOf("--poll", poll, 5, 3_600)),
    first: ours ? "ours" : theirs ? "theirs" : undefined,
    ignore: patterns(values.ignore),
  });
}

function numberOf(option: string, text: string | undefined, usual: number, most: number): number {
  const number = text === undefined ? usual : Number(text);
  if (text !== "" && number >= 0 && number <= most) return number;
  throw usageError(`${option} must be a number from 0 to ${most}, got ${text}`);
}

/** A path from the working directory, for editors. */
const called = (folder: string, path: string) =>
  relative(process.cwd(), join(folder, path)).split(sep).join("/");

async function filesOf(folder: string, ignore: string | undefined) {
  const unread: Finding[] = [];
  const read = async ({ type, name, path }: ReturnType<typeof themeFilesIn>[number]): Promise<ThemeFile> => {
    const own = { type, name, path: called(folder, path) };
    try {
      const { text, bytes } = await readBody(join(folder, path), folder);
      return { ...own, text, size: bytes.length };
    } catch (error) {
      unread.push(unreadable(own.path, (error as Error).message));
      return { ...own, text: undefined };
    }
  };
  return { files: await Promise.all(themeFilesIn(folder, patterns(ignore)).map(read)), unread };
}

const unreadable = (path: string, message: string): Finding => ({
  ...{ rule: "unreadable", severity: "error", path, message, line: 1, column: 1, source: "" },
  fix: "make it readable, or leave it out with --ignore",
});
