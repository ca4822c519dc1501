/** A run as Markdown for a pull request comment: the impact first, within the length of one comment. */

import { type Event, endedIn, type Result, type Step } from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { printable, saysWait } from "../../provider/inventory/index.ts";
import { nextSteps, shownFields } from "./conflict-texts.ts";
import { type Conflict, otherFailures } from "./conflicts.ts";
import { failureReasons } from "./failures.ts";
import type { Impact } from "./impact.ts";
import { impactLines } from "./impact-lines.ts";
import { failureEntry, foldedFrom, refusalEntry, stepSections } from "./markdown-entries.ts";
import { code, type Entry, escaped, fenced, type Section, sectionsText } from "./markdown-text.ts";
import { namesText, objectName, plural } from "./object-names.ts";
import type { PreviousRuns } from "./run-history.ts";
import { type StepNotices, sendsNothing } from "./step-notices.ts";
import { countWord, deletesText, opOrder, type Refusal, unchangedText } from "./step-words.ts";

/** A run with all its events. */
export interface Reported {
  readonly title: string;
  readonly result: Result;
  /** The steps that the stack's limits refuse. */
  readonly refused: readonly Refusal[];
  /** The conflicts among the steps that the provider refused, with their values. */
  readonly conflicts: readonly Conflict[];
  readonly isPreview: boolean;
  /** Whether it is certain that nothing was changed in the shop. */
  readonly unchanged: boolean;
  readonly impact: Impact;
  /** The provider's notices about single steps. */
  readonly notices: StepNotices;
  /** The requests that applying the plan needs, in words. */
  readonly cost: string | undefined;
  readonly previous?: PreviousRuns | undefined;
  /** Pages before and after the plan, with --pictures. */
  readonly pictures?: Pictures | undefined;
  /** Whether it is a refresh, which reports changes that it found. */
  readonly finding: boolean;
  /** Without the digests of secrets. */
  readonly events: readonly Event[];
}

/** The pages that a plan changes. */
export interface Pictures {
  readonly pages: readonly string[];
  /** The page that shows them before and after; undefined if none changes. */
  readonly link: string | undefined;
  /** Pages that work now and fail after the plan. */
  readonly broken: readonly string[];
}

/** A GitHub comment holds 65,536 characters; a workflow adds some of its own. */
const mostCharacters = 60_000;

/** Several runs share the length of one comment. */
export const markdownOf = (runs: readonly Reported[]): string =>
  runs.map((run) => runText(run, Math.floor(mostCharacters / runs.length))).join("");

// Components only group other resources.
const shows = ({ op, custom, partOf, type }: Step) =>
  custom && op !== "same" && op !== "read" && partOf === undefined && !isPulumisOwn(type);

function runText(run: Reported, most: number): string {
  const { title, result, refused, conflicts, isPreview, impact, notices, cost, previous, pictures } = run;
  // Failed and refused steps are among the result's failures; messages are only for the terminal.
  const steps = endedIn(run.events).done.filter((step) => shows(step) && !sendsNothing(step, notices));
  const said = run.events.filter((event) => event.type === "printed").map(({ text }) => text);
  const failures = otherFailures(result.failures, conflicts);
  const head = printable(
    `### ${title}\n\n${headText(result, { ...run, failures })}\n\n${decideText(refused, conflicts)}${pastText(previous)}${impactText(impact)}${picturesText(pictures)}`,
  );
  const foot = printable(cost === undefined ? "" : `<sub>API requests: ${escaped(cost)}</sub>\n\n`);
  const problems: readonly Section[] = [
    { heading: "⛔ Refused: nothing was changed", entries: refused.map(refusalEntry), isFolded: false },
    { heading: "❌ Failed", entries: failureReasons(failures).map(failureEntry), isFolded: false },
    ...conflictSections(conflicts),
  ];
  const doubts = failureReasons(notices.doubts).map(failureEntry);
  const sections = [
    ...problems,
    ...stepSections(steps, notices, isPreview),
    { heading: "Values to check", entries: doubts, isFolded: doubts.length >= foldedFrom },
    sentencesSection("No longer set", notices.unstated),
    printedSection(said.filter((line) => !saysWait(line))),
  ]
    .filter(({ entries }) => entries.length > 0)
    .map(shownSection);
  return `${head}${sectionsText(sections, most - head.length - foot.length)}${foot}`;
}

