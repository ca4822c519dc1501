/** Objects that others stand in, a theme for its files: one that the shop doesn't have is said where a plan is made. */
import { NotFoundError } from "../client/errors.ts";
import type { Definition } from "../definition/define.ts";
import { definitionOf } from "../resources/index.ts";
import type { Shop } from "../run/context.ts";
import type { Failure } from "../values/check-lists.ts";
import { listedText, parentNames } from "../values/identity.ts";
import { isSecretPath } from "../values/secrets.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";

/** Why an object can't stand where its arguments say, and what there is instead; one list for all of a run. */
export async function missingAbove(
  definition: Definition,
  shop: Shop,
  args: Values,
): Promise<readonly Failure[]> {
  const failures = parentNames(definition).map(async (name): Promise<readonly Failure[]> => {
    const holder = definitionOf(definition.fields[name]?.refersTo?.kind ?? "");
    const value = args[name];
    if (holder?.operations.list === undefined || value === undefined || value === unknownValue) return [];
    const { objects } = await shop.reads.all(holder, {});
    if (objects.some(({ id }) => String(id) === String(value))) return [];
    const what = isSecretPath(args, name) ? "" : ` ${String(value)}`;
    return [
      {
        property: name,
        reason: `there is no ${holder.kind}${what} in the shop; the shop has ${listedText(holder, objects)}`,
      },
    ];
  });
  return (await Promise.all(failures)).flat();
}

/** Whether what an object stands in is to become another one. */
export const movesAbove = (definition: Definition, olds: Values, args: Values): boolean =>
  parentNames(definition).some(
    (name) => olds[name] !== undefined && String(olds[name]) !== String(args[name]),
  );

/** Looks for what is new; where the shop knows nothing of its place, that is what is told. */
export async function withPlace<T extends { readonly failures: readonly Failure[] }>(
  work: Promise<T>,
  missing: () => Promise<readonly Failure[]>,
): Promise<T | { readonly failures: readonly Failure[]; readonly taken?: undefined }> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const failures = await missing();
    if (failures.length === 0) throw error;
    return { failures };
  }
}
