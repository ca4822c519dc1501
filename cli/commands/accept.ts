/** accept: what staff changed in the shop becomes what the program says. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import * as engine from "../../engine/index.ts";
import { didYouMeanAny } from "../../engine/pulumi/nearest.ts";
import {
  askedIn,
  bodyPath,
  chosenEnv,
  fileIn,
  lastBody,
  linesIn,
  printable,
  sheetText,
  type Values,
} from "../../provider/inventory/index.ts";
import { resources } from "../../provider/resources/index.ts";
import {
  carryOut,
  checkTarget,
  failureTexts,
  type PassResult,
  plural,
  previewRun,
} from "../../runs/command.ts";
import type { Bodies } from "../accept/bodies.ts";
import { type Asked, namersOf } from "../accept/check.ts";
import {
  askedBy,
  type Deleted,
  type Drift,
  deletedOf,
  driftOf,
  driftText,
  goneBefore,
} from "../accept/drift.ts";
import { askedOfFiles, driftOfStates, planElsewhere } from "../accept/languages.ts";
import { type Acceptance, isDrift, planAcceptance } from "../accept/plan.ts";
import { isWhole, remadeOf } from "../accept/remade.ts";
import { withShopBodies } from "../accept/shop-bodies.ts";
import { openSources } from "../accept/sources.ts";
import { readStatements } from "../accept/statements.ts";
import { openTables } from "../accept/tables.ts";
import { noteAccepted, write } from "../accept/write.ts";
import { defineCommand } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { type Parsed, stackOptions } from "../options.ts";
import { entryPath } from "../pull/entry.ts";
import { wasPulled } from "../pull/known.ts";
import { readAdopted } from "../pull/scaffold.ts";
import { confirm, saysYes } from "../report/ask.ts";
import { guardFiles } from "../report/overwrite.ts";
import { openSession, type Session, type Tools, withTools } from "../run/stage.ts";
import { copyNotes } from "../run/state-copy.ts";
import { kindNamed } from "../stack/kinds.ts";
import { type Files, writeFiles } from "../stack/write-files.ts";
import { pull } from "./pull.ts";

const options = {
  stack: stackOptions.stack,
  cwd: stackOptions.cwd,
  all: { type: "boolean", text: "accept all edits of staff" },
  theirs: { type: "boolean", text: "in a conflict, also take the value of the shop" },
  "dry-run": { type: "boolean", text: "show the patch without writing it" },
  yes: { type: "boolean", short: "y", text: "continue without asking" },
  force: { type: "boolean", text: "write into files with uncommitted changes without asking" },
  help: stackOptions.help,
} as const;
type Chosen = Parsed<typeof options>;
type Change = Drift | Deleted;

/** `pulumi-shop accept [NAME | KIND ...]`. */
export const accept = defineCommand({
  usage: "accept [NAME | KIND ...] [options]",
  what:
    "Writes the edits of staff into the program: text files, literals, and rows of tables. Reads the shop first, as refresh does.\n" +
    "If nothing is written, the state stays as it was.\n" +
    "Values that the program computes are listed with their file and line for you to change; the exit code is then 2.",
  example: "pulumi-shop accept --all --stack live",
  options,
  mostPositionals: 1_000,
  words: ({ resources }) => resources(),
  run: (values, names) => withTools({}, (tools) => accepted(values, names, tools)),
});

const nobody = () => {};

/** What a stage that shows nothing came to. @throws CommandError where it failed otherwise than by what is gone */
async function wholeOf(
  stage: Promise<PassResult>,
  gone: ReadonlySet<string> = new Set(),
): Promise<PassResult> {
  const staged = await stage;
  const { result } = staged;
  if (isWhole(staged, gone)) return staged;
  const why = result.outcome === "cancelled" ? ["stopped"] : failureTexts(result.failures);
  throw new CommandError(`${why.join("\n")}\nNothing was written.`, codes.failure);
}

