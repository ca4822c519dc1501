/** Questions to the person at the terminal. They stand on standard error: standard output is what a reader takes. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CommandError, codes } from "../exit.ts";

export interface Question<T> {
  readonly text: string;
  /** The meaning of an answer; undefined where it has none, and the question is asked again with the hint. */
  readonly read: (answer: string) => T | undefined;
  readonly hint: string;
  /** Whether what is typed is not shown. */
  readonly isHidden?: boolean;
}

/**
 * Asks until an answer means something.
 * @returns undefined where the person has ended the input, or `signal` has
 */
export async function ask<T>(
  { text, read, hint, isHidden = false }: Question<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const terminal = createInterface({
    input: process.stdin,
    output: isHidden ? nowhere() : process.stderr,
    // Otherwise the terminal itself shows what is typed.
    ...(isHidden && { terminal: true }),
    ...(signal !== undefined && { signal }),
  });
  try {
    process.stderr.write(`${text} `);
    // Lines that were typed ahead are kept, and the end of the input ends the loop.
    for await (const line of terminal) {
      if (isHidden) process.stderr.write("\n");
      const meant = read(line.trim());
      if (meant !== undefined) return meant;
      process.stderr.write(`${hint} `);
    }
    return undefined;
  } finally {
    terminal.close();
  }
}

const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });

const answers: Readonly<Record<string, boolean>> = { y: true, yes: true, n: false, no: false };

/** Asks for a yes or a no; a person who ends the input says no. */
export const saysYes = async (text: string, signal?: AbortSignal): Promise<boolean> =>
  (await ask(
    {
      text: `${text} (yes/no)`,
      read: (answer) => answers[answer.toLowerCase()],
      hint: "Please answer yes or no:",
    },
    signal,
  )) ?? false;

/**
 * Asks what a command does not do without a yes.
 * @param refused what a person is told who says no
 * @param stop whose time may end while the question stands
 * @throws CommandError where there is no terminal, and for a no
 */
export async function confirm(
  question: string,
  refused: string,
  stop?: { readonly signal: AbortSignal; timedOut(): boolean },
): Promise<void> {
  if (!process.stdin.isTTY)
    throw new CommandError("no terminal to confirm on; pass --yes", codes.configuration);
  if (!(await saysYes(question, stop?.signal)))
    throw new CommandError(refused, stop?.timedOut() ? codes.timeout : codes.cancelled);
}
