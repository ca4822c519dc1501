// What is reached of Pulumi's SDK without its documentation's promise is in the SDK that is installed, and is reached in one file of each
// room: sdk/internals.ts, engine/processes/sdk-files.ts, provider/host.ts (test/provider/host.test.ts), and the messages of the protocol.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { instrumentation, loadedLate, log, startedFiles } from "../../engine/processes/sdk-files.ts";
import { isMocked, parts, typeMade, typesAbove } from "../../sdk/internals.ts";
import { root } from "../cli/terminal.ts";

test("a resource keeps its type and its parents, and mocks say what they are", async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: () => ({}),
  });
  expect(isMocked()).toBe(true);
  const outer = new pulumi.ComponentResource("test:index:Outer", "outer");
  const inner = new pulumi.ComponentResource("test:index:Inner", "inner", {}, { parent: outer });
  expect(typeMade(inner)).toBe("test:index:Inner");
  expect(typesAbove(inner).slice(-2)).toEqual(["test:index:Outer", "test:index:Inner"]);
  expect(typeMade(undefined)).toBeUndefined();
});

test("the functions are there that our classes have less of", () => {
  const { debuggable, resources, rpc } = parts();
  expect(debuggable.debuggablePromise).toBeTypeOf("function");
  expect(resources.Resource?.callsites).toBeTypeOf("function");
  expect(rpc.transferProperties).toBeTypeOf("function");
});

test("the files are there that the engine starts, and that it loads late", () => {
  const { resolve } = createRequire(import.meta.url);
  for (const file of Object.values(startedFiles)) expect(resolve(`@pulumi/pulumi/${file}`)).toContain(file);
  const run = createRequire(resolve(`@pulumi/pulumi/${startedFiles.run}`));
  for (const part of [...Object.values(loadedLate), instrumentation, log]) run.resolve(part);
  expect((run(log) as { debug?: unknown }).debug).toBeTypeOf("function");
});

test("no other file reaches for them", () => {
  const rooms: Readonly<Record<string, RegExp>> = {
    "sdk/internals.ts":
      /__pulumiType|__parentResource|\.mocks\b|@pulumi\/pulumi\/|runtime\/(?:rpc|debuggable)\.js/,
    "engine/processes/sdk-files.ts":
      /["'`](?:cmd\/(?:run|dynamic-provider|run-plugin)|(?:\.\.\/)+(?:typescript-shim|automation|runtime|log))\b/,
  };
  const sources = execFileSync("git", ["ls-files", "sdk", "engine", "plugin", "provider", "runs", "cli"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => path.endsWith(".ts"));
  const code = (path: string) =>
    readFileSync(join(root, path), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
  for (const [home, words] of Object.entries(rooms)) {
    const [room = ""] = home.split("/");
    const others = sources.filter((path) => path.startsWith(`${room}/`) && path !== home);
    const wires = ["engine/processes/wire.ts", "engine/processes/monitor.ts", "engine/processes/children.ts"];
    expect(others.filter((path) => !wires.includes(path) && words.test(code(path)))).toEqual([]);
  }
});
