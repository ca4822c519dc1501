// A reason that fails many resources is told once, with whom it met.
import { expect, test } from "vitest";
import { failureTexts } from "../../runs/report/failures.ts";

const urn = (name: string) => `urn:pulumi:dev::user::pulumi-nodejs:dynamic/shop:Coupon::${name}`;
const refused = (id: number) =>
  `Coupon ${id}: PUT /admin/discount_codes/${id}.xml was rejected: the shop doesn't know these credentials. Check them`;

test("wrong credentials are one failure, whatever they met", () => {
  const failures = [
    ...[1, 2, 3, 4, 5, 6, 7].map((id) => ({ urn: urn(`c${id}`), message: refused(id) })),
    {
      urn: undefined,
      message:
        "the program failed: Theme: GET /admin/themes.xml was rejected: the shop doesn't know these credentials. Check them",
    },
  ];
  expect(failureTexts(failures)).toEqual([
    `Coupon c1, Coupon c2, Coupon c3, Coupon c4 and 3 more: ${refused(1)}`,
  ]);
});

test("different reasons stay apart, each with its resource", () => {
  expect(
    failureTexts([
      { urn: urn("a"), message: "title is required" },
      { urn: urn("b"), message: "code is required" },
      { urn: urn("c"), message: "title is required" },
    ]),
  ).toEqual(["Coupon a, Coupon c: title is required", "Coupon b: code is required"]);
});

test("a program that fails by itself has no resource to name", () => {
  const message = "the program failed: TypeError: x\n  at file:///p/index.ts:1:1";
  expect(failureTexts([{ urn: undefined, message }])).toEqual([message]);
});
