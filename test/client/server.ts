/** A server with scripted responses, and a client with the test's clock and timers. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { type Client, openClient } from "../../provider/client/index.ts";
import type { Ports, Timer } from "../../provider/client/transport.ts";

export const credentials = { applicationId: "x", password: "0".repeat(32) };

/** Listens on a free port until the test ends. */
export async function listen(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** Timers that the test triggers. */
export function manualTimers() {
  const set: { delayMs: number; done: () => void }[] = [];
  const timer: Timer = (delayMs, done) => {
    const entry = { delayMs, done };
    set.push(entry);
    return () => {
      if (set.includes(entry)) set.splice(set.indexOf(entry), 1);
    };
  };
  return {
    timer,
    /** The delays that are set, in milliseconds. */
    pending: () => set.map(({ delayMs }) => delayMs).toSorted((a, b) => a - b),
    /** Triggers all timers up to a delay in milliseconds. */
    ring(delayMs: number) {
      for (const entry of set.filter((one) => one.delayMs <= delayMs)) {
        set.splice(set.indexOf(entry), 1);
        entry.done();
      }
    },
  };
}

export interface Scripted {
  readonly url: string;
  readonly client: Client;
  /** The requests as `METHOD path`. */
  readonly heard: string[];
  readonly said: string[];
  /** The client's waits, in milliseconds. */
  readonly waits: number[];
}

/** A shop that answers by a function. The client's clock only advances when it waits. */
export async function openScripted(
  answer: (request: IncomingMessage, response: ServerResponse, index: number) => void,
  ports: Partial<Ports> = {},
  settings: Readonly<Record<string, string | number>> = {},
): Promise<Scripted> {
  const heard: string[] = [];
  const said: string[] = [];
  const waits: number[] = [];
  const url = await listen((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.sendDate = false;
    answer(request, response, heard.length - 1);
  });
  let now = Date.UTC(2026, 0, 1);
  const client = openClient(
    { url, ...credentials, ...settings },
    {
      clock: {
        now: () => now,
        wait: async (delayMs, signal) => {
          signal?.throwIfAborted();
          waits.push(delayMs);
          now += delayMs;
        },
      },
      random: () => 0,
      say: (line) => said.push(line),
      ...ports,
    },
  );
  onTestFinished(() => client.transport.close().catch(() => {}));
  return { url, client, heard, said, waits };
}

export const xml = { "content-type": "application/xml" };
export const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => new Error("nothing failed"),
    (error: Error) => error,
  );
