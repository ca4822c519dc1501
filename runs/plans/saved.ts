/** Saving a plan, and carrying a saved one out: what the command does around the run itself. */
import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Event, ends, kindOf, makes, type Seal, type Stack, type Step } from "../../engine/index.ts";
import {
  type Approved,
  addressOf,
  allowance,
  printApproved,
  sealOf,
  tell,
} from "../../provider/inventory/index.ts";
import { CommandError, codes } from "../../cli/exit.ts";
import type { RunValues, Verb } from "../../cli/options.ts";
import { version } from "../stack/version.ts";
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
  readonly seal: Seal;
  /** Where the plan is written, and what with. */
  readonly saves?: { readonly path: string; readonly key: PlanKey };
  /** The plan that is carried out. */
  readonly plan?: SavedPlan;
}

const ofPreview = [
  ...(["refresh", "allow", "overwrite", "resend"] as const),
  ...(["target", "target-dependents", "exclude", "replace"] as const),
];

/** @throws CommandError for options that don't go together */
export function checkPlanOptions(verb: Verb, values: RunValues): void {
  const wrong = (text: string) => new CommandError(text, codes.configuration);
  const isPreview = verb === "preview" || values["preview-only"] === true;
  if (values["save-plan"] !== undefined && !isPreview)
    throw wrong("--save-plan goes with preview, or with --preview-only");
  if (values.plan === undefined) return;
  if (isPreview) throw wrong("--plan carries a plan out: leave --preview-only out");
  if (values["skip-preview"])
    throw wrong("--plan can't be used with --skip-preview: the preview is compared with the plan");
  const [decided] = ofPreview.filter((name) => values[name] !== undefined);
  if (decided !== undefined)
    throw wrong(
      `--${decided} is decided with the plan: give it to preview --save-plan, and leave it out here`,
    );
}

/** What this run is, for a plan to agree with. */
export const frameOf = (verb: Verb, { project, name, config, env }: Stack): Frame => ({
  package: version(),
  project: project.name,
  stack: name,
  shop: addressOf({ config: (key) => config.values[key], env }),
  verb: verb === "destroy" ? "destroy" : "up",
});

/**
 * What the options ask of plans; undefined where they ask nothing.
 * @throws Error where the plan can't be read, or none can be made
 */
export function bindingOf(verb: Verb, values: RunValues, stack: Stack): Binding | undefined {
  const { plan: path, "save-plan": target } = values;
  if (target !== undefined) {
    const key = newKey(stack);
    return { key: key.key, seal: sealOf(key.key), saves: { path: target, key } };
  }
  if (path === undefined) return undefined;
  const { plan, key } = readPlan(readText(path), path, frameOf(verb, stack), stack);
  return { key, seal: sealOf(key), plan };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`the plan ${path} can't be read: ${(cause as Error).message}`, { cause });
  }
}

/** The options of a run with what was decided for its plan. */
export const withDecisions = (values: RunValues, plan: Decisions): RunValues => ({
  ...values,
  ...(plan.refresh && { refresh: true }),
  ...(plan.allow !== undefined && { allow: plan.allow }),
  ...(plan.overwrite !== undefined && { overwrite: plan.overwrite }),
  ...(plan.resend !== undefined && { resend: plan.resend }),
  ...chosenIn(plan),
});

// What was left out stays left out.
const chosenIn = ({ target, exclude, replace, ...more }: Partial<Decisions>) => ({
  ...(target !== undefined && { target }),
  ...(more["target-dependents"] && { "target-dependents": true }),
  ...(exclude !== undefined && { exclude }),
  ...(replace !== undefined && { replace }),
});

/** A plan of what a preview showed. */
export const planOf = (frame: Frame, values: RunValues, fresh: Fresh, made: Date): SavedPlan => ({
  ...frame,
  refresh: values.refresh === true,
  allow: values.allow,
  overwrite: values.overwrite,
  resend: values.resend,
  ...chosenIn(values),
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

/** Writes a plan's file, for its owner alone. */
export function writePlan(path: string, plan: SavedPlan, key: PlanKey): void {
  try {
    writeFileSync(path, printPlan(plan, key), { mode: 0o600 });
  } catch (cause) {
    throw new Error(`the plan ${path} can't be written: ${(cause as Error).message}`, { cause });
  }
}

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
    creates: steps.filter(({ op }) => makes(op)).map(creationOf),
  };
}

/** As the SDK calls it (sdk/identity.ts): stack, types of the components it stands in, and name. */
function creationOf({ urn, type, name }: Step): string {
  const [, stack = "", , types = ""] = /^urn:pulumi:(.*?)::(.*?)::(.*?)::/.exec(urn) ?? [];
  const above = types.split("$").slice(0, -1);
  return `${kindOf(type)} ${stack}::${[...above, ""].join("$")}${name}`;
}

/** A seal of one run: its preview and what carries it out. */
export const newSeal = (): Seal => sealOf(randomBytes(32).toString("hex"));

/** An event as it is shown: what makes plans comparable is nobody's to read. */
export function withoutDigests(event: Event): Event {
  if (!("step" in event)) return event;
  const { secrets: _digests, ...step } = event.step;
  return { ...event, step: step.op === "same" ? { ...step, inputs: {} } : step };
}

/** Leaves what was approved in a file for the provider. */
export function openApproved(approved: Approved) {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-approved-"));
  const path = join(folder, "approved.json");
  writeFileSync(path, printApproved(approved), { mode: 0o600 });
  return { env: tell({ approved: path }), close: () => rmSync(folder, { recursive: true, force: true }) };
}
