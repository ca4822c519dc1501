/**
 * A plugin: a provider in a folder that Pulumi.yaml names. Like Pulumi, it starts the executable
 * `pulumi-resource-NAME`, or what PulumiPlugin.yaml describes; the first printed line is the port
 * (pkg/resource/plugin/plugin.go).
 */
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parse } from "yaml";
import { message } from "../pulumi/grpc.ts";
import { startedFiles } from "../pulumi/sdk-internals.ts";
import { parseUrn, typeOf } from "../pulumi/urn.ts";
import { isSecret, type Properties, secretValue } from "../values/values.ts";
import { endChild, firstLine, type HostOptions, sdkFile, startFile, startNode } from "./child-process.ts";
import type { CheckFailure, Provider, ProviderDiff } from "./provider.ts";
import {
  checkFailures,
  checkRequest,
  clientOf,
  diffRequest,
  isUnknownCall,
  type Method,
  providerCalls,
  unary,
  verdictOf,
} from "./provider-client.ts";
import { emptyModule, errorText, inStruct, providerMessages, toStruct } from "./wire.ts";

/** A running plugin, which must be configured before it manages resources. */
export interface Plugin {
  checkConfig(
    urn: string,
    olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: readonly CheckFailure[] }>;
  /** @returns undefined if the plugin doesn't implement it */
  diffConfig(urn: string, id: string, olds: Properties, news: Properties): Promise<ProviderDiff | undefined>;
  configure(urn: string, inputs: Properties): Promise<Provider>;
  /** Cancels all waiting. */
  stop(): void;
  close(): void;
}

/**
 * Starts a plugin.
 * @param folder the plugin's folder
 * @throws Error if it can't be started
 */
export async function startPlugin(options: HostOptions, name: string, folder: string): Promise<Plugin> {
  const child = started(options, name, folder);
  const port = Number(await firstLine(child, `the plugin ${name}`, options.print));
  const plugin = await connectPlugin(options, name, port);
  return {
    ...plugin,
    close: () => {
      plugin.close();
      endChild(child);
    },
  };
}

function started(options: HostOptions, name: string, folder: string): ChildProcess {
  const executable = join(folder, `pulumi-resource-${name}${process.platform === "win32" ? ".exe" : ""}`);
  if (existsSync(executable)) return startFile(options, executable, [options.engineAddress]);
  const description = join(folder, "PulumiPlugin.yaml");
  if (!existsSync(description))
    throw new Error(
      `the plugin ${name} was not found: ${folder} has neither pulumi-resource-${name} nor PulumiPlugin.yaml`,
    );
  const { runtime } = (parse(readFileSync(description, "utf8")) ?? {}) as {
    readonly runtime?: string | Runtime;
  };
  const { name: language, options: wanted } =
    typeof runtime === "string" ? { name: runtime } : (runtime ?? {});
  if (language !== "nodejs")
    throw new Error(
      `${description}: runtime ${String(language)} is not supported by the embedded engine, only nodejs; use --engine pulumi`,
    );
  // With `typescript: false`, run it without the SDK's starter, which always loads a compiler: the project's TypeScript
  // 7, which it can't use, or one of 2020, which fails on the project's tsconfig.json.
  if (wanted?.typescript === false)
    return startNode(options, [createRequire(description).resolve(folder), options.engineAddress]);
  return startNode(options, [sdkFile(options.project, startedFiles.plugin), folder, options.engineAddress]);
}

/** A part of PulumiPlugin.yaml. */
interface Runtime {
  readonly name?: string;
  readonly options?: { readonly typescript?: boolean };
}

export async function connectPlugin(
  { project, engineAddress }: Pick<HostOptions, "project" | "engineAddress">,
  name: string,
  port: number,
): Promise<Plugin> {
  const client = clientOf(port);
  /** @returns undefined if the plugin doesn't implement the call */
  const ask = async <Name extends Method>(what: string, method: Name, request: unknown) => {
    try {
      return await unary(client, method, request);
    } catch (error) {
      if (isUnknownCall(error)) return undefined;
      throw new Error(`the ${what} of the plugin ${name} failed: ${errorText(error)}`, { cause: error });
    }
  };
  const handshake = message(providerMessages.ProviderHandshakeRequest, {
    engineAddress,
    rootDirectory: project.folder,
    programDirectory: project.programFolder,
  });
  await ask("handshake", "handshake", handshake);
  const stop = () => client.cancel(new emptyModule.Empty(), () => undefined);
  const close = () => client.close();
  return {
    async checkConfig(urn, olds, news) {
      const request = checkRequest(urn, olds, news);
      const response = await ask("check of the configuration", "checkConfig", request);
      if (response === undefined) return { inputs: news, failures: [] };
      return { inputs: inStruct(response.getInputs()), failures: checkFailures(response.getFailuresList()) };
    },
    async diffConfig(urn, id, olds, news) {
      const request = diffRequest(urn, id, olds, { news, oldInputs: olds });
      const response = await ask("comparison of the configuration", "diffConfig", request);
      return response && verdictOf(response);
    },
    async configure(urn, inputs) {
      const request = configureRequest(urn, name, inputs);
      const configured = await ask("configuration", "configure", request);
      return {
        ...providerCalls(client),
        acceptsSecrets: configured?.getAcceptsecrets() === true,
        previews: configured?.getSupportspreview() === true,
        stop,
        close,
      };
    },
    stop,
    close,
  };
}

function configureRequest(urn: string, name: string, inputs: Properties) {
  const request = message(providerMessages.ConfigureRequest, {
    urn,
    name: parseUrn(urn).name,
    type: typeOf(urn),
    args: toStruct(inputs),
    acceptsecrets: true,
  });
  // Plugins of an older protocol read these variables.
  for (const [key, value] of Object.entries(inputs)) {
    const bare = isSecret(value) ? secretValue(value) : value;
    request
      .getVariablesMap()
      .set(`${name}:config:${key}`, typeof bare === "string" ? bare : JSON.stringify(bare));
  }
  return request;
}
