/**
 * Everything that defines a kind. A definition has the kind's fields, operations and document names, as interface.md shows
 * them. Codec, check, diff, lifecycle, client and reference are derived from it.
 */
export * from "./constructors.ts";
export type { Arguments, Read, Sent, ValuesOf } from "./definition.ts";
export { type Definition, resource } from "./definition.ts";
export * from "./field.ts";
export {
  act,
  create,
  edit,
  get,
  listing,
  namesIn,
  type Operation,
  operationOf,
  remove,
} from "./operation.ts";
