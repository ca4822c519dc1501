// A secret is found in a text however it got there: whole, quoted, encoded, cut, or as a line of a longer one.
import { describe, expect, test } from "vitest";
import { markedOutputs, maskOf } from "../../provider/values/secrecy.ts";
import { printableLine } from "../../provider/wire/printable.ts";

const mask = (value: unknown) => maskOf([{ __secret: "x", x: value, other: "plain words" }]);

describe("a text", () => {
  const secret = 'pa"ss wörd/47';
  test.each([
    ["as it is", secret],
    ["quoted", JSON.stringify(secret)],
    ["in an address", `https://shop.test/?q=${encodeURIComponent(secret)}`],
    ["in capitals", secret.toUpperCase()],
    ["cut", printableLine(`${"a ".repeat(246)}${secret}`)],
  ])("%s", (_how, text) => {
    const shown = mask(secret)(`before ${text} after`);
    expect(shown).toContain("[secret]");
    expect(shown).not.toMatch(/wörd|w%C3%B6rd|WÖRD|pa"ss/);
    expect(shown).toMatch(/^before .* after$/);
  });

  test("that is long, by each of its lines and by what a limit leaves of it", () => {
    const long = `const key = "k9-LmQ2-77xz";\n${Array.from({ length: 40 }, (_none, at) => `line ${at} of it`).join("\n")}`;
    const shown = mask(long);
    expect(shown('error in `const key = "k9-LmQ2-77xz";`, line 1')).toBe("error in `[secret]`, line 1");
    expect(shown(`${long.slice(0, 80)}...`)).not.toContain("k9-");
    expect(shown("a message of its own")).toBe("a message of its own");
  });

  test("that is a word of other words is left in them", () => {
    expect(mask("red")("the color red is required")).toBe("the color [secret] is required");
  });
});

describe("a number", () => {
  test.each([
    [180, "expected 180, got 180.0", "expected [secret], got [secret]"],
    [12.5, "12.50 and 12.5 and 112.5 and 12.55", "[secret] and [secret] and 112.5 and 12.55"],
    [740, "Product 7401 costs 740.", "Product 7401 costs [secret]."],
    [7, "line 7", "line 7"],
  ])("%d", (value, text, shown) => {
    expect(mask(value)(text)).toBe(shown);
  });
});

test("what a shop makes of a secret is one among the outputs", () => {
  const values = [{ __secret: "filename", filename: "q3-prices.csv" }];
  const outs = markedOutputs(
    { id: 1, absoluteUrl: "https://shop.test/f/1/q3-prices.csv", sha256: "ab" },
    values,
  );
  expect(outs).toEqual({
    id: 1,
    absoluteUrl: {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "https://shop.test/f/1/q3-prices.csv",
    },
    sha256: "ab",
  });
});

test("without a secret nothing changes", () => {
  expect(maskOf([{ x: "plain" }])("plain")).toBe("plain");
});
