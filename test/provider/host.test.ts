// What the door relies on of the SDK's host of dynamic providers, held against the host that is installed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, onTestFinished, test } from "vitest";
import { silently } from "../../provider/host.ts";

test("the host prints an error and its stack at once, and in no other way", () => {
  const path = createRequire(import.meta.url).resolve("@pulumi/pulumi/cmd/dynamic-provider/index.js");
  const printed = [...readFileSync(path, "utf8").matchAll(/console\.error\((.*)\);/g)].map(
    ([, what]) => what,
  );
  const ofErrors = printed.filter((what) => what?.startsWith("`"));
  expect(ofErrors.length).toBeGreaterThan(0);
  for (const what of ofErrors) expect(what).toMatch(/^`\$\{e\}: \$\{e\.stack\}`$/);
});

test("what is printed of an error as the host prints it is nothing, and what comes after it is printed", async () => {
  const printed: string[] = [];
  const { write } = process.stderr;
  onTestFinished(() => void Object.assign(process.stderr, { write }));
  process.stderr.write = (text: string | Uint8Array) => printed.push(String(text)) > 0;
  // As the host's own console writes.
  const print = (line: string) => process.stderr.write(`${line}\n`);
  const error = silently("Coupon 9 is not in the shop");
  print(`${error}: ${error.stack}`);
  print("one");
  expect(printed).toEqual(["one\n"]);
  // Whoever reads the stack and prints nothing silences nothing later.
  expect(error.stack).toBe("");
  await Promise.resolve();
  print("two");
  expect(printed).toEqual(["one\n", "two\n"]);
  expect(error.message).toBe("Coupon 9 is not in the shop");
});
