/** Checks format, lint, types and generated files: everything that can be checked without running the product. */
import { spawn } from "node:child_process";
import { once } from "node:events";

const root = new URL("..", import.meta.url);

type Check = readonly [name: string, command: readonly string[]];

/** Duration in seconds. */
const quick: readonly Check[] = [
  ["format and lint", ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."]],
  ["nothing is exported, listed or kept that nothing uses", ["node_modules/knip/bin/knip.js"]],
];

/** The compiler run for the whole repository. */
const slow: readonly Check[] = [
  // Threads of the compiler check shared files again: twice the work, beside the tests.
  ["types", ["node_modules/typescript-7/bin/tsc", "-p", "tsconfig.json", "--singleThreaded"]],
  ["what npm run generate writes is up to date", ["scripts/generate.ts", "--check"]],
];

export interface Checked {
  readonly name: string;
  readonly ok: boolean;
  readonly output: string;
}

async function run([name, command]: Check): Promise<Checked> {
  const child = spawn(process.execPath, command, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, "close");
  return { name, ok: code === 0, output };
}

/** Runs checks in parallel. @param which `quick` ones, or `slow` ones that may run beside something else */
export const check = (which: "quick" | "slow"): Promise<readonly Checked[]> =>
  Promise.all((which === "quick" ? quick : slow).map(run));

/** Prints a line for each check, and the output of failed ones. */
export function tell(checked: readonly Checked[]): void {
  for (const { name, ok, output } of checked)
    process.stdout.write(ok ? `ok  ${name}\n` : `${output}FAILED  ${name}\n`);
}

if (import.meta.main) {
  const checked = await Promise.all([check("quick"), check("slow")]);
  tell(checked.flat());
  process.exit(checked.flat().every(({ ok }) => ok) ? 0 : 1);
}
