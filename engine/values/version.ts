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

const letters = new Intl.Collator("en", { numeric: true });

/** Below 0 where the first one is older, above 0 where it is newer; builds have no order. */
export const compareVersions = (a: Version, b: Version): number =>
  letters.compare(a.numbers.join("."), b.numbers.join(".")) ||
  (a.pre.length === 0 || b.pre.length === 0
    ? b.pre.length - a.pre.length
    : letters.compare(a.pre.join("."), b.pre.join(".")));
