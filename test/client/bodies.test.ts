// All request bodies of interface.md, byte by byte. The embedded shop also accepts other spellings; a real shop may not.
import { expect, test } from "vitest";
import { type Client, createClient } from "../../provider/client/index.ts";
import type { Request, Transport } from "../../provider/client/transport.ts";

const prolog = '<?xml version="1.0" encoding="UTF-8"?>';

/** The body of the only request that `work` sends. */
async function bodyOf(work: (client: Client) => Promise<unknown>): Promise<string> {
  const sent: Request[] = [];
  const send = async (request: Request) => void sent.push(request);
  await work(createClient({ send } as unknown as Transport));
  expect(sent).toHaveLength(1);
  return String(sent[0]?.body).replace(prolog, "");
}

const src = "https://a.test/a.gif";

test.each<readonly [row: string, work: (client: Client) => Promise<unknown>, body: string]>([
  [
    "POST products.xml",
    ({ products }) =>
      products.create({ categoryId: 7, title: "Mug", variants: [{ sku: "M", quantity: 4, price: 740 }] }),
    '<product><title>Mug</title><category-id>7</category-id><variants-attributes type="array"><variants-attribute><sku>M</sku><price>740.0</price><quantity>4</quantity></variants-attribute></variants-attributes></product>',
  ],
  [
    "PUT products/{product_id}.xml",
    ({ products }) => products.edit({ id: 1, title: "Cup" }),
    "<product><title>Cup</title></product>",
  ],
  [
    "POST discount_codes.xml",
    ({ coupons }) =>
      coupons.create({
        code: "A",
        actOnce: true,
        discount: 10,
        typeId: 1,
        description: "x",
        disabled: false,
        expiredAt: "2030-06-09",
      }),
    "<discount_code><code>A</code><discount>10.0</discount><type_id>1</type_id><description>x</description><disabled>0</disabled><act_once>true</act_once><expired-at>2030-06-09</expired-at></discount_code>",
  ],
  [
    "PUT discount_codes/{coupon_id}.xml",
    ({ coupons }) => coupons.edit({ id: 1, code: "B" }),
    "<discount_code><code>B</code></discount_code>",
  ],
  [
    "POST price_kinds.json",
    ({ priceKinds }) => priceKinds.create({ title: "W" }),
    '{"price_kind":{"title":"W"}}',
  ],
  [
    "PUT price_kinds/{price_kind_id}.xml",
    ({ priceKinds }) => priceKinds.edit({ id: 1, title: "W" }),
    "<price_kind><title>W</title></price_kind>",
  ],
  [
    "POST application_charges.xml",
    ({ applicationCharges }) =>
      applicationCharges.create({ name: "S", price: 180, returnUrl: "https://a.test/" }),
    "<application-charge><name>S</name><price>180.0</price><return-url>https://a.test/</return-url></application-charge>",
  ],
  [
    "POST recurring_application_charge.xml",
    ({ recurringCharge }) => recurringCharge.create({ monthly: 1000 }),
    "<recurring-application-charge><monthly>1000.0</monthly></recurring-application-charge>",
  ],
  [
    "PUT recurring_application_charge.xml",
    ({ recurringCharge }) => recurringCharge.edit({ monthly: 500 }),
    "<recurring-application-charge><monthly>500.0</monthly></recurring-application-charge>",
  ],
  [
    "POST themes/{theme_id}/assets.xml",
    ({ assets }) => assets.create({ themeId: 1, name: "a.gif", src, type: "Asset::Media" }),
    "<asset><type>Asset::Media</type><name>a.gif</name><src>https://a.test/a.gif</src></asset>",
  ],
  [
    "PUT themes/{theme_id}/assets/{asset_id}.xml",
    ({ assets }) => assets.edit({ themeId: 1, id: 2, content: "x" }),
    "<asset><content>x</content></asset>",
  ],
  [
    "PUT themes/{theme_id}/assets/{asset_id}/rename.xml",
    ({ assets }) => assets.rename({ themeId: 1, id: 2, name: "b.gif" }),
    "<asset><new_name>b.gif</new_name></asset>",
  ],
  ["POST files.xml", ({ files }) => files.create({ src }), "<file><src>https://a.test/a.gif</src></file>"],
  [
    "POST js_tags.xml",
    ({ jsTags }) => jsTags.create({ type: "JsTag::TextTag", content: "x" }),
    "<js-tag><type>JsTag::TextTag</type><content>x</content></js-tag>",
  ],
])("%s", async (_row, work, body) => {
  expect(await bodyOf(work)).toBe(body);
});
