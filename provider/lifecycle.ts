/**
 * check diff create read update delete, derived from a definition. Every verb can be run twice: what was done is
 * found, what differs is sent, what is gone is gone.
 */
import { adoptionOf, announce, looksFirst } from "./adoption.ts";
import { sentBody } from "./body.ts";
import { type Checked, check, type Project } from "./check.ts";
import { call, type Input } from "./client/call.ts";
import { LostAnswerError, NotFoundError } from "./client/errors.ts";
import type { Transport } from "./client/transport.ts";
import type { Values } from "./codec.ts";
import type { Definition, Field, Operation } from "./define.ts";
import { diff as compare, type Diff, differences, pair, statedDifferences } from "./diff.ts";
import { driftOf, textChange } from "./drift.ts";
import { type Guard, guardChange, guardDelete } from "./guard.ts";
import { identify, where } from "./identity.ts";
import type { Note, Notes } from "./notes.ts";
import { findLost, isResult, listed, observe, type Seen } from "./observe.ts";
import type { Reads } from "./reads.ts";
import { remove } from "./removal.ts";
import { difference, inputsOf, stateOf } from "./state.ts";

/** What the verbs stand on: the door to the shop and what belongs to the run. */
export interface Shop extends Project {
  readonly transport: Transport;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A line for the person who watches. */
  readonly say: (line: string) => void;
  /** A line about what has yet to be done: for a preview, which is where a person reads it. */
  readonly foretell: (line: string) => void;
  /** Objects that creates of this run will take over, as they were looked at. */
  readonly looked: Map<string, Values>;
  /** What a protected stack refuses. */
  readonly guard: Guard | undefined;
  /** Ids that this run has made or taken over, by kind: nobody else's lost answer. */
  readonly claimed: Set<string>;
  /** Of creates that earlier runs did not end. */
  readonly notes: Notes;
  readonly reads: Reads;
}

/** An object as the state keeps it. */
export interface Kept {
  readonly id: string;
  readonly outs: Values;
}

/** The verbs of one kind, as a dynamic provider has them. */
export interface Lifecycle {
  check(olds: Values, news: Values): Promise<Checked>;
  diff(id: string, olds: Values, news: Values): Diff;
  /** Says, where a person asked for it, what an update would do to a text. */
  foresee(id: string, olds: Values, news: Values): Promise<void>;
  create(args: Values): Promise<Kept>;
  read(id: string, olds: Values): Promise<{ id: string; props: Values; inputs: Values } | undefined>;
  update(id: string, olds: Values, args: Values): Promise<Values>;
  delete(id: string, olds: Values): Promise<void>;
}

/** An object that is there but not as asked: the engine keeps it and tries again (pulumi-facts.md, create throwing). */
export class UnfinishedError extends Error {
  override readonly name = "UnfinishedError";
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];

  constructor(kept: Kept, reasons: readonly string[]) {
    super(reasons.join("\n"));
    this.id = kept.id;
    this.properties = kept.outs;
    this.reasons = reasons;
  }
}

/** The verbs of a definition on a shop. */
export function lifecycle(definition: Definition, shop: Shop): Lifecycle {
  return {
    async check(olds, news) {
      const checked = await check(definition, news, shop);
      for (const [name, { deprecated }] of Object.entries(definition.fields)) {
        if (deprecated !== undefined && checked.inputs[name] !== undefined)
          shop.foretell(`${definition.kind}.${name} is deprecated: ${deprecated}`);
      }
      if (Object.keys(olds).length > 0 || checked.failures.length > 0) return checked;
      return { ...checked, failures: await announce(definition, shop, checked.inputs) };
    },
    diff(id, olds, news) {
      shop.notes.confirm(definition.kind, id);
      const verdict = compare(definition, olds, news);
      if (shop.guard?.isPlanned !== true) guardChange(shop.guard, definition, id, olds, news, verdict);
      return verdict;
    },
    async foresee(id, olds, news) {
      const change = await textChange(definition, shop, id, olds, news);
      if (change !== undefined)
        shop.say(`${definition.kind} ${id}: the text in the shop, and what becomes of it:\n${change}`);
    },
    create: (args) => create(definition, shop, args),
    read(id, olds) {
      shop.notes.confirm(definition.kind, id);
      return read(definition, shop, id, olds);
    },
    update(id, olds, args) {
      shop.notes.confirm(definition.kind, id);
      shop.reads.written(definition, id);
      return update(definition, shop, id, olds, args);
    },
    async delete(id) {
      guardDelete(shop.guard, definition, id);
      shop.notes.confirm(definition.kind, id);
      shop.reads.written(definition, id);
      return remove(definition, shop, id);
    },
  };
}

