/** The types that follow from a definition: what a program writes, what comes back, what the client sends and reads. */
import type { Field, Fields, Mode } from "./field.ts";

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