/** The decisions that the reader must make, above everything else. */
function decideText(refused: readonly Refusal[], conflicts: readonly Conflict[]): string {
  const beyond = refused.flatMap(({ step }) => (step === undefined ? [] : [objectName(step)]));
  const questions = [
    ...(conflicts.length > 0
      ? [
          `**${escaped(namesText(conflicts))}** ${conflicts.length === 1 ? "was" : "were"} changed in the shop, too: keep those changes, or overwrite them?`,
        ]
      : []),
    ...(beyond.length > 0
      ? [
          `**${escaped(namesText(beyond))}** ${beyond.length === 1 ? "exceeds" : "exceed"} the stack's limits: is this intended?`,
        ]
      : []),
  ];
  if (questions.length === 0) return "";
  return `> [!IMPORTANT]\n> To decide:\n${questions.map((one) => `> - ${one}\n`).join("")}\n`;
}

// Escaping makes texts longer, so it happens before counting.
const shownSection = (section: Section): Section => ({
  ...section,
  heading: printable(section.heading),
  ...(section.lead !== undefined && { lead: printable(section.lead) }),
  entries: section.entries.map(({ whole, short }) => ({ whole: printable(whole), short: printable(short) })),
});

function headText(
  result: Result,
  {
    refused,
    conflicts,
    isPreview,
    unchanged,
    failures,
    finding,
  }: Pick<Reported, "refused" | "conflicts" | "isPreview" | "unchanged" | "finding"> &
    Pick<Result, "failures">,
): string {
  const { counts, outcome } = result;
  const counted = opOrder
    .filter((op) => (counts[op] ?? 0) > 0 && op !== "read")
    .map((op) => `${counts[op]} ${countWord(op, finding, isPreview)}`);
  const same = `${counts.same ?? 0} unchanged`;
  const nothing = outcome === "succeeded" || failures.length === 0 ? `Nothing to change; ${same}.` : "";
  const rest = counts.same === undefined || counts.same === 0 ? "" : `; ${same}`;
  const words = counted.length === 0 ? nothing : `**${counted.join(", ")}**${rest}.`;
  const failed = {
    failed: failures.length === 0 ? `**${plural(conflicts.length, "conflict")}.** ` : "**It failed.** ",
    cancelled: "**It was stopped.** ",
    succeeded: refused.length > 0 ? "**Refused: it exceeds the stack's limits.** " : "",
  };
  const isPlanOfRest = isPreview && failures.length === 0;
  const none = outcome !== "succeeded" && unchanged && !isPlanOfRest ? `${unchangedText} ` : "";
  const deletes = deletesText(result, isPreview);
  return `${failed[outcome]}${none}${words}${deletes === undefined ? "" : ` **${deletes}**`}`;
}

function pastText(previous: PreviousRuns | undefined): string {
  if (previous === undefined) return "";
  const { last, reverted } = previous;
  const warnings = reverted.map(({ text }) => `⚠️ **${capital(shortened(text, mostShown))}.**\n\n`);
  return `${capital(shortened(last))}.\n\n${warnings.join("")}`;
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);

function impactText(impact: Impact): string {
  const lines = impactLines(impact);
  if (lines.length === 0) return "";
  const rows = lines.slice(0, mostLines).map(({ label, text, isLoud }) => {
    // In a narrow column the mark would stand on a line of its own.
    return `| ${isLoud ? "⚠️\u00a0" : ""}**${label}** | ${shortened(text)} |\n`;
  });
  const more = lines.length > mostLines ? `| | … and ${lines.length - mostLines} more |\n` : "";
  return `| | What it means for the shop |\n|:--|:--|\n${rows.join("")}${more}\n`;
}

