/** A shop as a function: without a socket, with a fixed clock and repeatable randomness. */
import { createShop, type ShopOptions } from "../../emulator/index.ts";

/** A repeatable sequence of numbers from 0 to 1. */
export function repeatable(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const noon = Date.UTC(2027, 0, 15, 12);

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Opens a shop and sends requests as its application. */
export function openInProcess(options: Partial<ShopOptions> = {}) {
  const shop = createShop({
    origin: "http://127.0.0.1:4000",
    now: () => noon,
    random: repeatable(),
    download: async () => undefined,
    limit: "off",
    onError: (error) => {
      throw error;
    },
    ...options,
  });
  const { applicationId, password } = shop.credentials;
  const authorization = `Basic ${Buffer.from(`${applicationId}:${password}`).toString("base64")}`;
  const ask = async (
    method: string,
    target: string,
    body: string | Uint8Array = "",
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answered> => {
    const type = /\.json(\?|$)/.test(target) ? "application/json" : "application/xml";
    const stated = body.length > 0 ? { "content-type": type } : {};
    const answer = await shop.handle({
      method,
      target,
      headers: { authorization, ...stated, ...headers },
      body: typeof body === "string" ? Buffer.from(body) : body,
      local: true,
    });
    return { status: answer.status, headers: answer.headers, text: Buffer.from(answer.body).toString() };
  };
  /** The same in JSON. */
  const json = async (method: string, target: string, body?: unknown) => {
    const answer = await ask(method, target, body === undefined ? "" : JSON.stringify(body), {
      "content-type": "application/json",
    });
    return { ...answer, value: answer.text.startsWith("<") ? undefined : JSON.parse(answer.text || "null") };
  };
  return { shop, ask, json };
}

/** The text of the first element with a name. */
export const element = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}(?: [^>]*)?>([^<]*)<`).exec(xml)?.[1];
