// The policy pack of examples/policy, asked as an engine asks it: by the pack's own server, without Pulumi's command.
import { createRequire } from "node:module";
import analyzerMessages from "@pulumi/pulumi/proto/analyzer_pb.js";
import structModule from "google-protobuf/google/protobuf/struct_pb.js";
import { describe, expect, test } from "vitest";
import { policies } from "../examples/policy/policies.ts";

type Answer = { getDiagnosticsList(): readonly { getPolicyname(): string; getMessage(): string }[] };
type Analyze = (call: { request: unknown }, callback: (error: unknown, answer: Answer) => void) => void;
const { makeAnalyzeRpcFun } = createRequire(import.meta.url)("@pulumi/policy/server.js") as {
  makeAnalyzeRpcFun(name: string, version: string, level: string, all: typeof policies): Analyze;
};
const analyze = makeAnalyzeRpcFun("shop", "1.0.0", "mandatory", policies);

/** What the pack says of a resource, each with its policy. */
function saysOf(type: string, properties: object): Promise<readonly string[]> {
  const request = new analyzerMessages.AnalyzeRequest();
  request.setType(type);
  request.setName("one");
  request.setUrn(`urn:pulumi:dev::project::${type}::one`);
  request.setOptions(new analyzerMessages.AnalyzerResourceOptions());
  request.setProperties(structModule.Struct.fromJavaScript(properties as never) as never);
  return new Promise((resolve, reject) =>
    analyze({ request }, (error, answer) => {
      if (error !== undefined) return reject(error);
      const found = answer.getDiagnosticsList();
      resolve(found.map((one) => `${one.getPolicyname()}: ${one.getMessage().split("\n").at(-1)}`));
    }),
  );
}

/** The types of a class: of dynamic resources, and of the plugin. */
const typesOf = (kind: string) => [`pulumi-nodejs:dynamic/shop:${kind}`, `shop:index:${kind}`];

describe.each(typesOf("Coupon"))("%s", (type) => {
  const off = (discount: number, more: object = {}) =>
    saysOf(type, { code: "SPRING", typeId: 1, discount, ...more });

  test("half of an order may be taken, and no more", async () => {
    expect(await off(50)).toEqual([]);
    expect(await off(50.5)).toEqual([
      "coupon-at-most: the coupon SPRING takes 50.5 %, at most 50 % is allowed",
    ]);
  });

  test("money is held against the smallest order", async () => {
    expect(await off(60, { typeId: 2, minPrice: 120 })).toEqual([]);
    expect(await off(60, { typeId: 2, minPrice: 100 })).toEqual([
      "coupon-at-most: the coupon SPRING takes 60 of an order of 100, at most 50 % is allowed: raise minPrice",
    ]);
    expect(await off(60, { typeId: 2 })).toHaveLength(1);
  });
});

describe.each(typesOf("Product"))("%s", (type) => {
  const mug = (price: number, oldPrice?: number) => ({ sku: "MUG", price, ...(oldPrice && { oldPrice }) });

  test.each([
    ["a list", (one: object) => [one]],
    ["by sku", (one: object) => ({ MUG: one })],
  ])("a price may be where it is, and no cut too deep (%s)", async (_shape, shaped) => {
    const said = (one: object) => saysOf(type, { title: "Mug", variants: shaped(one) });
    expect(await said(mug(40, 100))).toEqual([]);
    expect(await said(mug(39, 100))).toEqual([
      "price-cut-at-most: MUG: 100 -> 39 is 61 % less, at most 60 % is allowed",
    ]);
    expect(await said(mug(100, 100))).toEqual([
      "price-cut-at-most: MUG: oldPrice 100 isn't above the price, 100",
    ]);
    expect(await said(mug(0.5))).toEqual(["price-between: MUG: the price 0.5 is not between 1 and 10000"]);
    expect(await said(mug(10_001))).toHaveLength(1);
  });

  test("a product without variants has no price to look at", async () => {
    expect(await saysOf(type, { title: "Mug" })).toEqual([]);
  });
});

test("what is of another type is none of the pack's business", async () => {
  expect(await saysOf("aws:s3/bucket:Bucket", { discount: 99, typeId: 1 })).toEqual([]);
});
