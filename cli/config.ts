/** config: the stack's own file, read and written as pulumi reads and writes it. */
import * as engine from "../engine/index.ts";
import { CommandError, codes } from "./exit.ts";
import { help, parse, printOptions } from "./options.ts";

const options = {
  ...printOptions,
  secret: { type: "boolean", text: "keep the value encrypted, under PULUMI_CONFIG_PASSPHRASE" },
} as const;

/** `pulumi-shop config [set KEY VALUE | get KEY]`. @returns the exit code */
export async function config(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parse(argv, options, 3);
  if (values.help) {
    const what =
      "Lists the configuration of a stack; sets or gets one key. A value that is left out is read from standard input.";
    const usage = "config [set KEY [VALUE] | get KEY] [options]";
    process.stdout.write(
      help(usage, what, options, "pulumi-shop config set shop:password --secret --stack live < token.txt"),
    );
    return codes.success;
  }
  const { config: stack } = engine.openStack({
    folder: values.cwd ?? process.cwd(),
    stack: values.stack,
    env: process.env,
  });
  const [verb, key, value] = positionals;
  if (verb === undefined) return list(stack, values["show-secrets"] === true, values.json === true);
  if (key === undefined || (verb !== "set" && verb !== "get"))
    throw new CommandError(
      "config takes set KEY VALUE, get KEY, or nothing; --help shows an example",
      codes.configuration,
    );
  if (verb === "set") {
    stack.set(key, value ?? (await standardInput()), values.secret === true);
    return codes.success;
  }
  const found = stack.values[key];
  if (found === undefined) throw new CommandError(`configuration key ${key} is not set`, codes.failure);
  process.stdout.write(`${found}\n`);
  return codes.success;
}

function list(stack: engine.Stack["config"], showSecrets: boolean, json: boolean): number {
  const shown = Object.entries(stack.values).map(
    ([key, value]) => [key, stack.secretKeys.includes(key) && !showSecrets ? "[secret]" : value] as const,
  );
  if (json) process.stdout.write(`${JSON.stringify(Object.fromEntries(shown), undefined, 2)}\n`);
  else for (const [key, value] of shown) process.stdout.write(`${key}: ${value}\n`);
  return codes.success;
}

async function standardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks)
    .toString("utf8")
    .replace(/\r?\n$/, "");
}
