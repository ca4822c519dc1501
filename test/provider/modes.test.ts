// The meaning of each field mode, and fields by role.
import { expect, test } from "vitest";
import { integer, nested, text } from "../../provider/definition/define.ts";
import {
  fieldOf,
  isArgument,
  isClientOnly,
  isCompared,
  isComputed,
  isOutput,
  isRead,
  isRequired,
  isReturnedArgument,
  isSent,
  isStored,
  type Mode,
} from "../../provider/definition/field.ts";
import { decode } from "../../provider/wire/codec.ts";
import { parse } from "../../provider/wire/xml.ts";
import { kindOf } from "./kind.ts";

const meanings = {
  isRequired,
  isArgument,
  isReturnedArgument,
  isOutput,
  isStored,
  isComputed,
  isCompared,
  isSent,
  isRead,
  isClientOnly,
};
const returned = [
  "isArgument",
  "isReturnedArgument",
  "isOutput",
  "isStored",
  "isCompared",
  "isSent",
  "isRead",
];

test.each<[mode: Mode, means: readonly string[]]>([
  ["required", ["isRequired", ...returned]],
  ["optional", returned],
  ["computed", ["isOutput", "isStored", "isComputed", "isRead"]],
  ["body", ["isArgument", "isCompared", "isSent", "isRead"]],
  ["program", ["isArgument", "isCompared"]],
  ["client", ["isCompared", "isSent", "isClientOnly"]],
  ["derived", ["isOutput"]],
])("%s: %j", (mode, means) => {
  const found = Object.entries(meanings).filter(([, isSo]) => isSo({ mode, writeOnly: undefined } as never));
  expect(found.map(([name]) => name)).toEqual(means);
});

test("a write-only field isn't read", () => {
  expect([isRead({ mode: "optional", writeOnly: true }), isRead({ mode: "optional" })]).toEqual([
    false,
    true,
  ]);
});

test("fieldOf finds a field by its role", () => {
  const fields = { name: text({ role: "title" }), price: integer({ role: "price" }) };
  expect(fieldOf(fields, "price")).toEqual(["price", fields.price]);
  expect(fieldOf(fields, "cost")).toBeUndefined();
});

test("a nested object is read and never sent", () => {
  const thing = kindOf("Thing", {
    id: integer({ mode: "computed" }),
    inner: nested({ width: integer({ mode: "computed" }) }),
  });
  expect(thing.fields.inner).toMatchObject({ mode: "computed", type: "nested" });
  const read = (body: string) => decode(thing, parse(`<thing>${body}</thing>`).value);
  expect(read("<inner><width>3</width></inner>")).toEqual({ values: { inner: { width: 3 } }, unknown: [] });
  expect(read("<inner><height>3</height></inner>")).toEqual({
    values: { inner: {} },
    unknown: ["inner/height"],
  });
  expect(read("")).toEqual({ values: {}, unknown: [] });
});
