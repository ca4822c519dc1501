/** Suggests a name that differs from the typed one by one letter or two swapped letters. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = names.find((name) => isNear(typed, name) || isNear(name, typed));
  return near === undefined ? "" : `, did you mean ${near}?`;
}

/** Whether deleting or replacing one letter of the longer text, or swapping two neighbours, gives the other. */
function isNear(long: string, short: string): boolean {
  const at = [...long].findIndex((letter, index) => letter !== short[index]);
  if (at === -1) return false;
  const rest = long.slice(at + 1);
  return (
    rest === short.slice(at) ||
    rest === short.slice(at + 1) ||
    (long[at] === short[at + 1] && rest === `${short[at]}${short.slice(at + 2)}`)
  );
}
