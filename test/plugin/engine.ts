/** An engine's side of the protocol for plugin tests: plain values in and out, and the log. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as grpc from "@grpc/grpc-js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import emptyModule from "google-protobuf/google/protobuf/empty_pb.js";
import structModule from "google-protobuf/google/protobuf/struct_pb.js";
import { onTestFinished } from "vitest";
import { serve } from "../../plugin/server.ts";
import { closeShops } from "../../provider/context/open-shop.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { root } from "../cli/terminal.ts";
import type { World } from "../support/world.ts";

type Message = Readonly<Record<string, unknown>>;
/** The method name in the protocol's client. */
type Rpc =
  | "check"
  | "diff"
  | "create"
  | "read"
  | "update"
  | "delete"
  | "handshake"
  | "invoke"
  | "getSchema"
  | "cancel"
  | "checkConfig"
  | "diffConfig";

export interface Plug {
  /** Calls a method; fields are named like the message's setters: `{ urn, properties }`. */
  call(rpc: Rpc, fields?: Message): Promise<Values>;
  list(token: string, query?: Values): Promise<readonly Values[]>;
  /** `<resource's name>: <line>` for each logged message. */
  readonly logged: string[];
}

/** The URN of a resource of a kind. */
export const urn = (kind: string, name = "one"): string =>
  `urn:pulumi:dev::project::shop:index:${kind}::${name}`;

const signature = "4dabf18193072939515e22adb298388d";
const mark = "1b47061264138c4ac30d75fd1eb44270";
export const secret = (value: unknown) => ({ [signature]: mark, value });

const struct = (values: unknown) => structModule.Struct.fromJavaScript(values as never);
const settable = new Set(["Olds", "News", "OldInputs", "Properties", "Inputs", "Args", "Query"]);

function requestOf(rpc: string, fields: Message): unknown {
  if (rpc === "cancel") return new emptyModule.Empty();
  const name = rpc === "handshake" ? "providerHandshake" : rpc.replace(/Config$/, "");
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Request` as "CheckRequest";
  const request = new providerMessages[type]() as unknown as Record<string, (value: unknown) => void>;
  for (const [key, value] of Object.entries(fields)) {
    const setter = key.charAt(0).toUpperCase() + key.slice(1);
    request[`set${setter}`]?.(settable.has(setter) ? struct(value) : value);
  }
  return request;
}

const kinds = Object.fromEntries(
  Object.entries(providerMessages.PropertyDiff.Kind).map(([name, value]) => [value, name]),
);

/** An answer's fields by name; detailed diffs as `path: KIND`. */
function plain(response: { toObject?(): unknown } & Record<string, unknown>): Values {
  const parts = response.toObject?.() as Record<string, unknown>;
  const own = Object.entries(parts).map(([name, value]) => {
    const getter = response[`get${name.charAt(0).toUpperCase()}${name.slice(1)}`] as
      | (() => unknown)
      | undefined;
    const part =
      name === "pb_return" ? (response.getReturn as () => unknown).call(response) : getter?.call(response);
    return [name.replace("pb_", ""), part instanceof structModule.Struct ? part.toJavaScript() : value];
  });
  const details = (parts.detaileddiffMap ?? []) as readonly [string, { kind: number; inputdiff: boolean }][];
  return {
    ...Object.fromEntries(own),
    detailed: details.map(
      ([path, { kind, inputdiff }]) => `${path}: ${kinds[kind]}${inputdiff ? "" : " of the object"}`,
    ),
  };
}

/** The details of an error about an incomplete object. */
export function unfinished(error: unknown): Values | undefined {
  const [packed] = (error as grpc.ServiceError).metadata.get("grpc-status-details-bin");
  if (packed === undefined) return undefined;
  const [detail] = statusMessages.Status.deserializeBinary(packed as Buffer).getDetailsList();
  const failed = providerMessages.ErrorResourceInitFailed.deserializeBinary(
    detail?.getValue_asU8() as Uint8Array,
  );
  return {
    id: failed.getId(),
    properties: failed.getProperties()?.toJavaScript(),
    reasons: failed.getReasonsList(),
  };
}

/** An engine that only logs. */
async function listener(logged: string[]): Promise<string> {
  const server = new grpc.Server();
  server.addService(
    engineServices.EngineService as never,
    {
      log(
        call: { request: InstanceType<typeof engineMessages.LogRequest> },
        callback: (error: null, answer: unknown) => void,
      ) {
        logged.push(`${call.request.getUrn().split("::").at(-1)}: ${call.request.getMessage()}`);
        callback(null, new emptyModule.Empty());
      },
    } as never,
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  onTestFinished(() => server.forceShutdown());
  return `127.0.0.1:${port}`;
}

/** Pulumi's own plugin starter, as its language host calls it, with the folder in a project. */
function started(address: string): Promise<number> {
  const starter = createRequire(join(root, "package.json")).resolve("@pulumi/pulumi/cmd/run-plugin");
  return portOf([process.execPath, starter, join(root, "plugin"), address], process.env);
}

function portOf([file = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(file, args, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the plugin ended with ${code}`)));
    createInterface({ input: child.stdout }).once("line", (line) => resolve(Number(line)));
  });
}

