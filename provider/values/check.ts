/** Arguments, before anything is sent: all that is wrong with them at once, each with its path and what would be right. */

import { didYouMean, nearest } from "../../engine/pulumi/nearest.ts";
import { fieldText } from "../../engine/pulumi/path.ts";
import { isRecord } from "../../engine/pulumi/record.ts";
import { leavesBody } from "../body/arguments.ts";
import { checkBody } from "../body/check.ts";
import {
  type Definition,
  type Field,
  type Fields,
  fieldOf,
  formsText,
  isAlways,
  isArgument,
  isClientOnly,
  isRequired,
  naturalsOf,
  statedBy,
} from "../definition/define.ts";
import { natural } from "../names/natural.ts";
import { resourceOptions } from "../names/options.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { itemName } from "./diff.ts";
import { withGiven } from "./given.ts";
import { joinedOutputs } from "./joined.ts";
import { checkOthers } from "./others-check.ts";
import { neededToCreate, partialLists } from "./part.ts";
import { isSecretPath, shownPath } from "./secrecy.ts";
import { ignoredIn } from "./shapes.ts";

export interface Failure {
  readonly property: string;
  readonly reason: string;
}

/** A failure with what was given in the place of what must be. */
interface Wrong extends Failure {
  readonly given?: unknown;
}

export interface Checked {
  /** The arguments, normalised: what equal programs mean has one spelling. */
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly Failure[];
}

export interface Project {
  readonly folder: string;
  /** Whether a file may lie outside the program's folder (`shop:allowOutside`). */
  readonly allowOutside?: boolean | undefined;
  /** The stack's answer where a program says nothing of adoption (`shop:adopt`). */
  readonly adopt?: "key" | undefined;
}

/** What is known of a resource beside what its program writes. */
export interface Beside {
  /** Whether the state has a part of the object only: what was left out then stays left out. */
  readonly isPart?: boolean;
  /** Whether the state has it: an engine takes what ignoreChanges names from there, which has no body after a refresh. */
  readonly isKnown?: boolean;
}

/** Checks what a program wrote. Values that a preview doesn't know yet pass. */
export async function check(
  definition: Definition,
  news: Values,
  project: Project,
  { isPart = false, isKnown = false }: Beside = {},
): Promise<Checked> {
  const { adopt } = news;
  const words = ["adopt", ...partialLists(definition).map(({ others }) => others)];
  const written = Object.fromEntries(
    Object.entries(news).filter(([name]) => !name.startsWith("__") && !words.includes(name)),
  );
  const failures: Wrong[] = [];
  const travels = natural(naturalsOf(definition.fields), written, unknownValue);
  const left = isPart || adopt !== undefined ? neededToCreate(definition) : [];
  const inputs = checkFields(definition.fields, travels, "", { kind: definition.kind, failures, left });
  // What the SDK says of the resource, which no program writes.
  for (const name of ["__of", "__secret", "__ignored"])
    if (news[name] !== undefined) inputs[name] = news[name];
  failures.push(...percentFailures(definition.fields, inputs));
  if (definition.body !== undefined && !(isKnown && leavesBody(inputs, ignoredIn(news))))
    failures.push(...(await checkBody(definition, inputs, project)));
  if (adopt !== undefined) {
    // The id under which a state has what is there once says as much as its key.
    inputs.adopt = definition.singleton !== undefined && adopt === definition.one ? "key" : adopt;
    failures.push(...checkAdopt(definition, inputs.adopt));
  }
  const others = checkOthers(definition, news, inputs);
  Object.assign(inputs, others.inputs);
  failures.push(...others.failures);
  const joined = joinedOutputs({ ...written, adopt, __of: news.__of });
  // Whatever else would be wrong with such texts is wrong because of this.
  return { inputs, failures: joined.length > 0 ? joined : failures.map((one) => failureOf(news, one)) };
}

/** A number of percent is bounded, the same number of money isn't. */
function percentFailures(fields: Fields, inputs: Values): readonly Wrong[] {
  const [name, unit] = fieldOf(fields, "unit") ?? [];
  if (name === undefined || inputs[name] !== unit?.percent) return [];
  return Object.entries(fields).flatMap(([property, { mostPercent }]) => {
    const given = inputs[property];
    if (mostPercent === undefined || typeof given !== "number" || !(given > mostPercent)) return [];
    return [{ property, reason: `must be at most ${mostPercent} where ${name} is ${inputs[name]}`, given }];
  });
}

/** A failure as it leaves: a secret isn't shown, be it the value or the key of its item. */
export function failureOf(args: Values, { property, reason, given }: Wrong): Failure {
  if (isSecretPath(args, property)) return { property: shownPath(args, property), reason };
  return { property, reason: withGiven(reason, given) };
}

/** Whose arguments are checked, and what is found wrong with them. */
interface Checking {
  readonly kind: string;
  readonly failures: Wrong[];
  /** Required arguments of the object itself that may be left out. */
  readonly left: readonly string[];
}

