/** The state of a theme synchronization. */
import { type Finding, pathOf, printLineHashes } from "../../provider/inventory/index.ts";
import type { Content, Folder, Local } from "./folder.ts";
import type { Row, ShopTheme } from "./theme-client.ts";

/** A file that isn't synchronized, or a page that fails. */
export type Problem = Pick<Finding, "path" | "line" | "column" | "source" | "message" | "fix">;

/** An earlier content, by its hash and the hashes of its lines. */
export interface Base {
  readonly hash: string;
  /** Undefined for a binary file, or if unknown. */
  readonly lines: string | undefined;
}

export const baseOf = ({ hash, text }: Content): Base => ({
  hash,
  lines: text === undefined ? undefined : printLineHashes(text),
});

/** The last content that both sides had, and when the shop was last read. */
interface KnownFile {
  readonly row: Row;
  readonly base: Base;
  /**
   * Contents before each of our sends: an editor tab in the back office that still has one of them would
   * overwrite ours.
   */
  readonly before?: readonly Base[];
  readonly seenAt: number;
}

/** A file that isn't synchronized for now. */
interface HeldFile {
  readonly problem: Problem;
  /** The content that failed; another content is tried again. */
  readonly hash: string | undefined;
  /** For a conflict: the shop's content. */
  readonly theirs?: Content;
}

export interface Sides {
  readonly theme: ShopTheme;
  readonly folder: Folder;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  readonly say: (line: string) => void;
  readonly known: Map<string, KnownFile>;
  readonly held: Map<string, HeldFile>;
  /** Keys of synchronized files. */
  readonly touched: Set<string>;
  rows: Map<string, Row>;
  local: Local;
  /** Whether the shop's pages changed. */
  isChanged: boolean;
}

export const never = Number.NEGATIVE_INFINITY;

export const problemAt = (path: string, message: string, fix: string): Problem => ({
  ...{ path, line: 1, column: 1, source: "", message, fix },
});

/** A file of the shop in messages. */
export const displayPath = ({ folder, local }: Sides, key: string, { type, name }: Row): string =>
  folder.called(local.get(key)?.place ?? pathOf({ type, name }));
