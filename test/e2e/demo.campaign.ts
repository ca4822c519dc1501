// The demo's story, as a newcomer runs it.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../cli/terminal.ts";

test("npm run demo ends with its ok line, and the figures agree with each other", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, "scripts/demo.ts")], {
    encoding: "utf8",
    cwd: root,
  });
  const last = stdout.trim().split("\n").at(-1) ?? "";
  const match = /^demo ok: created=(\d+) second=0 drift=(\d+) healed=(\d+) requests=(\d+) rejected=0$/.exec(
    last,
  );
  expect(match, `${last}\n${stderr}`).not.toBeNull();
  const [created, drift, healed, requests] = (match ?? []).slice(1).map(Number) as [
    number,
    number,
    number,
    number,
  ];
  expect(created).toBeGreaterThan(50);
  expect(healed).toBe(drift);
  expect(requests).toBeGreaterThan(created);
  expect(status).toBe(0);
});

test.skipIf(spawnSync("pulumi", ["version"]).status !== 0)("so does npm run demo -- --engine pulumi", () => {
  const { stdout } = spawnSync(process.execPath, [join(root, "scripts/demo.ts"), "--engine", "pulumi"], {
    encoding: "utf8",
    cwd: root,
  });
  expect(stdout.trim().split("\n").at(-1)).toMatch(/^demo ok: /);
});
