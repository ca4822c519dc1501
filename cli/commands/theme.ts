/** theme check: what is wrong with a theme's files, before shoppers see it. */
import { join, relative, resolve, sep } from "node:path";
import {
  checkTheme,
  printable,
  printableJson,
  readBody,
  type ThemeFile,
} from "../../provider/inventory/index.ts";
import { themeFilesIn } from "../../pulumi/theme-folder.ts";
import { defineCommand } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { type Parsed, stackOptions } from "../options.ts";
import { annotation, countText, findingLines } from "../report/findings.ts";
import { openTerminal } from "../report/terminal.ts";
import { shopTheme } from "../stack/theme-files.ts";

const options = {
  stack: { ...stackOptions.stack, text: "a stack whose shop's theme has files that the folder doesn't have" },
  theme: {
    type: "string",
    value: "ID",
    text: "with --stack: that theme of the shop; the published one when left out",
  },
  cwd: stackOptions.cwd,
  ignore: {
    type: "string",
    value: "PATTERNS",
    text: "files that are no part of the theme: media/*.map, separated by commas",
  },
  github: { type: "boolean", text: "as annotations, which GitHub shows in a pull request beside the lines" },
  json: { type: "boolean", text: "as one JSON object, for machines" },
  help: stackOptions.help,
} as const;

/** `pulumi-shop theme check [FOLDER]`. */
export const theme = defineCommand({
  usage: "theme check [FOLDER] [options]",
  what: `Checks a theme's files: Liquid and its tags and filters, the snippets and files that they name, JSON, names, sizes.
FOLDER has templates/, snippets/, config/ and media/; it is theme when left out. Exit code ${codes.failure} where a file has an error.`,
  example: "pulumi-shop theme check theme --stack live",
  options,
  mostPositionals: 2,
  words: ({ positionals }) => (positionals.length === 0 ? ["check"] : []),
  run,
});

async function run(values: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const [verb, given = "theme"] = positionals;
  if (verb !== "check")
    throw new CommandError("theme takes check [FOLDER]; --help shows an example", codes.configuration);
  if (values.theme !== undefined && values.stack === undefined)
    throw new CommandError("--theme names a theme of a stack's shop: give --stack too", codes.configuration);
  const home = values.cwd ?? process.cwd();
  const folder = resolve(home, given);
  const files = await filesOf(folder, values.ignore);
  const note = (line: string) => process.stderr.write(`${printable(line)}\n`);
  const beyond =
    values.stack === undefined
      ? []
      : await shopTheme({ folder: home, stack: values.stack, theme: values.theme }, note);
  const findings = checkTheme(files, beyond);
  const isBroken = findings.some(({ severity }) => severity === "error");
  if (values.json === true) {
    process.stdout.write(`${printableJson(JSON.stringify({ files: files.length, findings }))}\n`);
  } else {
    const terminal = openTerminal(process.stdout, process.env);
    for (const finding of findings) {
      if (values.github === true) terminal.print(annotation(finding));
      else
        for (const { colour, text } of findingLines(finding))
          terminal.print(colour === undefined ? printable(text) : terminal.paint(colour, printable(text)));
    }
    terminal.print(countText(findings, files.length));
  }
  return isBroken ? codes.failure : codes.success;
}

async function filesOf(folder: string, ignore: string | undefined): Promise<readonly ThemeFile[]> {
  const found = themeFilesIn(
    folder,
    ignore?.split(",").map((one) => one.trim()),
  );
  // Names as a person's editor finds them, from where the command was started.
  const from = relative(process.cwd(), folder).split(sep).join("/");
  return Promise.all(
    found.map(async ({ type, name, path }) => {
      const { text, bytes } = await readBody(join(folder, path), folder);
      return { type, name, text, size: bytes.length, path: from === "" ? path : `${from}/${path}` };
    }),
  );
}
