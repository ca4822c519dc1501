/** update, derived from a definition: looks at what the shop has now, sends what differs, proves that it was taken. */

import { isBody, mayBeText, onlyBody } from "../body/arguments.ts";
import { sentBody } from "../body/body.ts";
import { keptOf } from "../body/state.ts";
import { call, type Input } from "../client/call.ts";
import { LostAnswerError, NotFoundError } from "../client/errors.ts";
import type { Definition, Field, Operation } from "../definition/define.ts";
import { objectKey, type Shop } from "../run/context.ts";
import { withAsked } from "../values/base.ts";
import { differences, itemName, pair } from "../values/diff.ts";
import { where } from "../values/identity.ts";
import { argumentsOf, type Merge, merge } from "../values/merge.ts";
import { difference, stateOf } from "../values/state.ts";
import type { Values } from "../wire/codec.ts";
import { bindChange } from "./approval.ts";
import { keptText, mergingOf, refuseConflict } from "./conflict.ts";
import { absent, refuseGone } from "./gone.ts";
import { unsure } from "./lost.ts";
import { listed, observe, type Seen } from "./observe.ts";
import { changedValue, needsProof, sending } from "./sending.ts";
import { tellChange } from "./telling.ts";
import { sinceUnderWay, withoutUnderWay } from "./under-way.ts";

/** An object that is there but not as asked: the engine keeps it and tries again. */
export class UnfinishedError extends Error {
  override readonly name = "UnfinishedError";
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];

  constructor(kept: { readonly id: string; readonly outs: Values }, reasons: readonly string[]) {
    super(reasons.join("\n"));
    this.id = kept.id;
    this.properties = kept.outs;
    this.reasons = reasons;
  }
}

function present(definition: Definition, id: string, seen: Seen): Values {
  return typeof seen === "object" ? seen : absent(definition, id);
}

/** A page that was read longer ago is no look at what the shop has now. */
const mostAgeMs = 60_000;
/** A look of the same process, made when the change was decided, serves for the change itself for so long. */
const freshMs = 10_000;

/**
 * Looks at an object that is about to be changed or deleted; the same object once for one change.
 * @param makesRoom whether its successor is made first: the look serves for as long as a page does, as the plan counts one
 */
export async function look(
  definition: Definition,
  shop: Shop,
  id: string,
  isText: boolean,
  makesRoom = false,
) {
  const key = objectKey(definition.kind, id);
  const known = shop.memory.looks.get(key);
  if (known !== undefined && shop.now() - known.at <= known.mostAgeMs)
    return { seen: known.seen as Seen, page: undefined };
  await shop.reads.ready(definition, id);
  const found = await listed(definition, shop, id, isText, { isPlanned: true, mostAgeMs });
  const seen = found?.seen ?? (await observe(definition, shop, id));
  if (typeof seen === "object")
    shop.memory.looks.set(key, { seen, at: shop.now(), mostAgeMs: makesRoom ? mostAgeMs : freshMs });
  return { seen, page: found?.page };
}

/** Brings an object to what is asked; what staff changed since stays, or is a conflict. */
export async function update(
  definition: Definition,
  shop: Shop,
  id: string,
  before: Values,
  args: Values,
): Promise<Values> {
  const olds = withoutUnderWay(before);
  if (differences(definition, olds, args).length === 0)
    return withAsked(definition, args, stateOf(definition, args, olds, olds));
  const { seen } = await look(definition, shop, id, mayBeText(olds));
  shop.memory.looks.delete(objectKey(definition.kind, id));
  if (seen === "gone") refuseGone(definition, shop, { id, seen: olds, args });
  // A shop that doesn't show the object can't tell what staff changed.
  if (seen === "hidden") return change(definition, shop, id, olds, olds, args);
  return change(definition, shop, id, sinceUnderWay(definition, shop, before, seen), seen, args);
}

/** What an update comes to; a conflict that may not be overwritten is refused. */
export function merged(
  definition: Definition,
  shop: Shop,
  id: string,
  olds: Values,
  seen: Values,
  args: Values,
): Merge {
  const result = merge(definition, olds, seen, args, mergingOf(shop, definition, id));
  bindChange(definition, shop, id, result.touched, args);
  const refused = shop.plan.stops ? [...result.conflicts, ...result.putBack] : result.conflicts;
  refuseConflict(definition, shop, { id, seen, args }, refused);
  return result;
}

