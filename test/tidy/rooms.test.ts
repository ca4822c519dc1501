// The folders of the product and their allowed imports, types included (docs/layout.md draws them).
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { root } from "../cli/terminal.ts";

type Imports = ReadonlyMap<string, readonly string[]>;

/** From the lowest up: a folder imports only from those before it. */
const floors: Readonly<Record<string, readonly string[]>> = {
  provider: [
    "names",
    "definition",
    "resources",
    "wire",
    "settings",
    "client",
    "theme",
    "body",
    "change",
    "context",
    "lifecycle",
    "prices",
    "inventory",
  ],
  engine: ["common", "pulumi", "values", "project", "state", "stack", "processes", "steps", "deployment"],
  runs: ["stack", "report", "plans"],
  cli: [
    "stack",
    "terminal",
    "program",
    "pull",
    "accept",
    "import",
    "compare",
    "pictures",
    "deploy",
    "theme",
    "commands",
  ],
};

/** Folders that everybody may import. */
const open = /^(engine\/common|engine\/pulumi|provider\/names)\//;

/** Files that may be imported from outside of a folder. */
const doors: Readonly<Record<string, readonly string[]>> = {
  provider: [
    "provider/index.ts",
    "provider/client/index.ts",
    "provider/definition/define.ts",
    "provider/inventory/index.ts",
    "provider/native.ts",
    "provider/previewed-lists.ts",
    "provider/resources/index.ts",
    "provider/threads.ts",
  ],
  // For the command, which starts without loading the engine.
  engine: ["engine/index.ts", "engine/processes/compile-cache.ts"],
  // For programs, for the command, and for `--version`.
  runs: ["runs/index.ts", "runs/command.ts", "runs/stack/version.ts"],
  emulator: ["emulator/index.ts"],
  plugin: [],
  cli: [],
};

const product = ["sdk", "provider", "plugin", "emulator", "engine", "runs", "cli"];

const slashed = (path: string) => path.split(sep).join("/");

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(path);
    return path.endsWith(".ts") ? [path] : [];
  });
}

/** The files that a text imports or exports, including types and dynamic imports. */
export function imported(path: string, text: string): readonly string[] {
  const found: string[] = [];
  const add = (node: ts.Node | undefined) => {
    if (node === undefined || !ts.isStringLiteralLike(node) || !node.text.startsWith(".")) return;
    found.push(slashed(relative(root, resolve(root, dirname(path), node.text))));
  };
  const visit = (node: ts.Node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0]);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

function importsOf(...folders: readonly string[]): Imports {
  return new Map(
    folders
      .flatMap(filesIn)
      .map((path) => [path, imported(path, readFileSync(join(root, path), "utf8"))] as const),
  );
}

/** Groups of files that import each other. */
export function circles(imports: Imports): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): number => {
    order.set(path, order.size);
    low.set(path, order.size - 1);
    open.push(path);
    for (const next of imports.get(path) ?? []) {
      if (!imports.has(next)) continue;
      const reached = !order.has(next) ? visit(next) : open.includes(next) ? order.get(next) : undefined;
      if (reached !== undefined) low.set(path, Math.min(low.get(path) ?? 0, reached));
    }
    if (low.get(path) === order.get(path)) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) found.push(circle.toSorted());
    }
    return low.get(path) ?? 0;
  };
  for (const path of imports.keys()) if (!order.has(path)) visit(path);
  return found;
}

/** Imports from a folder into a higher one. A folder's own files are above its subfolders. */
export function upwards(imports: Imports, folder: string, rooms: readonly string[]): readonly string[] {
  const floorOf = (path: string) => {
    const [top, room, ...rest] = path.split("/");
    if (top !== folder) return undefined;
    return rest.length === 0 ? rooms.length : rooms.indexOf(room ?? "");
  };
  return [...imports].flatMap(([path, targets]) =>
    targets.flatMap((target) => {
      const [from, to] = [floorOf(path), floorOf(target)];
      return from !== undefined && to !== undefined && to > from ? [`${path} imports ${target}`] : [];
    }),
  );
}

/** Imports into a folder that bypass its doors. */
export function throughWalls(imports: Imports): readonly string[] {
  return [...imports].flatMap(([path, targets]) =>
    targets
      .filter((target) => {
        const [top = ""] = target.split("/");
        return (
          !path.startsWith(`${top}/`) &&
          !open.test(target) &&
          doors[top] !== undefined &&
          !doors[top].includes(target)
        );
      })
      .map((target) => `${path} imports ${target}`),
  );
}

const all = importsOf(...product);
// Files that all commands share: how they end and how they are called.
const shared = new Set(["cli/exit.ts", "cli/options.ts", "cli/run-options.ts"]);
const withoutShared = new Map(
  [...all].map(([path, targets]) => [path, targets.filter((target) => !shared.has(target))] as const),
);

describe("rooms", () => {
  test.each(Object.keys(floors))("%s has the rooms that are drawn, and no other", (folder) => {
    const rooms = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(rooms.map(({ name }) => name).toSorted()).toEqual([...(floors[folder] ?? [])].toSorted());
  });

  test.each(Object.entries(floors))("%s: no room imports from one above it", (folder, rooms) => {
    expect(upwards(withoutShared, folder, rooms)).toEqual([]);
  });

  test("no two files import each other, not even types", () => {
    expect(circles(all)).toEqual([]);
  });

  test("from outside only through a declared door", () => {
    // The SDK's types come from the definitions: a line for each kind.
    const classes = (line: string) => line.startsWith("sdk/index.ts imports provider/resources/");
    expect(throughWalls(all).filter((line) => !classes(line))).toEqual([]);
  });

  test("each folder has a README.md: its content, and where similar code is", () => {
    const folders = [...new Set([...all.keys()].map((path) => dirname(path)))];
    const silent = folders.filter((folder) => {
      const path = join(root, folder, "README.md");
      return !existsSync(path) || !/^[^\n]+\.\n\nNot here: [^\n]+\.\n$/.test(readFileSync(path, "utf8"));
    });
    expect(silent).toEqual([]);
  });
});

describe("the walls see what they are there for", () => {
  const withFile = (path: string, text: string): Imports =>
    new Map([...all, [path, imported(path, text)] as const]);

  test("a type that is imported from a room above", () => {
    const text = 'import type { Shop } from "../context/context.ts";';
    const from = (path: string) =>
      upwards(withFile(path, text), "provider", floors.provider ?? []).filter((line) =>
        line.startsWith(path),
      );
    expect(from("provider/change/new.ts")).toEqual([
      "provider/change/new.ts imports provider/context/context.ts",
    ]);
    expect(from("provider/lifecycle/new.ts")).toEqual([]);
  });

  test("a type that two files take from each other", () => {
    const there = withFile("engine/one.ts", 'export const a: import("./two.ts").B = 1;');
    const both = new Map([...there, ["engine/two.ts", ["engine/one.ts"]] as const]);
    expect(circles(both)).toEqual([["engine/one.ts", "engine/two.ts"]]);
  });

  test("an import past a door", () => {
    const text =
      'export { changeOf } from "../../provider/change/change.ts"; import "../../engine/index.ts";';
    expect(throughWalls(withFile("cli/terminal/new.ts", text))).toContain(
      "cli/terminal/new.ts imports provider/change/change.ts",
    );
    expect(throughWalls(withFile("cli/terminal/new.ts", text)).join()).not.toContain("engine/index.ts");
  });
});
