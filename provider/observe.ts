/** Looking at the shop: one object by its id, or those that a rule lets through. */
import { call, type Input } from "./client/call.ts";
import { NotFoundError } from "./client/errors.ts";
import { every } from "./client/index.ts";
import type { Values } from "./codec.ts";
import type { Definition } from "./define.ts";
import { differences } from "./diff.ts";
import { above, hasKey, identify, keyOf, keyText, where } from "./identity.ts";
import type { Shop } from "./lifecycle.ts";

/** An object as it was read, `gone`, or `hidden` where the shop doesn't offer to read such objects. */
export type Seen = Values | "gone" | "hidden";

/** Reads one object. Without an operation of its own it is looked up in the list (interface.md, Files). */
export async function observe(
  definition: Definition,
  shop: Pick<Shop, "transport">,
  id: string,
): Promise<Seen> {
  const place = where(definition, id);
  const { get } = definition.operations;
  if (get === undefined) return inList(definition, shop, place);
  try {
    const seen = (await call(shop.transport, definition, get, place)) as Values | undefined;
    if (seen === undefined) return "gone";
    return definition.singleton !== undefined && seen[definition.singleton] === undefined ? "gone" : seen;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    // 404 is also what a shop says that has no such operation: its list tells the two apart.
    return get.unshown ? inList(definition, shop, place) : "gone";
  }
}

async function inList(definition: Definition, shop: Pick<Shop, "transport">, place: Input): Promise<Seen> {
  try {
    for await (const seen of every(shop.transport, definition, place)) {
      if (String((seen as Values).id) === String(place.id)) return seen as Values;
    }
    return "gone";
  } catch (error) {
    if (error instanceof NotFoundError) return definition.operations.list?.unshown ? "hidden" : "gone";
    throw error;
  }
}

/**
 * An object as a list shows it, where many reads of its kind make that cheaper; undefined where it must be asked for
 * by itself.
 * @param isText whether its body is text: a list shows no text (interface.md, Assets), and nothing that would prove a
 * text unchanged
 */
export function listed(
  definition: Definition,
  shop: Shop,
  id: string,
  isText: boolean,
): Promise<Values | undefined> {
  if (definition.body?.text !== undefined && isText) return Promise.resolve(undefined);
  return shop.reads.find(definition, id);
}

/**
 * The one object with the natural key of these arguments, or undefined where there is none.
 * @throws Error where there is no key to find it by, or more than one has it
 */
export async function findByKey(
  definition: Definition,
  shop: Shop,
  args: Values,
): Promise<Values | undefined> {
  const key = keyOf(definition, args);
  if (key === undefined) {
    const keys = (definition.keys ?? []).map((paths) => paths.join(" + ")).join(", or ");
    throw new Error(
      `adopt: "key" finds a ${definition.kind} by its ${keys}: state that, or write the id instead of "key"`,
    );
  }
  const all = await shop.reads.all(definition, above(definition, args));
  const found = all.filter((seen) => hasKey(seen, key));
  const [only, ...others] = found;
  if (only === undefined) return undefined;
  if (others.length === 0) return whole(definition, shop, only, args);
  throw new Error(
    `adopt: "key" found ${found.length} of ${definition.kind} with ${keyText(key)}: write the id of one of ${ids(found)} instead`,
  );
}

/**
 * What became of a create whose answer was lost: its object, or undefined where nothing came of it. An object counts
 * when it has the natural key, or all that was asked where the kind has no key; when it isn't older than the
 * request; and when this run didn't make it by another request.
 * @throws Error where several could be it
 */
export async function findLost(
  definition: Definition,
  shop: Shop,
  args: Values,
  beganAt: number,
): Promise<Values | undefined> {
  if (definition.singleton !== undefined) {
    const only = await observe(definition, shop, definition.one);
    return typeof only === "object" && sameContent(definition, only, args) ? only : undefined;
  }
  const key = keyOf(definition, args);
  const isIt = (seen: Values) => !isOlder(seen, beganAt) && isResult(definition, shop, args, seen);
  const since = definition.operations.list?.since ? { updatedSince: dayBefore(beganAt) } : {};
  const found = await collect(definition, shop, { ...above(definition, args), ...since }, isIt).catch(
    (cause) => {
      if (!(cause instanceof NotFoundError && definition.operations.list?.unshown)) throw cause;
      throw new Error(
        `the answer to a create of ${definition.kind} was lost, and this shop doesn't let such objects be read: ` +
          "look in the back office; if it is there take it over with adopt and its id, otherwise run again",
        { cause },
      );
    },
  );
  if (found.length < 2) return found[0] === undefined ? undefined : whole(definition, shop, found[0], args);
  const what = key === undefined ? "with what was asked" : `with ${keyText(key)}`;
  throw new Error(
    `the answer to a create of ${definition.kind} was lost, and the shop now has ${found.length} ${what}: ${ids(found)}. ` +
      "Delete those that are too many, then take one over with adopt",
  );
}

/** Whether an object may be the result of a create with these arguments, and isn't another's. */
export function isResult(definition: Definition, shop: Shop, args: Values, seen: Values): boolean {
  if (shop.claimed.has(`${definition.kind} ${identify(definition, seen, args)}`)) return false;
  const key = keyOf(definition, args);
  return key === undefined ? sameContent(definition, seen, args) : hasKey(seen, key);
}

// A list shows no bodies (interface.md, Assets): the object's own operation does. Undefined where it has gone since.
async function whole(
  definition: Definition,
  shop: Shop,
  seen: Values,
  args: Values,
): Promise<Values | undefined> {
  if (definition.body?.text === undefined) return seen;
  const read = await observe(definition, shop, identify(definition, seen, args));
  return typeof read === "object" ? read : undefined;
}

async function collect(
  definition: Definition,
  shop: Shop,
  given: Input,
  isIt: (seen: Values) => boolean,
): Promise<readonly Values[]> {
  const found: Values[] = [];
  for await (const seen of every(shop.transport, definition, given))
    if (isIt(seen as Values)) found.push(seen as Values);
  return found;
}

const ids = (found: readonly Values[]) => found.map(({ id }) => id).join(", ");

// The two clocks may differ, and the shop's stamps are whole seconds.
const toleranceMs = 120_000;

function isOlder(seen: Values, beganAt: number): boolean {
  return typeof seen.createdAt === "string" && Date.parse(seen.createdAt) < beganAt - toleranceMs;
}

function dayBefore(beganAt: number): string {
  return new Date(beganAt - 86_400_000).toISOString().slice(0, 10);
}

// What can't be read back (a file's body) can't be compared; the name at the end of an address can.
function sameContent(definition: Definition, seen: Values, args: Values): boolean {
  const readable = Object.keys(definition.fields).filter((name) => seen[name] !== undefined);
  const asked = Object.fromEntries(readable.map((name) => [name, args[name]]));
  if (
    differences(definition, seen, { ...asked, content: undefined, file: undefined, src: undefined }).length >
    0
  )
    return false;
  const name = args.filename ?? (args.file as { path?: string } | undefined)?.path ?? args.src;
  if (definition.body?.name === undefined || typeof name !== "string") return true;
  return String(seen.absoluteUrl ?? "").endsWith(`/${encodeURIComponent(name.split("/").at(-1) ?? "")}`);
}
