/** A product's pictures, from `src` or `attachment`: platform-facts.md, sections 2.1, 3 and 11. */
import { asInteger, asText, type Columns, convertedColumns, Invalid, Refusal } from "../conversions.ts";
import type { Row } from "../documents.ts";
import { mediaType } from "../media-types.ts";
import { type Context, countedRoute, documentOf, idOf, type Resource, route } from "../routing.ts";
import { fileName } from "./files.ts";
import { imageShape, productOf } from "./product-documents.ts";

const document = documentOf("image", imageShape);
const path = "/admin/products/:product/images";
const columns: Columns = { title: asText, position: asInteger };
const body = {
  roots: ["image"],
  takes: [...Object.keys(columns), "src", "attachment", "filename"],
  reads: imageShape,
};

const imagesOf = (context: Context) => (productOf(context).images ?? []) as readonly Row[];
const place = (id: number, name: string) =>
  `/images/products/1/${id % 8192}/${id}/${encodeURIComponent(name)}`;

function image(context: Context): Row {
  const found = imagesOf(context).find(({ id }) => id === idOf(context));
  if (found === undefined) throw new Refusal(404, "Not found");
  return found;
}

function save(context: Context, images: readonly Row[]): void {
  const product = productOf(context);
  const sorted = images.toSorted((one, other) => Number(one.position) - Number(other.position));
  context.store.update("product", product.id, { ...product, images: sorted }, context.now);
}

function create(context: Context) {
  const { store, now, origin, upload, params } = context;
  if (upload === undefined) throw new Invalid([["image", "can't be blank"]]);
  const filename = fileName(context);
  const before = imagesOf(context);
  const id = store.nextId("image");
  const address = `${origin}${place(id, filename)}`;
  const made = {
    title: null,
    position: before.length + 1,
    ...convertedColumns(columns, params),
    id,
    product_id: productOf(context).id,
    created_at: now,
    filename,
    // The platform processes pictures later (platform-facts.md, section 11); here they are ready immediately.
    image_processing: false,
    url: address,
    original_url: address,
  };
  store.putBlob(place(id, filename), mediaType(filename), upload.bytes);
  save(context, [...before, made]);
  return { status: 201, document, object: made };
}

function update(context: Context) {
  const before = image(context);
  const made = { ...before, ...convertedColumns(columns, context.params) };
  save(
    context,
    imagesOf(context).map((one) => (one.id === before.id ? made : one)),
  );
  return { document, object: made };
}

function remove(context: Context) {
  const gone = image(context);
  context.store.removeBlob(place(Number(gone.id), String(gone.filename)));
  save(
    context,
    imagesOf(context).filter((one) => one.id !== gone.id),
  );
  const product = productOf(context);
  const variants = (product.variants as Row[]).map((one) =>
    one.image_id === gone.id ? { ...one, image_id: null } : one,
  );
  context.store.update("product", product.id, { ...product, variants }, context.now);
  return { done: true } as const;
}

export const images: Resource = {
  kinds: [],
  routes: [
    countedRoute(path, (context) => imagesOf(context).length),
    route("GET", path, [], (context) => ({ document, objects: imagesOf(context) })),
    route("GET", `${path}/:id`, [], (context) => ({ document, object: image(context) })),
    route("POST", path, [], create, { body: { ...body, upload: true } }),
    route("PUT", `${path}/:id`, [], update, { body }),
    route("DELETE", `${path}/:id`, [], remove),
  ],
};
