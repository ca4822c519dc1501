// Generated code has the original values, and no invisible characters.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fileName, folderName, numberedFile, print, quote, slug, variable } from "../../cli/pull/code.ts";

const read = (code: string): unknown => new Function(`return (${code});`)();

const texts = fc.oneof(
  fc.string({ unit: "binary", maxLength: 600 }),
  fc
    .array(
      fc.constantFrom(
        "<p>",
        "word ",
        "`",
        ["$", "{x}"].join(""),
        "\\",
        "\n",
        "\r",
        "\u2028",
        " ",
        "</p><li>",
      ),
      {
        maxLength: 200,
      },
    )
    .map((parts) => parts.join("")),
);

describe("code", () => {
  test("means the value that it was made of, and shows every letter", () => {
    fc.assert(
      fc.property(fc.object({ values: [texts, fc.integer(), fc.boolean()], maxDepth: 2 }), (value) => {
        // A key of this name would set the prototype.
        fc.pre(!JSON.stringify(value).includes("__proto__"));
        const code = print(value);
        expect(read(code)).toEqual(value);
        expect(code).not.toMatch(/(?![ \n])[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u);
      }),
    );
    expect(quote("gnp.\u202ea\u200b\u00a0")).toBe(String.raw`"gnp.\u202Ea\u200B\u00A0"`);
  });

  test("of a long text has lines, so that an edit of a block is a line of a diff", () => {
    const html = (word: string) =>
      `<p>${"lorem ipsum ".repeat(12)}</p><ul><li>${word}</li><li>${"dolor sit ".repeat(12)}</li></ul>`;
    const [before, after] = [print(html("red")).split("\n"), print(html("blue")).split("\n")];
    expect(Math.max(...before.map((line) => line.length))).toBeLessThan(120);
    expect(before.filter((line) => !after.includes(line))).toEqual(["<li>red</li>\\"]);
  });
});

describe("names", () => {
  test("of files stay in their folder, fit a disk, and say nothing unseen; a number goes before the extension", () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const name of [fileName(text), folderName(text)]) {
          expect(name).toMatch(/^[\p{L}\p{M}\p{N}._ -]+$/u);
          expect(name).not.toMatch(
            /^\.|[. ]$|^(con|nul|aux|prn|com\d|lpt\d)(\.|$)|\p{Default_Ignorable_Code_Point}/iu,
          );
          expect(Buffer.byteLength(name)).toBeLessThan(256);
        }
        expect(slug(text)).not.toBe("");
        read(`{ const ${variable(text)} = 1; }`.replace(/^\{/, "(() => {").replace(/\}$/, "})()"));
      }),
    );
    expect(fileName(`${"\u6f22".repeat(300)}.liquid`)).toMatch(/\.liquid$/);
    expect(numberedFile("files/a.min.js", 2)).toBe("files/a-2.min.js");
    expect(slug("a\u200bb")).toBe("ab");
  });
});
