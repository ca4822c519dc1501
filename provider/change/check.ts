/** Checks arguments before anything is sent. Reports all failures at once, each with its path and the accepted values. */

import { didYouMean, nearest } from "../../engine/common/nearest.ts";
import { isRecord } from "../../engine/common/record.ts";
import { fieldText } from "../../engine/pulumi/path.ts";
import { checkBody, isBodyName, leavesBody } from "../body/arguments.ts";
import {
  type Definition,
  type Field,
  type Fields,
  fieldOf,
  fieldWithFormFor,
  formsText,
  isAlwaysSet,
  isArgument,
  isClientOnly,
  isRequired,
  writtenFormsOf,
} from "../definition/define.ts";
import { isObjectId, resourceOptions } from "../names/options.ts";
import { readOwner } from "../names/owner.ts";
import { toSentForm } from "../names/written-forms.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { checkOthersArgument, type Failure, type InvalidArgument } from "./check-lists.ts";
import { itemName } from "./compare.ts";
import { ignoredIn } from "./keyed-lists.ts";
import { partialLists, requiredToCreate } from "./partial.ts";
import { isSecretPath, shownPath } from "./secrets.ts";

export interface Checked {
  /** The arguments in normal form: equal values have one spelling. */
  readonly inputs: Record<string, unknown>;
  readonly failures: readonly Failure[];
}

export interface ProjectOptions {
  readonly folder: string;
  readonly allowOutside?: boolean | undefined;
  /** The stack's default for `adopt` (`shop:adopt`). */
  readonly adopt?: "key" | undefined;
}

/** Facts about the resource that its arguments don't show. */
export interface CheckOptions {
  /** Whether the state has only a part of the object. Then required arguments may be left out. */
  readonly isPart?: boolean;
  /**
   * Whether the resource is in the state. An engine takes ignored arguments from there, which has no body after a refresh.
   */
  readonly isKnown?: boolean;
}

/** Checks the arguments of a program. Values that a preview doesn't know yet are accepted. */
export async function check(
  definition: Definition,
  news: Values,
  project: ProjectOptions,
  { isPart = false, isKnown = false }: CheckOptions = {},
): Promise<Checked> {
  const { adopt } = news;
  const words = ["adopt", ...partialLists(definition).map(({ others }) => others)];
  const written = Object.fromEntries(
    Object.entries(news).filter(([name]) => !name.startsWith("__") && !words.includes(name)),
  );
  const failures: InvalidArgument[] = [];
  const travels = toSentForm(writtenFormsOf(definition.fields), written, unknownValue);
  const left = isPart || adopt !== undefined ? requiredToCreate(definition) : [];
  // An engine takes these by their names from the state, which lacks those that an adoption didn't send.
  // The plugin's olds may be empty then; a create says by itself what it lacks.
  const ignored = ignoredIn(news);
  const isAbsent = (name: string) => ignored.includes(name) || ignored.includes("*");
  const checking = { kind: definition.kind, failures, left, isAbsent };
  const inputs = checkFields(definition.fields, travels, "", checking);
  // Arguments that the SDK adds.
  for (const name of ["__of", "__secret", "__ignored"])
    if (news[name] !== undefined) inputs[name] = news[name];
  failures.push(...percentFailures(definition.fields, inputs));
  if (definition.body !== undefined && !(isKnown && leavesBody(inputs, ignoredIn(news))))
    failures.push(
      ...(await checkBody(definition, inputs, project)).filter(
        ({ property }) => inputs[property] !== undefined || !(isKnown && isAbsent(property)),
      ),
    );
  if (adopt !== undefined) {
    // The state's id of an object that exists once per shop means the same as "key".
    inputs.adopt = definition.singleton !== undefined && adopt === definition.one ? "key" : adopt;
    failures.push(...checkAdopt(definition, inputs.adopt));
  }
  const others = checkOthersArgument(definition, news, inputs);
  Object.assign(inputs, others.inputs);
  failures.push(...others.failures);
  const joined = concatenatedOutputs({ ...written, adopt, __of: news.__of });
  // Such a text causes the other failures too.
  return { inputs, failures: joined.length > 0 ? joined : failures.map((one) => failureOf(news, one)) };
}

