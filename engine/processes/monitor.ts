/** Serves pulumirpc.ResourceMonitor and pulumirpc.Engine, which the program calls. One small handler per call. */
import type { Duplex } from "node:stream";
import * as grpc from "@grpc/grpc-js";
import { channelOptions, listen, message } from "../pulumi/grpc.ts";
import type { Severity } from "../values/events.ts";
import type { Call, Goal, Reading, Registered } from "../values/goal.ts";
import type { Properties } from "../values/values.ts";
import type { Invoked } from "./provider.ts";
import {
  type AnswerLine,
  coded,
  decoded,
  type EndLine,
  isJson,
  openLines,
  type RegistrationLine,
} from "./registration-pipe.ts";
import {
  emptyModule,
  engineMessages,
  engineServices,
  fromValue,
  inOrder,
  inStruct,
  providerMessages,
  resourceMessages,
  resourceServices,
  toStruct,
} from "./wire.ts";

/** The deployment, as the program's calls need it. */
export interface Monitored {
  register(goal: Goal): Promise<Registered>;
  read(reading: Reading): Promise<Registered>;
  invoke(call: Call): Promise<Invoked>;
  outputs(urn: string, outputs: Properties): Promise<void>;
  log(severity: Severity, text: string, urn: string | undefined): void;
  ended(why: string): void;
  /** Resolves when no operation is running. */
  settled(): Promise<void>;
}

export type MonitorServer = Awaited<ReturnType<typeof serveMonitor>>;

// A program registers everything at once; registrations over this number wait on its side. This can't cause a deadlock,
// because no answer waits for a later registration.
const most = 64;

type Registration = InstanceType<typeof resourceMessages.RegisterResourceRequest>;
type Handler = (request: never) => Promise<unknown> | unknown;

/** Serves a deployment's monitor and engine on a local port. */
export async function serveMonitor(deployment: Monitored) {
  const server = new grpc.Server({ ...channelOptions, "grpc.max_concurrent_streams": most });
  const monitor = monitorCalls(deployment);
  server.addService(
    resourceServices.ResourceMonitorService as never,
    implement(resourceServices.ResourceMonitorService, monitor.calls) as never,
  );
  server.addService(
    engineServices.EngineService as never,
    implement(engineServices.EngineService, engineCalls(deployment)) as never,
  );
  const port = await listen(server);
  return {
    address: `127.0.0.1:${port}`,
    /** Answers registrations that arrive through a program's pipe. */
    answer: (pipe: Duplex) => answerBy(pipe, { ...monitor, ended: deployment.ended }),
    close: () => server.forceShutdown(),
  };
}

function answerBy(
  pipe: Duplex,
  { register, ended }: ReturnType<typeof monitorCalls> & Pick<Monitored, "ended">,
): void {
  let pending = 0;
  const send = openLines<RegistrationLine | EndLine, AnswerLine>(pipe, (line) => {
    if ("ended" in line) return ended(line.ended);
    const [number, request] = line;
    pending += 1;
    if (pending >= most) pipe.pause();
    register(decoded(resourceMessages.RegisterResourceRequest, request))
      .then(
        (registered) => send({ number, ...answerOf(registered) }),
        ({ message }: Error) => send({ number, failure: message }),
      )
      .finally(() => {
        pending -= 1;
        if (pipe.isPaused() && pending < most) pipe.resume();
      });
  });
}

function answerOf(registered: Registered | undefined): Omit<AnswerLine, "number"> {
  if (registered === undefined || !isJson(registered.properties))
    return { answer: coded(responseOf(registered)) };
  return {
    answer: coded(responseOf({ ...registered, properties: {} })),
    properties: inOrder(registered.properties),
  };
}

function responseOf(registered: Registered | undefined) {
  const { RegisterResourceResponse: Response, Result } = resourceMessages;
  if (registered === undefined) return message(Response, { result: Result.FAIL });
  const { urn, id, properties } = registered;
  return message(Response, { urn, id: id ?? "", object: toStruct(properties), result: Result.SUCCESS });
}

// A call without a handler is refused by its name.
function implement(
  service: object,
  calls: Readonly<Record<string, Handler>>,
): Record<string, grpc.handleUnaryCall<unknown, unknown>> {
  const entries = Object.keys(service).map((name): [string, grpc.handleUnaryCall<unknown, unknown>] => [
    name,
    (call, callback) => {
      const handler = calls[name];
      if (handler === undefined) {
        callback({
          code: grpc.status.UNIMPLEMENTED,
          details: `${name} is not supported by the embedded engine; use --engine pulumi`,
        });
        return;
      }
      Promise.resolve()
        .then(() => handler(call.request as never))
        .then(
          (response) => callback(null, response),
          (error: Error) => callback({ code: grpc.status.UNKNOWN, details: error.message }),
        );
    },
  ]);
  return Object.fromEntries(entries);
}

