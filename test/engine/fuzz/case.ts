/**
 * A random fuzz case: a valid state, a program, a provider's behaviour and one operation. It is plain data, so that a
 * failing one can be reduced to a few lines. Modelled on Pulumi's own (pkg/engine/lifecycletest/fuzzing).
 */
import * as fc from "fast-check";

/** Resource options that affect steps. */
export interface Options {
  readonly protect: boolean;
  readonly retainOnDelete: boolean;
  readonly deleteBeforeReplace: boolean | undefined;
}

/** The properties of a resource. References are to earlier names. */
export interface Shape {
  readonly name: string;
  readonly component: boolean;
  readonly parent: string | undefined;
  readonly dependsOn: readonly string[];
  /** The resource whose output is its input. */
  readonly of: string | undefined;
  readonly deletedWith: string | undefined;
  /** Another value replaces it. */
  readonly key: number;
  readonly color: number;
  /** Whether its provider deletes before it replaces. */
  readonly first: boolean;
  readonly options: Options;
}

/** A resource of the state. */
export interface Old extends Shape {
  readonly status: "whole" | "external" | "half made" | "tainted" | "being replaced";
  /** Whether it is an old object that is still to be deleted. */
  readonly leftover: boolean;
  readonly pending: "updating" | "deleting" | undefined;
}

/** A resource of the program. */
export interface Wanted extends Shape {
  readonly external: boolean;
  /** Its former name. */
  readonly alias: string | undefined;
}

export type Verb = "create" | "read" | "update" | "delete";
/** A fault of the provider for a resource. */
export interface Trouble {
  readonly name: string;
  readonly verb: Verb | "check" | "diff";
  readonly fault: "fails" | "refuses" | "half";
}

export interface Case {
  readonly olds: readonly Old[];
  readonly program: readonly Wanted[];
  readonly troubles: readonly Trouble[];
  /** Names of deleted and of changed objects. */
  readonly gone: readonly string[];
  readonly edited: readonly string[];
  /** Names for which the provider doesn't know whether anything differs. */
  readonly unsure: readonly string[];
  readonly operation: "up" | "preview" | "refresh" | "destroy" | "up after refresh";
  /** Names to replace, in an up or a preview. */
  readonly replace: readonly string[];
  readonly parallel: 1 | 4;
  /** The process ends at this call of the provider, before or after it. */
  readonly cut: { readonly request: number; readonly after: boolean } | undefined;
  /** Whether the program throws at its end. */
  readonly throws: boolean;
}

const names = ["a", "b", "c", "d", "e", "f", "g"] as const;

/** A random value for each of some names. */
const some = <Name extends string>(all: readonly Name[], most = 2) =>
  all.length === 0
    ? fc.constant([] as Name[])
    : fc.subarray([...all], { maxLength: Math.min(most, all.length) });
const maybe = <Name extends string>(all: readonly Name[]) =>
  all.length === 0 ? fc.constant(undefined) : fc.option(fc.constantFrom(...all), { nil: undefined, freq: 2 });
const rarely = fc.integer({ min: 0, max: 7 }).map((one) => one === 7);

/** @param before earlier resources that it may refer to, except components */
function shape(name: string, before: readonly Shape[]): fc.Arbitrary<Shape> {
  const customs = before.filter(({ component }) => !component).map((one) => one.name);
  const components = before.filter(({ component }) => component).map((one) => one.name);
  return fc.record({
    name: fc.constant(name),
    component: rarely,
    parent: maybe([...components, ...customs.slice(0, 1)]),
    dependsOn: some([...customs, ...components]),
    of: maybe(customs),
    deletedWith: rarely.chain((does) => (does ? maybe(customs) : fc.constant(undefined))),
    key: fc.integer({ min: 0, max: 1 }),
    color: fc.integer({ min: 0, max: 1 }),
    first: rarely,
    options: fc.record({
      protect: rarely,
      retainOnDelete: rarely,
      deleteBeforeReplace: fc.constantFrom(undefined, undefined, true, false),
    }),
  });
}

const old = (one: Shape): fc.Arbitrary<Old> =>
  one.component
    ? fc.constant({ ...one, status: "whole", leftover: false, pending: undefined })
    : fc.record({
        ...constants(one),
        status: fc.constantFrom(
          ...([
            "whole",
            "whole",
            "whole",
            "whole",
            "external",
            "half made",
            "tainted",
            "being replaced",
          ] as const),
        ),
        leftover: rarely,
        pending: rarely.chain((is) =>
          is ? fc.constantFrom("updating" as const, "deleting" as const) : fc.constant(undefined),
        ),
      });

