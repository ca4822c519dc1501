/** Vitest's Node environment for a process that runs several test files; processes that it started end with it. */
import { builtinEnvironments, type Environment } from "vitest/runtime";
import { closeHelpers } from "./started.ts";

const { node } = builtinEnvironments;

export default {
  ...node,
  name: "warm",
  setup: async (global, options) => {
    const { teardown } = await node.setup(global, options);
    return {
      teardown: async () => {
        await closeHelpers();
        await teardown(global);
      },
    };
  },
} satisfies Environment;
