/** Finds the variants that a sheet names by their key, and says of the others how they are mistyped. */
import { nearest } from "../../engine/common/nearest.ts";
import { asLists } from "../change/keyed-lists.ts";
import type { Shop } from "../context/context.ts";
import type { SeenAt } from "../context/lists.ts";
import { keyedPlace } from "../context/value-owners.ts";
import { underPlannedKeys } from "../lifecycle/object-change.ts";
import { objectKey } from "../names/owner.ts";
import type { Values } from "../wire/codec.ts";
import { listOf } from "../wire/values.ts";
import { product } from "./definition.ts";
import type { Key } from "./rows.ts";
import { variantsIn } from "./work.ts";

/** What a key means in the shop. */
export interface Found {
  readonly product: string;
  readonly variant: string;
  /** The variant as the list has it. */
  readonly seen: Values;
}

export interface Unfound {
  readonly key: string;
  /** How many variants have it: none, or several. */
  readonly count: number;
  readonly why: string;
  /** The resource of the program that states a variant of this key, which the shop doesn't have yet: `Product mug`. */
  readonly maker?: string;
}

/**
 * Finds variants by their key in the whole list of products; what was read serves the run for a minute.
 * @param made those that the program makes according to the plan, whose resources it may not have registered yet
 */
export async function findVariants(
  shop: Shop,
  key: Key,
  wanted: readonly string[],
  made: ReadonlySet<string> = new Set(),
) {
  const found = new Map<string, Found>();
  const unfound: Unfound[] = [];
  if (wanted.length === 0) return { found, unfound };
  const sought = wanted.filter((name) => !made.has(name));
  const { products, pages } = await productsWith(shop, key, sought);
  const all = new Map<string, (SeenAt & { readonly found: Found })[]>();
  for (const { seen, at } of products)
    for (const variant of variantsOf(shop, seen)) {
      const name = variant[key];
      if (typeof name !== "string" || name === "") continue;
      const one = {
        found: { product: String(seen.id), variant: String(variant.id), seen: variant },
        seen,
        at,
      };
      all.set(name, [...(all.get(name) ?? []), one]);
    }
  const names = [...all.keys()];
  let seenKeys: ReadonlyMap<string, string> | undefined;
  for (const name of wanted) {
    const [only, ...others] = all.get(name) ?? [];
    if (only === undefined) {
      seenKeys ??= new Map(names.map((one) => [plainKey(one), one]));
      const near =
        seenKeys.get(plainKey(name)) ??
        nearest(
          name,
          names.filter((one) => Math.abs(one.length - name.length) < 3),
        );
      const meant = near === undefined ? "" : `, did you mean ${near}${alikeText(name, near)}?`;
      const changed = changedText(name);
      unfound.push({
        key: name,
        count: 0,
        why: `no variant has this ${key}${changed === "" ? meant : `: the spreadsheet ${changed}; format the column as text, and type it again`}`,
        ...(makerOf(shop, key, name) ?? (made.has(name) && { maker: "another resource" })),
      });
    } else if (others.length > 0) {
      const titles = [only, ...others].map(({ seen }) => `${seen.title} (Product ${seen.id})`);
      unfound.push({
        key: name,
        count: titles.length,
        why: `${titles.length} variants have this ${key}: ${titles.join(", ")}`,
      });
    } else {
      found.set(name, only.found);
      const looked = objectKey(product.kind, only.found.product);
      if (!shop.memory.recentReads.has(looked))
        shop.memory.recentReads.set(looked, { seen: only.seen, at: only.at, mostAgeMs: 60_000 });
    }
  }
  shop.notice({
    type: "lists",
    kind: product.kind,
    above: "{}",
    pages,
    objects: products.length,
    singles: 0,
  });
  return { found, unfound };
}

const variantsOf = (shop: Shop, seen: Values) =>
  variantsIn(underPlannedKeys({ definition: product, shop, id: String(seen.id) }, seen));

