/**
 * Notices: messages of the provider to the command, outside Pulumi's protocol. Each is a line of JSON in a file that
 * the command names, written before the call is answered.
 */

import { appendFileSync } from "node:fs";
import type { LeafChange } from "../body/json.ts";
import type { Conflict } from "../change/conflict.ts";
import type { Doubt } from "../change/doubts.ts";
import type { PlannedField } from "../change/planned-fields.ts";
import { type Mask, masked } from "../change/secrets.ts";
import type { Process, Sources } from "../settings/settings.ts";
import type { Finding } from "../theme/finding.ts";
import { messageOf, printable } from "../wire/text.ts";
import type { Effect } from "./effects.ts";
import type { ListPage } from "./reads.ts";

/** The step before which the run reads an object; before creates and replacements also if they are then refused. */
export type StepRead = "get" | "create" | "update" | "replace" | "delete";

type OfObject = { readonly kind: string; readonly id: string };
type OfResource = { readonly kind: string; readonly of: string };
type OfList = { readonly kind: string; readonly above: string; readonly by?: Process };

/** What each type of notice says. */
interface Messages {
  /** A create will adopt an object, with this number of requests. */
  readonly adopts: OfObject & {
    readonly of: string;
    readonly sends: number;
    /** Its effects, measured from the shop's values; a sheet reports them with its changes. */
    readonly effects?: readonly Effect[];
    /** The id in `adopt`, if the shop doesn't have it and another object was found by its key. */
    readonly instead?: string | undefined;
  };
  /** An update was compared with the shop, or sent. */
  readonly changes: OfObject & {
    /** Of a sheet of prices: whether its delete puts these prices back. */
    readonly ends?: true | undefined;
    readonly sends: number;
    /** Its effects, measured from the shop's values. */
    readonly effects: readonly Effect[];
    /** Paths that the shop has already as the program asks. */
    readonly done: readonly string[];
    /** Paths that staff changed and nothing is sent for. */
    readonly keeps?: readonly string[];
  };
  /** Edits of staff are overwritten, as `--overwrite` permits. */
  readonly overwrites: Conflict;
  /** Edits of staff that a refresh has read are put back. */
  readonly "puts-back": Conflict;
  /** How an update changes a text: unified hunks, the shop's text against the program's. */
  readonly text: OfObject & {
    readonly lines: string;
    /** As with changes. */
    readonly ends?: true | undefined;
  };
  /** How values of a JSON text change; if `found`, how they have changed in the shop. */
  readonly settings: OfObject & { readonly found: boolean; readonly values: readonly LeafChange[] };
  /** Arguments that the program removed; a sentence for each says what the shop keeps. */
  readonly unstated: OfResource & { readonly lines: readonly string[] };
  /** New values that a shop probably refuses, changes or shows garbled. */
  readonly doubts: OfResource & { readonly doubts: readonly Doubt[] };
  /** A delete or replacement leaves the object in the shop, because it can't be cancelled any more. */
  readonly leaves: OfObject;
  /** An object was read; the run reads it again. */
  readonly looks: OfObject &
    OfList & {
      readonly before: StepRead;
      /** The resource that a create or a get is for: each reads for itself. */
      readonly of?: string;
    };
  /** A page of a list was read. */
  readonly shows: OfList & ListPage;
  /** A whole list was read to find an object; the run reads it again. */
  readonly lists: OfList & {
    readonly pages: number;
    readonly objects: number;
    /** Whether it lacks the object, so that the resource creates one after it has read the list. */
    readonly isForCreate?: true;
    /** Objects that were read by themselves, because lists have no text. */
    readonly singles: number;
  };
  /** A data source read the objects of a group; the run reads them again. */
  readonly asks: {
    readonly shop: string;
    readonly group: string;
    readonly requests: number;
    readonly by?: Process;
  };
  /** The shop's values of the fields that a change touches, or of all set fields of an object to delete. */
  readonly sees: OfObject & {
    readonly ends: boolean;
    /** A create would adopt it; an engine that has it under another name renames it instead. */
    readonly adopts?: true;
    /** Each field is checked by itself before it is sent. */
    readonly byItem?: true;
    readonly fields: readonly PlannedField[];
  };
  /** A theme's source names a file that neither its folder nor the shop has; another resource may set it. */
  readonly lacks: OfResource & {
    readonly finding: Finding;
    /** Whether pages that use it fail. */
    readonly fails: boolean;
  };
  /** An error or warning in a new or changed source of a theme. */
  readonly finding: { readonly finding: Finding };
  /** A step that is refused because staff changed the object. */
  readonly conflict: Conflict;
}

export type Notice = {
  [Type in keyof Messages]: Messages[Type] & {
    readonly type: Type;
    /** The URN of the program's provider that it comes from: two shops may each have an object with one id. */
    readonly provider?: string;
  };
}[keyof Messages];

const types: Readonly<Record<Notice["type"], true>> = {
  adopts: true,
  changes: true,
  overwrites: true,
  "puts-back": true,
  text: true,
  settings: true,
  unstated: true,
  doubts: true,
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

const isOfProcess = ({ type }: Notice) => ["looks", "shows", "lists", "asks"].includes(type);

/** Parses the file of `openNotices`. @throws Error for a line that is none of its own */
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

/** Whether a run writes a notice too; all others are about a plan. */
export const isOfRun = ({ type }: Notice): boolean =>
  ["conflict", "settings", "changes", "text"].includes(type);

/**
 * Writes notices to a file, if there is one. A failed write is printed and doesn't fail the run.
 * @param planned whether this is a preview
 * @param from the process that writes them
 */
export function openNotices(
  path: string | undefined,
  say: (line: string) => void,
  planned = true,
  { by = "host", provider }: Pick<Sources, "by" | "provider"> = {},
): Notify {
  if (path === undefined) return () => false;
  let failed = false;
  return (notice) => {
    if (!planned && !isOfRun(notice)) return false;
    try {
      const line = {
        ...notice,
        ...(isOfProcess(notice) && { by }),
        ...(provider !== undefined && { provider }),
      };
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
    case "doubts":
      return { ...notice, doubts: masked(notice.doubts, mask) };
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

/** Its place and texts may contain secrets; names of rules and types can't. */
function discreetFinding(finding: Finding, mask: Mask): Finding {
  const { path, source, message, fix, lacks } = finding;
  return {
    ...finding,
    ...masked({ path, source, message, fix }, mask),
    ...(lacks !== undefined && { lacks: { ...lacks, name: mask(lacks.name) } }),
  };
}

/** The conflict without the secrets of a call. */
export const maskedConflict = (conflict: Conflict, mask: Mask): Conflict => ({
  ...conflict,
  fields: masked(conflict.fields, mask),
  live: masked(conflict.live, mask),
});
