/** The protocol's messages, with types for the parts in use; the only module that uses protobuf. */
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

type Struct = InstanceType<typeof structModule.Struct>;

/** Converts properties to a message, without undefined values. */
export function toStruct(properties: Properties): Struct {
  return structModule.Struct.fromJavaScript(properties as never);
}

/** Sorts properties by name, like a message. */
export const inOrder = (properties: Properties): Properties => ordered(properties) as Properties;

function ordered(value: Value): Value {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, entry]): [string, Value] => [key, ordered(entry)]);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Converts a message to properties, with output values made plain. */
export const inStruct = (struct: unknown): Properties =>
  plain(((struct as Struct | undefined)?.toJavaScript() ?? {}) as unknown as Properties) as Properties;

export const fromValue = (value: InstanceType<typeof structModule.Value>): Value =>
  plain(value.toJavaScript() as unknown as Value);

/** A provider's description of an incomplete object. */
export interface InitFailure {
  readonly id: string;
  readonly properties: Properties;
  readonly reasons: readonly string[];
}

/** The details of a failed create or update, if the provider sent them. */
export function initFailure(error: unknown): InitFailure | undefined {
  const packed = (error as grpc.ServiceError).metadata?.get("grpc-status-details-bin")[0];
  if (packed === undefined) return undefined;
  for (const detail of statusMessages.Status.deserializeBinary(packed as Buffer).getDetailsList()) {
    if (!detail.getTypeUrl().endsWith("pulumirpc.ErrorResourceInitFailed")) continue;
    const failed = providerMessages.ErrorResourceInitFailed.deserializeBinary(detail.getValue_asU8());
    return {
      id: failed.getId(),
      properties: inStruct(failed.getProperties()),
      reasons: failed.getReasonsList(),
    };
  }
  return undefined;
}

/** An error's message without its status code. */
export function errorText(error: unknown): string {
  return (error as grpc.ServiceError).details || (error as Error).message || String(error);
}