function picturesText(pictures: Pictures | undefined): string {
  if (pictures === undefined) return "";
  const { pages, link, broken } = pictures;
  if (link === undefined) return "No page that shoppers see changes.\n\n";
  const many = plural(pages.length, "page");
  const fail = broken.length === 1 ? "fails" : "fail";
  const failing =
    broken.length === 0
      ? ""
      : `> [!CAUTION]\n> ${plural(broken.length, "page")} ${fail} after this plan: ${shortened(broken.join(", "))}\n\n`;
  return `${failing}🖼️ **[${many} before and after](${encodeURI(link)})**: ${shortened(pages.join(", "))}\n\n`;
}

const [mostLines, mostLetters, mostShown] = [25, 400, 1_200];

/** Shortens a text to a number of letters, or to fewer if escaping makes it much longer. */
function shortened(text: string, most = mostLetters): string {
  const letters = [...text];
  const shown = printable(escaped(letters.length > most ? `${letters.slice(0, most).join("")}…` : text));
  return shown.length > mostShown && most > 1 ? shortened(text, Math.floor(most / 2)) : shown;
}

function sentencesSection(heading: string, sentences: readonly string[]): Section {
  const entries = sentences
    .map((text) => `- ${escaped(text)}\n`)
    .map((line) => ({ whole: line, short: line }));
  return { heading, entries, isFolded: entries.length >= foldedFrom };
}

function printedSection(said: readonly string[]): Section {
  // The lines belong together: they are shown as a whole or not at all.
  const block = fenced(said);
  const short = `- ${said.length} lines, which don't fit here\n`;
  return {
    heading: "Messages of the program and the provider",
    entries: said.length === 0 ? [] : [{ whole: block, short }],
    // A few lines stay open, so that a warning is read.
    isFolded: said.length > 3,
  };
}

/** The conflicts with their three values each; empty without a conflict. */
function conflictSections(conflicts: readonly Conflict[]): readonly Section[] {
  if (conflicts.length === 0) return [];
  const ways = nextSteps(conflicts).map(({ text, keeps }) =>
    keeps ? `the shop keeps the values that it has now. ${withCommands(text)}` : withCommands(text),
  );
  return [
    {
      heading: `⚠️ ${plural(conflicts.length, "conflict")}: somebody changed ${escaped(namesText(conflicts))} in the shop`,
      lead:
        `Not sent: ${ways.join(". ")}.\n\n` +
        "| | last run | in the shop now | this pull request |\n|:--|:--|:--|:--|\n",
      entries: [...conflicts.flatMap(rows), ...conflicts.flatMap(blocks)],
      isFolded: false,
    },
  ];
}

const withCommands = (text: string) =>
  text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? code(part) : escaped(part.trim())))
    .filter((part) => part !== "")
    .join(" ");

const rows = (conflict: Conflict): readonly Entry[] =>
  shownFields(conflict).map(({ label, was, is, asked }) => {
    const line = `| ${nameText(conflict, label)} | ${escaped(was)} | **${escaped(is)}** | ${escaped(asked)}: not ${{ update: "sent", replace: "done", delete: "done" }[conflict.withheld]} |\n`;
    return { whole: line, short: line };
  });

const blocks = (conflict: Conflict): readonly Entry[] =>
  shownFields(conflict).flatMap(({ label, texts }) =>
    texts.map(({ label: what, hunks }) => {
      const head = `\n${nameText(conflict, label)}, ${what}`;
      return {
        whole: `${head}:\n\n${fenced(hunks)}`,
        short: `${head}: ${plural(hunks.length, "line")} of text, too long to show here\n`,
      };
    }),
  );

const nameText = ({ title }: Conflict, label: string) =>
  `**${escaped(title.slice(0, 120))}** ${escaped(label)}`;
