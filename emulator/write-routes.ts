/** POST and PUT of most kinds: checks a request's values and stores them as an object. */
import { type Columns, convertedColumns, refuseBlank } from "./conversions.ts";
import type { Row } from "./documents.ts";
import {
  type Body,
  type Context,
  type Document,
  existing,
  type Format,
  idOf,
  type Kind,
  type Reply,
  type Route,
  route,
} from "./routing.ts";
import type { Stored } from "./store.ts";

/** How objects of a kind are written. */
export interface WriteRules {
  readonly kind: Kind;
  readonly document: Document;
  /** Where it differs from the kind's name, its columns and its document. */
  readonly body?: Partial<Body>;
  readonly columns: Columns;
  readonly needs?: readonly string[];
  /**
   * The row to store.
   * @param values the request's values and, for those it doesn't set, the old ones
   * @param before the old object; undefined for a new one
   */
  row?(context: Context, values: Row, before: Stored | undefined): Row;
}

function rowOf(writing: WriteRules, context: Context, before: Stored | undefined): Row {
  const { columns, needs = [], row } = writing;
  const values = { ...before, ...convertedColumns(columns, context.params) };
  refuseBlank(values, needs);
  return row === undefined ? values : row(context, values, before);
}

const bodyOf = ({ kind, columns, document, body }: WriteRules): Body => ({
  roots: [kind.name],
  takes: Object.keys(columns),
  reads: document.shape,
  ...body,
});

function made(writing: WriteRules, context: Context): Stored {
  const { kind } = writing;
  const row = { ...kind.empty, ...rowOf(writing, context, undefined) };
  const [key, owner] = [kind.keyOf?.(row), kind.ownerOf?.(row)];
  return context.store.insert(kind.name, row, context.now, {
    ...(key !== undefined && { key }),
    ...(owner !== undefined && { owner }),
  });
}

/** POST of one object. */
export const createRoute = (path: string, shown: readonly Format[], writing: WriteRules): Route =>
  route(
    "POST",
    path,
    shown,
    (context) => ({ status: 201, document: writing.document, object: made(writing, context) }),
    { body: bodyOf(writing) },
  );

interface Editing {
  readonly found?: (context: Context) => Stored;
  readonly after?: (context: Context, saved: Stored, before: Stored) => void;
  /** The answer doesn't contain the object. */
  readonly isSilent?: true;
}

/** PUT of one object. */
export const editRoute = (
  path: string,
  shown: readonly Format[],
  writing: WriteRules,
  { found, after, isSilent }: Editing = {},
): Route =>
  route(
    "PUT",
    `${path}/:id`,
    shown,
    (context): Reply => {
      const { kind, document } = writing;
      const before = found?.(context) ?? existing(context, kind.name, idOf(context));
      const row = rowOf(writing, context, before);
      const object = context.store.update(kind.name, before.id, row, context.now, kind.keyOf?.(row));
      after?.(context, object, before);
      return isSilent ? { done: true, saved: { document, object } } : { document, object };
    },
    { body: bodyOf(writing) },
  );
