/** config: reads and writes the stack's file like pulumi. */

import { isUtf8 } from "node:buffer";
import { buffer } from "node:stream/consumers";
import * as engine from "../../engine/index.ts";
import { connectionFault } from "../../provider/inventory/index.ts";
import { checkSettingName, checkSettingValue, settingMeant } from "../../runs/command.ts";
import { CommandError, codes, usageError } from "../exit.ts";
import { defineCommand, type Parsed, printOptions, verbIn } from "../options.ts";
import { firstLimit } from "../stack/first-limits.ts";
import { ask } from "../terminal/prompts.ts";
import { printNote } from "../terminal/terminal.ts";

const options = {
  ...printOptions,
  json: { type: "boolean", text: "list as JSON" },
  secret: { type: "boolean", text: "encrypt the value with PULUMI_CONFIG_PASSPHRASE" },
  plaintext: {
    type: "boolean",
    text: "store the value unencrypted, even if the key looks like that of a secret",
  },
  create: { type: "boolean", text: "create the stack if it does not exist" },
} as const;

const verbs: readonly string[] = ["set", "get", "remove", "list"];

export const config = defineCommand({
  usage: "config [list | set KEY [VALUE] | get KEY | remove KEY] [options]",
  description:
    "Lists the configuration of a stack, or sets, gets or removes one key. If you leave out the value, you are asked for it.",
  example: "pulumi-shop config set shop:password --secret --stack live",
  notes:
    "To take the value from a file, add < token.txt to the command; in PowerShell, put Get-Content token.txt | before it.",
  options,
  maxPositionals: 3,
  completions: ({ positionals: [verb, key], keys }) => {
    if (verb === undefined) return verbs;
    return key === undefined ? keys() : [];
  },
  run,
});

/** A secret on the command line stays in the shell's history. */
const valueAdvice = (key: string, isSecret: boolean): string =>
  isSecret
    ? "type it where config set asks for it, or pass it on standard input"
    : `use config set ${key} VALUE, or standard input`;

async function run(values: Parsed<typeof options>, positionals: readonly string[]): Promise<number> {
  const [, key, value] = positionals;
  const verb = verbIn(positionals) ?? "list";
  const most = verb === "list" ? 1 : verb === "set" ? 3 : 2;
  if (!verbs.includes(verb) || positionals.length > most || (verb !== "list" && (key ?? "") === ""))
    throw usageError("config takes list, set KEY VALUE, get KEY, or remove KEY; --help shows an example");
  const opened = engine.openStack({
    folder: values.cwd ?? process.cwd(),
    stack: values.stack,
    env: process.env,
    ...(verb === "set" && { create: values.create === true }),
  });
  const { name, config: stack } = opened;
  const file = engine.configFile(opened.project, name);
  if (key === undefined) return list(stack, values["show-secrets"] === true, values.json === true);
  if (verb === "set") {
    checkSettingName(key, opened.project.name);
    refusePlaintext(stack, key, values);
    if (values.secret) stack.checkPassphrase();
    const text = value ?? (await typedValue(key, values.secret === true));
    if (text === "" && value === undefined)
      throw usageError(`no value was given for ${key}: ${valueAdvice(key, values.secret === true)}`);
    checkSettingValue(key, text);
    const fault = connectionFault(key, text);
    if (fault !== undefined) throw usageError(fault);
    const limit = await engine.changeConfig(opened, (config) => {
      const isFirst = key === "shop:url" && config.get(key) === undefined;
      config.set(key, text, values.secret === true);
      const first = isFirst ? firstLimit(name, text, Object.keys(config.values)) : undefined;
      if (first !== undefined) config.set(first.key, first.value, false, first.comment);
      return first;
    });
    const meant = settingMeant(key, opened.project.name);
    if (meant !== undefined) printNote(`${file}: ${meant} if the provider is to read it`);
    if (limit !== undefined)
      process.stderr.write(`${file}: ${limit.key} is ${limit.value}. ${limit.comment}\n`);
    return codes.success;
  }
  if (verb === "remove") {
    if (!(await engine.changeConfig(opened, (config) => config.remove(key))))
      throw new CommandError(`configuration key ${key} is not set in ${file}`, codes.failure);
    return codes.success;
  }
  const found = stack.get(key);
  if (found === undefined) throw new CommandError(`configuration key ${key} is not set`, codes.failure);
  process.stdout.write(`${found}\n`);
  return codes.success;
}

/** Refuses to store a likely secret unencrypted, like `pulumi config set`. */
function refusePlaintext(
  stack: engine.Stack["config"],
  key: string,
  { secret, plaintext }: { readonly secret?: boolean; readonly plaintext?: boolean },
): void {
  if (secret && plaintext) throw usageError("--secret and --plaintext exclude each other");
  if (secret || plaintext) return;
  const isSecret = stack.isSecret(key);
  if (!isSecret && !looksSecret(key)) return;
  throw usageError(
    `${key} ${isSecret ? "is a secret" : "looks like a secret"}: store it with --secret, or unencrypted with --plaintext`,
  );
}

const looksSecret = (key: string) =>
  /pass(word|phrase)|secret|token|credential|(api|private|access).?key/i.test(key);

// Also hides the unencrypted password that serve writes.
function list(stack: engine.Stack["config"], showSecrets: boolean, json: boolean): number {
  const isHidden = (key: string) => !showSecrets && (stack.secretKeys.includes(key) || looksSecret(key));
  const shown = Object.keys(stack.values).map(
    (key) => [key, isHidden(key) ? "[secret]" : stack.values[key]] as const,
  );
  if (json) process.stdout.write(`${JSON.stringify(Object.fromEntries(shown), undefined, 2)}\n`);
  else for (const [key, value] of shown) process.stdout.write(`${key}: ${value}\n`);
  return codes.success;
}

async function typedValue(key: string, isSecret: boolean): Promise<string> {
  if (!process.stdin.isTTY) {
    const given = await buffer(process.stdin);
    if (!isUtf8(given))
      throw usageError(`the value of ${key} on standard input is not UTF-8: save it as UTF-8`);
    return new TextDecoder().decode(given).replace(/\r?\n$/, "");
  }
  const read = (answer: string) => (answer === "" ? undefined : answer);
  const value = await ask({ text: `${key}:`, read, hint: `${key} can't be empty:`, isHidden: isSecret });
  if (value === undefined) throw new CommandError("no value was given", codes.cancelled);
  return value;
}
