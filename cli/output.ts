/** output and stacks: what the state has, without a run. */
import * as engine from "../engine/index.ts";
import { valueText } from "./difference.ts";
import { CommandError, codes } from "./exit.ts";
import { help, parse, printOptions, stackOptions } from "./options.ts";

/** `pulumi-shop output [NAME]`. @returns the exit code */
export async function output(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parse(argv, printOptions, 1);
  if (values.help) {
    const what = "Prints the outputs of a stack, or the one of that name; secrets only with --show-secrets.";
    process.stdout.write(
      help("output [NAME] [options]", what, printOptions, "pulumi-shop output --stack live --json"),
    );
    return codes.success;
  }
  const stack = engine.openStack({
    folder: values.cwd ?? process.cwd(),
    stack: values.stack,
    env: process.env,
  });
  if (!stack.exists)
    throw new CommandError(`there is no stack ${stack.name} yet: up makes it`, codes.stackNotFound);
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

/** `pulumi-shop stacks`. @returns the exit code */
export async function listStacks(argv: readonly string[]): Promise<number> {
  const { cwd, json, help: asked } = parse(argv, stackOptions).values;
  if (asked) {
    const { cwd: folder, json: lines, help: text } = stackOptions;
    const what = "Lists the stacks of the project that have a state.";
    process.stdout.write(
      help("stacks [options]", what, { cwd: folder, json: lines, help: text }, "pulumi-shop stacks"),
    );
    return codes.success;
  }
  const names = engine.stacks({ folder: cwd ?? process.cwd(), env: process.env });
  if (json) print(JSON.stringify(names));
  else for (const name of names) print(name);
  return codes.success;
}

const print = (line: string) => process.stdout.write(`${line}\n`);
