/**
 * Runs a dynamic provider of the embedding package in this process. It gets the same arguments and gives the same
 * answers as in the SDK's host (cmd/dynamic-provider). All other dynamic providers run in the host.
 */
import { type Properties, plain, unknownText, type Value } from "../values/values.ts";
import { childEnvironment, type HostOptions } from "./child-process.ts";
import { startProvider } from "./host.ts";
import { type CheckFailure, InitError, type Provider, RefusedError } from "./provider.ts";
import { checked, found, refusedCode } from "./provider-client.ts";

type Operation = "check" | "diff" | "preview" | "create" | "read" | "update" | "delete";

export interface InProcessProvider {
  /** Whether the provider that a resource carries (`__provider`) runs here. */
  has(provider: Value | undefined): boolean;
  /**
   * Calls a method of `pulumi.dynamic.ResourceProvider`, or `preview`, which computes the outputs of a create or an
   * update; the answer is JSON.
   * @throws VerbError
   */
  ask(provider: Value | undefined, verb: Operation, ...given: readonly unknown[]): Promise<unknown>;
  /** Cancels all waiting. */
  stop(): void;
  close(): void;
}

/** The fields of an error that the SDK's host passes on. */
export interface OperationError extends Error {
  readonly code?: number;
  readonly id?: string;
  readonly properties?: Properties;
  readonly reasons?: readonly string[];
}

/**
 * Opens the in-process providers of a run; undefined if all dynamic providers run in the host.
 * @param options contains the environment of the host
 */
export type OpenInProcessProvider = (options: HostOptions) => Promise<InProcessProvider | undefined>;

/** Starts dynamic providers. The host is started only when one that doesn't run here is first called. */
export const startDynamicProviders =
  (open: OpenInProcessProvider = async () => undefined) =>
  async (options: HostOptions): Promise<Provider> => {
    const own = await open({ ...options, env: childEnvironment(options) });
    const others = () => startProvider(options);
    return own === undefined ? others() : withInProcessProvider(own, others);
  };

interface Answers {
  readonly check: { readonly inputs?: Properties; readonly failures?: readonly CheckFailure[] };
  readonly diff: {
    readonly changes?: boolean;
    readonly replaces?: readonly string[];
    readonly deleteBeforeReplace?: boolean;
  };
  readonly preview: Properties;
  readonly create: { readonly id: string; readonly outs?: Properties };
  readonly read: { readonly id?: string; readonly props?: Properties; readonly inputs?: Properties };
  readonly update: { readonly outs?: Properties };
  readonly delete: unknown;
}

/** Converts an error as the host does: refused, incomplete, or failed. */
function convertedError(error: OperationError): Error {
  const { message, code, id, properties, reasons = [] } = error;
  if (code === refusedCode || properties?.__refused === true) return new RefusedError(message);
  if (id === undefined || properties === undefined) return error;
  return new InitError({ id, properties: plain(properties) as Properties, reasons });
}

/** Waits for an answer until the timeout; a later one is ignored. */
function withTimeout<T>(timeoutMs: number | undefined, answer: Promise<T>): Promise<T> {
  if (timeoutMs === undefined) return answer;
  return new Promise((resolve, reject) => {
    const late = `no answer within the timeout of ${timeoutMs / 1000} s; the provider may still carry out the call`;
    const timer = setTimeout(() => reject(new Error(late)), timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * Combines the in-process providers and the host into one.
 * @param others starts the host; called when another dynamic provider is first used
 */
export function withInProcessProvider(own: InProcessProvider, others: () => Promise<Provider>): Provider {
  let host: Promise<Provider> | undefined;
  const inHost = () => (host ??= others());
  const withHost = (work: (started: Provider) => void) => void host?.then(work, () => undefined);
  const ask = async <V extends Operation>(verb: V, ...[first, ...given]: readonly unknown[]) => {
    try {
      return (await own.ask(first as Value, verb, ...given)) as Answers[V];
    } catch (error) {
      throw convertedError(error as OperationError);
    }
  };
  // Answers don't contain `__provider`, so it is added from the request.
  const kept = (values: Properties = {}, { __provider }: Properties) =>
    plain({ ...values, ...(__provider !== undefined && { __provider }) }) as Properties;
  return {
    // The host doesn't: its outputs are the inputs then.
    previews: true,
    async check(urn, olds, news) {
      const { __provider } = news.__provider === unknownText ? olds : news;
      if (!own.has(__provider)) return (await inHost()).check(urn, olds, news);
      const { inputs, failures = [] } = await ask("check", __provider, olds, news);
      return checked(kept(inputs ?? news, news), failures);
    },
    async diff(urn, id, olds, asked) {
      const { news } = asked;
      const { __provider } = news.__provider === unknownText ? olds : news;
      if (!own.has(__provider)) return (await inHost()).diff(urn, id, olds, asked);
      const {
        changes,
        replaces = [],
        deleteBeforeReplace = false,
      } = await ask("diff", __provider, id, olds, news);
      return {
        changes: changes === undefined ? "unknown" : changes ? "some" : "none",
        replaces,
        deleteBeforeReplace,
      };
    },
    async create(urn, inputs, more) {
      const isOwn = own.has(inputs.__provider);
      if (more?.preview === true)
        return { id: "", outputs: isOwn ? await ask("preview", inputs.__provider, inputs) : inputs };
      if (!isOwn) return (await inHost()).create(urn, inputs, more);
      const { id, outs } = await withTimeout(more?.timeoutMs, ask("create", inputs.__provider, inputs));
      return { id, outputs: kept(outs, inputs) };
    },
    async read(urn, id, inputs, outputs) {
      // If only the id is known, the provider is found in the inputs.
      const props = outputs === undefined || Object.keys(outputs).length === 0 ? (inputs ?? {}) : outputs;
      if (!own.has(props.__provider)) return (await inHost()).read(urn, id, inputs, outputs);
      const read = await ask("read", props.__provider, id, props, inputs);
      return found(read.id ?? "", kept(read.props, props), read.inputs && kept(read.inputs, props));
    },
    async update(urn, id, olds, asked) {
      const { news, timeoutMs } = asked;
      const isOwn = own.has(news.__provider);
      if (asked.preview === true)
        return { outputs: isOwn ? await ask("preview", news.__provider, news, { id, olds }) : news };
      if (!isOwn) return (await inHost()).update(urn, id, olds, asked);
      const { outs } = await withTimeout(timeoutMs, ask("update", news.__provider, id, olds, news));
      return { outputs: kept(outs, news) };
    },
    async delete(urn, id, outputs, more) {
      if (!own.has(outputs.__provider)) return (await inHost()).delete(urn, id, outputs, more);
      await withTimeout(more?.timeoutMs, ask("delete", outputs.__provider, id, outputs));
    },
    stop() {
      own.stop();
      withHost((started) => started.stop());
    },
    close() {
      own.close();
      withHost((started) => started.close());
    },
  };
}
