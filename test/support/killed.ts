/** Kills a run of the real engine with `kill -9`: all of its processes at once, as a power cut does. */
import { copyFileSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Seat } from "./engines.ts";
import { descendantsOf, end } from "./families.ts";

/**
 * Runs `pulumi up` against a shop that does what it is asked and answers late, and kills it.
 * @param method the requests whose answers come late
 * @param isTime whether the shop has done enough of them
 */
export async function killUp(
  { folder, world, run }: Seat,
  method: "POST" | "PUT",
  isTime: () => boolean,
): Promise<void> {
  await world.fault({ method, path: "*", fault: "slow", delayMs: 60_000, times: 30 });
  const { code } = await run(["up", "--yes", "--skip-preview"], {}, (child) => {
    const look = setInterval(() => {
      if (!isTime()) return;
      clearInterval(look);
      for (const pid of [...descendantsOf(child.pid ?? 0), child.pid ?? 0]) end(pid);
    }, 2);
    child.once("exit", () => clearInterval(look));
  });
  expect(code).not.toBe(0);
  await world.control("POST", "forget");
  mendState(join(folder, "backend/.pulumi/stacks/user/dev.json"));
}

/**
 * Does what a person does if the real engine was killed while it wrote its state ("failed to load checkpoint: EOF"): what
 * stood there before is beside it. If that is empty too, the state is lost and the file is removed.
 */
export function mendState(state: string): void {
  // The real engine's file store keeps what it knows of a file in one beside it, and writes both in two steps.
  if (!isJson(`${state}.attrs`)) rmSync(`${state}.attrs`, { force: true });
  if (isJson(state)) return;
  if (isJson(`${state}.bak`)) copyFileSync(`${state}.bak`, state);
  else rmSync(state, { force: true });
}

function isJson(path: string): boolean {
  try {
    JSON.parse(readFileSync(path, "utf8"));
    return true;
  } catch {
    // That is the answer.
    return false;
  }
}
