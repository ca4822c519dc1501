// Documents as another reader understands them, and hostile ones.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import { canonicalDecimal } from "../../provider/definition/scalars.ts";
import { DocumentError, parse, parseJson } from "../../provider/wire/xml.ts";
import { root } from "../cli/terminal.ts";
import { campaignTest, full } from "../support/campaign.ts";

// Another reader with the same structure.
const reference = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  textNodeName: "#text",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  processEntities: { enabled: true, maxExpandedLength: Number.MAX_SAFE_INTEGER },
  transformTagName: (name) => name.replaceAll("_", "-"),
});

const text = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\n",
    "\r\n",
    "a",
    "Скидка",
    "👩‍🚀",
    "&amp;",
    "&lt;b&gt;",
    "&quot;&apos;",
    "]]",
    "-->",
    "&amp;lt;",
  ),
  fc.string({ maxLength: 8 }).map((value) => value.replace(/[<&\]>]/g, "")),
);
const name = fc.constantFrom("a", "b-c", "asset_url", "x.y", "ns:z", "имя");
const attribute = fc
  .tuple(
    fc.constantFrom("type", "nil", "имя"),
    text.map((value) => value.replace(/["<\s]/g, "")),
    fc.constantFrom("'", '"'),
  )
  .map(([key, value, quote]) => ` ${key}=${quote}${value.replaceAll("'", "")}${quote}`);
const element: fc.Arbitrary<string> = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    text.map((value) => `<![CDATA[${value.replaceAll("]]", "").replaceAll("\r", "")}]]>`),
    fc.constantFrom("<!-- note -->", "<!---->", "<?pi x?>"),
    fc
      .tuple(name, fc.option(attribute), fc.array(tie("node"), { maxLength: 4 }), fc.boolean())
      .map(([tag, one, children, isEmpty]) =>
        isEmpty ? `<${tag}${one ?? ""}/>` : `<${tag}${one ?? ""}>${children.join("")}</${tag}>`,
      ),
  ),
})).node;

