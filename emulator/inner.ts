/** What a shop is opened with, what it answers, and what its parts share. */
import type { Access } from "./access.ts";
import type { Row } from "./documents.ts";
import type { Patch } from "./edits.ts";
import type { Fault } from "./faults.ts";
import type { RequestLog } from "./request-log.ts";
import type { Upload } from "./routing.ts";
import type { Runs } from "./runs.ts";
import type { Store, Stored } from "./store.ts";
import type { Limit, RequestWindow } from "./window.ts";

export interface ShopOptions {
  /** A file of SQLite; memory when left out. */
  readonly database?: string;
  readonly applicationId?: string;
  readonly token?: string;
  readonly secret?: string;
  /** 500 requests in 300 s when left out; "off" counts nothing. */
  readonly limit?: Limit | "off";
  /** The status of a request beyond the limit: 429 when left out; the platform once answered 503. */
  readonly limitStatus?: 429 | 503;
  /** Leaves out whatever interface.md does not show. */
  readonly strict?: boolean;
  /** Objects on a page of a list at most, however many are asked for: 250 when left out, as the platform has it. */
  readonly mostPerPage?: number;
  /** Objects for an empty database: by kind, rows; columns left out get the kind's defaults. */
  readonly fixture?: Readonly<Record<string, readonly Row[]>>;
  /** Whether an empty database gets the fixture's objects only, without the account, collections and themes of a new shop. */
  readonly isBare?: boolean;
  /** Brings the body of a theme's file that a fixture names without content, when a page first shows it. */
  readonly readAsset?: (asset: Stored) => Promise<string | Uint8Array | undefined>;
  /** Entries of the request log that are kept, 10,000 when left out; counts stay exact. */
  readonly logLength?: number;
  /** The shop's own address. */
  readonly origin: string;
  readonly now: () => number;
  /** From 0 to 1; ids, credentials and the control token are made of it. */
  readonly random: () => number;
  /** Fetches a `src`; undefined where it can't be fetched. */
  readonly download: (url: string) => Promise<Upload | undefined>;
  /** Told once of each thing of the platform's storefront that a page asked for and the embedded shop doesn't have. */
  readonly onMissing?: (what: string) => void;
  /** Told of every error behind an answer of 500. */
  readonly onError?: (error: unknown, request: { readonly method: string; readonly path: string }) => void;
}

export interface Credentials {
  readonly applicationId: string;
  /** The access token: md5 of token and secret (interface.md, Authentication 2). */
  readonly password: string;
  readonly token: string;
  readonly secret: string;
}

/** What the shop's parts share. */
export interface Inner {
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
  /** @throws InvalidControl where not exactly one object is meant */
  edit(patch: Patch): Stored | undefined;
  reset(fixture?: ShopOptions["fixture"]): void;
}
