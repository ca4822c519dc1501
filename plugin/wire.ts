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
import { encodable, type Values } from "../provider/native.ts";

export { emptyModule, engineMessages, engineServices, pluginMessages, providerMessages, providerServices };
export type Struct = InstanceType<typeof structModule.Struct>;

/** Converts properties to a message. */
export const toStruct = (values: Values): Struct =>
  structModule.Struct.fromJavaScript(encodable(values) as never);

/** Converts a message to properties, with their marks. */
export const fromStruct = (struct: Struct | undefined): Values =>
  struct === undefined ? {} : (struct.toJavaScript() as Values);

/** Check failures as messages. */
export const failures = (wrong: readonly { readonly property: string; readonly reason: string }[]) =>
  wrong.map(({ property, reason }) => {
    const failed = new providerMessages.CheckFailure();
    failed.setProperty(property);
    failed.setReason(reason);
    return failed;
  });

// A message may contain all texts of a theme.
export const channelOptions = {
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
  // Statistics that nobody reads.
  "grpc.enable_channelz": 0,
};

/** A created or updated object that is incomplete. */
export interface Unfinished {
  readonly id: string;
  readonly properties: Values;
  readonly reasons: readonly string[];
}

/** The answer to a failed call; for an incomplete object, with the values for its state. */
export function failure(
  message: string,
  code: grpc.status,
  unfinished?: Unfinished,
): Partial<grpc.StatusObject> {
  if (unfinished === undefined) return { code, details: message };
  const detail = new providerMessages.ErrorResourceInitFailed();
  detail.setId(unfinished.id);
  detail.setProperties(toStruct(unfinished.properties) as never);
  detail.setReasonsList([...unfinished.reasons]);
  const packed = new anyModule.Any();
  packed.pack(detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const status = new statusMessages.Status();
  status.setCode(code);
  status.setMessage(message);
  status.addDetails(packed);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(status.serializeBinary()));
  return { code, details: message, metadata };
}
