/** The whole definition of one kind: what interface.md says of it, as a value. */
import type { Field, Fields, Mode } from "./field.ts";
import type { Operation } from "./operation.ts";

/** How a body travels: text under one request key, bytes (base64) under another, its name under a third. */
interface Body {
  readonly text?: string;
  readonly bytes: string;
  readonly name?: string;
  /** The output that holds the address from which the shop serves it. */
  readonly address: string;
  /** It is a source of a theme, with its `type` and `name`: checked before shoppers see it. */
  readonly theme?: true;
}

/** Arguments by name. */
type Given = Readonly<Record<string, unknown>>;

/** The whole definition of one kind. */
export interface Definition<
  F extends Fields = Fields,
  O extends Readonly<Record<string, Operation>> = Readonly<Record<string, Operation>>,
> {
  /** The class a program uses. */
  readonly kind: string;
  /** What a shop manager calls one, where it isn't the kind's name in words. */
  readonly displayName?: string;
  /** The page of one in the back office, where staff edit it. */
  readonly backOfficePath?: string;
  /** The section of interface.md that this definition states. */
  readonly section: string;
  /** Root of one in an answer, root of one in a request, root of many. */
  readonly one: string;
  readonly sent: string;
  readonly many: string;
  /** Other roots that an answer may have. */
  readonly alsoOne?: readonly string[];
  readonly operations: O;
  readonly fields: F;
  /** Natural keys, the first whose fields are all stated counts; a path like `variants.sku` means that of any item. */
  readonly keys?: readonly (readonly string[])[];
  /**
   * It may be asked for a time, `from` and `until` (provider/run/time-window.ts): by what it has in that time unless the program
   * says otherwise, and what it has at any other; where it is a text, by what `otherwise` says.
   */
  readonly scheduled?: "otherwise" | { readonly during: Given; readonly otherwise: Given };
  /** Two with the same natural key can't be: a replacement deletes first. */
  readonly unique?: true;
  /** A natural key of one field, of which the shop gives a second one another: a replacement deletes first. */
  readonly suffixesDuplicates?: string;
  /**
   * The shop numbers them as they are made, and the number means something: creates are sent one after the other. Amounts of
   * other objects are of one by its `title`, and travel under the name in its field `element`.
   */
  readonly sequential?: { readonly title: string; readonly element: string };
  /** Somebody pays for one: a create that may have happened is never sent again without a person's word. */
  readonly billable?: true;
  /** One per shop: the field without which there is none. */
  readonly singleton?: string;
  readonly body?: Body;
  /** What a person calls one: the first of these that is set; of an address its last part. */
  readonly names?: readonly string[];
  /** How delete ends an object that has no DELETE. */
  readonly cancel?: {
    readonly operation: string;
    readonly when: Readonly<Record<string, string>>;
    /** What one has that was ended so. */
    readonly becomes: Readonly<Record<string, string>>;
    readonly otherwise: string;
  };
  /** What a data source finds one by, each name with the field it means. */
  readonly lookups?: Readonly<Record<string, string>>;
  /** Values made of others after an answer was read. */
  readonly derive?: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** States a definition; the literal's types are what the SDK's and the client's types are made of. */
export function resource<const F extends Fields, const O extends Readonly<Record<string, Operation>>>(
  definition: Omit<Definition<F, O>, "sent"> & { readonly sent?: string },
): Definition<F, O> {
  return { sent: definition.one, ...definition };
}

export type Cleared<O> = O extends { readonly mode: "required" } ? never : "";
type KeysOf<F extends Fields, M extends Mode> = {
  [K in keyof F]: F[K]["mode"] extends M ? K : never;
}[keyof F];
type ArgumentOf<F> = F extends Field<infer A, unknown, Mode> ? A : never;
type ValueOf<F> = F extends Field<infer _A, infer V, Mode> ? V : never;

/** What a program may write for these fields. */
export type Arguments<F extends Fields> = {
  readonly [K in keyof F as F[K]["mode"] extends "required" ? K : never]: ArgumentOf<F[K]>;
} & {
  readonly [K in keyof F as F[K]["mode"] extends "optional" | "body" | "program" ? K : never]?: ArgumentOf<
    F[K]
  >;
};
/** What a resource of these fields has for outputs. */
export type ValuesOf<F extends Fields> = {
  readonly [K in keyof F as F[K]["mode"] extends "required" ? K : never]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K]["mode"] extends "optional" | "computed" | "derived" ? K : never]:
    | ValueOf<F[K]>
    | undefined;
};
/** What the client sends of these fields. */
export type Sent<F extends Fields> = {
  readonly [K in keyof F as F[K]["mode"] extends "required" ? K : never]: ArgumentOf<F[K]>;
} & {
  readonly [K in keyof F as F[K]["mode"] extends "optional" | "body" | "client" ? K : never]?: ArgumentOf<
    F[K]
  >;
};
/** What the client reads of these fields; an unset value is absent. */
export type Read<F extends Fields> = { readonly id: number } & {
  readonly [K in KeysOf<F, "required" | "optional" | "computed" | "body"> & string]?: ValueOf<F[K]>;
};
