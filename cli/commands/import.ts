/** import: objects that are there come under a stack by their ids, and the lines of the program that has them. */
import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Failure, Import, Result, Stack } from "../../engine/index.ts";
import * as engine from "../../engine/index.ts";
import { addressOf, printableJson } from "../../provider/inventory/index.ts";
import { resources } from "../../provider/resources/index.ts";
import {
  checkConnection,
  compareShop,
  impactOf,
  type Meter,
  openMeter,
  spentSince,
  textsIn,
} from "../../runs/command.ts";
import { defineCommand } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { linesOf } from "../import/lines.ts";
import { type Wanted, wantedOf } from "../import/wanted.ts";
import { type Parsed, parallelOf, runOptions, stackOptions, timeoutOf } from "../options.ts";
import { saysYes } from "../report/ask.ts";
import { openDisplay } from "../report/display.ts";
import { jsonDisplay } from "../report/json-display.ts";
import { openTerminal } from "../report/terminal.ts";
import { outcomeCode, tellPerson } from "../run/stage.ts";
import { openStop, type Stop } from "../run/stop.ts";
import { kindNamed } from "../stack/kinds.ts";
import { originOf } from "../stack/origin.ts";

const { yes, "skip-preview": skip, "preview-only": only, parallel, create, timeout } = runOptions;
const options = {
  ...stackOptions,
  file: {
    type: "string",
    short: "f",
    value: "FILE",
    text: "several at once, in Pulumi's format: {resources: [{type, name, id}]}",
  },
  out: { type: "string", short: "o", value: "FILE", text: "write the program's lines to a new file" },
  protect: {
    type: "boolean",
    mayBeFalse: true,
    text: "protect what is imported from deletion, which is the default; --protect=false doesn't",
  },
  parent: {
    type: "string",
    value: "NAME",
    choices: "resources",
    text: "the resource that it stands in: a name, a URN, or VARIABLE=URN",
  },
  provider: {
    type: "string",
    value: "NAME",
    choices: "resources",
    text: "the provider, where it isn't the stack's own: a name, a URN, or VARIABLE=URN",
  },
  yes,
  // Without its letter: -f is the file's.
  "skip-preview": { type: skip.type, text: "no preview before the import" },
  "preview-only": { ...only, text: "only look whether everything is there, and change nothing" },
  parallel,
  create,
  timeout,
} as const;

/** `pulumi-shop import TYPE NAME ID`. */
export const importCommand = defineCommand({
  usage: "import TYPE NAME ID | --file FILE [options]",
  what:
    "Brings objects of the shop under a stack, by their ids, and prints the lines of the program that has them: up of the\n" +
    "program with these lines changes nothing. The shop is not changed, only read. TYPE is a kind or Pulumi's token of it.\n" +
    `Kinds: ${resources.map(([name]) => name).join(", ")}.`,
  example: "pulumi-shop import coupon spring 8841 --stack live",
  options,
  mostPositionals: 3,
  words: ({ positionals }) =>
    positionals.length === 0 ? resources.map(([, { kind }]) => kind.toLowerCase()) : [],
  run,
});

async function run(flags: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const meter = openMeter(process.env, tellPerson);
  const stop = openStop(timeoutOf(flags.timeout), tellPerson);
  try {
    const opened = engine.openStack({
      folder: flags.cwd ?? process.cwd(),
      stack: flags.stack,
      create: flags.create === true,
      env: { ...process.env, ...meter.env },
    });
    const { parent, provider } = flags;
    const protect = flags.protect !== false;
    const { env } = await compareShop(opened, { say: tellPerson });
    const stack = { ...opened, env: { ...opened.env, ...env } };
    const wanted = wantedOf(stack, positionals, { path: flags.file, parent, provider, protect });
    checkOut(flags.out);
    if (wanted.imports.some((one) => one.provider === undefined)) checkConnection(stack);
    return await stages({ values: flags, stack, wanted, meter, stop });
  } finally {
    stop.close();
    meter.close();
  }
}

interface Session {
  readonly values: Parsed<typeof options>;
  readonly stack: Stack;
  readonly wanted: Wanted;
  readonly meter: Meter;
  readonly stop: Stop;
}

