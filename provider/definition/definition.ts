/** The definition of one kind, and the types that follow from it. */
import type { Field, Fields, Mode } from "./field.ts";
import type { Operation } from "./operation.ts";

/** The request keys of a body: for text, for bytes in base64, and for its name. */
interface Body {
  readonly text?: string;
  readonly bytes: string;
  readonly name?: string;
  /** The output with the address from which the shop serves it. */
  readonly address: string;
  /** The body is a theme's source file, which is checked before shoppers see it. */
  readonly theme?: true;
}

type Given = Readonly<Record<string, unknown>>;

export interface Definition<
  F extends Fields = Fields,
  O extends Readonly<Record<string, Operation>> = Readonly<Record<string, Operation>>,
> {
  /** The kind's class in the SDK. */
  readonly kind: string;
  /** The kind's name in reports, if it differs from the class name. */
  readonly displayName?: string;
  /** The path of an object's page in the back office. */
  readonly backOfficePath?: string;
  /** The section of interface.md that describes the kind. */
  readonly section: string;
  /** Root element of one object in a response, in a request, and of a list. */
  readonly one: string;
  readonly sent: string;
  readonly many: string;
  /** Other possible root elements of a response. */
  readonly alsoOne?: readonly string[];
  readonly operations: O;
  readonly fields: F;
  /** Natural keys; the first one whose fields are all set is used. `variants.sku` matches any item. */
  readonly keys?: readonly (readonly string[])[];
  /**
   * The kind supports `from` and `until` (provider/context/time-window.ts). `during` and `otherwise` are its default values inside
   * and outside that time; with "otherwise" the argument `otherwise` sets a text.
   */
  readonly scheduled?: "otherwise" | { readonly during: Given; readonly otherwise: Given };
  /** Two objects can't have the same natural key, so a replacement deletes first. */
  readonly unique?: true;
  /** The field whose value the shop changes for a second object with the same one (`jug-2`); a replacement deletes first. */
  readonly suffixesDuplicates?: string;
  /**
   * The shop numbers these objects in the order of creation, so creates are sent one after the other. Other objects have
   * amounts under the `title`, which documents name as the field `element` says.
   */
  readonly sequential?: { readonly title: string; readonly element: string };
  /** An object costs money: a create that may have succeeded is never sent again without permission. */
  readonly billable?: true;
  /** One object per shop. If this field has no value, there is none. */
  readonly singleton?: string;
  readonly body?: Body;
  /** Fields with an object's name in reports; the first one that is set. For an address, its last part. */
  readonly names?: readonly string[];
  /** The operation that ends an object, for kinds without DELETE. */
  readonly cancel?: {
    readonly operation: string;
    readonly when: Readonly<Record<string, string>>;
    /** The values of an object that was ended. */
    readonly becomes: Readonly<Record<string, string>>;
    readonly otherwise: string;
  };
  /** Criteria of the data source, each with its field. */
  readonly lookups?: Readonly<Record<string, string>>;
  /** Reasons why values don't fit together, by argument; a preview warns of them. */
  readonly doubts?: (args: Given) => Readonly<Record<string, string>>;
  /** Computes values from others after a response was decoded. */
  readonly derive?: (values: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
}

/** Defines a kind. The types of the SDK and the client are inferred from the literal. */
export function resource<const F extends Fields, const O extends Readonly<Record<string, Operation>>>(
  definition: Omit<Definition<F, O>, "sent"> & { readonly sent?: string },
): Definition<F, O> {
  return { sent: definition.one, ...definition };
}

export type Cleared<O> = O extends { readonly mode: "required" } | { readonly always: true } ? never : "";
type KeysOf<F extends Fields, M extends Mode> = {
  [K in keyof F]: F[K]["mode"] extends M ? K : never;
}[keyof F];
type ArgumentOf<F> = F extends Field<infer A, unknown, Mode> ? A : never;
type ValueOf<F> = F extends Field<infer _A, infer V, Mode> ? V : never;

export type Arguments<F extends Fields> = {
  readonly [K in keyof F as F[K]["mode"] extends "required" ? K : never]: ArgumentOf<F[K]>;
} & {
  readonly [K in keyof F as F[K]["mode"] extends "optional" | "body" | "program" ? K : never]?: ArgumentOf<
    F[K]
  >;
};
/** The outputs of a resource with these fields. */
export type ValuesOf<F extends Fields> = {
  readonly [K in keyof F as F[K]["mode"] extends "required" ? K : never]: ValueOf<F[K]>;
} & {
  readonly [K in keyof F as F[K]["mode"] extends "optional" | "computed" | "derived" ? K : never]:
    | ValueOf<F[K]>
    | undefined;
};
/** The values that the client sends. */
export type Sent<F extends Fields> = {
  readonly [K in keyof F as F[K]["mode"] extends "required" ? K : never]: ArgumentOf<F[K]>;
} & {
  readonly [K in keyof F as F[K]["mode"] extends "optional" | "body" | "client" ? K : never]?: ArgumentOf<
    F[K]
  >;
};
/** The values that the client reads; unset ones are left out. */
export type Read<F extends Fields> = {
  /** The object's id. */
  readonly id: number;
} & {
  readonly [K in KeysOf<F, "required" | "optional" | "computed" | "body"> & string]?: ValueOf<F[K]>;
};
