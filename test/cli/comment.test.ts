// The pull request comment as a shop manager reads it, parsed by a Markdown library like GitHub's.
import { marked, type Token, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import type { Step } from "../../engine/index.ts";
import { waitText } from "../../provider/client/limiter.ts";
import { campaignTest } from "../support/campaign.ts";
import { adopted, commentOf, prices, refusedOf, script, theme, themeTexts, tooFar } from "./plans.ts";
import { resultOf, stepOf } from "./steps.ts";

interface Seen {
  readonly headings: readonly string[];
  /** The rows of the impact table. */
  readonly meaning: readonly string[];
  /** The rows of the price tables. */
  readonly prices: readonly string[];
  /** Each entry with its nested lines. */
  readonly entries: readonly string[];
  readonly blocks: readonly string[];
  /** Markup that isn't ours: no text may produce it. */
  readonly foreign: readonly string[];
  readonly folded: readonly string[];
}

/** A comment as a reader sees it. */
function read(markdown: string): Seen {
  const tokens = marked.lexer(markdown, { gfm: true });
  const all: Token[] = [];
  marked.walkTokens(tokens, (token) => {
    all.push(token);
  });
  const of = <T extends Tokens.Generic>(type: string) => all.filter((token) => token.type === type) as T[];
  const rowsOf = (column: string) =>
    of<Tokens.Table>("table")
      .filter(({ header }) => header.some(({ text }) => text === column))
      .flatMap(({ rows }) => rows.map((row) => row.map((cell) => plain(cell.tokens)).join(" | ")));
  const html = of<Tokens.HTML>("html").map(({ raw }) => raw.trim());
  return {
    headings: of<Tokens.Heading>("heading").map((token) => plain(token.tokens)),
    meaning: rowsOf("What it means for the shop"),
    prices: rowsOf("now"),
    entries: tokens
      .filter((token): token is Tokens.List => token.type === "list")
      .flatMap(({ items }) => items.map(({ tokens: inner }) => plain(inner))),
    blocks: of<Tokens.Code>("code").map(({ text }) => text),
    foreign: [
      ...html.filter((one) => !/^(<details><summary>[^<]*<\/summary>|<\/details>|<\/?sub>)$/.test(one)),
      ...of<Tokens.Link>("link").map(({ raw }) => raw),
      ...of("del").map(({ raw }) => raw as string),
    ],
    folded: html.flatMap((one) => /<summary>(.*)<\/summary>/.exec(one)?.[1] ?? []),
  };
}

const named: Readonly<Record<string, string>> = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"' };
const letters = (text: string) =>
  text
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&\w+;/g, (entity) => named[entity] ?? entity)
    .replaceAll("\u200b", "")
    .replaceAll("\u00a0", " ");

/** The visible text of a token. */
const plain = (tokens: readonly Token[] = []): string =>
  tokens
    .map((token): string => {
      if (token.type === "list")
        return (token as Tokens.List).items.map((item) => `\n  - ${plain(item.tokens)}`).join("");
      if (token.type === "code") return `\n  [${(token as Tokens.Code).text.split("\n").length} lines]`;
      if ("tokens" in token && token.tokens !== undefined) return plain(token.tokens);
      return "text" in token ? letters(token.text as string) : "";
    })
    .join("");

test("lines about a wait, which only who watches the run needs, are not in the comment", () => {
  const wait = waitText("rate limit used up (500/500)", Date.UTC(2027, 0, 1, 12), "300 s, ");
  const silence = waitText("no answer to GET /admin/products.xml for 15 s", Date.UTC(2027, 0, 1, 12));
  const said = [wait, "a warning of the program", silence];
  expect(read(commentOf({ steps: [], said })).blocks).toEqual(["a warning of the program"]);
  expect(commentOf({ steps: [], said: [wait, silence] })).not.toContain("Messages");
});

