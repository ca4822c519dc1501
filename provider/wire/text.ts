/** Texts that several rooms share. */

/** The placeholder for a value that a preview doesn't know yet. */
export const unknownValue = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
export const isUnknownValue = (value: unknown): boolean => value === unknownValue;

/** The replacement for a secret. */
export const hidden = "[secret]";

/** Browsers send CR LF; that isn't a change. */
export function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

/** The last part of an address, decoded: the same name may have a query, percent-encoding or Cyrillic letters. */
export function lastPart(address: string): string {
  const name = URL.parse(address, "https://shop.invalid")?.pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name);
  } catch {
    // It isn't percent-encoded: take it as it is.
    return name;
  }
}

/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error code of a system call or a library (`ENOENT`). */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
