/** Work that is tried every few seconds: its error is said once, until it goes well or fails with another. */
export function openAttempts(say: (line: string) => void) {
  let failed = "";
  const attempt = (work: () => Promise<void>) => () =>
    work().then(
      () => {
        failed = "";
      },
      ({ message }: Error) => {
        if (message !== failed) say(`error: ${message}`);
        failed = message;
      },
    );
  return {
    attempt,
    /** Not begun again before it ends: a shop that answers slowly, or whose limit is used up, isn't asked meanwhile. */
    alone(work: () => Promise<void>) {
      let running: Promise<void> | undefined;
      const begin = attempt(work);
      return () => {
        running ??= begin().finally(() => {
          running = undefined;
        });
        return running;
      };
    },
  };
}
