/** Estimates the maximum number of requests of a plan. */

import { ownId } from "../change/identity.ts";
import type { Notice, StepRead } from "../context/notices.ts";
import { listText } from "../context/reads.ts";
import type { Definition } from "../definition/define.ts";
import { isReadAlone } from "../lifecycle/observe.ts";
import { definitionOf } from "../resources/index.ts";
import type { PlannedReads } from "../settings/protocol.ts";

export interface PlannedStep {
  /** The URN of the provider that the program gives it; undefined for the default one. */
  readonly provider?: string | undefined;
  readonly kind: string;
  readonly id: string | undefined;
  readonly work: "create" | "update" | "delete" | "adopt" | "replace";
}

export interface Cost {
  /** Number of requests if none fails; never too low, and hardly too high. */
  readonly requests: number;
  /** The cheapest way to read the objects of each list, by `listText`. */
  readonly reads: Readonly<Record<string, PlannedReads>>;
}

type NoticeOf<Type extends Notice["type"]> = Extract<Notice, { type: Type }>;

/**
 * Computes the cost from the plan's steps and the provider's notices during the preview.
 * @param sought number of interrupted creates: the run searches for each once
 */
export function costOf(plan: readonly PlannedStep[], notices: readonly Notice[], sought = 0): Cost {
  const all = <Type extends Notice["type"]>(type: Type) =>
    notices.filter((notice): notice is NoticeOf<Type> => notice.type === type);
  const adopts = new Map(all("adopts").map((one) => [keyOf(one), one]));
  const changes = new Map(all("changes").map((one) => [`${keyOf(one)} ${one.ends === true}`, one]));
  let requests = sought;
  // Resources may have reported different numbers of pages for the same list.
  requests += sumOf(highest(all("lists").map((list) => [listText(list), pagesRead(list, plan)])));
  requests += sumOf(all("lists").map(({ singles }) => singles));
  requests += sumOf(highest(all("asks").map((ask) => [`${ask.by} ${ask.shop} ${ask.group}`, ask.requests])));
  const read = new Set<string>();
  const ended = new Set<string>();
  for (const step of plan) {
    const { kind, work } = step;
    const definition = definitionOf(kind);
    const key = keyOf(step);
    // An adopted object with another name is compared with the state, like any change.
    if (work === "adopt") requests += adopts.get(key)?.sends ?? 0;
    // A resource without an object (a price sheet) has reported its requests itself.
    else if (work === "update" || definition === undefined)
      requests += changes.get(`${key} ${work === "delete"}`)?.sends ?? 0;
    if (definition === undefined) continue;
    if (work !== "create" && work !== "adopt") read.add(key);
    if (work === "delete") ended.add(key);
    // The provider that the object had deletes it, which may be another one than its resource has now.
    if (work === "replace") ended.add(keyOf({ ...step, provider: anyProvider }));
    if (work === "create" || work === "replace") requests += definition.singleton === undefined ? 1 : 2;
    // An operation that ends an object reads it first.
    if (work === "delete" || work === "replace") requests += definition.cancel === undefined ? 1 : 2;
  }
  const isEnded = (look: NoticeOf<"looks">) =>
    ended.has(keyOf(look)) || ended.has(keyOf({ ...look, provider: anyProvider }));
  const isCounted = (look: NoticeOf<"looks">) =>
    isAlone(look.before) ||
    look.before === "replace" ||
    (look.before === "delete" ? isEnded(look) : read.has(keyOf(look)));
  // The other reads in a process serve all steps of their object.
  const looks = new Map(
    all("looks")
      .filter(isCounted)
      .map((look) => [`${look.by} ${keyOf(look)} ${isAlone(look.before) ? look.of : ""}`, look]),
  );
  const pageOf = new Map(
    all("shows").flatMap(({ ids, page, ...list }) =>
      ids.map((id) => [`${keyOf({ ...list, id })} ${list.above}`, page]),
    ),
  );
  const pageFor = (definition: Definition | undefined, look: NoticeOf<"looks">) =>
    definition === undefined || isReadAlone(definition)
      ? undefined
      : pageOf.get(`${keyOf({ ...look, id: ownId(look.id) })} ${look.above}`);
  const reads: Record<string, PlannedReads> = {};
  // A list that is read as a whole needs no other reads.
  for (const list of all("lists")) reads[listText(list)] = { pages: 0, looks: 0 };
  for (const [list, ones] of Map.groupBy(looks.values(), listText)) {
    const definition = definitionOf(ones[0]?.kind ?? "");
    const pages = ones.map((look) => pageFor(definition, look));
    const cheapest = cheapestOf(definition?.operations.get !== undefined, pages);
    requests += cheapest.requests;
    reads[list] = { pages: cheapest.pages, looks: ones.length };
  }
  return { requests, reads };
}

/** Stands for whichever provider has an object. */
const anyProvider = "*";

/** An object of a shop: two shops may each have one with an id. */
const keyOf = ({ provider = "", kind, id }: Pick<PlannedStep, "provider" | "kind" | "id">) =>
  `${provider} ${kind} ${id}`;

/** Whether each resource reads for itself: a create that adopts an object, a get or an import. */
const isAlone = (before: StepRead) => before === "create" || before === "get";

/** The pages of a list that the run may read with what the plan creates before. The last page is empty. */
function pagesRead(list: NoticeOf<"lists">, plan: readonly PlannedStep[]): number {
  const { kind, provider, pages, objects, isForCreate = false } = list;
  const isIn = (one: PlannedStep) => one.kind === kind && one.provider === provider;
  const creates = plan.filter((one) => isIn(one) && one.work === "create").length;
  const created = Math.max(0, creates - (isForCreate ? 1 : 0));
  const most = definitionOf(kind)?.operations.list?.perPage ?? Number.POSITIVE_INFINITY;
  // The pages of a shop may be smaller than asked: that shows from the second on.
  const perPage = pages > 2 ? Math.min(most, Math.ceil(objects / (pages - 1))) : most;
  return pages + Math.ceil((objects + created) / perPage) - Math.ceil(objects / perPage);
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, one) => sum + one, 0);

function highest(all: readonly (readonly [key: string, cost: number])[]): Iterable<number> {
  const once = new Map<string, number>();
  for (const [key, cost] of all) once.set(key, Math.max(cost, once.get(key) ?? 0));
  return once.values();
}

/**
 * The number of pages to read if all other objects are read one by one.
 * @param hasGet whether the kind has an operation to read one object
 * @param pagesOf the page of each object, if known
 */
function cheapestOf(hasGet: boolean, pagesOf: readonly (number | undefined)[]) {
  const shown = pagesOf.filter((page) => page !== undefined).toSorted((one, other) => one - other);
  // Without an operation to read one object, all pages up to its own are read.
  const singly = (page: number) => (hasGet ? 1 : page);
  let requests = pagesOf.length - shown.length + shown.reduce((sum, page) => sum + singly(page), 0);
  let cheapest = { pages: 0, requests };
  shown.forEach((page, index) => {
    requests -= singly(page);
    if (shown[index + 1] !== page && requests + page <= cheapest.requests)
      cheapest = { pages: page, requests: requests + page };
  });
  return cheapest;
}