function monitorCalls(deployment: Monitored) {
  // The SDK doesn't report why a transform was refused; so the registrations that it would transform are refused
  // instead.
  let isTransformed = false;
  const nothing = () => new emptyModule.Empty();
  const noteTransform = () => {
    isTransformed = true;
    return nothing();
  };
  const register = (request: Registration) =>
    deployment.register(goalOf(request, isTransformed)).catch((error: unknown) => {
      // If the SDK supports it, the program continues with independent resources, and the run reports the failure.
      if (!request.getSupportsresultreporting()) throw error;
      return undefined;
    });
  const calls = {
    supportsFeature: (request: InstanceType<typeof resourceMessages.SupportsFeatureRequest>) =>
      message(resourceMessages.SupportsFeatureResponse, {
        hassupport: Object.hasOwn(features, request.getId()),
      }),
    getDeploymentInfo: () =>
      message(resourceMessages.DeploymentInfo, { supportedfeaturesList: Object.values(features) as never }),
    registerResource: async (request: Registration) => responseOf(await register(request)),
    readResource: async (request: InstanceType<typeof resourceMessages.ReadResourceRequest>) => {
      const { urn, properties } = await deployment.read({
        type: request.getType(),
        name: request.getName(),
        id: request.getId(),
        parent: request.getParent(),
        inputs: inStruct(request.getProperties()),
        dependencies: request.getDependenciesList(),
        provider: request.getProvider(),
        source: sourceOf(request),
        additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
        position: positionOf(request),
      });
      return message(resourceMessages.ReadResourceResponse, { urn, properties: toStruct(properties) });
    },
    invoke: async (request: InstanceType<typeof resourceMessages.ResourceInvokeRequest>) => {
      if (isTransformed)
        throw new Error("transforms are not supported by the embedded engine; use --engine pulumi");
      const { result, failures } = await deployment.invoke({
        token: request.getTok(),
        provider: request.getProvider(),
        source: sourceOf(request),
        args: inStruct(request.getArgs()),
      });
      return message(resourceMessages.ResourceInvokeResponse, {
        return: toStruct(result),
        failuresList: failures.map((failure) => message(providerMessages.CheckFailure, failure)),
      });
    },
    registerResourceOutputs: async (
      request: InstanceType<typeof resourceMessages.RegisterResourceOutputsRequest>,
    ) => {
      await deployment.outputs(request.getUrn(), inStruct(request.getOutputs()));
      return new emptyModule.Empty();
    },
    // Hooks may be registered; a resource that names one is refused.
    registerResourceHook: nothing,
    registerErrorHook: nothing,
    registerStackTransform: noteTransform,
    registerStackInvokeTransform: noteTransform,
    signalAndWaitForShutdown: async () => {
      await deployment.settled();
      return new emptyModule.Empty();
    },
  };
  return { calls, register };
}

function goalOf(request: Registration, isTransformed: boolean): Goal {
  const timeouts = request.getCustomtimeouts();
  return {
    type: request.getType(),
    name: request.getName(),
    custom: request.getCustom(),
    remote: request.getRemote(),
    parent: request.getParent(),
    provider: request.getProvider(),
    source: sourceOf(request),
    inputs: inStruct(request.getObject()),
    dependencies: request.getDependenciesList(),
    propertyDependencies: Object.fromEntries(
      ([...request.getPropertydependenciesMap().entries()] as [string, { getUrnsList(): string[] }][]).map(
        ([key, urns]) => [key, urns.getUrnsList()] as const,
      ),
    ),
    protect: request.hasProtect() ? request.getProtect() : undefined,
    retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
    deleteBeforeReplace: request.getDeletebeforereplacedefined()
      ? request.getDeletebeforereplace()
      : undefined,
    ignoreChanges: request.getIgnorechangesList(),
    replaceOnChanges: request.getReplaceonchangesList(),
    hideDiffs: request.getHidediffsList(),
    replacementTrigger: request.hasReplacementTrigger()
      ? fromValue(request.getReplacementTrigger() as never)
      : undefined,
    unsupported: unsupportedIn(request, isTransformed),
    additionalSecretOutputs: request.getAdditionalsecretoutputsList(),
    importId: request.getImportid(),
    deletedWith: request.getDeletedwith(),
    replaceWith: request.getReplaceWithList(),
    timeouts:
      timeouts === undefined
        ? {}
        : { create: timeouts.getCreate(), update: timeouts.getUpdate(), delete: timeouts.getDelete() },
    aliasUrns: request.getAliasurnsList(),
    aliases: request.getAliasesList().map(aliasOf),
    position: positionOf(request),
  };
}

