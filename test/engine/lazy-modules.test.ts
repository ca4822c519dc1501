// Modules that the SDK loads at start although few programs need them (engine/processes/lazy-modules.ts) work when they
// are used.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("npm's installer, TypeScript, the Automation API, tracing and the debugger are loaded on first use, and work", () => {
  const program = fileURLToPath(new URL("lazy-modules.cjs", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8" });
  expect(JSON.parse(stdout), stderr).toEqual({
    atStart: [],
    atEnd: [
      "/typescript/lib/",
      "/@npmcli/arborist/",
      "/pulumi/automation/stack",
      "/@opentelemetry/sdk-trace-node/",
      "a debugger",
    ],
    recorded: [false, true],
    automation: { names: true, type: "function" },
    closure: expect.stringContaining("var __captured = {answer: 42};"),
    // With the position, even for a script that was loaded before the debugger.
    unwritable: expect.stringMatching(
      /^Error serializing '\(\) => native\(2\)': lazy-modules\.cjs\(\d+,\d+\)[\s\S]*native code function/,
    ),
    codePaths: ["node_modules/left"],
    // Lines of the program are its own, those of the SDK are compiled files.
    stack: [
      expect.stringMatching(/lazy-modules\.cjs:\d+:\d+/),
      expect.stringMatching(/@pulumi\/pulumi\/output\.js:\d+:\d+/),
    ],
  });
});
