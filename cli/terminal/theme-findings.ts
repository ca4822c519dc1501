/** Mistakes in a theme, as lines for the terminal and as annotations on GitHub. */
import { type Finding, printable } from "../../provider/inventory/index.ts";
import type { Line } from "./step-lines.ts";

/** The place and the message, the line itself, the fix. */
export const findingLines = ({
  severity,
  path,
  line,
  column,
  source,
  message,
  fix,
}: Finding): readonly Line[] => [
  {
    colour: severity === "error" ? "red" : "yellow",
    text: `${path}:${line}:${column} ${severity}: ${message}`,
  },
  ...(source === "" ? [] : [{ colour: "dim" as const, text: `    ${source}` }]),
  { text: `    ${fix}` },
];

/** The number of errors, warnings and files. */
export function findingCounts(findings: readonly Finding[], checked: number): string {
  const count = (severity: Finding["severity"]) => {
    const { length } = findings.filter((one) => one.severity === severity);
    return `${length} ${severity}${length === 1 ? "" : "s"}`;
  };
  return `${checked} file${checked === 1 ? "" : "s"}: ${count("error")}, ${count("warning")}`;
}

const escaped = (text: string) =>
  printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string) => escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** A GitHub workflow annotation, which GitHub shows beside the line. */
export const annotation = ({ severity, path, line, column, rule, message, fix }: Finding): string =>
  `::${severity} file=${property(path)},line=${line},col=${column},title=${property(rule)}::${escaped(`${message}. ${fix}`)}`;
