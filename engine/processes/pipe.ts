/**
 * Registrations between a program and its engine, as lines of JSON by a pipe of the program's process
 * (docs/decisions/0032). All its other calls, and whoever else calls the monitor, go by gRPC.
 */
import type { Duplex } from "node:stream";
import type { Properties } from "../values/values.ts";

/** Which file descriptor of the program's process it is. */
export const pipeNumber = 3;

/** A message of the protocol: its fields in their order, or the binary form in base64. */
type Coded = readonly unknown[] | string;
/** A number of the program's, and what it registers. */
export type Asked = readonly [number: number, request: Coded];
/** Why the program ends before its end. */
export interface Ended {
  readonly ended: string;
}
/** The same number, with the answer, or with why there is none. */
export interface Answered {
  readonly number: number;
  readonly answer?: Coded;
  /** Of the answer, where JSON can say them: as a message they cost the most of it. */
  readonly properties?: Properties | undefined;
  readonly failure?: string;
}

interface Message {
  toArray(): readonly unknown[];
  serializeBinary(): Uint8Array;
}
interface MessageType<T> {
  new (fields: readonly unknown[]): T;
  deserializeBinary(bytes: Uint8Array): T;
}

/** A message as JSON takes it. */
export function coded(message: Message): Coded {
  const fields = message.toArray();
  return isJson(fields) ? fields : Buffer.from(message.serializeBinary()).toString("base64");
}

export const decoded = <T>(type: MessageType<T>, message: Coded): T =>
  typeof message === "string" ? type.deserializeBinary(Buffer.from(message, "base64")) : new type(message);

/** Whether a value is the same after JSON and after the binary form. */
export function isJson(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, entry]) => key.isWellFormed() && isJson(entry));
}

/** Takes lines of JSON from a pipe. @returns what writes one, with all others of its turn */
export function openLines<Taken, Told>(pipe: Duplex, take: (line: Taken) => void): (line: Told) => void {
  // Who has closed the other end has ended, and is told of by its exit.
  pipe.on("error", () => {});
  let begun = "";
  pipe.setEncoding("utf8").on("data", (text: string) => {
    begun += text;
    // A line of many megabytes comes in many pieces.
    if (!text.includes("\n")) return;
    const lines = begun.split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) take(JSON.parse(line));
  });
  let waiting = "";
  return (line) => {
    if (waiting === "")
      setImmediate(() => {
        pipe.write(waiting);
        waiting = "";
      });
    waiting += `${JSON.stringify(line)}\n`;
  };
}