/** Percentages have a maximum, amounts of money don't. */
function percentFailures(fields: Fields, inputs: Values): readonly InvalidArgument[] {
  const [name, unit] = fieldOf(fields, "unit") ?? [];
  if (name === undefined || inputs[name] !== unit?.percent) return [];
  return Object.entries(fields).flatMap(([property, { maxPercent }]) => {
    const given = inputs[property];
    if (maxPercent === undefined || typeof given !== "number" || !(given > maxPercent)) return [];
    return [{ property, reason: `must be at most ${maxPercent} percent`, value: given }];
  });
}

/** A failure as it is reported. Neither a secret value nor the key of a secret list is shown. */
export function failureOf(args: Values, { property, reason, value }: InvalidArgument): Failure {
  if (isSecretPath(args, property)) return { property: shownPath(args, property), reason };
  return { property, reason: withValue(reason, value) };
}

interface Checking {
  readonly kind: string;
  readonly failures: InvalidArgument[];
  /** Required arguments that may be left out. */
  readonly left: readonly string[];
  /** Whether an argument is in `ignoreChanges` and the state may lack it. */
  readonly isAbsent: (name: string) => boolean;
}

function checkFields(
  fields: Fields,
  written: Values,
  path: string,
  checking: Checking,
): Record<string, unknown> {
  const { kind, failures, left, isAbsent } = checking;
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
        path === "" &&
        (isAbsent(name) ||
          (left.includes(name) && written[fieldWithFormFor(fields, name)?.[0] ?? ""] === undefined));
      const reason = isRequired(field) && !isLeft ? requiredText(fields, name, written) : undefined;
      if (reason !== undefined) failures.push({ property: path + name, reason });
    } else {
      const isEmptied = value === "" && field.role === "price" && field.items === undefined;
      const reason = isEmptied
        ? "must be an amount; leave it out to keep the one in the shop"
        : isBlank(field, value)
          ? `must not be empty${isRequired(field) ? "" : "; leave it out to keep the one in the shop"}`
          : formReason(field, value, written);
      if (reason === undefined) inputs[name] = checkField(field, value, path + name, checking);
      else failures.push({ property: path + name, reason });
    }
  }
  return inputs;
}

/** A shop takes a blank name for a missing one, and keeps a value that every object has. */
const isBlank = (field: Field, value: unknown) =>
  isAlwaysSet(field) &&
  (field.type === "text" || !isRequired(field)) &&
  typeof value === "string" &&
  value.trim() === "";

/** The reason why a required argument is missing; undefined if another, invalid argument would have set it. */
function requiredText(fields: Fields, name: string, written: Values): string | undefined {
  const [other = "", field] = fieldWithFormFor(fields, name) ?? [];
  if (field === undefined) {
    const own = fields[name];
    return own?.forms === undefined ? "is required" : `is required: ${formsText(own)}`;
  }
  // Without the other argument, that one is missing; in a short form it sets this one.
  if (written[other] === undefined || isRecord(written[other])) return undefined;
  return `is required if ${other} is a plain number; or write ${other} as ${formsText(field)}`;
}

/** The owner of the arguments at a path: the kind, or a list's items. */
const ownerOf = (kind: string, path: string) =>
  path === "" ? kind : `an item of ${fieldText(path.slice(0, -1))}`;

