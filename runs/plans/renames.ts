/** Resources that got another name, or another place in the program, without a word of it: their objects would be made a second time. */
import { kindOf, type Stack, type Step } from "../../engine/index.ts";
import { topOf } from "../../engine/pulumi/path.ts";
import type { Definition } from "../../provider/definition/define.ts";
import {
  askedMark,
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
} from "../../provider/inventory/index.ts";
import { movedText, stateRenameText } from "../../provider/names/alias.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import type { Refusal } from "../report/outcome-texts.ts";
import type { StepNotices } from "../report/step-notices.ts";

/** An object that a plan makes, or deletes, by what tells it from others of its kind. */
interface Candidate {
  readonly step: Step;
  readonly args: Values;
  /** Each of its natural keys by itself, in a sentence's words. */
  readonly keys: readonly string[];
}

/**
 * What of a plan deletes an object, or replaces it, and makes the same one under another name.
 * @param notices what the provider told of the steps: what others have in an object goes with it
 */
export function renameRefusals(
  stack: Stack,
  steps: readonly Step[],
  notices?: StepNotices,
): readonly Refusal[] {
  const allowed = new Set(chosenIn(stack.env, "allow"));
  // What a refresh found is done already, and what a step is part of is told by it.
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
    // Of items one is enough.
    return Array.isArray(value) ? value.map((one) => keyText({ [path]: one })) : [keyText(key)];
  });
  return { step, args, keys };
}

/** Whether what has no natural key is the same in all that the new one states; a body goes by its hash where the state has it. */
function isSameObject(definition: Definition, made: Candidate, before: Candidate): boolean {
  if (made.keys.length > 0 || definition.singleton !== undefined) return false;
  const hash = hashIn(before.args);
  if (hash !== undefined && hash !== askedMark(definition, made.args)) return false;
  const stated = Object.keys(definition.fields).filter(
    (name) =>
      made.args[name] !== undefined &&
      !(hash !== undefined && isBodyName(name)) &&
      // The state has a file's name where the program stated it.
      !(name === definition.body?.name && before.args[name] === undefined),
  );
  return stated.every((name) => contains(before.args[name], made.args[name]));
}

/** Whether a value is there as it was stated; an item of a list may have more than that. What is hidden nobody can compare. */
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
    text: `would be made a second time, and ${kind} ${before.name} ${done}, which is the same one (${key ?? "all that it states"})${way === "" ? "" : `: ${way}`}`,
    permit: `pass --allow ${step.name} to make it again`,
  };
}
