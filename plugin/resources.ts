/** The operations on resources: converts the protocol's requests for the provider, and its results for engines. */

import { message } from "../engine/pulumi/grpc.ts";
import { ignoredText, pathIn, pathsByKey } from "../engine/pulumi/path.ts";
import { ownerOf } from "../provider/names/owner.ts";
import { handlerText } from "../provider/names/types.ts";
import {
  bareValues,
  type Difference,
  definitionOf,
  isArgument,
  isReturnedArgument,
  marked,
  markedNames,
  type NativeHandler,
  type Values,
} from "../provider/native.ts";
import { failures as failuresOf, fromStruct, providerMessages, type Struct, toStruct } from "./wire.ts";

type Check = InstanceType<typeof providerMessages.CheckRequest>;
type Diff = InstanceType<typeof providerMessages.DiffRequest>;
type Create = InstanceType<typeof providerMessages.CreateRequest>;
type Read = InstanceType<typeof providerMessages.ReadRequest>;
type Update = InstanceType<typeof providerMessages.UpdateRequest>;
type Delete = InstanceType<typeof providerMessages.DeleteRequest>;

const bare = (message: unknown): Values => bareValues(fromStruct(message as Struct | undefined));

/** Plain arguments, with the names of those that are secret. */
function bareArguments(message: unknown): Values {
  const values = fromStruct(message as Struct | undefined);
  const secrets = markedNames(values);
  return { ...bareValues(values), ...(secrets.length > 0 && { __secret: secrets.join(",") }) };
}

/** Plain arguments, with the facts that the provider needs beside them. */
function argumentsWithFacts(message: unknown, urn: string, ignoreChanges: readonly string[] = []): Values {
  const [bare, { kind, of }] = [bareArguments(message), ownerOf(urn)];
  const lists = Object.entries(definitionOf(kind)?.fields ?? {}).flatMap(([name, { items }]) =>
    items?.key === undefined ? [] : [[name, items.key] as const],
  );
  // An engine ignores the present item at a position; the provider uses its key.
  const byKey = Object.fromEntries(lists);
  const ignored = ignoredText(byKey, pathsByKey(byKey, bare, ignoreChanges));
  return {
    ...bare,
    __of: of,
    ...(ignored !== undefined && { __ignored: ignored }),
  };
}

// These facts come with each call and aren't stored in the state.
const notKept: readonly string[] = ["__of", "__secret", "__ignored", "__preview", "__provider"];

const kept = (inputs: Values): Values =>
  Object.fromEntries(Object.entries(inputs).filter(([name]) => !notKept.includes(name)));

/** Marks the arguments that were marked as secret in the request. */
const remarked = (inputs: Values, came: unknown): Values => {
  const secrets = new Set(markedNames(fromStruct(came as Struct | undefined)));
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, secrets.has(name) ? marked(value) : value]),
  );
};

/** Arguments that the shop never returns; the object's body is compared by its hash instead. */
const unreadable = (kind: string, came: Values): Values =>
  Object.fromEntries(
    Object.entries(came).filter(([name]) => {
      const field = definitionOf(kind)?.fields[name];
      return field !== undefined && isArgument(field) && !isReturnedArgument(field);
    }),
  );

/** Outputs with the marker that the dynamic provider of the same kind needs to continue with this state. */
export const outputsOf = (kind: string, outs: Values): Values => ({ ...outs, __provider: handlerText(kind) });

