/** The commands by name, in the order of the help. Each is a module of its own, loaded when it is called. */
import type { Commands } from "../command.ts";

export const commands: Commands = {
  preview: {
    summary: "show what up would change",
    load: async () => (await import("../run/runs.ts")).runCommand("preview"),
  },
  up: {
    summary: "make the shop match the program",
    load: async () => (await import("../run/runs.ts")).runCommand("up"),
  },
  refresh: {
    summary: "read the shop into the state, and show what was changed by hand",
    load: async () => (await import("../run/runs.ts")).runCommand("refresh"),
  },
  accept: {
    summary: "write the edits of staff into the program",
    load: async () => (await import("./accept.ts")).accept,
  },
  destroy: {
    summary: "delete every object that the stack manages",
    load: async () => (await import("../run/runs.ts")).runCommand("destroy"),
  },
  init: { summary: "write a new project", load: async () => (await import("./init.ts")).init },
  pull: {
    summary: "generate a program from an existing shop",
    load: async () => (await import("./pull.ts")).pull,
  },
  import: {
    summary: "manage objects that are in the shop, by their ids",
    load: async () => (await import("./import.ts")).importCommand,
  },
  compare: {
    summary: "show the differences of two stacks, two shops, or a shop and a program",
    load: async () => (await import("./compare.ts")).compare,
  },
  theme: {
    summary: "check a theme's files, and show the theme while you write it",
    load: async () => (await import("./theme.ts")).theme,
  },
  output: { summary: "print the stack's outputs", load: async () => (await import("./output.ts")).output },
  state: {
    summary: "list, remove, rename and move the resources of a state",
    load: async () => (await import("./state.ts")).state,
  },
  next: {
    summary: "list when resources with a from or until begin and end",
    load: async () => (await import("./next.ts")).next,
  },
  history: {
    summary: "list the runs of a stack: who, when, from which commit",
    load: async () => (await import("./history.ts")).historyCommand,
  },
  stacks: {
    summary: "list the project's stacks with their last runs, or remove one",
    load: async () => (await import("./history.ts")).stacks,
  },
  config: {
    summary: "set, get, remove and list a stack's configuration",
    load: async () => (await import("./config.ts")).config,
  },
  unlock: {
    summary: "remove the lock of a run that was killed",
    load: async () => (await import("./unlock.ts")).unlock,
  },
  serve: { summary: "start a shop on this machine", load: async () => (await import("./serve.ts")).serve },
  completion: {
    summary: "print a script for command completion in your shell",
    load: async () => (await import("./completion.ts")).completion,
  },
};
