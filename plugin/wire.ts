/** The protocol's messages; the only module of the plugin that uses protobuf. */
import * as grpc from "@grpc/grpc-js";
import engineServices from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import engineMessages from "@pulumi/pulumi/proto/engine_pb.js";
import pluginMessages from "@pulumi/pulumi/proto/plugin_pb.js";
import providerServices from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import providerMessages from "@pulumi/pulumi/proto/provider_pb.js";
import statusMessages from "@pulumi/pulumi/proto/status_pb.js";
import anyModule from "google-protobuf/google/protobuf/any_pb.js";
import emptyModule from "google-protobuf/google/protobuf/empty_pb.js";
import structModule from "google-protobuf/google/protobuf/struct_pb.js";
import { message } from "../engine/pulumi/grpc.ts";
import { encodable, type Values } from "../provider/native.ts";

export { emptyModule, engineMessages, engineServices, pluginMessages, providerMessages, providerServices };
export type Struct = InstanceType<typeof structModule.Struct>;

/** Converts properties to a message. */
export const toStruct = (values: Values): Struct =>
  structModule.Struct.fromJavaScript(encodable(values) as never);

/** Converts a message to properties, with their marks. */
export const fromStruct = (struct: Struct | undefined): Values =>
  struct === undefined ? {} : (struct.toJavaScript() as Values);

export const failures = (wrong: readonly { readonly property: string; readonly reason: string }[]) =>
  wrong.map(({ property, reason }) => message(providerMessages.CheckFailure, { property, reason }));

/** A created or updated object that is incomplete. */
export interface Unfinished {
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];
}

/** The answer to a failed call; for an incomplete object, with the values for its state. */
export function failure(
  text: string,
  code: grpc.status,
  unfinished?: Unfinished,
): Partial<grpc.StatusObject> {
  if (unfinished === undefined) return { code, details: text };
  const detail = message(providerMessages.ErrorResourceInitFailed, {
    id: unfinished.id,
    properties: toStruct(unfinished.properties),
    reasonsList: [...unfinished.reasons],
  });
  const packed = new anyModule.Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = message(statusMessages.Status, { code, message: text });
  status.addDetails(packed);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code, details: text, metadata };
}
