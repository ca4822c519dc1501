/** Parses one Liquid source: its mistakes, and the theme's files that it refers to. */
import { createRequire } from "node:module";
import type { TopLevelToken } from "liquidjs";
import { didYouMean } from "../../engine/pulumi/nearest.ts";
import { blocks, branches, fileFilters, filters, systemSnippet, tags } from "./dialect.ts";
import {
  argumentMistake,
  conditionMistake,
  danglingEnd,
  filterArgumentsMistake,
  ignoredText,
  noValue,
  openQuote,
} from "./expressions.ts";
import type { Mistake } from "./finding.ts";
import { conditional, objectsOf, type Piece, partsOf, type Use, unquotedOf, variablesOf } from "./names.ts";
import { parserError } from "./parser-errors.ts";

/** A reference to a file of the theme. */
export interface Reference {
  readonly type: "Asset::Snippet" | "Asset::Media";
  readonly name: string;
  /** Offset in characters. */
  readonly at: number;
}

// Loaded late: few runs read a theme.
const liquidjs = () => createRequire(import.meta.url)("liquidjs") as typeof import("liquidjs");

export interface Source {
  readonly mistakes: readonly Mistake[];
  /** Settings of the theme, and translated messages. */
  readonly settings: readonly Use[];
  readonly messages: readonly Use[];
  /** Objects and variables, by the first word of their path. */
  readonly objects: readonly Use[];
  /** Variables that it assigns or passes to includes. */
  readonly variables: ReadonlySet<string>;
  /** Includes whose name isn't quoted, so that it is a variable. */
  readonly unquoted: readonly Use[];
  readonly references: readonly Reference[];
  /** Whether this layout shows the page's content. */
  readonly showsPage: boolean;
}

interface Open {
  readonly tag: string;
  readonly at: number;
  hasElse?: boolean;
}

const syntax = (at: number, message: string, fix: string): Mistake => ({
  rule: "liquid-syntax",
  severity: "error",
  at,
  message,
  fix,
});

/** Parses a source without rendering it. */
export function readLiquid(text: string): Source {
  const mistakes: Mistake[] = [];
  const pieces = piecesOf(text, mistakes);
  const references: Reference[] = [];
  for (const piece of pieces) {
    mistakes.push(...filterMistakes(piece), ...expressionMistakes(piece));
    references.push(...referencesOf(piece));
  }
  const shape = shapeMistakes(pieces);
  mistakes.push(...shape);
  // Liquid's parser would report a wrong structure less clearly.
  if (!mistakes.some(({ severity }) => severity === "error")) mistakes.push(...parseMistakes(text, pieces));
  const showsPage = pieces.some(
    ({ tag, inside }) => tag === "yield" || /\bcontent_for_layout\b/.test(inside),
  );
  return {
    mistakes: mistakes.toSorted((one, other) => one.at - other.at),
    references,
    settings: pieces.flatMap((piece) => partsOf(piece, "settings")),
    messages: pieces.flatMap((piece) => partsOf(piece, "messages")),
    objects: pieces.flatMap(objectsOf),
    variables: new Set(pieces.flatMap(variablesOf)),
    unquoted: pieces.flatMap(unquotedOf),
    showsPage,
  };
}

