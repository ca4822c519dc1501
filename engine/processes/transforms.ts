/**
 * Transforms: functions of the program's that change what is registered before anything comes of it. A resource's own come
 * first, then those of what it stands in, then the stack's (pkg/resource/deploy/source_eval.go, RegisterResource).
 */
import { type Goal, inherited } from "../values/goal.ts";
import { dependenciesOf, withDependencies, withOutputs } from "../values/outputs.ts";
import type { Properties } from "../values/values.ts";
import type { Callback, Callbacks } from "./callbacks.ts";
import { aliasMessages, rawStruct, resourceMessages, type Struct, toStruct } from "./wire.ts";

type Request = InstanceType<typeof resourceMessages.RegisterResourceRequest>;
type Options = InstanceType<typeof resourceMessages.TransformResourceOptions>;
type Invoke = InstanceType<typeof resourceMessages.ResourceInvokeRequest>;

export type Transforms = ReturnType<typeof openTransforms>;

export function openTransforms(callbacks: Callbacks) {
  const ofStack: Callback[] = [];
  const ofFunctions: Callback[] = [];
  const registered = new Map<string, { readonly parent: string; readonly own: readonly Callback[] }>();

  function above(urn: string): readonly Callback[] {
    const one = registered.get(urn);
    return one === undefined ? [] : [...one.own, ...above(one.parent)];
  }

  return {
    addToStack: (callback: Callback) => void ofStack.push(callback),
    addToFunctions: (callback: Callback) => void ofFunctions.push(callback),
    /** Notes that a resource is there: its transforms are those of all below it too. */
    note: (urn: string, request: Request) =>
      void registered.set(urn, { parent: request.getParent(), own: request.getTransformsList() }),

    /**
     * Changes a registration as its transforms say.
     * @param parent what the program asked for of its parent, which a transform sees as the resource's own
     * @returns whether there are any
     * @throws Error with the words of a transform that failed
     */
    async change(request: Request, parent: Goal | undefined): Promise<boolean> {
      const own = request.getTransformsList();
      const all = [...own, ...above(request.getParent()), ...ofStack];
      if (all.length === 0) return false;
      takeOver(request, parent);
      const asked = withOutputs(rawStruct(request.getObject() as Struct | undefined));
      let properties = toStruct(
        own.length > 0 ? withDependencies(asked, dependenciesOfEach(request)) : asked,
      );
      let options = optionsOf(request);
      for (const callback of all) {
        const message = new resourceMessages.TransformRequest();
        message.setName(request.getName());
        message.setType(request.getType());
        message.setCustom(request.getCustom());
        message.setParent(request.getParent());
        message.setProperties(properties as never);
        message.setOptions(options);
        const answer = resourceMessages.TransformResponse.deserializeBinary(
          await callbacks.call(callback, message.serializeBinary()),
        );
        properties = (answer.getProperties() as Struct | undefined) ?? properties;
        options = answer.getOptions() ?? options;
      }
      putDependencies(request, rawStruct(properties), options, own.length > 0);
      putOptions(request, options);
      request.setObject(properties as never);
      return true;
    },

    /** Changes a call of a function. @throws Error with the words of a transform that failed */
    async changeCall(request: Invoke): Promise<void> {
      for (const callback of ofFunctions) {
        const asked = new resourceMessages.TransformInvokeOptions();
        asked.setProvider(request.getProvider());
        asked.setVersion(request.getVersion());
        asked.setPluginDownloadUrl(request.getPlugindownloadurl());
        const message = new resourceMessages.TransformInvokeRequest();
        message.setToken(request.getTok());
        message.setArgs(request.getArgs());
        message.setOptions(asked);
        const answer = resourceMessages.TransformInvokeResponse.deserializeBinary(
          await callbacks.call(callback, message.serializeBinary()),
        );
        const options = answer.getOptions() ?? asked;
        request.setArgs(answer.getArgs() ?? request.getArgs());
        request.setProvider(options.getProvider());
        request.setVersion(options.getVersion());
        request.setPlugindownloadurl(options.getPluginDownloadUrl());
      }
    },
  };
}

/** What a resource takes over from its parent is its own by the time that it is transformed. */
function takeOver(request: Request, parent: Goal | undefined): void {
  const { deletedWith, protect, retainOnDelete } = inherited(
    {
      deletedWith: request.getDeletedwith(),
      protect: request.hasProtect() ? request.getProtect() : undefined,
      retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
    },
    parent,
  );
  request.setDeletedwith(deletedWith);
  if (protect !== undefined) request.setProtect(protect);
  if (retainOnDelete !== undefined) request.setRetainondelete(retainOnDelete);
}

