/** Finds resources that were renamed without an alias: their objects would be deleted and created again. */
import { kindOf, type Stack, type Step } from "../../engine/index.ts";
import { topOf } from "../../engine/pulumi/path.ts";
import type { Definition } from "../../provider/definition/define.ts";
import {
  asLists,
  chosenIn,
  hashIn,
  hidden,
  isAllowed,
  isBodyName,
  keyOf,
  keyText,
  objectKey,
  type Values,
  wantedBodyHash,
} from "../../provider/inventory/index.ts";
import { movedText, stateRenameText } from "../../provider/names/alias.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import type { StepNotices } from "../report/step-notices.ts";
import type { Refusal } from "../report/step-words.ts";

/** An object that a plan creates or deletes. */
interface Candidate {
  readonly step: Step;
  readonly args: Values;
  readonly keys: readonly string[];
}

/**
 * Refuses to create an object that another step of the plan deletes or replaces.
 * @param notices about the steps: an object that keeps other people's variants has their keys too
 */
export function renameRefusals(
  stack: Stack,
  steps: readonly Step[],
  notices?: StepNotices,
): readonly Refusal[] {
  const allowed = new Set(chosenIn(stack.env, "allow"));
  // Skips what a refresh found, and parts of other steps.
  const own = steps.filter(({ custom, found, partOf }) => custom && !found && partOf === undefined);
  const kinds = Map.groupBy(own, ({ type }) => definitionOfType(type));
  return [...kinds].flatMap(([definition, all]) => {
    if (definition === undefined) return [];
    const isMade = ({ name, urn, type, id = "" }: Step) =>
      isAllowed({ allowed }, name, urn, objectKey(kindOf(type), id));
    const created = all.filter((step) => step.op === "create" && !isMade(step));
    const ended = all.filter(({ op, stays }) => op === "replace" || (op === "delete" && stays !== true));
    if (created.length === 0 || ended.length === 0) return [];
    const before = ended.map((step) => {
      const own = candidateOf(definition, step, step.olds);
      const others = (notices?.overwritten(step) ?? []).flatMap(({ path, is }) => {
        const list = topOf(path);
        const item = list === path || typeof is !== "object" ? [] : [is];
        return candidateOf(definition, step, { [list]: item }).keys;
      });
      return { ...own, keys: [...own.keys, ...others] };
    });
    const byKey = new Map(before.flatMap((one) => one.keys.map((key) => [key, one] as const)));
    return created.flatMap((step) => {
      const made = candidateOf(definition, step, step.inputs);
      const key = made.keys.find((one) => byKey.has(one));
      const twin =
        key === undefined ? before.find((one) => isSameObject(definition, made, one)) : byKey.get(key);
      return twin === undefined ? [] : [renameRefusal(step, twin.step, key)];
    });
  });
}

function candidateOf(definition: Definition, step: Step, values: Values): Candidate {
  const args = asLists(definition, values);
  const keys = (definition.keys ?? []).flatMap((paths) => {
    const key = keyOf({ ...definition, keys: [paths] }, args);
    if (key === undefined || Object.values(key).flat().includes(hidden)) return [];
    const [path = "", value] = Object.entries(key)[0] ?? [];
    // One matching item is enough.
    return Array.isArray(value) ? value.map((one) => keyText({ [path]: one })) : [keyText(key)];
  });
  return { step, args, keys };
}

/** Whether two objects without a natural key have the same values. Bodies are compared by hash if the state has it. */
function isSameObject(definition: Definition, made: Candidate, before: Candidate): boolean {
  if (made.keys.length > 0 || definition.singleton !== undefined) return false;
  const hash = hashIn(before.args);
  if (hash !== undefined && hash !== wantedBodyHash(definition, made.args)) return false;
  const stated = Object.keys(definition.fields).filter(
    (name) =>
      made.args[name] !== undefined &&
      !(hash !== undefined && isBodyName(name)) &&
      // The state has the file's name if the program set it.
      !(name === definition.body?.name && before.args[name] === undefined),
  );
  return stated.every((name) => contains(before.args[name], made.args[name]));
}

/** Whether a value contains all that another one sets; its items may have more. Secrets are never equal. */
function contains(there: unknown, stated: unknown): boolean {
  if (stated === undefined) return true;
  if (typeof stated !== "object" || stated === null) return stated === there && stated !== hidden;
  if (typeof there !== "object" || there === null) return false;
  if (Array.isArray(stated) && stated.length !== (there as readonly unknown[]).length) return false;
  return Object.entries(stated).every(([name, value]) => contains((there as Values)[name], value));
}

function renameRefusal(step: Step, before: Step, key: string | undefined): Refusal {
  const kind = kindOf(step.type);
  const [done, way] =
    before.op === "replace"
      ? ["replaced", stateRenameText(step.urn, before.urn)]
      : ["deleted", movedText(step.urn, before.urn)];
  return {
    step,
    text: `would be created, and ${kind} ${before.name} ${done}, although both are the same object (${key ?? "all values are equal"})${way === "" ? "" : `: ${way}`}`,
    permit: `pass --allow ${step.name} to create it anyway`,
  };
}
