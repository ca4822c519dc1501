/** The base of all resource classes: a definition's types on Pulumi's CustomResource. */

import * as pulumi from "@pulumi/pulumi";
import { pathsByKey } from "../engine/pulumi/path.ts";
import { typeMade } from "../engine/pulumi/sdk-internals.ts";
import { refuseMistyped } from "../provider/names/options.ts";
import { dynamicType, kindOfType, pluginType } from "../provider/names/types.ts";
import { toSentForm } from "../provider/names/written-forms.ts";
import { inBothForms } from "./aliases.ts";
import { adopts, identityOf, ignoredBeside, secretNames } from "./identity.ts";
import { keyedArguments, withListOutputs } from "./keyed-lists.ts";
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
import { usesPlugin } from "./plugin-detection.ts";
import {
  refuseDeletedWith,
  refuseNoArguments,
  refuseNoId,
  refuseNoName,
  refuseNoOptions,
  refuseUnsendable,
} from "./refusals.ts";
import { isLazy, markOwnResource, patchedShape } from "./sdk-patches.ts";

/** A resource class. */
export interface ResourceClass<Args extends object, Outputs extends object> {
  new (name: string, args: Args, opts?: pulumi.CustomResourceOptions): pulumi.CustomResource & Outputs;
  /**
   * Reads an existing object without managing it.
   * @param id the object's Pulumi id: the shop's number, for an asset `<theme>/<asset>`
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
 * Creates the class of a kind: with the plugin's type if the project uses the plugin, otherwise as a dynamic resource
 * whose provider is one constant line, so that nothing is serialised and an upgrade of the package changes no state.
 * Each type is an alias of the other, so a stack can change in both directions.
 */
export function resource<Args extends object, Outputs extends object>(
  kind: keyof typeof outputs,
): ResourceClass<Args, Outputs> {
  const lists = keyedLists[kind] ?? {};
  const unset = Object.fromEntries(outputs[kind].map((name) => [name, undefined]));
  class ShopResource extends pulumi.CustomResource {
    static readonly [patchedShape] = { names: outputs[kind], lists };
    /**
     * Used by policy packs to recognise the class (validateResourceOfType), with either type. If the class had a type
     * of its own, a pack would compare only that (isTypeOf of @pulumi/policy).
     */
    static override isInstance(value: unknown): value is ShopResource {
      const type = typeMade(value);
      return type !== undefined && kindOfType(type) === kind;
    }
    static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions) {
      refuseNoId(kind, name, id);
      return new this(name, {}, { ...opts, id });
    }
    constructor(name: string, args: object, stated?: pulumi.CustomResourceOptions) {
      refuseNoName(kind, name);
      refuseNoArguments(kind, args);
      refuseUnsendable(`${kind} "${name}"`, args);
      refuseNoOptions(kind, stated);
      const opts = withoutNull(stated);
      refuseMistyped({ ...opts }, [...outputs[kind], ...(inputsOnly[kind] ?? [])]);
      refuseDeletedWith(name, opts.deletedWith);
      const native = usesPlugin();
      const type = native ? pluginType(kind) : dynamicType(kind);
      const { given, rest } = native
        ? { given: written(kind, args ?? {}), rest: opts }
        : adopting(kind, args, opts);
      const ignoreChanges = rest.ignoreChanges && pathsByKey(lists, given, rest.ignoreChanges);
      const isRead = opts.id !== undefined;
      const facts = {
        ...(!native && factsBeside(kind, name, given, opts)),
        // Pulumi's engine tells only the program whether it is a preview. A read has no check, which takes this out.
        ...(!isRead && { __preview: pulumi.runtime.isDryRun() }),
        ...ignoredBeside({ native, isRead }, lists, given, ignoreChanges),
      };
      const props = { ...(!isLazy && unset), ...keyedArguments(lists, given), ...facts };
      const how = {
        // For --replace and `state taint`, an engine doesn't ask the provider whether to delete first.
        ...(deletesFirst.includes(kind) && { deleteBeforeReplace: true }),
        ...(isPart(kind, given) && { retainOnDelete: true }),
        ...rest,
        ...(ignoreChanges && { ignoreChanges }),
        ...(!isLazy && { aliases: inBothForms(type, rest.aliases) }),
      };
      const done = markOwnResource();
      try {
        super(type, name, props, how);
      } finally {
        done();
      }
      if (!isLazy) withListOutputs(this, lists);
    }
  }
  return ShopResource as unknown as ResourceClass<Args, Outputs>;
}

/** An option that is null is unset, as for Pulumi itself. */
const withoutNull = (given: pulumi.CustomResourceOptions | undefined): pulumi.CustomResourceOptions =>
  Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== null));

/**
 * Whether the program manages only part of an adopted object; an engine that deletes the resource must leave the
 * object.
 */
const isPart = (kind: string, given: object) =>
  adopts(given) &&
  (leftArguments[kind] ?? []).some(
    (name) => (given as Readonly<Record<string, unknown>>)[name] === undefined,
  );

// No engine can import dynamic resources, so `import` adopts the object instead.
function adopting(kind: string, args: object, opts: pulumi.CustomResourceOptions = {}) {
  const { import: imported, ...rest } = opts;
  return { given: written(kind, imported === undefined ? (args ?? {}) : { ...args, adopt: imported }), rest };
}

// Facts that the plugin gets from the engine, but a dynamic provider doesn't.
function factsBeside(
  kind: string,
  name: string,
  given: object,
  opts: pulumi.CustomResourceOptions | undefined,
): object {
  return {
    __of: identityOf(kind, name, opts),
    __secret: secretNames(given),
    __provider: handlers[kind],
  };
}

// A FileAsset becomes a path: the provider reads the file and stores its hash.
function written(kind: string, from: object): object {
  // Convert lists here: engines sort the keys of objects, so the program's order would be lost.
  const args = toSentForm(naturals[kind] ?? {}, from as Readonly<Record<string, unknown>>);
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
    // The provider's check reports other values.
    .apply(
      (known): pulumi.Input<string> =>
        typeof known === "object" ? (known?.path as pulumi.Input<string>) : known,
    );
