/** Variants, inside a product's request and on their own: platform-facts.md, section 11. */
import {
  asDecimal,
  asHash,
  asInteger,
  asItems,
  asText,
  type Columns,
  convertedColumns,
  Invalid,
  isBlank,
  knownOnly,
  Refusal,
} from "../conversions.ts";
import type { Params, Row } from "../documents.ts";
import { type Context, countedRoute, existing, idOf, type Resource, route } from "../routing.ts";
import type { Store, Stored } from "../store.ts";
import { optionNamed } from "./option-names.ts";
import { optionValueNamed, titleOf } from "./option-values.ts";
import { kindPrices, productOf, shownVariant, variantDocument, variantFields } from "./product-documents.ts";

// "Cyrillic х in dimensions comes back as Latin x" (platform-facts.md, section 11).
export const asDimensions: Columns[string] = (value, field) => {
  const text = asText(value, field);
  return typeof text === "string" ? text.replaceAll("\u0445", "x") : text;
};

const columns: Columns = {
  sku: asText,
  price: asDecimal,
  barcode: asText,
  quantity: asInteger,
  weight: asDecimal,
  dimensions: asDimensions,
  cost_price: asDecimal,
  old_price: asDecimal,
  image_id: asInteger,
};
const columnsOf = (store: Store): Columns => ({
  ...columns,
  ...Object.fromEntries(kindPrices(store).map((name) => [name, asDecimal])),
});

const optionKeys = ["options", "options_attributes"];

type Option = { id: number | undefined; title: string; value: string };
export type Variant = Row & { readonly id: number; readonly option_values: readonly Row[] };
interface Asked {
  readonly id: number | undefined;
  readonly values: Row;
  readonly options: readonly Option[] | undefined;
}

/** The variants in a request; unknown keys are refused (platform-facts.md, section 3). */
export function variantsOf(store: Store, params: Params): readonly Asked[] | undefined {
  const items = asItems(params.variants_attributes, "variants_attributes");
  const taken = columnsOf(store);
  return items?.map((item) => {
    knownOnly(item, "variants_attributes", [...Object.keys(taken), "id", ...optionKeys]);
    const id = isBlank(item.id) ? undefined : (asInteger(item.id ?? null, "id") as number);
    const options = asItems(item.options ?? item.options_attributes, "options")?.map(optionOf);
    return { id, values: convertedColumns(taken, item), options };
  });
}

function optionOf(option: Params): Option {
  knownOnly(option, "options", ["title", "option_name_id", "value"]);
  const id = option.option_name_id ?? null;
  return {
    id: isBlank(id) ? undefined : (asInteger(id, "option_name_id") as number),
    title: String(option.title ?? ""),
    value: String(option.value ?? ""),
  };
}

type Scene = Pick<Context, "store" | "now">;

/** Adds and changes variants: one with an id exists, one without is new (platform-facts.md, section 11). */
export function withVariants({ store, now }: Scene, product: Row, id: number, params: Params): Row {
  const names = [...((product.option_names ?? []) as Row[])];
  const variants = [...((product.variants ?? []) as Variant[])];
  for (const { id: known, values, options } of variantsOf(store, params) ?? []) {
    const index = variants.findIndex((variant) => variant.id === known);
    if (known !== undefined && index < 0)
      throw new Invalid([["variants_attributes", `name variant ${known}, which doesn't exist`]]);
    const before = index < 0 ? newVariant(store, now, id) : (variants[index] as Variant);
    const optionValues =
      options === undefined
        ? before.option_values
        : options.map((option, position) => optionValue(store, now, names, before, option, position + 1));
    const made = derived({ ...before, ...values, option_values: optionValues } as Variant);
    if (isBlank(made.price)) throw new Invalid([["variants.price", "can't be blank"]]);
    if (index < 0) variants.push(made);
    // Unchanged variants keep their time of change.
    else if (JSON.stringify(made) !== JSON.stringify(before)) variants[index] = { ...made, updated_at: now };
  }
  return { ...product, variants, option_names: names, available: variants.some((one) => one.available) };
}

function derived(variant: Variant): Variant {
  return {
    ...variant,
    base_price: variant.price,
    available: variant.quantity === null || Number(variant.quantity) > 0,
    title: titleOf(variant.option_values),
  };
}

function newVariant(store: Store, now: number, productId: number): Variant {
  return {
    id: store.nextId("variant"),
    product_id: productId,
    title: "",
    sku: null,
    barcode: null,
    available: true,
    image_id: null,
    weight: null,
    dimensions: null,
    quantity: null,
    cost_price: null,
    price: null,
    old_price: null,
    base_price: null,
    created_at: now,
    updated_at: now,
    option_values: [],
  };
}

