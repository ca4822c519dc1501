/** The program's end of the pipe through which it registers resources (registration-pipe.ts). */
import type { Duplex } from "node:stream";
import { monitorClient, partOf, registrations } from "../pulumi/sdk-internals.ts";
import { type AnswerLine, coded, decoded, openLines, type RegistrationLine } from "./registration-pipe.ts";

type Callback = (error: object | null, response?: object) => void;
type Message = Parameters<typeof coded>[0];
type Register = (this: Client, request: Message, callback: Callback, ...more: unknown[]) => unknown;
interface Client {
  registerResource?: Register;
  getChannel(): { getTarget(): string };
}
interface Response {
  getObject(): object;
}
interface Messages {
  readonly RegisterResourceResponse: Parameters<typeof decoded<Response>>[0];
}

// grpc.status.UNKNOWN and its message in gRPC.
const unknown = 2;
const failed = (details: string) =>
  Object.assign(new Error(`${unknown} UNKNOWN: ${details}`), { code: unknown, details });

/** A pipe that can keep its process alive, like a socket. */
export type ProgramPipe = Duplex & Record<"ref" | "unref", () => unknown>;

/**
 * Makes the SDK register resources through the pipe.
 * @param require the SDK's own; in a release without this client, registrations use gRPC, which is slower
 * @param monitor the address of the engine's monitor: a program may also run others, which have no pipe
 * @param openPipe called only if the pipe is used
 */
export function registerByPipe(
  require: NodeJS.Require,
  monitor: string | undefined,
  openPipe: () => ProgramPipe,
): void {
  const client = partOf<{ ResourceMonitorClient: { prototype: Client } }>(require, monitorClient)
    .ResourceMonitorClient?.prototype;
  const { RegisterResourceResponse } = partOf<Messages>(require, registrations);
  const original = client?.registerResource;
  if (client === undefined || original === undefined || RegisterResourceResponse === undefined) return;
  const waiting = new Map<number, Callback>();
  const pipe = openPipe();
  pipe.unref();
  const send = openLines<AnswerLine, RegistrationLine>(
    pipe,
    ({ number, answer, properties, failure = "" }) => {
      const callback = waiting.get(number);
      waiting.delete(number);
      if (waiting.size === 0) pipe.unref();
      if (answer === undefined) return callback?.(failed(failure));
      const response = decoded(RegisterResourceResponse, answer);
      if (properties !== undefined) response.getObject = () => ({ toJavaScript: () => properties });
      callback?.(null, response);
    },
  );
  let numbers = 0;
  client.registerResource = function (request, callback, ...more) {
    if (!this.getChannel().getTarget().endsWith(`:${monitor}`))
      return original.call(this, request, callback, ...more);
    numbers += 1;
    // A pending registration keeps the program alive.
    if (waiting.size === 0) pipe.ref();
    waiting.set(numbers, callback);
    send([numbers, coded(request)]);
  };
}
