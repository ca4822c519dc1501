/**
 * Short forms of arguments, as definitions describe them: `discount: { percent: 10 }` means `discount: 10, typeId: 1`, and
 * `options: { Colour: "Red" }` means a list. They are converted where arguments come in, so that no other code handles them.
 */

import { isDeepStrictEqual } from "node:util";
import { isPlain } from "../../engine/common/record.ts";

type Values = Readonly<Record<string, unknown>>;

export interface WrittenForm {
  /** An object with one entry: its name, and the arguments that it also sets. */
  readonly forms?: Readonly<Record<string, Values>>;
  /** An object with many entries, for a list: the items' fields for an entry's name and value. */
  readonly pairs?: readonly [name: string, value: string];
  /** Short forms in a list's items. */
  readonly within?: WrittenForms;
}
export type WrittenForms = Readonly<Record<string, WrittenForm>>;

/**
 * Converts short forms to the arguments that are sent; other values stay as they are.
 * @param unknownValue the placeholder for an unknown value, if the caller has one
 */
export function toSentForm(naturals: WrittenForms, args: Values, unknownValue?: string): Values {
  const brought = Object.entries(naturals).map(([name, one]) =>
    args[name] === undefined ? {} : broughtIn(one, name, args, unknownValue),
  );
  return brought.length === 0 ? args : Object.assign({}, args, ...brought);
}

function broughtIn(one: WrittenForm, name: string, args: Values, unknownValue: string | undefined): Values {
  const value = args[name];
  const { forms, pairs, within } = one;
  if (forms !== undefined) {
    const beside: Values = Object.assign({}, ...Object.values(forms));
    const missing = Object.keys(beside).filter((other) => args[other] === undefined);
    // The form isn't known either.
    if (unknownValue !== undefined && value === unknownValue)
      return Object.fromEntries(missing.map((other) => [other, unknownValue]));
    const form = formOf(one, value);
    if (form === undefined || !isPlain(value)) return {};
    const states = forms[form] ?? {};
    if (Object.entries(states).some(([other, own]) => (args[other] ?? own) !== own)) return {};
    return { [name]: value[form], ...states };
  }
  if (pairs !== undefined && isPlain(value))
    return { [name]: Object.entries(value).map(([key, own]) => ({ [pairs[0]]: key, [pairs[1]]: own })) };
  if (within === undefined || !Array.isArray(value)) return {};
  return { [name]: value.map((item) => (isPlain(item) ? toSentForm(within, item, unknownValue) : item)) };
}

/** Converts arguments to short forms, where `toSentForm` converts them back to the same. */
export function toWrittenForm(naturals: WrittenForms, args: Values): Values {
  return Object.entries(naturals).reduce((all, [name, one]) => {
    const written = all[name] === undefined ? all : writtenIn(one, name, all);
    return isDeepStrictEqual(toSentForm({ [name]: one }, written), all) ? written : all;
  }, args);
}

function writtenIn({ forms, pairs, within }: WrittenForm, name: string, args: Values): Values {
  const value = args[name];
  if (forms !== undefined) {
    const [form, states = {}] =
      Object.entries(forms).find(([, own]) =>
        Object.keys(own).every((other) => args[other] === own[other]),
      ) ?? [];
    const kept = Object.entries(args).filter(([other]) => !Object.hasOwn(states, other));
    return form === undefined
      ? args
      : Object.fromEntries(kept.map(([other, own]) => [other, other === name ? { [form]: own } : own]));
  }
  if (!Array.isArray(value)) return args;
  const items: readonly Values[] = value;
  if (within !== undefined) return { ...args, [name]: items.map((item) => toWrittenForm(within, item)) };
  // In an object literal, this key would set the prototype.
  if (pairs === undefined || items.length === 0 || items.some((item) => item[pairs[0]] === "__proto__"))
    return args;
  return { ...args, [name]: Object.fromEntries(items.map((item) => [item[pairs[0]], item[pairs[1]]])) };
}

/** The form of a value: `percent` for `{ percent: 10 }`. */
function formOf({ forms = {} }: WrittenForm, value: unknown): string | undefined {
  if (!isPlain(value)) return undefined;
  const [form = "", ...others] = Object.keys(value);
  return others.length === 0 && Object.hasOwn(forms, form) ? form : undefined;
}
