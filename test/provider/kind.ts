/** Kinds of nobody's shop: what a test says of their fields holds for every kind that has such. */
import {
  boolean,
  create,
  type Definition,
  date,
  decimal,
  edit,
  type Fields,
  get,
  listing,
  oneOfNumbers,
  remove,
} from "../../provider/definition/define.ts";
import { resource } from "../../provider/definition/definition.ts";

/** A kind with these fields. @param more of its definition */
export const kindOf = (kind: string, fields: Fields, more: Partial<Definition> = {}): Definition => {
  const one = kind.toLowerCase();
  return resource({
    kind,
    section: "-",
    one,
    many: `${one}s`,
    operations: {},
    ...more,
    fields,
  }) as Definition;
};

/** A body that is shown as `content`, and served `at` an address. */
export const shownBody = { text: "content", bytes: "attachment", address: "at" } as const;

/** An offer that takes something off: a percentage of an order, or a sum from the least order that it is given for. */
export const offer = kindOf("Offer", {
  off: decimal({ role: "discount" }),
  unit: oneOfNumbers({ 1: "percent", 2: "money" }, { role: "unit", percent: 1 } as never),
  least: decimal({ role: "smallest-order" }),
  closed: boolean({ role: "hides" }),
  from: date({ role: "starts" } as never),
  until: date({ role: "ends" } as never),
});

/** The operations of a kind that can be all: made, listed, read, changed, deleted. */
export const wares = {
  list: listing("/wares.json"),
  get: get("/wares/{id}.json"),
  create: create("/wares.json"),
  edit: edit("/wares/{id}.json"),
  remove: remove("/wares/{id}.json"),
};

/** The same kind in a shop that may not let its objects be read. */
export function hiddenOf(definition: Definition): Definition {
  const { list, get: one } = definition.operations;
  const hidden = {
    ...(list && { list: { ...list, undocumented: true as const } }),
    ...(one && { get: { ...one, undocumented: true as const } }),
  };
  return { ...definition, operations: { ...definition.operations, ...hidden } };
}
