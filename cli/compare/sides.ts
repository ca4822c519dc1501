/** The sides of a comparison: a stack's objects, a whole shop, or a program. */

import { rmSync } from "node:fs";
import { isRecord } from "../../engine/common/record.ts";
import { temporaryFolder } from "../../engine/common/temporary.ts";
import * as engine from "../../engine/index.ts";
import { unknownText, type Value } from "../../engine/index.ts";
import { type Definition, isReturnedArgument } from "../../provider/definition/define.ts";
import {
  argumentPath,
  asLists,
  bodyOf,
  bodyPath,
  type ComparedObject,
  type ComparisonInput,
  comparedObject,
  fileIn,
  HiddenKindError,
  hasNoArgument,
  messageEnv,
  nameOf,
  programArguments,
  type Reason,
  type ReferredObjects,
  readAddresses,
  readBody,
  readObjects,
  readReferred,
  type ShopObject,
  type Side,
  shownText,
  textIn,
  type Values,
  wantedFileName,
} from "../../provider/inventory/index.ts";
import { definitionOfType, resources } from "../../provider/resources/index.ts";
import {
  checkShop,
  elsewhereIn,
  type ManagedObject,
  managedObjects,
  parts,
  plural,
} from "../../runs/command.ts";
import { CommandError, codes, usageError } from "../exit.ts";
import { type Connected, connect } from "../stack/open-stack.ts";

const creatable: readonly Definition[] = resources.map(([, definition]) => definition);

/** A side before file addresses are replaced by names. */
interface RawSide extends Omit<Side, "withoutArgument"> {
  readonly url: string;
  readonly addresses: ReadonlyMap<string, string>;
}

export async function readSides(
  specs: readonly [string, string],
  folder: string,
  note: (line: string) => void,
): Promise<readonly [Side, Side]> {
  const a = await sideOf(specs[0], folder, note);
  const b = await sideOf(specs[1], folder, note);
  return [withFileNames(a, b), withFileNames(b, a)];
}

async function sideOf(spec: string, folder: string, note: (line: string) => void): Promise<RawSide> {
  const [, from = "stack", name = ""] = /^(?:(\w+):)?(.*)$/.exec(spec) ?? [];
  if (!["stack", "shop", "program"].includes(from) || name === "")
    throw usageError(`invalid side ${JSON.stringify(spec)}: write STACK, shop:STACK or program:STACK`);
  const stack = engine.openStack({ folder, stack: name, env: process.env });
  const shop = connect(stack, process.env, note);
  try {
    if (from === "program") return await programSide(stack, { ...shop, note });
    await checkShop(stack, { say: note });
    const all = managedObjects(stack);
    const held = all.filter(({ isElsewhere }) => !isElsewhere);
    if (from === "shop") return await shopSide({ ...shop, note }, creatable, held, () => true);
    if (!stack.exists)
      throw new CommandError(
        `the stack ${name} has no state yet: run up to create it; shop:${name} compares its whole shop`,
        codes.stackNotFound,
      );
    noteElsewhere(note, all.length - held.length);
    const kinds = creatable.filter(({ kind }) => held.some((one) => one.kind === kind));
    const managed = new Set(
      held.filter(({ isReplaced: isLeaving }) => !isLeaving).map(({ kind, id }) => `${kind} ${id}`),
    );
    return await shopSide({ ...shop, note }, kinds, held, (kind, id) => managed.has(`${kind} ${id}`));
  } finally {
    await shop.transport.close();
  }
}

interface Reading extends Connected {
  readonly note: (line: string) => void;
}

function noteElsewhere(note: Reading["note"], count: number): void {
  if (count > 0) note(`${plural(count, "resource")} of another shop: not compared`);
}

