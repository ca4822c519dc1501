/** A client of pulumirpc.ResourceProvider: sends each operation of a provider as a gRPC call. */
import * as grpc from "@grpc/grpc-js";
import { channelOptions, message } from "../pulumi/grpc.ts";
import type { Properties } from "../values/values.ts";
import {
  type Adoption,
  type AskedDiff,
  type BesideWrite,
  type Checked,
  type CheckFailure,
  InitError,
  LostProviderError,
  type Provider,
  type Read,
  RefusedError,
} from "./provider.ts";
import {
  errorText,
  type InitFailure,
  initFailure,
  inStruct,
  providerMessages,
  providerServices,
  toStruct,
} from "./wire.ts";

export type Client = InstanceType<typeof providerServices.ResourceProviderClient>;
type ProviderCalls = Omit<Provider, "close" | "stop" | "acceptsSecrets" | "previews">;

export const clientOf = (port: number): Client =>
  new providerServices.ResourceProviderClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), {
    ...channelOptions,
    // Its own connection pool: gRPC remembers a failed address for ten seconds, and another process may listen there by
    // then.
    "grpc.use_local_subchannel_pool": 1,
    "grpc.enable_retries": 0,
  });

export type Method =
  | "handshake"
  | "checkConfig"
  | "diffConfig"
  | "configure"
  | keyof Omit<ProviderCalls, "preview">;
type Answer<Name extends Method> = Parameters<Parameters<Client[Name]>[3]>[1];

/** Calls a method of a client and waits for its answer. */
export function unary<Name extends Method>(
  client: Client,
  name: Name,
  request: unknown,
  timeoutMs?: number,
): Promise<Answer<Name>> {
  const options = timeoutMs === undefined ? {} : { deadline: new Date(Date.now() + timeoutMs) };
  return new Promise((resolve, reject) => {
    const call = client[name] as unknown as (...given: unknown[]) => void;
    const done = (error: grpc.ServiceError | null, answer: Answer<Name>) =>
      error ? reject(error) : resolve(answer);
    call.call(client, request, new grpc.Metadata(), options, done);
  });
}

export const refusedCode: number = grpc.status.FAILED_PRECONDITION;

const lostText =
  "the provider's process ended before it answered. Run the same command again: it first looks at what was done, and does the rest";

// For some operations the SDK's host passes on the code of an error, for others its details.
function isRefusal(error: unknown, failure: InitFailure | undefined): boolean {
  const { code } = error as grpc.ServiceError;
  return code === refusedCode || failure?.properties.__refused === true;
}

interface FailureMessage {
  getProperty(): string;
  getReason(): string;
}
export const checkFailures = (list: readonly FailureMessage[]): readonly CheckFailure[] =>
  list.map((failure) => ({ property: failure.getProperty(), reason: failure.getReason() }));

/** Whether a call failed because the provider doesn't implement it. */
export const isUnknownCall = (error: unknown): boolean =>
  (error as grpc.ServiceError).code === grpc.status.UNIMPLEMENTED;

const { DIFF_NONE, DIFF_SOME } = providerMessages.DiffResponse.DiffChanges;

export function verdictOf(response: InstanceType<typeof providerMessages.DiffResponse>) {
  const changes = response.getChanges();
  const kinds = providerMessages.PropertyDiff.Kind;
  const replacing: ReadonlySet<number> = new Set([
    kinds.ADD_REPLACE,
    kinds.DELETE_REPLACE,
    kinds.UPDATE_REPLACE,
  ]);
  const details = [...response.getDetaileddiffMap().entries()] as [string, { getKind(): number }][];
  const named = response.getReplacesList();
  const replaced = details.filter(([, one]) => replacing.has(one.getKind())).map(([path]) => path);
  return {
    changes:
      changes === DIFF_NONE
        ? ("none" as const)
        : changes === DIFF_SOME
          ? ("some" as const)
          : ("unknown" as const),
    replaces: named.length > 0 ? named : replaced,
    deleteBeforeReplace: response.getDeletebeforereplace(),
    ...(response.getHasdetaileddiff() && { paths: details.map(([path]) => path) }),
  };
}

