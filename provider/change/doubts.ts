/** Finds values that check accepts and a shop probably refuses, changes or shows garbled. */
import { isRecord } from "../../engine/common/record.ts";
import { isBody } from "../body/arguments.ts";
import { type Definition, type Field, type Fields, isArgument } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { firstNames, unknownValue } from "../wire/text.ts";
import { listOf } from "../wire/values.ts";
import { givenText } from "./check.ts";
import { itemName } from "./compare.ts";
import { isSecretPath } from "./secrets.ts";

export interface Doubt {
  readonly property: string;
  /** The value as a message shows it. */
  readonly given: string;
  readonly reason: string;
}

/**
 * The doubts about new values; secrets are left out.
 * @param known the values of the last run or of the shop: nothing is said about those
 * @param today YYYY-MM-DD
 */
export function doubtsIn(
  definition: Definition,
  args: Values,
  known: Values,
  today: string,
): readonly Doubt[] {
  const sure = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== unknownValue));
  const together = Object.entries(definition.doubts?.(sure) ?? {}).flatMap(([property, reason]) =>
    args[property] === known[property] ? [] : [{ property, value: args[property], reason }],
  );
  const own = Object.fromEntries(
    Object.entries(definition.fields).filter(
      ([name, field]) => isArgument(field) && !isBody(definition, name),
    ),
  );
  return [...doubtsOf(own, args, { known: knownValues([known]), path: "", today }), ...together].flatMap(
    ({ property, value, reason }) =>
      isSecretPath(args, property) ? [] : [{ property, given: givenText(value) ?? "", reason }],
  );
}

/** One sentence for equal doubts about one resource. It shows the first value and names at most three other places. */
export function doubtTexts(name: string, doubts: readonly Doubt[]): readonly string[] {
  const groups = Map.groupBy(
    doubts,
    ({ property, reason }) => `${property.replaceAll(/\[.*\]/g, "[]")} ${reason}`,
  );
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const named = firstNames(others.map(({ property }) => property));
    const also = named.length === 0 ? "" : ` (also ${named.join(", ")})`;
    return [`${name}: ${first.property} is ${first.given}; it ${first.reason}${also}`];
  });
}

type Found = Omit<Doubt, "given"> & { readonly value: unknown };

type Known = (name: string) => ReadonlySet<unknown>;

/** The values of a field in objects, collected once for each field: a list may have thousands of items. */
function knownValues(objects: readonly Values[]): Known {
  const sets = new Map<string, ReadonlySet<unknown>>();
  return (name) => {
    const found = sets.get(name) ?? new Set(objects.map((one) => one[name]));
    sets.set(name, found);
    return found;
  };
}

interface Looking {
  readonly known: Known;
  readonly path: string;
  readonly today: string;
}

function doubtsOf(fields: Fields, values: Values, looking: Looking): readonly Found[] {
  const { known, path, today } = looking;
  return Object.entries(fields).flatMap(([name, field]): readonly Found[] => {
    const value = values[name];
    const { items } = field;
    if (items?.fields !== undefined && Array.isArray(value)) {
      const { fields } = items;
      const others = knownValues([...known(name)].flatMap(listOf));
      return value.flatMap((item, index) => {
        const at = `${path}${name}[${itemName(items, item, index)}].`;
        return isRecord(item) ? doubtsOf(fields, item, { known: others, path: at, today }) : [];
      });
    }
    if (value === undefined || value === "" || value === unknownValue || known(name).has(value)) return [];
    const reason = doubtOf(field, value, today);
    return reason === undefined ? [] : [{ property: path + name, value, reason }];
  });
}

function doubtOf(field: Field, value: unknown, today: string): string | undefined {
  const { should, type, values, format, role } = field;
  if (should !== undefined && !should.matches.test(String(value))) return `should be ${should.be}`;
  if (role === "ends" && typeof value === "string" && value < today)
    return "is in the past: nobody can use it";
  if (type !== "text" || values !== undefined || typeof value !== "string" || format === "code")
    return undefined;
  const always = characterDoubt(value);
  if (always !== undefined) return always;
  if (format === "html") return missingIn(value, /^(?:undefined|null|NaN)$/) ?? escapedTwice(value);
  const [markup] = /&(?:amp|lt|gt|quot|apos|nbsp|#x?[\da-f]+);|<\/?[a-z][^<>]*>/i.exec(value) ?? [];
  if (markup !== undefined)
    return markup.startsWith("<")
      ? `holds ${markup}, a tag of HTML in a plain text: leave it out, or shoppers may read it`
      : `holds ${markup}, which is HTML in a plain text: write the character itself`;
  const [place] = /\$\{\w[^{}]*\}|\{\{[^{}]*\}\}/.exec(value) ?? [];
  if (place !== undefined)
    return `holds ${place}, which nothing fills in: a template in TypeScript needs backquotes`;
  return (
    missingIn(value, /(?<![\p{L}\p{N}_])(?:undefined|null|NaN)(?![\p{L}\p{N}_-])/u) ??
    (format === "lines" ? undefined : lineDoubt(value))
  );
}

function missingIn(text: string, words: RegExp): string | undefined {
  const [word] = words.exec(text) ?? [];
  return word === undefined ? undefined : `holds ${word}: is a value missing in the program?`;
}

function escapedTwice(html: string): string | undefined {
  const [found, entity] = /&amp;((?:amp|lt|gt|quot|apos|nbsp|#x?[\da-f]+);)/i.exec(html) ?? [];
  return found === undefined ? undefined : `holds ${found}, which is escaped twice: shoppers read &${entity}`;
}

function lineDoubt(text: string): string | undefined {
  if (text.trim() !== text)
    return "has a blank or a line break at its beginning or end: remove it, such as with trim()";
  return /[\n\t]/.test(text) ? "contains a line break or a tab: write it on one line" : undefined;
}

// Control characters, and characters without a width that editors and web pages leave in texts. U+200C and U+200D join letters.
const invisible = /[\u0080-\u009F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/;
// The first byte of a letter in UTF-8, and the second one.
const misread = /[\u00C2\u00C3\u00D0\u00D1][\u0080-\u00BF]/;

function characterDoubt(text: string): string | undefined {
  if (misread.test(text)) return "looks like UTF-8 that was read as Latin-1: read its source as UTF-8";
  if (text.includes("\uFFFD"))
    return "holds U+FFFD, which stands for a lost character: read its source as UTF-8";
  const found = invisible.exec(text);
  if (found === null) return undefined;
  const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `holds the invisible character U+${code}: remove it`;
}
