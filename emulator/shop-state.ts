/** The options of a shop, and the state that its parts share. */
import type { Access } from "./access.ts";
import type { Row } from "./documents.ts";
import type { Fault } from "./faults.ts";
import type { Limit, RequestWindow } from "./rate-limit.ts";
import type { RequestLog } from "./request-log.ts";
import type { Upload } from "./routing.ts";
import type { Runs } from "./runs.ts";
import type { Patch } from "./staff-edits.ts";
import type { Store, Stored } from "./store.ts";

export interface ShopOptions {
  /** An SQLite file; in memory by default. */
  readonly database?: string;
  readonly applicationId?: string;
  readonly token?: string;
  readonly secret?: string;
  /** 500 requests in 300 s by default; "off" counts nothing. */
  readonly limit?: Limit | "off";
  /** The status of a request beyond the limit: 429 by default; the platform once answered 503. */
  readonly limitStatus?: 429 | 503;
  /** Leaves out everything that interface.md doesn't show. */
  readonly strict?: boolean;
  /** Maximum number of objects on a page of a list; 250 by default, like the platform. */
  readonly mostPerPage?: number;
  /** Objects for an empty database: rows by kind; missing columns get the kind's defaults. */
  readonly fixture?: Readonly<Record<string, readonly Row[]>>;
  /**
   * Whether an empty database gets only the fixture's objects, without the account, collections and themes of a new
   * shop.
   */
  readonly isBare?: boolean;
  /** Provides the body of a theme file that a fixture has without content, when a page first needs it. */
  readonly readAsset?: (asset: Stored) => Promise<string | Uint8Array | undefined>;
  /** Number of entries kept in the request log, 10,000 by default; counts stay exact. */
  readonly logLength?: number;
  /** The shop's own address. */
  readonly origin: string;
  readonly now: () => number;
  /** From 0 to 1; ids, credentials and the control token are derived from it. */
  readonly random: () => number;
  /** Downloads a `src`; undefined if that fails. */
  readonly download: (url: string) => Promise<Upload | undefined>;
  /** Called once for each feature of the platform's storefront that a page uses and the embedded shop lacks. */
  readonly onMissing?: (what: string) => void;
  /** Called for every error behind an answer with status 500. */
  readonly onError?: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
}

export interface Credentials {
  readonly applicationId: string;
  /** The access token: md5 of token and secret (interface.md, Authentication 2). */
  readonly password: string;
  readonly token: string;
  readonly secret: string;
}

export interface ShopState {
  readonly options: ShopOptions;
  readonly store: Store;
  readonly now: () => number;
  readonly clock: { offsetMs: number };
  readonly credentials: Credentials;
  readonly access: Access;
  readonly window: RequestWindow;
  readonly faults: Fault[];
  readonly log: RequestLog;
  readonly runs: Runs;
  sayOnce(what: string): void;
  /** @throws InvalidControl unless exactly one object matches */
  edit(patch: Patch): Stored | undefined;
  reset(fixture?: ShopOptions["fixture"]): void;
}
