/** The DevTools protocol over a pipe: commands with responses, and events. */
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";

type Values = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Values;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: Values) => void;
  readonly reject: (error: Error) => void;
}

export interface Pipe {
  send(method: string, params?: Values, session?: unknown): Promise<Values>;
  next(method: string): Promise<Values>;
}

/** @param child a browser started with --remote-debugging-pipe, which reads its file 3 and writes its file 4 */
export function openPipe(child: ChildProcess): Pipe {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const answers = new Map<number, Waiting>();
  const events = new Map<string, Waiting>();
  let last = 0;
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended = error;
    for (const waiting of [...answers.values(), ...events.values()]) waiting.reject(error);
  };
  const take = ({ id, method, result = {}, error }: Message) => {
    const key = id ?? -1;
    if (error === undefined) answers.get(key)?.resolve(result);
    else answers.get(key)?.reject(new Error(error.message));
    answers.delete(key);
    if (method === undefined) return;
    events.get(method)?.resolve(result);
    events.delete(method);
  };
  // A screenshot arrives in hundreds of chunks.
  let pieces: string[] = [];
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...more] = chunk.split("\0");
    pieces.push(first);
    for (const next of more) {
      take(JSON.parse(pieces.join("")));
      pieces = [next];
    }
  });
  // The end of the browser is handled below.
  input.on("error", () => {});
  child.once("error", end);
  child.once("exit", (code, signal) =>
    end(new Error(`the browser ended (${signal ?? `exit code ${code}`})`)),
  );
  const wait = <K>(list: Map<K, Waiting>, key: K) =>
    new Promise<Values>((resolve, reject) => {
      if (ended === undefined) list.set(key, { resolve, reject });
      else reject(ended);
    });
  return {
    send(method, params = {}, session) {
      last += 1;
      const answer = wait(answers, last);
      input.write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
      return answer;
    },
    next: (method) => wait(events, method),
  };
}
