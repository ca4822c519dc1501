// A reason that fails many resources is told once, with whom it met.
import { expect, test } from "vitest";
import { wrongText } from "../../engine/index.ts";
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

const wrong = (name: string, ...all: readonly (readonly [string, string])[]) => {
  const arguments_ = all.map(([property, reason]) => ({ property, reason }));
  return { urn: urn(name), message: wrongText(name, arguments_), wrong: arguments_ };
};
const noNumber = "must be a number, or its decimals as a string";

test("a thousand equal mistakes are one line, with how many there are and what was given", () => {
  const sheet = Array.from({ length: 1000 }, (_, index) =>
    wrong(`p-${index}`, [`variants[P${index}-A].price`, `${noNumber}; got "${index},99"`]),
  );
  const other = wrong("odd", ["variants[0].price", `${noNumber}; got "1,1"`], ["title", "is required"]);
  expect(failureTexts([...sheet, other])).toEqual([
    `Coupon: variants.price "0,99" (P0-A), "1,99" (P1-A), "2,99" (P2-A) and 998 more: ${noNumber}`,
    "Coupon odd: invalid argument:\n  odd.title: is required",
  ]);
});

test("equal mistakes without a value are told with their resources, different ones by themselves", () => {
  const failures = [
    wrong("a", ["title", "is required"]),
    wrong("b", ["title", "is required"]),
    wrong("c", ["code", "is required"]),
    wrong("d", ["parts[1].code", `${noNumber}; got true`]),
    wrong("e", ["parts[0].code", `${noNumber}; got ""`]),
  ];
  expect(failureTexts(failures)).toEqual([
    "Coupon a, Coupon b: title: is required",
    `Coupon: parts.code true (d.parts[1]), "" (e.parts[0]): ${noNumber}`,
    "Coupon c: invalid argument:\n  c.code: is required",
  ]);
});
