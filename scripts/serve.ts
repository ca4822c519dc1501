/** Starts an embedded shop in a process of its own. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** What `serve` prints first. */
export interface Ready {
  readonly url: string;
  /** The token for control requests that change something. */
  readonly control: string;
  readonly applicationId: string;
  readonly password: string;
}

const command = join(import.meta.dirname, "../dist/cli/main.js");

/** @param detached whether it goes on when this process ends */
export async function startShop(args: readonly string[], detached = false) {
  const child = spawn(process.execPath, [command, "serve", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    detached,
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the shop exited with code ${code}`)));
    createInterface({ input: child.stdout }).once("line", resolve);
  });
  return { child, ready: JSON.parse(line) as Ready };
}
