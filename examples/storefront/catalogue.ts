import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Collection, getCollectionsOutput, Product } from "pulumi-shop";
import { type Problems, refuse } from "./problems.ts";
import { type CatalogueProduct, readProducts } from "./products.ts";
import { folder, readText } from "./text-file.ts";

const table = "products.csv";

export interface Catalogue {
  readonly products: readonly CatalogueProduct[];
  /** The longer texts, HTML, by permalink. */
  readonly descriptions: ReadonlyMap<string, string>;
}

/** The table, and the longer texts in descriptions/, in files named after the product. */
export function readCatalogue(problems: Problems): Catalogue {
  const products = readProducts(readText(table, problems), table, problems);
  return { products, descriptions: readDescriptions(products, problems) };
}

export function createCatalogue({ products, descriptions }: Catalogue): readonly Product[] {
  const collections = getCollectionsOutput().apply((all) => idsOf(all, products));
  return products.map(
    ({ permalink, title, summary, collection, variants }) =>
      new Product(permalink, {
        permalink,
        title,
        shortDescription: summary,
        description: descriptions.get(permalink),
        canonicalUrlCollectionId: collections.apply((ids) => ids[collection] as number),
        variants,
      }),
  );
}

/** The ids of the shop's collections by permalink; staging and live have different ones. */
function idsOf(all: readonly Collection[], products: readonly CatalogueProduct[]): Record<string, number> {
  const ids = Object.fromEntries(all.map(({ permalink, id }) => [permalink, id]));
  const there = Object.keys(ids).sort().join(", ");
  refuse(
    "The catalogue names collections that the shop doesn't have",
    products
      .filter(({ collection }) => !Object.hasOwn(ids, collection))
      .map(
        ({ line, collection }) => `${table}:${line}: collection is "${collection}"; write one of ${there}`,
      ),
  );
  return ids;
}

function readDescriptions(products: readonly CatalogueProduct[], problems: Problems): Map<string, string> {
  const known = new Set(products.map(({ permalink }) => permalink));
  const texts = new Map<string, string>();
  for (const name of readdirSync(join(folder, "descriptions")).sort()) {
    const path = `descriptions/${name}`;
    const permalink = name.replace(/\.html$/, "");
    // If the table has mistakes, unused texts can't be found.
    if (known.size > 0 && !known.has(permalink))
      problems.push(`${path}: ${table} has no product of that name; rename the file or take it away`);
    texts.set(permalink, readText(path, problems));
  }
  return texts;
}
