// Parsing and printing documents, and their limits.
import { describe, expect, test } from "vitest";
import { decimal, integer, items, text } from "../../provider/definition/define.ts";
import { decode, encode, identifierOf, ValueError } from "../../provider/wire/codec.ts";
import { lastPart, withLineFeeds } from "../../provider/wire/text.ts";
import { DocumentError, parse, parseJson, print, printJson, textOf } from "../../provider/wire/xml.ts";
import { kindOf } from "../provider/kind.ts";
import { campaignTest } from "../support/campaign.ts";

const read = (content: string) => parse(`<a>${content}</a>`).value;

describe("an XML reference is decoded once", () => {
  test.each([
    "&#0;",
    "&#8;",
    "&#11;",
    "&#12;",
    "&#14;",
    "&#31;",
    "&#xD800;",
    "&#xDFFF;",
    "&#xFFFE;",
    "&#xFFFF;",
    "&#x110000;",
  ])("%s is a character that XML can't carry", (content) => {
    expect(() => read(content)).toThrow("malformed character entity");
  });
});

describe("XML", () => {
  test("XML tags may end with blanks", () => {
    expect(parse('<a ><b\n/><c\t d = "1" >2</c ></a\n>').value).toEqual({
      b: [""],
      c: [{ "@d": "1", "#text": "2" }],
    });
  });

  test("an XML tag with more than a hundred attributes is rejected", () => {
    const tag = (count: number) =>
      `<a ${Array.from({ length: count }, (_none, index) => `b${index}="1"`).join(" ")}/>`;
    expect(Object.keys(parse(tag(100)).value)).toHaveLength(100);
    expect(() => parse(tag(101))).toThrow("it has a tag with more than 100 attributes");
  });

  test("XML nested deeper than fifty levels is rejected", () => {
    const nest = (depth: number) => `${"<a>".repeat(depth)}${"</a>".repeat(depth)}`;
    expect(() => parse(nest(50))).not.toThrow();
    expect(() => parse(nest(51))).toThrow("it nests deeper than 50");
  });

  campaignTest("XML with more than half a million elements is rejected", () => {
    expect(parse(`<a>${"<b/>".repeat(499_999)}</a>`).root).toBe("a");
    expect(() => parse(`<a>${"<b/>".repeat(500_000)}</a>`)).toThrow("it has more than 500000 elements");
  });
});

describe("JSON", () => {
  test.each<[json: string, wire: unknown]>([
    ["1.50", "1.5"],
    ["true", "true"],
    ['"a_b"', "a_b"],
    ["null", { "@nil": "true" }],
    ['{"a_b_c":1,"d":{"e":null}}', { "a-b-c": ["1"], d: [{ e: [{ "@nil": "true" }] }] }],
    ["[1,2]", { thing: ["1", "2"] }],
    ['{"part_list":[{"code":"x"}]}', { "part-list": [{ part_list: [{ code: ["x"] }] }] }],
    ["{}", {}],
    ["[]", { thing: [] }],
  ])("%s", (json, wire) => {
    expect(parseJson(json, "thing")).toEqual(wire);
  });

  test("invalid JSON is rejected with the reason", () => {
    const attempt = () => parseJson("{", "thing");
    expect(attempt).toThrow(DocumentError);
    expect(attempt).toThrow(/^it is not JSON: .+/);
    try {
      attempt();
    } catch (error) {
      expect((error as Error).cause).toBeInstanceOf(SyntaxError);
    }
  });

  test("JSON nested deeper than fifty levels is rejected", () => {
    const lists = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
    for (const nest of [lists, objects]) {
      expect(() => parseJson(nest(50), "x")).not.toThrow();
      expect(() => parseJson(nest(52), "x")).toThrow("it nests deeper than 50");
    }
  });

  describe("JSON with more than half a million values is rejected", () => {
    const filled = (part: string, count: number) => `[${`${part},`.repeat(count)}0]`;

    test.each([
      ["in a list", () => filled("0", 499_999)],
      ["lists", () => filled("[]", 250_000)],
      ["objects", () => filled("{}", 250_000)],
      ["after a text that ends in a backslash", () => `["\\\\"${",0".repeat(500_000)}]`],
    ])("one more is refused: %s", (_what, body) => {
      expect(() => parseJson(body(), "x")).toThrow("it has more than 500000 values");
    });
  });
});

describe("values are printed", () => {
  const fields = {
    "a-b": "x<y & z>\r\n\"'",
    none: null,
    inner: { c: "1" },
    list: { item: "part", items: ["1", null, { code: "x" }] },
    empty: "",
  };

  test("values are printed as XML", () => {
    expect(print("a-thing", fields)).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><a-thing><a-b>x&lt;y &amp; z&gt;&#13;\n"\'</a-b><none nil="true"/>' +
        '<inner><c>1</c></inner><list type="array"><part>1</part><part nil="true"/><part><code>x</code></part></list><empty/></a-thing>',
    );
  });

  test("values are printed as JSON with underscores in names", () => {
    expect(JSON.parse(printJson("a-thing", fields))).toEqual({
      a_thing: {
        a_b: "x<y & z>\r\n\"'",
        none: null,
        inner: { c: "1" },
        list: ["1", null, { code: "x" }],
        empty: "",
      },
    });
  });
});