/** @throws CommandError where the lines couldn't be written, before anything is imported */
function checkOut(out: string | undefined): void {
  if (out === undefined) return;
  const path = resolve(out);
  if (existsSync(path))
    throw new CommandError(`${out} exists: name a new file; nothing was imported`, codes.configuration);
  if (!existsSync(dirname(path)))
    throw new CommandError(`${out}: there is no such folder; nothing was imported`, codes.configuration);
}

async function stages(session: Session): Promise<number> {
  const { values, stop, wanted } = session;
  if (values["preview-only"] || !values["skip-preview"]) {
    const planned = await stage(session, true);
    if (values["preview-only"] || planned.outcome !== "succeeded") return codeOf(planned, stop);
    if (!values.yes && !values["skip-preview"]) await confirm(stop);
  }
  const result = await stage(session, false);
  tell(session, wanted.imports);
  return codeOf(result, stop);
}

async function stage({ values, stack, wanted, meter, stop }: Session, planned: boolean): Promise<Result> {
  const { name, project } = stack;
  const terminal = openTerminal(process.stdout, process.env, process.stderr);
  const spent = spentSince(meter);
  const display = values.json
    ? jsonDisplay((line) => process.stdout.write(`${line}\n`), planned ? "preview" : "import")
    : openDisplay(terminal, {
        planned,
        finding: false,
        diff: false,
        verbose: false,
        showOutputs: false,
        spent,
      });
  if (!values.json)
    process.stdout.write(`${planned ? "Preview of import:" : "Importing"} ${project.name}/${name}\n`);
  const most = parallelOf(values.parallel);
  const result = await engine.importAll(stack, wanted.imports, {
    watch: display.watch,
    previewOnly: planned,
    signal: stop.signal,
    ...(!planned && { about: originOf(values.cwd ?? process.cwd(), process.env).about() }),
    ...(most !== undefined && { parallel: most }),
  });
  const told = { ...result, failures: result.failures.map((one) => inShop(stack, wanted.imports, one)) };
  const impact = impactOf([], stack.now().toISOString().slice(0, 10));
  display.summary(told, spent(), { impact, refused: [], conflicts: [], texts: textsIn([]) });
  return result;
}

/** Who looks for an object that isn't there looks in the shop, and is told which shop that was. */
function inShop(stack: Stack, imports: readonly Import[], failure: Failure): Failure {
  const { urn, message } = failure;
  const it = imports.find((one) => engine.urnOfImport(stack.name, stack.project.name, one) === urn);
  if (it === undefined || message !== new engine.AbsentError(it.id).message) return failure;
  const url = addressOf({ config: (key) => stack.config.values[key], env: stack.env });
  const [, { kind }] = kindNamed(engine.kindOf(it.type));
  const words = kind.replaceAll(/(?<!^)(?=[A-Z])/g, " ").toLowerCase();
  return { urn, message: `the shop ${url} has no ${words} ${it.id}` };
}

async function confirm(stop: Stop): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandError("no terminal to confirm on; pass --yes", codes.configuration);
  if (!(await saysYes("Import all this into the state?", stop.signal)))
    throw new CommandError("not confirmed: nothing was imported", codes.cancelled);
}

/** Prints or writes the lines of what is in the state now. */
function tell({ values, stack, wanted }: Session, imports: readonly Import[]): void {
  const urns = imports.map((one) => engine.urnOfImport(stack.name, stack.project.name, one));
  const there = new Set(engine.load(stack).resources.map(({ urn }) => urn));
  const imported = urns.filter((urn) => there.has(urn));
  if (imported.length === 0) return;
  const text = linesOf(stack, imported, wanted.variables);
  if (values.out !== undefined) writeFileSync(resolve(values.out), text, { flag: "wx" });
  if (values.json) {
    const told = { run: "import", type: "program", file: values.out, text };
    process.stdout.write(`${printableJson(JSON.stringify(told))}\n`);
    return;
  }
  const place = values.out === undefined ? "these lines" : `the lines of ${values.out}`;
  const without =
    values.protect === false
      ? "up without them deletes what was imported"
      : "what was imported is protected, and up without them fails";
  process.stdout.write(`Add ${place} to the program: ${without}.\n`);
  if (values.out === undefined) process.stdout.write(`\n${text}`);
}

const codeOf = (result: Result, stop: Stop): number => outcomeCode(result, stop) ?? codes.success;
