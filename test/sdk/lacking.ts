/** Looks for the undocumented parts in use (engine/pulumi/sdk-internals.ts) in one SDK. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import {
  exportedWhole,
  inlineServer,
  instrumentation,
  loadedLate,
  log,
  monitorClient,
  type ProgramState,
  programState,
  quieted,
  registrations,
  sourceMaps,
  startedFiles,
} from "../../engine/pulumi/sdk-internals.ts";

interface Clients {
  readonly ResourceMonitorClient: { readonly prototype: { readonly registerResource: unknown } };
}
interface Messages {
  readonly RegisterResourceResponse: {
    new (fields: readonly unknown[]): { getUrn(): string };
    readonly deserializeBinary: unknown;
  };
}

/** Functions by file, relative to the SDK's folder. */
const functions: Readonly<Record<string, (part: never) => unknown>> = {
  [quieted.debuggable]: ({ debuggablePromise }: { debuggablePromise: unknown }) => debuggablePromise,
  [quieted.resources]: ({ Resource }: { Resource: { callsites: unknown } }) => Resource.callsites,
  [quieted.rpc]: ({ transferProperties }: { transferProperties: unknown }) => transferProperties,
  [inlineServer]: ({ LanguageServer }: { LanguageServer: { prototype: { run: unknown } } }) =>
    LanguageServer.prototype.run,
  [quieted.registering]: ({ registerResource }: { registerResource: unknown }) => registerResource,
  [programState]: ({ getPendingResourceRegistrations, getStackResource, getStore }: ProgramState) =>
    typeof getStackResource === "function" &&
    getStore?.().terminated === false &&
    getPendingResourceRegistrations,
  [quieted.keepAlive]: ({ rpcKeepAlive, getEngine }: { rpcKeepAlive: unknown; getEngine: unknown }) =>
    typeof getEngine === "function" && rpcKeepAlive,
  "./proto/resource_grpc_pb.js": ({ ResourceMonitorClient }: Clients) =>
    ResourceMonitorClient.prototype.registerResource,
  "./proto/resource_pb.js": ({ RegisterResourceResponse }: Messages) =>
    new RegisterResourceResponse(["urn"]).getUrn() === "urn" && RegisterResourceResponse.deserializeBinary,
  "./log/index.js": ({ debug }: { debug: unknown }) => debug,
  "./runtime/closure/codePaths.js": ({ computeCodePaths }: { computeCodePaths: unknown }) => computeCodePaths,
};

/** Words in a file of the SDK. */
const words: readonly (readonly [file: string, words: RegExp])[] = [
  ["runtime/stack.js", new RegExp(`"${exportedWhole}": true`)],
  ["cmd/run/run.js", /Running program '.*failed with an unhandled exception:/],
  // The only call for an answer's properties (engine/processes/pipe-client.ts).
  ["runtime/rpc.js", /const outputs = outputsStruct\.toJavaScript\(\);/],
  ["resource.js", /__pulumiType = /],
  ["resource.js", /__parentResource = /],
];

/** @param main the SDK's main file @returns the parts that the SDK lacks, by file */
export function lacking(main: string): readonly string[] {
  const folder = dirname(main);
  const require = createRequire(join(folder, "index.js"));
  const run = createRequire(join(folder, startedFiles.run));
  const missing: string[] = [];
  const look = (name: string, found: () => unknown) => {
    try {
      if (found() === false) missing.push(name);
    } catch {
      missing.push(name);
    }
  };
  const text = (file: string) => readFileSync(join(folder, file), "utf8");
  for (const file of Object.values(startedFiles)) look(file, () => require.resolve(`./${file}`));
  for (const part of [
    ...Object.values(loadedLate),
    instrumentation,
    log,
    sourceMaps,
    monitorClient,
    registrations,
  ])
    look(part, () => run.resolve(part));
  for (const [file, of] of Object.entries(functions))
    look(file, () => typeof of(require(file.replace("@pulumi/pulumi", ".")) as never) === "function");
  for (const [file, wanted] of words) look(`${file}: ${wanted}`, () => wanted.test(text(file)));
  // The host of dynamic providers prints the name and stack of an error together, and nothing else.
  look("what the host prints of an error", () => {
    const printed = [...text(startedFiles.host).matchAll(/console\.error\((`.*)\);/g)].map(
      ([, what]) => what,
    );
    return printed.length > 0 && printed.every((what) => what?.replaceAll("$", "") === "`{e}: {e.stack}`");
  });
  return missing;
}
