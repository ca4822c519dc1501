// The undocumented parts of Pulumi's SDK in use exist in the installed SDK, and only one file uses them.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect, onTestFinished, test } from "vitest";
import { isMocked, silently, typeMade, typesAbove } from "../../engine/pulumi/sdk-internals.ts";
import { root } from "../cli/terminal.ts";
import { lacking } from "./lacking.ts";

test("a resource has its type and parents, and mocks are detected", async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: () => ({}),
  });
  expect(isMocked(pulumi.runtime)).toBe(true);
  const outer = new pulumi.ComponentResource("test:index:Outer", "outer");
  const inner = new pulumi.ComponentResource("test:index:Inner", "inner", {}, { parent: outer });
  expect(typeMade(inner)).toBe("test:index:Inner");
  expect(typesAbove(inner).slice(-2)).toEqual(["test:index:Outer", "test:index:Inner"]);
  expect(typeMade(undefined)).toBeUndefined();
});

test("all undocumented parts of the SDK in use exist in the installed SDK", () => {
  expect(lacking(createRequire(import.meta.url).resolve("@pulumi/pulumi"))).toEqual([]);
});

test("a folder without the SDK lacks all parts except optional ones", () => {
  expect(lacking(join(root, "docs"))).toContain("cmd/run/index.js");
});

test("a silent error isn't printed by the SDK's host, and later output is", async () => {
  const printed: string[] = [];
  const { write } = process.stderr;
  onTestFinished(() => void Object.assign(process.stderr, { write }));
  process.stderr.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  // Like the host's console.
  const print = (line: string) => process.stderr.write(`${line}\n`);
  const error = silently("Coupon 9 is not in the shop");
  print(`${error}: ${error.stack}`);
  print("one");
  expect(printed).toEqual(["one\n"]);
  // Reading the stack without printing doesn't suppress later output.
  expect(error.stack).toBe("");
  await Promise.resolve();
  print("two");
  expect(printed).toEqual(["one\n", "two\n"]);
  expect(error.message).toBe("Coupon 9 is not in the shop");
});

test("no other file uses undocumented parts of the SDK", () => {
  const words =
    /__pulumiType|__parentResource|\.mocks\b|@isPulumiResource|["'`]@pulumi\/pulumi\/(?!proto\/)|\bcmd\/(?:run|dynamic-provider)\b|typescript-shim|["'`]\.\.?\/(?:\.\.\/)*(?:runtime|log|automation|instrumentation|tracing)(?:\/[\w-]+)?(?:\.js)?["'`]|unhandled exception/;
  const code = (path: string) =>
    readFileSync(join(root, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  const product = ["sdk", "engine", "plugin", "provider", "runs", "cli"];
  const sources = execFileSync("git", ["ls-files", ...product], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => path.endsWith(".ts"));
  expect(sources.filter((path) => words.test(code(path)))).toEqual(["engine/pulumi/sdk-internals.ts"]);
  const messages = sources.filter((path) => /["'`]@pulumi\/pulumi\/proto\//.test(code(path)));
  expect(messages).toEqual(expect.arrayContaining(["engine/processes/wire.ts", "plugin/wire.ts"]));
});