/** The products with the variants of these keys, as the shop showed them, and how many pages were read. */
async function productsWith(shop: Shop, key: Key, wanted: readonly string[]) {
  const first = await shop.reads.all(product, {});
  const there = new Set(
    first.objects.flatMap((seen) => variantsOf(shop, seen).map((variant) => variant[key])),
  );
  // What is deleted while a list is read moves what is behind it to a page that was read before.
  const lacksAny = wanted.some((name) => !there.has(name) && !isMadeByRun(shop, key, name));
  const list = lacksAny ? await shop.reads.again(product, {}) : first;
  // What the run itself has written since.
  const all = [...list.objects.map((seen) => ({ seen, at: list.at })), ...shop.reads.answers(product, {})];
  const products = new Map(all.map((one) => [String(one.seen.id), one]));
  return { products: [...products.values()], pages: list.pages };
}

/** The resources that make variants which a sheet names. */
export const makersOf = (unfound: readonly Unfound[]): ReadonlySet<string> =>
  new Set(unfound.flatMap(({ maker }) => maker ?? []));

const ownerOfKey = (shop: Shop, key: Key, name: string) =>
  shop.memory.valueOwners.of(keyedPlace(key, name, key));

function makerOf(shop: Shop, key: Key, name: string): Pick<Unfound, "maker"> | undefined {
  const by = ownerOfKey(shop, key, name);
  return by && { maker: by.resource };
}

/** Whether the run makes the variant. Of a resource whose state isn't at hand, it isn't known. */
function isMadeByRun(shop: Shop, key: Key, name: string): boolean {
  const by = ownerOfKey(shop, key, name);
  if (by === undefined) return false;
  if (!shop.memory.inState.has(`${product.kind} ${by.of}`)) return true;
  const { variants } = asLists(product, shop.notes.heldBy(String(by.of))?.outputs ?? {});
  return Array.isArray(variants) && !listOf(variants).some((variant) => variant[key] === name);
}

/** Which letters of a key only look like those of the one that is meant, or can't be seen. */
function alikeText(name: string, near: string): string {
  if (plainKey(name) === plainKey(near)) {
    if (/^0+/.exec(name)?.[0] !== /^0+/.exec(near)?.[0])
      return " (a spreadsheet drops zeros in front unless the column is formatted as text)";
    const odd = [name, near].map((own) => [...new Set(own)].filter((one) => /[^ -~]/.test(one)));
    const [inRow = [], inShop = []] = odd.map((own, at) => own.filter((one) => !odd[1 - at]?.includes(one)));
    const all = inRow.length > 0 ? inRow : inShop;
    const codes = all.map(
      (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
    );
    return codes.length === 0
      ? ""
      : ` (${inRow.length > 0 ? "this row" : "the shop"} has ${codes.join(", ")} in it)`;
  }
  const cyrillic = /\p{Script=Cyrillic}/gu;
  const letters = [...new Set(name.match(cyrillic))];
  if (letters.length === 0 || near.match(cyrillic) !== null) return "";
  return ` (${letters.join(", ")} in this row ${letters.length > 1 ? "are Cyrillic letters" : "is a Cyrillic letter"})`;
}

/** A key as a person, or a spreadsheet, sees it. */
const plainKey = (key: string) =>
  key
    // ="007" is how exports keep zeros in a CSV file.
    .replace(/^="(.*)"$/s, "$1")
    .replace(/^0+(?=\d)/, "")
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();

/** What a spreadsheet made of a key; empty if it probably left it as it was. */
function changedText(key: string): string {
  // 4600000000001 as it is shown.
  if (/^\d[.,]\d+E\+\d+$/i.test(key)) return "shortened it";
  // 3/4 and 12:30, in a CSV file and in a workbook.
  const isTime = /^(\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}:\d{2}:\d{2}( [AP]M)?|\d{4}-\d\d-\d\dT.*)$/;
  return isTime.test(key) ? "took it for a date or a time" : "";
}
