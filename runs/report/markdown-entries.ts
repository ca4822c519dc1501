/** Entries of a comment: each object by its title, with old and new values. */
import { kindOf, type Op, type Step, wholeOf } from "../../engine/index.ts";
import { isSheet } from "../../provider/inventory/index.ts";
import { changeRows, type Row, valueRows } from "./argument-rows.ts";
import type { FailureReason } from "./failures.ts";
import { endText } from "./impact-lines.ts";
import { labelText } from "./labels.ts";
import { code, type Entry, escaped, fenced, indented, mostEntries, type Section } from "./markdown-text.ts";
import { kindCount, type ObjectName, objectName, stepDefinition } from "./object-names.ts";
import { isEndOfSheet, type StepNotices } from "./step-notices.ts";
import type { Refusal } from "./step-words.ts";
import { countWord, opOrder, stepWord } from "./step-words.ts";

/** The steps of a run, then the changes that a refresh found. @param isPreview whether the steps are still to come */
export const stepSections = (
  steps: readonly Step[],
  notices: StepNotices,
  isPreview: boolean,
): readonly Section[] =>
  [false, true].flatMap((finding) =>
    sectionsOf(
      steps.filter(({ found }) => found === finding),
      notices,
      { finding, isPreview },
    ),
  );

/** Deletes and replacements first, then kind by kind. */
function sectionsOf(
  steps: readonly Step[],
  notices: StepNotices,
  { finding, isPreview }: { readonly finding: boolean; readonly isPreview: boolean },
): readonly Section[] {
  // The rows of a sheet aren't among the step's changes.
  const isAsItIs = ({ op, changes, type }: Step) =>
    op === "adopt" && changes.length === 0 && !isSheet(kindOf(type));
  const lost = (op: Op, heading: string): Section => {
    const own = steps.filter((step) => step.op === op && !isEndOfSheet(step));
    return section(`${heading}: ${kindsText(own)}`, own, notices);
  };
  const isRest = (step: Step) =>
    (step.op !== "delete" && !isReplacement(step) && !isAsItIs(step)) || isEndOfSheet(step);
  const rest = steps.filter(isRest);
  const replacing = steps.filter(isReplacement);
  const kinds = [...Map.groupBy(rest, ({ type }) => kindOf(type))].flatMap(([kind, own]) => {
    const counts = opOrder
      .map((op) => [op, own.filter((step) => step.op === op).length] as const)
      .filter(([, count]) => count > 0)
      .map(([op, count]) => `${count.toLocaleString("en-US")} ${countWord(op, finding, isPreview)}`);
    const [word] = counts;
    const what = counts.length === 1 ? ` ${word?.replace(/^\S+ /, "")}` : `: ${counts.join(", ")}`;
    return kindSections(`${kindCount(kind, own.length)}${what}`, own, notices);
  });
  const taken = steps.filter(isAsItIs);
  return [
    lost("delete", finding ? "🗑 Deleted in the shop" : "🗑 Deleted"),
    section(`♻️ Replaced: ${kindsText(replacing)}`, replacing, notices),
    ...kinds,
    { ...section(`Adopted without changes: ${kindsText(taken)}`, taken, notices), isFolded: true },
  ];
}

const isReplacement = ({ op }: Step) => wholeOf(op) === "replace";

const kindsText = (steps: readonly Step[]) =>
  [...Map.groupBy(steps, ({ type }) => kindOf(type))]
    .map(([kind, own]) => kindCount(kind, own.length))
    .join(", ");

/** Sections of so many entries are folded. */
export const foldedFrom = 30;

const section = (heading: string, steps: readonly Step[], notices: StepNotices): Section => ({
  heading,
  entries: steps.slice(0, mostEntries).map((step) => stepEntry(step, notices)),
  total: steps.length,
  isFolded: steps.length >= foldedFrom,
});

/** The steps of a kind. Many price changes become a table, followed by the other changes. */
function kindSections(heading: string, steps: readonly Step[], notices: StepNotices): readonly Section[] {
  const prices = steps
    .filter(({ op }) => op === "update")
    .flatMap((step) =>
      rowsOf(step, notices)
        .filter(isPrice)
        .map((row): PriceRow => ({ step, name: nameText(objectName(step)), row })),
    );
  if (prices.length < leastPrices) return [section(heading, steps, notices)];
  const priced = new Set(prices.map(({ step }) => step));
  const others = steps.filter(
    (step) => !priced.has(step) || rowsOf(step, notices).some((row) => !isPrice(row)),
  );
  const entryOf = (step: Step) =>
    stepEntry(step, notices, priced.has(step) ? (row) => !isPrice(row) : undefined);
  return priceSections(heading, prices, {
    ...section(`Other changes: ${kindsText(others)}`, others, notices),
    entries: others.slice(0, mostEntries).map(entryOf),
  });
}

