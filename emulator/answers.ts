/** Requests and answers, independent of the transport; converts replies and refusals of routes to answers. */
import { Invalid, Refusal } from "./conversions.ts";
import {
  emptyXmlList,
  jsonOf,
  MalformedBody,
  type Row,
  writeXml,
  writeXmlErrors,
  writeXmlList,
} from "./documents.ts";
import type { Document, Format, Reply } from "./routing.ts";

export interface AnswerParts {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface ShopRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The bytes, or a function that reads them once the request is accepted; undefined if there are more than `limit`. */
  readonly body: Uint8Array | ((limit: number) => Promise<Uint8Array | undefined>);
  /** Whether the client is on this machine. */
  readonly local: boolean;
}

export interface ShopAnswer extends AnswerParts {
  /** How the server interrupts the connection. */
  readonly disruption?: "drop" | "truncate";
  readonly delayMs?: number;
}

const zone = "+03:00";

/** A route's reply in a format. @param strict an empty list has the root of interface.md */
export function answerOf(reply: Reply, format: Format, strict: boolean): AnswerParts {
  if ("raw" in reply) return { status: 200, headers: { "content-type": reply.contentType }, body: reply.raw };
  if ("done" in reply) return format === "json" ? json(200, { status: "ok" }) : xml(200, " ");
  const { document } = reply;
  if ("objects" in reply) {
    if (format === "json")
      return json(
        200,
        reply.objects.map((row) => jsonOf(document.json ?? document.shape, row, zone)),
      );
    if (reply.objects.length === 0 && !strict) return xml(200, emptyXmlList);
    return xml(200, writeXmlList(document.list, document.root, document.shape, reply.objects, zone));
  }
  return objectAnswer(reply, format);
}

export function objectAnswer(
  {
    document,
    object,
    status = 200,
  }: { readonly document: Document; readonly object: Row; readonly status?: number },
  format: Format,
): AnswerParts {
  if (format === "json") return json(status, jsonOf(document.json ?? document.shape, object, zone));
  return xml(status, writeXml(document.root, document.shape, object, zone));
}

/**
 * A refusal in the platform's form (platform-facts.md, section 3).
 * @param wrapped whether errors in JSON have an envelope
 * @throws any error that isn't a refusal
 */
export function refusalOf(error: unknown, format: Format, wrapped = false): AnswerParts {
  if (error instanceof Refusal) return page(error.status, error.message);
  if (error instanceof MalformedBody) return page(400, `Bad request: ${error.message.split("\n")[0]}`);
  if (!(error instanceof Invalid)) throw error;
  const { errors } = error;
  if (format === "xml")
    return xml(
      422,
      writeXmlErrors(
        errors.map(([field, text]) =>
          field === "base" || field === "message" ? text : `${humanized(field)} ${text}`,
        ),
      ),
    );
  if (errors[0]?.[0] === "message") return json(422, { message: errors[0][1] });
  const fields: Record<string, string[]> = {};
  for (const [field, text] of errors) fields[field] = [...(fields[field] ?? []), text];
  return json(422, wrapped ? { status: "error", errors: fields } : fields);
}

// Rails' full messages, from which its clients extract the field: "Expired at is not a date".
function humanized(field: string): string {
  const words = field.replace(/_id$/, "").replace(/[._]/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const withHeaders = <A extends AnswerParts>(
  answer: A,
  headers: Readonly<Record<string, string>>,
): A => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
});

const xml = (status: number, body: string): AnswerParts => ({
  status,
  headers: { "content-type": "application/xml; charset=utf-8" },
  body: Buffer.from(body),
});
const json = (status: number, body: unknown): AnswerParts => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: Buffer.from(JSON.stringify(body)),
});

/** An HTML page; the platform sends it to programs, too (platform-facts.md, section 3, 404). */
export function page(status: number, text: string): AnswerParts {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: Buffer.from(`<!DOCTYPE html><html><body><h1>${safe}</h1></body></html>\n`),
  };
}
