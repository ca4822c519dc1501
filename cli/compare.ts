/** compare: two stacks, two shops, or a shop and a program, by what people know things by. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as engine from "../engine/index.ts";
import { bodyOf, readBody } from "../provider/body.ts";
import type { Values } from "../provider/codec.ts";
import { compareSides, type Portrayed, portrayed, type Side } from "../provider/comparison.ts";
import type { Definition } from "../provider/define.ts";
import { portraitOf, titleOf } from "../provider/portrait.ts";
import { definitionOf, resources } from "../provider/resources/index.ts";
import { HiddenKindError, readReferred, type Surveyed, survey } from "../provider/survey.ts";
import { comparisonLines, comparisonMarkdown } from "./compare/print.ts";
import { CommandError, codes } from "./exit.ts";
import { help, parse, stackOptions } from "./options.ts";
import { type Connected, connect } from "./shop.ts";
import { openTerminal } from "./terminal.ts";

const options = {
  cwd: stackOptions.cwd,
  markdown: {
    type: "string",
    value: "FILE",
    text: "write it as Markdown too, short enough for a comment; - prints it",
  },
  json: { type: "boolean", text: "as one JSON object, for machines" },
  help: stackOptions.help,
} as const;

const what = `Compares by natural key, without ids, stamps and stock. Each of A and B is
  STACK           what the stack manages, as its shop has it now
  shop:STACK      the whole shop of the stack
  program:STACK   what the program asks for in the stack
Exit code ${codes.different} when they differ.`;

/** `pulumi-shop compare A B`. @returns the exit code */
export async function compare(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parse(argv, options, 2);
  if (values.help) {
    process.stdout.write(help("compare A B [options]", what, options, "pulumi-shop compare staging live"));
    return codes.success;
  }
  const [a, b] = positionals;
  if (a === undefined || b === undefined)
    throw new CommandError("compare takes two sides; --help shows an example", codes.configuration);
  const folder = values.cwd ?? process.cwd();
  const note = (line: string) => process.stderr.write(`${line}\n`);
  const differences = compareSides(await sideOf(a, folder, note), await sideOf(b, folder, note));
  const between = { a, b };
  if (values.json)
    process.stdout.write(`${JSON.stringify({ ...between, equal: differences.length === 0, differences })}\n`);
  else if (values.markdown !== "-") {
    const terminal = openTerminal(process.stdout, process.env);
    for (const { colour, text } of comparisonLines(between, differences))
      terminal.print(colour === undefined ? text : terminal.paint(colour, text));
  }
  if (values.markdown === "-") process.stdout.write(comparisonMarkdown(between, differences));
  else if (values.markdown !== undefined)
    writeFileSync(values.markdown, comparisonMarkdown(between, differences));
  return differences.length === 0 ? codes.success : codes.different;
}

const prefix = "pulumi-nodejs:dynamic/shop:";

async function sideOf(spec: string, folder: string, note: (line: string) => void): Promise<Side> {
  const [, from = "stack", name = ""] = /^(?:(\w+):)?(.*)$/.exec(spec) ?? [];
  if (!["stack", "shop", "program"].includes(from) || name === "")
    throw new CommandError(
      `${JSON.stringify(spec)} is no side: write STACK, shop:STACK or program:STACK`,
      codes.configuration,
    );
  const stack = engine.openStack({ folder, stack: name, env: process.env });
  const shop = connect(stack.config.values, process.env, note);
  try {
    if (from === "program") return await programSide(stack, shop);
    if (from === "shop") return await shopSide(shop, creatable, () => true, note);
    if (!stack.exists)
      throw new CommandError(
        `there is no stack ${name} yet: up makes it; shop:${name} compares its whole shop`,
        codes.stackNotFound,
      );
    const managed = managedBy(stack);
    const kinds = creatable.filter(({ kind }) => managed.has(kind));
    return await shopSide(shop, kinds, (kind, id) => managed.get(kind)?.has(id) === true, note);
  } finally {
    await shop.transport.close();
  }
}

const creatable: readonly Definition[] = resources.map(([, definition]) => definition);

/** Ids of what a stack manages, by kind. */
function managedBy(stack: engine.Stack): ReadonlyMap<string, ReadonlySet<string>> {
  const managed = new Map<string, Set<string>>();
  for (const { type, id, external, delete: replaced } of engine.load(stack).resources) {
    if (!type.startsWith(prefix) || id === undefined || external || replaced) continue;
    const kind = engine.kindOf(type);
    managed.set(kind, (managed.get(kind) ?? new Set()).add(id));
  }
  return managed;
}

