/** What is known of both sides while a theme is worked on. */
import { type Finding, pathOf, printLines } from "../../provider/inventory/index.ts";
import type { Content, Folder, Local } from "./folder.ts";
import type { Row, ShopTheme } from "./shop-theme.ts";

/** What keeps a file from being in the shop as the folder has it, or a page from being shown. */
export type Problem = Pick<Finding, "path" | "line" | "column" | "source" | "message" | "fix">;

/** A content that isn't there any more, as a stack's state keeps it too: by its hash and those of its lines. */
export interface Base {
  readonly hash: string;
  /** Undefined where it was no text, or nobody kept them. */
  readonly lines: string | undefined;
}

export const baseOf = ({ hash, text }: Content): Base => ({
  hash,
  lines: text === undefined ? undefined : printLines(text),
});

/** What both sides had last, and when the shop was seen to have it. */
interface Known {
  readonly row: Row;
  readonly base: Base;
  /** What both had before each of our sends: whoever has opened one of these in the back office writes it over ours. */
  readonly before?: readonly Base[];
  readonly seenAt: number;
}

/** A file that stays as it is on both sides. */
interface Held {
  readonly problem: Problem;
  /** The content for which it holds: another one is another try. */
  readonly hash: string | undefined;
  /** Of a conflict: what the shop has. */
  readonly theirs?: Content;
}

/** A theme's folder and a shop's theme, and what is known of them by type and name. */
export interface Sides {
  readonly theme: ShopTheme;
  readonly folder: Folder;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  /** Takes a line for the person. */
  readonly say: (line: string) => void;
  readonly known: Map<string, Known>;
  readonly held: Map<string, Held>;
  /** What went up or came down. */
  readonly touched: Set<string>;
  rows: Map<string, Row>;
  local: Local;
  /** Whether the shop shows something else than it did. */
  isChanged: boolean;
}

/** Longer ago than any look serves. */
export const never = Number.NEGATIVE_INFINITY;

export const problemAt = (path: string, message: string, fix: string): Problem => ({
  ...{ path, line: 1, column: 1, source: "", message, fix },
});

/** How messages call a file of the shop. */
export const calledOf = ({ folder, local }: Sides, key: string, { type, name }: Row): string =>
  folder.called(local.get(key)?.place ?? pathOf({ type, name }));