/** The reason why an argument isn't accepted. @param owner the owner of the arguments in `known` */
export function unknownArgument(
  fields: Fields,
  name: string,
  known: readonly string[],
  owner: string,
): string {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field !== undefined && !isClientOnly(field)) return "is set by the shop; a program can't set it";
  if (resourceOptions.has(name))
    return "is a resource option, not an argument: write it among the options (in TypeScript the third argument)";
  const place = placeOf(fields, name);
  if (place !== undefined) return `unknown argument; write ${place}`;
  return `unknown argument${didYouMean(name, known) || `; ${owner} takes ${known.join(", ")}`}`;
}

/** The place of an argument that belongs into a list's items or into a short form. */
function placeOf(fields: Fields, name: string): string | undefined {
  for (const [list, { items, forms }] of Object.entries(fields)) {
    const inner = items?.fields?.[name];
    if (inner !== undefined && isArgument(inner))
      return `it in an item of ${list}: ${list}: [{ ${name}: ... }]`;
    if (forms !== undefined && Object.hasOwn(forms, name)) return `${list}: { ${name}: ... }`;
  }
  return undefined;
}

function checkField(field: Field, value: unknown, path: string, checking: Checking): unknown {
  if (value === unknownValue) return value;
  const { items } = field;
  if (items?.fields !== undefined && Array.isArray(value)) {
    const { fields, key } = items;
    const names = value.map((entry) => (isRecord(entry) && key !== undefined ? entry[key] : undefined));
    // Items with an id may already be duplicates in the shop (check-lists.ts).
    for (const [index, name] of fields.id === undefined ? names.entries() : [])
      if (typeof name === "string" && name !== unknownValue && names.indexOf(name) < index)
        checking.failures.push({
          property: `${path}[${index}].${key}`,
          reason: `occurs twice: write each ${key} once`,
          value: name,
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
  const result = field.argument(value);
  if ("value" in result) return result.value;
  const hint = nearValue(field, value) || objectHint(field, value);
  checking.failures.push({ property: path, reason: result.wrong + hint, value });
  return value;
}

function nearValue({ values = {} }: Field, given: unknown): string {
  const near =
    typeof given === "string" && given.length > 3 ? nearest(given, Object.keys(values)) : undefined;
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}

/** For an object that stands in the place of its id. */
const objectHint = ({ refersTo }: Field, given: unknown) =>
  refersTo !== undefined && isRecord(given) ? " (write the object's id: theme.id)" : "";

/** The reason why an object isn't a valid short form; undefined if the field has none, or the value isn't an object. */
function formReason(field: Field, value: unknown, beside: Values): string | undefined {
  const { forms, items } = field;
  if (forms === undefined || items !== undefined || !isRecord(value)) return undefined;
  const states = forms[Object.keys(value).join()];
  const others = Object.keys(Object.assign({}, ...Object.values(forms))).join(" and ");
  return states === undefined
    ? `got ${keysText(value)}, expected ${formsText(field)}, or a number and ${others}`
    : `sets ${others} too: leave out ${others}, which is ${Object.keys(states).map((name) => beside[name])}`;
}

const keysText = (value: object) =>
  Object.keys(value).length === 0 ? "{}" : `{ ${Object.keys(value).join(", ")} }`;

function checkItem(fields: Fields, entry: unknown, path: string, checking: Checking): unknown {
  if (entry === unknownValue) return entry;
  if (isRecord(entry)) return checkFields(fields, entry, `${path}.`, checking);
  checking.failures.push({ property: path, reason: "must be an object", value: entry });
  return entry;
}

function checkAdopt(definition: Definition, adopt: unknown): readonly InvalidArgument[] {
  const isKeyed = definition.keys !== undefined || definition.singleton !== undefined;
  if (adopt === unknownValue || (adopt === "key" && isKeyed)) return [];
  if (typeof adopt === "string" && isObjectId(adopt)) return [];
  const id = "the id of the object to adopt";
  const reason =
    adopt === "key"
      ? `${definition.kind} has no natural key: use ${id}`
      : `must be ${id}${isKeyed ? ', or "key" to find it by its natural key' : ""}`;
  return [{ property: "adopt", reason, value: adopt }];
}

// A longer value is cut.
const longest = 40;

/** Adds the value to a reason. @param value must not be a secret */
function withValue(reason: string, value: unknown): string {
  const shown = givenText(value);
  // Other reasons name the value themselves.
  return shown === undefined || !reason.startsWith("must be ") ? reason : `${reason}; got ${shown}`;
}

/** Splits a reason and its value, so that a report can group equal reasons. */
export function splitReason(reason: string): { readonly reason: string; readonly given?: string } {
  const [, rest, given] =
    /^(must be [\s\S]*); got ("(?:[^"\\]|\\.)*"|-?[\w.+-]+|an? \w+)$/.exec(reason) ?? [];
  return rest === undefined || given === undefined ? { reason } : { reason: rest, given };
}

/** The reason that several objects share: those whose keys the shop has, without the id and the key of each. */
export const reasonOfAll = (reason: string): string =>
  reason.replace(/^the shop has \w+ \S+ with .+? already: /, "the shop has each of these already: ");

/** A value as messages show it; undefined if they don't. */
export function givenText(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > longest ? `${value.slice(0, longest - 1)}…` : value);
    case "number":
    case "boolean":
      return String(value);
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "a list" : "an object";
    default:
      return undefined;
  }
}

