/** Reduces a failing case by removing everything that can be removed. */
import type { Case, Shape } from "./case.ts";

const plain = { protect: false, retainOnDelete: false, deleteBeforeReplace: undefined } as const;

/** Removes references to missing names. */
function tidy(one: Case): Case {
  const within = <Item extends Shape>(list: readonly Item[]): readonly Item[] => {
    const known = new Map<string, Item>();
    return list.map((item) => {
      const at = (name: string | undefined) =>
        name !== undefined && known.has(name) && name !== item.name ? name : undefined;
      known.set(item.name, item);
      const dependsOn = item.dependsOn.filter((name) => at(name) !== undefined);
      return {
        ...item,
        parent: at(item.parent),
        of: at(item.of),
        deletedWith: at(item.deletedWith),
        dependsOn,
      };
    });
  };
  return { ...one, olds: within(one.olds), program: within(one.program) };
}

function* without<Item>(list: readonly Item[]): Generator<readonly Item[]> {
  for (const index of list.keys()) yield list.toSpliced(index, 1);
}

function* plainer<Item extends Shape>(list: readonly Item[]): Generator<readonly Item[]> {
  for (const [index, item] of list.entries()) {
    const changes: readonly Partial<Shape & Record<string, unknown>>[] = [
      { dependsOn: [] },
      { of: undefined },
      { parent: undefined },
      { deletedWith: undefined },
      { options: plain },
      { options: { ...item.options, protect: false } },
      { options: { ...item.options, retainOnDelete: false } },
      { options: { ...item.options, deleteBeforeReplace: undefined } },
      { first: false },
      { key: 0 },
      { color: 0 },
      ...("status" in item ? [{ status: "whole" }, { leftover: false }, { pending: undefined }] : []),
      ...("alias" in item ? [{ alias: undefined }, { external: false }] : []),
    ];
    for (const change of changes) {
      const next = { ...item, ...change } as Item;
      if (JSON.stringify(next) !== JSON.stringify(item)) yield list.with(index, next);
    }
  }
}

/** Slightly simpler cases. */
function* simpler(one: Case): Generator<Case> {
  for (const olds of without(one.olds)) yield tidy({ ...one, olds });
  for (const program of without(one.program)) yield tidy({ ...one, program });
  for (const key of ["troubles", "gone", "edited", "unsure", "replace"] as const)
    for (const list of without<unknown>(one[key])) yield { ...one, [key]: list } as Case;
  if (one.cut !== undefined) yield { ...one, cut: undefined };
  if (one.throws) yield { ...one, throws: false };
  if (one.parallel !== 1) yield { ...one, parallel: 1 };
  for (const olds of plainer(one.olds)) yield tidy({ ...one, olds });
  for (const program of plainer(one.program)) yield tidy({ ...one, program });
}

/** @param fails whether a case still fails @returns the smallest failing case */
export async function smallest(one: Case, fails: (one: Case) => Promise<boolean>): Promise<Case> {
  for (const next of simpler(one)) if (await fails(next)) return smallest(next, fails);
  return one;
}
