/** Synchronizes a theme's folder with a theme in the shop. */

import pLimit from "p-limit";
import { checkTheme, type Finding } from "../../provider/inventory/index.ts";
import { usageError } from "../exit.ts";
import type { LocalFile } from "./folder.ts";
import { deleteInShop, isPending, sendAll } from "./folder-changes.ts";
import { pollShop, takeDecisions, takeFromShop } from "./shop-changes.ts";
import { type Base, baseOf, never, type Problem, problemAt, type Sides } from "./sync-state.ts";
import type { Row } from "./theme-client.ts";

export interface Parts extends Pick<Sides, "theme" | "folder" | "now" | "say"> {
  /** Receives all current problems, and whether the shop changed. */
  readonly show: (problems: readonly Problem[], isChanged: boolean) => void;
  /** Receives new warnings. */
  readonly warn: (warning: Finding) => void;
}

/** The side that wins if the base of a file is unknown. */
export type Winner = "ours" | "theirs" | undefined;

const errorKey = ({ path, rule, message }: Finding) => `${path} ${rule} ${message}`;

export type Sync = ReturnType<typeof openSync>;

export function openSync({ show, warn, ...parts }: Parts) {
  const sides: Sides = {
    ...parts,
    known: new Map(),
    held: new Map(),
    touched: new Set(),
    rows: new Map(),
    local: new Map(),
    isChanged: false,
  };
  const { theme, folder, known, held, touched } = sides;
  /** Errors at the start, of files that the shop has too. */
  const oldErrors = new Set<string>();
  /** Warnings that were printed or counted. */
  const warned = new Set<string>();
  let missing: ReadonlySet<string> = new Set();
  let turns = 0;
  let last: Promise<unknown> = Promise.resolve();
  let uncompiled: Problem | undefined;
  let isUncompiled = false;

  /** Runs work one after the other. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  const findingsNow = () => {
    const { rows, local } = sides;
    const beyond = [...rows].flatMap(([key, row]) => (known.has(key) || local.has(key) ? [] : [row]));
    const all = [...checkTheme([...local.values()], beyond), ...folder.misplaced()];
    const { error = [], warning = [] } = Object.groupBy(all, ({ severity }) => severity);
    return { error, warning };
  };

  /** Sends changes of the folder. @returns whether the folder changed */
  async function pass(deletes: boolean): Promise<boolean> {
    const { local } = sides;
    takeDecisions(sides);
    const { error, warning } = findingsNow();
    const errors = error.filter((one) => !oldErrors.has(errorKey(one)));
    for (const one of warning) if (!warned.has(errorKey(one))) warn(one);
    for (const one of warning) warned.add(errorKey(one));
    const broken = new Set(errors.map(({ path }) => path));
    let came = await sendAll(
      sides,
      [...local].filter(([, { path }]) => !broken.has(path ?? "")),
    );
    // Editors remove a file for a moment while they save it, so a missing file is deleted only at the next pass.
    const gone = [...known.keys()].filter((key) => !local.has(key));
    for (const key of gone)
      if (errors.length === 0 && (deletes || missing.has(key)))
        came = (await deleteInShop(sides, key)) || came;
    missing = new Set(gone);
    for (const [key, { theirs }] of held) if (!local.has(key) && theirs === undefined) held.delete(key);
    const problems = [...held.values()].map(({ problem }) => problem);
    show([...errors, ...problems, ...(uncompiled === undefined ? [] : [uncompiled])], sides.isChanged);
    isUncompiled ||= sides.isChanged;
    sides.isChanged = false;
    return came;
  }

  const mostPasses = 5;
  async function converge(deletes = false): Promise<void> {
    for (let done = 0; done < mostPasses; done += 1) {
      sides.local = (await folder.scan()) ?? sides.local;
      if (!(await pass(deletes))) return;
    }
  }

  /** The shop accepts a style sheet that it can't compile, and reports it in the theme. */
  async function readErrors(): Promise<void> {
    if (!isUncompiled) return;
    isUncompiled = false;
    const text = await theme.errors();
    const message = `the shop couldn't compile the theme: ${text}`;
    uncompiled =
      text === undefined
        ? undefined
        : problemAt(folder.called("media"), message, "correct the style sheet or script that it names");
  }

  /** Finds the base of a file. @returns whether it is unknown */
  async function meet(key: string, file: LocalFile, row: Row, { first, asked }: Meeting): Promise<boolean> {
    const isAlike = row.size === file.bytes.length && (asked === undefined || asked.hash === file.hash);
    const seen = isAlike ? file : await theme.read(row);
    if (seen === undefined) return false;
    const isSame = seen.hash === file.hash;
    if (!isSame && first === undefined && asked === undefined) return true;
    const base = isSame || first === "ours" ? seen : first === "theirs" ? file : undefined;
    known.set(key, { row, base: asked && !base ? asked : baseOf(base ?? seen), seenAt: never });
    if (known.get(key)?.base.hash !== seen.hash) takeFromShop(sides, key, row, seen);
    return false;
  }

  return {
    /**
     * Compares both sides.
     * @param stateOf the base from a stack's state
     * @returns errors of files that the shop has too, and the number of warnings
     * @throws CommandError for files that differ if their base is unknown
     */
    begin: (first: Winner, stateOf: (row: Row) => Base | undefined) =>
      inTurn(async () => {
        sides.rows = new Map(await theme.list());
        sides.local = (await folder.scan()) ?? sides.local;
        const seats = pLimit(8);
        const differing = await Promise.all(
          [...sides.local].map(([key, file]) =>
            seats(async () => {
              const row = sides.rows.get(key);
              const isOpen =
                row !== undefined && (await meet(key, file, row, { first, asked: stateOf(row) }));
              return isOpen ? [file.path ?? file.place] : [];
            }),
          ),
        );
        if (differing.some(({ length }) => length > 0)) throw usageError(differText(differing.flat()));
        const same = new Set([...sides.local].flatMap((one) => (isPending(sides, one) ? [] : [one[1].path])));
        const { error, warning } = findingsNow();
        const old = error.filter(({ path }) => same.has(path));
        for (const one of old) oldErrors.add(errorKey(one));
        for (const one of warning) warned.add(errorKey(one));
        await converge();
        return { old, warnings: warning.length };
      }),
    /** Called after a save. */
    saved: () => inTurn(() => converge()),
    /** Called to look for changes in the shop. */
    look: () =>
      inTurn(async () => {
        await pollShop(sides, turns++);
        await readErrors();
        await converge();
      }),
    /** Called at the end. */
    end: () => inTurn(() => converge(true)),
    /** The synchronized files; undefined for deleted ones. */
    touched: (): ReadonlyMap<string, LocalFile | undefined> =>
      new Map([...touched].map((key) => [key, sides.local.get(key)])),
  };
}

interface Meeting {
  readonly first: Winner;
  /** The base from the state. */
  readonly asked: Base | undefined;
}

const mostShown = 10;

function differText(paths: readonly string[]): string {
  const rest = paths.length > mostShown ? `\n  and ${paths.length - mostShown} others` : "";
  return `these files differ from the shop's, and the command can't tell which are newer; nothing was changed:\n  ${paths.slice(0, mostShown).join("\n  ")}${rest}\n--ours sends the folder's, --theirs writes the shop's into the folder`;
}
