/** Parses one Liquid source: its mistakes, and the theme's files that it refers to. */
import type { TopLevelToken } from "liquidjs";
import { didYouMean } from "../../engine/common/nearest.ts";
import { blocks, branches, fileFilters, filterArguments, filters, systemSnippet, tags } from "./dialect.ts";
import type { Mistake } from "./finding.ts";
import {
  conditional,
  liquidjs,
  type Piece,
  propertiesOf,
  readPiece,
  rootsOf,
  tokensOf,
  type Use,
} from "./piece.ts";

/** A reference to a file of the theme. */
export interface Reference {
  readonly type: "Asset::Snippet" | "Asset::Media";
  readonly name: string;
  /** Offset in characters. */
  readonly at: number;
}

export interface Source {
  readonly mistakes: readonly Mistake[];
  /** Settings of the theme, and translated messages. */
  readonly settings: readonly Use[];
  readonly messages: readonly Use[];
  /** Objects and variables, by the first word of their path. */
  readonly objects: readonly Use[];
  readonly variables: ReadonlySet<string>;
  /** Includes whose name isn't quoted, so that it is a variable. */
  readonly unquoted: readonly Use[];
  readonly references: readonly Reference[];
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
  mistakes.push(
    ...pieces.flatMap((piece) => [...piece.mistakes, ...filterMistakes(piece)]),
    ...shapeMistakes(pieces),
  );
  return {
    mistakes: mistakes.toSorted((one, other) => one.at - other.at),
    references: pieces.flatMap(referencesOf),
    settings: pieces.flatMap((piece) => propertiesOf(piece, "settings")),
    messages: pieces.flatMap((piece) => propertiesOf(piece, "messages")),
    objects: pieces.flatMap(objectsOf),
    variables: new Set(pieces.flatMap(variablesOf)),
    unquoted: pieces.flatMap(unquotedOf),
    showsPage: pieces.some(
      (piece) =>
        piece.tag === "yield" || rootsOf(tokensOf(piece)).some(({ name }) => name === "content_for_layout"),
    ),
  };
}

