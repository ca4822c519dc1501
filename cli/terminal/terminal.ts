/** A stream of lines. On a terminal, it has colours and live lines at its end. */
import type { WriteStream } from "node:tty";
import { printable } from "../../provider/inventory/index.ts";
import type { Colour } from "../../runs/command.ts";
import type { Env } from "../stack/open-stack.ts";

const ansi: Readonly<Record<Colour, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
  magenta: 35,
  dim: 2,
  bold: 1,
};

export type Terminal = ReturnType<typeof openTerminal>;

/** Pending lines are shown at this interval: redrawing the live lines for each of ten thousand would be slow. */
const showMs = 40;

/**
 * @param stream for lines; NO_COLOR and TERM=dumb turn colours off
 * @param errors stream for errors
 */
export function openTerminal(stream: NodeJS.WritableStream, env: Env, errors = stream) {
  const tty = stream as WriteStream;
  const isLive = tty.isTTY === true && env.TERM !== "dumb" && env.CI === undefined;
  const colours =
    env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== "0"
      ? true
      : tty.isTTY === true && env.TERM !== "dumb" && (env.NO_COLOR ?? "") === "";
  let shown = 0;
  const erase = () => (shown === 0 ? "" : `\u001b[${shown}A\u001b[0J`);
  let kept: readonly string[] = [];
  const draw = () => {
    const width = tty.columns ?? 80;
    const lines = kept.slice(0, Math.max(1, (tty.rows ?? 24) - 2)).map((line) => cut(line, width - 1));
    shown = lines.length;
    return lines.map((line) => `${line}\n`).join("");
  };
  let pending = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (pending === "") return;
    stream.write(`${erase()}${pending}${draw()}`);
    pending = "";
  };
  if (isLive) process.once("exit", flush);
  return {
    isLive,
    /** Prints pending lines now, for example before a question. */
    flush,
    print(line: string) {
      if (!isLive) {
        stream.write(`${line}\n`);
        return;
      }
      pending += `${line}\n`;
      timer ??= setTimeout(flush, showMs).unref();
    },
    /** Prints errors, to standard error. */
    complain(lines: readonly string[]) {
      flush();
      errors.write(`${lines.join("\n")}\n`);
    },
    /** Replaces the live lines; does nothing without a terminal. */
    live(lines: readonly string[]) {
      if (!isLive) return;
      const before = `${erase()}${pending}`;
      pending = "";
      kept = lines;
      stream.write(`${before}${draw()}`);
    },
    paint: (colour: Colour, text: string) => (colours ? `\u001b[${ansi[colour]}m${text}\u001b[0m` : text),
  };
}

const cut = (line: string, width: number) => (line.length > width ? `${line.slice(0, width - 1)}…` : line);

/** Prints lines that may contain text from the shop. */
export function printLines(
  { print, paint }: Pick<Terminal, "print" | "paint">,
  lines: readonly { readonly colour?: Colour | undefined; readonly text: string }[],
): void {
  for (const { colour, text } of lines)
    print(colour === undefined ? printable(text) : paint(colour, printable(text)));
}

export const printNote = (line: string): void => void process.stderr.write(`${line}\n`);
