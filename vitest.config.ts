import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/support/longest.ts";
import { full } from "./test/support/size.ts";

const hours = (full ? 10 : 1) * 3_600_000;

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", ...(full ? ["test/**/*.campaign.ts"] : [])],
    globalSetup: [source("test/support/global-setup.ts")],
    environment: source("test/warm/environment.ts"),
    setupFiles: [source("test/warm/no-sync.ts"), source("test/warm/sdk.ts"), source("test/warm/draws.ts")],
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    experimental: { viteModuleRunner: false },
    execArgv: ["--import", new URL("test/warm/sources.ts", import.meta.url).href],
    // A file of tests leaves nothing behind but what it has loaded.
    isolate: false,
    unstubEnvs: true,
    maxWorkers: "100%",
    // What hangs ends at last. No test has a timeout of its own: how long one takes says nothing of what it tests.
    testTimeout: hours,
    hookTimeout: hours,
    expect: { poll: { timeout: hours } },
  },
});