/** The tags and outputs in order, except inside comments and `raw`. */
function piecesOf(text: string, mistakes: Mistake[]): readonly Piece[] {
  const pieces: Piece[] = [];
  try {
    const found = new (liquidjs().Tokenizer)(text).readTopLevelTokens();
    // Comments can be nested.
    let hidden = 0;
    const tokens = function* () {
      for (const token of found) yield* hidden > 0 ? [token] : linesOf(token);
    };
    for (const token of tokens()) {
      if (!("contentRange" in token)) continue;
      const { contentRange, begin } = token;
      const tag = "name" in token ? token.name : undefined;
      if (tag === "comment") hidden += 1;
      else if (tag === "endcomment") hidden = Math.max(0, hidden - 1);
      else if (hidden > 0) continue;
      const piece = readPiece(text, tag, begin, contentRange);
      if (/\{[{%]/.test(piece.inside)) {
        const [open, close] = tag === undefined ? ["{{", "}}"] : ["{%", "%}"];
        const message = `${open} is not closed before the next one begins`;
        mistakes.push(syntax(begin, message, `close it with ${close} on this line`));
        break;
      }
      pieces.push(piece);
    }
  } catch (error) {
    mistakes.push(notClosed(error));
  }
  return pieces;
}

/** A {% liquid %} has one tag in each line. */
const linesOf = (token: TopLevelToken) =>
  "name" in token && token.name === "liquid" ? token.tokenizer.readLiquidTagTokens() : [token];

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
  const condition = /^else\s*if\b\s*(.*)$/s.exec(inside)?.[1];
  if (condition !== undefined)
    return [syntax(at, "{% else %} has no condition", `write {% elsif ${condition} %}`)];
  const isLate = last.hasElse === true;
  last.hasElse ||= tag === "else";
  const fix = tag === "else" ? "remove one of them" : "put it before {% else %}";
  return isLate ? [syntax(at, `{% ${tag} %} comes after {% else %}: it is never used`, fix)] : [];
}

// Liquid passes the value on if it doesn't know the filter.
const filterMistakes = ({ filters: used }: Piece): readonly Mistake[] =>
  used.flatMap(({ name, begin: at, args }): readonly Mistake[] => {
    if (!filters.has(name))
      return [
        {
          ...{ rule: "unknown-filter", severity: "warning", at },
          message: `the platform has no filter ${name}: the value is shown as it is`,
          fix: `write a filter of the platform${didYouMean(name, [...filters])}, or remove it`,
        },
      ];
    // Arguments with a name have their place in a list.
    const count = args.filter((one) => !Array.isArray(one)).length;
    const words = argumentsWords(name, count);
    return words === undefined ? [] : [{ rule: "filter-arguments", severity: "warning", at, ...words }];
  });

/** @param count number of the filter's arguments, without those that have a name */
function argumentsWords(filter: string, count: number): Pick<Mistake, "message" | "fix"> | undefined {
  const [least, most] = filterArguments.get(filter) ?? [];
  if (least === undefined || most === undefined || (count >= least && count <= most)) return undefined;
  const wanted = least === most ? String(least) : `${least} to ${most}`;
  return {
    message: `the filter ${filter} takes ${wanted === "0" ? "no arguments" : `${wanted} ${most === 1 ? "argument" : "arguments"}`}, and has ${count}`,
    fix:
      most === 0
        ? `write | ${filter} alone`
        : `write | ${filter}: ${Array.from({ length: Math.max(least, 1) }, () => "VALUE").join(", ")}`,
  };
}

const isInclude = ({ tag }: Piece) => tag === "include" || tag === "render";

function referencesOf(piece: Piece): readonly Reference[] {
  const [first] = piece.values;
  if (first === undefined || !liquidjs().TypeGuards.isQuotedToken(first)) return [];
  const name = first.getText().slice(1, -1);
  const at = first.begin + 1;
  if (isInclude(piece)) return systemSnippet.test(name) ? [] : [{ type: "Asset::Snippet", name, at }];
  // A query (?...) is for browsers.
  return piece.values.length === 1 && fileFilters.has(piece.filters[0]?.name ?? "")
    ? [{ type: "Asset::Media", name: name.replace(/\?.*$/, ""), at }]
    : [];
}

/** Names that may be undefined: in an output, in a condition, as a loop's list. */
function objectsOf({ tag, values }: Piece): readonly Use[] {
  if (conditional.has(tag)) return rootsOf(values);
  return tag === undefined || tag === "for" ? rootsOf(values.slice(0, 1)) : [];
}

function variablesOf(piece: Piece): readonly string[] {
  const { made, named } = piece;
  if (isInclude(piece))
    return named.flatMap(({ name, value }) => (value === undefined ? [] : [name.getText()]));
  return made === undefined ? [] : [made];
}

/** An include by the name of a variable. */
const unquotedOf = (piece: Piece): readonly Use[] => {
  const [first] = isInclude(piece) ? piece.values : [];
  return first === undefined ? [] : rootsOf([first]).filter(({ name }) => name === first.getText());
};

function notClosed(error: unknown): Mistake {
  if (!(error instanceof liquidjs().LiquidError)) throw error;
  const { message, token } = error;
  if (message.includes("tag syntax"))
    return syntax(token.begin, "the tag has no name", "write its name first, as in {% if product %}");
  if (message.startsWith("raw"))
    return syntax(token.begin, "{% raw %} is never ended", "write {% endraw %} where it ends");
  const [open, close] = message.startsWith("output") ? ["{{", "}}"] : ["{%", "%}"];
  const fix = `add ${close}, and end each text inside with a quotation mark`;
  return syntax(token.begin, `${open} is not closed`, fix);
}
