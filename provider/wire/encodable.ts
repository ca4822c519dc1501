/** Converts values for the engine's protocol, which carries JSON. */

/**
 * Removes undefined values at any depth, makes undefined list entries null, and repairs texts with half a surrogate pair. All
 * results of the provider pass here.
 * @throws TypeError with the path of a value that isn't JSON
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
 * Removes the longest texts until the values fit into a number of bytes. A value that the state lacks is read and compared
 * again.
 * @returns undefined if they don't fit without any text
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
  while (Buffer.byteLength(JSON.stringify(Object.fromEntries(kept))) > bytes) {
    const next = longest.pop();
    if (next === undefined) return undefined;
    kept.delete(next.name);
  }
  return Object.fromEntries(kept);
}