async function shopSide(
  { connection, transport }: Connected,
  kinds: readonly Definition[],
  isWanted: (kind: string, id: string) => boolean,
  note: (line: string) => void,
): Promise<Side> {
  const { url, perPage } = connection;
  const read: { definition: Definition; objects: readonly Surveyed[] }[] = [];
  for (const definition of kinds) {
    const wanted = (id: string) => isWanted(definition.kind, id);
    try {
      const objects = await survey(definition, {
        transport,
        url,
        perPage,
        progress: () => {},
        isWanted: wanted,
      });
      read.push({ definition, objects });
    } catch (error) {
      if (!(error instanceof HiddenKindError)) throw error;
      note(`${error.message}; they are not compared`);
    }
  }
  const groups = read.map(({ definition, objects }) => ({
    definition,
    stated: objects.map(({ seen }) => seen),
  }));
  const referred = await readReferred(transport, groups);
  const named = addressesNamed(url, read);
  const objects = read.flatMap(({ definition, objects: found }) =>
    found.map(({ seen, bytes }) => {
      const bytesOf = typeof seen.content === "string" ? Buffer.from(seen.content) : bytes;
      const whole = Buffer.isBuffer(bytesOf) ? bodyOf(bytesOf) : undefined;
      const body = definition.body === undefined ? undefined : (whole?.text ?? whole?.bytes);
      return portrayed(
        definition,
        portraitOf(definition, seen).args,
        body,
        titleOf(definition, seen),
        referred,
      );
    }),
  );
  return { objects: objects.map(named), isPartial: false };
}

/** A shop's own addresses hold its ids: a text that names a file by its address means the file, in any shop. */
function addressesNamed(
  url: string,
  read: readonly { readonly definition: Definition; readonly objects: readonly Surveyed[] }[],
): (one: Portrayed) => Portrayed {
  const names = new Map<string, string>();
  for (const { definition, objects } of read) {
    for (const { seen } of objects) {
      const address = definition.body === undefined ? undefined : seen[definition.body.address];
      if (typeof address === "string" && address !== "")
        names.set(address, `[${definition.kind} ${titleOf(definition, seen)}]`);
    }
  }
  names.set(url, "[shop]");
  const plain = (value: unknown) =>
    typeof value === "string"
      ? [...names].reduce((text, [address, name]) => text.replaceAll(address, name), value)
      : value;
  return (one) => ({ ...one, facts: new Map([...one.facts].map(([path, value]) => [path, plain(value)])) });
}

/** What the program asks for, as if nothing were there yet. */
async function programSide(stack: engine.Stack, { connection, transport }: Connected): Promise<Side> {
  const empty = mkdtempSync(join(tmpdir(), "pulumi-shop-compare-"));
  try {
    const env = { ...stack.env, PULUMI_BACKEND_URL: `file://${empty}` };
    const fresh = engine.openStack({ folder: stack.project.folder, stack: stack.name, env, create: true });
    const { events, watch } = engine.recorder();
    const { failures } = await engine.preview(fresh, { watch });
    if (failures.length > 0)
      throw new Error(`the program can't be read: ${failures.map(({ message }) => message).join("; ")}`);
    const asked = events.flatMap((event) => {
      if (event.type !== "done" || event.step.op !== "create" || !event.step.type.startsWith(prefix))
        return [];
      const definition = definitionOf(engine.kindOf(event.step.type));
      return definition === undefined ? [] : [{ definition, inputs: known(event.step.inputs) }];
    });
    const referred = await readReferred(
      transport,
      asked.map(({ definition, inputs }) => ({ definition, stated: [inputs] })),
    );
    const named = addressesNamed(connection.url, []);
    const objects: Portrayed[] = [];
    for (const { definition, inputs } of asked) {
      const body = await statedBody(inputs, stack.project.programFolder);
      objects.push(named(portrayed(definition, inputs, body, programTitle(definition, inputs), referred)));
    }
    return { objects, isPartial: true };
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

// What is known only after up, and what is secret, is not compared.
const known = (inputs: Values): Values =>
  Object.fromEntries(
    Object.entries(inputs).filter(
      ([, value]) => value !== engine.unknownText && value !== "[secret]" && value !== null,
    ),
  );

async function statedBody({ content, file }: Values, folder: string): Promise<string | Buffer | undefined> {
  if (typeof content === "string") return content;
  const path = (file as { readonly path?: string } | undefined)?.path;
  if (path === undefined) return undefined;
  const { text, bytes } = await readBody(path, folder);
  return text ?? bytes;
}

// A kind whose name is its address is called by the file that is asked for.
function programTitle(definition: Definition, inputs: Values): string {
  const named = titleOf(definition, inputs);
  if (named !== "undefined") return named;
  const path = inputs.filename ?? (inputs.file as { readonly path?: string } | undefined)?.path ?? inputs.src;
  return typeof path === "string" ? (path.split("/").at(-1) ?? path) : named;
}
