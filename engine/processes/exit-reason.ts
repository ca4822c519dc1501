/**
 * Reports why a program ends before its last line. Only its own process knows the line and the resources that still
 * wait.
 */
import { writeSync } from "node:fs";
import { inspect } from "node:util";
import {
  type KeptLog,
  log,
  type Pending,
  partOf,
  programFailedText,
  type Registering,
  waitingParts,
} from "../pulumi/sdk-internals.ts";
import type { Position } from "../values/goal.ts";
import { type EndLine, pipeNumber } from "./registration-pipe.ts";

const calledExit =
  "it called process.exit; throw an Error to say what is wrong, or let the program reach its last line";

/** @param require the SDK's own; parts that another release lacks are skipped */
export function reportExitReason(require: NodeJS.Require): void {
  const placeOf = notedPlaces(require);
  const { exit } = process;
  let called: string | undefined;
  process.exit = (code) => {
    called ??= `${calledExit}\n${new Error().stack?.split("\n").slice(2).join("\n")}`;
    return exit.call(process, code);
  };
  // The SDK takes it out of the arguments later.
  const program = process.argv.at(-1) ?? "";
  // The SDK sends its message about an error in the background: it is lost if the process ends first.
  process.on("uncaughtExceptionMonitor", (error) => sendReason({ ended: failedText(program, error) }));
  let rejected: string | undefined;
  process.on("unhandledRejection", (error) => {
    rejected ??= failedText(program, error);
  });
  process.on("exit", (code) => {
    const waiting = code === 0 && rejected === undefined ? waitingText(require, placeOf) : undefined;
    const why = called ?? rejected ?? waiting;
    if (why !== undefined) sendReason({ ended: why });
    // Otherwise the SDK prints its own message, without the line.
    if (waiting !== undefined) process.exitCode = 1;
  });
}

const failedText = (program: string, error: unknown): string =>
  programFailedText(program, error instanceof Error ? inspect(error) : String(error));

function sendReason(ended: EndLine): void {
  try {
    writeSync(pipeNumber, `${JSON.stringify(ended)}\n`);
  } catch {
    // The engine was killed; an exception here would keep the process from ending.
  }
}

function notedPlaces(require: NodeJS.Require): (resource: object) => Position | undefined {
  const places = new WeakMap<object, Position>();
  const sdk = partOf<Registering>(require, waitingParts.registering);
  const original = sdk.registerResource;
  if (original !== undefined)
    sdk.registerResource = (...args) => {
      const [resource] = args;
      const position = args[9] as Position | undefined;
      if (position !== undefined) places.set(resource, position);
      return original(...args);
    };
  return (resource) => places.get(resource);
}

/**
 * Describes the resources that wait when the program ends; undefined if there are none, or if an error was already
 * reported.
 */
function waitingText(
  require: NodeJS.Require,
  placeOf: (resource: object) => Position | undefined,
): string | undefined {
  const pending = partOf<Pending>(require, waitingParts.state).getPendingResourceRegistrations?.();
  if (pending === undefined || pending.size === 0) return undefined;
  if (partOf<KeptLog>(require, log).hasErrors?.() !== false) return undefined;
  const lines = [...pending].map(([resource, { name, type = "", phase, inputProperty }]) => {
    const position = placeOf(resource);
    const place = position === undefined ? "" : `${position.uri}:${position.line}  `;
    const waited =
      phase === "inputs" && inputProperty !== undefined ? `its argument ${inputProperty}` : waitedFor(phase);
    return `  ${place}${type.split(":").at(-1)} "${name}" waits for ${waited}`;
  });
  return [
    "it ended while resources still waited",
    ...lines,
    "  Two of them wait for each other, or a promise never resolves.",
  ].join("\n");
}

function waitedFor(phase: string | undefined): string {
  if (phase === "inputs") return "its arguments";
  if (phase === "parent") return "its parent";
  if (phase === "provider") return "its provider";
  return "what its dependsOn names";
}
