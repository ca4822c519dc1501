/** Versions of plugins, written and ordered by Semantic Versioning 2.0.0 (https://semver.org). */

export interface Version {
  /** Major, minor and patch. */
  readonly numbers: readonly number[];
  /** The pre-release identifiers, `rc` and `1` in `1.0.0-rc.1`; empty for a release. */
  readonly pre: readonly string[];
  readonly build: readonly string[];
}

const pattern =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(?:\.(?:0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*))?(?:\+([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?$/;

/** Parses a version; undefined if it isn't valid. */
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

/** Negative if the first version is older, positive if it is newer; builds have no order. */
export const compareVersions = (a: Version, b: Version): number =>
  letters.compare(a.numbers.join("."), b.numbers.join(".")) ||
  (a.pre.length === 0 || b.pre.length === 0
    ? b.pre.length - a.pre.length
    : letters.compare(a.pre.join("."), b.pre.join(".")));
