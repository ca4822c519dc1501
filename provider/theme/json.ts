/** Finds the position at which a text isn't JSON, and what was expected. JSON.parse doesn't always report a position. */

export interface JsonMistake {
  /** Offset in characters. */
  readonly at: number;
  readonly expected: string;
}

class Stop extends Error {
  readonly mistake: JsonMistake;

  constructor(at: number, expected: string) {
    super(expected);
    this.mistake = { at, expected };
  }
}

/** No theme's settings are nested as deeply. */
const deepest = 500;

/** Finds a duplicate key, whose first value is lost. @returns the position of the second one */
export function duplicateKey(text: string): { readonly at: number; readonly key: string } | undefined {
  const open: Set<string>[] = [];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (token === "}" || token === "]") open.pop();
    else if (/^\s*:/.test(text.slice(index + token.length))) {
      const keys = open.at(-1);
      if (keys?.has(token)) return { at: index, key: token };
      keys?.add(token);
    }
  }
  return undefined;
}

/** @returns undefined if it is JSON */
export function jsonMistake(text: string): JsonMistake | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    // It isn't JSON; find the position.
  }
  if (text.startsWith("\ufeff")) return { at: 0, expected: "JSON without the byte order mark before it" };
  try {
    const end = space(text, value(text, space(text, 0), 0));
    return { at: end, expected: "nothing more, the value before is complete" };
  } catch (error) {
    if (error instanceof Stop) return error.mistake;
    throw error;
  }
}

const space = (text: string, at: number): number => {
  let next = at;
  while (/[ \t\r\n]/.test(text[next] ?? "")) next += 1;
  return next;
};

const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** @returns the end of the value */
function value(text: string, at: number, depth: number): number {
  if (depth > deepest) throw new Stop(at, `at most ${deepest} levels of nesting`);
  const first = text[at];
  if (first === "{") return list(text, at, depth, "}");
  if (first === "[") return list(text, at, depth, "]");
  if (first === '"') return string(text, at);
  literal.lastIndex = at;
  const found = literal.exec(text);
  if (found === null)
    throw new Stop(at, "a value: text in double quotes, a number, true, false, null, { or [");
  return at + found[0].length;
}

function list(text: string, at: number, depth: number, close: "}" | "]"): number {
  let next = space(text, at + 1);
  if (text[next] === close) return next + 1;
  for (;;) {
    if (close === "}") next = key(text, next);
    next = space(text, value(text, next, depth + 1));
    if (text[next] === close) return next + 1;
    if (text[next] !== ",") throw new Stop(next, `a comma or ${close}`);
    const after = space(text, next + 1);
    if (text[after] === close) throw new Stop(next, `${close} without a comma before it`);
    next = after;
  }
}

/** @returns the start of the key's value */
function key(text: string, at: number): number {
  if (text[at] !== '"') throw new Stop(at, "a key in double quotes");
  const colon = space(text, string(text, at));
  if (text[colon] !== ":") throw new Stop(colon, "a colon after the key");
  return space(text, colon + 1);
}

function string(text: string, at: number): number {
  for (let next = at + 1; next < text.length; next += 1) {
    const one = text.charAt(next);
    if (one === '"') return next + 1;
    if (one < " ")
      throw new Stop(next, "the closing quote before the line ends; a line break inside is written \\n");
    if (one !== "\\") continue;
    const escaped = /["\\/bfnrt]|u[\da-fA-F]{4}/y;
    escaped.lastIndex = next + 1;
    const found = escaped.exec(text);
    if (found === null)
      throw new Stop(next, 'after a backslash one of " \\ / b f n r t, or u with four digits');
    next += found[0].length;
  }
  throw new Stop(at, "the closing quote of this text");
}
