/** Compares the shop with the state and with the messages, after a crash and the next step. */

import type { Options, Ran, Resource } from "./house/types.ts";
import type { House } from "./house.ts";

export interface Verdict {
  /** Objects in the state that the shop doesn't have. */
  readonly lost: readonly string[];
  /** Objects in the shop beside one of the same kind and name in the state. */
  readonly doubled: readonly string[];
  /** Objects in the shop that no state has and no message named. */
  readonly orphaned: readonly string[];
  /** Why the stack doesn't converge. */
  readonly stuck: readonly string[];
  /** Objects that no state has and that the last run named. */
  readonly named: number;
  /** The steps that an error asked for and that were done: `--resend NAME`, `refresh`. */
  readonly asked: number;
}

const tables: Readonly<Record<string, string>> = {
  Product: "product",
  Coupon: "discount_code",
  PriceKind: "price_kind",
  File: "file",
  JsTag: "js_tag",
  Asset: "asset",
  ApplicationCharge: "application_charge",
  RecurringCharge: "recurring_charge",
};

interface Live {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

// A declined charge stays in the shop's books.
const isLive = (kind: string, status: unknown) => kind !== "ApplicationCharge" || status === "pending";

function objects(
  house: House,
  furnished: ReadonlySet<string>,
): readonly (Live & { readonly isLive: boolean })[] {
  return Object.entries(tables).flatMap(([kind, table]) =>
    house
      .rows(table)
      .filter(({ id }) => !furnished.has(`${table} ${id}`))
      .map((row) => ({
        kind,
        isLive: isLive(kind, row.status),
        id: String(row.id),
        name:
          String(row.code ?? row.title ?? row.name ?? row.absolute_url ?? row.content ?? "")
            .split("/")
            .at(-1) ?? "",
      })),
  );
}

/** Repeats the next step until nothing is left to do, at most three times, and compares. */
export async function judge(
  house: House,
  furnished: ReadonlySet<string>,
  program: readonly Resource[],
  run: (options: Options) => Promise<Ran>,
): Promise<Verdict> {
  const resent = new Set<string>();
  const stuck: string[] = [];
  let asked = 0;
  let last: Ran | undefined;
  for (let count = 0; count < 4; count += 1) {
    last = await run({ env: { SHOP_RESEND: [...resent].join(",") } });
    const told = last.result?.failures.map(({ message }) => message) ?? [last.error?.message ?? "no result"];
    const wanted = told.flatMap((message) => /--resend (\w+)/.exec(message)?.[1] ?? []);
    for (const name of wanted) resent.add(name);
    const isOutdated = told.some((message) => /Run refresh to take the shop's values/.test(message));
    if (isOutdated) await house.refresh();
    asked += wanted.length + (isOutdated ? 1 : 0);
    if (/the command unlock/.test(last.error?.message ?? "")) unlock(house);
    if (last.result?.outcome === "succeeded" && last.steps.length === 0) break;
  }
  const text = [...(last?.said ?? []), ...(last?.result?.failures ?? []).map(({ message }) => message)].join(
    "\n",
  );
  const state = house
    .state()
    .map(({ type, id }) => ({ kind: type.split(":").at(-1) ?? "", id: String(id).split("/").at(-1) }));
  const shop = objects(house, furnished);
  const has = (
    list: readonly { kind: string; id: string | undefined }[],
    one: { kind: string; id: string | undefined },
  ) => list.some(({ kind, id }) => kind === one.kind && (id === one.id || kind === "RecurringCharge"));
  const beside = shop.filter((one) => one.isLive && !has(state, one));
  // A kind with one object per shop is identified by the kind alone.
  const isNamed = ({ kind, id }: Live) =>
    new RegExp(kind === "RecurringCharge" ? kind : `\\b${id}\\b`).test(text);
  const unknown = beside.filter((one) => !isNamed(one));
  const isTwin = ({ kind, name, id }: Live) =>
    shop.some((other) => other.kind === kind && other.name === name && other.id !== id);
  const show = ({ kind, id, name }: Live) => `${kind} ${id} ${name}`;
  if (last?.result?.outcome !== "succeeded" || last.steps.length > 0) {
    const why = last?.error?.message ?? last?.result?.failures.map(({ message }) => message).join("; ");
    // A run that names objects for the user to decide is no dead end.
    if (beside.length === 0 || unknown.length > 0 || last?.result === undefined)
      stuck.push(`${why ?? ""} ${last?.steps.join(", ")}`);
  }
  if (state.length !== program.length)
    stuck.push(`${state.length} in the state, ${program.length} in the program`);
  return {
    lost: state.filter((one) => !has(shop, one)).map(({ kind, id }) => `${kind} ${id}`),
    doubled: unknown.filter(isTwin).map(show),
    orphaned: unknown.filter((one) => !isTwin(one)).map(show),
    stuck,
    named: beside.length - unknown.length,
    asked,
  };
}

function unlock(house: House): void {
  for (const path of house.disk().paths()) if (path.includes("/locks/")) house.disk().files.remove(path);
}
