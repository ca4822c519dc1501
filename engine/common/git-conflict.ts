/** The offset of the first conflict that git left in a text; undefined if there is none. */
export function gitConflictIn(text: string): number | undefined {
  const at = text.search(/^<{7} .*$(?=[\s\S]*^={7}\r?$[\s\S]*^>{7} )/m);
  return at === -1 ? undefined : at;
}

/** `git left a conflict in it, at line 3: resolve it`. */
export function gitConflictText(text: string): string | undefined {
  const at = gitConflictIn(text);
  const line = text.slice(0, at).split("\n").length;
  return at === undefined ? undefined : `git left a conflict in it, at line ${line}: resolve it`;
}
