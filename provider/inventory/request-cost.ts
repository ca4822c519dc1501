/** What carrying out a plan costs in requests at most, known before it is done: a shop gives so many in its window. */

import { definitionOf } from "../resources/index.ts";
import type { Notice } from "../run/notices.ts";
import { listText } from "../run/reads.ts";
import type { PlannedReads } from "../settings/protocol.ts";
import { ownId } from "../values/identity.ts";

/** What a plan does, as the engine tells it. */
export interface PlannedStep {
  readonly kind: string;
  readonly id: string | undefined;
  readonly work: "create" | "update" | "delete" | "adopt" | "replace";
  /** Of a replacement: another process deletes the old object, in which nobody has looked at it yet. */
  readonly isMoved?: boolean;
}

export interface Cost {
  /** Requests where nothing goes wrong: never more, and hardly less. */
  readonly requests: number;
  /** How the objects of each list are looked at most cheaply, by `listText`. */
  readonly reads: Readonly<Record<string, PlannedReads>>;
}

type NoticeOf<Type extends Notice["type"]> = Extract<Notice, { type: Type }>;

/**
 * The cost of a plan, from its steps and from what the provider noticed while they were planned.
 * @param sought creates that were cut off: the run asks the shop once for each
 */
export function costOf(plan: readonly PlannedStep[], notices: readonly Notice[], sought = 0): Cost {
  const all = <Type extends Notice["type"]>(type: Type) =>
    notices.filter((notice): notice is NoticeOf<Type> => notice.type === type);
  const byObject = <One extends { kind: string; id: string }>(ones: readonly One[]) =>
    new Map(ones.map((one) => [`${one.kind} ${one.id}`, one]));
  const adopts = byObject(all("adopts"));
  const changes = byObject(all("changes"));
  const looks = byObject(all("looks").filter(({ isSought }) => isSought !== true));
  // The look at what a replacement would destroy is among those that are made whatever becomes of it.
  const soughtLooks = byObject(all("looks").filter(({ isSought }) => isSought));
  const made = [...soughtLooks.values()];
  let requests = sought;
  // Who asked for a list first was told of fewer pages than who didn't find what it looked for.
  requests += sumOf(highest(all("lists").map((list) => [listText(list), list.pages])));
  requests += sumOf(all("lists").map(({ singles }) => singles));
  requests += sumOf(highest(all("asks").map((ask) => [`${ask.by} ${ask.shop} ${ask.group}`, ask.requests])));
  for (const { kind, id, work, isMoved } of plan) {
    const definition = definitionOf(kind);
    const key = `${kind} ${id}`;
    // What is taken over under another name is compared with what the state knew of it, as any change is.
    if (work === "adopt") requests += adopts.get(key)?.sends ?? 0;
    // What has no object of its own is no request by itself: it has told what it sends to others.
    else if (work === "update" || definition === undefined) requests += changes.get(key)?.sends ?? 0;
    if (definition === undefined) continue;
    const look = looks.get(key);
    const again = isMoved ? (look ?? soughtLooks.get(key)) : undefined;
    if (again !== undefined) made.push({ ...again, by: again.by === "plugin" ? "host" : "plugin" });
    const isCounted = work === "create" || work === "adopt" || (work === "replace" && soughtLooks.has(key));
    if (look !== undefined && !isCounted) made.push(look);
    if (work === "create" || work === "replace") requests += definition.singleton === undefined ? 1 : 2;
    // What ends by an operation of its own is read first: only what is open can be ended.
    if (work === "delete" || work === "replace") requests += definition.cancel === undefined ? 1 : 2;
  }
  const pageOf = new Map(
    all("shows").flatMap(({ kind, above, page, ids }) => ids.map((id) => [`${kind} ${above} ${id}`, page])),
  );
  const pageFor = ({ kind, above, id, isAlone }: (typeof made)[number]) =>
    isAlone ? undefined : pageOf.get(`${kind} ${above} ${ownId(id)}`);
  const reads: Record<string, PlannedReads> = {};
  // What is read whole is not read page by page before.
  for (const list of all("lists")) reads[listText(list)] = { pages: 0, looks: 0 };
  for (const [list, ones] of Map.groupBy(made, listText)) {
    const cheapest = cheapestOf(ones[0]?.kind ?? "", ones.map(pageFor));
    requests += cheapest.requests;
    reads[list] = { pages: cheapest.pages, looks: ones.length };
  }
  return { requests, reads };
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, one) => sum + one, 0);

function highest(all: readonly (readonly [key: string, cost: number])[]): Iterable<number> {
  const once = new Map<string, number>();
  for (const [key, cost] of all) once.set(key, Math.max(cost, once.get(key) ?? 0));
  return once.values();
}

/**
 * How many pages from the first are best read, where each object that they don't show is read by itself.
 * @param pagesOf the page of each object that is looked at, where it is known
 */
function cheapestOf(kind: string, pagesOf: readonly (number | undefined)[]) {
  const shown = pagesOf.filter((page) => page !== undefined).toSorted((one, other) => one - other);
  const hasOwn = definitionOf(kind)?.operations.get !== undefined;
  // What has no operation of its own is looked for on all pages up to its own.
  const singly = (page: number) => (hasOwn ? 1 : page);
  let requests = pagesOf.length - shown.length + shown.reduce((sum, page) => sum + singly(page), 0);
  let cheapest = { pages: 0, requests };
  shown.forEach((page, index) => {
    requests -= singly(page);
    if (shown[index + 1] !== page && requests + page <= cheapest.requests)
      cheapest = { pages: page, requests: requests + page };
  });
  return cheapest;
}
