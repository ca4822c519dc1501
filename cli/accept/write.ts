/** Writes what was accepted, as much of it as the program then asks, and tells the state. */
import { readFileSync } from "node:fs";
import * as engine from "../../engine/index.ts";
import { bodyPath, isLeafPath, withoutAsked } from "../../provider/inventory/index.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import { type Asked, isMet, most, othersChanged } from "./check.ts";
import { type Deleted, type Drift, partsOf } from "./drift.ts";
import { type Acceptance, isDrift } from "./plan.ts";

type Change = Drift | Deleted;

interface Writing {
  readonly plan: (some: readonly Change[]) => Promise<Acceptance>;
  /** What the program asked before. */
  readonly asked: Asked;
  readonly put: (files: Acceptance["files"], removed: Acceptance["removed"]) => void;
  /** What the program asks as it lies there now; undefined where it fails. */
  readonly ask: () => Promise<Asked | undefined>;
}

export interface WrittenChanges {
  readonly done: readonly Change[];
  /** What the program asks now. */
  readonly now: Asked;
}

/** Writes as much as the program then asks, and nothing that changes anything else of it. */
export async function write(
  acceptance: Acceptance,
  { plan, asked, put, ask }: Writing,
): Promise<WrittenChanges> {
  const changes = [...acceptance.accepted.keys()];
  if (changes.length === 0) return { done: [], now: asked };
  const paths = [...acceptance.files.keys(), ...acceptance.removed];
  const before = new Map(paths.map((path) => [path, readFileSync(path)]));
  const putAll = async (some: readonly Change[]) => {
    put(before, []);
    const { files, removed } = await plan(some);
    put(files, removed);
  };
  let good: WrittenChanges = { done: [], now: asked };
  const attempt = async (some: readonly Change[]): Promise<readonly Change[] | undefined> => {
    await putAll(some);
    const now = await ask();
    if (now === undefined || othersChanged(asked, now, some).length > 0) return undefined;
    const met = some.filter((change) => isMet(change, now));
    if (met.length === some.length) good = { done: some, now };
    return met;
  };
  const met = await attempt(changes);
  if (met?.length === changes.length) return good;
  const kept = await most(met ?? changes, async (some) => (await attempt(some))?.length === some.length);
  await putAll(kept);
  return good;
}

/** The state forgets what the program asked before of what it has accepted. @param all that staff changed */
export function noteAccepted(
  stack: engine.Stack,
  { done, now }: WrittenChanges,
  all: readonly Change[],
): Promise<void> {
  const drifts = done.filter(isDrift);
  if (drifts.length === 0) return Promise.resolve();
  const bodies = new Set(drifts.filter(({ path }) => partsOf(path).top === bodyPath).map(({ urn }) => urn));
  const partly = all.filter((change) => isDrift(change) && isLeafPath(change.path) && !done.includes(change));
  for (const { urn } of partly) bodies.delete(urn);
  return engine.editResources(stack, (state) => {
    const definition = definitionOfType(state.type);
    const own = drifts.filter(({ urn }) => urn === state.urn).map(({ path }) => path);
    if (definition === undefined || own.length === 0 || state.delete) return state;
    const paths = new Set([
      ...own.filter((path) => path !== bodyPath),
      ...(bodies.has(state.urn) ? [bodyPath] : []),
    ]);
    const asks = { args: now.get(state.urn) ?? {}, folder: stack.project.programFolder };
    const outputs = withoutAsked(definition, state.outputs ?? {}, paths, asks);
    return { ...state, outputs: outputs as engine.Properties };
  });
}
