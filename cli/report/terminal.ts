/** A stream of lines with a few live ones at its end; live ones and colours on a terminal only. */
import type { WriteStream } from "node:tty";
import { printable } from "../../provider/inventory/index.ts";
import type { Colour } from "../../runs/command.ts";
import type { Env } from "../stack/shop.ts";

const ansi: Readonly<Record<Colour, number>> = {
  red: 31,
  green: 32,
  yellow: 33,
  cyan: 36,
  magenta: 35,
  dim: 2,
  bold: 1,
};

export interface Terminal {
  readonly isLive: boolean;
  print(line: string): void;
  /** Prints what went wrong, to where a reader of the stream doesn't look for it. */
  complain(lines: readonly string[]): void;
  /** Replaces the live lines; without effect where they can't be redrawn. */
  live(lines: readonly string[]): void;
  /** Shows what was printed now; before a question, for instance. */
  flush(): void;
  paint(colour: Colour, text: string): string;
}

/** Lines of a live terminal are shown so often: ten thousand at once would draw what runs ten thousand times. */
const showMs = 40;

/**
 * @param stream where lines go; NO_COLOR and TERM=dumb of the environment are obeyed
 * @param errors where complaints go
 */
export function openTerminal(stream: NodeJS.WritableStream, env: Env, errors = stream): Terminal {
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
    flush,
    print(line) {
      if (!isLive) {
        stream.write(`${line}\n`);
        return;
      }
      pending += `${line}\n`;
      timer ??= setTimeout(flush, showMs).unref();
    },
    complain(lines) {
      flush();
      errors.write(`${lines.join("\n")}\n`);
    },
    live(lines) {
      if (!isLive) return;
      const before = `${erase()}${pending}`;
      pending = "";
      kept = lines;
      stream.write(`${before}${draw()}`);
    },
    paint: (colour, text) => (colours ? `\u001b[${ansi[colour]}m${text}\u001b[0m` : text),
  };
}

const cut = (line: string, width: number) => (line.length > width ? `${line.slice(0, width - 1)}…` : line);

/** Prints lines of foreign text, some of them in a colour. */
export function printLines(
  { print, paint }: Pick<Terminal, "print" | "paint">,
  lines: readonly { readonly colour?: Colour | undefined; readonly text: string }[],
): void {
  for (const { colour, text } of lines)
    print(colour === undefined ? printable(text) : paint(colour, printable(text)));
}