describe("a document", () => {
  test("a document is read as fast-xml-parser reads it", () => {
    fc.assert(
      fc.property(fc.array(element, { maxLength: 4 }), (children) => {
        const body = `<?xml version="1.0"?>\n<r>${children.join("")}</r>`;
        if (XMLValidator.validate(body) !== true) return;
        const expected = (reference.parse(body) as { r: readonly unknown[] }).r[0];
        expect(parse(body)).toEqual({ root: "r", value: expected });
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    "<a>&nbsp;</a>",
    "<a>AT&T</a>",
    "<a>&#0;</a>",
    "<a>&#xD800;</a>",
    "<a>&#x110000;</a>",
    "<a b='1' b='2'/>",
    "<a b/>",
    "<a b=1/>",
    "<a b='<'/>",
    "<a b='1'c='2'/>",
    "<a><b></a></b>",
    "</a>",
    "<a",
    "<a><",
    "<a>",
    "<a/>x",
    "<a/><b/>",
    "",
    "<a><!ENTITY x 'y'></a>",
  ])("that is malformed is refused: %s", (body) => {
    expect(() => parse(body)).toThrow(DocumentError);
    expect(() => parse(body)).toThrow(/^it is not well-formed XML: 1:\d+: ./);
  });

  test("a document with a document type or an invalid character is rejected", () => {
    expect(() => parse("<!DOCTYPE a><a/>")).toThrow("it declares a document type");
    expect(() => parse("<a>\u0000</a>")).toThrow("XML can't carry, at position 3");
  });

  test("a document may have elements of any name", () => {
    for (const tag of ["constructor", "toString", "hasOwnProperty"])
      expect(Object.entries(parse(`<a><${tag}>1</${tag}><${tag}/></a>`).value)).toEqual([[tag, ["1", ""]]]);
    expect(Object.entries(parse("<a><__proto__>1</__proto__></a>").value)).toEqual([["--proto--", ["1"]]]);
  });

  test("CDATA and comments may contain markup", () => {
    expect(parse("<a><![CDATA[<!DOCTYPE html>&nbsp;&#0;]]><!-- <!DOCTYPE x> & --></a>").value).toBe(
      "<!DOCTYPE html>&nbsp;&#0;",
    );
  });
});

// A reader that searches repeatedly would take hours here, and the test would time out.
const large = full ? 8_000_000 : 2_500_000;
const repeated = (part: string, length = large) => part.repeat(Math.floor(length / part.length));
const hostile: readonly (readonly [string, () => string])[] = [
  ["comments that begin", () => repeated("<!--")],
  ["comments that begin in an element", () => `<a>${repeated("<!--")}</a>`],
  ["CDATA that begins", () => `<a>${repeated("<![CDATA[")}`],
  ["instructions that begin", () => repeated("<?")],
  ["declarations in comments", () => `<a>${repeated("<!--<!x-->")}`],
  ["blanks in a tag", () => `<a${" ".repeat(large)}`],
  ["blanks before =", () => `<a b${" ".repeat(large)}c`],
  ["blanks in a closing tag", () => `<a></a${" ".repeat(large)}`],
  ["a name that never ends", () => `<${"a".repeat(large)}`],
  ["attributes", () => `<a ${repeated("b='1' ")}/>`],
  [
    "many attributes",
    () => `<a ${Array.from({ length: 500_000 }, (_, index) => `b${index}='1'`).join(" ")}/>`,
  ],
  ["ampersands", () => `<a>${"&".repeat(large)}</a>`],
  ["references that never end", () => `<a>${repeated("&#")}</a>`],
  ["a deep nest", () => repeated("<a>")],
  ["elements", () => `<a>${repeated("<b/>")}</a>`],
  ["more than any document", () => `<a>${"x".repeat(33 * 1024 * 1024)}</a>`],
];

describe("a hostile document ends in an error in linear time", () => {
  test.each(hostile)("%s", (_name, body) => {
    const attack = () => parse(body());
    expect(attack).toThrow(DocumentError);
  });

  test.each([
    ["a nest", () => "[".repeat(large), DocumentError],
    ["values", () => `[${"0,".repeat(large / 2)}0]`, /more than 500000 values/],
    ["objects", () => `[${"{},".repeat(large / 4)}{}]`, /more than 500000 values/],
    ["more than any document", () => `"${"x".repeat(33 * 1024 * 1024)}"`, /longer than/],
  ])("JSON of %s", (_name, body, why) => {
    expect(() => parseJson(body(), "x")).toThrow(why);
  });

  test("commas in a JSON text don't count as values", () => {
    expect(parseJson(JSON.stringify([`",\\"${",".repeat(large)}`]), "x")).toEqual({
      x: [`",\\"${",".repeat(large)}`],
    });
  });
});

test("a decimal of a million zeros is rejected in linear time", () => {
  expect(canonicalDecimal(`0.${"0".repeat(large)}1`)).toBeUndefined();
  expect(canonicalDecimal(`0.${"0".repeat(400)}1`)).toBe(`0.${"0".repeat(400)}1`);
});

campaignTest("the worst that is still read takes less than 500 MB", () => {
  const script = `
    import { parse } from "./provider/wire/xml.ts";
    const bodies = {
      references: "&amp;".repeat(6_000_000),
      numbers: "&#1088;".repeat(4_500_000),
      elements: "<b/>".repeat(499_999),
      attributes: "<b x='1'>y</b>".repeat(499_999),
      names: Array.from({ length: 499_999 }, (_, index) => "<b" + index + "/>").join(""),
      texts: "<b>описание товара</b>".repeat(499_999),
    };
    parse("<a>" + bodies[process.argv[1]] + "</a>");
    console.log(Math.round(process.resourceUsage().maxRSS / 1024));
  `;
  for (const body of ["references", "numbers", "elements", "attributes", "names", "texts"]) {
    const args = ["--input-type=module", "--eval", script, body];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: join(root), encoding: "utf8" });
    expect(Number(stdout), `${body} ${stderr}`).toBeGreaterThan(0);
    expect(Number(stdout), body).toBeLessThan(500);
  }
});