/** The tags and outputs in order, except inside comments and `raw`. */
function piecesOf(text: string, mistakes: Mistake[]): readonly Piece[] {
  const pieces: Piece[] = [];
  try {
    const tokenizer = new (liquidjs().Tokenizer)(text);
    // Comments can be nested.
    let hidden = 0;
    for (const token of tokenizer.readTopLevelTokens()) {
      if (!("contentRange" in token)) continue;
      const { contentRange, begin } = token;
      const tag = "name" in token ? token.name : undefined;
      const [from, to] = contentRange;
      const piece = { tag, at: begin, inside: text.slice(from, to), insideAt: from };
      if (tag === "comment") hidden += 1;
      else if (tag === "endcomment") hidden = Math.max(0, hidden - 1);
      else if (hidden > 0) continue;
      const next = piece.inside.search(/\{[{%]/);
      if (next !== -1) {
        const [open, close] = tag === undefined ? ["{{", "}}"] : ["{%", "%}"];
        mistakes.push(
          syntax(
            begin,
            `${open} is not closed before the next one begins`,
            `close it with ${close} on this line`,
          ),
        );
        break;
      }
      pieces.push(...(tag === "liquid" ? linesOf(piece) : [piece]));
    }
  } catch (error) {
    mistakes.push(ofParser(error, pieces));
  }
  return pieces;
}

/** The tags of a {% liquid %}, one in each line, except inside comments. */
function linesOf({ inside, insideAt }: Piece): readonly Piece[] {
  let hidden = 0;
  return [...inside.replace("liquid", "      ").matchAll(/^[ \t]*(#|[\w-]+).*/gm)].flatMap(
    ({ 0: line, 1: tag, index: at }) => {
      hidden += tag === "comment" ? 1 : tag === "endcomment" ? -1 : 0;
      const isHidden = hidden > 0 && tag !== "comment";
      return isHidden
        ? []
        : [{ tag, at: insideAt + at + line.search(/\S/), inside: line, insideAt: insideAt + at }];
    },
  );
}

/** Finds unknown tags, and tags without their start or end. */
function shapeMistakes(pieces: readonly Piece[]): readonly Mistake[] {
  const mistakes: Mistake[] = [];
  const open: Open[] = [];
  const ends = new Set(pieces.flatMap(({ tag }) => (tag?.startsWith("end") ? [ended(tag)] : [])));
  for (const { tag, at, inside } of pieces) {
    if (tag === undefined) continue;
    const isKnown = tags.has(tag) || blocks.has(tag);
    if (tag.startsWith("end") && !isKnown) mistakes.push(...endMistakes(ended(tag), at, open));
    else if (branches.has(tag)) mistakes.push(...branchMistakes({ tag, at, inside }, open));
    else {
      if (!isKnown) mistakes.push(unknownTag(tag, at));
      // An unknown tag with an end contains the tags between.
      if (blocks.has(tag) || (!isKnown && ends.has(tag))) open.push({ tag, at });
    }
  }
  return [...mistakes, ...open.map(notEnded)];
}

/** The tag that an end tag closes: both `endform` and `end_content_for` are in use. */
const ended = (tag: string) => tag.replace(/^end_?/, "");

const unknownTag = (tag: string, at: number): Mistake => ({
  rule: "unknown-tag",
  severity: "error",
  at,
  message: `the platform has no tag {% ${tag} %}`,
  fix: `write a tag of the platform${didYouMean(tag, [...tags, ...blocks.keys(), ...branches]) || "; put text that only looks like a tag between {% raw %} and {% endraw %}"}`,
});

const notEnded = ({ tag, at }: Open): Mistake =>
  syntax(at, `{% ${tag} %} is never ended`, `write {% end${tag} %} where it ends`);

function endMistakes(tag: string, at: number, open: Open[]): readonly Mistake[] {
  const index = open.findLastIndex((one) => one.tag === tag);
  if (index !== -1) return open.splice(index).slice(1).map(notEnded);
  const last = open.at(-1);
  const known =
    last === undefined ? "" : `; what is open here is {% ${last.tag} %}, which {% end${last.tag} %} ends`;
  const fix =
    tag === "" && last !== undefined
      ? `write {% end${last.tag} %}`
      : `remove it, or write {% ${tag} %} before it${known}`;
  return [syntax(at, `{% end${tag} %} ends nothing`, fix)];
}

function branchMistakes(
  { tag, at, inside }: Pick<Piece, "at" | "inside"> & { readonly tag: string },
  open: readonly Open[],
): readonly Mistake[] {
  const last = open.at(-1);
  if (last === undefined || !(blocks.get(last.tag) ?? [tag]).includes(tag)) {
    const owners = [...blocks].filter(([, own]) => own.includes(tag)).map(([name]) => `{% ${name} %}`);
    const where = last === undefined ? "stands in no tag" : `doesn't belong to {% ${last.tag} %}`;
    return [syntax(at, `{% ${tag} %} ${where}`, `it stands between ${owners.join(" or ")} and its end`)];
  }
  const condition = /^\s*else\s*if\b\s*(.*?)\s*$/s.exec(inside)?.[1];
  if (condition !== undefined)
    return [syntax(at, "{% else %} has no condition", `write {% elsif ${condition} %}`)];
  const isLate = last.hasElse === true;
  last.hasElse ||= tag === "else";
  const fix = tag === "else" ? "remove one of them" : "put it before {% else %}";
  return isLate ? [syntax(at, `{% ${tag} %} comes after {% else %}: it is never used`, fix)] : [];
}

interface Filter {
  readonly name: string;
  readonly at: number;
  /** The text before it, and behind it up to the next one. */
  readonly before: string;
  readonly given: string;
}

/** The filters of a tag or output: words behind a bar, outside of quotes. */
function filtersOf({ tag, inside, insideAt }: Piece): readonly Filter[] {
  if (tag === "comment" || tag === "raw" || tag === "#") return [];
  const bars = [...inside.matchAll(/"[^"]*"|'[^']*'|\|\||\|\s*([\p{L}\p{N}_-]+\??)/gu)].flatMap(
    ({ 0: part, 1: name, index }) => (name === undefined ? [] : [{ name, index, end: index + part.length }]),
  );
  return bars.map(({ name, index, end }, at) => ({
    name,
    at: insideAt + end - name.length,
    before: inside.slice(0, index),
    given: inside.slice(end, bars[at + 1]?.index),
  }));
}

// Liquid passes the value on if it doesn't know the filter.
const filterMistakes = (piece: Piece): readonly Mistake[] =>
  filtersOf(piece).flatMap(({ name, at, given }): readonly Mistake[] => {
    if (!filters.has(name))
      return [
        {
          ...{ rule: "unknown-filter", severity: "warning", at },
          message: `the platform has no filter ${name}: the value is shown as it is`,
          fix: `write a filter of the platform${didYouMean(name, [...filters])}, or remove it`,
        },
      ];
    const mistake = filterArgumentsMistake(name, given);
    return mistake === undefined ? [] : [{ rule: "filter-arguments", severity: "warning", at, ...mistake }];
  });

const assigned = /^\s*(?:assign\s+[^=]*=|echo\b)/;
const named = /^\s*(?:include|render|for|tablerow)\b/;

type Reader = readonly [begins: RegExp, read: typeof ignoredText, severity: Mistake["severity"]];

const anywhere = /^(?!\s*(?:#|comment\b|raw\b))/;
const ofOutputs: readonly Reader[] = [
  [/^/, ignoredText, "warning"],
  [/^/, danglingEnd, "warning"],
];
const ofTags: readonly Reader[] = [
  [conditional, conditionMistake, "error"],
  [/^\s*(?:when|increment|decrement)\s*$/, () => noValue, "error"],
  [assigned, ignoredText, "warning"],
  [named, argumentMistake, "warning"],
  [/^\s*(?:assign|echo|include|render|case|when|cycle)\b/, openQuote, "warning"],
  [anywhere, danglingEnd, "warning"],
];

/** The first part that Liquid rejects or ignores. */
function expressionMistakes({ tag, inside, insideAt }: Piece): readonly Mistake[] {
  for (const [begins, read, severity] of tag === undefined ? ofOutputs : ofTags) {
    const from = begins.exec(inside)?.[0].length;
    const found = from === undefined ? undefined : read(inside.slice(from));
    if (from !== undefined && found !== undefined)
      return [{ ...found, rule: "liquid-syntax", severity, at: insideAt + from + found.at }];
  }
  return [];
}

const literal = /(?:^|=)\s*(?:"([^"]*)"|'([^']*)')\s*$/;

function referencesOf(piece: Piece): readonly Reference[] {
  const { tag, inside, insideAt } = piece;
  if (tag === "include" || tag === "render") {
    const found = /^\s*(?:include|render)\s+(?:"([^"]*)"|'([^']*)')/.exec(inside);
    if (found === null) return [];
    const name = found[1] ?? found[2] ?? "";
    if (systemSnippet.test(name)) return [];
    return [{ type: "Asset::Snippet", name, at: insideAt + found[0].length - name.length - 1 }];
  }
  return filtersOf(piece).flatMap(({ name, before }) => {
    const found = fileFilters.has(name) ? literal.exec(before) : null;
    if (found === null) return [];
    const quoted = found[1] ?? found[2] ?? "";
    // A query (?...) is for browsers.
    return [
      {
        type: "Asset::Media" as const,
        name: quoted.replace(/\?.*$/, ""),
        at: insideAt + before.lastIndexOf(quoted),
      },
    ];
  });
}

/** Mistakes that only the parser finds, in conditions, loops and values. */
function parseMistakes(text: string, pieces: readonly Piece[]): readonly Mistake[] {
  const engine = new (liquidjs().Liquid)({ templates: {} });
  const own = { parse: () => undefined, render: () => "" };
  engine.registerTag("comment", {
    ...own,
    parse: (_token, rest) => void rest.splice(0, lengthOfComment(rest)),
  });
  for (const { tag } of pieces)
    if (tag !== undefined && engine.tags[tag] === undefined && !isPart(tag)) engine.registerTag(tag, own);
  try {
    engine.parse(text);
    return [];
  } catch (error) {
    return [ofParser(error, pieces)];
  }
}

/** Comments can be nested. @returns number of tokens of this comment, with its end */
function lengthOfComment(rest: readonly TopLevelToken[]): number {
  let open = 1;
  const end = rest.findIndex((token) => {
    const name = "name" in token ? token.name : undefined;
    open += name === "comment" ? 1 : name === "endcomment" ? -1 : 0;
    return open === 0;
  });
  return end + 1;
}

/** Whether a standard tag parses this one, as its branch or end. */
const isPart = (tag: string): boolean =>
  branches.has(tag) || (tag.startsWith("end") && standard.has(ended(tag)));

const standard: ReadonlySet<string> = new Set([
  "if",
  "unless",
  "case",
  "for",
  "tablerow",
  "capture",
  "comment",
  "raw",
  "block",
]);

function ofParser(error: unknown, pieces: readonly Piece[]): Mistake {
  if (!(error instanceof liquidjs().LiquidError)) throw error;
  const message = error.message.replace(/, (file:.*, )?line:\d+, col:\d+$/s, "");
  const { begin } = error.token;
  const unclosed = /^(output|tag) .* not closed$/s.exec(message)?.[1];
  if (unclosed === "output")
    return syntax(
      begin,
      "{{ is not closed",
      "close it with }}, and every text inside with its quotation mark",
    );
  if (/^raw\b.*not closed$/s.test(message) || message.includes("{% raw %} not closed"))
    return syntax(begin, "{% raw %} is never ended", "write {% endraw %} where it ends");
  if (unclosed === "tag")
    return syntax(
      begin,
      "{% is not closed",
      "close it with %}, and every text inside with its quotation mark",
    );
  const found = parserError(message, begin, pieces);
  return syntax(found.at, found.message, found.fix);
}
