import { Liquid } from "liquidjs";
import { describe, expect, test } from "vitest";
import { themeFiles } from "../../emulator/site/theme.ts";
import { folders } from "../../provider/names/theme-folder.ts";
import { checkFile, checkTheme } from "../../provider/theme/check.ts";
import type { ThemeFile } from "../../provider/theme/files.ts";
import { broken, right } from "./themes.ts";

const fileOf = ([path, text]: readonly [string, string]): ThemeFile => {
  const [folder = "", name = ""] = path.split("/");
  return { type: folders[folder] ?? "Asset::Media", name, text };
};
const filesOf = (files: Readonly<Record<string, string>>) => Object.entries(files).map(fileOf);

const needsOthers: ReadonlySet<string> = new Set(["missing-snippet", "missing-file", "unknown-object"]);

describe("a theme's files", () => {
  test.each(broken)(
    "a file with $what is rejected with rule, line and fix",
    ({ path, text, beside, rule, line }) => {
      const files = filesOf({ ...beside, [path]: text });
      const found = checkTheme(files).filter((one) => one.path === path);
      // A plan has its files in any order.
      expect(checkTheme(files.toReversed()).filter((one) => one.path === path)).toEqual(found);
      expect(found.map((one) => [one.rule, one.line])).toContainEqual([rule, line]);
      // A preview checks one file alone, with the same findings for mistakes inside it.
      if (beside === undefined && !needsOthers.has(rule))
        expect(checkFile(fileOf([path, text]))).toContainEqual(found.find((one) => one.rule === rule));
      const [first] = found;
      expect(first?.fix).not.toBe("");
      expect(first?.column).toBeGreaterThan(0);
      expect(first?.source).toBe((text.split("\n")[(first?.line ?? 0) - 1] ?? "").slice(0, 160).trim());
    },
  );

  test.each(right)("a theme passes with %s", (_what, files) => {
    expect(checkTheme(filesOf(files))).toEqual([]);
  });

  test("at least fifty broken and fifty valid files are tested", () => {
    expect(broken.length).toBeGreaterThanOrEqual(50);
    expect(right.length).toBeGreaterThanOrEqual(50);
  });

  test("the embedded shop's theme passes", () => {
    const files = themeFiles.map(([type, name, text]) => ({ type: type as ThemeFile["type"], name, text }));
    expect(checkTheme(files)).toEqual([]);
  });

  test("the finding for a missing snippet names the pages that use it", () => {
    const [found] = checkTheme(
      filesOf({
        "templates/product.liquid": "{% include 'card' %}",
        "templates/index.liquid": "{% include 'card' %}",
        "snippets/card.liquid": "{% include 'price' %}",
      }),
    );
    expect(found).toMatchObject({ path: "snippets/card.liquid", line: 1, column: 13 });
    expect(found?.message).toBe(
      "there is no snippet price among these files: index.liquid, product.liquid will fail",
    );
  });

  test("all mistakes of a file are reported", () => {
    const text = "{% if a %}\n{{ a | mony }}\n{% inclde 'b' %}\n";
    const found = checkTheme([fileOf(["templates/index.liquid", text])]);
    expect(found.map(({ rule, line }) => [rule, line])).toEqual([
      ["liquid-syntax", 1],
      ["unknown-filter", 2],
      ["unknown-tag", 3],
    ]);
    expect(found[1]?.fix).toContain("did you mean money?");
  });

  test("each file that Liquid rejects has an error", () => {
    const engine = new Liquid();
    const isRejected = (text: string) => {
      try {
        engine.parse(text);
        return false;
      } catch {
        return true;
      }
    };
    const texts = right.flatMap(([, files]) =>
      Object.entries(files).flatMap(([path, text]) => (path.endsWith(".liquid") ? [text] : [])),
    );
    // Each valid file without one of its characters.
    const missed = texts
      .filter((text) => !isRejected(text))
      .flatMap((text) => [...text].map((_, at) => text.slice(0, at) + text.slice(at + 1)))
      .filter((text) => isRejected(text))
      .filter((text) => {
        const found = checkFile(fileOf(["snippets/card.liquid", text]));
        return found.every(({ severity }) => severity === "warning");
      });
    expect(missed).toEqual([]);
  });

  test.each(["(", "a["])("a file with a hundred thousand %s is an error", (bracket) => {
    const [found] = checkFile(fileOf(["snippets/card.liquid", `\n{{ ${bracket.repeat(100_000)} }}`]));
    expect(found).toMatchObject({
      line: 2,
      severity: "error",
      message: "too many brackets stand inside each other",
    });
  });
});
