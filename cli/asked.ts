/** What a command lacks and a person at the terminal can say: it is asked for, and the command begins again. */
import { ask } from "./report/ask.ts";

/** Options to begin again with; none where what was asked for stands in the environment. */
type Answer = { readonly stack?: string };

/**
 * Asks for what a command ended for want of.
 * @returns undefined where the error is no question, or nobody answers
 */
export async function askedFor(error: unknown): Promise<Answer | undefined> {
  if (!process.stdin.isTTY) return undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // By name: the engine isn't loaded where no command needed it.
    if (cause.name === "NoStackError")
      return askStack((cause as Error & { readonly choices: readonly string[] }).choices);
    if (cause.name === "PassphraseError")
      return askPassphrase((cause as Error & { readonly isNew: boolean }).isNew);
  }
  return undefined;
}

async function askStack(choices: readonly string[]): Promise<Answer | undefined> {
  if (choices.length === 0) return undefined;
  const stack = await ask({
    text: `Which stack: ${choices.join(", ")}?`,
    read: (answer) => choices.find((name) => name === answer),
    hint: `Please write one of ${choices.join(", ")}:`,
  });
  return stack === undefined ? undefined : { stack };
}

const typed = (text: string, hint: string, read: (answer: string) => string | undefined) =>
  ask({ text, read: (answer) => (answer === "" ? undefined : read(answer)), hint, isHidden: true });

async function askPassphrase(isNew: boolean): Promise<Answer | undefined> {
  if (isNew)
    process.stderr.write(
      "A passphrase encrypts the secrets of this stack. Choose one and keep it: without it the secrets are lost.\n" +
        "With PULUMI_CONFIG_PASSPHRASE in the environment you are not asked.\n",
    );
  const first = await typed(
    "Passphrase of the stack's secrets:",
    "Please type a passphrase:",
    (text) => text,
  );
  if (first === undefined) return undefined;
  const same = (text: string) => (text === first ? text : undefined);
  if (isNew && (await typed("The same again:", "That was another one; the same again:", same)) === undefined)
    return undefined;
  process.env.PULUMI_CONFIG_PASSPHRASE = first;
  return {};
}
