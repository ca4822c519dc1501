/** Saves plans and applies saved plans. */
import { hash, randomBytes } from "node:crypto";
import { type Event, ends, kindOf, makes, type Stack, type Step } from "../../engine/index.ts";
import { type Approved, addressOf, namesIn, objectKey } from "../../provider/inventory/index.ts";
import { ownerOf } from "../../provider/names/owner.ts";
import { kindOfType } from "../../provider/names/types.ts";
import type { Verb } from "../report/step-words.ts";
import { settingSources } from "../stack/other-shops.ts";
import { version } from "../stack/version.ts";
import { nameOptions, type UpdateOptions } from "./options.ts";
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

/** The plan that a run saves or applies. */
export interface PlanInUse {
  /** In hex. Secrets are compared by digests under it. */
  readonly key: string;
  readonly saves?: PlanKey;
  readonly plan?: SavedPlan;
  /** SHA-256 of its file, in hex. */
  readonly digest?: string;
}

const targetOf = (verb: Verb, { project, name, config, env }: Stack): PlanTarget => ({
  package: version(),
  project: project.name,
  stack: name,
  shop: addressOf(settingSources({ config, env })),
  verb: verb === "destroy" ? "destroy" : "up",
});

/** @throws RunError if the stack's passphrase is missing or wrong */
export function planToSave(stack: Stack): PlanInUse {
  const saves = newPlanKey(stack);
  return { key: saves.key, saves };
}

/**
 * Reads the saved plan that a run applies.
 * @param saved the text of the plan's file, and the file's name for messages
 * @throws RunError as `readPlan` does
 */
export function planToApply(
  verb: Verb,
  stack: Stack,
  saved: { readonly text: string; readonly name: string },
): PlanInUse {
  const { plan, key } = readPlan(saved.text, saved.name, targetOf(verb, stack), stack);
  const digest = hash("sha256", saved.text);
  return { key, plan, digest };
}

export const savedPlanText = (
  verb: Verb,
  { stack, options }: { readonly stack: Stack; readonly options: UpdateOptions },
  current: CurrentPlan,
  key: PlanKey,
): string => printPlan(planOf(targetOf(verb, stack), options, current, stack.now()), key);

/** The options of a run, extended by those that were saved with its plan. */
export const withPlanOptions = (options: UpdateOptions, plan: PlanOptionTexts): UpdateOptions => ({
  ...options,
  ...(plan.refresh && { refresh: true }),
  ...mapNames(plan, namesIn),
  ...(plan["target-dependents"] && { targetDependents: true }),
});

// Leaves out options that were not given.
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

const planOf = (frame: PlanTarget, options: UpdateOptions, current: CurrentPlan, made: Date): SavedPlan => ({
  ...frame,
  refresh: options.refresh === true,
  ...mapNames(options, (names: readonly string[]) => names.join(",")),
  ...(options.targetDependents && { "target-dependents": true }),
  made: made.toISOString(),
  // The plan holds the values that the provider read, so it doesn't need those of the state.
  steps: writingSteps(current.steps).map((step) => ({ ...step, olds: {} })),
  refused: Object.fromEntries(current.refused.map(({ step, message }) => [step.urn, message])),
  seen: seenObjects(current),
});

// A refresh also reads objects that no step changes.
function seenObjects({ steps, refused, seen }: CurrentPlan): SavedPlan["seen"] {
  const about = new Set([...writingSteps(steps), ...refused.map(({ step }) => step)].map(objectOf));
  return seen.filter(({ kind, id, provider = "" }) => about.has(`${provider} ${objectKey(kind, id)}`));
}

const objectOf = ({ type, id, provider = "" }: Step) => `${provider} ${objectKey(kindOf(type), id ?? "")}`;

/** The changes that the provider may make: the remaining steps, with the values that the plan read. */
export function approvedChanges(plan: SavedPlan, current: CurrentPlan): Approved {
  const steps = writingSteps(current.steps);
  const objects = Map.groupBy(
    steps.filter(({ id }) => id !== undefined),
    objectOf,
  );
  const entries = [...objects.values()].map((its): ApprovedEntry => {
    const [{ provider, type, id = "" }] = its as [Step];
    const seenFor = (step: Step) => {
      const isIt = (one: SavedPlan["seen"][number]) => isSeenFor(one, step);
      return (plan.seen.findLast(isIt) ?? current.seen.findLast(isIt))?.fields;
    };
    const changes = its.map((step) => ({ ends: ends(step.op), fields: seenFor(step) }));
    return { provider, object: objectKey(kindOf(type), id), changes };
  });
  const creates = steps.filter(({ op, type }) => makes(op) && kindOfType(type) !== undefined).map(createKey);
  return { ...byProvider(entries), creates };
}

/** The rows of sheets that the run's own preview showed. */
export const approvedRows = ({ seen }: CurrentPlan): Approved => ({
  ...byProvider(
    seen.flatMap(({ provider, kind, id, fields, byItem }) =>
      byItem ? [{ provider, object: objectKey(kind, id), changes: [{ ends: false, fields }] }] : [],
    ),
  ),
  creates: [],
});

interface ApprovedEntry {
  readonly provider: string | undefined;
  readonly object: string;
  readonly changes: Approved["objects"][string];
}

/** Approved objects, by the process that may change them. */
function byProvider(entries: readonly ApprovedEntry[]): Pick<Approved, "objects" | "others"> {
  const of = (its: readonly ApprovedEntry[]) =>
    Object.fromEntries(its.map(({ object, changes }) => [object, changes]));
  const { "": own = [], ...others } = Object.fromEntries(
    Map.groupBy(entries, ({ provider = "" }) => provider),
  );
  const named = Object.entries(others).map(([provider, its]) => [provider, of(its)] as const);
  return { objects: of(own), ...(named.length > 0 && { others: Object.fromEntries(named) }) };
}

/** The provider's name for a resource that is created. */
function createKey({ urn }: Step): string {
  const { kind, of } = ownerOf(urn);
  return `${kind} ${of}`;
}

export const newRunKey = (): string => randomBytes(32).toString("hex");

/** Removes the digests of secrets from an event before it is shown. */
export function withoutDigests(event: Event): Event {
  if (!("step" in event)) return event;
  const { secrets: _digests, ...step } = event.step;
  return { ...event, step: step.op === "same" ? { ...step, inputs: {} } : step };
}