const diffFields = (
  urn: string,
  id: string,
  olds: Properties,
  { news, oldInputs, ignoreChanges = [] }: AskedDiff,
) => ({
  ...{ urn, id, olds: toStruct(olds), news: toStruct(news) },
  oldInputs: oldInputs && toStruct(oldInputs),
  ignorechangesList: [...ignoreChanges],
});

export function checkRequest(urn: string, olds: Properties, news: Properties) {
  return message(providerMessages.CheckRequest, { urn, olds: toStruct(olds), news: toStruct(news) });
}

export const diffRequest = (...given: Parameters<typeof diffFields>) =>
  message(providerMessages.DiffRequest, diffFields(...given));

/** The result of a check; a provider may add extra information for this engine to the inputs. */
export function checked({ __takes, ...inputs }: Properties, failures: readonly CheckFailure[]): Checked {
  return { inputs, failures, takes: __takes as unknown as Adoption | undefined };
}

/** The result of a read; a provider may add extra information for this engine to the outputs. */
export const found = (
  id: string,
  { __keeps: keeps, __requests: requests, ...outputs }: Properties,
  inputs: Properties | undefined,
): Read => ({
  id,
  outputs,
  inputs,
  ...(typeof keeps === "string" && { keeps }),
  ...(typeof requests === "number" && { requests }),
});

const seconds = (timeoutMs: number | undefined) => (timeoutMs ?? 0) / 1000;

export function providerCalls(client: Client): ProviderCalls {
  const ask = async <Name extends Method>(name: Name, request: unknown, timeoutMs?: number) => {
    try {
      return await unary(client, name, request, timeoutMs);
    } catch (error) {
      const failure = initFailure(error);
      if (isRefusal(error, failure)) throw new RefusedError(errorText(error), { cause: error });
      if (failure !== undefined) throw new InitError(failure);
      if ((error as grpc.ServiceError).code === grpc.status.UNAVAILABLE)
        throw new LostProviderError(lostText, { cause: error });
      throw new Error(errorText(error), { cause: error });
    }
  };
  return {
    async check(urn, olds, news) {
      const request = checkRequest(urn, olds, news);
      const response = await ask("check", request);
      return checked(inStruct(response.getInputs()), checkFailures(response.getFailuresList()));
    },
    async diff(urn, id, olds, asked) {
      return verdictOf(await ask("diff", diffRequest(urn, id, olds, asked)));
    },
    async create(urn, inputs, { timeoutMs, preview = false }: BesideWrite = {}) {
      const properties = toStruct(inputs);
      const fields = { urn, properties, timeout: seconds(timeoutMs), preview };
      const request = message(providerMessages.CreateRequest, fields);
      const response = await ask("create", request, timeoutMs);
      return { id: response.getId(), outputs: inStruct(response.getProperties()) };
    },
    async read(urn, id, inputs, outputs) {
      const properties = outputs && toStruct(outputs);
      const request = message(providerMessages.ReadRequest, {
        urn,
        id,
        inputs: inputs && toStruct(inputs),
        properties,
      });
      const response = await ask("read", request);
      const inputsRead = response.hasInputs() ? inStruct(response.getInputs()) : undefined;
      return found(response.getId(), inStruct(response.getProperties()), inputsRead);
    },
    async update(urn, id, olds, { timeoutMs, preview = false, ...asked }) {
      const request = message(providerMessages.UpdateRequest, {
        ...diffFields(urn, id, olds, asked),
        ...{ timeout: seconds(timeoutMs), preview },
      });
      const response = await ask("update", request, timeoutMs);
      return { outputs: inStruct(response.getProperties()) };
    },
    async delete(urn, id, outputs, { timeoutMs } = {}) {
      const fields = { urn, id, properties: toStruct(outputs), timeout: seconds(timeoutMs) };
      await ask("delete", message(providerMessages.DeleteRequest, fields), timeoutMs);
    },
    async invoke(token, args) {
      const request = message(providerMessages.InvokeRequest, { tok: token, args: toStruct(args) });
      const response = await ask("invoke", request);
      return {
        result: inStruct(response.getReturn()),
        failures: checkFailures(response.getFailuresList()),
      };
    },
  };
}