describe("a value", () => {
  test("a value has a text unless it is nil", () => {
    expect(
      ["x", "", { "@nil": "true" }, { "@nil": "false", "#text": "y" }, { b: ["1"] }].map(textOf),
    ).toEqual(["x", "", undefined, "y", ""]);
  });
});

describe("an object is read", () => {
  const thing = kindOf("Thing", {
    id: integer({ mode: "computed" }),
    title: text(),
    count: integer(),
    secret: text({ mode: "program" }),
    parts: items({ id: integer({ mode: "computed" }), code: text() }, { element: "part" }),
  });
  const readAll = (content: string) => decode(thing, read(content));

  test.each<[content: string, values: object, unknown?: readonly string[]]>([
    ["<id>7</id><title>a</title><count>1</count>", { id: 7, title: "a", count: 1 }],
    ["<title/><count/>", { title: "" }],
    ["<title nil='true'/><count nil='true'/>", {}],
    ["<id/>", {}],
    ["<secret>x</secret>", {}],
    ["<parts/>", { parts: [] }],
    ["<parts><part><id>1</id><code>x</code></part><part/></parts>", { parts: [{ id: 1, code: "x" }, {}] }],
    ["<parts><part><colour/></part></parts><new-one/>", { parts: [{}] }, ["parts/colour", "new-one"]],
  ])("%s", (content, values, unknown = []) => {
    expect(readAll(content)).toEqual({ values, unknown });
  });

  test("a value of the wrong type is thrown, or reported while the rest is decoded", () => {
    expect(() => readAll("<count>x</count>")).toThrow(ValueError);
    expect(() => readAll("<id>x</id>")).toThrow(ValueError);
    const bad: string[] = [];
    const { values } = decode(thing, read("<id>x</id><count>y</count><title>a</title>"), ({ message }) =>
      bad.push(message),
    );
    expect(values).toEqual({ title: "a" });
    expect(bad.join()).toMatch(/"y" is not an integer/);
    expect(bad.join()).toMatch(/"x" is not an integer/);
  });

  test("a value that occurs twice or contains elements is an error", () => {
    expect(() => readAll("<title>a</title><title>b</title>")).toThrow("element title occurs 2 times");
    expect(() => readAll("<title><b/></title>")).toThrow(
      "element title holds elements where a value belongs",
    );
    expect(() => identifierOf(read("<id>1</id><id>2</id>"))).toThrow("element id occurs 2 times");
  });
});

describe("arguments are prepared", () => {
  const { fields } = kindOf("Thing", {
    id: integer({ mode: "computed" }),
    title: text(),
    count: integer({ sent: "how-many" }),
    parts: items(
      { id: integer({ mode: "computed" }), code: text() },
      { element: "part", sentElement: "new-part" },
    ),
    plain: items({ code: text() }, { element: "plain" }),
  });

  test("a list item is sent with its id if it has one", () => {
    expect(
      encode(fields, { parts: [{ id: 1, code: "a" }, { code: "b" }], plain: [{ id: 1, code: "a" }] }),
    ).toEqual({
      parts: { item: "new-part", items: [{ id: "1", code: "a" }, { code: "b" }] },
      plain: { item: "plain", items: [{ code: "a" }] },
    });
  });

  test("a decimal text is sent with all its digits", () => {
    const { fields: decimals } = kindOf("Priced", { price: decimal(), title: text() });
    const prices = [180, "180", "-0.50", "0.12345678901234567890", 1.5, "", "x"];
    const encoded = prices.slice(0, -1).map((price) => encode(decimals, { price }).price);
    expect(encoded).toEqual(["180.0", "180.0", "-0.5", "0.1234567890123456789", "1.5", null]);
    expect(() => encode(decimals, { price: "x" })).toThrow(/^price can't be "x": ./);
    expect(encode(decimals, { title: "1.50" })).toEqual({ title: "1.50" });
  });
});

describe("texts as both sides spell them", () => {
  test("lastPart decodes the last part of an address", () => {
    const names = [
      "/a/b%20c.png?v=1",
      "https://x.test/%D1%82.txt#y",
      "/a/100%.png",
      "plain",
      "/a/",
      "http://[",
      "",
    ];
    expect(names.map(lastPart)).toEqual(["b c.png", "т.txt", "100%.png", "plain", "", "", ""]);
    expect(withLineFeeds("a\r\nb\r\n\rc\n")).toBe("a\nb\n\rc\n");
  });
});
