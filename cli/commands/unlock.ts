/** unlock: removes the lock of a run that was killed. */
import * as engine from "../../engine/index.ts";
import { codes } from "../exit.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { confirm } from "../terminal/prompts.ts";

const { stack, cwd, help: asked } = stackOptions;
const options = {
  stack,
  cwd,
  yes: { type: "boolean", short: "y", text: "remove the lock without asking" },
  help: asked,
} as const;

export const unlock = defineCommand({
  usage: "unlock [options]",
  description:
    "Shows who holds the lock of a stack, and removes it. Do this only if that run was killed: two runs at once can lose changes.",
  example: "pulumi-shop unlock --stack live",
  options,
  run,
});

async function run(values: Parsed<typeof options>): Promise<number> {
  const opened = engine.openStack({
    folder: values.cwd ?? process.cwd(),
    stack: values.stack,
    env: process.env,
  });
  const holders = engine.holders(opened);
  if (holders.length === 0) {
    process.stdout.write(`the stack ${opened.name} is not locked\n`);
    return codes.success;
  }
  for (const holder of holders) process.stdout.write(`the stack ${opened.name} is locked by ${holder}\n`);
  if (!values.yes) await confirm("Remove the lock?", "not confirmed: the lock was not removed");
  engine.unlock(opened);
  process.stdout.write("the lock is removed; the next run continues from the journal\n");
  return codes.success;
}
