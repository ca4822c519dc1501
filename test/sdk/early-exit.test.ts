// A program that ends before its last line must fail, or `pulumi` would delete the resources after that line. Each runs
// in its own process, apparently started by the SDK's runner; test/laws/four-ways.test.ts does the same with `pulumi`.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { root } from "../cli/terminal.ts";
import { freshEnv, runCommand } from "../support/process.ts";

const runner = (program: string) => `
import * as pulumi from "@pulumi/pulumi";
process.argv[1] = "/project/node_modules/@pulumi/pulumi/cmd/run/index.js";
await pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) });
pulumi.runtime.runInPulumiStack(async () => {
  const { Coupon } = await import(${JSON.stringify(pathToFileURL(join(root, "dist/sdk/index.js")).href)});
  ${program}
});
`;
const run = (program: string) =>
  runCommand(root, [process.execPath, "--input-type=module", "--eval", runner(program)], freshEnv());

const made = 'new Coupon("a", { code: "A", discount: 10, typeId: 1 });';

test.each([
  ["awaits a promise that never settles", `${made}\nawait new Promise(() => {});`],
  // The SDK itself reports resources that are still pending.
  [
    "calls process.exit",
    `${made.replace("new", "const a = new")}\na.id.apply(() => setImmediate(() => process.exit(0)));\nawait new Promise(() => {});`,
  ],
  ["has an output that never comes", `${made}\nreturn { never: new Promise(() => {}) };`],
])("a program that %s fails with the reason", async (_what, program) => {
  const { code, output } = await run(program);
  expect(code, output).toBe(1);
  expect(output).toContain("the program ended before its last line");
});

test("a program that reaches its last line succeeds, and one that fails reports only its own error", async () => {
  const whole = await run(
    'const a = new Coupon("a", { code: "A", discount: 10, typeId: 1 });\nreturn { code: a.code };',
  );
  expect(whole).toEqual({ code: 0, output: "" });
  const failed = await run('throw new Error("no prices today");');
  expect(failed.code).not.toBe(0);
  expect(failed.output).toContain("no prices today");
  expect(failed.output).not.toContain("last line");
});
