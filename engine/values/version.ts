/** Versions of plugins, as Semantic Versioning 2.0.0 writes and orders them (https://semver.org). */

export interface Version {
  /** Major, minor and patch. */
  readonly numbers: readonly number[];
  /** What a pre-release is told by, `rc` and `1` of `1.0.0-rc.1`; empty for a release. */
  readonly pre: readonly string[];
  readonly build: readonly string[];
}

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?(?:\+([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

/** A version; undefined of a text that is none. */
export function versionOf(text: string): Version | undefined {
  const [, major, minor, patch, pre, build] = pattern.exec(text) ?? [];
  if (major === undefined) return undefined;
  return {
    numbers: [major, minor, patch].map(Number),
    pre: pre?.split(".") ?? [],
    build: build?.split(".") ?? [],
  };
}

/** Below 0 where the first one is older, above 0 where it is newer; builds have no order. */
export function compareVersions(a: Version, b: Version): number {
  for (const [index, number] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0;
    if (number !== other) return number - other;
  }
  if (a.pre.length === 0 || b.pre.length === 0) return b.pre.length - a.pre.length;
  for (const [index, part] of a.pre.entries()) {
    const other = b.pre[index];
    if (other === undefined) return 1;
    if (part !== other) return compareParts(part, other);
  }
  return a.pre.length - b.pre.length;
}

/** Numbers by their size and before words, words by their letters. */
function compareParts(a: string, b: string): number {
  const [first, second] = [a, b].map((part) => /^\d+$/.test(part)) as [boolean, boolean];
  if (first && second) return Number(a) - Number(b);
  if (first !== second) return first ? -1 : 1;
  return a < b ? -1 : 1;
}