describe("the comment of", () => {
  test("ten price changes: what they mean, then each with its title, both prices and the percent", () => {
    const seen = read(commentOf({ steps: prices }));
    expect(seen.meaning).toEqual([
      "Prices up | 9, median +13.3 %, largest +14.7 % (Cup no. 9, P9: 190 → 218)",
      "Prices down | Cup no. 4, P4: 140 → 99, -29.3 %",
    ]);
    expect(seen.headings).toEqual(["Preview: shop/live", "10 products to update"]);
    expect(seen.entries).toEqual([]);
    const largest = [
      "Cup no. 4 (product-4) P4 | 140 | 99 | -29.3 %",
      "Cup no. 9 (product-9) P9 | 190 | 218 | +14.7 %",
    ];
    expect(seen.prices.slice(0, 2)).toEqual(largest);
    expect(seen.prices).toHaveLength(10);
    expect(seen.prices).toContain("Morning mug (product-0) P0 | 100 | 110 | +10 %");
    expect(seen.prices).toContain(
      "Cake <script>alert(1)</script> plate (product-2) P2 | 120 | 134 | +11.7 %",
    );
    expect(seen.foreign).toEqual([]);
  });

  test("a theme change: hunks beside their template, nothing of hashes, a new one whole", () => {
    const seen = read(commentOf({ steps: theme, notices: themeTexts }));
    expect(seen.meaning).toEqual([
      "Theme files | 2 changed (page.care.liquid, page.delivery.liquid), 1 new (page.returns.liquid)",
    ]);
    expect(seen.entries).toEqual([
      "page.care.liquid (care)\n  [3 lines]",
      "page.delivery.liquid (delivery)\n  [4 lines]",
      "page.returns.liquid (returns) · new\n  - theme: 7\n  - type: a page of the shop, in Liquid\n  [2 lines]",
    ]);
    expect(seen.blocks).toEqual([
      "@@ -3,1 +3,1 @@\n-<p>By hand</p>\n+<p>By machine</p>",
      "@@ -1,1 +1,3 @@\n <h1>Delivery</h1>\n+```\n+@everyone",
      "+<h1>Returns</h1>\n+14 days",
    ]);
    expect(seen.foreign).toEqual([]);
  });

  test("a replaced script: why, and what was there", () => {
    const seen = read(commentOf({ steps: script }));
    expect(seen.meaning).toEqual([
      "⚠️ Replaced | 1 script (counter): deleted and created again, with a new id",
    ]);
    expect(seen.headings).toEqual(["Preview: shop/live", "♻️ Replaced: 1 script"]);
    expect(seen.entries).toEqual(["counter, because content can't be changed in place\n  [3 lines]"]);
    expect(seen.blocks).toEqual(["@@ -1,1 +1,1 @@\n-count(1);\n+count(2);"]);
  });

  test("a refused plan: what is refused under a heading of its own, with figures and what permits it", () => {
    const seen = read(commentOf({ steps: tooFar, refused: refusedOf(tooFar) }));
    expect(seen.headings).toEqual([
      "Preview: shop/live",
      "⛔ Refused: nothing was changed",
      "🗑 Deleted: 1 coupon",
      "2 products to update",
      "2 coupons: 1 to create, 1 to update",
      "1 theme file to update",
    ]);
    expect(seen.meaning.slice(0, 3)).toEqual([
      "⚠️ Emptied | layout.liquid: no content is left",
      "⚠️ Deleted | 1 coupon (WELCOME)",
      "⚠️ Hidden | 1 product (Evening mug) from shoppers",
    ]);
    expect(seen.entries.slice(0, 8)).toEqual([
      "1 object would be deleted, but shop:maxDeletes is 0: Coupon welcome; pass --allow NAME,NAME to permit them",
      "Morning mug (product-0) would move P0 price by 100 %, 100 → 200, and shop:maxPriceChange is 20 %; pass --allow product-0 to permit it",
      "Evening mug (product-1) would be hidden from shoppers (isHidden; shop:protected); pass --allow product-1 to permit it",
      "SPRING (spring) would take 100 % off (discount), and shop:maxDiscount is 30 %; pass --allow spring to permit it",
      "VIP (vip) would take 90 % off (discount), and shop:maxDiscount is 30 %; pass --allow vip to permit it",
      "WELCOME (welcome) would be deleted (shop:protected); pass --allow welcome to permit it",
      "layout.liquid (layout) would be emptied, with nothing left on its pages (shop:protected); pass --allow layout to permit it",
      "WELCOME (welcome)\n  - discount: 5 %\n  - valid until: 2027-01-31",
    ]);
  });

  test("a deleted product: its prices, and how many are in stock", () => {
    const olds = { title: "Mug", variants: [{ id: 1, sku: "M1", price: 5, quantity: 12 }] };
    const seen = read(commentOf({ steps: [stepOf("delete", "Product", "mug", { olds })] }));
    expect(seen.entries).toEqual(["Mug (mug): M1: price 5, 12 in stock"]);
  });

  test("five hundred adopted objects: those that change by name, the others folded", () => {
    const seen = read(commentOf({ steps: adopted }));
    expect(seen.headings).toEqual(["Preview: shop/live", "2 coupons to adopt"]);
    expect(seen.folded).toEqual(["Adopted without changes: 498 coupons"]);
    expect(seen.entries.slice(0, 3)).toEqual([
      "CODE-0 (code-0) · adopted from the shop: discount: 5 % → 50 %",
      "CODE-1 (code-1) · adopted from the shop: discount: 5 % → 50 %",
      "CODE-2 (code-2)",
    ]);
    expect(seen.entries.at(-1)).toMatch(/^… and 298 more/);
  });

  test("a failed run: each failure with its message, whole", () => {
    const urn = stepOf("update", "Coupon", "spring").urn;
    const failures = [{ urn, message: "Coupon 8841 | was <b>changed</b>\n  mine: 10\n  theirs: ``` 20" }];
    const seen = read(commentOf({ steps: [], result: resultOf([], failures) }));
    expect(seen.headings).toEqual(["Preview: shop/live", "❌ Failed"]);
    expect(seen.entries).toEqual(['Coupon "spring": Coupon 8841 | was <b>changed</b>\n  [2 lines]']);
    expect(seen.blocks).toEqual(["  mine: 10\n  theirs: ``` 20"]);
    expect(seen.foreign).toEqual([]);
  });
});