/**
 * Sends what the program changed and the shop doesn't have. After a lost answer the object is looked at, and what still
 * differs is sent once more.
 * @param seen the object as it was read a moment ago
 */
export async function change(
  definition: Definition,
  shop: Shop,
  id: string,
  olds: Values,
  seen: Values,
  args: Values,
): Promise<Values> {
  await shop.reads.ready(definition, id);
  const plan = merged(definition, shop, id, olds, seen, args);
  if (plan.kept.length > 0) shop.say(keptText(definition, id, plan.kept, args));
  const state = stateRead(definition, seen, olds);
  tellChange(definition, shop, { id, seen, args, before: state }, plan);
  shop.reads.written(definition, id);
  try {
    return await send(definition, shop, id, state, args, plan);
  } catch (error) {
    if (error instanceof NotFoundError && (await observe(definition, shop, id)) === "gone")
      refuseGone(definition, shop, { id, seen: state, args });
    if (!(error instanceof LostAnswerError)) throw error;
    try {
      const again = await lookAgain(definition, shop, id, state, plan);
      const rest = merged(definition, shop, id, state, again, plan.wanted);
      const known = (one: Values) => plan.known(rest.known(one));
      return await send(definition, shop, id, stateRead(definition, again, olds), args, { ...rest, known });
    } catch (later) {
      throw unsure(`the update of ${definition.kind} ${id}`, later);
    }
  }
}

/** The state of an object as it was read: where its body came from, and what no answer carries, is as it was known. */
const stateRead = (definition: Definition, seen: Values, olds: Values): Values => ({
  ...stateOf(definition, {}, seen, olds),
  ...keptOf(olds),
});

/** After a lost answer. New items would be added twice by a second send: a commit that comes late is waited for. */
async function lookAgain(
  definition: Definition,
  shop: Shop,
  id: string,
  state: Values,
  plan: Merge,
): Promise<Values> {
  const adds = addsItems(definition, state, plan.wanted);
  let waitedMs = 0;
  for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, 30_000)) {
    const seen = present(definition, id, await observe(definition, shop, id));
    const left = shop.plan.patienceMs - waitedMs;
    const now = merge(definition, state, seen, plan.wanted, shop).wanted;
    if (!adds || left <= 0 || !addsItems(definition, stateOf(definition, {}, seen, state), now)) return seen;
    await shop.wait(Math.min(pauseMs, left));
    waitedMs += Math.min(pauseMs, left);
  }
}

const addsItems = (definition: Definition, state: Values, wanted: Values): boolean =>
  Object.entries(definition.fields).some(
    ([name, { items }]) =>
      items?.fields?.id !== undefined &&
      wanted[name] !== undefined &&
      pair(items, wanted[name] as readonly Values[], (state[name] ?? []) as readonly Values[]).pairs.some(
        ([, old]) => old === undefined,
      ),
  );

async function send(
  definition: Definition,
  shop: Shop,
  id: string,
  state: Values,
  args: Values,
  { wanted, known }: Pick<Merge, "wanted" | "known">,
): Promise<Values> {
  const { common, own, removed } = sending(definition, state, wanted);
  const place = where(definition, id, args);
  const answers: (Values | undefined)[] = [];
  if (common.length > 0) answers.push(await edit(definition, shop, place, common, state, wanted));
  for (const name of own) {
    const operation = definition.operations[definition.fields[name]?.by as string] as Operation;
    const given = { ...place, [name]: wanted[name] };
    answers.push((await call(shop.transport, definition, operation, given)) as Values | undefined);
  }
  for (const { operation, item } of removed)
    await removeItem(definition, shop, definition.operations[operation] as Operation, { ...place, item });
  const answered = answers.at(-1);
  const unproved = answered === undefined && common.some((name) => needsProof(definition.fields[name]));
  const seen =
    removed.length > 0 || unproved
      ? present(definition, id, await observe(definition, shop, id))
      : // Where nothing was sent the object is what it was, with the numbers of its items, which no argument has.
        answers.length === 0
        ? state
        : (answered ?? { ...state, ...wanted });
  return settle(
    definition,
    shop,
    id,
    wanted,
    stateOf(definition, { ...args, ...onlyBody(definition, wanted) }, seen, state),
    (outs) => withAsked(definition, args, known({ ...outs, ...statedOf(definition, args) })),
    state,
  );
}

