/**
 * Which shop an object of a state is of. An id means something in its own shop only, so the mark stands beside it in the
 * state, and goes where the object's state goes (docs/decisions/0020-which-shop-an-object-is-of.md).
 */
import type { Values } from "../wire/codec.ts";

export interface ShopMark {
  readonly url: string;
  /** The account's id, which stays when the address changes; undefined where it isn't known. */
  readonly account: string | undefined;
}

/** The output that holds it. */
const markKey = "__shop";

/** `https://my-shop.example#204331`. */
export const markText = ({ url, account }: ShopMark): string =>
  account === undefined ? url : `${url}#${account}`;

export function markOf(text: string): ShopMark {
  const [url = "", account] = text.split("#");
  return { url, account };
}

/** The mark of an object's state; undefined in a state of an older version. */
export const markIn = (values: Values): string | undefined =>
  typeof values[markKey] === "string" ? values[markKey] : undefined;

/** An object's values as the verbs know them. */
export function withoutMark({ [markKey]: _mark, ...values }: Values): Values {
  return values;
}

/** An object's values as a state keeps them. @param mark undefined where it isn't known */
export const withMark = (values: Values, mark: string | undefined): Values =>
  mark === undefined ? values : { ...values, [markKey]: mark };

/** A shop as a message names it. */
export const shopText = ({ url, account }: ShopMark): string =>
  account === undefined ? url : `${url} (account ${account})`;

/** Whether two marks are of one shop, be it at an address that it had before. */
export const isSameShop = (mark: ShopMark, here: ShopMark): boolean =>
  ["same", "moved"].includes(relationOf(mark, here));

/**
 * How the shop of an object is related to another one: the `same`, `moved` to another address, an `other` one, or
 * `unknown` where the address differs and an account isn't known.
 */
export function relationOf(mark: ShopMark, here: ShopMark): "same" | "moved" | "other" | "unknown" {
  const isKnown = mark.account !== undefined && here.account !== undefined;
  if (isKnown && mark.account !== here.account) return "other";
  if (mark.url === here.url) return "same";
  return isKnown ? "moved" : "unknown";
}