const sourceOf = (request: Pick<Registration, "getVersion" | "getPlugindownloadurl">): Goal["source"] => ({
  version: request.getVersion(),
  pluginDownloadURL: request.getPlugindownloadurl(),
});

function positionOf(request: Pick<Registration, "getSourceposition">): Goal["position"] {
  const position = request.getSourceposition();
  return position && { uri: position.getUri(), line: position.getLine() };
}

// Empty lists may be missing from a message.
const namesIn = (lists: readonly unknown[]) => lists.flat().filter((name) => typeof name === "string");

/** Options with an effect that this engine doesn't support. */
function unsupportedIn(request: Registration, isTransformed: boolean): string[] {
  const asked: readonly (readonly [string, number])[] = [
    ["replaceWith of a component", request.getCustom() ? 0 : request.getReplaceWithList().length],
    ["envVarMappings", request.getEnvvarmappingsMap().getLength()],
    ["stateMigrations", request.getStateMigrationsList().length],
    ["transforms", request.getTransformsList().length + Number(isTransformed)],
    ["hooks", namesIn(request.getHooks()?.toArray() ?? []).length],
  ];
  return asked.flatMap(([name, length]) => (length > 0 ? [name] : []));
}

function aliasOf(
  alias: InstanceType<typeof import("@pulumi/pulumi/proto/alias_pb.js").Alias>,
): Goal["aliases"][number] {
  const spec = alias.getSpec();
  if (spec === undefined) return { urn: alias.getUrn() };
  return {
    name: spec.getName() || undefined,
    type: spec.getType() || undefined,
    stack: spec.getStack() || undefined,
    project: spec.getProject() || undefined,
    parent: spec.getParenturn() || undefined,
    noParent: spec.getNoparent(),
  };
}

function engineCalls(deployment: Monitored): Record<string, Handler> {
  let root = "";
  const severities: readonly (Severity | undefined)[] = [undefined, "info", "warning", "error"];
  return {
    log: (request: InstanceType<typeof engineMessages.LogRequest>) => {
      // The SDK sends a debug line for each call, which is ignored.
      const severity = severities[request.getSeverity()];
      if (severity !== undefined)
        deployment.log(severity, request.getMessage(), request.getUrn() || undefined);
      return new emptyModule.Empty();
    },
    getRootResource: () => message(engineMessages.GetRootResourceResponse, { urn: root }),
    setRootResource: (request: InstanceType<typeof engineMessages.SetRootResourceRequest>) => {
      root = request.getUrn();
      return new engineMessages.SetRootResourceResponse();
    },
    requirePulumiVersion: () => new engineMessages.RequirePulumiVersionResponse(),
  } as Record<string, Handler>;
}

const of = resourceMessages.ResourceMonitorFeature;

/** By the names that older releases of the SDK use, which ask for one at a time. */
const features: Readonly<Record<string, number>> = {
  secrets: of.RESOURCE_MONITOR_FEATURE_SECRETS,
  resourceReferences: of.RESOURCE_MONITOR_FEATURE_RESOURCE_REFERENCES,
  outputValues: of.RESOURCE_MONITOR_FEATURE_OUTPUT_VALUES,
  aliasSpecs: of.RESOURCE_MONITOR_FEATURE_ALIAS_SPECS,
  deletedWith: of.RESOURCE_MONITOR_FEATURE_DELETED_WITH,
  replaceWith: of.RESOURCE_MONITOR_FEATURE_REPLACE_WITH,
  transforms: of.RESOURCE_MONITOR_FEATURE_TRANSFORMS,
  invokeTransforms: of.RESOURCE_MONITOR_FEATURE_INVOKE_TRANSFORMS,
  resourceHooks: of.RESOURCE_MONITOR_FEATURE_RESOURCE_HOOKS,
  errorHooks: of.RESOURCE_MONITOR_FEATURE_ERROR_HOOKS,
  stateMigrations: of.RESOURCE_MONITOR_FEATURE_STATE_MIGRATIONS,
};
