/** What theme dev did to a stack's files comes into its state, so that a preview has nothing to say of it. */
import * as engine from "../../engine/index.ts";
import { askedIn, hashIn, lastBody, linesIn, settingsEnv } from "../../provider/inventory/index.ts";
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
import { askedBy } from "../accept/drift.ts";
import { CommandError, codes } from "../exit.ts";
import { openSession, tellPerson } from "../run/stage.ts";
import type { Stop } from "../run/stop.ts";
import { keyOf, type LocalFile } from "./folder.ts";
import type { Base } from "./known.ts";
import type { Row } from "./shop-theme.ts";

const isFile = ({ type }: { readonly type: string }) => definitionOfType(type) === definitions.assets;

/** What a stack's state knows of each file of a theme, by the file's id in the shop. */
export function basesIn(stack: engine.Stack | undefined, themeId: number): (row: Row) => Base | undefined {
  const states =
    stack === undefined || !engine.keepsFiles(placeOf(stack)) ? [] : engine.load(stack).resources;
  const known = new Map(
    states.filter(isFile).flatMap(({ id, outputs = {} }) => {
      // What a refresh has read since is the shop's side.
      const asked = lastBody(outputs, askedIn(outputs));
      const hash = hashIn(asked);
      return typeof hash === "string" ? [[id, { hash, lines: linesIn(asked) }] as const] : [];
    }),
  );
  return ({ id }) => known.get(`${themeId}/${id}`);
}

const placeOf = ({ project, env }: engine.Stack) => ({ folder: project.folder, env });

interface Recorded {
  readonly stack: engine.Stack;
  readonly themeId: number;
  /** By type and name, as the folder has them now. */
  readonly touched: ReadonlyMap<string, LocalFile | undefined>;
  readonly stop: Stop;
}

/**
 * Runs the stack's own program on those of its files that went up or came down: the shop has them already, the state is told.
 * A picture that changed is the exception: the interface shows no content of it, so that it is sent once more.
 * @returns what the person is told; undefined where the stack has none of the files
 */
export async function recordInState({
  stack,
  themeId,
  touched,
  stop,
}: Recorded): Promise<string | undefined> {
  const { name } = stack;
  const later = `run up --stack ${name}: the shop has the files already, and the state is brought up to date`;
  if (touched.size === 0) return undefined;
  if (!engine.keepsFiles(placeOf(stack))) return later;
  const counter = openRequestCounter(process.env, tellPerson);
  // What dev made is the program's own.
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
      target: [...own.keys()].join(","),
      ...(pictures.length > 0 && { overwrite: pictures.join(",") }),
    };
    const done = await carryOut(await checkTarget(openSession("up", values, tools)), () => {});
    if (done.result.outcome !== "succeeded") return failed(done, later);
    return `The state of ${name} has what was changed: a preview has nothing to say of it.`;
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

/** The steps of a plan that are about files of this session, by URN. */
function ownIn(
  planned: PassResult,
  themeId: number,
  touched: Recorded["touched"],
): ReadonlyMap<string, string> {
  const asked = askedBy(planned);
  const { steps, declined } = planned;
  return new Map(
    [...steps, ...declined.map(({ step }) => step)].filter(isFile).flatMap(({ urn, olds }) => {
      const values = { ...olds, ...asked.get(urn) };
      const key = keyOf({ type: values.type as LocalFile["type"], name: String(values.name) });
      return Number(values.themeId) === themeId && touched.has(key) ? [[urn, key] as const] : [];
    }),
  );
}