/** What the state keeps of arguments, whatever of them was sent. */
function statedOf(definition: Definition, args: Values): Values {
  const state = stateOf(definition, args, {}, {});
  const { __stated, adopt } = state;
  const kept = { __stated, adopt, ...keptOf(state) };
  return Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined));
}

async function edit(
  definition: Definition,
  shop: Shop,
  place: Input,
  names: readonly string[],
  state: Values,
  wanted: Values,
) {
  const values = names.map((name) => [
    name,
    changedValue(definition.fields[name] as Field, wanted[name], state[name]),
  ]);
  const body = names.some((name) => isBody(definition, name))
    ? await sentBody(definition, wanted, shop.folder, shop.allowOutside)
    : {};
  return (await call(shop.transport, definition, definition.operations.edit as Operation, {
    ...Object.fromEntries(values),
    ...body,
    ...place,
  })) as Values | undefined;
}

async function removeItem(
  definition: Definition,
  shop: Shop,
  operation: Operation,
  place: Input,
): Promise<void> {
  try {
    await call(shop.transport, definition, operation, place);
  } catch (error) {
    // Gone already, or a shop without the operation: reading the object back tells.
    if (!(error instanceof NotFoundError)) throw error;
  }
}

/**
 * Proves that the shop took what was sent; where the answer says otherwise, one look at the object decides.
 * @param known what the state says of an object that was read
 * @param before the object as it was right before the write; what came into its lists since is somebody else's
 * @throws UnfinishedError naming each argument that it didn't take, with the object kept
 */
export async function settle(
  definition: Definition,
  shop: Shop,
  id: string,
  wanted: Values,
  state: Values,
  known: (state: Values) => Values,
  before?: Values,
): Promise<Values> {
  const own = (outs: Values) =>
    before === undefined ? outs : withoutAdded(definition, shop, id, before, wanted, outs);
  const answered = own(state);
  if (differences(definition, answered, wanted, "written").length === 0) return known(answered);
  const seen = await observe(definition, shop, id);
  const outs = typeof seen === "object" ? own(stateOf(definition, wanted, seen, state)) : answered;
  const paths = differences(definition, outs, wanted, "written");
  if (paths.length === 0) return known(outs);
  const reasons = paths.map(
    (path) =>
      `the shop answered without taking ${difference(definition, outs, wanted, path)}; state what it accepts, or leave it out`,
  );
  throw new UnfinishedError({ id, outs: known(outs) }, reasons);
}

/** An object without the items that others added while it was written: they stay in the shop, and out of the state until a refresh. */
function withoutAdded(
  definition: Definition,
  shop: Shop,
  id: string,
  before: Values,
  wanted: Values,
  outs: Values,
): Values {
  const listOf = (values: Values, name: string) => (values[name] ?? []) as readonly Values[];
  const kept: Record<string, unknown> = { ...outs };
  for (const [name, { items }] of Object.entries(definition.fields)) {
    if (items?.fields?.id === undefined || wanted[name] === undefined) continue;
    const { fields } = items;
    const there = new Set(listOf(before, name).map((item) => item.id));
    const { gone } = pair(items, listOf(wanted, name), listOf(outs, name), "written");
    const added = gone.filter((item) => item.id !== undefined && !there.has(item.id));
    if (added.length === 0) continue;
    kept[name] = listOf(outs, name).filter((item) => !added.includes(item));
    const sides = added.map((item) => ({
      path: `${name}[${itemName(items, item, -1)}]`,
      was: undefined,
      is: argumentsOf(fields, item),
      asked: undefined,
    }));
    shop.say(keptText(definition, id, sides, wanted));
  }
  return kept;
}
