/** Reads one tag or output with Liquid's own tokenizer: its values, filters and arguments, and what Liquid rejects or ignores. */
import { createRequire } from "node:module";
import type { LiquidError, Tokenizer, ValueToken } from "liquidjs";
import type { Mistake } from "./finding.ts";
import { conditionWords, errorWords, moreWords, outputWords, valueWords } from "./words.ts";

let loaded: typeof import("liquidjs") | undefined;
// Loaded late: few runs read a theme.
export const liquidjs = (): typeof import("liquidjs") =>
  (loaded ??= createRequire(import.meta.url)("liquidjs") as typeof import("liquidjs"));

export interface Use {
  readonly name: string;
  /** Offset in characters. */
  readonly at: number;
}

type Filter = NonNullable<ReturnType<Tokenizer["readFilter"]>>;
type Argument = NonNullable<ReturnType<Tokenizer["readHash"]>>;

/** A tag or output, as far as it is read. */
export interface Piece {
  /** Undefined for an output. */
  readonly tag: string | undefined;
  /** Offset in characters. */
  readonly at: number;
  readonly inside: string;
  readonly tokens: Tokenizer;
  readonly values: ValueToken[];
  readonly filters: Filter[];
  readonly named: Argument[];
  readonly mistakes: Mistake[];
  /** The variable that it assigns. */
  made?: string;
}

type Found = Pick<Mistake, "at" | "message" | "fix">;

/** Liquid reads no further than this. */
class Stop extends Error {
  readonly found: Found;
  constructor(found: Found) {
    super(found.message);
    this.found = found;
  }
}

// Only the signs matter: nothing is computed. The platform has no `not`.
const operators = Object.fromEntries(
  "== != <> < <= > >= contains and or".split(" ").map((sign) => [sign, () => false]),
);

/** @param range the piece's content, without its braces */
export function readPiece(
  text: string,
  tag: string | undefined,
  at: number,
  [from, to]: readonly [number, number],
): Piece {
  const tokens = new (liquidjs().Tokenizer)(text, operators, undefined, [from, to]);
  if (tag !== undefined) tokens.readTagName();
  const piece: Piece = {
    ...{ tag, at, inside: text.slice(from, to), tokens },
    ...{ values: [], filters: [], named: [], mistakes: [] },
  };
  if (unread.has(tag ?? "")) return piece;
  try {
    tokens.skipBlank();
    grammar.get(tag)?.(piece);
  } catch (error) {
    piece.mistakes.push(mistakeOf(error, piece));
  }
  readRest(piece);
  const atEnd = openQuote(piece) ?? danglingEnd(piece);
  if (atEnd !== undefined && piece.mistakes.length === 0) piece.mistakes.push(atEnd);
  return piece;
}

function mistakeOf(error: unknown, piece: Piece): Mistake {
  const { at, tag } = piece;
  if (!(error instanceof Stop || isOfTokenizer(error))) throw error;
  const found =
    error instanceof Stop
      ? error.found
      : error instanceof RangeError
        ? { at, message: "too many brackets stand inside each other", fix: "assign the inner value first" }
        : errorWords(error, conditional.has(tag));
  return { rule: "liquid-syntax", severity: "error", ...found };
}

/** The tokenizer calls itself for each bracket, so some thousands exhaust the stack. */
const isOfTokenizer = (error: unknown): error is LiquidError | RangeError =>
  error instanceof liquidjs().TokenizationError || error instanceof RangeError;

const leftOut = (found: Found): Mistake => ({ rule: "liquid-syntax", severity: "warning", ...found });

export const conditional: ReadonlySet<string | undefined> = new Set(["if", "elsif", "unless"]);

/** Tags whose text means nothing. */
const unread: ReadonlySet<string | undefined> = new Set(["comment", "raw", "#"]);

const grammar = new Map<string | undefined, (piece: Piece) => void>([
  [undefined, readOutput],
  ["echo", (piece) => piece.tokens.end() || readOutput(piece)],
  ["if", readCondition],
  ["elsif", readCondition],
  ["unless", readCondition],
  ["case", readOutput],
  ["when", readList],
  ["assign", readAssign],
  ["capture", readCapture],
  ["increment", (piece) => readMade(piece) || noValue(piece)],
  ["decrement", (piece) => readMade(piece) || noValue(piece)],
  ["for", readLoop],
  ["tablerow", readLoop],
  ["cycle", readList],
  ["include", readInclude],
  ["render", readInclude],
  ["layout", readInclude],
  // The platform ignores what follows them, the embedded shop doesn't.
  ["else", readNothing],
  ["endif", readNothing],
  ["endfor", readNothing],
]);

function badForm({ at, inside }: Piece, form: string): never {
  throw new Stop({ at, message: `Liquid can't read {% ${inside} %}`, fix: `write it as ${form}` });
}

