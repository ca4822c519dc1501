/** What all classes of the SDK are made of: a definition's types and the engine's own base class. */

import * as pulumi from "@pulumi/pulumi";
import { ignoredText, pathsByKey } from "../engine/pulumi/path.ts";
import { typeMade } from "../engine/pulumi/sdk-internals.ts";
import { natural } from "../provider/names/natural.ts";
import { refuseMistyped } from "../provider/names/options.ts";
import { dynamicType, kindOfType, pluginType } from "../provider/names/types.ts";
import { inBothForms } from "./aliases.ts";
import { adopts, identityOf, secretNames } from "./identity.ts";
import { keyedArguments, withListOutputs } from "./keyed.ts";
import { isNative } from "./native.ts";
import {
  deletesFirst,
  handlers,
  inputsOnly,
  keyedLists,
  leftArguments,
  naturals,
  outputs,
  pathArguments,
} from "./outputs.ts";
import { isLate, makingQuietly, quietly } from "./quiet.ts";

/** A class of the SDK. */
export interface ResourceClass<Args extends object, Outputs extends object> {
  new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource & Outputs;
  /**
   * Reads an object that is there, without managing it.
   * @param id the engine's id of it: the shop's number, for an asset `<theme>/<asset>`
   */
  get<T>(
    this: new (
      name: string,
      args: never,
      opts?: pulumi.CustomResourceOptions,
    ) => T,
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): T;
}

/**
 * The class of a kind, of the plugin's type where the project has it run by the plugin. Otherwise the provider is one
 * constant line, which the engine takes for a dynamic resource: nothing is serialised, and an upgrade of the package
 * changes no state. Each type is the other's alias: a stack moves both ways.
 */
export function resource<Args extends object, Outputs extends object>(
  kind: keyof typeof outputs,
): ResourceClass<Args, Outputs> {
  const lists = keyedLists[kind] ?? {};
  const unset = Object.fromEntries(outputs[kind].map((name) => [name, undefined]));
  class ShopResource extends pulumi.CustomResource {
    static readonly [quietly] = { names: outputs[kind], lists };
    /**
     * By this a policy pack knows the class (validateResourceOfType), whichever type the project has. A type of the class's
     * own would be the only one that a pack compares (isTypeOf of @pulumi/policy).
     */
    static override isInstance(value: unknown): value is ShopResource {
      const type = typeMade(value);
      return type !== undefined && kindOfType(type) === kind;
    }
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions) {
      return new this(name, {}, { ...opts, id });
    }
    constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
      refuseNoName(kind, name);
      refuseNoArguments(kind, args);
      refuseMistyped({ ...opts }, [...outputs[kind], ...(inputsOnly[kind] ?? [])]);
      const native = isNative();
      const type = native ? pluginType(kind) : dynamicType(kind);
      const { given, rest } = native
        ? { given: written(kind, args ?? {}), rest: opts ?? {} }
        : adopting(kind, args, opts);
      const ignoreChanges = rest.ignoreChanges && pathsByKey(lists, given, rest.ignoreChanges);
      const told = {
        ...(!native && toldBeside(kind, name, given, opts)),
        ...((!native || adopts(given)) && { __ignored: ignoredText(lists, ignoreChanges ?? []) }),
      };
      const props = { ...(!isLate && unset), ...keyedArguments(lists, given), ...told };
      const how = {
        // An engine that replaces a resource on a person's word doesn't ask the provider how (--replace, state taint).
        ...(deletesFirst.includes(kind) && { deleteBeforeReplace: true }),
        ...(isPart(kind, given) && { retainOnDelete: true }),
        ...rest,
        ...(ignoreChanges && { ignoreChanges }),
        ...(!isLate && { aliases: inBothForms(type, rest.aliases) }),
      };
      const done = makingQuietly();
      try {
        super(type, name, props, how);
      } finally {
        done();
      }
      if (!isLate) withListOutputs(this, lists);
    }
  }
  return ShopResource as unknown as ResourceClass<Args, Outputs>;
}

/** @throws Error where a resource has no name, or one that holds a value that is not there: the SDK takes each for a text. */
function refuseNoName(kind: string, name: unknown): void {
  const wrong = wrongName(name);
  if (wrong === undefined) return;
  throw new Error(
    `the name of a ${kind} is ${wrong}: write a name of your own first, new ${kind}("name", { ... })`,
  );
}

function wrongName(name: unknown): string | undefined {
  if (typeof name !== "string") return "no text";
  if (name.trim() === "") return "empty";
  if (/Calling \[to\w+\] on an \[Output<T>\]|\[object \w+\]/.test(name))
    return "a text with an object or an Output in it";
  const [missing] = /\b(?:undefined|NaN)\b/.exec(name) ?? [];
  return missing === undefined ? undefined : `${JSON.stringify(name)}, made from a value that is ${missing}`;
}

/** @throws Error where a text or a list stands for the arguments: the SDK takes its letters or items for arguments. */
function refuseNoArguments(kind: string, args: unknown): void {
  if (args === undefined || args === null || (typeof args === "object" && !Array.isArray(args))) return;
  const given = Array.isArray(args) ? "a list" : `a ${typeof args}`;
  throw new Error(`the arguments of a ${kind} are ${given}: write an object, new ${kind}("name", { ... })`);
}

/** Whether a program states a part of what is there: the rest of it, and the object, are others'. An engine that deletes it is told to leave it. */
const isPart = (kind: string, given: object) =>
  adopts(given) &&
  (leftArguments[kind] ?? []).some(
    (name) => (given as Readonly<Record<string, unknown>>)[name] === undefined,
  );

// Dynamic resources can't be imported by any engine: adopting does the same.
function adopting(kind: string, args: object, opts: pulumi.CustomResourceOptions = {}) {
  const { import: imported, ...rest } = opts;
  return { given: written(kind, imported === undefined ? (args ?? {}) : { ...args, adopt: imported }), rest };
}

// What the plugin hears from the engine, the engine's host doesn't say.
function toldBeside(
  kind: string,
  name: string,
  given: object,
  opts: pulumi.CustomResourceOptions | undefined,
): object {
  return {
    __of: identityOf(kind, name, opts),
    __secret: secretNames(given),
    // Pulumi's own engine says it to the program alone.
    __preview: pulumi.runtime.isDryRun(),
    __provider: handlers[kind],
  };
}

// A FileAsset is a path: the provider reads the file itself and keeps its hash.
function written(kind: string, from: object): object {
  // An engine sorts an object by its names: the order of a list is the program's here only.
  const args = natural(naturals[kind] ?? {}, from as Readonly<Record<string, unknown>>);
  const given = args as Readonly<Record<string, pulumi.Input<string | pulumi.asset.FileAsset> | undefined>>;
  const paths = (pathArguments[kind] ?? []).flatMap((name) => {
    const value = given[name];
    return value === undefined ? [] : [[name, pathOf(value)]];
  });
  return paths.length === 0 ? args : { ...args, ...Object.fromEntries(paths) };
}

const pathOf = (value: pulumi.Input<string | pulumi.asset.FileAsset>) =>
  pulumi
    .output(value)
    // What is neither is told by the provider's check.
    .apply(
      (known): pulumi.Input<string> =>
        typeof known === "object" ? (known?.path as pulumi.Input<string>) : known,
    );
