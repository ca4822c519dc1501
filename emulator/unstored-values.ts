/** Finds values of a request that weren't stored: clients get a warning, which the platform doesn't send. */
import { MalformedBody, type Param, readJson, readXml } from "./documents.ts";
import type { Format } from "./routing.ts";

// These differ after every change.
const volatile = new Set(["created_at", "updated_at"]);

/**
 * The keys whose value in the request differs from that in the answer.
 * @param names keys that answers have but the shop doesn't store
 * @param answer the object as it is now, in the answer's format
 */
export function unstoredValues(
  names: readonly string[],
  params: Readonly<Record<string, Param>>,
  answer: string,
  format: Format,
): readonly string[] {
  const asked = names.filter((name) => params[name] !== undefined && !volatile.has(name));
  if (asked.length === 0) return [];
  const now = format === "xml" ? readXml(answer).value : readJson(answer);
  if (typeof now !== "object" || now === null || Array.isArray(now))
    throw new MalformedBody("the answer is no object");
  const shown = now as Readonly<Record<string, Param>>;
  return asked.filter((name) => {
    if (shown[name] === undefined) return false;
    const [wanted, is] = [params[name] ?? null, shown[name] ?? null];
    return JSON.stringify(normal(wanted)) !== JSON.stringify(normal(is));
  });
}

// Clients drop the attributes of XML: null becomes an empty text, a list a hash with one name.
function normal(value: Param): unknown {
  if (value === null || value === "") return null;
  if (typeof value === "string") return value.trim();
  const items = Array.isArray(value) ? (value as readonly Param[]) : undefined;
  if (items !== undefined) return items.length === 0 ? null : items.map(normal);
  const entries = Object.entries(value);
  if (entries.length === 0) return null;
  const [only] = entries;
  if (only !== undefined && entries.length === 1)
    return Array.isArray(only[1]) ? only[1].map(normal) : [normal(only[1])];
  return Object.fromEntries(entries.map(([name, inner]) => [name, normal(inner as Param)]).sort());
}
