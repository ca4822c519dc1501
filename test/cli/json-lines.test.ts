// --json prints what docs/json-lines.schema.json describes: every line of every command, and no other fields.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { openScene, root } from "./terminal.ts";

/** A schema without additional properties. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const own = Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, strict(one)]));
  return "required" in own && "properties" in own ? { ...own, additionalProperties: false } : own;
}

const text = readFileSync(join(root, "docs/json-lines.schema.json"), "utf8");
const line = z.fromJSONSchema(strict(JSON.parse(text)) as never);

const program = (discount: number, more = "") => `import { log } from "@pulumi/pulumi";
import { Coupon, Product } from "pulumi-shop";
log.info("told");
new Coupon("spring", { code: "SPRING", discount: ${discount}, typeId: 1, description: "for\\nall\\n" });
export const mug = new Product("mug", { title: "Mug", variants: [{ sku: "M", price: ${discount} }] });
console.log("printed");
${more}`;

test("every line that a run prints is one of the schema's", async () => {
  const { world, terminal } = await openScene(program(10));
  const types = new Set<unknown>();
  const run = async (...args: readonly string[]) => {
    const { stdout, stderr } = await terminal.dev(...args, "--json");
    const lines = stdout.trim().split("\n");
    expect(lines.length, stderr).toBeGreaterThan(1);
    expect(lines.at(-1)).toContain('"type":"summary"');
    for (const one of lines) {
      const { success, error } = line.safeParse(JSON.parse(one));
      expect(success, `${one}\n${error?.message}`).toBe(true);
      types.add((JSON.parse(one) as { type: unknown }).type);
    }
  };
  await run("preview");
  await run("up", "--yes");
  await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: "55.0" } });
  await run("refresh", "--preview-only");
  terminal.write("index.ts", program(20));
  await run("preview", "--diff");
  await run("up", "--yes", "--skip-preview");
  await run("up", "--yes", "--overwrite", "spring");
  terminal.write("index.ts", program(20, 'new Coupon("wrong", { code: "", discount: 1, typeId: 1 });\n'));
  await run("preview");
  terminal.write("index.ts", program(30));
  await run("preview", "--save-plan", "plan.json");
  terminal.write("index.ts", program(40));
  await run("up", "--yes", "--plan", "plan.json");
  await run("up", "--yes", "--plan", "plan.json", "--partial");
  await world.fault({ method: "DELETE", path: "*", fault: "500", times: 99 });
  await run("destroy", "--yes", "--skip-preview");
  expect([...types].toSorted()).toEqual([
    "done",
    "failed",
    "message",
    "printed",
    "refused",
    "stale",
    "started",
    "summary",
  ]);
});

test.each([
  [["up", "--json", "--colour"], 2, "up", "unknown option --colour"],
  [["preview", "--json", "--markdown", "-"], 2, "preview", "use either --json or --markdown -"],
  [["destroy", "--json", "--stack", "other"], 6, "destroy", "the stack other does not exist"],
  [["apply", "--json", "--stack", "dev"], 2, "up", "no terminal to confirm on; pass --yes"],
  [["--json", "refresh", "--timeout", "soon"], 2, "refresh", "--timeout must be a time"],
])("a run that ends with an error ends its lines with a summary: %s", async (args, code, run, message) => {
  const { terminal } = await openScene(program(10));
  const ran = await terminal.run(...args);
  expect(ran.code, ran.all).toBe(code);
  const last: unknown = JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "");
  expect(line.parse(last)).toMatchObject({
    run,
    type: "summary",
    outcome: "failed",
    failures: [{ message: expect.stringContaining(message) }],
  });
  expect(ran.stderr).toContain(`error: ${message}`);
});

test("other commands print no summary", async () => {
  const { terminal } = await openScene(program(10));
  expect(await terminal.run("stacks", "--json", "--colour")).toMatchObject({ code: 2, stdout: "" });
});
