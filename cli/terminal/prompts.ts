import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandError, codes, usageError } from "../exit.ts";
import { changedFiles, type Files, isUnderGit, uncommitted } from "../stack/write-files.ts";

export interface Question<T> {
  readonly text: string;
  /** Parses an answer; if the result is undefined, the question is asked again with the hint. */
  readonly read: (answer: string) => T | undefined;
  readonly hint: string;
  readonly isHidden?: boolean;
}

/**
 * Asks until an answer is valid.
 * @returns undefined if the input ends, or `signal` is aborted
 * @throws CommandError after Ctrl-C, which the terminal sends as a key while it asks
 */
export async function ask<T>(
  { text, read, hint, isHidden = false }: Question<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const terminal = createInterface({
    input: process.stdin,
    output: isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : process.stderr,
    // Otherwise the terminal shows what is typed.
    ...(isHidden && { terminal: true }),
    ...(signal !== undefined && { signal }),
  });
  let isStopped = false;
  terminal.on("SIGINT", () => {
    isStopped = true;
    terminal.close();
  });
  try {
    process.stderr.write(`${text} `);
    // Lines that were typed ahead are kept; the end of the input ends the loop.
    for await (const line of terminal) {
      if (isHidden) process.stderr.write("\n");
      const meant = read(line.trim());
      if (meant !== undefined) return meant;
      process.stderr.write(`${hint} `);
    }
    // The next line would follow the question otherwise.
    process.stderr.write("\n");
    if (isStopped) throw new CommandError("stopped", codes.cancelled);
    return undefined;
  } finally {
    terminal.close();
  }
}

const answers: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false };

/** Asks a yes/no question; the end of the input means no. */
export const askYesNo = async (text: string, signal?: AbortSignal): Promise<boolean> =>
  (await ask(
    {
      text: `${text} (yes/no)`,
      read: (answer) => answers[answer.toLowerCase()],
      hint: "Please answer yes or no:",
    },
    signal,
  )) ?? false;

/**
 * Asks for a confirmation.
 * @param refused the message after a no
 * @param stop the run's cancellation: a timeout ends the question
 * @throws CommandError without a terminal, and after a no
 */
export async function confirm(
  question: string,
  refused: string,
  stop?: { readonly signal: AbortSignal; timedOut(): boolean },
): Promise<void> {
  if (!process.stdin.isTTY) throw usageError("no terminal to confirm on; pass --yes");
  if (!(await askYesNo(question, stop?.signal)))
    throw new CommandError(refused, stop?.timedOut() ? codes.timeout : codes.cancelled);
}

/** Options for the second run; a passphrase is put into the environment instead. */
type Answer = { readonly stack?: string };

/**
 * Asks for the value whose absence caused the error.
 * @returns undefined if the error has another cause, or nobody answers
 */
export async function promptFor(error: unknown): Promise<Answer | undefined> {
  if (!process.stdin.isTTY) return undefined;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Compared by name, because the engine isn't loaded yet.
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
    hint: `Please type one of ${choices.join(", ")}:`,
  });
  return stack === undefined ? undefined : { stack };
}

const askHidden = (text: string, hint: string, read: (answer: string) => string | undefined) =>
  ask({ text, read: (answer) => (answer === "" ? undefined : read(answer)), hint, isHidden: true });

async function askPassphrase(isNew: boolean): Promise<Answer | undefined> {
  if (isNew)
    process.stderr.write(
      "A passphrase encrypts the secrets of this stack. Choose one and keep it: without it the secrets are lost.\n" +
        "Set PULUMI_CONFIG_PASSPHRASE to skip this question.\n",
    );
  const first = await askHidden(
    "Passphrase for the stack's secrets:",
    "Please type a passphrase:",
    (text) => text,
  );
  if (first === undefined) return undefined;
  const same = (text: string) => (text === first ? text : undefined);
  if (
    isNew &&
    (await askHidden("Repeat the passphrase:", "The passphrases differ. Repeat the first one:", same)) ===
      undefined
  )
    return undefined;
  process.env.PULUMI_CONFIG_PASSPHRASE = first;
  return {};
}

/**
 * @param removed files to delete
 * @throws CommandError if uncommitted changes would be lost and nobody allowed it; nothing is written then
 */
export async function confirmOverwrite(
  folder: string,
  files: Files,
  force: boolean,
  removed: readonly string[] = [],
): Promise<void> {
  if (force) return;
  const atRisk = uncommitted(folder, [...changedFiles(folder, files), ...removed]);
  if (atRisk.length === 0) return;
  const list = atRisk.map((path) => `  ${path}`).join("\n");
  const [why, first] = isUnderGit(folder)
    ? ["have uncommitted changes", "commit them"]
    : ["aren't in a git repository, so you couldn't restore them", "run git init and commit them"];
  const warning = `these files ${why}:\n${list}\n`;
  if (!process.stdin.isTTY)
    throw usageError(`${warning}${first}, or let --force overwrite them; nothing was written`);
  process.stderr.write(warning);
  if (!(await askYesNo("Overwrite them?"))) throw new CommandError("nothing was written", codes.cancelled);
}
