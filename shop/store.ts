/** Where the shop keeps its objects: one table of SQLite for all kinds, so that a kind is a route and nothing else. */
import { DatabaseSync, type StatementSync } from "node:sqlite";

/** An object as it is kept. */
export interface Stored {
  readonly id: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly archived: boolean;
  readonly [name: string]: unknown;
}

/** What a list is cut to. */
export interface Cut {
  readonly owner?: number | undefined;
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  /** Inclusive, milliseconds; orders by time of change, then id. */
  readonly updatedSince?: number | undefined;
  readonly fromId?: number | undefined;
  readonly archived?: "only" | "with" | undefined;
}

/** A second object under a key that only one may have. */
export class Taken extends Error {}

export type Store = ReturnType<typeof openStore>;

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS objects (
    kind TEXT NOT NULL, id INTEGER NOT NULL, owner INTEGER, unique_key TEXT,
    created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, archived INTEGER NOT NULL DEFAULT 0, data TEXT NOT NULL,
    PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE UNIQUE INDEX IF NOT EXISTS objects_key ON objects (kind, unique_key) WHERE unique_key IS NOT NULL;
  CREATE INDEX IF NOT EXISTS objects_changed ON objects (kind, updated_at, id);
  CREATE TABLE IF NOT EXISTS sequences (name TEXT PRIMARY KEY, last INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS blobs (path TEXT PRIMARY KEY, content_type TEXT NOT NULL, bytes BLOB NOT NULL);
`;

/** @param path a file, or ":memory:" */
export function openStore(path: string) {
  const db = new DatabaseSync(path);
  db.exec(schema);
  const prepared = new Map<string, StatementSync>();
  const sql = (text: string): StatementSync => {
    const found = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, found);
    return found;
  };
  const stored = (row: Record<string, unknown> | undefined): Stored | undefined =>
    row && {
      ...(JSON.parse(row.data as string) as object),
      id: row.id as number,
      created_at: row.created_at as number,
      updated_at: row.updated_at as number,
      archived: row.archived === 1,
    };
  const guarded = <T>(write: () => T): T => {
    try {
      return write();
    } catch (error) {
      if (String(error).includes("UNIQUE constraint failed: objects.kind, objects.unique_key"))
        throw new Taken();
      throw error;
    }
  };

  return {
    /** Runs a request's work as one: all of it or nothing. */
    transaction<T>(work: () => T): T {
      db.exec("BEGIN IMMEDIATE");
      try {
        const result = work();
        db.exec("COMMIT");
        return result;
      } catch (error) {
        db.exec("ROLLBACK");
        throw error;
      }
    },
    nextId(sequence: string): number {
      return (
        sql("UPDATE sequences SET last = last + 1 WHERE name = ? RETURNING last").get(sequence) as {
          last: number;
        }
      ).last;
    },
    startSequence(sequence: string, last: number): void {
      sql("INSERT OR IGNORE INTO sequences (name, last) VALUES (?, ?)").run(sequence, last);
    },
    insert(kind: string, data: object, at: number, more: { owner?: number; key?: string } = {}): Stored {
      const id = this.nextId(kind);
      guarded(() =>
        sql(
          "INSERT INTO objects (kind, id, owner, unique_key, created_at, updated_at, data) VALUES (?, ?, ?, ?, ?, ?, ?)",
        ).run(kind, id, more.owner ?? null, more.key ?? null, at, at, JSON.stringify(data)),
      );
      return this.get(kind, id) as Stored;
    },
    update(kind: string, id: number, data: object, at: number, key?: string): Stored {
      const { id: _id, created_at, updated_at, archived, ...rest } = data as Stored;
      guarded(() =>
        sql(
          "UPDATE objects SET data = ?, updated_at = ?, unique_key = coalesce(?, unique_key) WHERE kind = ? AND id = ?",
        ).run(JSON.stringify(rest), at, key ?? null, kind, id),
      );
      return this.get(kind, id) as Stored;
    },
    archive(kind: string, id: number, archived: boolean, at: number): void {
      sql("UPDATE objects SET archived = ?, updated_at = ? WHERE kind = ? AND id = ?").run(
        archived ? 1 : 0,
        at,
        kind,
        id,
      );
    },
    remove(kind: string, id: number): boolean {
      return Number(sql("DELETE FROM objects WHERE kind = ? AND id = ?").run(kind, id).changes) > 0;
    },
    get(kind: string, id: number): Stored | undefined {
      return stored(
        sql("SELECT * FROM objects WHERE kind = ? AND id = ?").get(kind, id) as
          | Record<string, unknown>
          | undefined,
      );
    },
    byKey(kind: string, key: string): Stored | undefined {
      return stored(
        sql("SELECT * FROM objects WHERE kind = ? AND unique_key = ?").get(kind, key) as
          | Record<string, unknown>
          | undefined,
      );
    },
    list(kind: string, cut: Cut = {}): readonly Stored[] {
      const where = ["kind = ?"];
      const values: (string | number)[] = [kind];
      if (cut.owner !== undefined) {
        where.push("owner = ?");
        values.push(cut.owner);
      }
      if (cut.archived !== "with") where.push(`archived = ${cut.archived === "only" ? 1 : 0}`);
      if (cut.updatedSince !== undefined) {
        where.push("updated_at >= ?");
        values.push(cut.updatedSince);
        if (cut.fromId !== undefined) {
          where.push("NOT (updated_at = ? AND id <= ?)");
          values.push(cut.updatedSince, cut.fromId);
        }
      }
      const order = cut.updatedSince === undefined ? "id" : "updated_at, id";
      const limit = cut.perPage === undefined ? "" : " LIMIT ? OFFSET ?";
      if (cut.perPage !== undefined) values.push(cut.perPage, ((cut.page ?? 1) - 1) * cut.perPage);
      const rows = sql(`SELECT * FROM objects WHERE ${where.join(" AND ")} ORDER BY ${order}${limit}`).all(
        ...values,
      );
      return rows.map((row) => stored(row as Record<string, unknown>) as Stored);
    },
    /** What was changed last, in any kind. */
    recent(most: number): readonly { readonly kind: string; readonly object: Stored }[] {
      const rows = sql(
        "SELECT * FROM objects WHERE archived = 0 ORDER BY updated_at DESC, kind, id DESC LIMIT ?",
      ).all(most) as Record<string, unknown>[];
      return rows.map((row) => ({ kind: String(row.kind), object: stored(row) as Stored }));
    },
    kinds(): readonly string[] {
      return sql("SELECT DISTINCT kind FROM objects ORDER BY kind")
        .all()
        .map((row) => String((row as { kind: string }).kind));
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
    clear(): void {
      db.exec("DELETE FROM objects; DELETE FROM blobs;");
    },
    close(): void {
      db.close();
    },
  };
}
