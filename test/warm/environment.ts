/** Node as vitest has it, for a process that runs files of tests one after the other; what it has started ends with it. */
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