async function shopSide(
  { connection, transport, note }: Reading,
  kinds: readonly Definition[],
  held: readonly ManagedObject[],
  isWanted: (kind: string, id: string) => boolean,
): Promise<RawSide> {
  const { url, perPage } = connection;
  const secrets = new Map(
    held.map(({ kind, id, secretPaths }) => [`${kind} ${id}`, secretPaths.map(argumentPath)]),
  );
  const read: { definition: Definition; objects: readonly ShopObject[] }[] = [];
  const unlisted: string[] = [];
  const unread = new Map<string, string[]>();
  for (const definition of kinds) {
    const { kind } = definition;
    try {
      const objects = await readObjects(definition, {
        transport,
        url,
        perPage,
        progress: () => {},
        isWanted: (id) => isWanted(kind, id),
        onBadValue: ({ id, field, message }) => {
          note(`${kind} ${id}: ${field} can't be read and is not compared: ${message}`);
          unread.set(`${kind} ${id}`, [
            ...(unread.get(`${kind} ${id}`) ?? []),
            argumentAt(definition, field),
          ]);
        },
      });
      read.push({ definition, objects });
    } catch (error) {
      if (!(error instanceof HiddenKindError)) throw error;
      note(`${error.message}; they are not compared`);
      unlisted.push(kind);
    }
  }
  const groups = read.map(({ definition, objects }) => ({
    definition,
    stated: objects.map(({ seen }) => seen),
  }));
  const referred = await readReferred(
    transport,
    groups,
    (field) => isReturnedArgument(field) || hasNoArgument(field),
  );
  const objects = read.flatMap(({ definition, objects: found }) =>
    found.map((object) => {
      const place = `${definition.kind} ${object.id}`;
      const hidden = new Map<string, Reason>([
        ...(unread.get(place) ?? []).map((path) => [path, "unread"] as const),
        ...(secrets.get(place) ?? []).map((path) => [path, "secret"] as const),
      ]);
      return comparedObject(comparableOf(definition, object, hidden), referred);
    }),
  );
  return { url, addresses: await readAddresses(creatable, transport), objects, isPartial: false, unlisted };
}

/** The argument for an element of the interface: `variants/price` is `variants.price`. */
function argumentAt(definition: Definition, element: string): string {
  const steps = element
    .split(/[/.]/)
    .map((step) =>
      step.replace(/\[.*$/, "").replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase()),
    );
  return steps[0] !== undefined && Object.hasOwn(definition.fields, steps[0]) ? steps.join(".") : element;
}

function comparableOf(
  definition: Definition,
  { seen, bytes }: ShopObject,
  hidden: Map<string, Reason>,
): ComparisonInput {
  const { args } = programArguments(definition, seen);
  const title = nameOf(definition, seen);
  if (definition.body === undefined) return { definition, args, seen, body: undefined, title, hidden };
  const shown = shownText(seen);
  const found = shown === undefined ? bytes : Buffer.from(shown);
  const whole = Buffer.isBuffer(found) ? bodyOf(found) : undefined;
  if (whole === undefined) hidden.set(bodyPath, "unread");
  const own = hidden.get(bodyPath) === "secret" ? undefined : (whole?.text ?? whole?.bytes);
  return { definition, args, seen, body: own, title, hidden };
}

/** Replaces addresses of files by names, because addresses contain a shop's own ids. */
function withFileNames(side: RawSide, other: RawSide): Side {
  const own = new Map([...(other.url === side.url ? other.addresses : []), ...side.addresses]);
  own.set(side.url, "[shop]");
  // Longer addresses first: one may begin like another.
  const names = [...own].toSorted(([one], [two]) => two.length - one.length);
  const plain = (value: unknown) =>
    typeof value === "string" && value.includes("/")
      ? names.reduce((text, [address, name]) => text.replaceAll(address, name), value)
      : value;
  const objects = side.objects.map((one) => ({
    ...one,
    fields: new Map([...one.fields].map(([path, value]) => [path, plain(value)])),
  }));
  return { objects, isPartial: side.isPartial, unlisted: side.unlisted, withoutArgument };
}

const withoutArgument: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  creatable.map(({ kind, fields }) => [
    kind,
    new Set(Object.entries(fields).flatMap(([name, field]) => (hasNoArgument(field) ? [name] : []))),
  ]),
);