function noValue({ tag, tokens }: Piece): never {
  const word = wordHere(tokens);
  throw new Stop({ at: tokens.p, ...valueWords(word, tag) });
}

/** The word or sign that comes next. */
function wordHere(tokens: Tokenizer): string {
  tokens.skipBlank();
  return /^\S+/.exec(tokens.remaining())?.[0] ?? "";
}

function readNothing({ tag, at, inside }: Piece): void {
  // The structure's check names an `else if`.
  if (inside === tag || /^else\s*if\b/.test(inside)) return;
  throw new Stop({ at, message: `{% ${inside} %} has more than its name`, fix: `write {% ${tag} %}` });
}

function readValue({ tokens, values }: Piece): ValueToken | undefined {
  const value = tokens.readValue();
  if (value !== undefined) values.push(value);
  return value;
}

function readOutput(piece: Piece): void {
  const { tokens, mistakes } = piece;
  const value = readValue(piece) ?? noValue(piece);
  const word = wordHere(tokens);
  const at = tokens.p;
  while (tokens.peek() !== "(" && (tokens.readOperator() ?? readValue(piece)) !== undefined)
    tokens.skipBlank();
  if (tokens.p > at) mistakes.push(leftOut({ at, ...moreWords(value.getText(), word) }));
  const next = wordHere(tokens);
  if (!/^(?:[|,)]|$)/.test(next)) throw new Stop({ at: tokens.p, ...outputWords(next) });
  readFilters(piece);
}

function readFilters({ tokens, filters }: Piece): void {
  for (let filter = tokens.readFilter(); filter !== null; filter = tokens.readFilter()) filters.push(filter);
}

function readCondition(piece: Piece): void {
  const { tokens } = piece;
  for (;;) {
    const first = readOperand(piece);
    let sign = tokens.readOperator();
    if (sign !== undefined && !isJoint(sign.operator)) {
      readOperand(piece);
      sign = tokens.readOperator();
    }
    if (sign === undefined && wordHere(tokens) === "") return;
    // The platform has no `not`: it is a variable.
    if (sign === undefined) stopCondition(tokens, first.getText() === "not" ? first.begin : tokens.p);
    if (!isJoint(sign.operator)) stopCondition(tokens, sign.begin);
  }
}

const isJoint = (operator: string) => operator === "and" || operator === "or";