/** The title, with a link to its page in the back office, and the resource's name in brackets. */
function nameText({ title, name, office }: ObjectName): string {
  const letters = [...title];
  const shown = escaped(letters.length > 120 ? `${letters.slice(0, 120).join("")}…` : title);
  return `**${office === undefined ? shown : `[${shown}](${office})`}**${title === name ? "" : ` (${code(name.slice(0, 120))})`}`;
}

function stepEntry(step: Step, notices: StepNotices, isShown: (row: Row) => boolean = () => true): Entry {
  const named = objectName(step);
  const head = `- ${nameText(named)}${aboutText(step, notices)}`;
  const rows = rowsOf(step, notices).filter(isShown);
  const lines = rows.flatMap(({ hunks }) => hunks ?? []).length;
  const short = `${head}: ${rows.length === 0 ? stepWord(step) : `${rows.length} ${rows.length === 1 ? "change" : "changes"}${lines > 0 ? `, ${lines} lines of text` : ""}, too long to show here`}\n`;
  const [only] = rows;
  if (only === undefined) return { whole: `${head}\n`, short: `${head}\n` };
  if (rows.length === 1 && only.hunks === undefined) return { whole: `${head}: ${rowText(only)}\n`, short };
  return { whole: `${head}\n${rows.map(rowBlock).join("")}`, short };
}

/** Details of a step beside its name and its values. */
function aboutText(step: Step, notices: StepNotices): string {
  const { op, replaces, from } = step;
  const leaves = notices.leaves(step);
  switch (op) {
    case "replace":
      return `, because ${replaces.map((path) => `**${escaped(labelText(path))}**`).join(", ")} can't be changed in place${leaves ? "; the old one stays in the shop" : ""}`;
    case "create-replacement":
    case "delete-replaced":
      return ", because a resource that it depends on is replaced";
    case "rename":
      return `, formerly ${code(from ?? "")}`;
    case "delete":
      if (step.left) return ", stays deleted";
      if (isEndOfSheet(step)) return `, ${endText(notices.restores(step))}`;
      return leaves ? ", from the program only: it stays in the shop" : "";
    case "create":
      return step.again ? " · **puts back**: staff deleted it" : " · new";
    case "adopt":
      return adoptedText(step, notices);
    case "update":
      return changedAtText(step);
    case "same":
    case "import":
    case "read":
    case "refresh":
      return "";
  }
}

/** When the object was last changed. The shop doesn't say who changed it. */
function changedAtText({ seen }: Step): string {
  const [, day, minute, zone] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):[\d.]+([+-]\d\d:\d\d)$/.exec(String(seen?.updatedAt)) ?? [];
  return day === undefined ? "" : ` · last changed ${day} ${minute} ${zone}`;
}

function adoptedText(step: Step, notices: StepNotices): string {
  const instead = notices.instead(step);
  const missing = instead === undefined ? "" : ` instead of ${code(instead)}, which the shop doesn't have`;
  return step.changes.length > 0 || missing !== "" ? ` · adopted from the shop${missing}` : "";
}

/** Roles of the values that are shown for a deleted object. */
const worthShowing: ReadonlySet<string> = new Set([
  "price",
  "stock",
  "discount",
  "unit",
  "smallest-order",
  "starts",
  "ends",
  "charge",
  "monthly-charge",
]);

function rowsOf(step: Step, notices: StepNotices): readonly Row[] {
  switch (step.op) {
    case "create":
      return valueRows(step);
    case "delete":
      return [
        ...valueRows(step, ({ role }) => role !== undefined && worthShowing.has(role)),
        ...changeRows(step, notices),
      ];
    case "update":
    case "replace":
    case "rename":
    case "adopt":
      return stepDefinition(step) === undefined && !isSheet(kindOf(step.type))
        ? []
        : changeRows(step, notices);
    case "same":
    case "import":
    case "read":
    case "refresh":
      return [];
    // The two halves of a replacement: of a sheet each sends prices.
    case "create-replacement":
    case "delete-replaced":
      if (isSheet(kindOf(step.type))) return changeRows(step, notices);
      return step.op === "create-replacement" ? valueRows(step) : [];
  }
}

