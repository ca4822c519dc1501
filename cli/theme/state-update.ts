/** Updates a stack's state after theme dev, so that the next preview shows no changes. */
import * as engine from "../../engine/index.ts";
import { baseIn, hashIn, lineHashesIn, settingsEnv, withBodyBase } from "../../provider/inventory/index.ts";
import { definitionOfType, definitions } from "../../provider/resources/index.ts";
import {
  carryOut,
  checkTarget,
  failureTexts,
  isFailed,
  openRequestCounter,
  type PassResult,
  previewRun,
} from "../../runs/command.ts";
import { programInputs } from "../accept/drift.ts";
import type { Cancellation } from "../deploy/cancellation.ts";
import { openSession } from "../deploy/session.ts";
import { CommandError, codes } from "../exit.ts";
import { printNote } from "../terminal/terminal.ts";
import { keyOf, type LocalFile } from "./folder.ts";
import type { Base } from "./sync-state.ts";
import type { Row } from "./theme-client.ts";

const isFile = ({ type }: { readonly type: string }) => definitionOfType(type) === definitions.assets;

/** The base of each theme file in a stack's state, by the file's id. */
export function basesInState(
  stack: engine.Stack | undefined,
  themeId: number,
): (row: Row) => Base | undefined {
  const states =
    stack === undefined || !engine.keepsFiles(placeOf(stack)) ? [] : engine.load(stack).resources;
  const known = new Map(
    states.filter(isFile).flatMap(({ id, outputs = {} }) => {
      // A refresh may have stored the shop's side.
      const asked = withBodyBase(outputs, baseIn(outputs));
      const hash = hashIn(asked);
      return typeof hash === "string" ? [[id, { hash, lines: lineHashesIn(asked) }] as const] : [];
    }),
  );
  return ({ id }) => known.get(`${themeId}/${id}`);
}

const placeOf = ({ project, env }: engine.Stack) => ({ folder: project.folder, env });

interface Recorded {
  readonly stack: engine.Stack;
  readonly themeId: number;
  /** By type and name. */
  readonly touched: ReadonlyMap<string, LocalFile | undefined>;
  readonly stop: Cancellation;
}

/**
 * Applies the program to the synchronized files. The shop has them already, so only the state changes; pictures
 * are sent again, because the shop doesn't show their content.
 * @returns a line for the user; undefined if the stack has none of the files
 */
export async function recordInState({
  stack,
  themeId,
  touched,
  stop,
}: Recorded): Promise<string | undefined> {
  const { name } = stack;
  const later = `run up --stack ${name} to update the state; the shop has the files already`;
  if (touched.size === 0) return undefined;
  if (!engine.keepsFiles(placeOf(stack))) return later;
  const counter = openRequestCounter(process.env, printNote);
  // Adopts files that theme dev created.
  const tools = { counter: { ...counter, env: { ...counter.env, ...settingsEnv({ adopt: "key" }) } }, stop };
  const place = { stack: name, cwd: stack.project.folder };
  try {
    const plan = await previewRun(await checkTarget(openSession("preview", place, tools)), () => {});
    const own = ownIn(plan, themeId, touched);
    if (own.size === 0) return isFailed(plan) ? failed(plan, later) : undefined;
    const there = new Set(engine.load(stack).resources.map(({ urn }) => urn));
    const pictures = [...own].flatMap(([urn, key]) => {
      const now = touched.get(key);
      return now !== undefined && now.text === undefined && there.has(urn) ? [urn] : [];
    });
    const values = {
      ...place,
      "skip-preview": true,
      target: [...own.keys(), ...newParents(plan, own, there)].join(","),
      ...(pictures.length > 0 && { overwrite: pictures.join(",") }),
    };
    const done = await carryOut(await checkTarget(openSession("up", values, tools)), () => {});
    if (done.result.outcome !== "succeeded") return failed(done, later);
    return `The state of ${name} is up to date: a preview shows no changes of these files.`;
  } catch (error) {
    throw new CommandError(
      `${(error as Error).message}\nThe state does not have all changes: ${later}`,
      codes.failure,
    );
  } finally {
    counter.close();
  }
}

const failed = ({ result }: PassResult, later: string) =>
  [...failureTexts(result.failures), `The state does not have all changes: ${later}`].join("\n");

/** The parents of the files, such as a ThemeFolder, that the state doesn't have yet: a run of its targets alone needs them. */
function newParents(
  { steps }: PassResult,
  own: ReadonlyMap<string, string>,
  there: ReadonlySet<string>,
): ReadonlySet<string> {
  const parents = new Map(steps.map(({ urn, parent }) => [urn, parent]));
  const found = new Set<string>();
  for (const urn of own.keys())
    for (let parent = parents.get(urn); parent !== undefined; parent = parents.get(parent))
      if (!there.has(parent)) found.add(parent);
  return found;
}

/** The steps for files of this session: keys by URN. */
function ownIn(
  planned: PassResult,
  themeId: number,
  touched: Recorded["touched"],
): ReadonlyMap<string, string> {
  const asked = programInputs(planned);
  const { steps, declined } = planned;
  return new Map(
    [...steps, ...declined.map(({ step }) => step)].filter(isFile).flatMap(({ urn, olds }) => {
      const values = { ...olds, ...asked.get(urn) };
      const key = keyOf({ type: values.type as LocalFile["type"], name: String(values.name) });
      return Number(values.themeId) === themeId && touched.has(key) ? [[urn, key] as const] : [];
    }),
  );
}
