/** completion: what a shell asks when a person presses the tabulator. */
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { type Commands, defineCommand, type Typed } from "../command.ts";
import { CommandError, codes } from "../exit.ts";
import { type Options, stackOptions } from "../options.ts";

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

/** `pulumi-shop completion bash|zsh|fish|powershell`; the scripts call `completion words ...`, which is `words`. */
export const completion = defineCommand({
  usage: "completion bash|zsh|fish|powershell",
  what: "Prints a script that completes commands, options and names, for bash, zsh, fish or PowerShell.",
  example: 'eval "$(pulumi-shop completion bash)"',
  notes: "PowerShell: pulumi-shop completion powershell | Out-String | Invoke-Expression",
  options: { help: stackOptions.help },
  mostPositionals: 1,
  words: ({ positionals }) => (positionals.length === 0 ? shells : []),
  run: async (_values, [shell]) => {
    const script = shell !== undefined && Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
    if (script === undefined)
      throw new CommandError(
        `completion requires a shell: ${shells.join(", ")}; got ${shell === undefined ? "none" : JSON.stringify(shell)}`,
        codes.configuration,
      );
    process.stdout.write(script);
    return codes.success;
  },
});

/** What may come after the words that were typed: commands, then the command's own words and options. */
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
  return [...((await command.words?.(known)) ?? []), ...options.map((option) => `--${option}`)];
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

/** What there is to name; nothing where there is no project, or no such stack. */
function typedOf({ positionals, options }: Read): Typed {
  const folder = options.get("cwd") || process.cwd();
  const stack = options.get("stack") || undefined;
  type Engine = typeof import("../../engine/index.ts");
  const asked = async (names: (engine: Engine) => readonly string[]) => {
    const engine = await import("../../engine/index.ts");
    try {
      return names(engine);
    } catch {
      // A shell that completes has no use for an error: no project here is no names.
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
          .load(opened(engine))
          .resources.filter(({ type }) => !isPulumisOwn(type))
          .map(({ urn }) => engine.nameOf(urn)),
      ),
    keys: () => asked((engine) => Object.keys(opened(engine).config.values)),
  };
}
