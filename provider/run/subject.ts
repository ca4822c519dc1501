/** What a verb is about, as far as it is known: what travels together has one name. */
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { objectKey, resourceOf, type Shop } from "./context.ts";

export interface OfKind {
  readonly definition: Definition;
  readonly shop: Shop;
}

export interface Named extends OfKind {
  readonly id: string;
}

/** An object as the state knows it. */
export interface Known extends Named {
  readonly olds: Values;
}

/** An object as the state knows it, and as the program asks for it. */
export interface Subject extends Known {
  readonly args: Values;
}

/** The same, and as the shop has it now. */
export interface Looked extends Subject {
  readonly seen: Values;
}

export const keyIn = ({ definition, id }: Pick<Named, "definition" | "id">): string =>
  objectKey(definition.kind, id);

export const resourceIn = ({ definition, args }: Pick<Subject, "definition" | "args">): string =>
  resourceOf(definition.kind, args);

/** A refresh asks how the arguments before it differ: it keeps, sends, renames and replaces nothing, so there is nothing to tell or refuse. */
export const isOfRefresh = (subject: Subject): boolean =>
  subject.shop.memory.refreshed.has(keyIn(subject)) && !subject.shop.memory.known.has(resourceIn(subject));
