/** gRPC as the engine and the plugin speak it: messages made of their fields, and a server on a local port. */
import * as grpc from "@grpc/grpc-js";

export const channelOptions = {
  // A message may contain all texts of a theme.
  "grpc.max_receive_message_length": 400 * 1024 * 1024,
  "grpc.max_send_message_length": 400 * 1024 * 1024,
  // Statistics that nobody reads.
  "grpc.enable_channelz": 0,
};

/** A Struct may come from another copy of the protobuf library than the message. */
type Accepted<Value> = Value extends { toJavaScript(): unknown } ? { toJavaScript(): unknown } : Value;

/** The fields of a message, by its setters: `setUrn` takes `urn`. */
type Fields<Message> = {
  readonly [Name in keyof Message as Name extends `set${infer Field}` ? Uncapitalize<Field> : never]?:
    | (Message[Name] extends (value: infer Value) => unknown ? Accepted<Value> : never)
    | undefined;
};

/** Creates a message; undefined fields are left out. */
export function message<Message extends object>(type: new () => Message, fields: Fields<Message>): Message {
  const made = new type();
  const setters = made as Readonly<Record<string, (value: unknown) => unknown>>;
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) setters[`set${name[0]?.toUpperCase()}${name.slice(1)}`]?.call(made, value);
  return made;
}

/** Listens on a free local port. @returns the port */
export const listen = (server: grpc.Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
