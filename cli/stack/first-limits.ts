/** The limits that a stack begins with: a live shop without any loses its catalogue to an empty sheet. */
import { isOnThisMachine } from "../../provider/inventory/index.ts";

export interface FirstLimit {
  readonly key: string;
  readonly value: string;
  /** What the stack's file says above it. */
  readonly comment: string;
}

/**
 * The limit for a stack that gets its shop.
 * @param keys that its file has
 * @returns undefined where it has one already, or where the shop is on this machine: nothing can be lost there
 */
export function firstLimit(stack: string, url: string, keys: readonly string[]): FirstLimit | undefined {
  if (isOnThisMachine(url) || keys.includes("shop:protected") || keys.includes("shop:maxDeletes"))
    return undefined;
  if (/(^|[-_.])(live|prod|production)($|[-_.])/i.test(stack))
    return {
      key: "shop:protected",
      value: "true",
      comment: "Nothing is deleted, hidden from shoppers or emptied, unless a person names it with --allow.",
    };
  return {
    key: "shop:maxDeletes",
    value: "10",
    comment: "A run that would delete more than this is refused, unless a person names them with --allow.",
  };
}
