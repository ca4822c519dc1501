// One history for both engines: pulumi shows our runs, and we show pulumi's.
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { pulumiVersion } from "../engine/pulumi.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

test.skipIf(pulumiVersion() === undefined)(
  "pulumi stack history shows our runs, and history shows pulumi's",
  async () => {
    const world = await openWorld();
    const program =
      'import { Coupon } from "pulumi-shop";\nnew Coupon("a", { code: "A", discount: 5, typeId: 2 });\n';
    const terminal = openTerminal(program, { ...world.env, PULUMI_SKIP_UPDATE_CHECK: "true" });
    const { folder, env, run } = terminal;
    const up = await run("up", "--stack", "dev", "--yes");
    expect(up.code, up.stderr).toBe(0);
    const pulumi = (...args: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync("pulumi", args, { cwd: folder, env, encoding: "utf8" });
      expect(status, stderr).toBe(0);
      return stdout;
    };
    expect(JSON.parse(pulumi("stack", "history", "--stack", "dev", "--json"))).toMatchObject([
      {
        kind: "update",
        result: "succeeded",
        resourceChanges: { create: 1 },
        environment: { "exec.kind": "cli" },
      },
    ]);
    expect(pulumi("stack", "history", "--stack", "dev")).toMatch(/UpdateKind: update\nStatus: succeeded/);
    pulumi("up", "--stack", "dev", "--yes", "--skip-preview");
    const all = JSON.parse((await run("history", "--stack", "dev", "--json")).stdout);
    expect(all).toMatchObject([
      { run: "up", outcome: "succeeded", environment: { "pulumi.version": expect.stringMatching(/^v3/) } },
      { run: "up", outcome: "succeeded", counts: { create: 1 } },
    ]);
  },
);
