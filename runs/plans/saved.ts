/** Saving a plan, and carrying a saved one out: what is done around the run itself. */
import { createHash, randomBytes } from "node:crypto";
import { type Event, ends, kindOf, makes, type Stack, type Step } from "../../engine/index.ts";
import { type Approved, addressOf, allowance, namesIn } from "../../provider/inventory/index.ts";
import { ownerOf } from "../../provider/names/owner.ts";
import { kindOfType } from "../../provider/names/types.ts";
import type { Verb } from "../report/op-words.ts";
import { sourcesOf } from "../stack/sources.ts";
import { version } from "../stack/version.ts";
import type { Choices } from "./choices.ts";
import {
  type Decisions,
  type Frame,
  newKey,
  type PlanKey,
  printPlan,
  readPlan,
  type SavedPlan,
} from "./plan-file.ts";
import { doing, type Fresh, isOf } from "./stale.ts";

/** What a run saves or carries out. */
export interface Binding {
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
const frameOf = (verb: Verb, { project, name, config, env }: Stack): Frame => ({
  package: version(),
  project: project.name,
  stack: name,
  shop: addressOf(sourcesOf({ config, env })),
  verb: verb === "destroy" ? "destroy" : "up",
});

/** What a preview takes whose plan is saved. @throws RunError where the stack's passphrase isn't set, or is another */
export function bindingToSave(stack: Stack): Binding {
  const saves = newKey(stack);
  return { key: saves.key, saves };
}

/**
 * What a run takes that carries a saved plan out.
 * @param saved the text of the plan's file, and what the file is called in messages
 * @throws RunError as `readPlan` does
 */
export function bindingTo(
  verb: Verb,
  stack: Stack,
  saved: { readonly text: string; readonly name: string },
): Binding {
  const { plan, key } = readPlan(saved.text, saved.name, frameOf(verb, stack), stack);
  const digest = createHash("sha256").update(saved.text).digest("hex");
  return { key, plan, digest };
}

/** The text of a plan's file. @param key of the binding whose preview it was */
export const savedPlan = (
  verb: Verb,
  { stack, choices }: { readonly stack: Stack; readonly choices: Choices },
  fresh: Fresh,
  key: PlanKey,
): string => printPlan(planOf(frameOf(verb, stack), choices, fresh, stack.now()), key);

/** The choices of a run with what was decided for its plan. */
export const withDecisions = (choices: Choices, plan: Decisions): Choices => ({
  ...choices,
  ...(plan.refresh && { refresh: true }),
  ...named(plan, namesIn),
  ...(plan["target-dependents"] && { targetDependents: true }),
});

// What was left out stays left out.
function named<From, To>(
  all: Readonly<Partial<Record<(typeof namedChoices)[number], From | undefined>>>,
  as: (names: From) => To,
) {
  const given = namedChoices.flatMap((name) => {
    const names = all[name];
    return names === undefined ? [] : [[name, as(names)] as const];
  });
  return Object.fromEntries(given) as { [K in (typeof namedChoices)[number]]?: To };
}

const namedChoices = ["allow", "overwrite", "keep", "resend", "target", "exclude", "replace"] as const;

/** A plan of what a preview showed. */
const planOf = (frame: Frame, choices: Choices, fresh: Fresh, made: Date): SavedPlan => ({
  ...frame,
  refresh: choices.refresh === true,
  ...named(choices, (names: readonly string[]) => names.join(",")),
  ...(choices.targetDependents && { "target-dependents": true }),
  made: made.toISOString(),
  // What there was is bound by what the shop was seen to have.
  steps: doing(fresh.steps).map((step) => ({ ...step, olds: {} })),
  refused: Object.fromEntries(fresh.refused.map(({ step, message }) => [step.urn, message])),
  seen: seenBy(fresh),
});

// A refresh reads what no step concerns.
function seenBy({ steps, refused, seen }: Fresh): SavedPlan["seen"] {
  const about = new Set([...doing(steps), ...refused.map(({ step }) => step)].map(objectOf));
  return seen.filter(({ kind, id }) => about.has(allowance(kind, id)));
}

const objectOf = ({ type, id }: Step) => allowance(kindOf(type), id ?? "");

/** What the provider asks before each write: the steps that are left, with what the plan saw of their objects. */
export function approvedOf(plan: SavedPlan, fresh: Fresh): Approved {
  const steps = doing(fresh.steps);
  const objects = Map.groupBy(
    steps.filter(({ id }) => id !== undefined),
    objectOf,
  );
  const entries = [...objects].map(([object, its]) => [
    object,
    its.map((step) => {
      const isIt = (one: SavedPlan["seen"][number]) => isOf(one, step);
      return {
        ends: ends(step.op),
        fields: (plan.seen.findLast(isIt) ?? fresh.seen.findLast(isIt))?.fields,
      };
    }),
  ]);
  return {
    objects: Object.fromEntries(entries),
    creates: steps.filter(({ op, type }) => makes(op) && kindOfType(type) !== undefined).map(creationOf),
  };
}

/** The same of a run's own preview: what it showed of a sheet's rows. */
export const shownOf = ({ seen }: Fresh): Approved => ({
  objects: Object.fromEntries(
    seen.flatMap(({ kind, id, fields, byItem }) =>
      byItem ? [[allowance(kind, id), [{ ends: false, fields }]] as const] : [],
    ),
  ),
  creates: [],
});

/** As the provider knows the resource that is created. */
function creationOf({ urn }: Step): string {
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
