/** Checks conditions, values and filters' arguments as the platform's Liquid parses them: it ignores or rejects the rest. */
import { filterArguments } from "./dialect.ts";
import type { Mistake } from "./finding.ts";

const index = /\[(?:"[^"]*"|'[^']*'|[^[\]"']|\[[^\]]*\])*\]/.source;
const name = /[\p{L}_][\p{L}\p{N}_-]*\??/u.source;
const path = `(?:${name}|${index})(?:\\s*\\.\\s*[\\p{L}\\p{N}_-]+\\??|${index})*`;
const value = `"[^"]*"|'[^']*'|-?\\d+(?:\\.\\d+)?|\\([^()]{0,99}\\.\\.[^()]{0,99}\\)|${path}`;
const space = /\s*/y;
const aValue = new RegExp(value, "uy");
const aComparison = /(?:==|!=|<>|<=|>=|[<>](?![=>])|contains\b)/y;
const aJoint = /(?:and|or)\b/y;

/** The end of a piece that starts here, after blanks; undefined if there is none. */
function after(text: string, at: number, piece: RegExp): number | undefined {
  space.lastIndex = at;
  space.test(text);
  piece.lastIndex = space.lastIndex;
  return piece.test(text) ? piece.lastIndex : undefined;
}

/** Syntax of other languages, and its equivalent in Liquid. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/^&&/, "write and"],
  [/^\|\|/, "write or"],
  [/^=>/, "write >="],
  [/^={3}/, "write =="],
  [/^=/, "write == to compare"],
  [/^in\b/, "write LIST contains VALUE"],
  [/^(?:not\b|!)/, "write {% unless VALUE %}, or VALUE == false"],
  [/^[()]/, "Liquid has no brackets here: nest one condition in the other"],
  [/^[“”„«»‘’`]/, "write straight quotation marks, \" or '"],
  [/^[+\-*/%]/, "calculate with a filter: plus, minus, times, divided_by"],
];
const usual = "write values with ==, !=, <, >, <=, >= or contains between two, joined by and, or";

const wordAt = (text: string, at: number) => /\S+/.exec(text.slice(at))?.[0] ?? "";

type Found = Pick<Mistake, "at" | "message" | "fix">;

export const noValue: Found = { at: 0, message: "a value is missing here", fix: "write one" };

/** Finds a tag's argument written as in HTML, and a range without brackets. @param list the text behind the tag's name */
export function argumentMistake(list: string): Found | undefined {
  const words =
    /"[^"]*"|'[^']*'|\([^)]*\)|(?<![\w-])([\w-]+)\s*=\s*([^\s=,]*)|\b(limit|offset|cols)\s+([\w.]+)|([\w.]+\.\.[\w.]+)/g;
  const [found] = [...list.matchAll(words)].filter((one) => one.slice(1).some(Boolean));
  if (found === undefined) return undefined;
  const { 0: all, 1: name = found[3], 2: given = found[4], 5: range, index: at } = found;
  const fix = range === undefined ? `write ${name}: ${given || "VALUE"}` : `write (${range})`;
  return { at, message: `Liquid leaves out ${all}`, fix };
}

/** Finds a text that isn't closed. @param inside a part of a tag */
export function openQuote(inside: string): Found | undefined {
  const at = inside.replace(/"[^"]*"|'[^']*'/g, (text) => " ".repeat(text.length)).search(/["']/);
  if (at === -1) return undefined;
  const mark = inside[at] ?? "";
  return {
    at,
    message: `the text after ${mark} has no end: Liquid leaves it out`,
    fix: `write ${mark} where it ends`,
  };
}

/** Finds a word or sign at the end that must be followed by something. @param inside the text of a tag or output */
export function danglingEnd(inside: string): Found | undefined {
  const found = /(?:[|:,]|^\s*(?:include|render|paginate|when)\b.*\s(?:with|for|by|or))\s*$/s.exec(inside);
  if (found === null) return undefined;
  const end = inside.trimEnd();
  const word = /\w+$|.$/.exec(end)?.[0] ?? "";
  return {
    at: end.length - word.length,
    message: `the ${word} at the end has nothing after it: Liquid leaves it out`,
    fix: `write what belongs after ${word}, or remove it`,
  };
}

/** Finds an invalid part of a condition. @param condition the text behind the tag's name */
export function conditionMistake(condition: string): Found | undefined {
  let at = 0;
  for (;;) {
    const first = after(condition, at, aValue);
    const isNot = /^\s*not\b(?!\s*(?:$|[=!<>.]|and\b|or\b|contains\b))/.test(condition.slice(at));
    if (first === undefined || isNot) return stoppedAt(condition, at);
    const compared = after(condition, first, aComparison);
    const end = compared === undefined ? first : after(condition, compared, aValue);
    if (end === undefined) return stoppedAt(condition, compared ?? first);
    if (/^\s*$/.test(condition.slice(end))) return undefined;
    const joint = after(condition, end, aJoint);
    if (joint === undefined) return stoppedAt(condition, end);
    at = joint;
  }
}

function stoppedAt(text: string, from: number) {
  const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  const word = wordAt(text, at);
  const [, fix = usual] = foreign.find(([sign]) => sign.test(text.slice(at))) ?? [];
  return {
    at: Math.min(at, text.trimEnd().length),
    message:
      word === "" ? "a value is missing in this condition" : `Liquid can't read ${word} in a condition`,
    fix,
  };
}

/** Finds text between a value and its filters, which Liquid ignores. @param output a value with its filters */
export function ignoredText(output: string): Found | undefined {
  const end = after(output, 0, aValue);
  if (end === undefined) return undefined;
  const at = end + (/^\s*/.exec(output.slice(end))?.[0].length ?? 0);
  const rest = output.slice(at);
  if (!/^(?:[\p{L}_"'<>]|[=!]=)/u.test(rest)) return undefined;
  return {
    at,
    message: `Liquid takes ${output.slice(0, end).trim()} here, and leaves out ${wordAt(output, at)}`,
    fix: /^(?:[=!<>]|contains\b|and\b|or\b)/.test(rest)
      ? "put the condition into {% if %}"
      : "write one value, then | and its filters",
  };
}

/** Checks the number of a filter's arguments. @param given the text behind its name, up to the next filter */
export function filterArgumentsMistake(
  filter: string,
  given: string,
): Pick<Mistake, "message" | "fix"> | undefined {
  const [least, most] = filterArguments.get(filter) ?? [];
  if (least === undefined || most === undefined) return undefined;
  const list = /^\s*:(.*)$/s.exec(given)?.[1] ?? "";
  const parts = list.match(/(?:"[^"]*"|'[^']*'|[^,"'])+/g) ?? [];
  const count = parts.filter((one) => one.trim() !== "" && !/^\s*\w+\s*:/.test(one)).length;
  if (count >= least && count <= most) return undefined;
  const wanted = least === most ? String(least) : `${least} to ${most}`;
  return {
    message: `the filter ${filter} takes ${wanted === "0" ? "no arguments" : `${wanted} ${most === 1 ? "argument" : "arguments"}`}, and has ${count}`,
    fix:
      most === 0
        ? `write | ${filter} alone`
        : `write | ${filter}: ${Array.from({ length: Math.max(least, 1) }, () => "VALUE").join(", ")}`,
  };
}