// Template strings and `+` produce the first, JSON.stringify the second, a Python f-string the third. The SDK's text
// has these brackets.
const advice =
  /Calling (\[toString\]|\[toJSON\]|__str__) on an (?:\[Output<T>\]|Output\[T\]) is not supported/;
const cures: Readonly<Record<string, string>> = {
  "[toString]":
    "contains an Output that was joined to a string with + or in a template: write a template with pulumi.interpolate before it",
  "[toJSON]": "contains an Output that was passed to JSON.stringify: use pulumi.jsonStringify",
  __str__:
    "contains an Output that str() or an f-string made a string: use pulumi.Output.concat or pulumi.Output.format",
};
const joinedName =
  "the resource's name was made from an Output or another object, but a name must be known before anything is created: use a string of the program";
const joinedKey =
  "has a key made from an Output or another object: write the key as a string, such as { Wholesale: 9 }; dependsOn makes the resource wait for the object of that name";
// A script may contain such a word.
const object = /\[object \w+\]/;

/**
 * Finds arguments that a program built from an Output or a promise without pulumi.interpolate: the shop would show their
 * text on its pages. The failure of a resource's name has no path.
 */
export function concatenatedOutputs({ __of, ...args }: Values): ReturnType<typeof joinedIn> {
  const isJoined = reasonIn(readOwner(String(__of ?? "")).name ?? "") !== undefined;
  return isJoined ? [{ property: "", reason: joinedName }] : joinedIn(args);
}

/** @param path the value's path; empty for the arguments as a whole */
function joinedIn(
  value: unknown,
  path = "",
): readonly { readonly property: string; readonly reason: string }[] {
  if (typeof value === "string") {
    const reason = reasonIn(value, isBodyName(path) || path === "otherwise");
    return reason === undefined ? [] : [{ property: path, reason }];
  }
  if (Array.isArray(value)) return value.flatMap((one, index) => joinedIn(one, `${path}[${index}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => {
    return reasonIn(name) === undefined
      ? joinedIn(one, path === "" ? name : `${path}.${name}`)
      : [{ property: path, reason: joinedKey }];
  });
}

function reasonIn(text: string, isBody = false): string | undefined {
  const [, how = ""] = advice.exec(text) ?? [];
  if (how !== "") return cures[how];
  const [joined] = isBody ? [] : (object.exec(text) ?? []);
  return joined === undefined
    ? undefined
    : `holds ${joined}, which is an object that was joined to a text: join one of its values, or await it where it is a promise. A secret of another stack is an object where its passphrase isn't this stack's`;
}