/** A fixture's variants with default values. */
export const completeVariants = (rows: readonly Row[], id: number, store: Store, now: number) =>
  rows.map((row) => derived({ ...newVariant(store, now, id), ...row } as Variant));

function optionValue(
  store: Store,
  now: number,
  names: Row[],
  variant: Variant,
  option: Option,
  position: number,
): Row {
  // A product created before option names were shared has its own ones.
  const known = option.id === undefined ? names.find(({ title }) => title === option.title) : undefined;
  const name = known ?? optionNamed(store, now, option);
  if (option.value === "") throw new Invalid([["options", "need a title and a value"]]);
  if (!names.some(({ id }) => id === name.id))
    names.push({ id: name.id, position: names.length + 1, title: name.title, permalink: name.permalink });
  const same = variant.option_values.find(
    (value) => value.option_name_id === name.id && value.title === option.value,
  );
  return {
    id: same?.id ?? optionValueNamed(store, now, Number(name.id), option.value).id,
    option_name_id: name.id,
    position,
    title: option.value,
  };
}

function variant(context: Context): Variant {
  const found = (productOf(context).variants as Variant[]).find(({ id }) => id === idOf(context));
  if (found === undefined) throw new Refusal(404, "Not found");
  return found;
}

/** Saves one variant like a product's request with only this variant. @returns the product's variants */
function save(context: Context, product: Stored, item: Params): readonly Variant[] {
  const made = withVariants(context, product, product.id, { variants_attributes: [item] });
  return context.store.update("product", product.id, made, context.now).variants as Variant[];
}

/** The known keys of a variant's own request; unlike inside a product, unknown ones cause a warning and no error. */
function own({ params, store }: Context): Params {
  const taken = new Set([...Object.keys(columnsOf(store)), ...optionKeys]);
  return Object.fromEntries(Object.entries(asHash(params)).filter(([name]) => taken.has(name)));
}

const reply = ({ store }: Context, object: Row, status = 200) => ({
  status,
  document: variantDocument({ store }),
  object: shownVariant(kindPrices(store), object),
});

const path = "/admin/products/:product/variants";
const body = {
  roots: ["variant"],
  takes: (store: Store) => [...Object.keys(columnsOf(store)), ...optionKeys],
  reads: variantFields,
};

function remove(context: Context) {
  const product = productOf(context);
  const { id } = variant(context);
  const variants = (product.variants as Variant[]).filter((one) => one.id !== id);
  // "At least one variant always stays" (platform-facts.md, section 11).
  if (variants.length === 0) throw new Invalid([["base", "the last modification can't be deleted"]]);
  const available = variants.some((one) => one.available);
  context.store.update("product", product.id, { ...product, variants, available }, context.now);
  return { done: true } as const;
}

/** Changes variants of many products; invalid ones are skipped (platform-facts.md, section 11). */
function updateGroup(context: Context) {
  const items = asItems(context.params.variants, "variants") ?? [];
  const wanted = new Map(items.map((item) => [Number(item.id), item]));
  for (const product of context.store.list("product"))
    for (const { id } of product.variants as Variant[]) {
      const item = wanted.get(id);
      if (item === undefined) continue;
      const current = existing(context, "product", product.id);
      save(context, current, { ...own({ ...context, params: item }), id: String(id) });
      wanted.delete(id);
    }
  if (wanted.size > 0) context.warn(`not kept: there are no variants ${[...wanted.keys()].join(", ")}`);
  return { document: variantDocument(context), objects: [] };
}

export const variants: Resource = {
  kinds: [],
  routes: [
    ...["/admin/products/variants_group_update", "/admin/variants/group_update"].map((address) =>
      route("PUT", address, [], updateGroup, {
        body: { roots: [], takes: ["variants"], reads: {}, list: "variants" },
      }),
    ),
    countedRoute(path, (context) => (productOf(context).variants as Row[]).length),
    route("GET", path, [], (context) => {
      const kinds = kindPrices(context.store);
      const rows = productOf(context).variants as Row[];
      return { document: variantDocument(context), objects: rows.map((row) => shownVariant(kinds, row)) };
    }),
    route("GET", `${path}/:id`, [], (context) => reply(context, variant(context))),
    route(
      "POST",
      path,
      [],
      (context) => reply(context, save(context, productOf(context), own(context)).at(-1) ?? {}, 201),
      { body, wrapsErrors: true },
    ),
    route(
      "PUT",
      `${path}/:id`,
      [],
      (context) => {
        const { id } = variant(context);
        const saved = save(context, productOf(context), { ...own(context), id: String(id) });
        return reply(context, saved.find((one) => one.id === id) ?? {});
      },
      { body },
    ),
    route("DELETE", `${path}/:id`, [], remove),
  ],
};
