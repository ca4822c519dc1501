/** Texts as both sides spell them. */

/** The text that stands for a value that a preview doesn't know yet. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const isUnknownValue = (value: unknown): boolean => value === unknownValue;

/** What a text shows of a secret. */
export const hidden = "[secret]";

/** Staff's browsers send CR LF: that is no difference. */
export function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The last part of an address, decoded: one name is spelt in many ways, with a query, percent-encoded, in Cyrillic. */
export function lastPart(address: string): string {
  const name = URL.parse(address, "https://shop.invalid")?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    // Not an encoded name: it is called as it stands.
    return name;
  }
}

/** What was thrown, which may be anything. */

/** Why it was thrown, in its own words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a system or a library calls it (`ENOENT`). */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
