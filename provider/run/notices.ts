/**
 * What the provider tells the command beside Pulumi's protocol: values of a closed set, a line of JSON each in a file
 * that the command names. A line is written before the call that it belongs to is answered.
 */

import { appendFileSync } from "node:fs";
import type { LeafChange } from "../body/json.ts";
import type { Process } from "../settings/settings.ts";
import type { Finding } from "../theme/finding.ts";
import type { Conflict } from "../values/conflict.ts";
import type { PlannedField } from "../values/planned-fields.ts";
import { type Mask, masked } from "../values/secrets.ts";
import { printable } from "../wire/printable.ts";
import { messageOf } from "../wire/text.ts";
import type { Effect } from "./effects.ts";
import type { ListPage } from "./reads.ts";

export type Notice =
  /** A create will take over an object that is there, and send so many requests for it. */
  | {
      readonly type: "adopts";
      readonly kind: string;
      readonly id: string;
      readonly of: string;
      readonly sends: number;
      /** The id that the program stated, where the shop doesn't have it and another was found by its key. */
      readonly instead?: string | undefined;
    }
  /** An update was compared with the shop, or is done now. */
  | {
      readonly type: "changes";
      readonly kind: string;
      readonly id: string;
      /** Requests that it takes. */
      readonly sends: number;
      /** What it means to the shop, measured from what the shop has. */
      readonly effects: readonly Effect[];
      /** What the shop has already as it is asked for. */
      readonly done: readonly string[];
      /** What staff changed, and nothing is sent of, where there is such. */
      readonly keeps?: readonly string[];
    }
  /** What others changed in the shop is overwritten, as a person permitted. */
  | ({ readonly type: "overwrites" } & Conflict)
  /** What others changed in the shop, and a refresh has read, is put back as the program asks it. */
  | ({ readonly type: "puts-back" } & Conflict)
  /** What an update does to a text: unified hunks, the shop's text against the program's. */
  | { readonly type: "text"; readonly kind: string; readonly id: string; readonly lines: string }
  /** What becomes of the values of a text that is JSON, a theme's settings; of one that was read: what became of them. */
  | {
      readonly type: "settings";
      readonly kind: string;
      readonly id: string;
      readonly found: boolean;
      readonly values: readonly LeafChange[];
    }
  /** Arguments that the program states no longer: what the shop keeps of them, a sentence each. */
  | {
      readonly type: "unstated";
      readonly kind: string;
      readonly of: string;
      readonly lines: readonly string[];
    }
  /** What takes the object out of the state, or replaces it, leaves it in the shop: it has come to its end already. */
  | { readonly type: "leaves"; readonly kind: string; readonly id: string }
  /** An object was looked at; whoever carries the plan out looks again. */
  | {
      readonly type: "looks";
      readonly kind: string;
      readonly id: string;
      readonly above: string;
      /** Whether the run looks whatever it does then: a create for what it takes over, a replacement also where it is refused. */
      readonly isSought?: boolean;
      /** Whether no list shows all of it. */
      readonly isAlone?: boolean;
      readonly by?: Process;
    }
  /** A page of a list was read. */
  | ({
      readonly type: "shows";
      readonly kind: string;
      readonly above: string;
      readonly by?: Process;
    } & ListPage)
  /** A list was read whole to find an object by its key, or one that isn't there; whoever carries the plan out reads it again. */
  | {
      readonly type: "lists";
      readonly kind: string;
      readonly above: string;
      readonly pages: number;
      /** Objects that were read by themselves, as a list shows no text. */
      readonly singles: number;
      readonly by?: Process;
    }
  /** The program asked for the objects of a group, and asks again when the plan is carried out. */
  | {
      readonly type: "asks";
      readonly shop: string;
      readonly group: string;
      readonly requests: number;
      readonly by?: Process;
    }
  /** What the shop has of the fields that a change touches, or of all that is stated of an object that goes. */
  | {
      readonly type: "sees";
      readonly kind: string;
      readonly id: string;
      readonly ends: boolean;
      /** A create would take it over; an engine that has it under another name renames it instead. */
      readonly adopts?: true;
      /** Each of its fields is asked again before it is sent, and the others are sent without it. */
      readonly byItem?: true;
      readonly fields: readonly PlannedField[];
    }
  /** A theme's source names a file that neither its folder nor the shop has; another resource may make it. */
  | {
      readonly type: "lacks";
      readonly kind: string;
      readonly of: string;
      readonly finding: Finding;
      /** Whether pages will fail. */
      readonly fails: boolean;
    }
  /** A mistake in a theme's source that is new or changes. */
  | { readonly type: "finding"; readonly finding: Finding }
  /** What is not done to an object, because it was changed in the shop. */
  | ({ readonly type: "conflict" } & Conflict);

