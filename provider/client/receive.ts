/** Reads the body of a response, up to a maximum size. */

import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { codeOf, messageOf } from "../wire/text.ts";
import { type Headers, header } from "./headers.ts";
import type { Dispatcher } from "./pools.ts";

/** A body that is too large, damaged, or in an unknown encoding. */
export class BodyError extends Error {
  override readonly name = "BodyError";
  /** A retry would return the same. */
  readonly final: boolean;

  constructor(message: string, final: boolean, options?: ErrorOptions) {
    super(message, options);
    this.final = final;
  }
}

/**
 * Reads a body to its end.
 * @param most maximum bytes, compressed and uncompressed
 * @throws BodyError, or the connection's error
 */
export async function receive(
  { body, headers }: { body: Dispatcher.ResponseData["body"]; headers: Headers },
  most: number,
): Promise<Buffer> {
  const encoding = (header(headers, "content-encoding") ?? "").trim().toLowerCase();
  const chunks: Buffer[] = [];
  try {
    if (encoding !== "" && encoding !== "identity" && !/^(x-)?gzip$/.test(encoding))
      throw new BodyError(`it is encoded as ${encoding}, which the request doesn't accept`, true);
    const raw = bounded(body, most);
    const plain = /gzip/.test(encoding) ? bounded(unpacked(raw), most) : raw;
    for await (const chunk of plain) chunks.push(chunk);
  } catch (error) {
    body.on("error", () => {}).destroy();
    if (!codeOf(error)?.startsWith("Z_")) throw error;
    throw new BodyError(`its gzip is cut or damaged (${messageOf(error)})`, false, { cause: error });
  }
  return Buffer.concat(chunks);
}

async function* bounded(source: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size > most) throw new BodyError(`it is larger than ${most / (1024 * 1024)} MB`, true);
    yield chunk;
  }
}

// The pipeline's error is thrown by the stream.
function unpacked(raw: AsyncIterable<Buffer>): Readable {
  return pipeline(raw, createGunzip(), () => {});
}