const hostile = [
  "a | b",
  "<script>alert(1)</script>",
  "`code` ``` fence",
  "@everyone and @octocat",
  "#1 https://evil.example www.evil.example mail@evil.example",
  "**bold** _it_ ~~no~~ [x](https://evil.example) ![i](https://evil.example/i.png)",
  "</details></summary><img src=x>",
  "&lt;b&gt; &amp;",
  "$\\frac{1}{2}$ :tada: \\ end\\",
  "two\nlines\n\n# heading\n\n---\n| a |\n",
];

test.each(hostile)("a title like %j is that text, and nothing else", (title) => {
  const steps = [
    stepOf("delete", "Product", "gone", { olds: { title } }),
    stepOf("update", "Product", title, {
      olds: { title, variants: [{ id: 1, sku: title, price: 1 }] },
      inputs: { title, variants: { [title]: { sku: title, price: 2 } }, description: title },
      changes: [{ path: `variants[${JSON.stringify(title)}].price`, kind: "update", old: 1, new: 2 }],
    }),
  ];
  const markdown = commentOf({ steps, refused: refusedOf(steps), said: [title] });
  const seen = read(markdown);
  const shown = title.replace(/\s+/g, " ").trim();
  expect(seen.foreign).toEqual([]);
  expect(seen.headings).toHaveLength(5);
  expect(seen.meaning[0]).toBe(`⚠️ Deleted | 1 product (${shown})`);
  expect(seen.entries.some((entry) => entry.startsWith(`${shown} (gone)`))).toBe(true);
  // Mentions and references of GitHub are broken up.
  expect(markdown.replace(/```[\s\S]*?```|`[^`]*`/g, "")).not.toMatch(/(^|[^\w])@\w|https:\/\/|www\.e/);
});

describe("within 60,000 characters", () => {
  const size = (steps: readonly Step[], more = {}) => {
    const text = commentOf({ steps, ...more });
    expect(text.length).toBeLessThanOrEqual(60_000);
    // Cut between whole entries: every block and fold is closed.
    const seen = read(text);
    expect(text.match(/<details>/g)?.length ?? 0).toBe(text.match(/<\/details>/g)?.length ?? 0);
    expect(seen.foreign).toEqual([]);
    return { text, seen };
  };
  const many = (op: Step["op"], count: number, more: Partial<Step> = {}) =>
    Array.from({ length: count }, (_none, index) =>
      stepOf(op, "Coupon", `c${index}`, {
        olds: { code: `C${index}`, discount: 10, typeId: 1 },
        inputs: { code: `C${index}`, discount: 11, typeId: 1 },
        changes: [{ path: "discount", kind: "update", old: 10, new: 11 }],
        ...more,
      }),
    );
  const long = Array.from({ length: 9_000 }, (_none, index) => `line ${index} of it`).join("\n");
  const huge = (name: string) =>
    stepOf("update", "Asset", name, {
      olds: { name: `${name}.liquid`, sha256: "a" },
      inputs: { name: `${name}.liquid`, content: `${long}\n` },
      changes: [{ path: "content", kind: "update", old: "\n", new: `${long}\n` }],
    });

  // Each of these characters becomes six when it is escaped.
  campaignTest("20,000 objects of people who write marks that turn a line round", () => {
    const marks = "\u202e".repeat(100);
    const kinds = ["Coupon", "Product", "Asset", "JsTag"];
    const ops = ["create", "update", "replace", "delete"] as const;
    const steps = Array.from({ length: 20_000 }, (_none, index) =>
      stepOf(ops[index % 4] ?? "update", kinds[Math.floor(index / 4) % 4] ?? "", `n${index}`, {
        olds: { code: marks, title: marks, name: marks, description: "" },
        inputs: { code: marks, title: marks, name: marks, content: marks },
        changes: [{ path: "name", kind: "update", old: marks, new: `${marks}2` }],
      }),
    );
    const { text } = size(steps, { refused: refusedOf(steps.slice(0, 4_000)), said: [marks.repeat(20)] });
    expect(text).toContain("\\u202e");
    expect(text).not.toMatch(/\u202e/);
  });

  campaignTest("thirteen thousand changes: the first of them, and how many there are besides", () => {
    const { seen } = size(many("update", 13_000));
    expect(seen.folded).toEqual(["13,000 coupons to update"]);
    expect(seen.entries.at(-1)).toMatch(/^… and 12,800 more, which don't fit here/);
    expect(seen.meaning[0]).toBe("Discounts | 13,000 changed; deepest 11 % (C0)");
  });

  test("one huge entry is named all the same, and keeps no other out", () => {
    const { seen } = size([huge("big"), ...many("delete", 3), ...prices]);
    expect(seen.entries.find((entry) => entry.startsWith("big.liquid"))).toBe(
      "big.liquid (big): 1 change, 9002 lines of text, too long to show here",
    );
    expect([seen.entries.length, seen.prices.length]).toEqual([4, 10]);
  });

  test("everything at once: refusals, failures, deletes, titles without end, and what was said", () => {
    const title = "x".repeat(70_000);
    const { urn } = stepOf("update", "Coupon", "spring");
    const steps = [
      ...many("delete", 5_000),
      ...many("replace", 300, { replaces: ["code"] }),
      ...many("create", 4_000),
      huge("one"),
      huge("two"),
      stepOf("update", "Product", title, { olds: { title }, inputs: { title, isHidden: true } }),
    ];
    const failures = Array.from({ length: 50 }, (_none, index) => ({
      urn: `${urn}${index}`,
      message: `${index} ${title}\n${long}`,
    }));
    const { seen } = size(steps, {
      refused: refusedOf(steps),
      result: resultOf(steps, failures),
      said: long.split("\n"),
    });
    expect(seen.headings[1]).toBe("⛔ Refused: nothing was changed");
    expect(seen.meaning.map((row) => row.split(" | ")[0])).toContain("⚠️ Deleted");
  });

  test("a preview and its run share one comment", () => {
    for (const runs of [1, 2, 3])
      expect(commentOf({ steps: [...many("update", 900), huge("big")], runs }).length).toBeLessThanOrEqual(
        60_000,
      );
  });
});

test("prices that shoppers pay stand before costs, and what a refresh found is told as the shop's", () => {
  const step = (index: number, found: boolean) => ({
    ...stepOf("update", "Product", `p-${index}`, {
      olds: { title: `Cup ${index}`, variants: [{ id: 1, sku: `S${index}`, price: 100, costPrice: 10 }] },
      inputs: {
        title: `Cup ${index}`,
        variants: { [`S${index}`]: { sku: `S${index}`, price: 101 + index, costPrice: 20 } },
      },
      changes: [
        { path: `variants.S${index}.costPrice`, kind: "update", old: 10, new: 20 },
        { path: `variants.S${index}.price`, kind: "update", old: 100, new: 101 + index },
      ],
    }),
    found,
  });
  const of = (found: boolean) => commentOf({ steps: [1, 2].map((index) => step(index, found)) });
  const rows = (markdown: string) => read(markdown).prices.map((line) => line.split(" | ")[0]);
  expect(rows(of(false))).toEqual([
    "Cup 2 (p-2) S2",
    "Cup 1 (p-1) S1",
    "Cup 1 (p-1) S1 cost",
    "Cup 2 (p-2) S2 cost",
  ]);
  expect(of(false)).toContain("| | now | new | change |");
  expect(of(true)).toContain("| | last run | in the shop now | change |");
});

test("sixty prices are a table of the largest ten, the rest is folded, and what else changes is listed under it", () => {
  const step = (index: number, more: boolean) =>
    stepOf("update", "Product", `p-${index}`, {
      olds: { title: `Cup ${index}`, variants: [{ id: 1, sku: `S${index}`, price: 100 }] },
      inputs: {
        title: `Cup ${index}`,
        variants: { [`S${index}`]: { sku: `S${index}`, price: 101 + index } },
      },
      changes: [
        { path: `variants.S${index}.price`, kind: "update", old: 100, new: 101 + index },
        ...(more ? [{ path: "isHidden", kind: "add" as const, new: true }] : []),
      ],
    });
  const markdown = commentOf({
    steps: Array.from({ length: 60 }, (_none, index) => step(index, index === 7)),
  });
  const seen = read(markdown);
  expect(seen.prices).toHaveLength(60);
  expect(seen.prices[0]).toBe("Cup 59 (p-59) S59 | 100 | 160 | +60 %");
  expect(seen.folded).toEqual(["50 more prices"]);
  // The folded rest follows the ten rows.
  expect(markdown).toMatch(/\| \+51\u00a0% \|\n\n<details><summary>50 more prices<\/summary>/);
  expect(seen.headings.at(-1)).toBe("Other changes: 1 product");
  expect(seen.entries).toEqual(["Cup 7 (p-7): hidden: no → yes"]);
  expect(seen.foreign).toEqual([]);
});

test("a product leads to its page in the back office, unless its shop is on this machine", () => {
  const of = (shop: string) =>
    commentOf({
      steps: [
        stepOf("update", "Product", "mug", {
          id: "812",
          olds: { title: "Mug", __shop: `${shop}#7` },
          inputs: { title: "Mug" },
          changes: [{ path: "isHidden", kind: "add", new: true }],
        }),
      ],
    });
  expect(of("https://shop.example")).toContain(
    "- **[Mug](https://shop.example/admin2/products/812)** (`mug`): hidden",
  );
  expect(of("http://127.0.0.1:4000")).toContain("- **Mug** (`mug`): hidden");
});

