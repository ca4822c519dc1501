/** Commands of others, as a person or a runner starts them: an exit code, and all that was printed. */
import { spawn } from "node:child_process";

export interface Finished {
  readonly code: number;
  readonly output: string;
}

/** @param env the whole environment */
export function runCommand(
  cwd: string,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const [file = "", ...args] = command;
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? -1, output }));
  });
}
