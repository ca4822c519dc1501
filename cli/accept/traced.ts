/** A value of a program, with the place that states it. */
import type { Node, Place } from "./sources.ts";

export type Scalar = string | number | boolean | null | undefined;

/** A value of a program, with its place. */
export type Traced =
  /** `isLiteral`: what stands there is the value, so that another can be written in its place. */
  | { readonly type: "scalar"; readonly value: Scalar; readonly at: Place; readonly isLiteral: boolean }
  /** `parts`: the literals that it is made of; a later one goes before. */
  | {
      readonly type: "object";
      readonly entries: ReadonlyMap<string, Traced>;
      readonly at: Place;
      readonly parts: readonly Place[];
      /** The items of lists that it was made of, by `map`. */
      readonly rows?: readonly Place[];
    }
  | {
      readonly type: "list";
      readonly items: readonly Traced[];
      readonly at: Place;
      readonly isLiteral: boolean;
    }
  | { readonly type: "function"; readonly at: Place }
  | { readonly type: "computed"; readonly at: Place };

/** What functions and loops around an expression have given to their names. */
export interface Env {
  readonly binder: Node;
  readonly values: readonly Traced[];
  readonly outer: Env | undefined;
  /** The call that gave them; of a loop there is none. */
  readonly call?: Place;
}

export const computed = (at: Place): Traced => ({ type: "computed", at });
export const scalar = (value: Scalar, at: Place, isLiteral = false): Traced => ({
  type: "scalar",
  value,
  at,
  isLiteral,
});

/** Where an item of what a loop goes over may stand: of `[name, row]`, as `Object.entries` gives it, the row. */
export function rowPlaces(item: Traced | undefined): readonly Place[] {
  const row = item?.type === "list" && !item.isLiteral ? item.items[1] : item;
  if (row === undefined) return [];
  return row.type === "object" ? [...(row.rows ?? []), ...row.parts] : [row.at];
}

/** The value of a scalar; undefined of anything else. */
export const plainOf = (traced: Traced): Scalar => (traced.type === "scalar" ? traced.value : undefined);
