/** next: when resources with `from` or `until` begin and end, from the state alone. */
import * as engine from "../../engine/index.ts";
import { isTimestamp, messageIn, printable, printableJson } from "../../provider/inventory/index.ts";
import { plural } from "../../runs/command.ts";
import { codes } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { stackWithState } from "../stack/open-stack.ts";
import { printNote } from "../terminal/terminal.ts";

const nextOptions = { ...stackOptions, json: { type: "boolean", text: "list as JSON" } } as const;

export const next = defineCommand({
  usage: "next [options]",
  description:
    "Lists the resources that set from or until, such as a sale, with their start and end; the next one comes first. A resource " +
    "is due if its time has come since the last up: run up to apply it.",
  example: "pulumi-shop next --stack live --json",
  options: nextOptions,
  run: runNext,
});

interface Transition {
  readonly at: string;
  readonly what: "begins" | "ends";
  readonly kind: string;
  readonly name: string;
  /** Whether it came after the last up. */
  readonly due: boolean;
}

async function runNext(values: Parsed<typeof nextOptions>): Promise<number> {
  const stack = stackWithState(values);
  const now = Date.parse(messageIn(stack.env).at ?? stack.now().toISOString());
  const turns = transitionsOf(stack, now);
  if (values.json) {
    process.stdout.write(`${printableJson(JSON.stringify(turns, undefined, 2))}\n`);
    return codes.success;
  }
  if (turns.length === 0)
    printNote(`no resource of the stack ${stack.name} has a start or an end in the future`);
  for (const { at, what, kind, name, due } of turns)
    process.stdout.write(
      printable(`${at}  ${due ? "due: run up" : inText(Date.parse(at) - now)}  ${kind} ${name} ${what}\n`),
    );
  return codes.success;
}

/** Sorted by time. */
function transitionsOf(stack: engine.Stack, now: number): readonly Transition[] {
  const last = [...engine.history(stack)].find(
    ({ entry }) => entry?.kind === "update" && entry.result === "succeeded",
  );
  const { environment, startTime = 0 } = last?.entry ?? {};
  const since = Date.parse(environment?.["run.at"] ?? new Date(startTime * 1000).toISOString());
  const { resources, pending } = engine.load(engine.withoutSecrets(stack));
  // What an interrupted run was about to set may be in the shop already. Pulumi keeps such an operation after the next run.
  const states = new Map(
    [...pending.map(({ resource }) => resource), ...resources].map((one) => [one.urn, one]),
  );
  const turns = [...states.values()].flatMap(({ urn, type, inputs = {} }) =>
    (
      [
        ["from", "begins"],
        ["until", "ends"],
      ] as const
    ).flatMap(([argument, what]): readonly Transition[] => {
      const at = inputs[argument];
      if (typeof at !== "string" || !isTimestamp(at) || Date.parse(at) <= since) return [];
      const own = { kind: engine.kindOf(type), name: engine.nameOf(urn) };
      return [{ at, what, ...own, due: Date.parse(at) <= now }];
    }),
  );
  return turns.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

function inText(ms: number): string {
  if (ms < hour) return `in ${Math.ceil(ms / minute)} min`;
  return ms < 2 * day ? `in ${Math.floor(ms / hour)} h` : `in ${plural(Math.floor(ms / day), "day")}`;
}