/** What each argument of a registration comes of. */
export const dependenciesOfEach = (request: Request): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    ([...request.getPropertydependenciesMap().entries()] as [string, { getUrnsList(): string[] }][]).map(
      ([key, urns]) => [key, urns.getUrnsList()] as const,
    ),
  );

/**
 * What a changed registration depends on. Where the resource has transforms of its own that is what they say; otherwise what
 * the program said and what the arguments come of, as the real engine has it.
 */
function putDependencies(request: Request, properties: Properties, options: Options, isOwn: boolean): void {
  const before = dependenciesOfEach(request);
  const all = new Set(isOwn ? options.getDependsOnList() : request.getDependenciesList());
  const each = request.getPropertydependenciesMap();
  each.clear();
  for (const [key, value] of Object.entries(properties)) {
    const found = dependenciesOf(value);
    const list = new resourceMessages.RegisterResourceRequest.PropertyDependencies();
    list.setUrnsList([...new Set([...(isOwn ? [] : (before[key] ?? [])), ...found])]);
    each.set(key, list);
    if (isOwn) for (const urn of found) all.add(urn);
  }
  request.setDependenciesList([...all]);
}

function optionsOf(request: Request): Options {
  const options = new resourceMessages.TransformResourceOptions();
  options.setImport(request.getImportid());
  options.setDependsOnList(request.getDependenciesList());
  if (request.hasProtect()) options.setProtect(request.getProtect() === true);
  options.setIgnoreChangesList(request.getIgnorechangesList());
  options.setReplaceOnChangesList(request.getReplaceonchangesList());
  if (request.hasReplacementTrigger()) options.setReplacementTrigger(request.getReplacementTrigger());
  options.setVersion(request.getVersion());
  options.setAliasesList([...request.getAliasurnsList().map(aliasOf), ...request.getAliasesList()]);
  options.setProvider(request.getProvider());
  for (const [name, reference] of request.getProvidersMap().entries() as Iterable<[string, string]>)
    options.getProvidersMap().set(name, reference);
  options.setHideDiffList(request.getHidediffsList());
  options.setCustomTimeouts(request.getCustomtimeouts());
  options.setPluginDownloadUrl(request.getPlugindownloadurl());
  if (request.hasRetainondelete()) options.setRetainOnDelete(request.getRetainondelete() === true);
  options.setDeletedWith(request.getDeletedwith());
  options.setReplaceWithList(request.getReplaceWithList());
  if (request.getDeletebeforereplacedefined())
    options.setDeleteBeforeReplace(request.getDeletebeforereplace());
  options.setAdditionalSecretOutputsList(request.getAdditionalsecretoutputsList());
  options.setHooks(request.getHooks());
  return options;
}

function aliasOf(urn: string) {
  const alias = new aliasMessages.Alias();
  alias.setUrn(urn);
  return alias;
}

function putOptions(request: Request, options: Options): void {
  request.setImportid(options.getImport());
  request.clearProtect();
  if (options.hasProtect()) request.setProtect(options.getProtect() === true);
  request.setIgnorechangesList(options.getIgnoreChangesList());
  request.setReplaceonchangesList(options.getReplaceOnChangesList());
  request.setReplacementTrigger(options.getReplacementTrigger());
  request.setVersion(options.getVersion());
  request.setAliasurnsList([]);
  request.setAliasesList(options.getAliasesList());
  request.setProvider(options.getProvider());
  request.setHidediffsList(options.getHideDiffList());
  request.setCustomtimeouts(options.getCustomTimeouts());
  request.setPlugindownloadurl(options.getPluginDownloadUrl());
  request.clearRetainondelete();
  if (options.hasRetainOnDelete()) request.setRetainondelete(options.getRetainOnDelete() === true);
  request.setDeletedwith(options.getDeletedWith());
  request.setReplaceWithList(options.getReplaceWithList());
  request.setDeletebeforereplacedefined(options.hasDeleteBeforeReplace());
  request.setDeletebeforereplace(options.getDeleteBeforeReplace() === true);
  request.setAdditionalsecretoutputsList(options.getAdditionalSecretOutputsList());
  request.setHooks(options.getHooks());
}
