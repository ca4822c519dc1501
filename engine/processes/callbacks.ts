/** Functions of the program's that the engine calls back: its transforms and its hooks (pulumirpc.Callbacks). */
import * as grpc from "@grpc/grpc-js";
import { callbackMessages, callbackServices, channelOptions, unary, words } from "./wire.ts";

/** A function of the program's: where it is served, and its name there. */
export type Callback = Pick<InstanceType<typeof callbackMessages.Callback>, "getTarget" | "getToken">;
type Client = InstanceType<typeof callbackServices.CallbacksClient>;
type Response = InstanceType<typeof callbackMessages.CallbackInvokeResponse>;

export type Callbacks = ReturnType<typeof openCallbacks>;

export function openCallbacks() {
  const clients = new Map<string, Client>();
  const clientOf = (target: string): Client => {
    const known = clients.get(target);
    if (known !== undefined) return known;
    const credentials = grpc.credentials.createInsecure();
    const client = new callbackServices.CallbacksClient(target, credentials, channelOptions);
    clients.set(target, client);
    return client;
  };
  return {
    /** Calls a function with a message, and answers its message. @throws Error with the function's own words */
    async call(callback: Callback, message: Uint8Array): Promise<Uint8Array> {
      const client = clientOf(callback.getTarget());
      const request = new callbackMessages.CallbackInvokeRequest();
      request.setToken(callback.getToken());
      request.setRequest(message);
      try {
        return (
          await unary<unknown, Response>(client.invoke.bind(client) as never, request)
        ).getResponse_asU8();
      } catch (error) {
        throw new Error(words(error), { cause: error });
      }
    },
    close(): void {
      for (const client of clients.values()) client.close();
    },
  };
}
