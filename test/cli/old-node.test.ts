// The command under a Node that is too old for it: it says so, with the way on, and not with an error of syntax.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./terminal.ts";

/** Makes this Node as Node 20 is where the command meets it: its number, and what its modules don't export. */
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
