/** output and stacks: what the states have, without a run. */

import * as engine from "../../engine/index.ts";
import { valueText } from "../../runs/command.ts";
import { defineCommand } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { type Parsed, printOptions, stackOptions } from "../options.ts";
import { stackWithState } from "../stack/open.ts";

const outputOptions = { ...printOptions, json: { type: "boolean", text: "print JSON" } } as const;

/** `pulumi-shop output [NAME]`. */
export const output = defineCommand({
  usage: "output [NAME] [options]",
  what: "Prints the outputs of a stack, or the one of that name; secrets only with --show-secrets.",
  example: "pulumi-shop output --stack live --json",
  options: outputOptions,
  mostPositionals: 1,
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

const stacksOptions = {
  cwd: stackOptions.cwd,
  json: { type: "boolean", text: "list as JSON" },
  force: {
    type: "boolean",
    text: "remove also a stack that has resources; what they stand for stays in the shop",
  },
  "keep-config": { type: "boolean", text: "leave Pulumi.NAME.yaml where it is" },
  help: stackOptions.help,
} as const;

/** `pulumi-shop stacks [remove NAME]`. */
export const stacks = defineCommand({
  usage: "stacks [remove NAME] [options]",
  what: "Lists the stacks of the project: those that have a state or a file Pulumi.NAME.yaml. Removes one with all its files.",
  example: "pulumi-shop stacks remove trial",
  options: stacksOptions,
  mostPositionals: 2,
  words: (typed) => {
    const [verb, name] = typed.positionals;
    if (verb === undefined) return ["remove"];
    return name === undefined ? typed.stacks() : [];
  },
  run: runStacks,
});

async function runStacks(
  values: Parsed<typeof stacksOptions>,
  positionals: readonly string[],
): Promise<number> {
  const folder = values.cwd ?? process.cwd();
  const [verb, name] = positionals;
  if (verb !== undefined) {
    if (verb !== "remove" || name === undefined)
      throw new CommandError(
        "stacks takes remove NAME, or nothing; --help shows an example",
        codes.configuration,
      );
    const stack = engine.openStack({ folder, stack: name, env: process.env });
    await engine.removeStack(stack, {
      force: values.force === true,
      keepConfig: values["keep-config"] === true,
    });
    print(`removed the stack ${name}`);
    return codes.success;
  }
  const names = engine.stacks({ folder, env: process.env });
  if (values.json) print(JSON.stringify(names));
  else for (const one of names) print(one);
  return codes.success;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
