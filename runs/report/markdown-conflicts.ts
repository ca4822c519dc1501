/** The conflicts of a run as a section of the comment: each value as it was, is and was asked for. */
import { shownFields, waysOn } from "./conflict-fields.ts";
import type { Conflict } from "./conflicts.ts";
import { code, escaped, fenced } from "./escape.ts";
import type { Entry, Section } from "./sections.ts";
import { manyText, namesText } from "./titles.ts";

/** None without a conflict. */
export function conflictSections(conflicts: readonly Conflict[]): readonly Section[] {
  if (conflicts.length === 0) return [];
  const ways = waysOn(conflicts).map(({ text, keeps }) =>
    keeps ? `the shop keeps the values that it has now. ${withCommands(text)}` : withCommands(text),
  );
  return [
    {
      heading: `⚠️ ${manyText(conflicts.length, "conflict")}: somebody changed ${escaped(namesText(conflicts))} in the shop`,
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
    const line = `| ${nameText(conflict, label)} | ${escaped(was)} | **${escaped(is)}** | ${escaped(asked)}: not ${withheldText(conflict)} |\n`;
    return { whole: line, short: line };
  });

const withheldText = ({ withheld }: Conflict) =>
  ({ update: "sent", replace: "done", delete: "done" })[withheld];

const blocks = (conflict: Conflict): readonly Entry[] =>
  shownFields(conflict).flatMap(({ label, texts }) =>
    texts.map(({ label: what, hunks }) => {
      const head = `\n${nameText(conflict, label)}, ${what}`;
      return {
        whole: `${head}:\n\n${fenced(hunks)}`,
        short: `${head}: ${manyText(hunks.length, "line")} of text, too long to show here\n`,
      };
    }),
  );

const nameText = ({ title }: Conflict, label: string) =>
  `**${escaped(title.slice(0, 120))}** ${escaped(label)}`;
