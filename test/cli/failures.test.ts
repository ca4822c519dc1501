// A reason that fails many resources is shown once, with all of them.
import { expect, test } from "vitest";
import { wrongText } from "../../engine/index.ts";
import { CancelledError } from "../../provider/inventory/index.ts";
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
    `Coupon "c1"\nCoupon "c2"\nCoupon "c3"\nCoupon "c4"\nand 3 more\n  ${refused(1)}`,
  ]);
});

test("a reason that several kinds share names the request of none of them", () => {
  const lost =
    "was sent, but its answer was lost: the shop answered 500. It may have happened; run refresh, then up";
  const failures = [
    { urn: urn("c1"), message: `Coupon: POST /admin/discount_codes.xml ${lost}` },
    { urn: urn("f1").replace("Coupon", "File"), message: `File: POST /admin/files.xml ${lost}` },
  ];
  expect(failureTexts(failures)).toEqual([`Coupon "c1"\nFile "f1"\n  each request ${lost}`]);
});

test("changes that waited when the run was stopped are one reason, without anybody's request", () => {
  const waited = (id: number) =>
    new CancelledError({ kind: "Coupon", objectId: String(id), method: "PUT", path: `/admin/${id}.xml` })
      .message;
  expect(failureTexts([1, 2].map((id) => ({ urn: urn(`c${id}`), message: waited(id) })))).toEqual([
    'Coupon "c1"\nCoupon "c2"\n  the run was stopped before the next request for it was sent',
  ]);
});

test("different reasons stay apart, each with its resource", () => {
  expect(
    failureTexts([
      { urn: urn("a"), message: "title is required" },
      { urn: urn("b"), message: "code is required" },
      { urn: urn("c"), message: "title is required" },
    ]),
  ).toEqual(['Coupon "a"\nCoupon "c"\n  title is required', 'Coupon "b"\n  code is required']);
});

test("a program that fails by itself has no resource to name", () => {
  const message = "the program failed: TypeError: x\n  at file:///p/index.ts:1:1";
  expect(failureTexts([{ urn: undefined, message }])).toEqual([message]);
});

const wrong = (name: string, ...all: readonly (readonly [string, string])[]) => {
  const arguments_ = all.map(([property, reason]) => ({ property, reason }));
  return { urn: urn(name), message: wrongText(name, arguments_), wrong: arguments_ };
};
const noNumber = "must be a number (12.5), also as a string";

test("a thousand equal mistakes are one line, with how many there are and what was given", () => {
  const sheet = Array.from({ length: 1000 }, (_, index) =>
    wrong(`p-${index}`, [`variants[P${index}-A].price`, `${noNumber}; got "${index},99"`]),
  );
  const other = wrong("z", ["variants[0].price", `${noNumber}; got "1,1"`], ["title", "is required"]);
  // In the program's order, whatever failed first.
  expect(failureTexts([...sheet.toReversed(), other])).toEqual([
    [
      'Coupon "p-0"  variants[P0-A].price: got "0,99"',
      'Coupon "p-1"  variants[P1-A].price: got "1,99"',
      'Coupon "p-2"  variants[P2-A].price: got "2,99"',
      'Coupon "p-3"  variants[P3-A].price: got "3,99"',
      "and 997 more",
      "  variants.price: expected a number (12.5), also as a string",
    ].join("\n"),
    'Coupon "z"\n  title: is required',
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
    'Coupon "a"\nCoupon "b"\n  title: is required',
    'Coupon "d"  parts[1].code: got true\nCoupon "e"  parts[0].code: got ""\n  parts.code: expected a number (12.5), also as a string',
    'Coupon "c"\n  code: is required',
  ]);
});
