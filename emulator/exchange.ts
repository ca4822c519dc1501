/** A request and its answer, as any transport may bring and take them. */
import type { AnswerParts } from "./answers.ts";

export interface ShopRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /**
   * The bytes, or a function that reads them, undefined where there are more than `limit`; it is called only once the
   * request is accepted.
   */
  readonly body: Uint8Array | ((limit: number) => Promise<Uint8Array | undefined>);
  /** Whether the peer is this machine. */
  readonly local: boolean;
}

export interface ShopAnswer extends AnswerParts {
  /** What the socket is to do to it. */
  readonly disruption?: "drop" | "truncate";
  readonly delayMs?: number;
}
