/** Stores all objects in one SQLite table, so that a new kind needs only a route. */
import { chmodSync, closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { type ChangeCount, changeLogSchema, type ObjectChange } from "./change-log.ts";

export interface Stored {
  readonly id: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly archived: boolean;
  readonly [name: string]: unknown;
}

/** The start of a list of changes. */
export interface Since {
  /** Milliseconds since 1970, inclusive. */
  readonly at: number;
  /** Whether it is a whole second, as sent by clients that read seconds. */
  readonly isSecond: boolean;
  /** The last object that the client has seen: it and those before it are left out. */
  readonly fromId?: number | undefined;
}

/** The objects of a list to return. */
export interface Selection {
  readonly owner?: number | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  /** Sorts by time of change, then id. */
  readonly since?: Since | undefined;
  readonly archived?: "only" | "with" | undefined;
  readonly where?: ((row: Stored) => boolean) | undefined;
}

/** A second object with a key that must be unique. */
export class Taken extends Error {
  readonly kind: string;
  constructor(kind: string) {
    super(`a second ${kind} under one key`);
    this.kind = kind;
  }
}

export type Store = ReturnType<typeof openStore>;

// Facts are the credentials: they belong to the opened shop, not to its content.
const tables = ["objects", "sequences", "blobs"] as const;
type SqlRow = Readonly<Record<string, SQLInputValue>>;

/** The content of a store, which can be restored in any store. */
export type StoreSnapshot = Readonly<Record<(typeof tables)[number], readonly SqlRow[]>>;

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS objects (
    kind TEXT NOT NULL, id INTEGER NOT NULL, owner INTEGER, unique_key TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, archived INTEGER NOT NULL DEFAULT 0, data TEXT NOT NULL,
    PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS objects_key ON objects (kind, unique_key) WHERE unique_key IS NOT NULL;
  CREATE INDEX IF NOT EXISTS objects_owner ON objects (kind, owner, id) WHERE owner IS NOT NULL;
  CREATE INDEX IF NOT EXISTS objects_changed ON objects (kind, updated_at, id);
  CREATE TABLE IF NOT EXISTS sequences (name TEXT PRIMARY KEY, last INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS blobs (path TEXT PRIMARY KEY, content_type TEXT NOT NULL, bytes BLOB NOT NULL);
`;

// It has the shop's credentials, so only its owner may read it, regardless of the umask. SQLite's other files get the
// same mode.
function openDatabase(path: string, run: () => number, left: ReadonlySet<string>): DatabaseSync {
  if (path !== ":memory:") {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  }
  const db = new DatabaseSync(path);
  try {
    db.function("run", run);
    db.exec(schema + changeLogSchema(left));
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

function storedOf(row: Readonly<Record<string, unknown>>): Stored {
  return {
    ...(JSON.parse(row.data as string) as object),
    id: row.id as number,
    created_at: row.created_at as number,
    updated_at: row.updated_at as number,
    archived: row.archived === 1,
  };
}

/** SQL conditions of a list, and their values. */
function conditions(kind: string, { owner, archived, since }: Selection): [string, (string | number)[]] {
  const where = ["kind = ?"];
  const values: (string | number)[] = [kind];
  if (owner !== undefined) {
    where.push("owner = ?");
    values.push(owner);
  }
  if (archived !== "with") where.push(`archived = ${archived === "only" ? 1 : 0}`);
  if (since !== undefined) {
    where.push("updated_at >= ?");
    values.push(since.at);
    if (since.fromId !== undefined) {
      where.push("NOT (updated_at = ? AND id <= ?)");
      values.push(since.at, since.fromId);
    }
  }
  return [where.join(" AND "), values];
}

const mostPlaces = 10_000;

/**
 * The exact times at which clients stopped reading changes. Objects are sorted by milliseconds, but XML shows seconds:
 * a client continues from the second and id of its last object, and means the millisecond that this object had then,
 * although it may have changed since. If that is no longer known, the object's present time is used; if that is in
 * another second, the whole second is sent again, because a duplicate does less harm than a missing object.
 */
function openPlaces() {
  const places = new Map<string, number>();
  const key = (kind: string, id: number, at: number) => `${kind}/${id}/${Math.floor(at / 1000)}`;
  return {
    find: (kind: string, id: number, at: number): number | undefined => places.get(key(kind, id, at)),
    /** @param last the last object of a page that was sent */
    keep(kind: string, last: Stored | undefined): void {
      if (last === undefined) return;
      const name = key(kind, last.id, last.updated_at);
      places.delete(name);
      places.set(name, last.updated_at);
      const [oldest] = places.keys();
      if (places.size > mostPlaces && oldest !== undefined) places.delete(oldest);
    },
    forget: (): void => places.clear(),
  };
}

/**
 * @param path a file, or ":memory:"
 * @param firstId the first number of a new sequence
 * @param vocabulary kinds that `kinds` leaves out
 */
export function openStore(
  path: string,
  firstId: () => number = () => 1000,
  vocabulary: ReadonlySet<string> = new Set(),
) {
  let writing = 0;
  const db = openDatabase(path, () => writing, vocabulary);
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const found = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, found);
    return found;
  };
  const one = (text: string, ...values: readonly SQLInputValue[]): Stored | undefined => {
    const row = sql(text).get(...values);
    return row && storedOf(row as Record<string, unknown>);
  };
  const places = openPlaces();
  const exact = (kind: string, since: Since | undefined): Since | undefined => {
    if (since === undefined || !since.isSecond || since.fromId === undefined) return since;
    const known = places.find(kind, since.fromId, since.at);
    if (known !== undefined) return { ...since, at: known };
    const anchor = one("SELECT * FROM objects WHERE kind = ? AND id = ?", kind, since.fromId);
    const isThere = anchor !== undefined && Math.floor(anchor.updated_at / 1000) === since.at / 1000;
    return isThere ? { ...since, at: anchor.updated_at } : { ...since, fromId: undefined };
  };
  const guarded = <T>(kind: string, write: () => T): T => {
    try {
      return write();
    } catch (error) {
      if (String(error).includes("UNIQUE constraint failed: objects.kind, objects.unique_key"))
        throw new Taken(kind);
      throw error;
    }
  };
  const transaction = <T>(work: () => T, run = 0): T => {
    db.exec("BEGIN IMMEDIATE");
    writing = run;
    try {
      const result = work();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    } finally {
      writing = 0;
    }
  };

  return {
    /** Runs work as a transaction. @param run the run that it belongs to; 0 isn't recorded */
    transaction,
    /** The next number of a sequence; a new one is created automatically. */
    nextId(sequence: string): number {
      const text = `INSERT INTO sequences (name, last) VALUES (?, ?)
        ON CONFLICT (name) DO UPDATE SET last = last + 1 RETURNING last`;
      if (sql("SELECT 1 FROM sequences WHERE name = ?").get(sequence) !== undefined)
        return (sql(text).get(sequence, 0) as { last: number }).last;
      const largest = sql("SELECT max(id) AS id FROM objects WHERE kind = ?").get(sequence) as {
        id: number | null;
      };
      return (sql(text).get(sequence, Math.max(firstId(), (largest.id ?? 0) + 1)) as { last: number }).last;
    },
    /** Adds an object. @param more.id its id, from which the kind's sequence continues; by default the next one */
    insert(
      kind: string,
      data: object,
      at: number,
      more: { owner?: number; key?: string; id?: number } = {},
    ): Stored {
      const id = more.id ?? this.nextId(kind);
      if (more.id !== undefined)
        sql(
          "INSERT INTO sequences (name, last) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET last = max(last, excluded.last)",
        ).run(kind, id);
      guarded(kind, () =>
        sql(
          "INSERT INTO objects (kind, id, owner, unique_key, created_at, updated_at, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ).run(kind, id, more.owner ?? null, more.key ?? null, at, at, dataOf(data)),
      );
      return this.get(kind, id) as Stored;
    },
    /** Changes an object; without a difference its time of change stays, as in Rails. */
    update(kind: string, id: number, data: object, at: number, key?: string): Stored {
      const text = dataOf(data);
      guarded(kind, () =>
        sql(
          `UPDATE objects SET data = ?, updated_at = ?, unique_key = coalesce(?, unique_key) WHERE kind = ? AND id = ?
             AND (data <> ? OR unique_key IS NOT coalesce(?, unique_key))`,
        ).run(text, at, key ?? null, kind, id, text, key ?? null),
      );
      return this.get(kind, id) as Stored;
    },
    /** Marks an object as deleted; its key becomes free. */
    archive(kind: string, id: number, at: number): void {
      sql(
        `UPDATE objects SET archived = 1, updated_at = ?,
           unique_key = CASE WHEN unique_key IS NULL THEN NULL ELSE 'archived/' || id END WHERE kind = ? AND id = ?`,
      ).run(at, kind, id);
    },
    /** Restores an object that was marked as deleted. */
    recover(kind: string, id: number, at: number): void {
      sql("UPDATE objects SET archived = 0, updated_at = ? WHERE kind = ? AND id = ?").run(at, kind, id);
    },
    remove(kind: string, id: number): boolean {
      return Number(sql("DELETE FROM objects WHERE kind = ? AND id = ?").run(kind, id).changes) > 0;
    },
    get: (kind: string, id: number): Stored | undefined =>
      one("SELECT * FROM objects WHERE kind = ? AND id = ?", kind, id),
    byKey: (kind: string, key: string): Stored | undefined =>
      one("SELECT * FROM objects WHERE kind = ? AND unique_key = ?", kind, key),
    list(kind: string, selection: Selection = {}): readonly Stored[] {
      const [where, values] = conditions(kind, { ...selection, since: exact(kind, selection.since) });
      const order = selection.since === undefined ? "id" : "updated_at, id";
      const { perPage, page = 1 } = selection;
      const skipped = (page - 1) * (perPage ?? 0);
      const paged = perPage !== undefined && selection.where === undefined;
      const rows = sql(
        `SELECT * FROM objects WHERE ${where} ORDER BY ${order}${paged ? " LIMIT ? OFFSET ?" : ""}`,
      ).all(...values, ...(paged ? [perPage, skipped] : []));
      const found = rows.map((row) => storedOf(row as Record<string, unknown>));
      const kept = selection.where === undefined ? found : found.filter(selection.where);
      const given = paged || perPage === undefined ? kept : kept.slice(skipped, skipped + perPage);
      if (selection.since !== undefined) places.keep(kind, given.at(-1));
      return given;
    },
    /** The number of selected objects, regardless of pages. */
    count(kind: string, selection: Selection = {}): number {
      if (selection.where !== undefined) return this.list(kind, { ...selection, perPage: undefined }).length;
      const [where, values] = conditions(kind, { ...selection, since: exact(kind, selection.since) });
      return (sql(`SELECT count(*) AS n FROM objects WHERE ${where}`).get(...values) as { n: number }).n;
    },
    /** A text that differs after each change by any process. */
    revision(): string {
      const { own } = sql("SELECT total_changes() AS own").get() as { readonly own: number };
      const { data_version: others } = sql("PRAGMA data_version").get() as { readonly data_version: number };
      return `${own} ${others}`;
    },
    /** The latest changes, newest first. */
    moves(): readonly ObjectChange[] {
      const rows = sql("SELECT * FROM moves ORDER BY n DESC").all() as unknown as (ObjectChange & {
        readonly old: string;
        readonly new: string;
      })[];
      return rows.map(({ old, new: after, ...move }) => ({
        ...move,
        before: JSON.parse(old),
        after: JSON.parse(after),
      }));
    },
    tallies: (): readonly ChangeCount[] =>
      sql("SELECT * FROM tallies").all() as unknown as readonly ChangeCount[],
    /** The kinds that have objects, without the vocabulary. */
    kinds(): readonly string[] {
      return sql("SELECT DISTINCT kind FROM objects ORDER BY kind")
        .all()
        .map((row) => String((row as { kind: string }).kind))
        .filter((kind) => !vocabulary.has(kind));
    },
    fact(name: string): string | undefined {
      return (sql("SELECT value FROM facts WHERE name = ?").get(name) as { value: string } | undefined)
        ?.value;
    },
    setFact(name: string, value: string): void {
      sql(
        "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      ).run(name, value);
    },
    putBlob(path: string, contentType: string, bytes: Uint8Array): void {
      sql("INSERT OR REPLACE INTO blobs (path, content_type, bytes) VALUES (?, ?, ?)").run(
        path,
        contentType,
        bytes,
      );
    },
    blob(path: string): { contentType: string; bytes: Uint8Array } | undefined {
      const row = sql("SELECT * FROM blobs WHERE path = ?").get(path) as
        | { content_type: string; bytes: Uint8Array }
        | undefined;
      return row && { contentType: row.content_type, bytes: row.bytes };
    },
    removeBlob(path: string): void {
      sql("DELETE FROM blobs WHERE path = ?").run(path);
    },
    snapshot: (): StoreSnapshot =>
      Object.fromEntries(
        tables.map((table) => [table, sql(`SELECT * FROM ${table}`).all()]),
      ) as unknown as StoreSnapshot,
    restore(snapshot: StoreSnapshot): void {
      places.forget();
      transaction(() => {
        db.exec("DELETE FROM moves; DELETE FROM tallies;");
        for (const table of tables) {
          sql(`DELETE FROM ${table}`).run();
          const [first] = snapshot[table];
          if (first === undefined) continue;
          const names = Object.keys(first);
          const insert = sql(
            `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
          );
          for (const row of snapshot[table]) insert.run(...(Object.values(row) as SQLInputValue[]));
        }
      });
    },
    clear(): void {
      places.forget();
      db.exec("DELETE FROM objects; DELETE FROM blobs; DELETE FROM moves; DELETE FROM tallies;");
    },
    close(): void {
      db.close();
    },
  };
}

// Columns of their own aren't stored twice.
function dataOf(data: object): string {
  const {
    id: _id,
    created_at: _created,
    updated_at: _updated,
    archived: _archived,
    ...rest
  } = data as Stored;
  return JSON.stringify(rest);
}
