import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldText, isFieldText, pathIn, pathText } from "../../engine/pulumi/path.ts";

const name = fc.stringMatching(/^[a-z]\w*$/);
// A key may be any text with brackets and dots, unless it looks like the rest of a path.
const key = fc.string().filter((text) => !text.includes("]"));
const path = fc
  .tuple(name, fc.option(fc.tuple(key, fc.option(fc.tuple(name, fc.option(key, { nil: undefined }))))))
  .map(([top, rest]) => [top, ...(rest ?? [])].flat(2).filter((step) => typeof step === "string"));

test("pathIn parses what pathText prints", () => {
  fc.assert(fc.property(path, (keys) => void expect(pathIn(pathText(keys))).toEqual(keys)));
});

test.each<[text: string, keys: readonly string[], field: string, isField: boolean]>([
  ["title", ["title"], "title", true],
  ["variants[S1]", ["variants", "S1"], "variants", false],
  ["variants[S[1].a].price", ["variants", "S[1].a", "price"], "variants.price", true],
  [
    "variants[S1].options[Size].value",
    ["variants", "S1", "options", "Size", "value"],
    "variants.options.value",
    true,
  ],
  ["content: colors.link", ["content: colors.link"], "content: colors.link", false],
  ["file.sha256", ["file.sha256"], "file.sha256", false],
])("the keys of %s", (text, keys, field, isField) => {
  expect([pathIn(text), fieldText(text), isFieldText(text)]).toEqual([keys, field, isField]);
});
