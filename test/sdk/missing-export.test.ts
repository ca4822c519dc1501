// Under `pulumi`, the SDK prints a program's error; here the program is apparently started by the SDK's runner.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../cli/terminal.ts";
import { freshEnv, runCommand } from "../support/process.ts";

test("a class that the package doesn't have is answered with the nearest one, also by pulumi", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-missing-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const path = join(folder, "index.mjs");
  writeFileSync(path, 'import * as shop from "pulumi-shop";\nnew shop.Kupon("welcome", {});\n');
  const runner = `
process.argv[1] = "/project/node_modules/@pulumi/pulumi/cmd/run/index.js";
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error) => console.log(error.message + "\\n" + error.stack));
void import(${JSON.stringify(pathToFileURL(path).href)});
`;
  const { output } = await runCommand(
    root,
    [process.execPath, "--input-type=module", "--eval", runner],
    freshEnv(),
  );
  const said = "pulumi-shop has no Kupon, did you mean Coupon?\n  It has ApplicationCharge, ";
  expect(output.startsWith(said)).toBe(true);
  expect(output).toContain(`\nError: ${said}`);
  expect(output).toContain("index.mjs:2:1");
});
