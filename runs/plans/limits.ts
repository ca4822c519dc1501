/** Checks a whole plan against the stack's limits. Only the plan as a whole shows names, deletes and totals. */

import { didYouMean } from "../../engine/common/nearest.ts";
import { configFile, kindOf, load, nameOf, type Stack, type Step, typeOf } from "../../engine/index.ts";
import { pathIn } from "../../engine/pulumi/path.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import {
  asLists,
  checkSetting,
  chosenIn,
  driftOf,
  type Guard,
  guardChange,
  guardCreate,
  guardDelete,
  guardEffects,
  guardOf,
  isAllowed,
  isSheet,
  objectKey,
  ProtectedError,
  settingNames,
  settings,
} from "../../provider/inventory/index.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import { firstOf } from "../report/object-names.ts";
import type { StepNotices } from "../report/step-notices.ts";
import type { Refusal } from "../report/step-words.ts";
import { RunError } from "../stack/errors.ts";
import { settingSources } from "../stack/other-shops.ts";
import type { UpdateOptions } from "./options.ts";
import { renameRefusals } from "./renames.ts";

export const limitsIn = (stack: Stack): Guard | undefined => guardOf(settingSources(stack));

/**
 * Checks the settings in the stack's file and the environment before anything starts.
 * @throws RunError for an invalid value, and for a key that looks like a mistyped setting
 */
export function checkSettings(stack: Stack): void {
  for (const [key, text] of Object.entries(stack.config.values)) {
    checkSettingName(key, stack.project.name);
    checkSettingValue(key, text, `${configFile(stack.project, stack.name)}: `);
  }
  for (const name of settingNames) {
    const { variable } = settings[name];
    if (stack.config.values[`shop:${name}`] === undefined)
      checkSettingValue(`shop:${name}`, stack.env[variable] ?? "", `${variable}: `);
  }
  try {
    limitsIn(stack);
  } catch (error) {
    throw new RunError("setting", (error as Error).message, { cause: error });
  }
}

/**
 * @param project a project named "shop" has its own configuration keys under `shop:`
 * @throws RunError for a key that looks like a mistyped setting: a mistyped limit protects nothing
 */
export function checkSettingName(key: string, project = ""): void {
  const [, space = "", name = ""] = /^([^:]+):(.+)$/s.exec(key) ?? [];
  const isKnown = (settingNames as readonly string[]).includes(name);
  const isMeant = isKnown && space !== project && /^(?:shops?|pulumi-shop)$/i.test(space);
  if (space === "shop" ? isKnown : !isMeant) return;
  const meant = didYouMean(name, settingNames).replace("mean ", "mean shop:");
  if (meant !== "") throw new RunError("setting", `${key} is not a setting of the provider${meant}`);
}

/** @throws RunError for an invalid value of a provider setting */
export function checkSettingValue(key: string, text: string, where = ""): void {
  const name = settingNames.find((one) => key === `shop:${one}`);
  try {
    if (name !== undefined) checkSetting(name, text);
  } catch (error) {
    throw new RunError("setting", `${where}${(error as Error).message}`, { cause: error });
  }
}

const isLimited = (stack: Stack): boolean => limitsIn(stack) !== undefined;

function limitsDeletes(stack: Stack): boolean {
  const guard = limitsIn(stack);
  return guard?.isProtected === true || guard?.maxDeletes !== undefined;
}

/** Whether a plan could be refused. With an empty state, nothing can be deleted or created twice. */
export const canBeRefused = (stack: Stack, { allow }: UpdateOptions): boolean =>
  isLimited(stack) || allow !== undefined || stopsAtDeleted(stack) || load(stack).resources.length > 0;

/** The steps that the stack's limits refuse, and renames without an alias. */
export function limitRefusals(
  stack: Stack,
  steps: readonly Step[],
  notices?: StepNotices,
): readonly Refusal[] {
  const guard = limitsIn(stack);
  const renamed = renameRefusals(stack, steps, notices);
  if (guard === undefined) return renamed;
  // The changes that a refresh found are in the shop already.
  const own = steps.filter(({ custom, found, type }) => custom && !found && !isPulumisOwn(type));
  const each = own.flatMap((step) =>
    stepRefusals(guard, step, notices).map((text) => ({
      step,
      text,
      permit: `pass --allow ${step.name} to permit it`,
    })),
  );
  return [...totalRefusals(guard, own), ...each, ...renamed];
}

