/** Requests and answers, independent of the transport. */
import type { AnswerParts } from "./answers.ts";

export interface ShopRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes, or a function that reads them once the request is accepted; undefined if there are more than `limit`. */
  readonly body: Uint8Array | ((limit: number) => Promise<Uint8Array | undefined>);
  /** Whether the client is on this machine. */
  readonly local: boolean;
}

export interface ShopAnswer extends AnswerParts {
  /** How the server interrupts the connection. */
  readonly disruption?: "drop" | "truncate";
  readonly delayMs?: number;
}