/** The program's objects, as if the shop were empty. */
async function programSide(stack: engine.Stack, { connection, transport, note }: Reading): Promise<RawSide> {
  const empty = temporaryFolder("compare");
  try {
    // The program runs without looking at the shop.
    const env = {
      ...stack.env,
      PULUMI_BACKEND_URL: `file://${empty}`,
      ...messageEnv(stack.env, { check: "arguments" }),
    };
    const fresh = engine.openStack({ folder: stack.project.folder, stack: stack.name, env, create: true });
    const { events, watch } = engine.recorder();
    const { failures } = await engine.preview(fresh, { watch, parts });
    if (failures.length > 0)
      throw new Error(`the program can't be read: ${failures.map(({ message }) => message).join("; ")}`);
    const { done } = engine.endedIn(events);
    const isElsewhere = elsewhereIn(stack, done);
    const wanted = done.filter(({ op, type }) => op === "create" && definitionOfType(type) !== undefined);
    noteElsewhere(note, wanted.filter(isElsewhere).length);
    const asked = wanted.flatMap((step) => {
      const { type, inputs } = step;
      const definition = definitionOfType(type);
      if (definition === undefined || isElsewhere(step)) return [];
      return [{ definition, ...comparableArguments(asLists(definition, inputs)) }];
    });
    const groups = asked.map(({ definition, args }) => ({ definition, stated: [args] }));
    const referred: ReferredObjects = await readReferred(transport, groups);
    const objects: ComparedObject[] = [];
    for (const { definition, args, hidden } of asked) {
      const body = await bodyOfArguments(args, stack.project.programFolder);
      const title = programTitle(definition, args);
      objects.push(comparedObject({ definition, args, body, title, hidden }, referred));
    }
    const addresses = await readAddresses(creatable, transport);
    return { url: connection.url, addresses, objects, isPartial: true, unlisted: [] };
  } finally {
    rmSync(empty, { recursive: true, force: true });
  }
}

/** The body that arguments ask for; undefined if only the shop has it. */
export async function bodyOfArguments(args: Values, folder: string): Promise<string | Buffer | undefined> {
  const stated = textIn(args);
  if (stated !== undefined) return stated;
  const path = fileIn(args)?.path;
  if (path === undefined) return undefined;
  const { text, bytes } = await readBody(path, folder);
  return text ?? bytes;
}

// If a kind's name is its address, the object is named by its file.
function programTitle(definition: Definition, args: Values): string | undefined {
  if (definition.body?.name === undefined) return nameOf(definition, args);
  return wantedFileName(args);
}

/** The engine's mask for secrets. */
const maskText = "[secret]";

const maskOf = (value: Value): Reason | undefined =>
  value === maskText ? "secret" : value === unknownText ? "unknown" : undefined;

/** Inputs without secret and unknown values, and the paths of those with the reason. */
export function comparableArguments(inputs: Values): {
  readonly args: Values;
  readonly hidden: Map<string, Reason>;
} {
  const hidden = new Map<string, Reason>();
  const args = withoutMasked(inputs as Readonly<Record<string, Value>>, "", hidden);
  for (const [path, reason] of [...hidden]) {
    hidden.delete(path);
    hidden.set(argumentPath(path), reason);
  }
  return { args, hidden };
}

function withoutMasked(
  values: Readonly<Record<string, Value>>,
  above: string,
  hidden: Map<string, Reason>,
): Record<string, unknown> {
  const entries = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    const path = above + name;
    const reason = Array.isArray(value) ? value.map(maskOf).find((one) => one !== undefined) : maskOf(value);
    // A list with an unknown item can't be compared.
    if (reason !== undefined) hidden.set(path, reason);
    if (reason !== undefined || value === null) return [];
    if (Array.isArray(value))
      return [
        [name, value.map((item: Value) => (isRecord(item) ? withoutMasked(item, `${path}.`, hidden) : item))],
      ];
    return [[name, isRecord(value) ? withoutMasked(value, `${path}.`, hidden) : value]];
  });
  return Object.fromEntries(entries);
}
