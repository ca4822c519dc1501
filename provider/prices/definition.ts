/** The arguments and outputs of a sheet of prices. It has no object of its own in the shop, and no operation. */
import { integer, localFile, resource, text } from "../definition/define.ts";

export { product } from "../resources/product.ts";

export const prices = resource({
  kind: "Prices",
  section: "Products",
  one: "prices",
  many: "prices",
  operations: {},
  fields: {
    /** The sheet: a path in the project's folder. */
    file: localFile(),
    /** The rows, a line each. */
    rows: text({ mode: "program" }),
    /** How many rows the sheet has. */
    count: integer({ mode: "derived" }),
    /** How many products have them. */
    products: integer({ mode: "derived" }),
    /** SHA-256 of the rows as text, lowercase hex; not set if the rows are secret. */
    digest: text({ mode: "derived" }),
  },
});
