/** Limits for new stacks: without any, an empty price sheet would delete a live shop's catalogue. */
import { isOnThisMachine } from "../../provider/inventory/index.ts";

export interface FirstLimit {
  readonly key: string;
  readonly value: string;
  /** The comment above the setting in the stack's file. */
  readonly comment: string;
}

/**
 * The limit for a stack that gets its shop.
 * @param keys that its file has already
 * @returns undefined if it has a limit, or if the shop is on this machine, where nothing can be lost
 */
export function firstLimit(stack: string, url: string, keys: readonly string[]): FirstLimit | undefined {
  if (isOnThisMachine(url) || keys.includes("shop:protected") || keys.includes("shop:maxDeletes"))
    return undefined;
  if (/(^|[-_.])(live|prod|production)($|[-_.])/i.test(stack))
    return {
      key: "shop:protected",
      value: "true",
      comment: "Deleting, hiding and emptying objects is refused, unless you name them with --allow.",
    };
  return {
    key: "shop:maxDeletes",
    value: "10",
    comment: "A run that would delete more objects is refused, unless you name them with --allow.",
  };
}
