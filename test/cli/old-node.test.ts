// The command with a Node that is too old, or an incomplete installation, says what to do.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./terminal.ts";

/** Makes this Node look like Node 20: its version, and missing exports. */
const asNode20 = `
import { registerHooks } from "node:module";
Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });
const old = "data:text/javascript,export const { createRequire } = process.getBuiltinModule('node:module');";
registerHooks({
  resolve: (name, context, next) =>
    name === "node:module" && /\\/(cli\\/main|compile-cache)\\.ts$/.test(context.parentURL) ? { url: old, shortCircuit: true } : next(name, context),
});
`;

test("says which Node it needs, and how to have it for one run", () => {
  const preload = `data:text/javascript,${encodeURIComponent(asNode20)}`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", preload, join(root, "cli/main.ts"), "preview"],
    { encoding: "utf8" },
  );
  expect(stderr).toBe(
    "error: Node 20.20.2 is too old: pulumi-shop needs 22.19 or later. Install it, " +
      "or use it for this command only: npx -y -p node@24 -p pulumi-shop -- pulumi-shop ...\n",
  );
  expect(status).toBe(2);
});

test("says what to do if one of its packages is missing", () => {
  const hook = `
import { registerHooks } from "node:module";
registerHooks({ resolve: (name, context, next) => next(name === "yaml" ? "no-such-package" : name, context) });
`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, join(root, "cli/main.ts"), "stacks"],
    { encoding: "utf8", cwd: root },
  );
  expect(stderr).toMatch(
    /^error: Cannot find package 'no-such-package' imported from .*\nThe installation is incomplete: run npm install\n$/,
  );
  expect(status).toBe(1);
});
