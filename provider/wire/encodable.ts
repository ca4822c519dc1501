/** What an engine can be told: its protocol carries JSON, and nothing that is not there. */

/**
 * A value as the protocol carries it, at any depth: without what is undefined, an entry of a list that is undefined as
 * null, a text without half a character. All that leaves the provider goes through here.
 * @throws TypeError naming the path of what has no place in the protocol
 */
export function encodable<T>(value: T, path = "value"): T {
  return encoded(value, path) as T;
}

function encoded(value: unknown, path: string): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (value === null || value === undefined || typeof value === "number" || typeof value === "boolean")
    return value;
  if (Array.isArray(value)) return value.map((entry, index) => encoded(entry ?? null, `${path}[${index}]`));
  if (isPlain(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, entry]) =>
        entry === undefined ? [] : [[name, encoded(entry, `${path}.${name}`)]],
      ),
    );
  throw new TypeError(
    `${path} is ${typeof value === "object" ? "an object of a class" : `a ${typeof value}`}, which a program can't pass to an engine`,
  );
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const above: unknown = Object.getPrototypeOf(value);
  return above === Object.prototype || above === null;
}

/**
 * Values that fit into so many bytes, without their longest texts where they must go: what a state doesn't know is read
 * and compared again.
 * @returns undefined where they don't fit without any text
 */
export function withinBytes(
  values: Readonly<Record<string, unknown>>,
  bytes: number,
): typeof values | undefined {
  const kept = new Map(Object.entries(values));
  const longest = [...kept]
    .flatMap(([name, value]) =>
      typeof value === "string" && !name.startsWith("__") ? [{ name, value }] : [],
    )
    .toSorted((one, other) => one.value.length - other.value.length);
  const size = () => Buffer.byteLength(JSON.stringify(Object.fromEntries(kept)));
  while (size() > bytes) {
    const next = longest.pop();
    if (next === undefined) return undefined;
    kept.delete(next.name);
  }
  return Object.fromEntries(kept);
}
