/** What carrying out a plan costs in requests, known before it is done: a shop gives so many in its window. */

import { definitionOf } from "../resources/index.ts";
import type { Notice } from "../run/notices.ts";
import { listText } from "../run/reads.ts";
import type { PlannedReads } from "../settings/protocol.ts";

/** What a plan does, as the engine tells it. */
export interface Planned {
  readonly kind: string;
  readonly id: string | undefined;
  readonly work: "create" | "update" | "delete" | "adopt" | "replace";
  /** Of a replacement: another process deletes the old object, in which nobody has looked at it yet. */
  readonly isMoved?: boolean;
}

export interface Cost {
  /** Requests where nothing goes wrong. */
  readonly requests: number;
  /** How the objects of each list are looked at most cheaply, by `listText`. */
  readonly reads: Readonly<Record<string, PlannedReads>>;
}

type Looks = Extract<Notice, { type: "looks" }>;

/**
 * The cost of a plan, from its steps and from what the provider noticed while they were planned.
 * @param sought creates that were cut off: the run asks the shop once for each
 */
export function costOf(plan: readonly Planned[], notices: readonly Notice[], sought = 0): Cost {
  const sends = { adopts: new Map<string, number>(), changes: new Map<string, number>() };
  const looks = new Map<string, Looks>();
  const soughtLooks = new Map<string, Looks>();
  for (const notice of notices) {
    const { type } = notice;
    if (type === "looks") (notice.isSought ? soughtLooks : looks).set(`${notice.kind} ${notice.id}`, notice);
    else if (type === "adopts" || type === "changes")
      sends[type].set(`${notice.kind} ${notice.id}`, notice.sends);
  }
  const lookups = [...soughtLooks.values()];
  const others: Looks[] = [];
  let requests = sought + listsCost(notices) + asksCost(notices);
  for (const { kind, id, work, isMoved } of plan) {
    const definition = definitionOf(kind);
    const key = `${kind} ${id}`;
    if (definition === undefined) {
      // What has no object of its own is no request by itself: it has told what it sends to others.
      requests += (work === "adopt" ? sends.adopts : sends.changes).get(key) ?? 0;
      continue;
    }
    const look = looks.get(key);
    // The look at what a replacement would destroy is among those that are made whatever becomes of it.
    const isCounted = work === "replace" && soughtLooks.has(key);
    const again = isMoved ? (look ?? soughtLooks.get(key)) : undefined;
    if (again !== undefined) others.push(again);
    if (work !== "create" && work !== "adopt" && look !== undefined && !isCounted) lookups.push(look);
    // What is taken over under another name is compared with what the state knew of it, as any change is.
    if (work === "update") requests += sends.changes.get(key) ?? 0;
    if (work === "adopt") requests += sends.adopts.get(key) ?? 0;
    if (work === "create" || work === "replace") requests += definition.singleton === undefined ? 1 : 2;
    // What ends by an operation of its own is read first: only what is open can be ended.
    if (work === "delete" || work === "replace") requests += definition.ends === undefined ? 1 : 2;
  }
  const reads: Record<string, PlannedReads> = {};
  const byList = (all: readonly Looks[]) => Map.groupBy(all, (look) => listText(look.kind, look.above));
  for (const ones of byList(others).values()) requests += cheapestOf(ones).requests;
  for (const [list, ones] of byList(lookups)) {
    const cheapest = cheapestOf(ones);
    reads[list] = { pages: cheapest.pages, looks: ones.length };
    requests += cheapest.requests;
  }
  return { requests, reads };
}

/** How many pages from the first are best read for these, where each that they don't show is read by itself. */
function cheapestOf(looks: readonly Looks[]): { readonly pages: number; readonly requests: number } {
  const shown = looks.flatMap(({ page }) => page ?? []).toSorted((one, other) => one - other);
  const hasOwn = definitionOf(looks[0]?.kind ?? "")?.operations.get !== undefined;
  // What has no operation of its own is looked for on all pages up to its own.
  const singly = (page: number) => (hasOwn ? 1 : page);
  const own = looks.filter(({ page, inWhole }) => page === undefined && inWhole !== true).length;
  let requests = own + shown.reduce((sum, page) => sum + singly(page), 0);
  let cheapest = { pages: 0, requests };
  shown.forEach((page, index) => {
    requests -= singly(page);
    if (shown[index + 1] !== page && requests + page <= cheapest.requests)
      cheapest = { pages: page, requests: requests + page };
  });
  return cheapest;
}

/** Lists that are read whole: each once, however many look for something in it. */
function listsCost(notices: readonly Notice[]): number {
  const lists = notices.filter((notice) => notice.type === "lists");
  const once = new Map<string, number>();
  for (const { kind, above, pages } of lists) {
    const list = `${kind} ${above}`;
    // What isn't found is looked for once more: who asked before that was told of fewer.
    once.set(list, Math.max(pages, once.get(list) ?? 0));
  }
  const pages = [...once.values()].reduce((sum, count) => sum + count, 0);
  return lists.reduce((sum, { singles }) => sum + singles, pages);
}

/** What the program itself asks: each group of a shop once, however often it is asked. */
function asksCost(notices: readonly Notice[]): number {
  const asks = notices.filter((notice) => notice.type === "asks");
  const once = new Map(asks.map(({ shop, group, requests }) => [`${shop} ${group}`, requests]));
  return [...once.values()].reduce((sum, count) => sum + count, 0);
}
