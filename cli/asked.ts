/** What a command lacks and a person at the terminal can say: it is asked for, and the command begins again. */
import { ask } from "./report/ask.ts";

/**
 * Asks for what a command ended for want of.
 * @returns options to begin again with; undefined where the error is no question, or nobody answers
 */
export async function askedFor(error: unknown): Promise<{ readonly stack: string } | undefined> {
  if (!process.stdin.isTTY || !(error instanceof Error) || error.name !== "NoStackError") return undefined;
  const { choices } = error as Error & { readonly choices?: readonly string[] };
  if (choices === undefined || choices.length === 0) return undefined;
  const stack = await ask({
    text: `Which stack: ${choices.join(", ")}?`,
    read: (answer) => choices.find((name) => name === answer),
    hint: `Please write one of ${choices.join(", ")}:`,
  });
  return stack === undefined ? undefined : { stack };
}