const types: Readonly<Record<Notice["type"], true>> = {
  adopts: true,
  changes: true,
  overwrites: true,
  "puts-back": true,
  text: true,
  settings: true,
  unstated: true,
  leaves: true,
  looks: true,
  shows: true,
  lists: true,
  asks: true,
  sees: true,
  lacks: true,
  finding: true,
  conflict: true,
};

/** What only the process knows that has read it. */
const isOfProcess = ({ type }: Notice) => ["looks", "shows", "lists", "asks"].includes(type);

/** Reads what `openNotices` wrote. @throws Error for a line that is none of its own */
export const readNotices = (text: string): readonly Notice[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map(noticeIn);

function noticeIn(line: string): Notice {
  try {
    const notice: Notice = JSON.parse(line);
    if (Object.hasOwn(types, notice.type)) return notice;
  } catch (cause) {
    throw new Error(`the plan's notices can't be read: ${messageOf(cause)}`, { cause });
  }
  throw new Error(`the plan's notices can't be read: ${line} is not a notice`);
}

/** Writes a notice. @returns whether anybody reads it */
export type Notify = (notice: Notice) => boolean;

/** What the run itself tells too: what it did not do, what became of a theme, what it sent. The rest is of what has yet to be done. */
const runNotices: readonly Notice["type"][] = ["conflict", "settings", "changes"];

/**
 * Writes notices to a file; nowhere without one. A notice that can't be written is no reason to fail.
 * @param planned whether they are a plan's
 * @param by the process that writes them
 */
export function openNotices(
  path: string | undefined,
  say: (line: string) => void,
  planned = true,
  by: Process = "host",
): Notify {
  if (path === undefined) return () => false;
  let failed = false;
  return (notice) => {
    if (!planned && !runNotices.includes(notice.type)) return false;
    try {
      const line = isOfProcess(notice) ? { ...notice, by } : notice;
      appendFileSync(path, `${JSON.stringify(line)}\n`, { mode: 0o600 });
      return true;
    } catch (error) {
      if (!failed) say(`the plan's notices can't be written: ${messageOf(error)}`);
      failed = true;
      return false;
    }
  };
}

export function discreetNotice(notice: Notice, mask: Mask): Notice {
  switch (notice.type) {
    case "text":
      return { ...notice, lines: printable(mask(notice.lines)) };
    case "unstated":
      return { ...notice, lines: notice.lines.map((line) => printable(mask(line))) };
    case "settings":
      return { ...notice, values: masked(notice.values, mask) };
    case "overwrites":
      return { type: notice.type, ...maskedConflict(notice, mask) };
    case "finding":
    case "lacks":
      return { ...notice, finding: discreetFinding(notice.finding, mask) };
    default:
      return notice;
  }
}

/** Its place and its texts may repeat what is secret; the names of its rule and of a type can't. */
function discreetFinding(finding: Finding, mask: Mask): Finding {
  const { path, source, message, fix, lacks } = finding;
  return {
    ...finding,
    ...masked({ path, source, message, fix }, mask),
    ...(lacks !== undefined && { lacks: { ...lacks, name: mask(lacks.name) } }),
  };
}

/** The same conflict without any secret of a call. */
export const maskedConflict = (conflict: Conflict, mask: Mask): Conflict => ({
  ...conflict,
  fields: masked(conflict.fields, mask),
  live: masked(conflict.live, mask),
});
