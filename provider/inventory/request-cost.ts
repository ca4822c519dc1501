/** What carrying out a plan costs in requests, known before it is done: a shop gives so many in its window. */

import { definitionOf } from "../resources/index.ts";
import type { Notice } from "../run/notices.ts";
import type { Mode } from "../run/reads.ts";

/** What a plan does, as the engine tells it. */
export interface Planned {
  readonly kind: string;
  readonly id: string | undefined;
  readonly work: "create" | "update" | "delete" | "adopt" | "replace";
}

export interface Cost {
  /** Requests where nothing goes wrong. */
  readonly requests: number;
  /** How the objects of each kind are looked at most cheaply. */
  readonly reads: Readonly<Record<string, Mode>>;
}

/**
 * The cost of a plan, from its steps and from what the provider noticed while they were planned.
 * @param sought creates that were cut off: the run asks the shop once for each
 */
export function costOf(plan: readonly Planned[], notices: readonly Notice[], sought = 0): Cost {
  const sends = new Map<string, number>();
  const looks = new Map<string, Extract<Notice, { type: "looks" }>>();
  for (const notice of notices) {
    const key = `${notice.kind} ${notice.id}`;
    if (notice.type === "looks") looks.set(key, notice);
    else if (notice.type !== "sees") sends.set(key, notice.sends);
  }
  const lookups: Extract<Notice, { type: "looks" }>[] = [];
  const adopted = new Map<string, number>();
  let requests = sought;
  for (const { kind, id, work } of plan) {
    const definition = definitionOf(kind);
    if (definition === undefined) continue;
    const key = `${kind} ${id}`;
    const look = looks.get(key);
    if (work === "adopt") adopted.set(kind, (adopted.get(kind) ?? 0) + 1);
    else if (work !== "create" && look !== undefined) lookups.push(look);
    if (work === "update" || work === "adopt") requests += sends.get(key) ?? 0;
    if (work === "create" || work === "replace") requests += definition.singleton === undefined ? 1 : 2;
    // What ends by an operation of its own is read first: only what is open can be ended.
    if (work === "delete" || work === "replace") requests += definition.ends === undefined ? 1 : 2;
  }
  const reads: Record<string, Mode> = {};
  for (const [kind, ones] of Map.groupBy(lookups, (look) => look.kind)) {
    const pages = pagesOf(ones);
    reads[kind] = pages !== undefined && pages <= ones.length ? "pages" : "singles";
    requests += reads[kind] === "pages" ? (pages as number) : ones.length;
  }
  for (const [kind, count] of adopted) requests += adoptionReads(kind, count);
  return { requests, reads };
}

/** The pages that show all of these; undefined where one of them was on none. */
function pagesOf(looks: readonly Extract<Notice, { type: "looks" }>[]): number | undefined {
  let sum = 0;
  for (const [, ones] of Map.groupBy(looks, ({ above }) => above)) {
    if (ones.some(({ page }) => page === undefined)) return undefined;
    sum += Math.max(...ones.map(({ page }) => page ?? 0));
  }
  return sum;
}

/** Where lists show objects whole, taking many over costs pages. */
function adoptionReads(kind: string, count: number): number {
  const definition = definitionOf(kind);
  const list = definition?.operations.list;
  if (definition === undefined || list === undefined || definition.body?.text !== undefined) return count;
  return Math.min(count, Math.ceil(count / (list.perPage ?? Number.POSITIVE_INFINITY)) || 1);
}