function rowText({ label, old, new: next, note }: Row): string {
  const noted = note === undefined ? "" : ` (${note})`;
  if (next === undefined) return `${escaped(label)}${noted}:`;
  const value = `**${escaped(next)}**`;
  return old === undefined
    ? `${escaped(label)}: ${value}`
    : `${escaped(label)}: ${escaped(old)} → ${value}${noted}`;
}

function rowBlock(row: Row): string {
  const line = row.label === "" ? "" : `  - ${rowText(row)}\n`;
  if (row.hunks === undefined) return line;
  return `${line}\n${indented(fenced(row.hunks), line === "" ? "  " : "    ")}\n`;
}

const permitText = ({ permit }: Refusal) => {
  const [, before = "", option = "", after = ""] = /^(.*?)(--allow \S+)?( to .*)?$/s.exec(permit) ?? [];
  return `${escaped(before)} ${option === "" ? "" : code(option)}${after === "" ? "" : ` ${escaped(after)}`}`;
};

// Replaces paths by labels for readers who don't write programs.
const inWords = (text: string) =>
  text.replace(/\b\w+\[[^\]]*\]\.\w+/g, (path) => labelText(path)).replaceAll(" => ", " → ");

/** A step beyond the stack's limits, and how to permit it. */
export function refusalEntry(refusal: Refusal): Entry {
  const { step, text } = refusal;
  const letters = [...text];
  const shown = escaped(inWords(letters.length > 1_000 ? `${letters.slice(0, 1_000).join("")}…` : text));
  const what = step === undefined ? shown : `${nameText(objectName(step))} ${shown}`;
  const line = `- ${what}; ${permitText(refusal)}\n`;
  return { whole: line, short: line };
}

/** A failure: `index.ts:4 Coupon "spring": ...`. */
export function failureEntry({ subjects, reason }: FailureReason): Entry {
  const [said = "", ...rest] = reason.join("\n").trim().split("\n");
  const [whom = "", ...others] = subjects.map((subject) => subject.replaceAll(/ {2,}/g, " "));
  const first = whom === "" || others.length > 0 ? said : `${whom}: ${said}`;
  const line = `- ${escaped(first.slice(0, 2_000))}\n`;
  const block = rest.length === 0 ? "" : `\n${indented(fenced(rest, "text"), "  ")}\n`;
  const list = others.length === 0 ? [] : [whom, ...others].map((one) => `  - ${escaped(one)}\n`);
  return { whole: line + block + list.join(""), short: line };
}

interface PriceRow {
  readonly step: Step;
  /** The object's name as Markdown. */
  readonly name: string;
  readonly row: Row;
}

const isPrice = ({ percent }: Row): boolean => percent !== undefined;

/** Fewer prices are shown as a list. */
const leastPrices = 4;
const mostShown = 10;

const headOf = (prices: readonly PriceRow[]) =>
  `| | ${prices.every(({ step }) => step.found) ? "last run | in the shop now" : "now | new"} | change |\n|:--|--:|--:|--:|\n`;

/** The largest price changes, the rest in a folded section, then the other changes of the kind. */
function priceSections(heading: string, prices: readonly PriceRow[], others: Section): readonly Section[] {
  const far = ({ row }: PriceRow) => Math.abs(row.percent ?? 0);
  const isPaid = ({ row }: PriceRow) => Number(row.isPaid ?? false);
  const sorted = prices.toSorted((one, other) => isPaid(other) - isPaid(one) || far(other) - far(one));
  const head = headOf(prices);
  const [shown, rest] = [sorted.slice(0, mostShown), sorted.slice(mostShown)];
  return [
    { heading, lead: head, entries: shown.map(entryOf), isFolded: false },
    {
      heading: `${rest.length.toLocaleString("en-US")} more prices`,
      lead: head,
      entries: rest.slice(0, mostEntries).map(entryOf),
      total: rest.length,
      isFolded: true,
    },
    others,
  ];
}

function entryOf({ name, row: { label, old, new: next, note } }: PriceRow): Entry {
  const item = label.replace(/ ?price$/, "");
  const line = `| ${name}${item === "" ? "" : ` ${escaped(item)}`} | ${escaped(old ?? "")} | **${escaped(next ?? "")}** | ${escaped(note ?? "").replaceAll(" ", "\u00a0")} |\n`;
  return { whole: line, short: line };
}
