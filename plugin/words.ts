/**
 * What the provider says goes to the engine's own log, beside the resource whose call said it: standard output is only
 * for the port (pkg/resource/plugin/plugin.go of github:pulumi/pulumi).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import * as grpc from "@grpc/grpc-js";
import type { Say } from "../provider/native.ts";
import { channelOptions, engineMessages, engineServices } from "./wire.ts";

export interface Words {
  readonly say: Say;
  /** Does a call's work; what is said in it has been heard when it ends. */
  within<T>(urn: string, work: () => Promise<T>): Promise<T>;
  /** Takes another engine's address, as a handshake or an attachment brings it. */
  listen(address: string): void;
  close(): void;
}

interface Scope {
  readonly urn: string;
  readonly said: Promise<unknown>[];
}

/** @param address the engine's; without one everything goes to standard error */
export function openWords(address: string | undefined): Words {
  const scopes = new AsyncLocalStorage<Scope>();
  let client: InstanceType<typeof engineServices.EngineClient> | undefined;
  let known: string | undefined;
  const listen = (next: string) => {
    if (next === "" || next === known) return;
    client?.close();
    known = next;
    client = new engineServices.EngineClient(next, grpc.credentials.createInsecure(), channelOptions);
  };
  if (address !== undefined) listen(address);

  const heard = (line: string, urn: string) =>
    new Promise<void>((resolve) => {
      if (client === undefined) {
        process.stderr.write(`${line}\n`);
        return resolve();
      }
      const request = new engineMessages.LogRequest();
      request.setSeverity(engineMessages.LogSeverity.INFO);
      request.setMessage(line);
      request.setUrn(urn);
      client.log(request, (error) => {
        // An engine that hears no more is going away; its own output is the last place left.
        if (error !== null) process.stderr.write(`${line}\n`);
        resolve();
      });
    });

  return {
    say(line) {
      const scope = scopes.getStore();
      const told = heard(line, scope?.urn ?? "");
      scope?.said.push(told);
    },
    within: (urn, work) => {
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
