/** Runs foreign commands like a person or a CI job: exit code and output. */
import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";

export interface Finished {
  readonly code: number;
  readonly output: string;
}

/**
 * @param env the whole environment
 * @param started receives the process
 */
export function runCommand(
  cwd: string,
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  started?: (child: ChildProcess) => void,
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const [file = "", ...args] = command;
    const child = spawn(file, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    started?.(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk) => {
        output += chunk;
      });
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? -1, output }));
  });
}

/**
 * The environment of a new terminal: with the machine's registry settings, without a stack's variables and npm's own
 * (`npm_config_package` would change npx).
 */
export function freshEnv(): Record<string, string> {
  const kept = /^npm_config_(registry|cafile|cache|userconfig|strict_ssl|proxy|https_proxy|noproxy)$/i;
  const own = Object.entries(process.env).filter(
    ([name]) => kept.test(name) || !/^(npm_|SHOP_|PULUMI_|GITHUB_|GIT_|VITEST|NODE_ENV|INIT_CWD)/i.test(name),
  );
  return {
    ...(Object.fromEntries(own) as Record<string, string>),
    PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
    npm_config_loglevel: "error",
    npm_config_prefer_offline: "true",
  };
}
