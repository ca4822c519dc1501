/** completion: what a shell asks when a person presses the tabulator. */
import { CommandError, codes } from "../exit.ts";
import { help, parse, stackOptions } from "../options.ts";

const options = { help: stackOptions.help } as const;

const scripts: Readonly<Record<string, string>> = {
  bash: `_pulumi_shop() { COMPREPLY=($(compgen -W "$(pulumi-shop completion words "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}")); }
complete -o default -F _pulumi_shop pulumi-shop
`,
  zsh: `#compdef pulumi-shop
_pulumi_shop() { compadd -- $(pulumi-shop completion words "\${(@)words[2,CURRENT-1]}" 2>/dev/null); }
compdef _pulumi_shop pulumi-shop
`,
  fish: `complete -c pulumi-shop -f -a '(pulumi-shop completion words (commandline -opc)[2..] 2>/dev/null)'
`,
};

/**
 * `pulumi-shop completion bash|zsh|fish`, and `completion words ...`, which the scripts call.
 * @param commands each command with its help
 * @returns the exit code
 */
export async function completion(
  argv: readonly string[],
  commands: readonly string[],
  helpOf: (command: string) => Promise<string>,
): Promise<number> {
  const [shell = "", ...typed] = argv;
  if (shell === "words") {
    process.stdout.write(`${(await words(typed, commands, helpOf)).join("\n")}\n`);
    return codes.success;
  }
  const { values } = parse(argv, options, 1);
  if (values.help) {
    const what = "Prints a script that completes commands and options, for bash, zsh or fish.";
    process.stdout.write(
      help("completion bash|zsh|fish", what, options, 'eval "$(pulumi-shop completion bash)"'),
    );
    return codes.success;
  }
  const script = scripts[shell];
  if (script === undefined)
    throw new CommandError(
      `completion takes ${Object.keys(scripts).join(", ")}, not ${JSON.stringify(shell)}`,
      codes.configuration,
    );
  process.stdout.write(script);
  return codes.success;
}

/** Commands first, then the options that the command's own help lists: what it says is what it takes. */
async function words(
  [command, ...rest]: readonly string[],
  commands: readonly string[],
  helpOf: (command: string) => Promise<string>,
): Promise<readonly string[]> {
  if (command === undefined) return commands;
  if (!commands.includes(command)) return [];
  const text = await helpOf(command);
  const all = [...text.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm)].map(([, option = ""]) => option);
  return all.filter((option) => !rest.includes(option));
}
