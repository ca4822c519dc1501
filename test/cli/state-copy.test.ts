// The copy of a state that pulumi keeps in a bucket.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openStateCopy } from "../../cli/deploy/state-copy.ts";
import { load, openStack } from "../../engine/index.ts";
import { notesPath } from "../../provider/inventory/index.ts";
import { openBucket } from "../support/shared-backend.ts";

const state = {
  urn: "urn:pulumi:live::shared::pulumi-nodejs:dynamic/shop:Coupon::spring",
  custom: true,
  id: "8841",
  type: "pulumi-nodejs:dynamic/shop:Coupon",
  inputs: { code: "SPRING" },
};

test("it has the state and the notes of creates, by the stack's bare name, and goes when it is closed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-copied-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  onTestFinished(() => void vi.unstubAllEnvs());
  const { env } = openBucket(
    folder,
    process.env.PATH ?? "",
    `echo '${JSON.stringify({ version: 3, deployment: { resources: [state] } })}'`,
  );
  for (const [name, value] of Object.entries({ ...env, HOME: folder, PULUMI_HOME: join(folder, "home") }))
    vi.stubEnv(name, value);
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shared\nruntime: nodejs\n");
  const notes = notesPath({ project: "shared", stack: "live" }, folder, process.env);
  mkdirSync(dirname(notes), { recursive: true });
  writeFileSync(notes, "a note\n");

  const copy = await openStateCopy({ cwd: folder, stack: "us/shared/live" }, {});
  const stack = openStack({ folder, stack: copy?.stack, env: { ...process.env, ...copy?.env } });
  expect(load(stack).resources).toEqual([state]);
  const beside = stack.paths.state.replace(/json$/, "creates");
  expect(readFileSync(beside, "utf8")).toBe("a note\n");
  copy?.close();
  expect(existsSync(beside)).toBe(false);

  // A state in files needs no copy.
  vi.stubEnv("PULUMI_BACKEND_URL", `file://${folder}`);
  expect(await openStateCopy({ cwd: folder, stack: "live" }, {})).toBeUndefined();
});
