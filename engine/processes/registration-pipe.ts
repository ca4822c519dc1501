/**
 * Registrations between a program and its engine, as lines of JSON through a pipe (docs/decisions/0032). All other
 * calls, and other clients of the monitor, use gRPC.
 */
import type { Duplex } from "node:stream";
import type { Properties } from "../values/values.ts";

/** The pipe's file descriptor in the program's process. */
export const pipeNumber = 3;

/** A protocol message: its fields in order, or its binary form in base64. */
type Encoded = readonly unknown[] | string;
export type RegistrationLine = readonly [number: number, request: Encoded];
/** The reason why the program ends early. */
export interface EndLine {
  readonly ended: string;
}
/** The answer to the registration of that number, or its failure. */
export interface AnswerLine {
  readonly number: number;
  readonly answer?: Encoded;
  /** The answer's properties if JSON can represent them: they are the slowest part of a message. */
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

export function coded(message: Message): Encoded {
  const fields = message.toArray();
  return isJson(fields) ? fields : Buffer.from(message.serializeBinary()).toString("base64");
}

export const decoded = <T>(type: MessageType<T>, message: Encoded): T =>
  typeof message === "string" ? type.deserializeBinary(Buffer.from(message, "base64")) : new type(message);

/** Whether JSON preserves a value exactly. */
export function isJson(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value === "number") return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, entry]) => key.isWellFormed() && isJson(entry));
}

/** Reads lines of JSON from a pipe. @returns writes a line; lines of one turn of the event loop are written together */
export function openLines<Received, Sent>(
  pipe: Duplex,
  receive: (line: Received) => void,
): (line: Sent) => void {
  // The other process has ended; its exit reports that.
  pipe.on("error", () => {});
  let begun = "";
  pipe.setEncoding("utf8").on("data", (text: string) => {
    begun += text;
    // A line of many megabytes arrives in many pieces.
    if (!text.includes("\n")) return;
    const lines = begun.split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) receive(JSON.parse(line));
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