async function accepted(values: Chosen, names: readonly string[], tools: Tools): Promise<number> {
  const own = { ...(values.stack && { stack: values.stack }), ...(values.cwd && { cwd: values.cwd }) };
  const opened = await checkTarget(openSession("preview", own, tools));
  const { config } = opened.stack;
  // Whatever the stack does about what staff changed: here it is asked what that is.
  const settings = { ...config.values, "shop:drift": "revert", "shop:conflicts": "overwrite" };
  const env = { ...opened.stack.env, ...chosenEnv({ keep: [] }) };
  const told = { ...opened.stack, env, config: { ...config, values: settings } };
  // What is read goes into a copy of the state, which is the stack's when something was written.
  const root = mkdtempSync(join(tmpdir(), "pulumi-shop-accept-"));
  try {
    const copy = engine.copyTo(root, told);
    const { name: stack, project } = told;
    copyNotes({ project: project.name, stack }, project.programFolder, env, copy.stack.env);
    const session = { ...opened, stack: copy.stack, last: undefined };
    const read = await wholeOf(carryOut({ ...session, verb: "refresh" }, nobody));
    const reading = { session, read, copy, stack: told };
    const isOurs = told.project.runtime.name === "nodejs";
    const code = await (isOurs ? here(reading, values, names) : elsewhere(reading, values, names));
    if (isOurs && !values["dry-run"]) await pullNew(told, values, names);
    return code;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** What reads the shop, what a refresh came to, the copy of the state that it went into, and the stack as it is. */
interface Reading {
  readonly session: Session;
  readonly read: PassResult;
  readonly copy: engine.Copy;
  readonly stack: engine.Stack;
}

async function here(
  { session, read, copy, stack }: Reading,
  values: Chosen,
  names: readonly string[],
): Promise<number> {
  const { project } = stack;
  const preview: Session = { ...session, options: {} };
  const before = goneBefore(stack, copy.stack);
  const gone = new Set([...before, ...read.steps.filter(engine.isGone).map(({ urn }) => urn)]);
  const found = await wholeOf(previewRun(preview, nobody), gone);
  const asked = askedBy(found);
  const all: readonly Change[] = [...driftOf(found), ...deletedOf(read.steps, asked, before)];
  const remade = remadeOf(found, gone, project.programFolder);
  const mentioned = chosen(copy.stack, [...all, ...remade.map(({ change }) => change)], names);
  const own = mentioned.filter((change) => all.includes(change));
  const told = await withShopBodies(copy.stack, own);
  const wanted = withoutNamed(await withoutUnasked(told, values), asked);
  const bodies = bodiesOf(copy.stack, values.theirs === true ? () => true : (urn) => wanted.theirs.has(urn));
  const plan = (some: readonly Change[]) => {
    const sources = openSources(join(project.programFolder, entryPath(project.programFolder, project.entry)));
    const program = {
      sources,
      statements: readStatements(sources, stack.name),
      tables: openTables(sources, project.programFolder),
    };
    return planAcceptance(some, program, bodies);
  };
  const acceptance = await plan(wanted.changes);
  const others = remade.filter(({ change }) => mentioned.includes(change));
  const left = [...acceptance.left, ...wanted.left, ...others];
  if (values["dry-run"]) return showDry(project.folder, acceptance, left);
  for (const line of acceptedLines(project.folder, acceptance)) show(line);
  if (acceptance.accepted.size > 0 && !values.yes)
    await confirm("Write this into the program?", "nothing was written", session.stop);
  const removed = shortPaths(project.folder, acceptance.removed);
  await guardFiles(project.folder, filesOf(project.folder, acceptance.files), values.force === true, removed);
  let done: readonly Change[] = [];
  const finish = async () => {
    const written = await write(acceptance, {
      plan,
      asked,
      put: (files, gone) =>
        writeFiles(project.folder, filesOf(project.folder, files), shortPaths(project.folder, gone)),
      async ask() {
        const now = await previewRun(preview, nobody);
        return isWhole(now, gone) ? askedBy(now) : undefined;
      },
    });
    ({ done } = written);
    await noteAccepted(copy.stack, written, all);
    return takenOut(done);
  };
  if (acceptance.accepted.size > 0) await copy.adopt(finish);
  const undone = [...acceptance.accepted.keys()].filter((change) => !done.includes(change));
  const notes = undone.map((change) => ({
    change,
    reason: "the program makes something else of it",
    place: undefined,
  }));
  for (const line of leftLines(project.folder, [...left, ...notes])) show(line);
  show(endText(done, `preview --stack ${stack.name}`));
  return left.length + notes.length === 0 ? codes.success : codes.configuration;
}

/** The resources that were taken out of the program; undefined where nothing was written. */
const takenOut = (done: readonly Change[]) =>
  done.length === 0 ? undefined : done.filter((change) => !isDrift(change)).map(({ urn }) => urn);

const show = (text: string) => process.stdout.write(`${printable(text)}\n`);

function showDry(folder: string, acceptance: Acceptance, left: Acceptance["left"]): number {
  const patch = patchOf(folder, acceptance);
  if (patch !== "") show(patch);
  for (const line of leftLines(folder, left)) show(line);
  return left.length === 0 ? codes.success : codes.configuration;
}

/** The same of a program that Pulumi alone runs: what staff changed is told by the state. */
async function elsewhere(
  { session, read, copy, stack }: Reading,
  values: Chosen,
  names: readonly string[],
): Promise<number> {
  const { project } = stack;
  // Nobody says what such a program asks: of what is gone its text is looked at.
  const gone = goneBefore(stack, copy.stack);
  const known = new Map([
    ...gone.map((urn) => [urn, {}] as const),
    ...read.steps.map(({ urn, inputs }) => [urn, inputs as Values] as const),
  ]);
  const drifts = await driftOfStates(engine.load(copy.stack).resources, project.programFolder);
  const all = [...drifts, ...deletedOf(read.steps, known, gone)];
  const theirs = values.theirs === true;
  const wanted = await withShopBodies(copy.stack, chosen(copy.stack, all, names));
  const acceptance = await planElsewhere(
    project,
    wanted,
    bodiesOf(copy.stack, () => theirs),
    theirs,
  );
  const done = [...acceptance.accepted.keys()];
  if (values["dry-run"]) return showDry(project.folder, acceptance, acceptance.left);
  for (const line of acceptedLines(project.folder, acceptance)) show(line);
  if (done.length > 0 && !values.yes)
    await confirm("Write this into the program?", "nothing was written", session.stop);
  const files = filesOf(project.folder, acceptance.files);
  await guardFiles(project.folder, files, values.force === true);
  const finish = async () => {
    writeFiles(project.folder, files);
    const now = await askedOfFiles(done.filter(isDrift), project.programFolder);
    await noteAccepted(copy.stack, { done, now }, all);
    return takenOut(done);
  };
  if (done.length > 0) await copy.adopt(finish);
  for (const line of leftLines(project.folder, acceptance.left)) show(line);
  show(endText(done, `pulumi preview --stack ${stack.name}`));
  return acceptance.left.length === 0 ? codes.success : codes.configuration;
}

/** What staff made comes into a program that was pulled, as `pull --new` writes it. */
async function pullNew(
  { name: stack, project }: engine.Stack,
  { cwd, all }: Chosen,
  names: readonly string[],
): Promise<void> {
  const adopted = readAdopted(project.programFolder, stack);
  const kinds = resources
    .filter(
      ([group, definition]) =>
        (all || names.includes(group) || names.includes(definition.kind)) && wasPulled(adopted, definition),
    )
    .map(([group]) => group);
  if (kinds.length > 0) await pull.run({ ...(cwd && { cwd }), stack, new: true }, kinds);
}

/** @throws CommandError for a name that is neither a resource nor a kind */
function chosen(stack: engine.Stack, all: readonly Change[], names: readonly string[]): readonly Change[] {
  if (names.length === 0) return all;
  const { resources } = engine.load(stack);
  const known = new Set([...resources.map(({ urn }) => engine.nameOf(urn)), ...all.map(({ name }) => name)]);
  const kinds = names
    .filter((name) => !known.has(name))
    .map((name) => {
      try {
        return kindNamed(name)[1].kind;
      } catch {
        const near = didYouMeanAny(
          [name],
          resources.map(({ urn }) => urn),
        );
        throw new CommandError(
          `the stack ${stack.name} has no resource ${name}${near}, and there is no such kind`,
          codes.configuration,
        );
      }
    });
  return all.filter(({ name, kind }) => names.includes(name) || kinds.includes(kind));
}

/** What both changed is asked about on a terminal; without one only `--theirs` takes it. */
async function withoutUnasked(changes: readonly Change[], { theirs }: Chosen) {
  const both = changes.filter((change) => isDrift(change) && change.isConflict && !isMergedText(change));
  const left: { change: Change; reason: string; place: undefined }[] = [];
  const taken = new Set<Change>(theirs ? both : []);
  for (const change of theirs ? [] : both) {
    const isTaken =
      process.stdin.isTTY && (await saysYes(`${changeText(change)}: both changed it. Take the shop's?`));
    if (isTaken) taken.add(change);
    else left.push({ change, reason: "both changed it: --theirs takes the shop's", place: undefined });
  }
  const texts = changes.filter((change) => isDrift(change) && change.isConflict && isMergedText(change));
  return {
    changes: changes.filter((change) => !both.includes(change) || taken.has(change)),
    left,
    theirs: new Set(theirs ? texts.map(({ urn }) => urn) : []),
  };
}

type Wanted = Awaited<ReturnType<typeof withoutUnasked>>;

/** A title that others state amounts under is written by a person, with theirs: one without the other is another program. */
function withoutNamed(wanted: Wanted, asked: Asked): Wanted {
  const left = wanted.changes.flatMap((change) => {
    const by = isDrift(change) ? namersOf(change, asked) : [];
    return by.length === 0
      ? []
      : [
          {
            change,
            reason: `write it where ${by.join(", ")} ${by.length === 1 ? "names" : "name"} it too`,
            place: undefined,
          },
        ];
  });
  const held = new Set(left.map(({ change }) => change));
  return {
    ...wanted,
    changes: wanted.changes.filter((change) => !held.has(change)),
    left: [...wanted.left, ...left],
  };
}

/** A text that a file has: both sides' lines go together. */
const isMergedText = ({ path, inputs }: Drift) => path === bodyPath && fileIn(inputs) !== undefined;

function bodiesOf(stack: engine.Stack, theirs: Bodies["theirs"]): Bodies {
  const states = new Map(engine.load(stack).resources.map(({ urn, outputs }) => [urn, outputs]));
  return {
    home: stack.project.programFolder,
    theirs,
    baseOf: (urn) => linesIn(lastBody(states.get(urn) ?? {}, askedIn(states.get(urn) ?? {}))),
  };
}

const filesOf = (folder: string, files: Acceptance["files"]): Files =>
  new Map([...files].map(([path, text]) => [shortPath(folder, path), text]));
const shortPaths = (folder: string, paths: readonly string[]) => paths.map((path) => shortPath(folder, path));
const shortPath = (folder: string, path: string) => relative(folder, path).split(sep).join("/");

function patchOf(folder: string, { files, removed }: Acceptance): string {
  const { createTwoFilesPatch } = createRequire(import.meta.url)("diff") as typeof import("diff");
  return [...files, ...removed.map((path) => [path, ""] as const)]
    .map(([path, text]) => {
      const name = shortPath(folder, path);
      const [old, next] = [readFileSync(path), Buffer.from(text)].map((one) => sheetText(one, undefined));
      if (next?.includes("\0")) return `Binary file ${name}: ${Buffer.byteLength(text)} bytes`;
      return createTwoFilesPatch(`a/${name}`, `b/${name}`, old ?? "", next ?? "")
        .replace(/^=+\n/, "")
        .trimEnd();
    })
    .join("\n");
}

const changeText = (change: Change): string =>
  `${change.kind} ${change.name}: ${isDrift(change) ? driftText(change) : "deleted by staff"}`;

function acceptedLines(folder: string, { accepted: all }: Acceptance): readonly string[] {
  return [...all].map(
    ([change, places]) =>
      `  ${changeText(change)}  (${[...new Set(places)].map((one) => shortPath(folder, one)).join(", ")})`,
  );
}

function leftLines(folder: string, left: Acceptance["left"]): readonly string[] {
  if (left.length === 0) return [];
  return [
    `Not written, ${left.length}:`,
    ...left.map(({ change, reason, place }) => {
      const at = place === undefined ? "" : `${shortPath(folder, place.path)}:${place.line}  `;
      return `  ${at}${changeText(change)} (${reason})`;
    }),
  ];
}

const endText = (done: readonly Change[], preview: string) =>
  done.length === 0
    ? "Nothing was written."
    : `Wrote ${plural(done.length, "edit")} of staff. Look at the diff and commit it; ${preview} no longer shows them.`;
