/** What pages show beside the stack's own objects: read from the shop, in five requests. */
import { createClient } from "../../provider/client/index.ts";
import type { Transport, Values } from "../../provider/inventory/index.ts";

export interface Beside {
  readonly account: Values;
  readonly collections: readonly Values[];
  readonly themes: readonly Values[];
  /** The first page of them, as many as the shop gives at once. */
  readonly products: readonly Values[];
  /** Of the published theme and of those that the plan is about, without what is in them. */
  readonly files: readonly Values[];
}

/** Products that are read beside those of the stack: the most that the platform gives in one request. */
const mostBeside = 250;

/** @param touched the themes of which the plan changes files */
export async function readBeside(transport: Transport, touched: ReadonlySet<unknown>): Promise<Beside> {
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