const hooks = ["uncaughtException", "unhandledRejection", "exit"] as const;

/** Pulumi's own host of dynamic providers in this process, without its process-wide handlers. */
async function sdkHost(): Promise<{ port: number; close(): void }> {
  const { runSdkHost } = createRequire(import.meta.url)("../warm/sdk-host.cjs") as {
    runSdkHost(): grpc.Server;
  };
  const { argv } = process;
  const { log } = console;
  const heard = hooks.map((name) => process.listeners(name as "exit"));
  try {
    let server: grpc.Server | undefined;
    // It prints its port.
    const port = await new Promise<number>((resolve) => {
      console.log = (line) => resolve(Number(line));
      server = runSdkHost();
    });
    return { port, close: () => server?.forceShutdown() };
  } finally {
    console.log = log;
    process.argv = argv;
    for (const [index, name] of hooks.entries())
      for (const one of process.listeners(name as "exit"))
        if (!heard[index]?.includes(one)) process.removeListener(name, one);
  }
}

/**
 * The plugin, configured for a world's shop, or Pulumi's host of dynamic providers.
 * @param how in this process, with Pulumi's starter, or as an executable; "host" is the host
 */
export async function openPlug(
  world: Pick<World, "url" | "credentials">,
  how: "here" | "started" | "host" | { readonly executable: string } = "here",
  config: Values = {},
): Promise<Plug> {
  // A process that nothing has stopped yet.
  await closeShops();
  const logged: string[] = [];
  const address = await listener(logged);
  const opened = { here: () => serve(address), host: sdkHost };
  const served = how === "here" || how === "host" ? await opened[how]() : undefined;
  const alone = () => (typeof how === "string" ? started(address) : portOf([how.executable, address], {}));
  const port = served?.port ?? (await alone());
  const client = new providerServices.ResourceProviderClient(
    `127.0.0.1:${port}`,
    grpc.credentials.createInsecure(),
  );
  onTestFinished(() => {
    client.close();
    served?.close();
  });
  const call: Plug["call"] = (rpc, fields = {}) =>
    new Promise((resolve, reject) => {
      const method = client[rpc] as unknown as (
        request: unknown,
        callback: (error: grpc.ServiceError | null, response: never) => void,
      ) => void;
      method.call(client, requestOf(rpc, fields), (error, response) =>
        error === null ? resolve(plain(response)) : reject(error),
      );
    });
  const configure = new providerMessages.ConfigureRequest();
  const { applicationId, password } = world.credentials;
  configure.setArgs(struct({ url: world.url, applicationId, password: secret(password), ...config }));
  await new Promise<void>((resolve, reject) => {
    client.configure(configure, (error) => (error === null ? resolve() : reject(error)));
  });
  return {
    call,
    logged,
    async list(token, query = {}) {
      const request = new providerMessages.ListRequest();
      request.setToken(token);
      request.setQuery(struct(query));
      const found: Values[] = [];
      for await (const response of client.list(request)) {
        const result = (response as InstanceType<typeof providerMessages.ListResponse>).getResult();
        if (result !== undefined) found.push(result.toObject() as unknown as Values);
      }
      return found;
    },
  };
}
