// Rules for the structure of the code, checked in the syntax trees (docs/layout.md).
import { readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import type { Definition } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { hyphenated } from "../../provider/wire/codec.ts";
import { root } from "../cli/terminal.ts";
import {
  bodiesNamed,
  casts,
  connections,
  crowded,
  importsOf,
  kindsNamed,
  parsers,
  type Source,
  surroundings,
  treeOf,
  variablesNamed,
  waits,
} from "./violations.ts";

const skipped = new Set(["node_modules", "dist", ".git", "reports"]);

function read(folder: string): readonly Source[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : read(path);
    if (![".ts", ".mjs", ".cjs"].includes(extname(entry.name))) return [];
    return [{ path: relative(root, path).split(sep).join("/"), text: readFileSync(path, "utf8") }];
  });
}

const sources = read(root);
/** The top folder, or a subfolder with its own rules. */
const part = (path: string) =>
  /^(?:engine\/(common|pulumi)|provider\/(names)|sdk\/(testing)|examples\/(template))\//
    .exec(path)
    ?.find((name, at) => at > 0 && name) ??
  path.split("/")[0] ??
  "";

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
      importsOf(source)
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
  "emulator",
  "engine",
  "runs",
  "cli",
  "plugin",
  "common",
  "pulumi",
  "names",
  "testing",
  "template",
  "examples",
  "test",
  "scripts",
];

