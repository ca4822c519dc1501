/** What a process prints, taken before it is printed. */

type Stream = "stdout" | "stderr";

/** @param take called with each text that is printed from now on @returns how to let it be printed again */
export function takePrints(take: (stream: Stream, text: string) => void): () => void {
  const before = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of ["stdout", "stderr"] as const)
    process[name].write = ((chunk: string | Uint8Array, encoding?: unknown, done?: () => void) => {
      take(name, typeof chunk === "string" ? chunk : Buffer.from(chunk).toString());
      (typeof encoding === "function" ? (encoding as () => void) : done)?.();
      return true;
    }) as never;
  return () => {
    process.stdout.write = before.stdout;
    process.stderr.write = before.stderr;
  };
}
