/** Serves pulumirpc.ResourceProvider with the provider: one small handler per call. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as grpc from "@grpc/grpc-js";
import { channelOptions, listen, message } from "../engine/pulumi/grpc.ts";
import { ownerOf } from "../provider/names/owner.ts";
import { pluginType } from "../provider/names/types.ts";
import {
  dataSources,
  listings,
  type NativeHandler,
  nativeHandler,
  openShop,
  type Values,
} from "../provider/native.ts";
import { checkConfig, configOf, diffConfig, envBeside, settingNames } from "./configuration.ts";
import { type EngineLog, openEngineLog } from "./engine-log.ts";
import { outputsOf, resourceCalls } from "./resources.ts";
import {
  emptyModule,
  failure,
  fromStruct,
  pluginMessages,
  providerMessages,
  providerServices,
  type Struct,
  toStruct,
  type Unfinished,
} from "./wire.ts";

type Call = (request: never) => unknown;
type Calls = Readonly<Record<string, Call>>;

/** The package's schema, with the package's version. */
function schemaText(): string {
  const require = createRequire(import.meta.url);
  const { version } = require("pulumi-shop/package.json") as { readonly version: string };
  const text = readFileSync(require.resolve("pulumi-shop/plugin/schema.json"), "utf8");
  return JSON.stringify({ ...(JSON.parse(text) as object), version });
}

/**
 * Serves one provider on a local port.
 * @param engineAddress the engine's address
 * @returns the port
 */
export async function serve(engineAddress: string | undefined): Promise<{ port: number; close(): void }> {
  const log = openEngineLog(engineAddress);
  const provider = openProvider(log);
  const server = new grpc.Server(channelOptions);
  const service = providerServices.ResourceProviderService;
  server.addService(service as never, { ...implement(service, provider), list: provider.list } as never);
  const port = await listen(server);
  return {
    port,
    close() {
      server.forceShutdown();
      log.close();
    },
  };
}

// A call without a handler is refused by name; engines make some calls only to find out.
function implement(
  service: object,
  { calls, named }: Pick<ReturnType<typeof openProvider>, "calls" | "named">,
): Record<string, grpc.handleUnaryCall<unknown, unknown>> {
  const entries = Object.keys(service).map((name): [string, grpc.handleUnaryCall<unknown, unknown>] => [
    name,
    (call, callback) => {
      const work = calls[name];
      if (work === undefined)
        return callback({
          code: grpc.status.UNIMPLEMENTED,
          details: `${name} is not supported by the plugin shop`,
        });
      const urn = (call.request as { getUrn?: () => string }).getUrn?.() ?? "";
      Promise.resolve()
        .then(() => work(call.request as never))
        .then(
          (response) => {
            if (response instanceof providerMessages.CheckResponse)
              for (const failure of response.getFailuresList()) failure.setReason(named(failure.getReason()));
            callback(null, response ?? new emptyModule.Empty());
          },
          (error: unknown) => callback(answerTo(error, urn, named)),
        )
        // Without an answer for a response that can't be encoded, the engine would wait forever.
        .catch((error: unknown) => callback({ code: grpc.status.UNKNOWN, details: String(error) }));
    },
  ]);
  return Object.fromEntries(entries);
}

