/** Converts errors of the provider to answers of the protocol. */
import * as grpc from "@grpc/grpc-js";
import { ownerOf } from "../provider/names/owner.ts";
import { outputsOf } from "./resources.ts";
import { failure, type Unfinished } from "./wire.ts";

/**
 * The answer to an error: refused, incomplete, or failed.
 * @param named replaces the names of the provider's settings
 */
export function answerTo(
  error: unknown,
  urn: string,
  named = (text: string) => text,
): Partial<grpc.StatusObject> {
  const {
    message: text,
    code,
    id,
    properties,
    reasons,
  } = (error instanceof Error ? error : new Error(String(error))) as Error &
    Partial<Unfinished> & { code?: unknown };
  const message = named(text);
  if (code === grpc.status.FAILED_PRECONDITION) return failure(message, grpc.status.FAILED_PRECONDITION);
  if (id === undefined || properties === undefined || reasons === undefined)
    return failure(message, grpc.status.UNKNOWN);
  const { kind } = ownerOf(urn);
  return failure(message, grpc.status.UNKNOWN, {
    id,
    properties: outputsOf(kind, properties),
    reasons: reasons.map(named),
  });
}
