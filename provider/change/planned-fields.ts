/**
 * The fields that a saved plan covers: the shop's value of each, and the value that it gets
 * (docs/decisions/0014-contents-of-a-saved-plan.md). They can be written to a file and compared later; secrets are digests.
 */

import { isRecord } from "../../engine/common/record.ts";
import { pathText, topOf } from "../../engine/pulumi/path.ts";
import { bodyPath, isBody, isLeafPath, shownBody } from "../body/arguments.ts";
import { setPathsIn } from "../body/state.ts";
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { comparableFields } from "./change.ts";
import { argumentsOf, itemName } from "./compare.ts";
import type { FieldChange } from "./field-change.ts";
import { isSecretPath } from "./secrets.ts";

/** One field, as the preview found it. */
export interface PlannedField {
  /** `discount`, `variants[SKU].price`, `content: colors.link`. For a secret list, its name and a digest. */
  readonly path: string;
  /** The shop's value; null if it has none. */
  readonly is: unknown;
  /** The new value; null if it is removed. */
  readonly asked: unknown;
  /** Whether the shop already has the new value, so that nothing is sent. */
  readonly isDone?: true;
}

/** A field that no longer is as the plan has it. */
export interface StaleField {
  readonly path: string;
  /** The side that changed: the shop's value, or the program's. */
  readonly side: "shop" | "program";
  readonly planned: unknown;
  readonly now: unknown;
  /** Whether the plan doesn't change the field. */
  readonly isUnplanned?: true;
}

/** Computes a keyed digest. Equal texts have equal digests, and nobody can test guesses without the key. */
export type Digest = (text: string) => string;

/** The planned fields of an update. @param args tells which values are secret */
export const plannedUpdate = (
  touched: readonly FieldChange[],
  args: Values,
  seal: Digest,
): readonly PlannedField[] =>
  touched.map(({ path, is, asked, verdict }) => ({
    ...withoutSecrets({ path: pathText(path), is, asked }, args, seal),
    ...(verdict === "done" && { isDone: true as const }),
  }));

/** The planned fields of a delete: everything that the program set, as the shop has it. */
export function plannedDelete(
  definition: Definition,
  olds: Values,
  seen: Values,
  seal: Digest,
): readonly PlannedField[] {
  const stated = setPathsIn(olds);
  const fields = comparableFields(definition, olds).flatMap(([name, { items }]): PlannedField[] => {
    if (items?.fields === undefined) return [{ path: name, is: seen[name], asked: null }];
    const inner = Object.entries(items.fields).filter(
      ([own, { serverManaged }]) => !serverManaged && stated.has(`${name}.${own}`),
    );
    return listOf(seen[name]).map((item, index) => ({
      path: pathText([name, itemName(items, item, index)]),
      is: argumentsOf(Object.fromEntries(inner), item),
      asked: null,
    }));
  });
  return [...fields, ...endedBody(definition, stated, seen)].map((one) => withoutSecrets(one, olds, seal));
}

/** A body's hash; for a body without text its address, which changes with each edit. */
function endedBody(
  definition: Definition,
  stated: ReadonlySet<string>,
  seen: Values,
): readonly PlannedField[] {
  const { body } = definition;
  if (
    body === undefined ||
    !Object.keys(definition.fields).some((name) => isBody(definition, name) && stated.has(name))
  )
    return [];
  return [{ path: bodyPath, is: shownBody(body.address, seen), asked: null }];
}

/** The field as JSON, with digests in place of secrets and of their keys. */
function withoutSecrets({ path, is, asked }: PlannedField, args: Values, seal: Digest): PlannedField {
  const plain = (value: unknown) => (value === undefined || value === "" ? null : value);
  if (!isSecretPath(args, path)) return { path, is: plain(is), asked: plain(asked) };
  const digest = (value: unknown) =>
    plain(value) === null || value === unknownValue ? plain(value) : `secret ${seal(JSON.stringify(value))}`;
  const top = topOf(path);
  return { path: path === top ? top : `${top}[secret ${seal(path)}]`, is: digest(is), asked: digest(asked) };
}

/**
 * The fields that differ from the plan. A field that already has its new value doesn't count.
 * @param ends whether the object is deleted: then fields that are gone count too
 */
export function staleFields(
  planned: readonly PlannedField[],
  now: readonly PlannedField[],
  ends: boolean,
): readonly StaleField[] {
  const isLeaf = ({ path }: PlannedField) => isLeafPath(path);
  // Compare settings value by value if both sides know them so, otherwise as one text.
  const byLeaves = planned.some(isLeaf) && now.some(isLeaf);
  const counts = (one: PlannedField) => (byLeaves ? one.path !== bodyPath : !isLeaf(one));
  const before = planned.filter(counts);
  const moved = now.filter(counts).flatMap((one): StaleField[] => {
    const { path } = one;
    const was = before.find((other) => other.path === path);
    if (was === undefined) {
      if (one.isDone || isBelowUnknown(before, one)) return [];
      // An item that existed when the plan was made.
      const inner = one.is === null ? before.filter((other) => other.path.startsWith(`${path}.`)) : [];
      if (inner.length === 0) return [{ path, side: "shop", planned: null, now: one.is, isUnplanned: true }];
      return inner.map(
        (other): StaleField => ({ path: other.path, side: "shop", planned: other.is, now: null }),
      );
    }
    if (!matchesPlan(was.asked, one.asked))
      return [{ path, side: "program", planned: was.asked, now: one.asked }];
    return matchesPlan(was.is, one.is) || one.isDone
      ? []
      : [{ path, side: "shop", planned: was.is, now: one.is }];
  });
  const gone = before.filter(({ path }) => ends && !now.some((one) => one.path === path));
  return [
    ...moved,
    ...gone.map(({ path, is }): StaleField => ({ path, side: "shop", planned: is, now: null })),
  ];
}

// The plan didn't know the list yet, so it didn't know its items.
const isBelowUnknown = (planned: readonly PlannedField[], { path }: PlannedField) =>
  planned.some((one) => one.asked === unknownValue && topOf(one.path) === topOf(path));

/** Whether two values are equal, in any order of keys. A value that the plan didn't know matches anything. */
export function matchesPlan(before: unknown, now: unknown): boolean {
  if (before === unknownValue) return true;
  if (Array.isArray(before) && Array.isArray(now))
    return before.length === now.length && before.every((value, index) => matchesPlan(value, now[index]));
  if (isRecord(before) && isRecord(now))
    return Object.keys({ ...before, ...now }).every((name) => matchesPlan(before[name], now[name]));
  return before === now;
}
