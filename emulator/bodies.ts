/** Reads the parameters of a route from a request's body. */
import { Invalid, isBlank } from "./conversions.ts";
import { isUnwritable, MalformedBody, type Param, type Params, readJson, readXml } from "./documents.ts";
import { type Body, type Format, hashIn } from "./routing.ts";
import type { Store } from "./store.ts";

export function bodyFormat(contentType = ""): Format | undefined {
  const media = contentType.split(";")[0]?.trim().toLowerCase();
  if (media === "application/json") return "json";
  return media === "application/xml" || media === "text/xml" ? "xml" : undefined;
}

/** The parameters of a body, and its keys that have no effect. */
export interface ReadBody {
  readonly params: Params;
  readonly ignored: readonly string[];
  /** Keys that answers have but the shop doesn't store. */
  readonly shownOnly: readonly string[];
}

/**
 * Reads a body for a route.
 * @throws MalformedBody for a body that can't be parsed or has another root; Invalid for texts that XML can't contain
 */
export function readBody(
  format: Format,
  bytes: Uint8Array,
  body: Body,
  strict: boolean,
  store: Store,
): ReadBody {
  const all = typeof body.takes === "function" ? body.takes(store) : body.takes;
  const extra = new Set(strict ? all.filter((name) => body.extra?.includes(name)) : []);
  const takes = all.filter((name) => !extra.has(name));
  const text = decoded(bytes);
  const { params, beside } = format === "xml" ? fromXml(text, body) : fromJson(text, body, takes, strict);
  const kept = new Set([...takes, ...(body.upload ? uploadKeys : [])]);
  const shown = new Set(Object.keys(typeof body.reads === "function" ? body.reads(store) : body.reads));
  const others = Object.keys(params).filter((name) => !kept.has(name) && !extra.has(name));
  const refused = [...extra].filter((name) => !isBlank(params[name]));
  return {
    params: Object.fromEntries(Object.entries(params).filter(([name]) => !extra.has(name))),
    ignored: [...beside, ...refused, ...others.filter((name) => !shown.has(name))],
    shownOnly: others.filter((name) => shown.has(name)),
  };
}

const uploadKeys = ["src", "attachment", "filename"];

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MalformedBody("it is not UTF-8");
  }
}

interface Found {
  readonly params: Params;
  readonly beside: readonly string[];
}

// A missing root is a missing parameter in Rails: 400 (platform-facts.md, section 3).
const missing = ({ roots, list }: Body) =>
  new MalformedBody(`param is missing or the value is empty: ${roots[0] ?? list}`);

function fromXml(text: string, body: Body): Found {
  const { root, value } = readXml(text);
  if (root === body.list) return { params: { [root]: value }, beside: [] };
  if (!body.roots.includes(root) || !isFilled(value)) throw missing(body);
  return { params: value, beside: [] };
}

function fromJson(text: string, body: Body, takes: readonly string[], strict: boolean): Found {
  const read = readJson(text);
  // A published client sends JSON with the hyphenated names of XML.
  const hash = strict ? read : underscored(read);
  if (!isFilled(hash)) throw missing(body);
  for (const [field, value] of Object.entries(hash))
    refuseUnwritable(field, value, body.roots.includes(field));
  const root = body.roots.find((name) => name in hash);
  const under = root === undefined ? undefined : hash[root];
  if (isFilled(under)) return { params: under, beside: Object.keys(hash).filter((name) => name !== root) };
  // A JSON body may come without its root (platform-facts.md, sections 7 and 9).
  const bare = [...takes, ...(body.upload ? uploadKeys : [])].some((name) => name in hash && name !== root);
  if (!bare) throw missing(body);
  return { params: hash, beside: [] };
}

function underscored<T extends Param>(value: T): T {
  if (Array.isArray(value)) return value.map(underscored) as unknown as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name.replaceAll("-", "_"),
    underscored(inner as Param),
  ]);
  return Object.fromEntries(entries) as T;
}

const isFilled = (value: Param | undefined): value is Params => Object.keys(hashIn(value)).length > 0;

// One such text would make every XML list with the object unreadable.
function refuseUnwritable(field: string, value: Param, isRoot: boolean): void {
  if (typeof value === "string" && isUnwritable(value))
    throw new Invalid([[field, "contains characters that are not allowed"]]);
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value))
    refuseUnwritable(isRoot ? name : field, inner as Param, false);
}
