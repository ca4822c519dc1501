/** The protocol's messages, typed as far as we use them; the only place that touches protobuf. */
import type * as grpc from "@grpc/grpc-js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import resourceServices from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import resourceMessages from "@pulumi/pulumi/proto/resource_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import emptyModule from "google-protobuf/google/protobuf/empty_pb.js";
import structModule from "google-protobuf/google/protobuf/struct_pb.js";
import { isObject, type Properties, plain, type Value } from "../values/values.ts";

export {
  emptyModule,
  engineMessages,
  engineServices,
  providerMessages,
  providerServices,
  resourceMessages,
  resourceServices,
};
export type Struct = InstanceType<typeof structModule.Struct>;

/** Properties as a message. What is undefined is left out. */
export function toStruct(properties: Properties): Struct {
  return structModule.Struct.fromJavaScript(properties as never);
}

/** Properties with their names in the order that a message gives them. */
export const inOrder = (properties: Properties): Properties => ordered(properties) as Properties;

function ordered(value: Value): Value {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, entry]): [string, Value] => [key, ordered(entry)]);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A message as properties; output values become plain ones. */
export const fromStruct = (struct: Struct | undefined): Properties =>
  plain((struct?.toJavaScript() ?? {}) as unknown as Properties) as Properties;

export const fromValue = (value: InstanceType<typeof structModule.Value>): Value =>
  plain(value.toJavaScript() as unknown as Value);

/** How a client reaches a process of this machine. */
export const channelOptions = {
  // Of its own: gRPC keeps for ten seconds that nobody listens at an address, which may be another process's by then.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
  // Books that nobody reads.
  "grpc.enable_channelz": 0,
};

/** Calls a method of a client and waits for its answer. */
export function unary<Request, Response>(
  call: (
    request: Request,
    callback: (error: grpc.ServiceError | null, response: Response) => void,
  ) => unknown,
  request: Request,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    call(request, (error, response) =>
      error === null || error === undefined ? resolve(response) : reject(error),
    );
  });
}

/** What a provider says of an object that is there but not as asked. */
export interface InitFailure {
  readonly id: string;
  readonly properties: Properties;
  readonly reasons: readonly string[];
}

/** The details of a failed create or update, where the provider gave them. */
export function initFailure(error: unknown): InitFailure | undefined {
  const packed = (error as grpc.ServiceError).metadata?.get("grpc-status-details-bin")[0];
  if (packed === undefined) return undefined;
  for (const detail of statusMessages.Status.deserializeBinary(packed as Buffer).getDetailsList()) {
    if (!detail.getTypeUrl().endsWith("pulumirpc.ErrorResourceInitFailed")) continue;
    const failed = providerMessages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
    return {
      id: failed.getId(),
      properties: fromStruct(failed.getProperties() as Struct | undefined),
      reasons: failed.getReasonsList(),
    };
  }
  return undefined;
}

/** The words of an error of the protocol, without its code. */
export function words(error: unknown): string {
  return (error as grpc.ServiceError).details || (error as Error).message || String(error);
}
