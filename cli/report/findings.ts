/** What is wrong with a theme: as lines for a person, as annotations of a pull request, as JSON. */
import { type Finding, printable } from "../../provider/inventory/index.ts";
import type { Colour } from "../../runs/command.ts";

interface Line {
  readonly colour?: Colour;
  readonly text: string;
}

/** Lines of a finding: place and mistake, the line itself, the way out. */
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

/** How many there are, and in how many files. */
export function countText(findings: readonly Finding[], checked: number): string {
  const count = (severity: Finding["severity"]) => {
    const { length } = findings.filter((one) => one.severity === severity);
    return `${length} ${severity}${length === 1 ? "" : "s"}`;
  };
  return `${checked} file${checked === 1 ? "" : "s"}: ${count("error")}, ${count("warning")}`;
}

const escaped = (text: string) =>
  printable(text).replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string) => escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

/** A finding as a workflow's annotation, which GitHub shows beside the line; it is printed as it is. */
export const annotation = ({ severity, path, line, column, rule, message, fix }: Finding): string =>
  `::${severity} file=${property(path)},line=${line},col=${column},title=${property(rule)}::${escaped(`${message}. ${fix}`)}`;
