// Whether the name that a program gives a file is another than the one under which the shop serves it.
import { expect, test } from "vitest";
import { integer, text } from "../../provider/definition/define.ts";
import { differences, servedName } from "../../provider/values/diff.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { pathText } from "../../pulumi/path.ts";
import { kindOf, shownBody } from "./kind.ts";

const page = kindOf(
  "Page",
  {
    name: text(),
    theme: integer(),
    filename: text({ mode: "program" } as never),
    at: text({ mode: "computed" }),
  },
  { body: { ...shownBody, name: "filename" } },
);
const differing = (state: Values, args: Values) => differences(page, state, args).map(pathText);

test("a file's name is no difference where the shop serves it under that name already", () => {
  const served = { sha256: "x", at: "https://a.test/files/cup.png?v=1" };
  expect(differing(served, { filename: "cup.png" })).toEqual([]);
  expect(differing(served, { filename: "mug.png" })).toEqual(["filename"]);
  expect(differing({ ...served, filename: "old.png" }, { filename: "cup.png" })).toEqual(["filename"]);
  expect(servedName(page, {})).toBeUndefined();
});
