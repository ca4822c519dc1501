/** Reads the shop's own messages from an error's body, in XML and JSON (platform-facts.md, section 3). HTML is ignored. */
import { childrenOf, DocumentError, parse, textOf, type Wire } from "../wire/xml.ts";
import type { HttpResponse } from "./exchange.ts";

/** All messages; none if the form is unknown. */
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

// {"title": ["..."]}, {"message": "..."}, {"status": "error", "errors": {...}}: each text gets the name of its field.
function jsonMessages(value: unknown, field: string, depth: number): readonly string[] {
  // Known forms have three levels; deeper nesting could overflow the stack.
  if (depth > 10) return [];

  if (typeof value === "string")
    return [field === "" || field === "base" || field === "message" ? value : `${field}: ${value}`];
  if (Array.isArray(value)) return value.flatMap((entry) => jsonMessages(entry, field, depth + 1));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => name !== "status")
    .flatMap(([name, entry]) => jsonMessages(entry, name === "errors" ? "" : name, depth + 1));
}
