/** accept: writes the edits of staff into the program. */

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { nearest } from "../../engine/common/nearest.ts";
import { temporaryFolder } from "../../engine/common/temporary.ts";
import * as engine from "../../engine/index.ts";
import { chosenEnv, messageEnv, printable, type Values } from "../../provider/inventory/index.ts";
import { resources as kinds } from "../../provider/resources/index.ts";
import { carryOut, checkTarget, failureTexts, type PassResult, previewRun } from "../../runs/command.ts";
import {
  type Acceptance,
  acceptedChanges,
  applyAcceptance,
  failedOf,
  type Known,
  noteAccepted,
  planAcceptance,
  type WrittenChanges,
  withPlaces,
} from "../accept/acceptance.ts";
import { resolveConflicts, withoutSharedTitles } from "../accept/conflicts.ts";
import {
  addedByBoth,
  type Change,
  creationsOf,
  deletedObjects,
  deletedOf,
  driftOf,
  endedEdits,
  inProgram,
  isAdopted,
  isDrift,
  isWhole,
  knownUrn,
  programInputs,
  programSteps,
  recreatedObjects,
} from "../accept/drift.ts";
import { bodiesOf, withShopBodies } from "../accept/file-edits.ts";
import {
  acceptedLines,
  endText,
  filesOf,
  leftLines,
  patchOf,
  printablePatch,
  shortPaths,
} from "../accept/lines.ts";
import { driftOfStates, fileInputs, planOtherLanguage } from "../accept/other-languages.ts";
import { otherPrograms, otherStackLines, stacksWith } from "../accept/other-stacks.ts";
import { type Remade, remadeDrift, remadeObjects, withNewObjects } from "../accept/remade.ts";
import { openTables } from "../accept/tables.ts";
import { type Put, purpose, restoringFiles, type Tried, tryingFiles } from "../accept/tried-files.ts";
import { openSession, type RunTools, type Session, withRunTools } from "../deploy/session.ts";
import { copyNotes } from "../deploy/state-copy.ts";
import { CommandError, codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { readDeclarations } from "../program/declarations.ts";
import { openSources } from "../program/sources.ts";
import { entryPath } from "../pull/entry.ts";
import { wasPulled } from "../pull/existing-program.ts";
import { readAdopted } from "../pull/scaffold.ts";
import { isKindName, kindNamed } from "../stack/kinds.ts";
import { confirm, confirmOverwrite } from "../terminal/prompts.ts";
import { pull } from "./pull.ts";

const options = {
  stack: stackOptions.stack,
  cwd: stackOptions.cwd,
  all: {
    type: "boolean",
    text: "accept all edits of staff, and add the objects that they created to files that pull wrote",
  },
  theirs: { type: "boolean", text: "in a conflict, also take the value of the shop" },
  "dry-run": {
    type: "boolean",
    text: "show the patch only: the files are changed for one preview, and then restored",
  },
  yes: { type: "boolean", short: "y", text: "continue without asking" },
  force: { type: "boolean", text: "write into files with uncommitted changes without asking" },
  help: stackOptions.help,
} as const;
type Chosen = Parsed<typeof options>;
export const accept = defineCommand({
  usage: "accept [NAME | KIND ...] [options]",
  description:
    "Writes the edits of staff into the program: into its text files, literals and rows of tables. It reads the shop first, as " +
    "refresh does. If it writes nothing, the state stays as it was.\n" +
    "For values that the program computes, it lists the file and line that you must change, and exits with 2.",
  example: "pulumi-shop accept --all --stack live",
  options,
  maxPositionals: 1_000,
  completions: ({ resources }) => resources(),
  run(values, names) {
    if (values.all && names.length > 0) throw usageError("give names or --all, not both");
    return withRunTools({}, (tools) => acceptEdits(values, names, tools));
  },
});

const nobody = () => {};

const stopped = () => new CommandError("stopped; nothing was written", codes.cancelled);

/** @throws CommandError if a run failed, except for creates of deleted objects */
function checked(staged: PassResult, gone: ReadonlySet<string>): PassResult {
  const { result } = staged;
  if (isWhole(staged, gone)) return staged;
  if (result.outcome === "cancelled") throw stopped();
  throw new CommandError(`${failureTexts(result.failures).join("\n")}\nNothing was written.`, codes.failure);
}

async function acceptEdits(values: Chosen, names: readonly string[], tools: RunTools): Promise<number> {
  const own = { ...(values.stack && { stack: values.stack }), ...(values.cwd && { cwd: values.cwd }) };
  const opened = await checkTarget(openSession("preview", own, tools, { mayCreate: false }));
  const { env } = opened.stack;
  const shown = { ...chosenEnv({ keep: [] }), ...messageEnv(env, { edits: "shown" }) };
  const told = { ...opened.stack, env: { ...env, ...shown } };
  // The refresh goes into a copy of the state. The copy becomes the state when edits are written.
  const root = temporaryFolder(purpose);
  try {
    const first = await refreshed(opened, told, join(root, "first"));
    const remade = await remadeObjects(told, first.read.steps);
    const reading = remade.length === 0 ? first : await refreshed(opened, told, join(root, "again"), remade);
    const isOurs = told.project.runtime.name === "nodejs";
    const code = await (isOurs
      ? acceptTypeScript(reading, values, names)
      : acceptOtherLanguage(reading, values, names));
    if (isOurs && !values["dry-run"]) await pullNew(told, values, names);
    return code;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Reads the shop into a copy of the state. @param root its folder @param remade resources whose objects staff made again */
async function refreshed(
  opened: Session,
  stack: engine.Stack,
  root: string,
  remade: readonly Remade[] = [],
): Promise<Reading> {
  const copy = engine.copyTo(root, stack);
  const { name, project, env } = stack;
  copyNotes({ project: project.name, stack: name }, project.programFolder, env, copy.stack.env);
  if (remade.length > 0) await withNewObjects(copy.stack, remade);
  const session = { ...opened, stack: copy.stack, last: undefined };
  const read = await checked(await carryOut({ ...session, verb: "refresh" }, nobody), new Set());
  return { session, read, copy, stack, remade, home: dirname(root) };
}

/** The session that reads the shop, the result of its refresh, the copy of the state, and the unchanged stack. */
interface Reading {
  readonly remade: readonly Remade[];
  /** This process's folder. */
  readonly home: string;
  readonly session: Session;
  readonly read: PassResult;
  readonly copy: engine.Copy;
  readonly stack: engine.Stack;
}

async function acceptTypeScript(reading: Reading, values: Chosen, names: readonly string[]): Promise<number> {
  const { session, read, copy, stack, remade } = reading;
  const { project } = stack;
  const preview: Session = { ...session, options: {} };
  const before = deletedObjects(stack, copy.stack, read.steps);
  const ran = await previewRun(preview, nobody);
  const states = engine.load(copy.stack).resources.map(({ urn }) => urn);
  const known = knownUrn(new Set([...states, ...before.keys()]), ran.result);
  const deleted = inProgram(before, ran.result, known);
  const gone = new Set(deleted.keys());
  const found = checked(ran, gone);
  const asked = programInputs(found);
  const all: readonly Change[] = [
    ...driftOf(found),
    ...addedByBoth(found, { before: stack, after: copy.stack }),
    ...remadeDrift(remade, asked, known),
    ...deletedOf(deleted, programSteps(found)).filter(({ urn }) => !isAdopted(found, urn)),
  ];
  const created = creationsOf(found, project.folder);
  const unplaced = [...recreatedObjects(found, gone, created), ...endedEdits(found)];
  const mentioned = selected(copy.stack, [...all, ...unplaced.map(({ change }) => change)], names);
  const own = mentioned.filter((change) => all.includes(change));
  const told = await withShopBodies(copy.stack, own);
  const bodies = bodiesOf(copy.stack, values.theirs === true);
  const wanted = withoutSharedTitles(await resolveConflicts(told, bodies), asked);
  const { programFolder: home, entry } = project;
  const sources = openSources([join(home, entryPath(home, entry))], home);
  const program = {
    sources,
    statements: readDeclarations(sources, stack.name),
    tables: openTables(sources, home),
    others: otherPrograms(stack, sources),
    created,
  };
  const plan = (some: readonly Change[]) => planAcceptance(some, program, bodies);
  const acceptance = await plan(wanted.changes);
  const others = unplaced.filter(({ change }) => mentioned.includes(change));
  const unwanted = withPlaces(wanted.left, await plan(wanted.left.map(({ change }) => change)));
  const { folder } = project;
  return settle(reading, values, {
    acceptance: { ...acceptance, left: [...acceptance.left, ...unwanted, ...others] },
    stacks: stacksWith(stack, acceptance, program),
    all,
    known,
    plan,
    write: (put) =>
      applyAcceptance(acceptance, {
        plan,
        asked,
        put: (files, gone) => put(filesOf(folder, files), shortPaths(folder, gone)),
        async ask() {
          const now = await previewRun({ ...preview, comparesInputs: true }, nobody);
          if (now.result.outcome === "cancelled") throw stopped();
          return isWhole(now, gone) ? programInputs(now) : undefined;
        },
      }),
  });
}

/** The changes that can be written, and how to write them. */
interface Proposal {
  readonly acceptance: Acceptance;
  /** Other stacks whose program changes, too. */
  readonly stacks: readonly string[];
  readonly all: readonly Change[];
  readonly known: Known;
  readonly plan: (some: readonly Change[]) => Promise<Acceptance>;
  readonly write: (put: Put) => Promise<WrittenChanges>;
}

/** Shows the changes, asks, writes them and moves the state along. @returns the exit code */
async function settle(
  { session, copy, home, stack: { name, project } }: Reading,
  values: Chosen,
  proposal: Proposal,
): Promise<number> {
  const { folder, runtime } = project;
  const { acceptance, stacks, all, known, write } = proposal;
  const { accepted, left, files, removed } = acceptance;
  const paths = [...filesOf(folder, files).keys(), ...shortPaths(folder, removed)];
  const tried = { folder, paths, noted: home };
  if (values["dry-run"]) return showPatch(tried, proposal);
  for (const line of acceptedLines(folder, acceptance)) show(line);
  for (const line of [...leftLines(folder, left), ...otherStackLines(stacks)]) show(line);
  if (accepted.size > 0 && !values.yes)
    await confirm("Write this into the program?", "nothing was written", session.stop);
  await confirmOverwrite(folder, filesOf(folder, files), values.force === true, shortPaths(folder, removed));
  let done: readonly Change[] = [];
  const finish = async (put: Put) => {
    const written = await write(put);
    ({ done } = written);
    await noteAccepted(copy.stack, written, all, known);
    return acceptedChanges(done, known);
  };
  if (accepted.size > 0) await restoringFiles(tried, (put) => copy.adopt(() => finish(put)));
  const failed = failedOf(acceptance, done);
  for (const line of leftLines(folder, failed)) show(line);
  const preview = `${runtime.name === "nodejs" ? "" : "pulumi "}preview --stack ${name}`;
  show(endText(done, [...left, ...failed], preview));
  return left.length + failed.length === 0 ? codes.success : codes.configuration;
}

const show = (text: string) => process.stdout.write(`${printable(text)}\n`);

/** Shows what would be written. The edits are tried for that, and the files put back. @returns the exit code of writing them */
async function showPatch(tried: Tried, { acceptance, stacks, plan, write }: Proposal): Promise<number> {
  const { folder } = tried;
  const { done } = await tryingFiles(tried, write);
  const failed = failedOf(acceptance, done);
  const patch = patchOf(folder, failed.length === 0 ? acceptance : await plan(done));
  process.stdout.write(printablePatch(patch));
  const left = [...acceptance.left, ...failed];
  for (const line of [...leftLines(folder, left), ...otherStackLines(stacks)]) show(line);
  return left.length === 0 ? codes.success : codes.configuration;
}

/** Accepts edits for a program that only pulumi can run. The drift comes from the state. */
async function acceptOtherLanguage(
  reading: Reading,
  values: Chosen,
  names: readonly string[],
): Promise<number> {
  const { read, copy, stack, remade } = reading;
  const { project } = stack;
  // The program's inputs aren't known, so its text is searched for deleted resources.
  const gone = [...deletedObjects(stack, copy.stack, read.steps).keys()];
  const steps = new Map(read.steps.map((step) => [step.urn, step]));
  const known = gone.map((urn) => [urn, steps.get(urn) ?? { type: engine.typeOf(urn), inputs: {} }] as const);
  const drifts = await driftOfStates(engine.load(copy.stack).resources, project.programFolder);
  const again = new Map(
    engine.load(copy.stack).resources.map(({ urn, inputs = {} }) => [urn, inputs as Values] as const),
  );
  const all = [
    ...drifts,
    ...remadeDrift(remade, again),
    ...deletedOf(new Map(gone.map((urn) => [urn, undefined])), new Map(known)),
  ];
  const wanted = await withShopBodies(copy.stack, selected(copy.stack, all, names));
  const bodies = bodiesOf(copy.stack, values.theirs === true);
  const acceptance = await planOtherLanguage(project, wanted, bodies);
  return settle(reading, values, {
    acceptance,
    stacks: stacksWith(stack, acceptance),
    all,
    known: (urn) => urn,
    plan: () => Promise.resolve(acceptance),
    async write(put) {
      const done = [...acceptance.accepted.keys()];
      put(filesOf(project.folder, acceptance.files), []);
      return { done, now: await fileInputs(done.filter(isDrift), project.programFolder) };
    },
  });
}

/** Adds objects that staff created to a pulled program, like `pull --new`. */
async function pullNew(
  { name: stack, project }: engine.Stack,
  { cwd, all }: Chosen,
  names: readonly string[],
): Promise<void> {
  const adopted = readAdopted(project.programFolder, stack);
  const groups = kinds
    .filter(
      ([group, definition]) =>
        (all || names.includes(group) || names.includes(definition.kind)) && wasPulled(adopted, definition),
    )
    .map(([group]) => group);
  if (groups.length > 0) await pull.run({ ...(cwd && { cwd }), stack, new: true }, groups);
}

/** @throws CommandError for a name that is neither a resource nor a kind */
function selected(stack: engine.Stack, all: readonly Change[], names: readonly string[]): readonly Change[] {
  if (names.length === 0) return all;
  const { resources } = engine.load(stack);
  const known = new Set([...resources.map(({ urn }) => engine.nameOf(urn)), ...all.map(({ name }) => name)]);
  // A sheet of prices has no object in the shop: only the state has its kind.
  const managed = new Set(resources.map(({ type }) => engine.kindOf(type)));
  const named = names
    .filter((name) => !known.has(name))
    .map((name) => {
      try {
        return [...managed].find((kind) => isKindName(kind, name)) ?? kindNamed(name)[1].kind;
      } catch {
        // A kind in one's own language has few letters in common: `Kupon`.
        const most = Math.ceil(name.length / 3);
        const near = nearest(name, [...known, ...managed, ...kinds.map(([, { kind }]) => kind)], most);
        throw usageError(
          `the stack ${stack.name} has no resource ${name}, and there is no such kind${near === undefined ? "" : `, did you mean ${near}?`}`,
        );
      }
    });
  return all.filter(({ name, kind }) => names.includes(name) || named.includes(kind));
}
