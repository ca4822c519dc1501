// The walls of the house, read from the tree and not from a list (design.md, The house; style.md, P2 and P13).
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hyphenated } from "../../provider/wire/codec.ts";
import { root } from "../cli/terminal.ts";

interface Source {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const skipped = new Set(["node_modules", "dist", ".git"]);

function read(folder: string): readonly Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : read(path);
    if (![".ts", ".mjs", ".cjs"].includes(extname(entry.name))) return [];
    return [{ path: relative(root, path).split(sep).join("/"), text: readFileSync(path, "utf8") }];
  });
}

const sources = read(root);
const part = (path: string) => path.split("/")[0] ?? "";

/** What a file imports at run time; types don't count. */
function imports({ path, text }: Source): readonly string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const bindings = node.importClause?.namedBindings;
      const onlyTypes =
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
        (node.importClause?.name === undefined &&
          bindings !== undefined &&
          ts.isNamedImports(bindings) &&
          bindings.elements.length > 0 &&
          bindings.elements.every(({ isTypeOnly }) => isTypeOnly));
      if (!onlyTypes) found.push(node.moduleSpecifier.text);
    }
    if (
      ts.isExportDeclaration(node) &&
      !node.isTypeOnly &&
      node.moduleSpecifier !== undefined &&
      ts.isStringLiteral(node.moduleSpecifier)
    )
      found.push(node.moduleSpecifier.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const target = (from: string, specifier: string) =>
  specifier.startsWith(".")
    ? relative(root, resolve(root, dirname(from), specifier))
        .split(sep)
        .join("/")
    : specifier;

const offences = (where: (path: string) => boolean, isWrong: (imported: string, from: string) => boolean) =>
  sources
    .filter(({ path }) => where(path))
    .flatMap((source) =>
      imports(source)
        .map((specifier) => target(source.path, specifier))
        .filter((imported) => isWrong(imported, source.path))
        .map((imported) => `${source.path} imports ${imported}`),
    );

const under =
  (...folders: readonly string[]) =>
  (path: string) =>
    folders.includes(part(path));
const own = [
  "sdk",
  "provider",
  "shop",
  "engine",
  "cli",
  "testing",
  "template",
  "examples",
  "test",
  "scripts",
  "bench",
];

describe("the walls", () => {
  test("sdk imports only @pulumi/pulumi at run time, the provider late", () => {
    expect(
      offences(under("sdk"), (imported) => imported !== "@pulumi/pulumi" && part(imported) !== "sdk"),
    ).toEqual([]);
  });

  test("provider never imports @pulumi/pulumi, sdk, shop or engine", () => {
    const wrong = new Set([...own.filter((name) => name !== "provider"), "@pulumi"]);
    expect(offences(under("provider"), (imported) => wrong.has(part(imported)))).toEqual([]);
  });

  test("shop imports nothing of ours, and another XML library than the client", () => {
    const wrong = new Set(own.filter((name) => name !== "shop"));
    expect(
      offences(
        under("shop"),
        (imported) =>
          wrong.has(part(imported)) || imported === "fast-xml-parser" || imported.startsWith("pulumi-shop"),
      ),
    ).toEqual([]);
  });

  test("engine knows nothing of shops", () => {
    const wrong = new Set(own.filter((name) => name !== "engine"));
    expect(offences(under("engine"), (imported) => wrong.has(part(imported)))).toEqual([]);
    const words = sources
      .filter(({ path }) => part(path) === "engine")
      .filter(({ text }) => /\bshop|coupon/i.test(text));
    expect(words.map(({ path }) => path)).toEqual([]);
  });

  test("examples import what a user imports", () => {
    const allowed = (imported: string) =>
      part(imported) === "examples" ||
      imported.startsWith("node:") ||
      ["@pulumi/pulumi", "pulumi-shop", "csv-parse/sync"].includes(imported);
    expect(offences(under("examples"), (imported) => !allowed(imported))).toEqual([]);
  });

  test("nothing of the product imports tests, scripts or examples", () => {
    const wrong = new Set(["test", "scripts", "examples"]);
    expect(
      offences(under("sdk", "provider", "shop", "engine", "cli", "testing"), (imported) =>
        wrong.has(part(imported)),
      ),
    ).toEqual([]);
  });

  test("one place waits, one place parses, one place opens connections", () => {
    const users = (pattern: RegExp, where: readonly string[]) =>
      sources
        .filter(({ path, text }) => where.includes(part(path)) && pattern.test(text))
        .map(({ path }) => path);
    expect(users(/from "node:timers\/promises"/, ["provider", "sdk"])).toEqual(["provider/client/index.ts"]);
    expect(users(/from "fast-xml-parser"/, ["provider", "sdk", "cli", "engine"])).toEqual([
      "provider/wire/xml.ts",
    ]);
    expect(users(/from "undici"/, ["provider", "sdk", "cli", "engine"])).toEqual([
      "provider/client/pools.ts",
    ]);
  });
});

describe("definitions", () => {
  const all = Object.values(definitions) as readonly Definition[];
  const fileOf = (kind: string) => hyphenated(kind).replace(/^-/, "");
  const kinds = all.map(({ kind }) => kind).filter((kind) => kind !== "File");

  test("a kind's name stands in its definition, its class and its example only", () => {
    const shared = sources.filter(
      ({ path }) =>
        under("provider", "sdk", "engine", "cli", "scripts")(path) &&
        !path.startsWith("provider/resources/") &&
        path !== "sdk/index.ts" &&
        path !== "sdk/outputs.ts",
    );
    const found = shared.flatMap(({ path, text }) => {
      const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
      return kinds
        .filter((kind) => new RegExp(`["'\`]${kind}["'\`]|["'\`]${fileOf(kind)}["'\`]`).test(code))
        .map((kind) => `${path} names ${kind}`);
    });
    // Data sources are asked by group: the account has one object, the others are lists.
    expect(found.filter((line) => !/sdk\/data\.ts names (Account)/.test(line))).toEqual([]);
  });

  test("one file is one kind, and each is in the list", () => {
    const files = readdirSync(join(root, "provider/resources"))
      .filter((name) => name.endsWith(".ts") && name !== "index.ts")
      .toSorted();
    expect(files).toEqual(all.map(({ kind }) => `${fileOf(kind)}.ts`).toSorted());
  });

  test("each that can be created has a class", async () => {
    const sdk = (await import("../../sdk/index.ts")) as Record<string, unknown>;
    const missing = all.filter(
      ({ kind, operations }) => operations.create !== undefined && typeof sdk[kind] !== "function",
    );
    expect(missing.map(({ kind }) => kind)).toEqual([]);
  });
});

describe("size", () => {
  const product = sources.filter(({ path }) =>
    under("sdk", "provider", "shop", "engine", "cli", "testing", "scripts", "examples")(path),
  );

  test("no file over 400 lines", () => {
    const long = product
      .map(({ path, text }) => [path, text.split("\n").length] as const)
      .filter(([, lines]) => lines > 401);
    expect(long).toEqual([]);
  });

  test("no function over 70 lines, but those that only hold others", () => {
    const long = product.flatMap(({ path, text }) => {
      const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
      const found: string[] = [];
      const visit = (node: ts.Node) => {
        if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
          const start = file.getLineAndCharacterOfPosition(node.getStart()).line;
          const end = file.getLineAndCharacterOfPosition(node.end).line;
          if (end - start + 1 - innerLines(node, file) > 70) found.push(`${path}:${start + 1}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(file);
      return found;
    });
    expect(long).toEqual([]);
  });
});

/** Lines of the functions inside a function: a closure that holds verbs is as long as they are, and no harder to read. */
function innerLines(outer: ts.Node, file: ts.SourceFile): number {
  let lines = 0;
  const visit = (node: ts.Node) => {
    if (node !== outer && ts.isFunctionLike(node)) {
      lines +=
        file.getLineAndCharacterOfPosition(node.end).line -
        file.getLineAndCharacterOfPosition(node.getStart()).line;
      return;
    }
    ts.forEachChild(node, visit);
  };
  visit(outer);
  return lines;
}
