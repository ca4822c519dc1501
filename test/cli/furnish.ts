/** A product with fields that no argument has, created in JSON like by other clients. */
import type { World } from "../support/world.ts";

type Made = Readonly<Record<string, unknown>> & { readonly id: number };

export interface Furnished {
  readonly title: string;
  readonly permalink?: string;
  /** Title of a collection in the shop. */
  readonly collection: string;
  /** A value of the property Material. */
  readonly material: string;
  /** Title of a new category. */
  readonly category: string;
}

/** Creates it with a picture, a property, a field value, a category and a collection. */
export async function furnish(world: World, wanted: Furnished): Promise<Made> {
  const post = async (path: string, body: object): Promise<Made> => {
    const answer = await world.ask("POST", `/admin/${path}.json`, JSON.stringify(body), {
      "content-type": "application/json",
    });
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Made;
  };
  const { title, permalink, material } = wanted;
  const category = await post("categories", { category: { title: wanted.category } });
  const field = await post("product_fields", { product_field: { title: "Note" } });
  const product = await post("products", {
    product: {
      title,
      ...(permalink !== undefined && { permalink }),
      category_id: category.id,
      variants_attributes: [{ sku: title, price: 1, quantity: 2 }],
      properties_attributes: [{ title: "Material", value: material }],
      product_field_values_attributes: [{ product_field_id: field.id, value: "fragile" }],
    },
  });
  const picture = { image: { attachment: "UE5H", filename: "front.png", title: "Front" } };
  await post(`products/${product.id}/images`, picture);
  const collection = world.rows("collection").find((row) => row.title === wanted.collection);
  await post("collects", { collect: { product_id: product.id, collection_id: collection?.id } });
  return product;
}