describe("the walls", () => {
  const seen = (look: (source: Source) => readonly string[], ...where: readonly string[]) => [
    ...new Set(
      sources
        .filter(({ path }) => under(...where)(path))
        .flatMap(look)
        .map((line) => line.replace(/:\d+ .*/, "")),
    ),
  ];

  test("sdk imports only @pulumi/pulumi, Node's own modules and the names at run time, the provider late", () => {
    expect(
      offences(
        under("sdk"),
        (imported) =>
          imported !== "@pulumi/pulumi" &&
          !["sdk", "common", "pulumi", "names"].includes(part(imported)) &&
          !imported.startsWith("node:"),
      ),
    ).toEqual([]);
  });

  test("plugin imports the provider's door, names and the protocol, nothing else of ours or of Pulumi's", () => {
    const protocol =
      /^(@grpc\/grpc-js|@pulumi\/pulumi\/proto\/|google-protobuf\/|node:|plugin\/|engine\/(?:common|pulumi)\/|provider\/names\/)/;
    expect(
      offences(under("plugin"), (imported) => imported !== "provider/native.ts" && !protocol.test(imported)),
    ).toEqual([]);
  });

  test("provider never imports @pulumi/pulumi, sdk, emulator or engine", () => {
    const wrong = new Set([
      ...own.filter((name) => !["provider", "common", "pulumi", "names"].includes(name)),
      "@pulumi",
    ]);
    expect(offences(under("provider"), (imported) => wrong.has(part(imported)))).toEqual([]);
  });

  test.each([
    ["engine/common", ["common"]],
    ["engine/pulumi", ["common", "pulumi"]],
    ["provider/names", ["common", "pulumi", "names"]],
  ])("%s, which everybody may import, imports of ours only %j", (folder, allowed) => {
    const wrong = new Set(own.filter((name) => !allowed.includes(name)));
    const files = (path: string) => path.startsWith(`${folder}/`);
    expect(offences(files, (imported) => wrong.has(part(imported)))).toEqual([]);
  });

  test("emulator imports nothing of ours, and another XML library than the client", () => {
    const wrong = new Set(own.filter((name) => name !== "emulator"));
    expect(
      offences(
        under("emulator"),
        (imported) => wrong.has(part(imported)) || imported === "saxes" || imported.startsWith("pulumi-shop"),
      ),
    ).toEqual([]);
  });

  test("engine knows nothing of shops", () => {
    const wrong = new Set(own.filter((name) => !["engine", "common", "pulumi"].includes(name)));
    expect(offences(under("engine", "common", "pulumi"), (imported) => wrong.has(part(imported)))).toEqual(
      [],
    );
    const words = sources
      .filter(({ path }) => part(path) === "engine")
      .filter(({ text }) => /\bshop|coupon/i.test(text));
    expect(words.map(({ path }) => path)).toEqual([]);
  });

  test("runs is a library: the engine and the provider, and no word to the person who sits there", () => {
    const wrong = new Set(
      own.filter(
        (name) => !["runs", "engine", "provider", "sdk", "common", "pulumi", "names"].includes(name),
      ),
    );
    expect(offences(under("runs"), (imported) => wrong.has(part(imported)))).toEqual([]);
    expect(seen(surroundings, "runs")).toEqual([]);
  });

  test("examples import what a user imports", () => {
    const allowed = (imported: string) =>
      part(imported) === "examples" ||
      imported.startsWith("node:") ||
      ["@pulumi/pulumi", "@pulumi/policy", "pulumi-shop", "csv-parse/sync"].includes(imported);
    expect(offences(under("examples"), (imported) => !allowed(imported))).toEqual([]);
  });

  test("nothing of the product imports tests, scripts or examples", () => {
    const wrong = new Set(["test", "scripts", "examples"]);
    expect(
      offences(
        under(
          "sdk",
          "provider",
          "plugin",
          "emulator",
          "engine",
          "runs",
          "cli",
          "testing",
          "common",
          "pulumi",
          "names",
        ),
        (imported) => wrong.has(part(imported)),
      ),
    ).toEqual([]);
  });

  test("one place waits: the clock and the timer of the client's ports", () => {
    expect(seen(waits, "provider", "names", "sdk", "common", "pulumi", "runs")).toEqual([
      "provider/client/ports.ts",
    ]);
  });

  test("one place opens connections, and one shows a shop's pages to a browser", () => {
    expect(seen(connections, "provider", "names", "sdk", "cli", "runs", "engine")).toEqual([
      // Runs in the browser.
      "cli/theme/proxy.ts",
      // The pipe that its process was started with.
      "engine/processes/preload.ts",
      "provider/client/pools.ts",
    ]);
  });

  test("one place takes the path of a field to pieces", () => {
    const takes = (source: Source) => (/\.(split|indexOf)\("\["/.test(source.text) ? [source.path] : []);
    expect(seen(takes, "provider", "names", "sdk", "plugin", "cli", "runs", "engine")).toEqual([]);
  });

  test("one place parses", () => {
    expect(seen(parsers, "provider", "names", "sdk", "cli", "runs", "engine")).toEqual([
      "provider/wire/xml.ts",
    ]);
  });
});

describe("variables", () => {
  const holders = new Set([
    "provider/settings/settings.ts",
    "provider/settings/protocol.ts",
    "engine/processes/child-process.ts",
    // A switch of the SDK, which loads nothing of ours while a program starts.
    "sdk/sdk-patches.ts",
  ]);

  test("what command, engine and provider tell each other is named in one place on each side of a wall", () => {
    const found = sources
      .filter(({ path }) =>
        under(
          "sdk",
          "provider",
          "plugin",
          "common",
          "pulumi",
          "names",
          "engine",
          "runs",
          "cli",
          "testing",
          "scripts",
        )(path),
      )
      .filter(({ path }) => !holders.has(path))
      .flatMap(variablesNamed);
    expect(found).toEqual([]);
  });
});

describe("bodies", () => {
  test("their arguments are named in the room of bodies and by the kinds that have one", () => {
    const found = sources
      .filter(({ path }) => under("provider", "sdk", "plugin", "cli", "testing", "scripts")(path))
      .filter(({ path }) => !/^provider\/(body|resources|prices)\//.test(path))
      // Outputs by kind, generated.
      .filter(({ path }) => path !== "sdk/outputs.ts")
      .flatMap(bodiesNamed);
    expect(found).toEqual([]);
  });
});

describe("definitions", () => {
  const all = Object.values(definitions) as readonly Definition[];
  const fileOf = (kind: string) => hyphenated(kind).replace(/^-/, "");
  const kinds = all.map(({ kind }) => ({ kind, file: fileOf(kind) }));

  test("a kind's name stands in its definition, its class and its example only", () => {
    const shared = sources.filter(
      ({ path }) =>
        under(
          "provider",
          "names",
          "plugin",
          "common",
          "pulumi",
          "sdk",
          "engine",
          "runs",
          "cli",
          "scripts",
        )(path) &&
        !path.startsWith("provider/resources/") &&
        // A sheet changes products' variants: its folder names that kind in one place.
        path !== "provider/prices/definition.ts" &&
        path !== "sdk/index.ts" &&
        path !== "sdk/outputs.ts",
    );
    const found = shared.flatMap((source) => kindsNamed(source, kinds));
    expect(found).toEqual([]);
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
    under(
      "sdk",
      "provider",
      "plugin",
      "common",
      "pulumi",
      "names",
      "emulator",
      "engine",
      "runs",
      "cli",
      "testing",
      "scripts",
      "examples",
    )(path),
  );

  test("no file over 400 lines", () => {
    const long = product
      // Generated files aren't read as a whole.
      .filter(({ text }) => !text.startsWith("/** Generated from the definitions by"))
      .map(({ path, text }) => [path, text.split("\n").length] as const)
      .filter(([, lines]) => lines > 401);
    expect(long).toEqual([]);
  });

  test("half of the files have at most 120 lines", () => {
    const lengths = product.map(({ text }) => text.split("\n").length - 1).toSorted((one, two) => one - two);
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(120);
  });

  test("casts in the provider get fewer", () => {
    const found = sources.filter(({ path }) => under("provider")(path)).flatMap(casts);
    expect(found.length, found.join("\n")).toBeLessThanOrEqual(40);
  });

  test("no function with more than four parameters: what travels together has a name", () => {
    const found = sources
      .filter(({ path }) => under("provider", "engine", "runs", "cli")(path))
      .flatMap((source) => crowded(source, 4));
    expect(found.length, found.join("\n")).toBe(0);
  });

  test("no function over 70 lines, but those that only hold others", () => {
    const long = product.flatMap((source) => {
      const { path } = source;
      const file = treeOf(source);
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

/** Lines of nested functions: a closure with operations is as long as they are, but no harder to read. */
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

describe("the walls see what they are there for", () => {
  const file = (text: string, path = "provider/lifecycle/new.ts"): Source => ({ path, text });
  const kinds = [
    { kind: "File", file: "file" },
    { kind: "Redirect", file: "redirect" },
    { kind: "JsTag", file: "js-tag" },
  ];

  test.each([
    ['if (definition.kind === "File") send();', "names File"],
    ['switch (kind) { case "Redirect": break; }', "names Redirect"],
    ['const special = new Set(["JsTag"]);', "names JsTag"],
    ["const special = { one: `js-tag` };", "names js-tag"],
    ['if (["file", "theme"].includes(definition.one)) send();', "names file"],
    ['if ("redirect" !== one) send();', "names redirect"],
    ['import { file } from "../resources/file.ts";', "takes the definition ../resources/file.ts"],
  ])("%s decides by a kind", (text, what) => {
    expect(kindsNamed(file(text), kinds)).toEqual([`provider/lifecycle/new.ts:1 ${what}`]);
  });

  test.each([
    'const code: Code = "redirect";',
    'if (field.type === "file") read();',
    "// a Redirect isn't followed, nor is a File",
    'throw new ShopError("redirect", "the shop sent a redirect");',
    'import { definitions } from "../resources/index.ts";',
  ])("%s doesn't", (text) => {
    expect(kindsNamed(file(text), kinds)).toEqual([]);
  });

  test.each([
    "await new Promise((done) => setTimeout(done, 500));",
    "globalThis.setTimeout(done, 500);",
    "const later = setInterval;",
    'import { setTimeout as wait } from "node:timers/promises";',
    'const { setTimeout } = await import("node:timers/promises");',
    'import * as timers from "timers";',
    "Atomics.wait(cell, 0, 0, 500);",
  ])("%s waits", (text) => {
    expect(waits(file(text))).not.toEqual([]);
  });

  test.each([
    "await clock.wait(500, signal);",
    'import { setImmediate } from "node:timers/promises";',
    "interface Timer { setTimeout(done: () => void): void }",
    "type Kind = typeof setTimeout;",
    "// setTimeout is the clock's",
  ])("%s doesn't wait", (text) => {
    expect(waits(file(text))).toEqual([]);
  });

  test.each([
    "const path = process.env.SHOP_JOURNAL;",
    'const path = env["SHOP_JOURNAL"];',
    "const { SHOP_RUN: stated } = env;",
    "const env = { SHOP_RUN: text };",
    'const value = env["SHOP_" + name];',
    'const isEmbedded = env.PULUMI_EMBEDDED_ENGINE === "true";',
  ])("%s names a variable", (text) => {
    expect(variablesNamed(file(text))).toHaveLength(1);
  });

  test.each([
    "const text = args.content;",
    'const stated = ["content", "src"];',
    "const { filename, ...rest } = args;",
    "const { content: _content } = args;",
    'if ("isText" in state) send();',
  ])("%s names a body's argument", (text) => {
    expect(bodiesNamed(file(text))).not.toEqual([]);
  });

  test.each([
    'const digest = hash("sha256", text);',
    "if (print.content === hash) return seen;",
    "const size = file.sha256.length;",
    "// content, file and src",
  ])("%s names none", (text) => {
    expect(bodiesNamed(file(text))).toEqual([]);
  });

  test.each([
    'throw new Error("permit it with SHOP_ALLOW_OUTSIDE=true");',
    "// SHOP_URL says which shop",
    "const shop = env.PULUMI_STACK;",
  ])("%s names none", (text) => {
    expect(variablesNamed(file(text))).toEqual([]);
  });

  test.each([
    'process.stdout.write("done");',
    "const { env } = process;",
    "process.exit(1);",
    "console.log(plan);",
    "if (globalThis.process.argv.length > 2) ask();",
  ])("%s takes what is around it", (text) => {
    expect(surroundings(file(text))).not.toEqual([]);
  });

  test.each(["const id = String(process.pid);", "const { stdout } = await run(command);", "// process.exit"])(
    "%s takes nothing",
    (text) => {
      expect(surroundings(file(text))).toEqual([]);
    },
  );

  test.each([
    "const answer = await fetch(url);",
    "const answer = await globalThis.fetch(url);",
    "const send = { fetch };",
    'import { request } from "node:https";',
    'import { Agent } from "undici";',
    'const http = process.getBuiltinModule("node:http");',
    'const { Pool } = createRequire(import.meta.url)("undici");',
  ])("%s opens a connection", (text) => {
    expect(connections(file(text))).toHaveLength(1);
  });

  test.each([
    'import { SaxesParser } from "saxes";',
    'const { SaxesParser } = createRequire(import.meta.url)("saxes");',
    'const { SaxesParser } = await import("saxes");',
  ])("%s takes what parses", (text) => {
    expect(parsers(file(text))).toHaveLength(1);
  });

  test("its types alone are no parser", () => {
    expect(parsers(file('type Parser = import("saxes").SaxesParser;'))).toEqual([]);
  });

  test.each([
    "const answer = await transport.fetch(url);",
    'import { isIP } from "node:net";',
    'import type { Dispatcher } from "undici";',
    'import { type LookupFunction, BlockList } from "node:net";',
  ])("%s doesn't open one", (text) => {
    expect(connections(file(text))).toEqual([]);
  });

  test("an import of a value counts, one of a type doesn't", () => {
    const text =
      'import { a } from "./a.ts"; import type { b } from "./b.ts"; export { type c } from "./c.ts";';
    expect(importsOf(file(text))).toEqual(["./a.ts", "./c.ts"]);
    expect(importsOf(file('import { type a } from "./a.ts"; export * from "./d.ts";'))).toEqual(["./d.ts"]);
  });
});
