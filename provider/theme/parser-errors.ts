/** Puts the errors of Liquid's parser into our words: what it found, and what is expected there. */
import type { Mistake } from "./finding.ts";
import { conditional, type Piece } from "./names.ts";

type Words = Pick<Mistake, "message" | "fix">;

/** The form of each tag that the parser itself checks. */
const forms: ReadonlyMap<string, string> = new Map([
  ["assign", "{% assign name = value %}"],
  ["capture", "{% capture name %}"],
  ["case", "{% case value %}"],
  ["cycle", '{% cycle "first", "second" %}'],
  ["for", "{% for item in list %}"],
  ["include", '{% include "name" %}'],
  ["layout", '{% layout "name" %}'],
  ["render", '{% render "name" %}'],
  ["tablerow", "{% tablerow item in list %}"],
]);

const operators =
  "write one value here, then | and its filters; a comparison is written ==, !=, <, >, and, or, contains";

type Rule = readonly [raw: RegExp, words: (found: string, piece: Piece | undefined) => Words];

const rules: readonly Rule[] = [
  [
    /^illegal tag syntax/,
    () => ({ message: "the tag has no name", fix: "write its name first, as in {% if product %}" }),
  ],
  [
    /range syntax|unexpected token/,
    (_found, piece) =>
      /[\w\]]\(/.test(piece?.inside ?? "")
        ? { message: "Liquid has no calls with brackets", fix: "write a filter: | append: VALUE" }
        : { message: "Liquid can't read this range", fix: "write it as (1..10)" },
  ],
  [
    /not closed/,
    (found) =>
      found === "[" || found === ""
        ? { message: "[ is not closed", fix: "write ] behind the index" }
        : { message: `${found} is not closed`, fix: "write its end" },
  ],
  [
    /expected filter name/,
    () => ({ message: "a filter is missing after |", fix: "write one | and its name" }),
  ],
  [
    /after filter name/,
    (found) => ({
      message: `a filter and its arguments have no colon between them: ${found}`,
      fix: "write a colon between a filter and its arguments, as in | append: VALUE",
    }),
  ],
  [
    /before filter/,
    (found) => ({
      message: `Liquid can't read ${found} here`,
      fix: /^[+\-*/%]/.test(found) ? "calculate with a filter: plus, minus, times, divided_by" : operators,
    }),
  ],
  [
    /unexpected character/,
    (found) => ({ message: `Liquid can't read ${found} here`, fix: "separate the arguments with commas" }),
  ],
];

/**
 * Describes an error of the parser. Its own texts name parts of the parser, not of the theme.
 * @param begin where it stopped, an offset in characters
 */
export function parserError(
  raw: string,
  begin: number,
  pieces: readonly Piece[],
): Words & Pick<Mistake, "at"> {
  const end = pieces.find(({ tag, inside }) => tag?.startsWith("end") && inside.trim() !== tag);
  if (end !== undefined && raw.startsWith('unexpected "'))
    return {
      at: end.at,
      message: `{% ${end.inside.trim()} %} has more than its name`,
      fix: `write {% ${end.tag} %}`,
    };
  // It stops behind a sign that it doesn't know.
  const at = raw.includes("before filter") ? begin - 1 : begin;
  const piece = pieces.findLast((one) => one.at <= at);
  const { inside = "", insideAt = 0 } = piece ?? {};
  const found = /\S+/.exec(inside.slice(Math.max(0, at - insideAt)))?.[0] ?? "";
  return {
    at,
    ...(formWords(raw, found, piece) ?? ruleWords(raw, found, piece) ?? valueWords(found, piece)),
  };
}

function formWords(raw: string, found: string, { tag = "", inside }: Partial<Piece> = {}): Words | undefined {
  const form = forms.get(tag);
  const isOfForm = /illegal tag:|file path|variable name|expected "="|capture name|candidates/.test(raw);
  if (form === undefined || !(isOfForm || (tag === "assign" && found.startsWith("=")))) return undefined;
  return { message: `Liquid can't read {% ${inside?.trim()} %}`, fix: `write it as ${form}` };
}

const ruleWords = (raw: string, found: string, piece: Piece | undefined): Words | undefined =>
  rules.find(([pattern]) => pattern.test(raw))?.[1](found, piece);

function valueWords(found: string, { tag, inside = "" }: Partial<Piece> = {}): Words {
  if (found === "") return { message: "a value is missing here", fix: "write one" };
  if (found.startsWith("{") && tag === undefined)
    return { message: "{{ has one brace too many", fix: "write {{ value }}" };
  return {
    message: `Liquid can't read ${found} here`,
    fix: conditional.test(inside)
      ? operators
      : "write a value: a name such as product.title, a number, or text in quotation marks",
  };
}