async function create(definition: Definition, shop: Shop, args: Values): Promise<Kept> {
  if (looksFirst(definition, shop, args)) {
    const taken = await takeOver(definition, shop, args);
    if (taken !== undefined) return taken;
  }
  const note = shop.notes.earlier(definition.kind, args);
  const seen =
    (note && (await recognise(definition, shop, args, note))) ?? (await make(definition, shop, args));
  const id = identify(definition, seen, args);
  shop.claimed.add(`${definition.kind} ${id}`);
  shop.reads.written(definition, id);
  return { id, outs: await settle(definition, shop, id, args, stateOf(definition, args, seen, {})) };
}

/** The object of a create that an earlier run began; undefined where nothing came of it, or it has gone since. */
async function recognise(
  definition: Definition,
  shop: Shop,
  args: Values,
  { at, id }: Note,
): Promise<Values | undefined> {
  const found =
    id === undefined ? await findLost(definition, shop, args, at) : await observe(definition, shop, id);
  if (typeof found !== "object" || !isResult(definition, shop, args, found)) return undefined;
  shop.say(`${definition.kind} ${identify(definition, found, args)}: an earlier run had made it already`);
  return found;
}

/** Sends the create. One whose answer was lost looks for its own result before it is sent again. */
async function make(definition: Definition, shop: Shop, args: Values): Promise<Values> {
  const operation = definition.operations.create as Operation;
  const input = { ...args, ...(await sentBody(definition, args, shop.folder)) };
  const beganAt = shop.now();
  const note = shop.notes.begin(definition.kind, args, beganAt);
  const attempt = async () => {
    try {
      const seen = (await call(shop.transport, definition, operation, input)) as Values | undefined;
      return { seen: seen?.id === undefined ? await findLost(definition, shop, args, beganAt) : seen };
    } catch (error) {
      if (!(error instanceof LostAnswerError)) {
        note.nothing();
        throw error;
      }
      return { seen: await findLost(definition, shop, args, beganAt), error };
    }
  };
  const first = await attempt();
  const last = first.seen === undefined ? await attempt() : first;
  if (last.seen !== undefined) {
    note.made(identify(definition, last.seen, args));
    return last.seen;
  }
  throw (
    last.error ??
    new Error(`${definition.kind}: the shop answered the create without an object, and has none; run again`)
  );
}

/** Takes over an object that is there; undefined where it isn't and nobody insists. */
async function takeOver(definition: Definition, shop: Shop, args: Values): Promise<Kept | undefined> {
  const adoption = await adoptionOf(definition, shop, args);
  if (adoption === undefined) return undefined;
  const { id, state } = adoption;
  shop.claimed.add(`${definition.kind} ${id}`);
  shop.reads.written(definition, id);
  return { id, outs: await update(definition, shop, id, state, args) };
}

async function read(definition: Definition, shop: Shop, id: string, olds: Values) {
  const seen =
    (await listed(definition, shop, id, olds.isText !== false)) ?? (await observe(definition, shop, id));
  if (seen === "gone") return undefined;
  if (seen === "hidden") {
    shop.say(
      `${definition.kind} ${id}: this shop doesn't let such objects be read; the state keeps what was written`,
    );
    return { id, props: olds, inputs: inputsOf(definition, olds, {}) };
  }
  const props = stateOf(definition, olds, seen, olds);
  const drift = await driftOf(olds, seen, props.sha256, shop.folder);
  if (drift !== undefined) shop.say(`${definition.kind} ${id}: the text was changed in the shop:\n${drift}`);
  return { id, props, inputs: inputsOf(definition, props, seen) };
}

/** Sends what differs. After a lost answer the object is looked at, and what still differs is sent once more. */
async function update(
  definition: Definition,
  shop: Shop,
  id: string,
  olds: Values,
  args: Values,
): Promise<Values> {
  try {
    return await send(definition, shop, id, olds, args);
  } catch (error) {
    if (error instanceof NotFoundError && (await observe(definition, shop, id)) === "gone")
      return absent(definition, id);
    if (!(error instanceof LostAnswerError)) throw error;
    return send(
      definition,
      shop,
      id,
      stateOf(definition, args, present(definition, id, await observe(definition, shop, id)), olds),
      args,
    );
  }
}

function present(definition: Definition, id: string, seen: Seen): Values {
  return typeof seen === "object" ? seen : absent(definition, id);
}

function absent(definition: Definition, id: string): never {
  throw new Error(`${definition.kind} ${id} is not in the shop any more; run refresh, then up makes it anew`);
}

