/** Loaded before the provider, in its thread or in its host: it crashes in the way that the body of a request to the shop names. */
const { subscribe } = require("node:diagnostics_channel");
const { isMainThread } = require("node:worker_threads");

const crashes = {
  throw: () =>
    setImmediate(() => {
      throw new Error("thrown at nobody");
    }),
  reject: () => void Promise.reject(new Error("rejected to nobody")),
  exit: () => process.exit(7),
  heap: () => {
    const kept = [];
    for (;;) kept.push(new Array(100_000).fill(kept.length));
  },
};

if (!isMainThread || /dynamic-provider/.test(process.argv[1] ?? ""))
  subscribe("undici:request:create", ({ request }) => {
    const [, crash] = /CRASH-(\w+)/.exec(String(request.body)) ?? [];
    crashes[crash]?.();
  });
