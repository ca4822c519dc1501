/** Records each write in temporary SQLite tables, for the page of changes. */

export interface ObjectChange {
  readonly run: number;
  readonly verb: "created" | "changed" | "deleted" | "recovered";
  readonly kind: string;
  readonly id: number;
  readonly at: number;
  /** For a new object, the same as `after`. */
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
}

/** Number of objects of a kind that a run created, changed, deleted or recovered. */
export interface ChangeCount extends Pick<ObjectChange, "run" | "verb" | "kind"> {
  readonly n: number;
}

const mostMoves = 300;

/**
 * SQL of the temporary tables and triggers. Changes that are rolled back aren't recorded, and a create in several steps
 * counts once.
 * @param left kinds that are not recorded
 */
export const changeLogSchema = (left: ReadonlySet<string>) => {
  const isNoted = (row: "old" | "new") =>
    `run() > 0 AND ${row}.kind NOT IN (${[...left].map((kind) => `'${kind}'`).join()})`;
  const note = (verb: string, row: "old" | "new", before: "old" | "new" = row) =>
    `BEGIN INSERT INTO moves (run, verb, kind, id, at, old, new)
       VALUES (run(), ${verb}, ${row}.kind, ${row}.id, ${row}.updated_at, ${before}.data, ${row}.data); END;`;
  return `
  PRAGMA temp_store = MEMORY;
  CREATE TEMP TABLE moves (n INTEGER PRIMARY KEY, run INTEGER, verb TEXT, kind TEXT, id INTEGER, at INTEGER, old TEXT, new TEXT);
  CREATE TEMP TABLE tallies (run INTEGER, verb TEXT, kind TEXT, n INTEGER, PRIMARY KEY (run, verb, kind));
  CREATE TEMP TRIGGER made AFTER INSERT ON objects WHEN ${isNoted("new")} ${note("'created'", "new")}
  CREATE TEMP TRIGGER moved AFTER UPDATE OF data ON objects
    WHEN ${isNoted("new")} AND old.data <> new.data AND new.updated_at > new.created_at ${note("'changed'", "new", "old")}
  CREATE TEMP TRIGGER kept AFTER UPDATE OF archived ON objects WHEN ${isNoted("new")} AND old.archived <> new.archived
    ${note("iif(new.archived, 'deleted', 'recovered')", "new")}
  CREATE TEMP TRIGGER gone AFTER DELETE ON objects WHEN ${isNoted("old")} AND NOT old.archived ${note("'deleted'", "old")}
  CREATE TEMP TRIGGER counted AFTER INSERT ON moves BEGIN
    INSERT INTO tallies VALUES (new.run, new.verb, new.kind, 1) ON CONFLICT DO UPDATE SET n = n + 1;
    DELETE FROM moves WHERE n <= new.n - ${mostMoves};
  END;
`;
};
