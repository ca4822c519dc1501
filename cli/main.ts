#!/usr/bin/env node
/** The command pulumi-shop. Each command is a module of its own, loaded when it is called. */
import { createRequire, enableCompileCache } from "node:module";
import { CommandError, codes } from "./exit.ts";

// The first run compiles what it loads, the next ones don't; old Nodes, which checkNode refuses, have no such cache.
enableCompileCache?.();

interface Command {
  readonly summary: string;
  readonly run: (argv: readonly string[]) => Promise<number>;
}

const commands: Readonly<Record<string, Command>> = {
  preview: {
    summary: "show what up would change",
    run: async (argv) => (await import("./run/runs.ts")).run("preview", argv),
  },
  up: {
    summary: "converge the shop to the program",
    run: async (argv) => (await import("./run/runs.ts")).run("up", argv),
  },
  refresh: {
    summary: "read the shop into the state; shows what was changed by hand",
    run: async (argv) => (await import("./run/runs.ts")).run("refresh", argv),
  },
  destroy: {
    summary: "delete what the stack manages",
    run: async (argv) => (await import("./run/runs.ts")).run("destroy", argv),
  },
  init: {
    summary: "write a new project",
    run: async (argv) => (await import("./commands/init.ts")).init(argv),
  },
  pull: {
    summary: "write a program of an existing shop",
    run: async (argv) => (await import("./commands/pull.ts")).pull(argv),
  },
  compare: {
    summary: "what differs between two stacks, two shops, or a shop and a program",
    run: async (argv) => (await import("./commands/compare.ts")).compare(argv),
  },
  output: {
    summary: "print the stack's outputs",
    run: async (argv) => (await import("./commands/output.ts")).output(argv),
  },
  state: {
    summary: "list, remove and rename the resources of a state",
    run: async (argv) => (await import("./commands/state.ts")).state(argv),
  },
  stacks: {
    summary: "list the project's stacks, remove one",
    run: async (argv) => (await import("./commands/output.ts")).stacks(argv),
  },
  config: {
    summary: "set, get, remove and list a stack's configuration",
    run: async (argv) => (await import("./commands/config.ts")).config(argv),
  },
  unlock: {
    summary: "remove the lock of a run that is dead",
    run: async (argv) => (await import("./commands/unlock.ts")).unlock(argv),
  },
  serve: {
    summary: "start an embedded shop",
    run: async (argv) => (await import("./commands/serve.ts")).serve(argv),
  },
  completion: {
    summary: "a script that completes commands and options in your shell",
    run: async (argv) =>
      (await import("./commands/completion.ts")).completion(argv, Object.keys(commands), helpOf),
  },
};

/** What a command prints for --help. */
async function helpOf(name: string): Promise<string> {
  const parts: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = (chunk: string | Uint8Array) => parts.push(String(chunk)) > 0;
  try {
    await commands[name]?.run(["--help"]);
  } finally {
    process.stdout.write = write;
  }
  return parts.join("");
}

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: pulumi-shop <command> [options]

${lines.join("\n")}

pulumi-shop <command> --help tells a command's options; pulumi-shop --version the version.

Example:
  pulumi-shop preview --stack staging --diff
`;
}

// @pulumi/pulumi wants Node 22 or later, undici 22.19 or later; node:sqlite is there since 22.13.
const oldest = [22, 19] as const;

function checkNode(): void {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new CommandError(
    `Node ${process.versions.node} is too old, pulumi-shop needs ${oldest.join(".")} or later; ` +
      "without installing one: npx -y -p node@24 -- npx pulumi-shop ...",
    codes.configuration,
  );
}

async function main([name, ...argv]: readonly string[]): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    process.stdout.write(usage());
    return name === undefined ? codes.configuration : codes.success;
  }
  if (name === "--version" || name === "version") {
    process.stdout.write(`${version()}\n`);
    return codes.success;
  }
  const command = commands[name];
  if (command === undefined)
    throw new CommandError(
      `there is no command ${name}: there are ${Object.keys(commands).join(", ")}`,
      codes.configuration,
    );
  checkNode();
  return command.run(argv);
}

// By name: the engine isn't loaded where no command needed it.
function codeOf(error: Error): number {
  if (error instanceof CommandError) return error.code;
  return error.name === "NoStackError" ? codes.stackNotFound : codes.failure;
}

function version(): string {
  const { version: own } = createRequire(import.meta.url)("pulumi-shop/package.json") as { version: string };
  return own;
}

// A reader that has seen enough (head, less) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // What a person did or met has a message that says it all; our own mistakes need their stack.
  const own = error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
  process.stderr.write(`error: ${own ? error.stack : (error as Error).message}\n`);
  process.exitCode = codeOf(error as Error);
}