const constants = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fc.constant(one)])) as {
    [Key in keyof Value]: fc.Arbitrary<Value[Key]>;
  };

/** A list in which each item is generated with those before it. */
const chain = <Item extends Shape>(
  all: readonly string[],
  make: (name: string, before: readonly Item[]) => fc.Arbitrary<Item>,
): fc.Arbitrary<readonly Item[]> =>
  all.reduce<fc.Arbitrary<readonly Item[]>>(
    (list, name) => list.chain((before) => make(name, before).map((one) => [...before, one])),
    fc.constant([]),
  );

/** A program's resource with a name from the state is mostly the same, with some change. */
function wanted(name: string, before: readonly Wanted[], olds: readonly Old[]): fc.Arbitrary<Wanted> {
  const there = olds.find((one) => one.name === name);
  const alias = there === undefined ? maybe(olds.map((one) => one.name)) : fc.constant(undefined);
  const known = new Set(before.map((one) => one.name));
  const same = (one: Old): Shape => ({
    ...one,
    parent: one.parent !== undefined && known.has(one.parent) ? one.parent : undefined,
    dependsOn: one.dependsOn.filter((other) => known.has(other)),
    of: one.of !== undefined && known.has(one.of) ? one.of : undefined,
    deletedWith: one.deletedWith !== undefined && known.has(one.deletedWith) ? one.deletedWith : undefined,
  });
  return fc
    .tuple(
      shape(name, before),
      fc.boolean(),
      rarely,
      alias,
      fc.constantFrom("key", "color", "options", "none"),
    )
    .map(([fresh, kept, external, aliased, change]): Wanted => {
      const { status, leftover, pending, ...rest } = (there ?? {}) as Partial<Old>;
      const base = there !== undefined && kept ? { ...(rest as Shape), ...bare(same(there)) } : fresh;
      const changed = change === "none" ? base : { ...base, [change]: fresh[change as "key"] };
      const isExternal = !changed.component && (kept ? status === "external" : external);
      return { ...changed, external: isExternal, alias: changed.component ? undefined : aliased };
    });
}

function bare(one: Shape): Shape {
  const { name, component, parent, dependsOn, of, deletedWith, key, color, first, options } = one;
  return { name, component, parent, dependsOn, of, deletedWith, key, color, first, options };
}

/** Any case. */
export const cases: fc.Arbitrary<Case> = fc
  .tuple(fc.integer({ min: 0, max: 6 }), some(names, 7))
  .chain(([count, asked]) =>
    chain<Old>(names.slice(0, count), (name, before) => shape(name, before).chain(old)).chain((olds) =>
      // The program may register resources in another order than before.
      fc.shuffledSubarray([...asked], { minLength: asked.length }).chain((order) =>
        chain<Wanted>(order, (name, before) => wanted(name, before, olds)).chain((program) => {
          const all = [...new Set([...olds, ...program].map(({ name }) => name))];
          const customs = olds.filter(({ component }) => !component).map(({ name }) => name);
          return fc.record({
            olds: fc.constant(olds),
            program: fc.constant(program),
            troubles: troubles(all),
            gone: some(customs, 1),
            edited: some(customs, 1),
            unsure: some(customs, 1),
            operation: fc.constantFrom<Case["operation"]>(
              "up",
              "up",
              "up",
              "preview",
              "refresh",
              "destroy",
              "up after refresh",
            ),
            replace: rarely.chain((does) => (does ? some(customs) : fc.constant<string[]>([]))),
            parallel: fc.constantFrom(1 as const, 4 as const),
            cut: fc.option(fc.record({ request: fc.integer({ min: 1, max: 12 }), after: fc.boolean() }), {
              nil: undefined,
              freq: 3,
            }),
            throws: rarely,
          });
        }),
      ),
    ),
  );

const troubles = (all: readonly string[]) =>
  all.length === 0
    ? fc.constant<readonly Trouble[]>([])
    : fc.array(
        fc.record<Trouble>({
          name: fc.constantFrom(...all),
          verb: fc.constantFrom("check", "diff", "create", "read", "update", "delete"),
          fault: fc.constantFrom("fails", "refuses", "half"),
        }),
        { maxLength: 2 },
      );
