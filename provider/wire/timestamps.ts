/** Timestamps as programs write them. Without an offset they are in the shop's time zone. */

const shape = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** The form of a timestamp, for messages. */
export const timestampForm =
  "a date and a time of the shop, such as 2026-11-27T00:00, or with an offset: 2026-11-27T00:00+03:00";

interface Parts {
  /** `2026-11-27T00:00:00`. */
  readonly local: string;
  readonly offset: string | undefined;
}

function partsOf(text: string): Parts | undefined {
  const [found, date, time, seconds = "00", offset] = shape.exec(text) ?? [];
  if (found === undefined) return undefined;
  const local = `${date}T${time}:${seconds}`;
  const at = Date.parse(`${local}Z`);
  // Rejects days such as the 30th of February, and offsets such as +25:00.
  const isWrong = [at, Date.parse(`${local}${offset ?? "Z"}`)].some(Number.isNaN);
  return isWrong || !new Date(at).toISOString().startsWith(local) ? undefined : { local, offset };
}

export const isTimestamp = (text: string): boolean => partsOf(text) !== undefined;

/** Whether a timestamp needs the shop's time zone. */
export const isWithoutOffset = (text: string): boolean => partsOf(text)?.offset === undefined;

/** Adds the offset: `2026-11-27T00:00:00+03:00`. @param zone the shop's time zone, in the shop's spelling */
export function withOffset(text: string, zone: () => string): string {
  const parts = partsOf(text);
  if (parts === undefined) return text;
  const { local, offset = offsetText(local, zone()) } = parts;
  return `${local}${offset}`;
}

/** A moment with the offset of a timestamp, in UTC without one. @param at milliseconds since 1970 */
export function inOffsetOf(text: string, at: number): string {
  const offset = partsOf(text)?.offset ?? "Z";
  return `${new Date(at + minutesOf(offset) * 60_000).toISOString().slice(0, 19)}${offset}`;
}

/**
 * The offset of a local time in the shop. When clocks go back, the repeated hour has its first offset; when they go
 * forward, a skipped time is an hour later.
 */
const offsetText = (local: string, name: string): string => {
  const zone = zoneOf(name);
  const at = Date.parse(`${local}Z`);
  const [before = "", after = ""] = [-dayMs, dayMs].map((ms) => offsetAt(at + ms, zone));
  const isIts = (offset: string) => offsetAt(at - minutesOf(offset) * 60_000, zone) === offset;
  return !isIts(before) && isIts(after) ? after : before;
};

const dayMs = 86_400_000;

/** `+03:00`. */
function offsetAt(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" }).formatToParts(at);
  const text = parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT";
  // Before time zones, offsets had seconds, which timestamps don't.
  return /[+-]\d\d:\d\d/.exec(text)?.[0] ?? "+00:00";
}

function minutesOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
  return (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** The platform's names that aren't cities of IANA zones, as Rails has them (ActiveSupport::TimeZone::MAPPING). */
const others: Readonly<Record<string, string>> = {
  "International Date Line West": "Etc/GMT+12",
  "Midway Island": "Pacific/Midway",
  "American Samoa": "Pacific/Pago_Pago",
  Hawaii: "Pacific/Honolulu",
  Alaska: "America/Juneau",
  "Pacific Time (US & Canada)": "America/Los_Angeles",
  "Mountain Time (US & Canada)": "America/Denver",
  Arizona: "America/Phoenix",
  "Central Time (US & Canada)": "America/Chicago",
  Saskatchewan: "America/Regina",
  Guadalajara: "America/Mexico_City",
  "Central America": "America/Guatemala",
  "Eastern Time (US & Canada)": "America/New_York",
  "Indiana (East)": "America/Indiana/Indianapolis",
  Quito: "America/Lima",
  "Atlantic Time (Canada)": "America/Halifax",
  Newfoundland: "America/St_Johns",
  Brasilia: "America/Sao_Paulo",
  Georgetown: "America/Guyana",
  Greenland: "America/Nuuk",
  "Mid-Atlantic": "Atlantic/South_Georgia",
  "Cape Verde Is.": "Atlantic/Cape_Verde",
  Edinburgh: "Europe/London",
  Bern: "Europe/Zurich",
  "West Central Africa": "Africa/Algiers",
  Kyiv: "Europe/Kiev",
  Pretoria: "Africa/Johannesburg",
  "St. Petersburg": "Europe/Moscow",
  "Abu Dhabi": "Asia/Muscat",
  Ekaterinburg: "Asia/Yekaterinburg",
  Islamabad: "Asia/Karachi",
  Chennai: "Asia/Kolkata",
  Kolkata: "Asia/Kolkata",
  Mumbai: "Asia/Kolkata",
  "New Delhi": "Asia/Kolkata",
  Kathmandu: "Asia/Kathmandu",
  "Sri Jayawardenepura": "Asia/Colombo",
  Astana: "Asia/Almaty",
  Hanoi: "Asia/Bangkok",
  Beijing: "Asia/Shanghai",
  Chongqing: "Asia/Chongqing",
  Osaka: "Asia/Tokyo",
  Sapporo: "Asia/Tokyo",
  Canberra: "Australia/Canberra",
  "Solomon Is.": "Pacific/Guadalcanal",
  "New Caledonia": "Pacific/Noumea",
  "Marshall Is.": "Pacific/Majuro",
  Wellington: "Pacific/Auckland",
  "Nuku'alofa": "Pacific/Tongatapu",
  "Tokelau Is.": "Pacific/Fakaofo",
  "Chatham Is.": "Pacific/Chatham",
  Samoa: "Pacific/Apia",
};

/**
 * The IANA name of the shop's time zone, given as `Moscow` or `Europe/Moscow`.
 * @throws Error for an unknown zone
 */
function zoneOf(name: string): string {
  const own = others[name] ?? name;
  // Node lists one name of each zone, and knows the others too.
  if (isZone(own)) return own;
  const city = own.replaceAll(" ", "_");
  const found = Intl.supportedValuesOf("timeZone").find((zone) => zone.split("/").at(-1) === city);
  if (found !== undefined) return found;
  throw new Error(
    `the time zone of the shop, ${JSON.stringify(name)}, is not known here: write times with their offset, such as 2026-11-27T00:00+03:00`,
  );
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
