import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Collection, getCollectionsOutput, Product } from "pulumi-shop";
import { refuse } from "./problems.ts";
import { type CatalogueProduct, readProducts } from "./products.ts";
import { folder, readText } from "./text-file.ts";

const table = "products.csv";

/** All products of the table; a longer text is a file of the product's name under descriptions/. */
export function createCatalogue(): readonly Product[] {
  const problems: string[] = [];
  const csv = readText(table);
  const read = "text" in csv ? readProducts(csv.text, table) : { products: [], problems: [csv.problem] };
  problems.push(...read.problems);
  const descriptions = readDescriptions(read.products, problems);
  refuse("The catalogue can't be read", problems);
  const collections = getCollectionsOutput().apply((all) => idsOf(all, read.products));
  return read.products.map(
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

function readDescriptions(products: readonly CatalogueProduct[], problems: string[]): Map<string, string> {
  const known = new Set(products.map(({ permalink }) => permalink));
  const texts = new Map<string, string>();
  for (const name of readdirSync(join(folder, "descriptions")).sort()) {
    const path = `descriptions/${name}`;
    const permalink = name.replace(/\.html$/, "");
    // With a broken table nobody can say which texts are left over.
    if (known.size > 0 && !known.has(permalink))
      problems.push(`${path}: ${table} has no product of that name; rename the file or take it away`);
    const file = readText(path);
    if ("text" in file) texts.set(permalink, file.text);
    else problems.push(file.problem);
  }
  return texts;
}