/** The operations of one kind, each from a request to a response. */
export function resourceCalls(handlerOf: (kind: string) => NativeHandler) {
  const on = (urn: string) => {
    const { kind, of } = ownerOf(urn);
    return { kind, of, handler: handlerOf(kind) };
  };
  return {
    async check(request: Check) {
      const urn = request.getUrn();
      const { inputs, failures } = await on(urn).handler.check(
        bareArguments(request.getOlds()),
        argumentsWithFacts(request.getNews(), urn),
      );
      return message(providerMessages.CheckResponse, {
        inputs: toStruct(remarked(kept(inputs), request.getNews())),
        failuresList: failuresOf(failures),
      });
    },

    async diff(request: Diff) {
      const urn = request.getUrn();
      const olds = bare(request.getOlds());
      const news = argumentsWithFacts(request.getNews(), urn, request.getIgnorechangesList());
      const verdict = await on(urn).handler.diff(request.getId(), olds, news);
      const { DIFF_NONE, DIFF_SOME } = providerMessages.DiffResponse.DiffChanges;
      const before = request.hasOldInputs() ? bare(request.getOldInputs()) : olds;
      const details = detailed(ownerOf(urn).kind, verdict, before, news);
      const response = message(providerMessages.DiffResponse, {
        changes: verdict.changes ? DIFF_SOME : DIFF_NONE,
        replacesList: [...(verdict.replaces ?? [])],
        deletebeforereplace: verdict.deleteBeforeReplace === true,
        hasdetaileddiff: true,
        diffsList: [...new Set(details.map(({ top }) => top))],
      });
      const { PropertyDiff } = providerMessages;
      for (const { path, kind, isOfInputs } of details)
        response
          .getDetaileddiffMap()
          .set(path, message(PropertyDiff, { kind: PropertyDiff.Kind[kind], inputdiff: isOfInputs }));
      return response;
    },

    async create(request: Create) {
      const urn = request.getUrn();
      const inputs = argumentsWithFacts(request.getProperties(), urn);
      const { kind, handler } = on(urn);
      if (request.getPreview()) {
        const properties = toStruct(await handler.preview(inputs));
        return message(providerMessages.CreateResponse, { properties });
      }
      const { id, outs } = await handler.create(inputs);
      return message(providerMessages.CreateResponse, { id, properties: toStruct(outputsOf(kind, outs)) });
    },

    async read(request: Read) {
      const urn = request.getUrn();
      const { kind, of, handler } = on(urn);
      const props = fromStruct(request.getProperties() as Struct | undefined);
      // An import knows only the id. A `get` has arguments, too, except with older versions of Pulumi.
      const found =
        Object.keys(props).length === 0 && !request.hasInputs()
          ? await handler.import(request.getId(), { __of: of })
          : await handler.read(
              request.getId(),
              { ...bareValues(props), __of: of },
              bare(request.getInputs()),
            );
      // No id and no properties: the object doesn't exist any more.
      if (found?.id === undefined) return new providerMessages.ReadResponse();
      const inputs = found.inputs && {
        ...unreadable(kind, bare(request.getInputs())),
        ...kept(found.inputs),
      };
      return message(providerMessages.ReadResponse, {
        id: found.id,
        properties: toStruct(outputsOf(kind, found.props ?? {})),
        // Without arguments, an engine keeps those in the state.
        ...(inputs && { inputs: toStruct(remarked(inputs, request.getInputs())) }),
      });
    },

    async update(request: Update) {
      const urn = request.getUrn();
      const olds = bare(request.getOlds());
      const news = argumentsWithFacts(request.getNews(), urn, request.getIgnorechangesList());
      const { kind, handler } = on(urn);
      if (request.getPreview()) {
        const properties = toStruct(await handler.preview(news, { id: request.getId(), olds }));
        return message(providerMessages.UpdateResponse, { properties });
      }
      const { outs } = await handler.update(request.getId(), olds, news);
      return message(providerMessages.UpdateResponse, { properties: toStruct(outputsOf(kind, outs)) });
    },

    async delete(request: Delete) {
      const urn = request.getUrn();
      const { of, handler } = on(urn);
      await handler.delete(request.getId(), { ...bare(request.getProperties()), __of: of });
      return undefined;
    },
  };
}

type Kind = "ADD" | "ADD_REPLACE" | "DELETE" | "DELETE_REPLACE" | "UPDATE" | "UPDATE_REPLACE";

interface Detail {
  readonly top: string;
  /** A property path: `variants[1].price`. */
  readonly path: string;
  readonly kind: Kind;
  /** Whether the arguments differ; otherwise the object differs from them. */
  readonly isOfInputs: boolean;
}

type Holder = Readonly<Record<string, unknown>> | readonly unknown[];

/**
 * @param before the arguments in the state
 * @param news the program's arguments
 */
function detailed(
  kind: string,
  { paths, replaces = [] }: Difference,
  before: Values,
  news: Values,
): readonly Detail[] {
  const fields = definitionOf(kind)?.fields ?? {};
  const found = paths.map((path): Detail => {
    const [top = path, item, inner] = pathIn(path);
    const key = fields[top]?.items?.key;
    const [is, was] = [news, before].map((values) => placeOf(values[top], item, key));
    const place = is ?? was;
    // If neither side has the item by its key, the whole list is named.
    const isNamed = item === undefined || place !== undefined;
    const steps = [...(isNamed && item !== undefined ? [place as string] : [])];
    const leaf = isNamed && inner !== undefined ? [inner] : [];
    const at = (values: Values, own: string | undefined) =>
      [...(steps.length > 0 ? [own] : []), ...leaf].reduce<unknown>(
        (value, step) => (step === undefined ? undefined : (value as Holder | undefined)?.[step as never]),
        values[top],
      );
    const [old, next] = [at(before, was), at(news, is)];
    const verb = old === undefined ? "ADD" : next === undefined ? "DELETE" : "UPDATE";
    const isSame = JSON.stringify(old) === JSON.stringify(next);
    return {
      top,
      path: [
        top,
        ...steps.map((step) => stepText(step, news[top] ?? before[top])),
        ...leaf.map((step) => `.${step}`),
      ].join(""),
      kind: replaces.includes(top) ? `${isSame ? "UPDATE" : verb}_REPLACE` : isSame ? "UPDATE" : verb,
      // A property without an output would be shown as added to the object.
      isOfInputs: !isSame || fields[top]?.mode === "program",
    };
  });
  return [...new Map(found.map((detail) => [detail.path, detail])).values()];
}

/** The position of a list item with this key; for lists without a key, the item is the position. */
function placeOf(list: unknown, item: string | undefined, key: string | undefined): string | undefined {
  if (item === undefined || typeof list !== "object" || list === null) return undefined;
  if (!Array.isArray(list)) return Object.hasOwn(list, item) ? item : undefined;
  const index = list.findIndex((entry) => key !== undefined && entry?.[key] === item);
  if (index >= 0) return String(index);
  return /^\d+$/.test(item) && Number(item) < list.length ? item : undefined;
}

const stepText = (step: string, list: unknown) =>
  Array.isArray(list) ? `[${step}]` : `[${JSON.stringify(step)}]`;
