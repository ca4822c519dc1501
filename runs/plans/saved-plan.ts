/** Saving a plan, and carrying a saved one out: what is done around the run itself. */
import { createHash, randomBytes } from "node:crypto";
import { type Event, ends, kindOf, makes, type Stack, type Step } from "../../engine/index.ts";
import { type Approved, addressOf, namesIn, objectKey } from "../../provider/inventory/index.ts";
import { ownerOf } from "../../provider/names/owner.ts";
import { kindOfType } from "../../provider/names/types.ts";
import type { Verb } from "../report/step-words.ts";
import { settingSources } from "../stack/connection.ts";
import { version } from "../stack/version.ts";
import type { UpdateOptions } from "./options.ts";
import { type CurrentPlan, isSeenFor, writingSteps } from "./plan-differences.ts";
import {
  newPlanKey,
  type PlanKey,
  type PlanOptionTexts,
  type PlanTarget,
  printPlan,
  readPlan,
  type SavedPlan,
} from "./plan-file.ts";

/** What a run saves or carries out. */
export interface PlanInUse {
  /** In hex: what secrets are compared by. */
  readonly key: string;
  /** What the plan is written with that is saved. */
  readonly saves?: PlanKey;
  /** The plan that is carried out. */
  readonly plan?: SavedPlan;
  /** The digest of its file: SHA-256, in hex. */
  readonly digest?: string;
}

/** What this run is, for a plan to agree with. */
const targetOf = (verb: Verb, { project, name, config, env }: Stack): PlanTarget => ({
  package: version(),
  project: project.name,
  stack: name,
  shop: addressOf(settingSources({ config, env })),
  verb: verb === "destroy" ? "destroy" : "up",
});

/** What a preview takes whose plan is saved. @throws RunError where the stack's passphrase isn't set, or is another */
export function planToSave(stack: Stack): PlanInUse {
  const saves = newPlanKey(stack);
  return { key: saves.key, saves };
}

/**
 * What a run takes that carries a saved plan out.
 * @param saved the text of the plan's file, and what the file is called in messages
 * @throws RunError as `readPlan` does
 */
export function planToApply(
  verb: Verb,
  stack: Stack,
  saved: { readonly text: string; readonly name: string },
): PlanInUse {
  const { plan, key } = readPlan(saved.text, saved.name, targetOf(verb, stack), stack);
  const digest = createHash("sha256").update(saved.text).digest("hex");
  return { key, plan, digest };
}

/** The text of a plan's file. @param key of the binding whose preview it was */
export const savedPlanText = (
  verb: Verb,
  { stack, options }: { readonly stack: Stack; readonly options: UpdateOptions },
  current: CurrentPlan,
  key: PlanKey,
): string => printPlan(planOf(targetOf(verb, stack), options, current, stack.now()), key);

/** The options of a run with what was decided for its plan. */
export const withPlanOptions = (options: UpdateOptions, plan: PlanOptionTexts): UpdateOptions => ({
  ...options,
  ...(plan.refresh && { refresh: true }),
  ...mapNames(plan, namesIn),
  ...(plan["target-dependents"] && { targetDependents: true }),
});

// What was left out stays left out.
function mapNames<From, To>(
  all: Readonly<Partial<Record<(typeof nameOptions)[number], From | undefined>>>,
  as: (names: From) => To,
) {
  const given = nameOptions.flatMap((name) => {
    const names = all[name];
    return names === undefined ? [] : [[name, as(names)] as const];
  });
  return Object.fromEntries(given) as { [K in (typeof nameOptions)[number]]?: To };
}

const nameOptions = ["allow", "overwrite", "keep", "resend", "target", "exclude", "replace"] as const;

/** A plan of what a preview showed. */
const planOf = (frame: PlanTarget, options: UpdateOptions, current: CurrentPlan, made: Date): SavedPlan => ({
  ...frame,
  refresh: options.refresh === true,
  ...mapNames(options, (names: readonly string[]) => names.join(",")),
  ...(options.targetDependents && { "target-dependents": true }),
  made: made.toISOString(),
  // What there was is bound by what the shop was seen to have.
  steps: writingSteps(current.steps).map((step) => ({ ...step, olds: {} })),
  refused: Object.fromEntries(current.refused.map(({ step, message }) => [step.urn, message])),
  seen: seenObjects(current),
});

// A refresh reads what no step concerns.
function seenObjects({ steps, refused, seen }: CurrentPlan): SavedPlan["seen"] {
  const about = new Set([...writingSteps(steps), ...refused.map(({ step }) => step)].map(objectOf));
  return seen.filter(({ kind, id }) => about.has(objectKey(kind, id)));
}

const objectOf = ({ type, id }: Step) => objectKey(kindOf(type), id ?? "");

/** What the provider asks before each write: the steps that are left, with what the plan saw of their objects. */
export function approvedChanges(plan: SavedPlan, current: CurrentPlan): Approved {
  const steps = writingSteps(current.steps);
  const objects = Map.groupBy(
    steps.filter(({ id }) => id !== undefined),
    objectOf,
  );
  const entries = [...objects].map(([object, its]) => [
    object,
    its.map((step) => {
      const isIt = (one: SavedPlan["seen"][number]) => isSeenFor(one, step);
      return {
        ends: ends(step.op),
        fields: (plan.seen.findLast(isIt) ?? current.seen.findLast(isIt))?.fields,
      };
    }),
  ]);
  return {
    objects: Object.fromEntries(entries),
    creates: steps.filter(({ op, type }) => makes(op) && kindOfType(type) !== undefined).map(createKey),
  };
}

/** The same of a run's own preview: what it showed of a sheet's rows. */
export const approvedRows = ({ seen }: CurrentPlan): Approved => ({
  objects: Object.fromEntries(
    seen.flatMap(({ kind, id, fields, byItem }) =>
      byItem ? [[objectKey(kind, id), [{ ends: false, fields }]] as const] : [],
    ),
  ),
  creates: [],
});

/** As the provider knows the resource that is created. */
function createKey({ urn }: Step): string {
  const { kind, of } = ownerOf(urn);
  return `${kind} ${of}`;
}

/** A key of one run: its preview and what carries it out. */
export const newRunKey = (): string => randomBytes(32).toString("hex");

/** An event as it is shown: what makes plans comparable is nobody's to read. */
export function withoutDigests(event: Event): Event {
  if (!("step" in event)) return event;
  const { secrets: _digests, ...step } = event.step;
  return { ...event, step: step.op === "same" ? { ...step, inputs: {} } : step };
}
