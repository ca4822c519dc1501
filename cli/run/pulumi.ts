/** The same commands by the real engine, where it is installed. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { openProject } from "../../engine/index.ts";
import { CommandError, codes } from "../exit.ts";
import type { RunValues, Verb } from "../options.ts";
import { type Meter, spentText } from "../report/requests.ts";

/** Whether there is a pulumi on PATH. */
export function isInstalled(): boolean {
  const names = process.platform === "win32" ? ["pulumi.exe", "pulumi.cmd"] : ["pulumi"];
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
}

/** Runs a verb with pulumi; its own words go to the terminal. @returns its exit code */
export async function runPulumi(verb: Verb, values: RunValues, meter: Meter): Promise<number> {
  if (!isInstalled())
    throw new CommandError(
      "pulumi is not installed: leave --engine out to use the embedded engine",
      codes.configuration,
    );
  refuseUnsupported(values);
  const { folder } = openProject(values.cwd ?? process.cwd());
  const stack = values.stack === undefined ? [] : ["--stack", values.stack];
  if (values.stack !== undefined && values.create) {
    const select = ["stack", "select", "--create", values.stack];
    const code = await call(select, folder, meter.env, "ignore");
    if (code !== 0) return call(select, folder, meter.env, "inherit");
  }
  const code = await call([verb, ...stack, ...flags(verb, values)], folder, meter.env, "inherit");
  process.stderr.write(`${spentText(meter.spent())}\n`);
  return code;
}

// What the real engine has no option for would be left out without a word.
function refuseUnsupported(values: RunValues): void {
  const unsupported = (["markdown", "timeout"] as const).filter((name) => values[name] !== undefined);
  if (unsupported.length > 0)
    throw new CommandError(
      `--${unsupported.join(" and --")} can't be used with --engine pulumi; leave --engine out, or use pulumi's own options`,
      codes.configuration,
    );
}

function flags(verb: Verb, values: RunValues): readonly string[] {
  const asks = verb !== "preview" && !values["preview-only"];
  return [
    ...(asks && values.yes ? ["--yes"] : []),
    // A refresh shows what it finds; a preview of it would read the shop twice.
    ...(asks && (values["skip-preview"] || (verb === "refresh" && values.yes)) ? ["--skip-preview"] : []),
    ...(verb !== "preview" && values["preview-only"] ? ["--preview-only"] : []),
    ...(values.json ? ["--json"] : []),
    ...(values.diff ? ["--diff"] : []),
    ...(values.refresh && verb !== "refresh" ? ["--refresh"] : []),
    ...(values["expect-no-changes"] ? ["--expect-no-changes"] : []),
    ...(values.parallel === undefined ? [] : ["--parallel", values.parallel]),
  ];
}

function call(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  output: "inherit" | "ignore",
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["inherit", output, output],
    });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? codes.failure));
  });
}