async function send(
  definition: Definition,
  shop: Shop,
  id: string,
  olds: Values,
  args: Values,
): Promise<Values> {
  const changed = new Set(differences(definition, olds, args).map((path) => /^\w+/.exec(path)?.[0] ?? path));
  const place = where(definition, id, args);
  const answers: (Values | undefined)[] = [];
  const common = [...changed].filter((name) => definition.fields[name]?.by === undefined);
  if (common.length > 0) answers.push(await edit(definition, shop, place, common, olds, args));
  for (const name of changed) {
    const operation = definition.operations[definition.fields[name]?.by ?? ""];
    if (operation === undefined) continue;
    answers.push(
      (await call(shop.transport, definition, operation, { ...place, [name]: args[name] })) as
        | Values
        | undefined,
    );
  }
  const removed = await removeItems(definition, shop, place, olds, args);
  const seen = answers.at(-1);
  const unproved = seen === undefined && common.some((name) => needsProof(definition.fields[name]));
  if (removed || unproved)
    return settle(
      definition,
      shop,
      id,
      args,
      stateOf(definition, args, present(definition, id, await observe(definition, shop, id)), olds),
    );
  // Where nothing was sent the object is what it was, with the numbers of its items, which no argument has.
  const now = answers.length === 0 ? olds : (seen ?? { ...olds, ...args });
  return settle(definition, shop, id, args, stateOf(definition, args, now, olds));
}

// The numbers of new items are in no empty answer, and what the interface doesn't show may have been ignored.
const needsProof = (field: Field | undefined) => field?.unshown === true || field?.items !== undefined;

async function edit(
  definition: Definition,
  shop: Shop,
  place: Input,
  names: readonly string[],
  olds: Values,
  args: Values,
) {
  const operation = definition.operations.edit as Operation;
  const values = names.map((name) => [
    name,
    changedValue(definition.fields[name] as Field, args[name], olds[name]),
  ]);
  const body = names.some((name) => name === "content" || name === "file")
    ? await sentBody(definition, args, shop.folder)
    : {};
  return (await call(shop.transport, definition, operation, {
    ...Object.fromEntries(values),
    ...body,
    ...place,
  })) as Values | undefined;
}

/** Of a list only the items that are new or differ, the known ones by their number (platform-facts.md, section 11). */
function changedValue(field: Field, asked: unknown, known: unknown): unknown {
  const { items } = field;
  if (items?.fields === undefined) return asked;
  const fields = items.fields;
  return pair(items, asked as readonly Values[], (known ?? []) as readonly Values[]).pairs.flatMap(
    ([entry, old]) => {
      if (old === undefined) return [entry];
      const names = new Set(
        statedDifferences(fields, entry, old).map((path) => /^\w+/.exec(path)?.[0] ?? path),
      );
      return names.size === 0
        ? []
        : [{ id: old.id, ...Object.fromEntries([...names].map((name) => [name, entry[name]])) }];
    },
  );
}

async function removeItems(
  definition: Definition,
  shop: Shop,
  place: Input,
  olds: Values,
  args: Values,
): Promise<boolean> {
  let removed = false;
  for (const [name, { items }] of Object.entries(definition.fields)) {
    const operation = definition.operations[items?.remove ?? ""];
    if (items === undefined || operation === undefined || args[name] === undefined) continue;
    const { gone } = pair(items, args[name] as readonly Values[], (olds[name] ?? []) as readonly Values[]);
    for (const { id } of gone) {
      try {
        await call(shop.transport, definition, operation, { ...place, item: id });
      } catch (error) {
        // Gone already, or a shop without the operation: reading the object back tells.
        if (!(error instanceof NotFoundError)) throw error;
      }
      removed = true;
    }
  }
  return removed;
}

/**
 * Proves that the shop took what was asked; where the answer says otherwise, one look at the object decides.
 * @throws UnfinishedError naming each argument that it didn't take, with the object kept
 */
async function settle(
  definition: Definition,
  shop: Shop,
  id: string,
  args: Values,
  state: Values,
): Promise<Values> {
  if (differences(definition, state, args).length === 0) return state;
  const seen = await observe(definition, shop, id);
  const outs = typeof seen === "object" ? stateOf(definition, args, seen, state) : state;
  const paths = differences(definition, outs, args);
  if (paths.length === 0) return outs;
  const reasons = paths.map(
    (path) =>
      `the shop answered without taking ${path}: ${difference(outs, args, path)}; state what it accepts, or leave it out`,
  );
  throw new UnfinishedError({ id, outs }, reasons);
}