test("what a person must decide stands above all else", () => {
  const comment = commentOf({ steps: tooFar, refused: refusedOf(tooFar) });
  expect(comment).toMatch(
    /^### [^\n]*\n\n[^\n]*\n\n> \[!IMPORTANT\]\n> To decide:\n> - \*\*[^\n]*\*\* exceed the stack's limits: is this intended\?\n\n/,
  );
  expect(commentOf({ steps: prices })).not.toContain("To decide");
});

test.each([
  [["Jug"], "**Jug** was changed in the shop, too"],
  [["Jug", "Bowl"], "**Jug, Bowl** were changed in the shop, too"],
])("a conflict of %s is a question in a whole sentence", (titles, question) => {
  const conflicts = titles.map((title) => ({
    ...{ kind: "Product", id: "1", name: title, title, withheld: "update" as const, live: {} },
    urn: `urn:pulumi:live::shop::shop:index:Product::${title}`,
    fields: [{ path: "title", label: "title", was: "a", is: "b", asked: "c" }],
  }));
  expect(commentOf({ steps: [], conflicts })).toContain(
    `> - ${question}: keep those changes, or overwrite them?`,
  );
});

test("a mark stays on the line of its word in a narrow column", () => {
  expect(commentOf({ steps: [stepOf("delete", "Product", "mug", { olds: { title: "Mug" } })] })).toContain(
    "| ⚠️\u00a0**Deleted** |",
  );
});

