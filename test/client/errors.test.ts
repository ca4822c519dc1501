// The contents of client errors, and safe output of a shop's texts.
import { describe, expect, test } from "vitest";
import * as errors from "../../provider/client/errors.ts";
import { WindowClosedError } from "../../provider/client/limiter.ts";
import { BodyError } from "../../provider/client/receive.ts";
import { ArgumentError, ValueError } from "../../provider/wire/codec.ts";
import { printable, printableJson, printableLine } from "../../provider/wire/text.ts";
import { DocumentError } from "../../provider/wire/xml.ts";

type Any = new (...values: readonly unknown[]) => Error;
const about = {
  kind: "Coupon",
  objectId: "7",
  method: "PUT",
  path: "/admin/discount_codes/7.xml",
  status: 422,
};

/** Each class, with arguments for its constructor. */
const all = [
  ...Object.values(errors)
    .filter((one) => typeof one === "function")
    .map((one) => {
      const made = one as unknown as Any;
      // A class with one argument takes an About; the others take a text or more before it.
      const values = [[about], ["x", about], ["x", "y", about], ["x", "y", about, "z"]][one.length - 1] ?? [];
      return [one.name, () => new made(...values)] as const;
    }),
  ["DocumentError", () => new DocumentError("x")],
  ["ValueError", () => new ValueError("price", "x")],
  ["ArgumentError", () => new ArgumentError("x")],
  ["BodyError", () => new BodyError("x", true)],
  ["WindowClosedError", () => new WindowClosedError("x")],
] as const;

describe("an error of the client", () => {
  test("this file tests every error class", () => {
    expect(all.length).toBeGreaterThan(18);
  });

  test.each(all)("%s has no field that Pulumi takes for a failed initialisation", (_name, make) => {
    const error = make() as unknown as Readonly<Record<string, unknown>>;
    for (const name of ["id", "reasons", "properties"]) expect(name in error, name).toBe(false);
  });

  test("an error has the object's id in a field and in its message", () => {
    const error = new errors.ValidationError(about);
    expect(error.objectId).toBe("7");
    expect(error.message).toMatch(/^Coupon 7: PUT /);
  });
});

describe("a shop's words", () => {
  const esc = String.fromCharCode(0x1b);
  const hostile = [
    `${esc}]52;c;ZXZpbA==\u0007`,
    `${esc}[2J`,
    "\u009b31m",
    "a\u2028b",
    "\u202Eevil",
    "\u2066x\u2069",
    "\u0000",
    "\r::stop-commands::x",
    "\n::stop-commands::x",
    "\n  ::error::x",
    "##[add-mask]x",
    "##vso[task.setvariable]x",
    "\ud800",
  ];

  // Control characters except tab and line feed, separators, and direction marks.
  const acts = (character: string) =>
    /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(character) && !/[\t\n]/.test(character);

  test.each(hostile)("%j is harmless in a terminal and in a CI log", (word) => {
    const { message } = new errors.ValidationError({ ...about, messages: [word] });
    for (const text of [message, printable(word), printableLine(word)]) {
      expect([...text].filter(acts)).toEqual([]);
      expect(text).not.toMatch(/^\s*::/m);
      expect(text).not.toMatch(/##(vso)?\[/);
      expect(text.isWellFormed()).toBe(true);
    }
    expect(printable(printable(word))).toBe(printable(word));
  });

  test("control characters are shown as escapes", () => {
    expect(printable(`a${esc}[31mb`)).toBe("a\\u001b[31mb");
    expect(printable("a\r\nb\u200b\ud800c")).toBe("a\\r\nb\\u200b\\ud800c");
    expect(printable("x\n::warning::y")).toBe("x\n\\::warning::y");
    expect(printable("Скидка 10 %\n\tдо 1::2, 👩‍🚀")).toBe("Скидка 10 %\n\tдо 1::2, 👩‍🚀");
  });

  test("a JSON line keeps the meaning of control characters as escapes", () => {
    const text = `a${esc}[31m\u2028 ##[error]##vso[x ## ##a`;
    const line = printableJson(JSON.stringify({ text }));
    expect(line).toBe('{"text":"a\\u001b[31m\\u2028 \\u0023#[error]\\u0023#vso[x ## ##a"}');
    expect(JSON.parse(line)).toEqual({ text });
  });

  test("printableLine cuts only texts longer than the limit", () => {
    expect(printableLine("a\n\tb", 4)).toBe("a\\n b");
    expect(printableLine("a\n\tbc", 4)).toBe("a\\n b...");
    expect(printableLine("x".repeat(500))).toBe("x".repeat(500));
    expect(printableLine("x".repeat(501))).toBe(`${"x".repeat(500)}...`);
  });
});