function readOperand(piece: Piece): ValueToken {
  const { tokens } = piece;
  // Liquid would read these quotation marks as letters.
  if (/^[“”„«»‘’`]/.test(wordHere(tokens))) stopCondition(tokens, tokens.p);
  const value = readValue(piece) ?? stopCondition(tokens, tokens.p);
  const text = value.getText().trimEnd();
  return text.endsWith(".") ? stopCondition(tokens, value.begin + text.length - 1) : value;
}

function stopCondition({ input, N }: Tokenizer, at: number): never {
  const [word = ""] = /^\S+/.exec(input.slice(at, N)) ?? [];
  throw new Stop({ at, ...conditionWords(word) });
}

/** `1, 2 or 3`, `"group": "first", "second"` */
function readList(piece: Piece): void {
  const { tag, tokens } = piece;
  if (tag === "cycle" && tokens.end()) badForm(piece, '{% cycle "first", "second" %}');
  for (;;) {
    if (readValue(piece) === undefined) noValue(piece);
    const [separator] = /^(?:[:,]|or\b)/.exec(wordHere(tokens)) ?? [];
    tokens.advance(separator?.length ?? 0);
    if (separator === undefined || wordHere(tokens) === "") return;
  }
}

function readAssign(piece: Piece): void {
  const { tokens } = piece;
  const isMade = readMade(piece);
  tokens.skipBlank();
  if (!(isMade && /^=(?!=)/.test(tokens.remaining()))) badForm(piece, "{% assign name = value %}");
  tokens.advance();
  tokens.skipBlank();
  readOutput(piece);
}

/** The variable that a tag assigns. @returns whether there is one */
function readMade(piece: Piece): boolean {
  const name = piece.tokens.readIdentifier();
  if (name.size() > 0) piece.made = name.getText();
  return name.size() > 0;
}

function readCapture(piece: Piece): void {
  const quoted = piece.tokens.readQuoted();
  if (quoted !== undefined) piece.made = quoted.getText().slice(1, -1);
  else if (!readMade(piece)) badForm(piece, "{% capture name %}");
}

function readLoop(piece: Piece): void {
  const { tag, tokens, mistakes } = piece;
  const isMade = readMade(piece);
  const isIn = tokens.readIdentifier().getText() === "in";
  const list = isMade && isIn ? readValue(piece) : undefined;
  if (list === undefined) badForm(piece, `{% ${tag} item in list %}`);
  if (tokens.match("..")) {
    tokens.advance(2);
    tokens.readValue();
    const range = tokens.input.slice(list.begin, tokens.p);
    mistakes.push(
      leftOut({ at: list.begin, message: `Liquid leaves out ${range}`, fix: `write (${range})` }),
    );
  }
  readNamed(piece);
}

function readInclude(piece: Piece): void {
  if (readValue(piece) === undefined) badForm(piece, `{% ${piece.tag} "name" %}`);
  readNamed(piece);
}

/** Arguments that mean nothing without a value. */
const numbers: ReadonlySet<string> = new Set(["limit", "offset", "cols"]);

/** `limit: 3 reversed`, `with product, size: 2` */
function readNamed(piece: Piece): void {
  const { tokens, mistakes, named, values } = piece;
  while (!tokens.end()) {
    const one = tokens.readHash();
    if (one === undefined) {
      const text = tokens.readQuoted();
      if (text === undefined) tokens.advance();
      else values.push(text);
      continue;
    }
    named.push(one);
    if (one.value !== undefined) continue;
    const name = one.name.getText();
    const word = wordHere(tokens);
    const hasSign = word.startsWith("=");
    if (hasSign) tokens.advance();
    if (hasSign || (numbers.has(name) && /^[\w.]/.test(word))) {
      const value = readValue(piece)?.getText() ?? "VALUE";
      const at = one.name.begin;
      const message = `Liquid leaves out ${tokens.input.slice(at, tokens.p)}`;
      mistakes.push(leftOut({ at, message, fix: `write ${name}: ${value}` }));
    } else if (name === "with" || name === "for") readValue(piece);
  }
}

/** The values and filters behind what the tag's form says, or where Liquid stops. */
function readRest(piece: Piece): void {
  const { tokens, filters } = piece;
  while (!tokens.end())
    try {
      const filter = tokens.peek() === "|" ? tokens.readFilter() : null;
      if (filter !== null) filters.push(filter);
      else if (tokens.readOperator() === undefined && readValue(piece) === undefined) tokens.advance();
    } catch (error) {
      if (!isOfTokenizer(error)) throw error;
    }
}

/** Finds a text that isn't closed. */
function openQuote(piece: Piece): Mistake | undefined {
  const { TypeGuards } = liquidjs();
  const open = tokensOf(piece).find(
    (one) => TypeGuards.isQuotedToken(one) && !/^(.).*\1$/s.test(one.getText()),
  );
  const mark = open?.getText()[0];
  if (open === undefined) return undefined;
  const message = `the text after ${mark} has no end: Liquid leaves it out`;
  const severity = conditional.has(piece.tag) ? "error" : "warning";
  return { ...leftOut({ at: open.begin, message, fix: `write ${mark} where it ends` }), severity };
}

/** Finds a word or sign at the end that must be followed by something. */
function danglingEnd({ inside, tokens: { N } }: Piece): Mistake | undefined {
  const [, word] =
    /([|:,]|(?<=^(?:include|render|paginate|when)\b.*\s)(?:with|for|by|or))$/s.exec(inside) ?? [];
  if (word === undefined) return undefined;
  const message = `the ${word} at the end has nothing after it: Liquid leaves it out`;
  return leftOut({ at: N - word.length, message, fix: `write what belongs after ${word}, or remove it` });
}

/** All values, also those of arguments and inside of others. */
export function tokensOf({ values, filters, named }: Piece): readonly ValueToken[] {
  const given = filters.flatMap(({ args }) => args.map((one) => (Array.isArray(one) ? one[1] : one)));
  return [...values, ...given, ...named.map(({ value }) => value)].flatMap(within);
}

function within(value: ValueToken | undefined): readonly ValueToken[] {
  const { TypeGuards } = liquidjs();
  if (value === undefined) return [];
  if (TypeGuards.isRangeToken(value)) return [value, ...within(value.lhs), ...within(value.rhs)];
  if (!TypeGuards.isPropertyAccessToken(value)) return [value];
  return [
    value,
    ...[value.variable, ...value.props].flatMap((one) => (TypeGuards.isWordToken(one) ? [] : within(one))),
  ];
}

/** A variable's name and its properties', where they are written out. */
function pathOf(value: ValueToken): readonly (Use | undefined)[] {
  const { TypeGuards } = liquidjs();
  if (!TypeGuards.isPropertyAccessToken(value) || value.variable !== undefined) return [];
  return value.props.map((one) =>
    TypeGuards.isWordToken(one) ? { name: one.getText(), at: one.begin } : undefined,
  );
}

/** The properties of an object that a piece uses: `settings.colour`. */
export const propertiesOf = (piece: Piece, object: string): readonly Use[] =>
  tokensOf(piece).flatMap((one) => {
    const [root, property] = pathOf(one);
    return root?.name === object && property !== undefined ? [property] : [];
  });

/** The variables and objects in values. */
export const rootsOf = (values: readonly ValueToken[]): readonly Use[] =>
  values.flatMap(within).flatMap((one) => pathOf(one)[0] ?? []);
