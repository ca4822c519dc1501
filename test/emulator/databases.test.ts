// Kinds that didn't exist when a database was written work in it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { openInProcess } from "./in-process.ts";

test("a new kind's ids start automatically in an old database", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-databases-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, "shop.sqlite");
  openInProcess({ database }).shop.close();
  const db = new DatabaseSync(database);
  // As if the kinds were added later.
  db.exec("DELETE FROM sequences; DELETE FROM objects WHERE kind = 'category'");
  db.close();
  const { shop, json } = openInProcess({ database });
  onTestFinished(() => shop.close());
  for (const [path, body] of Object.entries({
    products: {
      product: { title: "Mug", variants_attributes: [{ price: 1, options: [{ title: "a", value: "b" }] }] },
    },
    discount_codes: { discount_code: { code: "A", discount: 1, type_id: 1 } },
    price_kinds: { price_kind: { title: "W" } },
    categories: { category: { title: "Tools" } },
    collections: { collection: { title: "Cups" } },
    properties: { property: { title: "Material" } },
    option_names: { option_name: { title: "Size" } },
    product_fields: { product_field: { title: "Note" } },
    js_tags: { js_tag: { type: "JsTag::TextTag", content: "1" } },
    files: { file: { attachment: "eA==", filename: "a.txt" } },
    application_charges: { application_charge: { name: "S", price: 1 } },
    recurring_application_charge: { recurring_application_charge: { monthly: 1 } },
  })) {
    const made = await json("POST", `/admin/${path}.json`, body);
    expect(made.status, `${path}: ${made.text}`).toBe(201);
    expect(made.value.id, path).toBeGreaterThan(1_000);
  }
});
