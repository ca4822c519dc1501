// Objects that a shop numbers at creation get their numbers in the program's order, however slowly the shop answers.
import { expect, test } from "vitest";
import type { Resource } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";

const titles = ["Retail", "Wholesale", "Staff", "Partners"];
const kind = (title: string): Resource => ({ kind: "PriceKind", name: title.toLowerCase(), args: { title } });
const coupon: Resource = { kind: "Coupon", name: "sale", args: { code: "SALE", discount: 5, typeId: 1 } };
const numbers = (house: House) =>
  house.rows("price_kind").map(({ title, price_index: index }) => [title, index]);
const made = /^POST \/admin\/price_kinds/;

/** Holds the second create of a price kind until the coupon's create is sent. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  let creates = 0;
  return (line: string) => {
    if (line.startsWith("POST /admin/discount_codes")) resolve();
    if (made.test(line)) creates += 1;
    return made.test(line) && creates === 2 ? promise : undefined;
  };
}

test("price kinds are made one after the other, in the program's order; what isn't numbered overtakes them", async () => {
  const house = openHouse();
  const ran = await house.up([...titles.map(kind), coupon], { held: gate() });
  expect(ran.result?.failures).toEqual([]);
  expect(numbers(house)).toEqual(titles.map((title, at) => [title, at + 1]));
  expect(ran.requests.filter((line) => made.test(line))).toHaveLength(titles.length);
  expect(ran.requests.findIndex((line) => line.includes("discount_codes"))).toBeLessThan(
    ran.requests.findLastIndex((line) => made.test(line)),
  );
});

test("one whose answer was lost, and which the shop makes later, has its number before the next is sent", async () => {
  const house = openHouse();
  let creates = 0;
  const late = (line: string) => (made.test(line) && ++creates === 1 ? 5_000 : undefined);
  const ran = await house.up(titles.map(kind), { late });
  expect(ran.result?.failures).toEqual([]);
  expect(numbers(house)).toEqual(titles.map((title, at) => [title, at + 1]));
});

test("one that the shop refuses stops no other, and leaves its number to the next", async () => {
  const house = openHouse();
  house.setWhim({ how: "refuses", element: "title" });
  const ran = await house.up(titles.map(kind));
  expect(ran.result?.failures).toHaveLength(1);
  expect(numbers(house)).toEqual(titles.slice(1).map((title, at) => [title, at + 1]));
});
