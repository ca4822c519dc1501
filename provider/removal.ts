/** delete, derived from a definition: a DELETE, or the operation that ends what has none. */
import { call } from "./client/call.ts";
import { LostAnswerError, NotFoundError, RefusedError } from "./client/errors.ts";
import type { Definition, Operation } from "./define.ts";
import { where } from "./identity.ts";
import type { Shop } from "./lifecycle.ts";
import { observe } from "./observe.ts";

/** Ends an object; one that is gone already is a success. */
export async function remove(definition: Definition, shop: Shop, id: string): Promise<void> {
  try {
    await end(definition, shop, id);
  } catch (error) {
    // A missing object has been answered with 500, or 2xx and an error document (platform-facts.md, section 3).
    if (!(error instanceof LostAnswerError || error instanceof RefusedError)) throw error;
    if ((await observe(definition, shop, id)) === "gone") return;
    await end(definition, shop, id);
  }
}

async function end(definition: Definition, shop: Shop, id: string): Promise<void> {
  const { ends, operations } = definition;
  const place = where(definition, id);
  if (ends !== undefined) {
    const seen = await observe(definition, shop, id);
    if (typeof seen !== "object") return;
    const open = Object.entries(ends.when).every(([name, value]) => seen[name] === value);
    if (!open) return shop.say(`${definition.kind} ${id}: ${ends.otherwise}`);
    await call(shop.transport, definition, operations[ends.operation] as Operation, place);
    return;
  }
  const operation = operations.remove as Operation;
  try {
    await call(shop.transport, definition, operation, place);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (operation.unshown && (await observe(definition, shop, id)) !== "gone") {
      throw new Error(
        `can't delete ${definition.kind} ${id}: this shop doesn't offer it, and the object stays live. ` +
          "Remove it in the back office, then run refresh; or set retainOnDelete on the resource to leave it there",
        { cause: error },
      );
    }
  }
}
