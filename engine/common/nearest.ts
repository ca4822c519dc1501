/** Suggests names for mistyped ones. */

/**
 * The most similar name, or one that begins with the typed letters; undefined if no name is similar.
 * @param most maximum number of different letters
 */
export function nearest(
  typed: string,
  names: readonly string[],
  most = Math.min(typed.length - 1, Math.max(1, Math.floor(typed.length / 3))),
): string | undefined {
  const [best] = names
    .map((name) => ({
      name,
      far: Math.min(
        distance(typed.toLowerCase(), name.toLowerCase()),
        isBeginning(typed, name) ? 1 : Number.POSITIVE_INFINITY,
        isShort(typed, name) ? most : Number.POSITIVE_INFINITY,
      ),
    }))
    .filter(({ far }) => far <= most)
    .sort((one, other) => one.far - other.far);
  return best?.name;
}

/** `, did you mean --stack?`, or an empty text if no name is similar. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = nearest(typed, names);
  return near === undefined ? "" : `, did you mean ${near}?`;
}

// Fewer letters begin too many names.
const isBeginning = (typed: string, name: string) =>
  typed.length >= 4 && name.toLowerCase().startsWith(typed.toLowerCase());

/** Abbreviations such as `qty` for `quantity`: some letters in order, including the first and the last. */
const isShort = (typed: string, name: string) =>
  typed.length >= 3 &&
  name.at(-1)?.toLowerCase() === typed.at(-1)?.toLowerCase() &&
  new RegExp(`^${[...typed].map(escaped).join(".*")}$`, "i").test(name);

const escaped = (letter: string) => letter.replace(/[^\w]/u, "\\$&");

/** Number of letters to insert, delete, change or swap (optimal string alignment distance). */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_none, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j += 1) {
      const changed = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? at(i - 2, j - 2) + 1
          : changed;
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped));
    }
  }
  return at(from.length, to.length);
}
