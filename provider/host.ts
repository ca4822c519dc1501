/**
 * What the host of dynamic providers (cmd/dynamic-provider of @pulumi/pulumi) does with what a provider throws. Its
 * documentation promises none of it; `test/provider/host.test.ts` holds the host that is installed to it. Where another
 * release does otherwise, a message is shown twice, or an empty one beside it: nothing else hangs on this.
 */

/**
 * An error that the host answers with and prints nothing of. Of most verbs it prints `${error}: ${error.stack}` before it
 * answers, which an engine shows as a message of the stack's, beside the error at its resource.
 */
export function silently(message: string): Error {
  const error = Object.assign(new Error(message), { toString: () => "" });
  return Object.defineProperty(error, "stack", {
    configurable: true,
    get() {
      // The host reads the stack last before it prints: what is written in the same turn is that line.
      const { stderr } = process;
      const { write } = stderr;
      const restore = () => {
        stderr.write = write;
      };
      stderr.write = () => {
        restore();
        return true;
      };
      queueMicrotask(restore);
      return "";
    },
  });
}
