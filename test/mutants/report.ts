/** What came of trying mutants, for a terminal and for a page. */
import type { Mutant } from "./instrument.ts";
import type { Tried, Verdict } from "./trial.ts";

const isUnseen = (verdict: Verdict) => verdict === "survived" || verdict === "not reached";

/** For a terminal: each mutant that no test saw, then the table. */
export function textOf({ verdicts, useless, isWhole }: Tried): string {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  for (const [{ path, line, before, after }, verdict] of verdicts)
    if (isUnseen(verdict)) {
      say(`\n${verdict}: ${path}:${line}`);
      for (const text of before.split("\n")) say(`-  ${text}`);
      for (const text of after.split("\n")) say(`+  ${text}`);
    }
  if (useless.length > 0) say("\nnothing was tried with these tests, which fail unchanged:");
  for (const why of useless) say(`  ${why}`);
  if (!isWhole) say(`\n${stopped}`);
  return `${[...lines, "", ...tableOf([...verdicts])].join("\n")}\n`;
}

const stopped =
  "It was stopped before all tests were tried: what survived, or wasn't reached, may be seen by one that wasn't.";

type Verdicts = readonly (readonly [Mutant, Verdict])[];

/** A row for each file, and one for all. */
function tableOf(verdicts: Verdicts): readonly string[] {
  const byPath = Map.groupBy(verdicts, ([{ path }]) => path);
  return [
    "| file | seen | of | | survived | not reached | hung | once |",
    "|---|---|---|---|---|---|---|---|",
    ...[...byPath].map(([path, own]) => rowOf(`\`${path}\``, own)),
    rowOf("all", verdicts),
  ];
}

function rowOf(name: string, verdicts: Verdicts): string {
  const count = (wanted: Verdict) => verdicts.filter(([, verdict]) => verdict === wanted).length;
  // What hangs is seen: the test that hangs doesn't pass.
  const seen = count("seen") + count("hung");
  const of = verdicts.length - count("once");
  const share = of === 0 ? "-" : `${Math.round((100 * seen) / of)} %`;
  const rest = (["survived", "not reached", "hung", "once"] as const).map(count);
  return `| ${[name, seen, of, share, ...rest].join(" | ")} |`;
}

/** A page for a group: the table, and a line for each mutant that no test saw. */
export function pageOf(name: string, { verdicts, isWhole }: Tried): string {
  const unseen = Map.groupBy(
    [...verdicts].filter(([, verdict]) => isUnseen(verdict)),
    ([{ path }]) => path,
  );
  const short = (text: string) => {
    const line = text.replaceAll(/\s+/g, " ").replaceAll("`", "'");
    return line.length > 100 ? `${line.slice(0, 100)}...` : line;
  };
  const lists = [...unseen].flatMap(([path, mutants]) => [
    "",
    `## ${path}`,
    "",
    ...mutants.map(
      ([{ line, before, after }, verdict]) =>
        `- ${line}${verdict === "survived" ? "" : " (not reached)"}: \`${short(before)}\` > \`${short(after)}\``,
    ),
  ]);
  const head = [
    `# Mutants of ${name}`,
    "",
    `Written by \`PULUMI_SHOP_TABLES=docs npm run mutants -- ${name}\`.`,
    ...(isWhole ? [] : [stopped]),
    "",
  ];
  return `${[...head, ...tableOf([...verdicts]), ...lists].join("\n")}\n`;
}
