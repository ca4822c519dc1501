/** What all classes of the SDK are made of: a definition's types and the engine's own base class. */
import * as pulumi from "@pulumi/pulumi";
import type { Arguments, Definition, Values } from "../provider/definition/define.ts";
import { identityOf, ignoredFields, secretNames } from "./identity.ts";
import { keyedArguments, withListOutputs } from "./keyed.ts";
import { deletesFirst, keyedLists, outputs } from "./outputs.ts";
import { makingQuietly, quietly } from "./quiet.ts";

/** A value, or one that is known later, at every depth. */
type Later<T> = pulumi.Input<
  T extends readonly (infer U)[]
    ? readonly Later<U>[]
    : T extends object
      ? { readonly [K in keyof T]: Later<T[K]> }
      : T
>;

/** The arguments of a kind, as a program writes them. */
export type Args<D extends Definition> = {
  readonly [K in keyof Arguments<D["fields"]>]: K extends "file"
    ? pulumi.Input<string | pulumi.asset.FileAsset> | undefined
    : Later<Exclude<Arguments<D["fields"]>[K], undefined>> | Missing<Arguments<D["fields"]>[K]>;
} & {
  /**
   * Takes over an object that is there instead of creating one: its id, or "key" to find it by its natural key.
   * Taking the argument away later changes nothing.
   */
  readonly adopt?: pulumi.Input<string> | undefined;
};
type Missing<T> = undefined extends T ? undefined : never;

/** The outputs of a kind. */
export type Outputs<D extends Definition> = {
  readonly [K in keyof Values<D["fields"]>]: pulumi.Output<Values<D["fields"]>[K]>;
};

/** A class of the SDK. */
export interface ResourceClass<D extends Definition> {
  new (name: string, args: Args<D>, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource & Outputs<D>;
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
 * The class of a kind. The provider is one constant line, which the engine takes for a dynamic resource: nothing is
 * serialised, and an upgrade of the package changes no state.
 */
export function resource<D extends Definition>(kind: keyof typeof outputs): ResourceClass<D> {
  const lists = keyedLists[kind] ?? {};
  const unset = Object.fromEntries(outputs[kind].map((name) => [name, undefined]));
  const type = `pulumi-nodejs:dynamic/shop:${kind}`;
  class ShopResource extends pulumi.CustomResource {
    /** By these a policy pack knows the class (validateResourceOfType). */
    static readonly __pulumiType = type;
    static readonly [quietly] = true;
    static override isInstance(value: unknown): value is ShopResource {
      return (value as { readonly __pulumiType?: string } | null | undefined)?.__pulumiType === type;
    }
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions) {
      return new this(name, {}, { ...opts, id });
    }
    constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
      const __provider = `exports.handler=()=>require("pulumi-shop/provider").handler("${kind}")`;
      const { import: imported, ...rest } = opts ?? {};
      // Dynamic resources can't be imported by any engine: adopting does the same.
      const given = written(imported === undefined ? (args ?? {}) : { ...args, adopt: imported });
      const told = {
        __of: identityOf(name, opts),
        __secret: secretNames(given),
        __ignored: ignoredFields(lists, opts?.ignoreChanges),
      };
      const props = { ...unset, ...keyedArguments(lists, given), ...told, __provider };
      // An engine that replaces a resource on a person's word doesn't ask the provider how (--replace, state taint).
      const how = deletesFirst.includes(kind) ? { deleteBeforeReplace: true, ...rest } : rest;
      const done = makingQuietly();
      try {
        super(type, name, props, how);
      } finally {
        done();
      }
      withListOutputs(this, lists);
    }
  }
  return ShopResource as unknown as ResourceClass<D>;
}

// A FileAsset is a path: the provider reads the file itself and keeps its hash.
function written(args: object): object {
  const { file } = args as { file?: pulumi.Input<string | pulumi.asset.FileAsset> };
  if (file === undefined) return args;
  const path = pulumi
    .output(file)
    .apply(
      (value): pulumi.Input<string> =>
        typeof value === "string" ? value : (value.path as pulumi.Input<string>),
    );
  return { ...args, file: path };
}