function checkFields(
  fields: Fields,
  written: Values,
  path: string,
  checking: Checking,
): Record<string, unknown> {
  const { kind, failures, left } = checking;
  const inputs: Record<string, unknown> = {};
  const own = Object.entries(fields).filter(([, field]) => isArgument(field));
  const known = own.map(([name]) => name);
  for (const name of Object.keys(written)) {
    if (!known.includes(name))
      failures.push({
        property: path + (name === "" ? '[""]' : name),
        reason: unknownArgument(fields, name, known, ownerOf(kind, path)),
      });
  }
  for (const [name, field] of own) {
    const value = written[name];
    if (value === undefined || value === null) {
      const isLeft =
        path === "" && left.includes(name) && written[statedBy(fields, name)?.[0] ?? ""] === undefined;
      const reason = isRequired(field) && !isLeft ? requiredText(fields, name, written) : undefined;
      if (reason !== undefined) failures.push({ property: path + name, reason });
    } else {
      const isEmptied = value === "" && field.role === "price" && field.items === undefined;
      const reason = isEmptied
        ? "must be an amount; leave it out to keep the one in the shop"
        : path === "" && isBlank(field, value)
          ? "must not be empty"
          : formReason(field, value, written);
      if (reason === undefined) inputs[name] = checkField(field, value, path + name, checking);
      else failures.push({ property: path + name, reason });
    }
  }
  return inputs;
}

/** A shop takes a blank for a name that is missing, and has each of such fields in every object. */
const isBlank = (field: Field, value: unknown) =>
  isAlways(field) && field.type === "text" && typeof value === "string" && value.trim() === "";

/** Why an argument is missing; undefined where another one that states it is wrong itself. */
function requiredText(fields: Fields, name: string, written: Values): string | undefined {
  const [other = "", field] = statedBy(fields, name) ?? [];
  if (field === undefined) return "is required";
  if (isRecord(written[other])) return undefined;
  return `is required beside a plain ${other}; or write ${other} as ${formsText(field)}`;
}

/** Whose arguments stand at a path: the kind's, or those of a list's items. */
const ownerOf = (kind: string, path: string) =>
  path === "" ? kind : `an item of ${fieldText(path.slice(0, -1))}`;

/** Why no program writes an argument of this name. @param owner whose arguments are `known` */
export function unknownArgument(
  fields: Fields,
  name: string,
  known: readonly string[],
  owner: string,
): string {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined && !isClientOnly(field)) return "is given by the shop; a program can't set it";
  if (resourceOptions.has(name))
    return "is a resource option, not an argument: write it among the options (in TypeScript the third argument)";
  return `unknown argument${didYouMean(name, known) || `; ${owner} takes ${known.join(", ")}`}`;
}

function checkField(field: Field, value: unknown, path: string, checking: Checking): unknown {
  if (value === unknownValue) return value;
  const { items } = field;
  if (items?.fields !== undefined && Array.isArray(value)) {
    const { fields, key } = items;
    const names = value.map((entry) => (isRecord(entry) && key !== undefined ? entry[key] : undefined));
    // Items with a number of their own may be doubled in the shop already (doubled.ts).
    for (const [index, name] of fields.id === undefined ? names.entries() : [])
      if (typeof name === "string" && name !== unknownValue && names.indexOf(name) < index)
        checking.failures.push({
          property: `${path}[${index}].${key}`,
          reason: `is there twice: write each ${key} once`,
          given: name,
        });
    return value.map((entry: unknown, index) =>
      checkItem(
        fields,
        entry,
        `${path}[${isRecord(entry) ? itemName(items, entry, index) : index}]`,
        checking,
      ),
    );
  }
  const { each } = field;
  if (each !== undefined && isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, checkField(each, one, `${path}[${name}]`, checking)]),
    );
  const result = field.argument.safeParse(value);
  if (result.success) return result.data;
  checking.failures.push(
    ...result.error.issues.map(({ message }) => ({
      property: path,
      reason: message + nearValue(field, value),
      given: value,
    })),
  );
  return value;
}

/** Which of a field's few values was meant. */
function nearValue({ values = {} }: Field, given: unknown): string {
  const near =
    typeof given === "string" && given.length > 3 ? nearest(given, Object.keys(values)) : undefined;
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

/** What is wrong with an object where a field has other forms; undefined where it has none, or this is no object. */
function formReason(field: Field, value: unknown, beside: Values): string | undefined {
  const { forms, items } = field;
  if (forms === undefined || items !== undefined || !isRecord(value)) return undefined;
  const states = forms[Object.keys(value).join()];
  const others = Object.keys(Object.assign({}, ...Object.values(forms))).join(" and ");
  return states === undefined
    ? `must be ${formsText(field)}, or a number with ${others} beside it`
    : `says ${others} too: leave out ${others}, which is ${Object.keys(states).map((name) => beside[name])}`;
}

function checkItem(fields: Fields, entry: unknown, path: string, checking: Checking): unknown {
  if (entry === unknownValue) return entry;
  if (isRecord(entry)) return checkFields(fields, entry, `${path}.`, checking);
  checking.failures.push({ property: path, reason: "must be an object", given: entry });
  return entry;
}

function checkAdopt(definition: Definition, adopt: unknown): readonly Wrong[] {
  if (adopt === unknownValue) return [];
  const property = "adopt";
  const keyed = definition.keys !== undefined || definition.singleton !== undefined;
  if (adopt === "key") {
    return keyed
      ? []
      : [
          {
            property,
            reason: `${definition.kind} has no natural key: use the id of the object to take over`,
          },
        ];
  }
  if (typeof adopt === "string" && /^\d+(\/\d+)?$/.test(adopt)) return [];
  return [
    {
      property,
      given: adopt,
      reason: `must be the id of the object to take over${keyed ? ', or "key" to find it by its natural key' : ""}`,
    },
  ];
}
