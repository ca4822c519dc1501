/** The stack of a command that reads what a run has left. */
import { keepsFiles, openStack, type Stack } from "../../engine/index.ts";
import { stateLocationText } from "../../runs/command.ts";
import { CommandError, codes } from "../exit.ts";

/**
 * Opens the stack that the options name, or the only one there is.
 * @throws CommandError where no run has made its state yet
 */
export function stackWithState(values: { readonly cwd?: string; readonly stack?: string }): Stack {
  const stack = openStack({ folder: values.cwd ?? process.cwd(), stack: values.stack, env: process.env });
  if (stack.exists) return stack;
  throw new CommandError(
    `the stack ${stack.name} has no state yet: run up to create it`,
    codes.stackNotFound,
  );
}

/** Where a new project's state of a stack will be, as lines for the person; none where only pulumi knows. */
export function stateLines(folder: string, stack: string): readonly string[] {
  const at = { folder, env: process.env };
  return keepsFiles(at) ? [stateLocationText(openStack({ ...at, stack, create: true }))] : [];
}
