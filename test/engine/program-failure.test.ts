// Errors of a program are shown as message and the program's own lines, without the SDK's and without fields.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { programFailure } from "../../engine/processes/program-failure.ts";
import { embedded } from "./embedded.ts";
import { openScene } from "./scene.ts";

const head = "Running program '/p/index.ts' failed with an unhandled exception:\n";
const project: Parameters<typeof programFailure>[1] = {
  folder: "/p",
  programFolder: "/p",
  runtime: { name: "nodejs", typescript: false, tsconfig: undefined, nodeargs: [] },
};
const told = (text: string) => programFailure(head + text, project);

test("text that isn't an error of the program isn't changed", () => {
  expect(programFailure("Coupon is deprecated", project)).toBeUndefined();
});

test("a programming error is shown with its name and the program's lines", () => {
  expect(
    told(
      "TypeError: Cannot read properties of undefined (reading 'foo')\n    at file:///p/index.ts:6:36\n    at ModuleJob.run (node:internal/modules/esm/module_job:430:25)",
    ),
  ).toBe(
    "the program failed: TypeError: Cannot read properties of undefined (reading 'foo')\n  at index.ts:6:36",
  );
});

test("an error of a data source is shown as its message, without our stack, fields and colours", () => {
  expect(
    told(
      "\u001b[36m<ref *1>\u001b[39m UnreachableError: error serializing property \"themeId\": Theme: GET /admin/themes.xml never reached the shop: refused. Check shop:url\n    at send (file:///lib/node_modules/pulumi-shop/dist/transport.js:66:23)\n\u001b[90m    at node:internal\u001b[39m {\n  code: \u001b[32m'unreachable'\u001b[39m,\n  promise: Promise { \u001b[36m<rejected>\u001b[39m \u001b[36m[Circular *1]\u001b[39m }\n}",
    ),
  ).toBe("the program failed: Theme: GET /admin/themes.xml never reached the shop: refused. Check shop:url");
});

test("an error in the background is shown in the same way", () => {
  const stack =
    "\n    at pickOne (file:///lib/node_modules/pulumi-shop/dist/lookup.js:22:11)\n    at node:internal:1";
  const said =
    'Error: error serializing property "themeId": error serializing property "themeId": there is no Theme';
  expect(programFailure(said + stack, project)).toBe("the program failed: there is no Theme");
  expect(programFailure("resource a failed to register", project)).toBeUndefined();
  expect(programFailure("Error: what a program says in its own log", project)).toBeUndefined();
});

test("an error outside of the program keeps its stack", () => {
  expect(told("TypeError: x is not a function\n    at f (/lib/a.js:1:2)\n    at g (/lib/b.js:3:4)")).toBe(
    "the program failed: TypeError: x is not a function\n  at f (/lib/a.js:1:2)\n  at g (/lib/b.js:3:4)",
  );
});

test("a recursive function is named once for each of its lines", () => {
  const frames = [29, 25, 25, 25].map((column) => `    at f (file:///p/index.ts:2:${column})`).join("\n");
  expect(told(`RangeError: Maximum call stack size exceeded\n${frames}`)).toBe(
    "the program failed: RangeError: Maximum call stack size exceeded\n  at f (index.ts:2:29)\n  at f (index.ts:2:25)",
  );
});

test.each([
  "[object Object]",
  "TypeError: Cannot read properties of undefined (reading 'name')\n    at process.uncaughtHandler (/p/node_modules/@pulumi/pulumi/cmd/run/run.js:381:22)",
])("a thrown value that is no error is reported without a stack: %j", (text) => {
  expect(told(text)).toBe(
    'the program failed: it threw a value that is not an Error; write throw new Error("..."), which tells the reason and the line',
  );
});

test.each([
  ["await Promise.reject();", "[object Undefined]", ["  at index.ts:2"]],
  [
    "await new Promise((_resolve, reject) => reject());\nthrow 5;",
    "null",
    ["  perhaps at index.ts:2", "  perhaps at index.ts:3"],
  ],
  ["try { f(); } catch (error) { throw error; }\nthrow new Error('x');", "undefined", []],
])("a value without a stack is looked for in the program's file: %j", (code, text, places) => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-thrown-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "index.ts");
  writeFileSync(path, `// throw "no line"\n${code}\n`);
  const said = programFailure(`Running program '${path}' failed with an unhandled exception:\n${text}`, {
    ...project,
    folder,
  });
  expect(said?.split("\n").slice(1)).toEqual(places);
});

test("an error's cause is shown without its stack", () => {
  expect(
    told(
      "Error: choose a percent\n    at file:///p/index.ts:6:17 {\n  [cause]: Error: none set\n      at file:///p/index.ts:6:56\n}",
    ),
  ).toBe("the program failed: choose a percent\n  caused by: none set\n  at index.ts:6:17");
});

test("an error of Node without a stack is shown with its cause and the line that awaited it", () => {
  expect(
    told(
      "[TypeError: fetch failed] {\n  [cause]: Error: bad port\n      at fetch (node:internal:1)\n      at file:///p/index.ts:2:7\n}",
    ),
  ).toBe("the program failed: TypeError: fetch failed\n  caused by: bad port\n  at index.ts:2:7");
});

test("a compiler's messages and thrown texts are shown in full", () => {
  expect(told("index.ts(3,4): error TS2322: Type 'x'\nindex.ts(5,1): error TS1005")).toBe(
    "the program failed: index.ts(3,4): error TS2322: Type 'x'\nindex.ts(5,1): error TS1005",
  );
});

test("invalid JSON is shown with the program's line that parses it", async () => {
  const scene = openScene([embedded]);
  scene.program(`JSON.parse("{ bad");`);
  expect((await scene.preview()).messages).toMatch(
    /SyntaxError: Expected property name[^\n]*\n {2}at .*index\.js:\d+/,
  );
});

test.each([
  ["module", false, false, ""],
  ["module", true, true, ""],
  ["commonjs", false, true, "; or remove typescript: false from Pulumi.yaml"],
  ["commonjs", true, false, "; or npm install --save-dev typescript"],
  [
    "commonjs",
    false,
    false,
    "; or remove typescript: false from Pulumi.yaml and npm install --save-dev typescript",
  ],
])(
  "an enum that Node can't strip is told with what the project can do: %s, %s, %s",
  (type, typescript, isInstalled, steps) => {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-enum-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type }));
    const compiler = join(folder, "node_modules/typescript");
    if (isInstalled) {
      mkdirSync(compiler, { recursive: true });
      writeFileSync(join(compiler, "index.js"), "");
    }
    const own = { folder, programFolder: folder, runtime: { ...project.runtime, typescript } };
    const said = "SyntaxError: TypeScript enum is not supported in strip-only mode";
    const then = steps === "" ? "" : `${steps}: then the project's own compiler compiles the program`;
    expect(programFailure(head + said, own)).toBe(
      `the program failed: ${said}\n  Write it another way, such as a const object instead of an enum${then}`,
    );
  },
);
