/** Products and collections as templates see them. */
import type { Store } from "../store.ts";
import { type Paged, pagedOf } from "./paging.ts";

export type Shown = Readonly<Record<string, unknown>> & {
  readonly permalink: unknown;
  readonly title: unknown;
};

type Values = Readonly<Record<string, unknown>>;

/** Products of the last page: converting ten thousand takes longer than rendering a page. */
const known = new WeakMap<Store, { readonly revision: string; readonly products: readonly Shown[] }>();

/**
 * The products and collections of a page. Collections are converted for each page, because a page pages through their
 * products.
 */
export interface Catalogue {
  readonly products: readonly Shown[];
  readonly collections: readonly Shown[];
}

export function catalogueOf(store: Store): Catalogue {
  const revision = store.revision();
  const before = known.get(store);
  const products = before?.revision === revision ? before.products : productsOf(store);
  known.set(store, { revision, products });
  return { products, collections: collectionsOf(store, products) };
}

const listIn = (value: unknown) => (Array.isArray(value) ? (value as readonly Values[]) : []);

const numberOf = (value: unknown) => (value === null || value === undefined ? undefined : Number(value));

/** A list that templates also access by name: `product.properties.material`. */
const byName = <T>(list: readonly T[], nameOf: (one: T) => unknown): readonly T[] =>
  Object.assign([...list], Object.fromEntries(list.map((one) => [String(nameOf(one)), one])));

/** The platform's image sizes; the embedded shop has only one. */
const sizes = ["micro", "thumb", "compact", "medium", "large", "original"];

function imageOf(image: Values): Values {
  const address = image.original_url ?? image.url;
  return { ...image, url: address, ...Object.fromEntries(sizes.map((size) => [`${size}_url`, address])) };
}

const hasStock = ({ quantity }: Values) =>
  quantity === null || quantity === undefined || Number(quantity) > 0;

function productsOf(store: Store): readonly Shown[] {
  return store
    .list("product")
    .filter(({ is_hidden }) => is_hidden !== true)
    .map((product) => {
      const images = listIn(product.images).map(imageOf);
      const variants = listIn(product.variants).map((one) => ({
        ...one,
        price: numberOf(one.price),
        sale_price: numberOf(one.price),
        old_price: numberOf(one.old_price),
        available: hasStock(one),
        first_image: images.find(({ id }) => id === one.image_id) ?? images[0],
      }));
      const [first] = variants;
      const prices = variants.flatMap(({ price }) => price ?? []);
      const isAvailable = variants.some(({ available }) => available);
      return {
        ...product,
        permalink: product.permalink,
        handle: product.permalink,
        title: product.title,
        url: `/product/${encodeURIComponent(String(product.permalink))}`,
        variants,
        options: optionsOf(product, variants),
        properties: propertiesOf(product),
        price: first?.price,
        sale_price: first?.price,
        old_price: first?.old_price,
        price_min: prices.length === 0 ? undefined : Math.min(...prices),
        price_max: prices.length === 0 ? undefined : Math.max(...prices),
        sku: (first as Values | undefined)?.sku,
        quantity: (first as Values | undefined)?.quantity,
        available: isAvailable,
        "available?": isAvailable,
        "show_variants?": variants.length > 1,
        images,
        first_image: images[0],
        reviews: [],
        reviews_count: 0,
        related_products: [],
        similar_products: [],
        accessories: [],
      };
    });
}

/** The options in which variants differ, with their values. */
const optionsOf = (product: Values, variants: readonly Values[]) =>
  listIn(product.option_names).map((option) => {
    const values = variants
      .flatMap((one) => listIn(one.option_values))
      .filter((value) => value.option_name_id === option.id);
    return {
      ...option,
      handle: option.permalink,
      values: [...new Map(values.map((value) => [value.title, value] as const)).values()],
    };
  });

const propertiesOf = (product: Values) =>
  byName(
    listIn(product.properties).map((property) => ({
      ...property,
      handle: property.permalink,
      name: property.title,
      characteristics: listIn(product.characteristics)
        .filter((one) => one.property_id === property.id)
        .map((one) => ({ ...one, handle: one.permalink, name: one.title })),
    })),
    ({ permalink }: Values) => permalink,
  );

/** A collection; its products are the first page of all its products. */
interface Placed extends Shown {
  products: Paged<Shown>;
  subcollections: readonly Placed[];
  current_collections: readonly Placed[];
  parent: Placed | undefined;
  level: number;
}

/** Collections with their products: those placed in them, and those with their canonical URL. */
function collectionsOf(store: Store, products: readonly Shown[]): readonly Shown[] {
  const rows = store.list("collection").filter(({ is_hidden }) => is_hidden !== true);
  const placed = rows.map((collection): Placed => {
    const own = products.filter(
      (product) =>
        collection.permalink === "all" ||
        product.canonical_url_collection_id === collection.id ||
        ((product.collections_ids ?? []) as readonly number[]).includes(collection.id),
    );
    return {
      ...collection,
      permalink: collection.permalink,
      handle: collection.permalink,
      title: collection.title,
      url: collection.url ?? `/collection/${encodeURIComponent(String(collection.permalink))}`,
      products: pagedOf(own),
      products_count: own.length,
      subcollections: [],
      current_collections: [],
      properties: [],
      options: [],
      current_option_values: [],
      parent: undefined,
      level: 0,
      // As JSON it is only its own row, because parents and children contain each other.
      toJSON: () => collection,
    };
  });
  const byId = new Map(placed.map((one) => [one.id, one] as const));
  for (const one of placed) one.parent = byId.get(one.parent_id);
  for (const one of placed) {
    const path = pathTo(one);
    one.level = path.length - 1;
    one.current_collections = path;
    one.subcollections = placed.filter(({ parent }) => parent === one);
  }
  return placed;
}

/** From the root to a collection; a cycle ends where it closes. */
function pathTo(collection: Placed): readonly Placed[] {
  const path = new Set<Placed>();
  for (let one: Placed | undefined = collection; one !== undefined && !path.has(one); one = one.parent)
    path.add(one);
  return [...path].reverse();
}

/** A product with its collections, for its own page. */
export const withCollections = (product: Shown, collections: readonly Shown[]): Shown => ({
  ...product,
  collections: collections.filter(
    ({ id, permalink }) =>
      permalink !== "all" &&
      (product.canonical_url_collection_id === id ||
        ((product.collections_ids ?? []) as readonly unknown[]).includes(id)),
  ),
});
