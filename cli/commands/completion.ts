/** completion: shell scripts, and the words that they offer. */

import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { codes, usageError } from "../exit.ts";
import {
  type Commands,
  type CompletionContext,
  defineCommand,
  type Options,
  stackOptions,
} from "../options.ts";

const scripts: Readonly<Record<string, string>> = {
  bash: `_pulumi_shop() { local IFS=$'\\n'; COMPREPLY=($(compgen -W "$(pulumi-shop completion words "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}")); }
complete -o default -F _pulumi_shop pulumi-shop
`,
  zsh: `#compdef pulumi-shop
_pulumi_shop() { compadd -- \${(f)"$(pulumi-shop completion words "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"}; }
compdef _pulumi_shop pulumi-shop
`,
  powershell: `Register-ArgumentCompleter -Native -CommandName pulumi-shop -ScriptBlock {
  param($word, $line, $cursor)
  $typed = @($line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -ne "" -and $typed.Count -gt 0) { $typed = @($typed | Select-Object -SkipLast 1) }
  pulumi-shop completion words @typed 2>$null | Where-Object { $_ -like "$word*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, "ParameterValue", $_)
  }
}
`,
  fish: `complete -c pulumi-shop -f -a '(pulumi-shop completion words (commandline -opc)[2..] 2>/dev/null)'
`,
};
const shells = Object.keys(scripts);

/** The scripts call `completion words ...`, which calls `words`. */
export const completion = defineCommand({
  usage: "completion bash|zsh|fish|powershell",
  description:
    "Prints a script that completes commands, options and names, for bash, zsh, fish or PowerShell.",
  example: 'eval "$(pulumi-shop completion bash)"',
  notes: "PowerShell: pulumi-shop completion powershell | Out-String | Invoke-Expression",
  options: { help: stackOptions.help },
  maxPositionals: 1,
  completions: ({ positionals }) => (positionals.length === 0 ? shells : []),
  run: async (_values, [shell]) => {
    const script = shell !== undefined && Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined)
      throw usageError(
        `completion requires a shell: ${shells.join(", ")}; got ${shell === undefined ? "none" : JSON.stringify(shell)}`,
      );
    process.stdout.write(script);
    return codes.success;
  },
});

/** The next words: commands, then arguments and options of the command. */
export async function words(
  [name, ...typed]: readonly string[],
  commands: Commands,
): Promise<readonly string[]> {
  if (name === undefined) return Object.keys(commands);
  const found = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (found === undefined) return [];
  const command = await found.load();
  const read = readWords(typed, command.options);
  const known = typedOf(read);
  if (read.open !== undefined) {
    const choices = command.options[read.open]?.choices ?? [];
    return typeof choices === "string" ? known[choices]() : choices;
  }
  const options = Object.keys(command.options).filter((option) => !read.options.has(option));
  return [...((await command.completions?.(known)) ?? []), ...options.map((option) => `--${option}`)];
}

interface Read {
  readonly positionals: readonly string[];
  readonly options: ReadonlyMap<string, string>;
  /** An option whose value comes next. */
  readonly open: string | undefined;
}

function readWords(typed: readonly string[], options: Options): Read {
  const positionals: string[] = [];
  const given = new Map<string, string>();
  let open: string | undefined;
  for (const word of typed) {
    if (open !== undefined) {
      given.set(open, word);
      open = undefined;
      continue;
    }
    const [, long, , value] = /^--([\w-]+)(=(.*))?$/.exec(word) ?? [];
    const name =
      long ??
      (/^-\w$/.test(word) ? Object.keys(options).find((one) => options[one]?.short === word[1]) : undefined);
    if (name === undefined) {
      if (!word.startsWith("-")) positionals.push(word);
      continue;
    }
    given.set(name, value ?? "");
    if (value === undefined && options[name]?.type === "string") open = name;
  }
  return { positionals, options: given, open };
}

/** Names from the project; empty without a project or stack. */
function typedOf({ positionals, options }: Read): CompletionContext {
  const folder = options.get("cwd") || process.cwd();
  const stack = options.get("stack") || undefined;
  type Engine = typeof import("../../engine/index.ts");
  const asked = async (names: (engine: Engine) => readonly string[]) => {
    const engine = await import("../../engine/index.ts");
    try {
      return names(engine);
    } catch {
      // A completing shell can't show errors.
      return [];
    }
  };
  const opened = (engine: Engine) => engine.openStack({ folder, stack, env: process.env });
  return {
    positionals,
    stacks: () => asked((engine) => engine.stacks({ folder, env: process.env })),
    resources: () =>
      asked((engine) =>
        engine
          .load(engine.withoutSecrets(opened(engine)))
          .resources.filter(({ type }) => !isPulumisOwn(type))
          .map(({ urn }) => engine.nameOf(urn)),
      ),
    keys: () => asked((engine) => Object.keys(opened(engine).config.values)),
  };
}
