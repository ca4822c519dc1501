/**
 * What a list had changed since a moment, whole or not at all. What such a list leaves out is taken for unchanged, so
 * that nothing here trusts more than platform-facts.md, section 4, has: `updated_since` is inclusive, the order is by
 * time of change, answers show seconds, and a page may be smaller than was asked for. `from_id` isn't needed.
 */
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";
import { call, type Input } from "./call.ts";
import { NotFoundError, UnreadableValueError, ValidationError } from "./errors.ts";
import type { Transport } from "./transport.ts";

export interface Delta {
  /** Milliseconds since 1970, by the shop's clock. */
  readonly since: number;
  /** Only what was deleted since. */
  readonly deleted?: true;
  /** Requests that may be spent; reading everything is cheaper beyond them. */
  readonly most: number;
}

/**
 * The objects of a list that changed, by id, each as it is now.
 * @param given what the list stands in, and objects on a page
 * @returns undefined where the list can't say: it needs too many requests, isn't in order, has more of one second than a
 *   page holds, or the shop doesn't offer it
 * @throws ShopError of the class that says what happened
 */
export async function changed(
  transport: Transport,
  definition: Definition,
  given: Input,
  { since, deleted, most }: Delta,
): Promise<ReadonlyMap<string, Values> | undefined> {
  const operation = definition.operations.list;
  if (operation?.changes === undefined) return undefined;
  const { stamp } = operation.changes;
  const found = new Map<string, Values>();
  let requests = 0;
  let longest = 0;
  const perPage = Math.min(Number(given.perPage ?? operation.perPage), 250);
  const page = async (from: number, number: number): Promise<readonly Values[]> => {
    requests += 1;
    const updatedSince = `${new Date(from).toISOString().slice(0, 19)}Z`;
    const input = { ...given, page: number, perPage, updatedSince, deleted: deleted === true };
    return listOf(await call(transport, definition, operation, input));
  };
  try {
    for (let from = seconds(since); requests < most; ) {
      const objects = await page(from, 1);
      const times = objects.map((object) => seconds(Date.parse(String(object[stamp]))));
      if (!times.every((time, index) => time >= (times[index - 1] ?? from))) return undefined;
      for (const object of objects) found.set(String(object.id), object);
      // A page that is shorter than another was not cut; of the first one the next page tells.
      if (objects.length === 0 || objects.length < longest) return found;
      const isCut = longest > 0 || objects.length >= perPage || (await page(from, 2)).length > 0;
      if (!isCut) return found;
      longest = objects.length;
      const last = times.at(-1) ?? from;
      // The last second may have more than the page showed: it is asked for again, and what is known comes again.
      if (last > from) from = last;
      else return requests < most && (await page(from, 2)).length === 0 ? found : undefined;
    }
    return undefined;
  } catch (error) {
    // Reading everything meets it too, and says so where it matters.
    const isItsOwn = [NotFoundError, ValidationError, UnreadableValueError].some(
      (kind) => error instanceof kind,
    );
    if (isItsOwn) return undefined;
    throw error;
  }
}

const seconds = (ms: number) => Math.floor(ms / 1000) * 1000;
