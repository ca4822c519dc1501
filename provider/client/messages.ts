/** The shop's own words in an error's body: XML and JSON forms (platform-facts.md, section 3). HTML is never read. */
import { childrenOf, DocumentError, parse, textOf, type Wire } from "../wire/xml.ts";
import type { HttpResponse } from "./exchange.ts";

/** All messages of an error's body; none where it is not of a known form. */
export function messagesIn(answer: HttpResponse): readonly string[] {
  try {
    if (/json/i.test(answer.contentType)) return jsonMessages(JSON.parse(answer.body), "", 0);
    if (/xml/i.test(answer.contentType)) return xmlMessages(parse(answer.body).value);
    return [];
  } catch (error) {
    if (error instanceof DocumentError || error instanceof SyntaxError) return [];
    throw error;
  }
}

/** `<errors><error>text</error></errors>`. */
export function xmlMessages(errors: Wire): readonly string[] {
  const messages = childrenOf(errors, "error").map((child) => textOf(child) ?? "");
  const alone = textOf(errors)?.trim() ?? "";
  return messages.length > 0 || alone === "" ? messages : [alone];
}

// {"title": ["..."]}, {"message": "..."}, {"status": "error", "errors": {...}}: each text with the field it is about.
function jsonMessages(value: unknown, field: string, depth: number): readonly string[] {
  // The known forms have three levels; a nest of a million would end the process.
  if (depth > 10) return [];

  if (typeof value === "string")
    return [field === "" || field === "base" || field === "message" ? value : `${field}: ${value}`];
  if (Array.isArray(value)) return value.flatMap((entry) => jsonMessages(entry, field, depth + 1));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => name !== "status")
    .flatMap(([name, entry]) => jsonMessages(entry, name === "errors" ? "" : name, depth + 1));
}
