// Under `pulumi`, the SDK prints a program's error; here the program is apparently started by the SDK's runner.
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../cli/terminal.ts";
import { freshEnv, runCommand } from "../support/process.ts";

/** What Pulumi prints of the error that ends a program. */
async function printed(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-errors-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  const path = join(folder, "index.mjs");
  writeFileSync(path, program);
  const runner = `
import { inspect } from "node:util";
process.argv[1] = "/project/node_modules/@pulumi/pulumi/cmd/run/index.js";
const seen = new Set();
for (const event of ["uncaughtException", "unhandledRejection"])
  process.on(event, (error, promise) => {
    if (!seen.has(error)) console.log(inspect(Object.assign(error, { promise })));
    seen.add(error);
  });
void import(${JSON.stringify(pathToFileURL(path).href)});
`;
  const { output } = await runCommand(
    root,
    [process.execPath, "--input-type=module", "--eval", runner],
    freshEnv(),
  );
  return output.replaceAll(folder, "");
}

test("a class that the package doesn't have is answered with the nearest one, also by pulumi", async () => {
  const output = await printed('import * as shop from "pulumi-shop";\nnew shop.Kupon("welcome", {});\n');
  expect(output).toMatch(
    /^Error: pulumi-shop has no Kupon, did you mean Coupon\?\n {2}It has ApplicationCharge, /,
  );
  expect(output).toContain("index.mjs:2:1");
});

test("an error of the package ends a program with its message and the program's lines only, also by pulumi", async () => {
  const output = await printed(
    'import { getThemeOutput } from "pulumi-shop";\nexport const { id } = getThemeOutput({ published: true });\n',
  );
  expect(output).toBe(`Error: the connection to the shop is not complete:
  - the shop's address is not set: pulumi config set shop:url ..., or SHOP_URL in the environment
  - the application's identifier is not set: pulumi config set shop:applicationId ..., or SHOP_APPLICATION_ID in the environment
  - the application's password is not set: pulumi config set --secret shop:password ..., or SHOP_PASSWORD in the environment
    at file:///index.mjs:2:23
`);
});
