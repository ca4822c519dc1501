/** The commands by name, in the order of the help. Each is a module of its own, loaded when it is called. */
import type { Commands } from "../command.ts";

export const commands: Commands = {
  preview: {
    summary: "show what up would change",
    load: async () => (await import("../run/runs.ts")).runCommand("preview"),
  },
  up: {
    summary: "converge the shop to the program",
    load: async () => (await import("../run/runs.ts")).runCommand("up"),
  },
  refresh: {
    summary: "read the shop into the state; shows what was changed by hand",
    load: async () => (await import("../run/runs.ts")).runCommand("refresh"),
  },
  accept: {
    summary: "write what staff changed in the shop into the program",
    load: async () => (await import("./accept.ts")).accept,
  },
  destroy: {
    summary: "delete what the stack manages",
    load: async () => (await import("../run/runs.ts")).runCommand("destroy"),
  },
  init: { summary: "write a new project", load: async () => (await import("./init.ts")).init },
  pull: {
    summary: "write a program of an existing shop",
    load: async () => (await import("./pull.ts")).pull,
  },
  import: {
    summary: "bring objects of the shop under a stack by their ids",
    load: async () => (await import("./import.ts")).importCommand,
  },
  compare: {
    summary: "what differs between two stacks, two shops, or a shop and a program",
    load: async () => (await import("./compare.ts")).compare,
  },
  theme: {
    summary: "find what is wrong with a theme's files, and show the theme while you write it",
    load: async () => (await import("./theme.ts")).theme,
  },
  output: { summary: "print the stack's outputs", load: async () => (await import("./output.ts")).output },
  state: {
    summary: "list, remove and rename the resources of a state",
    load: async () => (await import("./state.ts")).state,
  },
  next: {
    summary: "when something that is asked for a time begins or ends",
    load: async () => (await import("./next.ts")).next,
  },
  history: {
    summary: "who ran what on a stack, from which commit",
    load: async () => (await import("./history.ts")).historyCommand,
  },
  stacks: {
    summary: "list the project's stacks with their last runs, remove one",
    load: async () => (await import("./history.ts")).stacks,
  },
  config: {
    summary: "set, get, remove and list a stack's configuration",
    load: async () => (await import("./config.ts")).config,
  },
  unlock: {
    summary: "remove the lock of a run that is dead",
    load: async () => (await import("./unlock.ts")).unlock,
  },
  serve: { summary: "start an embedded shop", load: async () => (await import("./serve.ts")).serve },
  completion: {
    summary: "print a script that completes commands, options and names in your shell",
    load: async () => (await import("./completion.ts")).completion,
  },
};
