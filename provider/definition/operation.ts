/** Operations: the rows of interface.md's endpoint tables. */
import type { Fields } from "./field.ts";

/** One row of an endpoint table in interface.md. `{name}` in the path is an argument or the id. */
export interface Operation<Path extends string = string> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: Path;
  /** The request body: all arguments, changed arguments, the operation's own fields, or nothing. */
  readonly takes: "arguments" | "changes" | "nothing" | Fields;
  readonly answers: "object" | "list" | "nothing";
  /** Default number of objects on a page; undefined if the list has no pages. */
  readonly perPage?: number;
  /** The list can be limited to changes since a date. */
  readonly since?: true;
  /** interface.md doesn't show it (platform-facts.md does), so a shop may not offer it. */
  readonly undocumented?: true;
}

/** The operation with a name. @throws Error if the kind has none */
export function operationOf(
  { kind, operations }: { readonly kind: string; readonly operations: Readonly<Record<string, Operation>> },
  name: string,
): Operation {
  const operation = operations[name];
  if (operation === undefined) throw new Error(`${kind} has no operation ${name}`);
  return operation;
}

export const namesIn = (path: string): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);

type Extra = Partial<Pick<Operation, "answers" | "undocumented" | "perPage" | "since">>;
type Row<M extends Operation["method"], P extends string, D, E> = {
  readonly method: M;
  readonly path: P;
} & Omit<D, keyof E> &
  E;

// Two signatures: TypeScript would infer an optional `extra` from the context.
interface RowOf<M extends Operation["method"], D> {
  <const P extends string>(path: P): Row<M, P, D, unknown>;
  <const P extends string, const E extends Extra>(path: P, extra: E): Row<M, P, D, E>;
}

function row<M extends Operation["method"], const D extends object>(method: M, defaults: D): RowOf<M, D> {
  return (path: string, extra?: Extra) => ({ method, path, ...defaults, ...extra }) as never;
}

export const get = row("GET", { takes: "nothing", answers: "object" });
/** A list, in pages if `perPage` is set. */
export const listing = row("GET", { takes: "nothing", answers: "list" });
export const create = row("POST", { takes: "arguments", answers: "object" });
export const edit = row("PUT", { takes: "changes", answers: "object" });
export const remove = row("DELETE", { takes: "nothing", answers: "nothing" });
/** Any other operation. */
export const act = <const P extends string, const T extends Fields | "nothing">(
  method: "POST" | "PUT",
  path: P,
  takes: T,
) => ({ method, path, takes, answers: "object" }) as const;
