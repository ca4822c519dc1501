/** The shop's content beside the stack's own objects: read from the shop in five requests, and file by file. */

import { createClient } from "../../provider/client/index.ts";
import {
  fileFact,
  fileIn,
  hashIn,
  hidden,
  readBody,
  shownText,
  type Transport,
  textIn,
  type Values,
  withBody,
} from "../../provider/inventory/index.ts";
import { bodyOfArguments } from "../compare/sides.ts";
import type { PlannedObject } from "./objects.ts";
import { unknownUntilUp } from "./rows.ts";

export interface ShopContent {
  readonly account: Values;
  readonly collections: readonly Values[];
  readonly themes: readonly Values[];
  /** The first page of the list. */
  readonly products: readonly Values[];
  /** Files of the published theme and of changed themes, without their content. */
  readonly files: readonly Values[];
}

/** The platform's maximum per request. */
const mostBeside = 250;

/** @param touched ids of the themes that the plan changes */
export async function readShopContent(
  transport: Transport,
  touched: ReadonlySet<unknown>,
): Promise<ShopContent> {
  const client = createClient(transport);
  const [account, collections, themes, products] = await Promise.all([
    client.account.get(),
    client.collections.list(),
    client.themes.list(),
    client.products.list({ perPage: mostBeside }),
  ]);
  const wanted = themes.filter(
    ({ id, isPublished, isMobile }) => touched.has(id) || (isPublished && !isMobile),
  );
  const files = await Promise.all(wanted.map(({ id }) => client.assets.list({ themeId: id ?? 0 })));
  return { account, collections, themes, products, files: files.flat() };
}

export type ReadBody = () => Promise<string | Uint8Array | undefined>;

export interface BodySources {
  /** Undefined to read nothing: files that only the shop has are empty then. */
  readonly transport: Transport | undefined;
  readonly url: string;
  readonly folder: string;
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let found: Promise<T> | undefined;
  return () => {
    found ??= work();
    return found;
  };
}

/** Reads a file from the shop. @param listed the file as a list shows it */
export const shopBody = (
  definition: PlannedObject["definition"],
  listed: Values,
  sources: BodySources,
): ReadBody =>
  once(async () => {
    const { transport } = sources;
    if (transport === undefined) return undefined;
    const { seen, bytes } = await withBody(definition, { ...sources, transport }, listed);
    return shownText(seen) ?? (Buffer.isBuffer(bytes) ? bytes : undefined);
  });

/** A file's content before and after the plan. */
export function bodiesOf(
  { definition, before: olds, asked }: PlannedObject,
  id: number,
  sources: BodySources,
): { readonly before: ReadBody; readonly after: ReadBody } {
  const { folder } = sources;
  const there = shopBody(definition, { ...olds, id }, sources);
  const before = once(async () => {
    if (olds === undefined) return undefined;
    // The file is secret.
    if (hashIn(olds) === hidden || textIn(olds) === hidden) return hidden;
    return (await unchangedFile(olds, folder)) ?? there();
  });
  if (asked === undefined) return { before, after: before };
  const after = once(async () => {
    const text = textIn(asked);
    if (text === unknownUntilUp) return before();
    return (await bodyOfArguments(asked, folder).catch(() => undefined)) ?? before();
  });
  return { before, after };
}

/** The project's file, if it still is the one in the state. */
async function unchangedFile(olds: Values, folder: string): Promise<string | Uint8Array | undefined> {
  const file = fileIn(olds);
  if (file?.path === undefined) return undefined;
  try {
    const fact = await fileFact(file.path, folder);
    if (fact.sha256 !== file.sha256) return undefined;
    const { text, bytes } = await readBody(file.path, folder);
    return text ?? bytes;
  } catch {
    // The file was moved or deleted; the shop has the old one.
    return undefined;
  }
}
