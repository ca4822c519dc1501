// Words that no English-speaking user of Pulumi, Terraform or npm would use, and missing files that are cited.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { anchorOf, siteLink } from "../../docs/.vitepress/config.ts";
import { root } from "../cli/terminal.ts";
import { wordsOf } from "./violations.ts";

// Written by others, or generated.
const foreign = new Set(["docs/platform-facts.md", "docs/interface.md", "test/tidy/words.test.ts"]);

const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 })
  .split("\n")
  .filter((path) => /\.(ts|mjs|cjs|md|ya?ml|liquid)$/.test(path) && !foreign.has(path))
  .filter((path) => existsSync(join(root, path)));

/** Forbidden words with their replacements. */
const plain: readonly (readonly [RegExp, string])[] = [
  [/\banew\b/i, "again; replaced, forces replacement"],
  [/\b(?:is|are) not done by\b/, "is not supported by"],
  [/\bended with code\b|what it printed says why/, "exited with code; see its output above"],
  [/Only "yes" does/, 'Type "yes" to confirm'],
  [/\bnobody to ask\b/, "no terminal to confirm on"],
  [/what has begun is ended|once more stops/, "Stopping: finishing running operations"],
  [/\bout of time\b/, "timed out"],
  [/\b[Mm]end(?:s|ed|ing)?\b/, "fix"],
  [/\bis no (?:argument|name|side)\b/, "unknown argument, invalid name, invalid side"],
  [/\bis missing; \S+ needs it/, "is required"],
  [/["`'](?:write|Write) (?:a text|a whole number|a list|an object)\b/, "must be a string, an integer, ..."],
  [/\bwhole numbers?\b/i, "integer"],
  [/\bwas to be (?:\$|\w+ and is\b)/, "expected A, got B"],
  [/^Price: |"Price: /m, "API requests needed:"],
  [/\bturn(?:s|ed)? ?away\b/i, "rejected"],
  [/to create in its place|to delete, replaced/, "create replacement, delete replaced"],
  [/, to forget\b|gone from the shop,/, "deleted in the shop, remove from state"],
  [/known after up, up makes it|: up makes it/, "known after apply, run up to create it"],
  [/what becomes of it|the text in the shop, and/, "remote text -> new text"],
  [/git doesn't know/, "uncommitted"],
  [/Take what was found/, "Update the state to match the shop?"],
  [/\blets? (?:it|them|what is named) through\b|\blet through\b/, "permit"],
  [/\bthan a fifth\b/, "over 20 %"],
  [/Delete those that are too many/, "delete the duplicates"],
  [/\bfound nothing there\b/, "not found"],
  [/\b(?:goes|going|go) on from\b/, "continues from"],
  [/is installed too/, "pulumi found: use --engine pulumi"],
  [/takes off|for the staff|>articles|"articles"|<h2>And</, "Discount, Note, SKU, Other"],
  [/\bbad mood\b|Back again|\bstumbled\b/, "faults, rollback"],
  [/What there is$|and that is said|`--yes` doesn't/m, "Resources; with a warning; asks unless --yes"],
  [/ \| (?:moment|text) \|/, "ISO 8601 timestamp, string"],
];
/** Unclear identifiers, also as parts of longer ones. */
const identifiers =
  /[wW]orldly|[fF]or(?:etell|etold|esee)|[sS]tranger|[bB]efall|[mM]ishap|[pP]lainly|[tT]urnedAway|\bHeard\w*|\bheard(?=[.:,])|\b(?:Cut|Places|cutOf|placesOf)\b/;

const texts = new Map(tracked.map((path) => [path, readFileSync(join(root, path), "utf8")]));

const hits = (path: string, word: RegExp) => {
  const text = texts.get(path) ?? "";
  if (!new RegExp(word, `${word.flags.replace("m", "")}m`).test(text)) return [];
  return text
    .split("\n")
    .flatMap((line, index) => (word.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : []));
};

describe("plain words", () => {
  test.each(plain)("no %s: %s", (word) => {
    expect(tracked.flatMap((path) => hits(path, word))).toEqual([]);
  });

  test("names say what they are", () => {
    const sources = tracked.filter((path) => path.endsWith(".ts") && !path.startsWith("test/"));
    expect(sources.flatMap((path) => hits(path, identifiers))).toEqual([]);
  });
});

/**
 * Words with a better one in the glossary: maximum numbers of texts and exported names with them. Lower a number after
 * a removal.
 */
const goingDown: readonly (readonly [word: RegExp, instead: string, texts: number, names: number])[] = [
  [/told/i, "shown, said, message", 0, 0],
  [/settle/i, "verify", 0, 0],
  [/\bwares?\b|^wares?(?![a-z])/i, "product, sample", 0, 0],
  [/portra[iy]/i, "arguments", 0, 0],
  [/cut.?off/i, "interrupted", 0, 0],
  [/^bound|\bBound|Bound$/, "planned field", 0, 0],
  [/\bseal/i, "digest", 2, 0],
  [/sought/i, "pending", 0, 0],
  [/takeover/i, "adoption", 0, 0],
  [/\b(?:mood|whim)s?\b/i, "fault", 0, 0],
];

describe("words that go", () => {
  const found = tracked
    .filter((path) => /^(?:cli|runs|provider|engine|sdk|plugin|testing|pulumi|emulator)\/.*\.ts$/.test(path))
    .map((path) => ({ path, ...wordsOf({ path, text: readFileSync(join(root, path), "utf8") }) }));
  const having = (word: RegExp, of: "texts" | "names") =>
    found.flatMap((file) => file[of].filter((one) => word.test(one)).map((one) => `${file.path}: ${one}`));

  test.each(goingDown)(
    "%s becomes %s: no more texts and exported names have it",
    (word, _instead, texts, names) => {
      const [inTexts, inNames] = [having(word, "texts"), having(word, "names")];
      expect(inTexts.length, inTexts.join("\n")).toBeLessThanOrEqual(texts);
      expect(inNames.length, inNames.join("\n")).toBeLessThanOrEqual(names);
    },
  );
});

describe("what is cited is here", () => {
  const produced = /^(?:plan|drift|compare|comment|report|body|AGENTS)[\w-]*\.md$/;

  const headings = (path: string) =>
    [
      ...readFileSync(path, "utf8")
        .replaceAll(/^```.*?^```/gms, "")
        .matchAll(/^#+ (.+)$/gm),
    ].map(([, text = ""]) => anchorOf(text.replaceAll(/\[(.*?)\]\(.*?\)/g, "$1")));

  test("each link of a document leads to a file, and to a heading that is there", () => {
    const broken = tracked
      .filter((path) => path.endsWith(".md"))
      .flatMap((path) =>
        [
          ...readFileSync(join(root, path), "utf8").matchAll(
            /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?[^)]*\)/g,
          ),
        ]
          .filter(([, target = "", anchor]) => {
            const file = target === "" ? join(root, path) : join(root, dirname(path), target);
            return !existsSync(file) || (anchor !== undefined && !headings(file).includes(anchor));
          })
          .map(([link]) => `${path}: ${link}`),
      );
    expect(broken).toEqual([]);
  });

  test("a link leads on the site to a page of it, and else to the repository", () => {
    const files = "https://github.com/pulumi-shop/pulumi-shop/blob/main";
    expect(
      [
        "how-to/README.md",
        "rules.md#cost",
        "json-lines.schema.json",
        "../examples/yaml",
        "#here",
        "https://a.example",
      ].map((href) => siteLink(href, "commands.md")),
    ).toEqual([
      "how-to/index.md",
      "rules.md#cost",
      `${files}/docs/json-lines.schema.json`,
      `${files}/examples/yaml`,
      "#here",
      "https://a.example",
    ]);
  });

  test("each test that a document names is in the repository", () => {
    const missing = tracked
      .filter((path) => path.endsWith(".md"))
      .flatMap((path) =>
        [...readFileSync(join(root, path), "utf8").matchAll(/\btest(?:\/[\w-]+)+(?:\.[a-z]+)?\.ts\b/g)]
          .filter(([name]) => !existsSync(join(root, name)))
          .map(([name]) => `${path} cites ${name}`),
      );
    expect(missing).toEqual([]);
  });

  test("each message that troubleshooting.md lists is one that the product prints", () => {
    const page = readFileSync(join(root, "docs/troubleshooting.md"), "utf8");
    const told = [...page.matchAll(/^\| (?:401 or )?`([a-z][^`:]+)`/gm)].map(([, text = ""]) => text);
    const sources = tracked
      .filter((path) => /^(?:cli|runs|engine|provider|pulumi)\/.*\.ts$/.test(path))
      .map((path) => readFileSync(join(root, path), "utf8"))
      .join("\n");
    expect(told.length).toBeGreaterThan(6);
    const parts = told.flatMap((text) => text.split(" ... "));
    expect(parts.filter((text) => !sources.includes(text))).toEqual([]);
  });

  test("each document that a comment or a message names is in the repository", () => {
    const said = tracked.filter((path) =>
      /^(?:cli|runs|engine|provider|sdk|shop|testing|plugin|docs|README|examples)/.test(path),
    );
    const missing = said.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/(?<![\w/.*$}{>-])[\w-]+(?:\/[\w-]+)*\.md\b/g)]
        .map(([name]) => name)
        .filter((name) => !produced.test(name))
        .filter(
          (name) =>
            ![name, `docs/${name}`, join(dirname(path), name)].some((one) => existsSync(join(root, one))),
        )
        .map((name) => `${path} cites ${name}`),
    );
    expect([...new Set(missing)]).toEqual([]);
  });
});
