/** Where an object is: an address, and an account that stays when the address changes. Its id counts only there. */

/** The output that says it, for a provider that manages several places. */
export const placeKey = "__shop";

export interface Place {
  readonly url: string;
  /** The account's id, which stays the same when the address changes; undefined if unknown. */
  readonly account: string | undefined;
}

/** Parses `https://my-shop.example#204331`. */
export function parsePlace(text: string): Place {
  const [url = "", account] = text.split("#");
  return { url, account };
}

/** Whether two places are the same one, which may have moved. */
export const isSamePlace = (one: Place, other: Place): boolean =>
  ["same", "moved"].includes(relationOf(one, other));

/**
 * Compares two places: the `same`, one that `moved` to another address, an `other` one, or `unknown` if the addresses
 * differ and an account is missing.
 */
export function relationOf(mark: Place, here: Place): "same" | "moved" | "other" | "unknown" {
  const isKnown = mark.account !== undefined && here.account !== undefined;
  if (isKnown && mark.account !== here.account) return "other";
  if (mark.url === here.url) return "same";
  return isKnown ? "moved" : "unknown";
}