function stepRefusals(guard: Guard, step: Step, notices: StepNotices | undefined): readonly string[] {
  const { op, id = "", olds, name } = step;
  const kind = kindOf(step.type);
  if (step.partOf !== undefined || isAllowed(guard, name, step.urn, objectKey(kind, id))) return [];
  const effects = notices?.effects(step);
  const definition = definitionOfType(step.type);
  try {
    if (definition === undefined) {
      guardEffects(guard, { kind, name }, id, effects ?? []);
      return [];
    }
    const args = asLists(definition, step.inputs);
    switch (op) {
      case "delete":
        if (!step.stays) guardDelete(guard, definition, id);
        return [];
      // A replacement reports its own delete; a delete that another replacement causes counts by itself.
      case "delete-replaced":
        guardDelete(guard, definition, id);
        return [];
      case "create":
        guardCreate(guard, definition, args);
        return [];
      case "update":
      case "rename":
      case "adopt":
        // The provider compared with the shop. The state may not have the edits that this step overwrites.
        if (effects === undefined)
          guardChange(guard, { definition, id, olds, args }, { type: "update", paths: [] });
        else guardEffects(guard, { kind, name }, id, effects);
        return [];
      case "replace":
        guardChange(
          guard,
          { definition, id, olds, args },
          { type: "replace", paths: [], replaces: step.replaces.map(pathIn), deleteFirst: false },
        );
        return [];
      // Its delete was refused already.
      case "create-replacement":
      case "same":
      case "read":
      case "refresh":
      case "import":
        return [];
      default:
        op satisfies never;
        return [];
    }
  } catch (error) {
    if (error instanceof ProtectedError) return error.refusals;
    throw error;
  }
}

function totalRefusals(guard: Guard, steps: readonly Step[]): readonly Refusal[] {
  const counted = steps.filter(
    ({ type, id, name, partOf }) =>
      partOf === undefined && !isAllowed(guard, name, objectKey(kindOf(type), id ?? "")),
  );
  const deleted = counted.filter(
    ({ op, stays, type }) => op === "delete" && !stays && !isSheet(kindOf(type)),
  );
  const replaced = counted.filter(({ op }) => op === "replace" || op === "create-replacement");
  return [
    ...countRefusals(deleted, guard.maxDeletes, "deleted", "shop:maxDeletes"),
    ...countRefusals(replaced, guard.maxReplacements, "replaced", "shop:maxReplacements"),
  ];
}

const mostNames = 20;

function countRefusals(
  steps: readonly Step[],
  most: number | undefined,
  done: string,
  setting: string,
): readonly Refusal[] {
  if (most === undefined || steps.length <= most) return [];
  const names = steps.map(({ type, name }) => `${kindOf(type)} ${name}`);
  return [
    {
      step: undefined,
      text: `${steps.length} ${steps.length === 1 ? "object" : "objects"} would be ${done}, but ${setting} is ${most}: ${firstOf(names, mostNames)}`,
      permit: "pass --allow NAME,NAME to permit them",
    },
  ];
}

/** More deletes of one kind than this, and more than this share of the kind, need a confirmation. */
const unattendedCount = 10;
const unattendedShare = 0.1;

/** Refuses large deletes that nobody confirms, on a stack without a limit for deletes. */
export function unattendedRefusals(stack: Stack, steps: readonly Step[]): readonly Refusal[] {
  if (limitsDeletes(stack)) return [];
  const allowed = new Set(chosenIn(stack.env, "allow"));
  const deleted = steps.filter(
    ({ op, stays, partOf, type, name, id = "" }) =>
      op === "delete" &&
      stays !== true &&
      partOf === undefined &&
      !isAllowed({ allowed }, name, objectKey(kindOf(type), id)),
  );
  const managed = Map.groupBy(load(stack).resources, ({ type }) => type);
  return [...Map.groupBy(deleted, ({ type }) => type)].flatMap(([type, { length }]): readonly Refusal[] => {
    const all = managed.get(type)?.length ?? length;
    if (length < unattendedCount || length <= all * unattendedShare) return [];
    return [
      {
        step: undefined,
        text: `${length} of ${all} ${kindOf(type)} resources would be deleted without a confirmation`,
        permit:
          "set shop:maxDeletes to how many a run may delete (SHOP_MAX_DELETES for one run), or pass --allow NAME,NAME",
      },
    ];
  });
}

const isNamed = (names: readonly string[], urn: string): boolean =>
  isAllowed({ allowed: new Set(names) }, nameOf(urn), urn, objectKey(kindOf(typeOf(urn)), ""));

/** Whether a resource stays deleted: `--keep` names it, or the stack has `shop:drift: keep`. */
export function keepsDeleted(stack: Stack, { keep = [] }: UpdateOptions): (urn: string) => boolean {
  const names = [...(chosenIn(stack.env, "keep") ?? []), ...keep];
  const keepsAll = driftOf(settingSources(stack)) === "keep";
  return (urn) => keepsAll || isNamed(names, urn);
}

/** Whether the stack refuses to create deleted objects again (`shop:drift: stop`). */
const stopsAtDeleted = (stack: Stack): boolean => driftOf(settingSources(stack)) === "stop";

/** The steps that would create them again without a confirmation. */
export function recreateRefusals(
  stack: Stack,
  { overwrite = [] }: UpdateOptions,
  steps: readonly Step[],
): readonly Refusal[] {
  if (!stopsAtDeleted(stack)) return [];
  const names = [...(chosenIn(stack.env, "overwrite") ?? []), ...overwrite];
  return steps
    .filter(({ again, urn }) => again && !isNamed(names, urn))
    .map((step) => ({
      step,
      text: "was deleted by staff and would be created again (shop:drift)",
      permit: `accept removes it from the program, --keep ${step.name} leaves it deleted, --overwrite ${step.name} creates it again`,
    }));
}
