/** `accept` in a walk: writes the edits of staff into the program's files. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { applyAcceptance, noteAccepted, planAcceptance } from "../../cli/accept/acceptance.ts";
import {
  type DeletedResource,
  type Drift,
  deletedIn,
  deletedOf,
  driftOf,
  driftText,
  isDrift,
  partsOf,
  programInputs,
  programSteps,
} from "../../cli/accept/drift.ts";
import { openTables } from "../../cli/accept/tables.ts";
import { readDeclarations } from "../../cli/program/declarations.ts";
import { openSources } from "../../cli/program/sources.ts";
import { withCellChanges } from "../../runs/report/cell-changes.ts";
import { sendsNothing, stepNotices } from "../../runs/report/step-notices.ts";
import { isOwn } from "./house/session.ts";
import type { Options, Ran } from "./house/types.ts";
import type { House } from "./house.ts";
import { sheetKind } from "./kinds.ts";
import type { Entry } from "./program.ts";
import { type Files, ran, textsOf } from "./pull.ts";

export interface Accepted {
  readonly program: readonly Entry[];
  /** The output for the user. */
  readonly planned: Ran;
  /** The number of changes that it wrote. */
  readonly written: number;
  /** Errors, one sentence each. */
  readonly wrong: readonly string[];
}

type Change = Drift | DeletedResource;

/** The edits to accept: all, or those of one resource or kind. Conflicts are accepted only as theirs. */
export interface Wanted {
  readonly isWanted: (change: Change) => boolean;
  readonly theirs: boolean;
  readonly refreshed: Ran;
  readonly reading: Options;
}

/** Stack options that make a run report all drift. */
export const tellingAll = (options: Options): Options => ({
  ...options,
  config: { "shop:drift": "revert", "shop:conflicts": "overwrite" },
});

/** Writes the edits that a refresh found into a program; undefined if the program can't be planned. */
export async function accept(
  house: House,
  { program, adopted }: Files,
  { isWanted, theirs, refreshed, reading }: Wanted,
): Promise<Accepted | undefined> {
  const planned = await house.preview(program, reading);
  if (!isWhole(planned)) return undefined;
  const asked = programInputs(planned);
  const deleted = deletedOf(deletedIn(refreshed.plan), programSteps(planned));
  const all: readonly Change[] = [...drifts(planned), ...deleted];
  const wanted = all.filter((one) => isWanted(one) && (theirs || !one.isConflict));
  const home = mkdtempSync(join(tmpdir(), "pulumi-shop-walk-"));
  try {
    for (const [path, text] of textsOf(program, adopted)) writeFileSync(join(home, path), text);
    const now = () => entriesIn(home, { program, adopted }, house);
    const plan = (some: readonly Change[]) => {
      const sources = openSources([resolve(home, "index.ts")], home);
      const tables = openTables(sources, home);
      const statements = readDeclarations(sources, "dev");
      return planAcceptance(
        some,
        { sources, statements, tables, others: () => new Map(), created: () => undefined },
        { home, stack: "dev", theirs, baseOf: () => undefined },
      );
    };
    const acceptance = await plan(wanted);
    const written = await applyAcceptance(acceptance, {
      plan,
      asked,
      put: (files) => {
        for (const [path, text] of files) writeFileSync(path, text);
      },
      async ask() {
        const again = await house.preview(now(), reading);
        return isWhole(again) ? programInputs(again) : undefined;
      },
    });
    const { done } = written;
    await house.reads((_shop, stack) => noteAccepted(stack, written, all, (urn) => urn));
    const after = await house.preview(now(), reading);
    // A variant with a price from a sheet can't set its price itself.
    const priced = program
      .filter(({ kind }) => kind === sheetKind.kind)
      .map(({ args }) => JSON.stringify(args.rows));
    const isPriced = (change: Change) =>
      isDrift(change) &&
      change.asked === null &&
      priced.some((rows) => rows.includes(`"${partsOf(change.path).item}"`));
    const left = [
      ...acceptance.left.map(({ change, reason }) => `${textOf(change)} (${reason})`),
      ...[...acceptance.accepted.keys()]
        .filter((change) => !done.includes(change) && !isPriced(change))
        .map((change) => `${textOf(change)} (the program computes something else from it)`),
    ];
    return {
      program: now(),
      planned,
      written: done.length,
      wrong: [
        ...left.map((text) => `it couldn't write ${text}`),
        ...undone(done, after).map((text) => `the preview after it still has ${text}`),
        ...more(planned, after).map((text) => `the preview after it has ${text}, which wasn't there`),
      ],
    };
  } finally {
    rmSync(home, { recursive: true });
  }
}

const drifts = ({ plan, notices }: Ran) =>
  driftOf({
    steps: plan.map((step) => ({ ...step, changes: withCellChanges(step, step.changes) })),
    notices: stepNotices(notices),
  });
export const isWhole = ({ result, error }: Ran) =>
  error === undefined &&
  (result?.outcome === "succeeded" || result?.failures.every(({ refused }) => refused));
const textOf = (change: Change) =>
  `${change.kind} ${change.name}: ${isDrift(change) ? driftText(change) : "deleted by staff"}`;

/** The remaining work after the edits. */
function undone(done: readonly Change[], after: Ran): readonly string[] {
  const left = new Set(drifts(after).map(({ urn, path }) => `${urn} ${path}`));
  return done.filter((one) => isDrift(one) && left.has(`${one.urn} ${one.path}`)).map(textOf);
}

/** Steps that the previous plan didn't have. */
function more(before: Ran, after: Ran): readonly string[] {
  const changes = ({ plan, notices }: Ran) =>
    plan
      // A preview has no line for a step that sends nothing.
      .filter((step) => isOwn(step) && !sendsNothing(step, stepNotices(notices)))
      // Removing `adopt` changes only the state, and may appear with the object's next change.
      .flatMap(({ op, name, changes: paths }) =>
        paths.flatMap(({ path }) => (path === "adopt" ? [] : [`${op} ${name} ${path}`])),
      );
  const known = new Set(changes(before));
  // An item whose key staff changed was planned as a whole: `update mug variants.M-1`.
  const lists = new Set([...known].flatMap((text) => /^(.* \w+)\.[^.]+$/.exec(text)?.[1] ?? []));
  const isOfItem = (text: string) => lists.has(/^(.* \w+)\.[^.]+\.[^.]+$/.exec(text)?.[1] ?? "");
  return changes(after).filter((text) => !known.has(text) && !isOfItem(text));
}

/** The program as the files have it now. */
function entriesIn(home: string, { program, adopted }: Files, house: House): readonly Entry[] {
  const modules = [...new Set(program.map(({ module = "index" }) => module))];
  const stated = modules.flatMap((module) =>
    ran(module, readFileSync(join(home, `${module}.ts`), "utf8"), new Map(), adopted, house),
  );
  return program.flatMap((entry) => {
    const found = stated.find(({ kind, name }) => kind === entry.kind && name === entry.name);
    return found === undefined ? [] : [{ ...entry, args: found.args }];
  });
}
