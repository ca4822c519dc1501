/** state: the resources of a stack's state, without a run and without the shop. */
import * as engine from "../../engine/index.ts";
import { defineCommand } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { type Parsed, stackOptions } from "../options.ts";
import { stackWithState } from "../stack/open.ts";

const options = {
  ...stackOptions,
  json: { type: "boolean", text: "list as JSON" },
  force: { type: "boolean", text: "remove also a resource that is protected" },
} as const;

const lengths: Readonly<Record<string, number>> = { list: 1, remove: 2, rename: 3 };

/** `pulumi-shop state list | remove NAME | rename NAME NEW`. */
export const state = defineCommand({
  usage: "state list | remove NAME | rename NAME NEW [options]",
  what:
    "Lists the resources of a stack's state, removes one from it, or renames one. The shop is not changed: what is removed\n" +
    "from the state stays in the shop, and is no longer managed. NAME is the resource's name, or its URN.",
  example: "pulumi-shop state remove spring --stack live",
  options,
  mostPositionals: 3,
  words: ({ positionals: [verb, name], resources }) => {
    if (verb === undefined) return Object.keys(lengths);
    return verb !== "list" && name === undefined ? resources() : [];
  },
  run,
});

async function run(values: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const [verb, name, next] = positionals;
  const wanted = verb !== undefined && Object.hasOwn(lengths, verb) ? lengths[verb] : undefined;
  if (wanted === undefined || wanted !== positionals.length)
    throw new CommandError(
      "state takes list, remove NAME, or rename NAME NEW; --help shows an example",
      codes.configuration,
    );
  const stack = stackWithState(values);
  if (verb === "list") return list(stack, values.json === true);
  if (verb === "remove") {
    await engine.removeResource(stack, name ?? "", values.force === true);
    process.stdout.write(`removed ${name} from the state of ${stack.name}; the shop is unchanged\n`);
    return codes.success;
  }
  await engine.renameResource(stack, name ?? "", next ?? "");
  process.stdout.write(
    `renamed ${name} to ${next} in the state of ${stack.name}; rename it in the program too\n`,
  );
  return codes.success;
}

function list(stack: engine.Stack, json: boolean): number {
  const shown = engine
    .load(stack)
    .resources.filter(({ type }) => !type.startsWith("pulumi:"))
    .map(({ urn, type, id, protect, delete: leaving }) => ({
      kind: engine.kindOf(type),
      name: engine.nameOf(urn),
      id,
      urn,
      ...(protect && { protected: true }),
      ...(leaving && { replaced: true }),
    }));
  if (json) {
    process.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`);
    return codes.success;
  }
  const width = (of: (row: (typeof shown)[number]) => string) =>
    Math.max(0, ...shown.map((row) => of(row).length));
  const [kinds, names] = [width(({ kind }) => kind), width(({ name }) => name)];
  for (const row of shown) {
    const notes = [row.protected && "protected", row.replaced && "replaced, to be deleted"].filter(Boolean);
    const line = `${row.kind.padEnd(kinds)}  ${row.name.padEnd(names)}  ${row.id ?? ""}  ${notes.join(", ")}`;
    process.stdout.write(`${line.trimEnd()}\n`);
  }
  return codes.success;
}