test("a change of HTML is told by its words, a plain text with its tags, and an item that comes or goes by what it is", () => {
  const step = stepOf("update", "Product", "mug", {
    olds: { title: "Mug" },
    inputs: { title: "Mug" },
    changes: [
      { path: "description", kind: "update", old: "<p>Old <b>words</b></p>", new: "<p>New words</p>" },
      { path: "summary", kind: "update", old: "<b>Same</b>", new: "<i>Same</i>" },
      { path: "htmlTitle", kind: "update", old: "Mugs", new: "Mugs <b>now</b>" },
      {
        path: "variants.MUG-G",
        kind: "delete",
        old: { sku: "MUG-G", price: 14, options: [{ title: "Colour", value: "Green" }] },
      },
      { path: "variants.MUG-B", kind: "add", new: { sku: "MUG-B", price: 15 } },
      { path: "variants.MUG-R.options[0].value", kind: "update", old: "Red", new: "Rose" },
      { path: "variants.7.price", kind: "update", old: 1, new: 2 },
    ],
  });
  const made = stepOf("create", "Product", "jug", {
    inputs: { title: "Jug", description: "<h2>Jug</h2>\n<table>\n<tr><td>1 l</td></tr>\n</table>" },
  });
  const { entries } = read(commentOf({ steps: [step, made] }));
  expect(entries[0]).toContain("description: Old words → New words");
  expect(entries[0]).toContain("<b>Same</b> → <i>Same</i>");
  expect(entries[0]).toContain("html title: Mugs → Mugs <b>now</b>");
  expect(entries[0]).toContain("price 14, options Colour: Green → removed");
  expect(entries[0]).toContain("variant MUG-B: new: price 15");
  expect(entries[0]).toContain("MUG-R options value: Red → Rose");
  expect(entries[0]).toContain("7 price: 1 → 2");
  // A new text is shown as it is.
  expect(entries[1]).toContain("description: <h2>Jug</h2> <table> <tr><td>1 l</td></tr> </table>");
});

