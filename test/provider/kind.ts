/** Kinds of nobody's shop: what a test says of their fields holds for every kind that has such. */
import type { Definition, Fields } from "../../provider/definition/define.ts";
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
