import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { full } from "./test/size.ts";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // The tests read the source; the command-line tests run what the build made of it.
    alias: [
      { find: /^pulumi-shop$/, replacement: source("sdk/index.ts") },
      { find: /^pulumi-shop\/provider$/, replacement: source("provider/index.ts") },
      { find: /^pulumi-shop\/client$/, replacement: source("provider/client/index.ts") },
      { find: /^pulumi-shop\/shop$/, replacement: source("shop/index.ts") },
      { find: /^pulumi-shop\/engine$/, replacement: source("engine/index.ts") },
      { find: /^pulumi-shop\/testing$/, replacement: source("testing/index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts", ...(full ? ["test/**/*.campaign.ts"] : [])],
    pool: "forks",
    maxWorkers: "100%",
    // A test that starts processes takes many times longer on a busy machine; none is to fail by that.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
