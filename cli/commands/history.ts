/** history and stacks: the runs and stacks of a project, without running anything. */

import * as engine from "../../engine/index.ts";
import { printable, printableJson } from "../../provider/inventory/index.ts";
import {
  agoText,
  commandOf,
  commitText,
  countWord,
  lastRunOf,
  opOrder,
  outcomeOf,
  userText,
} from "../../runs/command.ts";
import { codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions, verbIn } from "../options.ts";
import { stackWithState } from "../stack/open-stack.ts";
import { printNote } from "../terminal/terminal.ts";

const historyOptions = { ...stackOptions, json: { type: "boolean", text: "list as JSON" } } as const;

export const historyCommand = defineCommand({
  usage: "history [options]",
  description:
    "Lists the runs that changed a stack or its state, latest first: when, who, the result, the commit and the branch.\n" +
    "It includes runs of the pulumi command, and pulumi stack history includes runs of pulumi-shop.",
  example: "pulumi-shop history --stack live",
  options: historyOptions,
  run: runHistory,
});

async function runHistory(values: Parsed<typeof historyOptions>): Promise<number> {
  const stack = stackWithState(values);
  const entries = [...engine.history(stack)].flatMap(({ path, entry }) => {
    if (entry === undefined) printNote(printable(`warning: ${path} can't be read; it is left out`));
    return entry ?? [];
  });
  if (values.json) {
    print(printableJson(JSON.stringify(entries.map(jsonEntry), undefined, 2)));
    return codes.success;
  }
  if (entries.length === 0) printNote(`the stack ${stack.name} has no history yet`);
  const now = stack.now();
  printRows(
    entries.map((entry) => [
      agoText(entry.startTime, now),
      userText(entry) ?? "",
      changesText(entry),
      commitText(entry) ?? "",
      entry.message,
    ]),
  );
  return codes.success;
}

/** `up: 1 created, 2 updated`. */
function changesText(entry: engine.HistoryEntry): string {
  const { resourceChanges: counts = {}, result } = entry;
  const done = opOrder
    .filter((op) => (counts[op] ?? 0) > 0)
    .map((op) => `${counts[op]} ${countWord(op, entry.kind === "refresh", false)}`);
  const verb = result === "succeeded" ? commandOf(entry) : `${commandOf(entry)} ${outcomeOf(entry)}`;
  return `${verb}: ${done.join(", ") || "nothing changed"}`;
}

const time = (seconds: number) => new Date(seconds * 1000).toISOString();

function jsonEntry(entry: engine.HistoryEntry): object {
  const { environment, message, startTime, endTime, resourceChanges } = entry;
  return {
    time: time(startTime),
    end: time(endTime),
    run: commandOf(entry),
    outcome: environment["exec.outcome"] ?? entry.result,
    who: userText(entry),
    host: environment["exec.host"],
    commit: environment["git.head"],
    branch: environment["git.headName"]?.replace("refs/heads/", ""),
    dirty: environment["git.dirty"] === "true",
    message,
    counts: resourceChanges ?? {},
    plan: environment["plan.digest"],
    environment,
  };
}

const stacksOptions = {
  cwd: stackOptions.cwd,
  json: { type: "boolean", text: "list as JSON" },
  force: {
    type: "boolean",
    text: "also remove a stack that has resources; their objects stay in the shop",
  },
  "keep-config": { type: "boolean", text: "keep Pulumi.NAME.yaml" },
  help: stackOptions.help,
} as const;

export const stacks = defineCommand({
  usage: "stacks [list | remove NAME] [options]",
  description:
    "Lists the stacks of the project with the address of the shop, the last run, who ran it, and from which commit. A stack has " +
    "a state or a file Pulumi.NAME.yaml. stacks remove NAME removes the state, the history and Pulumi.NAME.yaml.",
  example: "pulumi-shop stacks remove trial",
  options: stacksOptions,
  maxPositionals: 2,
  completions: (typed) => {
    const [verb, name] = typed.positionals;
    if (verb === undefined) return ["list", "remove"];
    return verb === "remove" && name === undefined ? typed.stacks() : [];
  },
  run: runStacks,
});

async function runStacks(
  values: Parsed<typeof stacksOptions>,
  positionals: readonly string[],
): Promise<number> {
  const folder = values.cwd ?? process.cwd();
  const [, name] = positionals;
  const verb = verbIn(positionals) ?? "list";
  if (verb !== "list" || name !== undefined) {
    if (verb !== "remove" || name === undefined)
      throw usageError("stacks takes list, or remove NAME; --help shows an example");
    const stack = engine.openStack({ folder, stack: name, env: process.env });
    await engine.removeStack(stack, {
      force: values.force === true,
      keepConfig: values["keep-config"] === true,
    });
    print(
      `removed the stack ${name}: its state and its history${values["keep-config"] ? "" : `, and ${engine.configFile(stack.project, name)}`}`,
    );
    return codes.success;
  }
  const rows = engine.stacks({ folder, env: process.env }).map((one) => rowOf(folder, one));
  if (values.json) {
    const all = rows.map(({ last, ...row }) => ({ ...row, last: last && jsonEntry(last) }));
    print(printableJson(JSON.stringify(all, undefined, 2)));
  } else {
    const now = new Date();
    printRows(
      rows.map(({ name: stack, url, last }) => [
        stack,
        url ?? "",
        last === undefined ? "" : `${commandOf(last)} ${agoText(last.startTime, now)}`,
        (last && userText(last)) ?? "",
        (last && commitText(last)) ?? "",
      ]),
    );
  }
  return codes.success;
}

interface Row {
  readonly name: string;
  readonly url?: string | undefined;
  readonly last?: engine.HistoryEntry | undefined;
}

/** A stack with a damaged file or foreign secrets is listed too. */
function rowOf(folder: string, name: string): Row {
  try {
    const stack = engine.openStack({ folder, stack: name, env: process.env, create: true });
    return { name, url: stack.config.get("shop:url"), last: lastRunOf(stack)?.entry };
  } catch (error) {
    printNote(printable(`warning: ${name}: ${(error as Error).message}`));
    return { name };
  }
}

/** Prints rows in columns. Cells may contain text from anywhere. */
function printRows(rows: readonly (readonly string[])[]): void {
  const shown = rows.map((row) => row.map((cell) => printable(cell.replace(/\s+/g, " "))));
  const widths = shown[0]?.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0)));
  for (const row of shown)
    print(
      row
        .flatMap((cell, column) => ((widths?.[column] ?? 0) === 0 ? [] : cell.padEnd(widths?.[column] ?? 0)))
        .join("  ")
        .trimEnd(),
    );
}

const print = (line: string) => process.stdout.write(`${line}\n`);
