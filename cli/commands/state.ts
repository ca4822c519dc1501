/** state: lists, removes, renames and moves resources in the state alone. */

import * as engine from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { notesPath, renameNotes } from "../../provider/inventory/index.ts";
import { shopMismatch } from "../../runs/command.ts";
import { codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions, verbIn } from "../options.ts";
import { stackWithState } from "../stack/open-stack.ts";

const options = {
  ...stackOptions,
  json: { type: "boolean", text: "list as JSON" },
  force: { type: "boolean", text: "also remove a protected resource" },
  to: { type: "string", value: "STACK", choices: "stacks", text: "for move: the target stack" },
  "to-project": {
    type: "string",
    value: "FOLDER",
    text: "for move: the folder of the target stack's project, if it is another project",
  },
} as const;

const lengths: Readonly<Record<string, number>> = {
  list: 1,
  remove: 2,
  rename: 3,
  move: Number.POSITIVE_INFINITY,
};

export const state = defineCommand({
  usage: "state list | remove NAME | rename NAME NEW | move NAME... --to STACK [options]",
  description:
    "Lists, removes or renames resources in a stack's state, or moves them to another stack of the same shop. The shop is not " +
    "changed: the object of a removed resource stays in the shop and is no longer managed. A component goes with all that is in it. NAME is a resource name, a URN or an id.",
  example: "pulumi-shop state remove spring --stack live",
  options,
  maxPositionals: Number.POSITIVE_INFINITY,
  completions: ({ positionals: [verb, name], resources }) => {
    if (verb === undefined) return Object.keys(lengths);
    return verb !== "list" && name === undefined ? resources() : [];
  },
  run,
});

async function run(values: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const [, name, next] = positionals;
  const verb = verbIn(positionals);
  const wanted = verb !== undefined && Object.hasOwn(lengths, verb) ? lengths[verb] : undefined;
  if (wanted === undefined || (verb === "move" ? name === undefined : wanted !== positionals.length))
    throw usageError(
      "state takes list, remove NAME, rename NAME NEW, or move NAME... --to STACK; --help shows an example",
    );
  const stack = stackWithState(values);
  if (verb === "move") return move(stack, positionals.slice(1), values);
  if (verb === "list") return list(stack, values.json === true);
  if (verb === "remove") {
    const below = await engine.removeResource(stack, name ?? "", values.force === true);
    const along = below === 0 ? "" : `, with ${below} below it,`;
    process.stdout.write(`removed ${name}${along} from the state of ${stack.name}; the shop is unchanged\n`);
    return codes.success;
  }
  const { project, env } = stack;
  const notes = notesPath({ project: project.name, stack: stack.name }, project.programFolder, env);
  const below = await engine.renameResource(stack, name ?? "", next ?? "", (urns) =>
    renameNotes(notes, urns),
  );
  const along = below === 0 ? "" : `, with ${below} below it (${next}/...)`;
  process.stdout.write(
    `renamed ${name} to ${next}${along} in the state of ${stack.name}; rename it in the program too\n`,
  );
  return codes.success;
}

async function move(
  from: engine.Stack,
  names: readonly string[],
  { to, "to-project": folder, cwd = process.cwd() }: Parsed<typeof options>,
): Promise<number> {
  if (to === undefined) throw usageError("--to is required: pulumi-shop state move NAME --to STACK");
  const target = engine.openStack({ folder: folder ?? cwd, stack: to, env: process.env });
  const urns = await engine.moveResources({ from, to: target }, names, (leaving) => {
    const refused = shopMismatch({ from, to: target }, leaving);
    if (refused !== undefined) throw usageError(refused);
  });
  const moved = urns.map(engine.nameOf).toSorted().join(", ");
  const project = target.project.name === from.project.name ? "" : ` of the project ${target.project.name}`;
  process.stdout.write(
    `moved ${moved} from the state of ${from.name} to that of ${target.name}${project}; the shop is unchanged.\n` +
      "Move them from one program to the other before the next up\n",
  );
  return codes.success;
}

function list(stack: engine.Stack, json: boolean): number {
  const shown = engine
    .load(engine.withoutSecrets(stack))
    .resources.filter(({ type }) => !isPulumisOwn(type))
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
