// A secret is found in a text however it got there: whole, quoted, encoded, cut, or as a line of a longer one.
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import {
  isBodySecret,
  isSecretPath,
  markedInputs,
  markedOutputs,
  maskOf,
  secretsOf,
  shownPath,
} from "../../provider/change/secrets.ts";
import { printableLine, unknownValue } from "../../provider/wire/text.ts";

const mask = (value: unknown) => maskOf([{ __secret: "x", x: value, other: "plain words" }]);

describe("a text", () => {
  const secret = 'pa"ss wörd/47';
  test.each([
    ["as it is", secret],
    ["quoted", JSON.stringify(secret)],
    ["inside of what is quoted", JSON.stringify(`is ${secret}!`)],
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

  test("that a program joined to an Output leaves the words alone with which the SDK stands in for it", () => {
    const output = pulumi.output(1);
    for (const words of [String(output), JSON.parse(JSON.stringify(output))])
      expect(
        mask(`k9-LmQ2-77xz ${words} 55-PqR`)(
          "use pulumi.interpolate, not k9-LmQ2-77xz, See https://www.pulumi.com",
        ),
      ).toBe("use pulumi.interpolate, not [secret], See https://www.pulumi.com");
  });

  test.each([
    [
      "of up to five characters is left in other words",
      "crane",
      "a crane, cranes, mycrane",
      "a [secret], cranes, mycrane",
    ],
    ["from six on is hidden in them as well", "cranes", "mycranes and Cranes2", "my[secret] and [secret]2"],
    ["has its blanks left off", "  heron\n", "the heron, herons", "the [secret], herons"],
    [
      "that is too short without its blanks is hidden with them alone",
      " ab ",
      "an ab, about",
      "an ab, about",
    ],
    ["of two characters is a word of any message", "ab", "an ab", "an ab"],
    ["of three isn't", "abc", "an abc", "an [secret]"],
    ["may be what a pattern has a meaning for", "a.c*(1)", "a.c*(1), abcc(1)", "[secret], abcc(1)"],
    [
      "that isn't known yet is not what stands for it",
      unknownValue,
      `is ${unknownValue}`,
      `is ${unknownValue}`,
    ],
  ])("%s", (_what, secret, text, shown) => {
    expect(mask(secret)(text)).toBe(shown);
  });

  test("that is a part of another is hidden with it, and two that overlap as one", () => {
    expect(mask(["crane-1", "crane-1-heron"])("is crane-1-heron")).toBe("is [secret]");
    expect(mask(["crane-heron", "heron-swift"])("is crane-heron-swift.")).toBe("is [secret].");
  });

  test("is found in a list and an object, under each name that any of the values marks; nothing else is", () => {
    const values = [
      { __secret: "one,two", one: [{ deep: { text: "heron-1" } }, true, null], two: 4711, three: "swift-1" },
      { __secret: "four", one: "crane-1", two: undefined, three: "swift-2", four: "stork-1" },
    ];
    expect(maskOf(values)("heron-1 4711 swift-1 crane-1 swift-2 stork-1 true null")).toBe(
      "[secret] [secret] swift-1 [secret] swift-2 [secret] true null",
    );
  });

  test("of a secret file is found as one that the values hold", () => {
    expect(maskOf([{ __secret: "file", file: "a/b.txt" }], ["heron-1\nof the file"])("b: of the file")).toBe(
      "b: [secret]",
    );
  });
});

describe("what is left of a secret", () => {
  const long = "The-quick-brown-fox/jumps over 1 lazy dog";
  test.each([
    ["a part of sixteen characters", `at ${long.slice(5, 21)}!`, "at [secret]!"],
    ["all of a longer part, and what stands around it", `at ${long.slice(2, 30)}!`, "at [secret]!"],
    [
      "a part at the very beginning and one at the end",
      `${long.slice(3, 20)} or ${long.slice(-17)}`,
      "[secret] or [secret]",
    ],
    ["fifteen characters at its end: words", `at:${long.slice(-15)}`, `at:${long.slice(-15)}`],
    ["of fifteen characters: words", `at ${long.slice(5, 20)}!`, `at ${long.slice(5, 20)}!`],
    ["two parts side by side", `${long.slice(0, 16)}${long.slice(20, 36)}`, "[secret][secret]"],
  ])("%s", (_what, text, shown) => {
    expect(mask(long)(text)).toBe(shown);
  });

  test("is not a run of a few characters, which any text has", () => {
    const line = (characters: string) => characters.repeat(8);
    expect(mask(`${line("=-+~.")}1`)(`${line("=-+~.")}`)).toBe(line("=-+~."));
    expect(mask(`${line("=-+~.:")}1`)(`${line("=-+~.:")}`)).toBe("[secret]");
  });

  test("is each line of eight characters, without what it is indented by; shorter ones are words", () => {
    const shown = mask("begin:\n  a: 12345\n\tb: 1234\nend");
    expect(shown("begin: <a: 12345> b: 1234 end, a: 12345")).toBe("begin: <[secret]> b: 1234 end, [secret]");
    // Longer than a pattern can be, and of too few characters to be told by a part.
    expect(mask("=-".repeat(40_000))(`${"=-".repeat(40_000)} and =-=-`)).toBe("[secret] and =-=-");
  });

  test.each([
    ["its beginning", "hunter-seven", "got hunter-s...", "got [secret]..."],
    ["its beginning, before either mark of a cut", "hunter-seven", "got hunter-s…", "got [secret]…"],
    [
      "its beginning in each of several",
      "hunter-seven",
      "hunte... and hunter...",
      "[secret]... and [secret]...",
    ],
    ["all of it, and nothing before", "hunter-seven", "it is hunter-seven...", "it is [secret]..."],
    [
      "all of it, and not what stands behind",
      "hunter-seven",
      "hunter-seven now... hunter-seven! ...",
      "[secret] now... [secret]! ...",
    ],
    ["all of it, before one more letter", "hunter-seven", "a hunter-sevenX...", "a [secret]X..."],
    ["four characters of it", "hunter-seven", "got hunt... and hun...", "got [secret]... and hun..."],
    ["what isn't cut is a word", "hunter-seven", "a... hunter", "a... hunter"],
    ["a number", 7_654_321, "got 7654...", "got [secret]..."],
    ["what has such a mark itself", "hun1...Xy9z", "hun1...Xy9z, got hun1...Xy9z", "[secret], got [secret]"],
    ["what has one, cut behind it", "hun1...Xy9z", "got hun1...Xy...", "got [secret]..."],
    ["what has one, cut at it", "hun1...Xy9z", "got hun1...", "got [secret]..."],
  ])("before a cut: %s", (_what, secret, text, shown) => {
    expect(mask(secret)(text)).toBe(shown);
  });
});

describe("a number", () => {
  test.each([
    [180, "expected 180, got 180.0", "expected [secret], got [secret]"],
    [12.5, "12.50 and 12.5 and 112.5 and 12.55", "[secret] and [secret] and 112.5 and 12.55"],
    [740, "Product 7401 costs 740.", "Product 7401 costs [secret]."],
    [1.25, "1.25 1.250 11.25 1.251 0.1.25", "[secret] [secret] 11.25 1.251 0.1.25"],
    [180, "180, 180.00; 180.5 180,5 1,180 2180", "[secret], [secret]; 180.5 180,5 1,180 2180"],
    [7, "line 7", "line 7"],
    [17, "line 17", "line 17"],
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

describe("among what a call gives back", () => {
  const isMarked = (value: unknown) => typeof value === "object" && value !== null && "value" in value;
  const markedOf = (outs: Record<string, unknown>) =>
    Object.keys(outs).filter((name) => isMarked(outs[name]));
  const values = [{ __secret: "key,list", key: "heron-1", list: [{ sku: "swift-1", quantity: 4 }] }];

  test("what has a secret's name is one, and what holds one, in a list or an object", () => {
    const outs = {
      key: "anything",
      list: [],
      path: "a/heron-1",
      items: [{ of: ["x", "swift-1"] }],
      other: ["heron-2", 1, null, true, { none: undefined }],
      none: undefined,
      __seen: "heron-1",
      __order: { list: ["swift-1"] },
    };
    expect(markedOf(markedOutputs(outs, values))).toEqual(["key", "list", "path", "items", "__order"]);
    expect(markedOutputs({ key: undefined }, values)).toEqual({ key: undefined });
    expect(markedOutputs({ path: "a/heron-1" }, [{ key: "heron-1" }])).toEqual({ path: "a/heron-1" });
  });

  test("of arguments that were read only the keys of a secret list", () => {
    const inputs = { key: "heron-1", __order: { list: ["swift-1"] } };
    expect(markedOf(markedInputs(inputs, values))).toEqual(["__order"]);
    const plain = { key: "heron-1", __order: { list: ["swift-2"] } };
    expect(markedInputs(plain, values)).toEqual(plain);
    expect(markedInputs({ key: "heron-1" }, values)).toStrictEqual({ key: "heron-1" });
  });
});

describe("a path", () => {
  const args = { __secret: "variants,,content" };

  test("is secret by what it begins with; a body is under each of its names", () => {
    expect(secretsOf(args)).toEqual(["variants", "content"]);
    expect(secretsOf({})).toEqual([]);
    const paths = ["variants", "variants[A].price", "title", "content", "file", "url"];
    expect(paths.filter((path) => isSecretPath(args, path))).toEqual([
      "variants",
      "variants[A].price",
      "content",
      "file",
    ]);
    expect(isBodySecret(args)).toBe(true);
    const none = { __secret: "variants" };
    expect([isBodySecret(none), isSecretPath(none, "content")]).toEqual([false, false]);
  });

  test("of a secret list is shown without the item's key", () => {
    expect([shownPath(args, "variants[A].price"), shownPath(args, "images[A].url")]).toEqual([
      "variants",
      "images[A].url",
    ]);
  });
});

test("without a secret nothing changes", () => {
  expect(maskOf([{ x: "plain" }])("plain")).toBe("plain");
});