test("a change of spaces, of a link and of a script is seen", () => {
  const changed = (path: string, old: string, next: string) => ({
    path,
    kind: "update" as const,
    old,
    new: next,
  });
  const step = stepOf("update", "Product", "mug", {
    changes: [
      changed("description", '<a href="/old">Buy</a> a mug', '<a href="/new">Buy</a> this mug'),
      changed("summary", "<p>Buy</p>", "<p>Buy now</p><script>track()</script>"),
      changed("htmlTitle", "Mug  red", "Mug red"),
      changed("metaKeywords", "10\u00a0cm", "10 cm"),
    ],
  });
  const [entry] = read(commentOf({ steps: [step] })).entries;
  expect(entry).toContain('description: <a href="/old">Buy</a> a mug → <a href="/new">Buy</a> this mug');
  expect(entry).toContain("summary: <p>Buy</p> → <p>Buy now</p><script>track()</script>");
  expect(entry).toContain("html title: Mug␣␣red → Mug red");
  expect(entry).toContain("meta keywords: 10\\u00a0cm → 10 cm");
});

test("words from right to left turn nothing round, and GH-7 is no reference", () => {
  const step = stepOf("update", "Product", "mug", {
    olds: { title: "كوب" },
    inputs: { title: "كوب" },
    changes: [{ path: "shortDescription", kind: "update", old: "كوب أحمر", new: "كوب 2 GH-7" }],
  });
  const comment = commentOf({ steps: [step] });
  const [entry] = read(comment).entries;
  expect(entry).toContain("\u2068كوب\u2069 (mug)");
  expect(entry).toContain("short description: \u2068كوب أحمر\u2069 → \u2068كوب\u2069 2 GH-7");
  expect(comment).toContain("GH-&#8203;7");
});
