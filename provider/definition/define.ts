/**
 * The vocabulary of definitions. A definition says of one kind what interface.md says of it: operations, names of
 * its documents, fields. Codec, check, diff, lifecycle, client and reference follow from it.
 */
export * from "./constructors.ts";
export type { Arguments, Read, Sent, ValuesOf } from "./definition.ts";
export { type Definition, resource } from "./definition.ts";
export * from "./field.ts";
export { fieldWithFormFor as statedBy, formsText, writtenFormsOf as naturalsOf } from "./field.ts";
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
