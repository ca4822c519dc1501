/** A document as structure: names, texts, attributes, order of equals. */

/** A text, or an element with children; every child is a list, so that one and many look the same. */
export type Wire = string | WireElement;

/** Children by hyphenated name; `@type` and `@nil` are attributes, `#text` is the text beside children. */
export interface WireElement {
  readonly [name: string]: string | readonly Wire[];
}

export interface Document {
  readonly root: string;
  readonly value: Wire;
}

/** A document that can't be read: what is wrong with it, in words for the error that names the request. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
}
