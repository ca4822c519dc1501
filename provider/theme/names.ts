/** The names that a source uses and assigns. */

/** A tag or output, and its text. */
export interface Piece {
  /** Undefined for an output. */
  readonly tag: string | undefined;
  readonly at: number;
  readonly inside: string;
  readonly insideAt: number;
}

export interface Use {
  readonly name: string;
  /** Offset in characters. */
  readonly at: number;
}

/** The properties of an object that a piece uses: `settings.colour`. */
export const partsOf = ({ inside, insideAt }: Piece, object: string): readonly Use[] =>
  [...inside.matchAll(new RegExp(`"[^"]*"|'[^']*'|(?<![\\w.-])${object}\\.([\\w-]+)`, "g"))].flatMap(
    ({ 0: part, 1: name, index }) =>
      name === undefined ? [] : [{ name, at: insideAt + index + part.length - name.length }],
  );

/** Tags that start with a condition. */
export const conditional = /^\s*(?:if|elsif|unless)\b/;
const reserved: ReadonlySet<string> = new Set("and or contains true false nil null blank empty".split(" "));

/** Names that may be undefined: in an output, in a condition, as a loop's list. */
export function objectsOf({ tag, inside, insideAt }: Piece): readonly Use[] {
  const shown = tag === undefined ? /^\s*/ : conditional.test(inside) ? conditional : /^\s*for\s+\S+\s+in\b/;
  const from = shown.exec(inside)?.[0].length;
  if (from === undefined) return [];
  const end = inside.indexOf("|", from);
  const text = inside.slice(from, end === -1 ? undefined : end);
  const names = /"[^"]*"|'[^']*'|(?<![\p{L}\p{N}_.?-])([\p{L}_][\p{L}\p{N}_-]*)/gu;
  const found = [...text.matchAll(names)].flatMap(({ 1: name, index }) =>
    name === undefined || reserved.has(name) ? [] : [{ name, at: insideAt + from + index }],
  );
  return tag === undefined || tag === "for" ? found.slice(0, 1) : found;
}

export function variablesOf({ tag, inside }: Piece): readonly string[] {
  if (tag === "include" || tag === "render")
    return [...inside.matchAll(/([\w-]+)\s*:/g)].map(([, name = ""]) => name);
  const [, made] =
    /^\s*(?:assign|capture|for|tablerow|increment|decrement)\s+["']?([\p{L}\p{N}_-]+)/u.exec(inside) ?? [];
  return made === undefined ? [] : [made];
}

export function unquotedOf({ tag, inside, insideAt }: Piece): readonly Use[] {
  if (tag !== "include" && tag !== "render") return [];
  const [before = "", name] = /^\s*(?:include|render)\s+([\w-]+)(?=\s|,|$)/.exec(inside) ?? [];
  return name === undefined ? [] : [{ name, at: insideAt + before.length - name.length }];
}
