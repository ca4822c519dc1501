/**
 * Sends the provider's messages to the engine's log, with the resource of the call: standard output is reserved for the
 * port (pkg/resource/plugin/plugin.go of github:pulumi/pulumi).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import * as grpc from "@grpc/grpc-js";
import { channelOptions, message } from "../engine/pulumi/grpc.ts";
import { engineMessages, engineServices } from "./wire.ts";

export type EngineLog = ReturnType<typeof openEngineLog>;

interface Scope {
  readonly urn: string;
  readonly said: Promise<unknown>[];
}

/** @param address the engine's address; without it, messages go to standard error */
export function openEngineLog(address: string | undefined) {
  const scopes = new AsyncLocalStorage<Scope>();
  let client: InstanceType<typeof engineServices.EngineClient> | undefined;
  let known: string | undefined;
  /** Switches to another engine's address, from a handshake or an attach call. */
  const listen = (next: string) => {
    if (next === "" || next === known) return;
    client?.close();
    known = next;
    client = new engineServices.EngineClient(next, grpc.credentials.createInsecure(), channelOptions);
  };
  if (address !== undefined) listen(address);

  const send = (line: string, urn: string) =>
    new Promise<void>((resolve) => {
      if (client === undefined) {
        process.stderr.write(`${line}\n`);
        return resolve();
      }
      const severity = engineMessages.LogSeverity.INFO;
      const request = message(engineMessages.LogRequest, { severity, message: line, urn });
      client.log(request, (error) => {
        // The engine is shutting down; standard error is the last resort.
        if (error !== null) process.stderr.write(`${line}\n`);
        resolve();
      });
    });

  return {
    say(line: string) {
      const scope = scopes.getStore();
      const sent = send(line, scope?.urn ?? "");
      scope?.said.push(sent);
    },
    /** Runs a call; its messages are delivered before it ends. */
    within<T>(urn: string, work: () => Promise<T>): Promise<T> {
      const scope: Scope = { urn, said: [] };
      return scopes.run(scope, async () => {
        try {
          return await work();
        } finally {
          await Promise.all(scope.said);
        }
      });
    },
    listen,
    close() {
      client?.close();
      client = undefined;
    },
  };
}
