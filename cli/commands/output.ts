/** output: prints the stack's outputs from the state. */

import * as engine from "../../engine/index.ts";
import { valueText } from "../../runs/command.ts";
import { CommandError, codes } from "../exit.ts";
import { defineCommand, type Parsed, printOptions } from "../options.ts";
import { stackWithState } from "../stack/open-stack.ts";

const outputOptions = { ...printOptions, json: { type: "boolean", text: "print JSON" } } as const;

export const output = defineCommand({
  usage: "output [NAME] [options]",
  description: "Prints the outputs of a stack, or one of them. Secrets are shown only with --show-secrets.",
  example: "pulumi-shop output --stack live --json",
  options: outputOptions,
  maxPositionals: 1,
  run: runOutput,
});

async function runOutput(
  values: Parsed<typeof outputOptions>,
  positionals: readonly string[],
): Promise<number> {
  const stack = stackWithState(values);
  const outputs = engine.outputs(stack, { showSecrets: values["show-secrets"] === true });
  const [name] = positionals;
  if (name === undefined) {
    if (values.json) print(JSON.stringify(outputs, undefined, 2));
    else for (const [key, value] of Object.entries(outputs)) print(`${key}: ${valueText(value)}`);
    return codes.success;
  }
  const value = outputs[name];
  if (value === undefined)
    throw new CommandError(
      `stack ${stack.name} has no output ${name}; it has ${Object.keys(outputs).join(", ") || "none"}`,
      codes.failure,
    );
  print(values.json || typeof value !== "string" ? JSON.stringify(value) : value);
  return codes.success;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