function openProvider(log: EngineLog) {
  let config: (key: string) => string | undefined = () => undefined;
  let own: ReturnType<typeof settingNames>;
  let urn = "";
  // Older engines don't say in an invoke whether this is a preview.
  let invokesTell = false;
  const named = (text: string) => own?.(text) ?? text;
  const say = (line: string) => log.say(named(line));
  const handlers = new Map<string, NativeHandler>();
  const sources = () => ({
    config,
    env: process.env,
    by: "plugin" as const,
    ...(own !== undefined && {
      provider: urn,
      env: envBeside(config, process.env),
      howToSet: (key: string) => `set ${key}`,
    }),
  });
  const handlerOf = (kind: string): NativeHandler => {
    const known = handlers.get(kind) ?? nativeHandler(kind, sources(), say);
    handlers.set(kind, known);
    return known;
  };
  const shop = () => openShop(sources(), say);
  // Messages during a call are shown with its resource.
  const beside = Object.entries(resourceCalls(handlerOf) as unknown as Calls).map(([name, work]) => [
    name,
    (request: { getUrn(): string }) => log.within(request.getUrn(), async () => work(request as never)),
  ]);
  const calls = {
    ...(Object.fromEntries(beside) as Calls),
    handshake(request: InstanceType<typeof providerMessages.ProviderHandshakeRequest>) {
      log.listen(request.getEngineAddress());
      invokesTell = request.getInvokeWithPreview();
      return message(providerMessages.ProviderHandshakeResponse, { acceptSecrets: true });
    },
    attach: (request: InstanceType<typeof pluginMessages.PluginAttach>) => log.listen(request.getAddress()),
    getPluginInfo() {
      const { version } = JSON.parse(schemaText()) as { version: string };
      return message(pluginMessages.PluginInfo, { version });
    },
    getSchema: () => message(providerMessages.GetSchemaResponse, { schema: schemaText() }),
    checkConfig,
    diffConfig,
    configure(request: InstanceType<typeof providerMessages.ConfigureRequest>) {
      config = configOf(request.getArgs() as Struct | undefined);
      urn = request.getUrn() ?? "";
      own = settingNames(urn);
      handlers.clear();
      return message(providerMessages.ConfigureResponse, { acceptsecrets: true, supportspreview: true });
    },
    // The call is detected where it arrives (provider/client/host-stop.ts): all waiting is cancelled.
    cancel: () => undefined,
    async invoke(request: InstanceType<typeof providerMessages.InvokeRequest>) {
      const source = dataSources.find(({ name }) => request.getTok() === pluginType(name));
      if (source === undefined) throw new Error(`there is no function ${request.getTok()}`);
      const args = fromStruct(request.getArgs() as Struct | undefined);
      const opened = shop();
      if (invokesTell) opened.memory.told.isPreview = request.getPreview();
      const answer = await log.within("", () => source.ask(opened, args));
      const values = source.list === undefined ? (answer as Values) : { [source.list]: answer };
      return message(providerMessages.InvokeResponse, { return: toStruct(values) });
    },
  } as unknown as Calls;

  const list: grpc.handleServerStreamingCall<unknown, unknown> = (call) => {
    const request = call.request as InstanceType<typeof providerMessages.ListRequest>;
    const found = listings.find(({ definition }) => request.getToken() === pluginType(definition.kind));
    const send = async () => {
      if (found === undefined)
        throw new Error(`${request.getToken()} can't be listed: the shop has no list of them`);
      const most = request.getLimit();
      let count = 0;
      for await (const { id, name } of found.each(
        shop(),
        fromStruct(request.getQuery() as Struct | undefined),
      )) {
        if (call.cancelled || (most > 0 && count >= most)) break;
        const result = message(providerMessages.ListResponse.Result, { id, name });
        call.write(message(providerMessages.ListResponse, { result }));
        count += 1;
      }
      call.end();
    };
    log.within("", send).catch((error: unknown) => call.emit("error", answerTo(error, "", named)));
  };
  return { calls, list, named };
}

/**
 * The answer to an error: refused, incomplete, or failed.
 * @param named replaces the names of the provider's settings
 */
export function answerTo(
  error: unknown,
  urn: string,
  named = (text: string) => text,
): Partial<grpc.StatusObject> {
  const {
    message: text,
    code,
    id,
    properties,
    reasons,
  } = (error instanceof Error ? error : new Error(String(error))) as Error &
    Partial<Unfinished> & { code?: unknown };
  const message = named(text);
  if (code === grpc.status.FAILED_PRECONDITION) return failure(message, grpc.status.FAILED_PRECONDITION);
  if (id === undefined || properties === undefined || reasons === undefined)
    return failure(message, grpc.status.UNKNOWN);
  const { kind } = ownerOf(urn);
  return failure(message, grpc.status.UNKNOWN, {
    id,
    properties: outputsOf(kind, properties),
    reasons: reasons.map(named),
  });
}
