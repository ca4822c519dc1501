// The real clock: a wait takes its time, and a stop ends it at once.
import { expect, test } from "vitest";
import { resolveConnection } from "../../provider/client/connection.ts";
import { defaultPorts } from "../../provider/client/index.ts";

const { clock } = defaultPorts(
  resolveConnection({
    settings: { url: "shop.test", applicationId: "app", password: "0".repeat(32) },
    env: {},
  }),
);

test("a wait ends by itself, with and without a stop signal", async () => {
  await clock.wait(1);
  await clock.wait(1, new AbortController().signal);
});

test("a stopped wait fails with the reason of the stop", async () => {
  const reason = new Error("the run was stopped");
  await expect(clock.wait(1, AbortSignal.abort(reason))).rejects.toMatchObject({ cause: reason });
  const stop = new AbortController();
  const wait = clock.wait(1_000, stop.signal);
  stop.abort(reason);
  await expect(wait).rejects.toMatchObject({ cause: reason });
});
