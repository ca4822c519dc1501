/** The commands in the order of the help. A command's module is loaded when it is called. */
import type { Commands } from "../options.ts";

export const commands: Commands = {
  preview: {
    summary: "show the changes that up would make",
    load: async () => (await import("../deploy/run-commands.ts")).runCommand("preview"),
  },
  up: {
    summary: "make the shop match the program",
    load: async () => (await import("../deploy/run-commands.ts")).runCommand("up"),
  },
  refresh: {
    summary: "update the state from the shop, and show edits made by hand",
    load: async () => (await import("../deploy/run-commands.ts")).runCommand("refresh"),
  },
  accept: {
    summary: "write the edits of staff into the program",
    load: async () => (await import("./accept.ts")).accept,
  },
  destroy: {
    summary: "delete every object that the stack manages",
    load: async () => (await import("../deploy/run-commands.ts")).runCommand("destroy"),
  },
  init: { summary: "write a new project", load: async () => (await import("./init.ts")).init },
  pull: {
    summary: "generate a program from an existing shop",
    load: async () => (await import("./pull.ts")).pull,
  },
  import: {
    summary: "add existing objects to a stack by their ids",
    load: async () => (await import("./import.ts")).importCommand,
  },
  compare: {
    summary: "show the differences between two stacks, two shops, or a shop and a program",
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
    summary: "list when sales and other dated resources start and end",
    load: async () => (await import("./next.ts")).next,
  },
  history: {
    summary: "list a stack's runs: when, who, from which commit",
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

/** Names from other tools with the same meaning. */
const exactAliases: Readonly<Record<string, string>> = { plan: "preview", apply: "up" };

/** Names from other tools with a similar meaning, and the hint for each. */
const relatedNames: Readonly<Record<string, string>> = {
  diff: "use preview --diff to see every value that would change, or compare A B for two stacks",
  deploy: "use up to apply the program to the shop",
  push: "use up to apply the program to the shop",
  sync: "use up to apply the program to the shop, or refresh to read the shop into the state",
  update: "use up to apply the program to the shop",
  status:
    "use preview to see what up would change, or refresh --preview-only to see what was changed in the shop",
  drift: "use refresh --preview-only --expect-no-changes to see what was changed in the shop",
  login:
    "there is no account to log in to: connect a stack to its shop with config set shop:url, shop:applicationId and shop:password",
  logout:
    "there is no account to log out of: config remove shop:password removes the shop's password from a stack",
  new: "use init to write a new project",
  create: "use init to write a new project",
  start: "use serve to start an embedded shop",
  dev: "use serve to start an embedded shop, or theme dev to work on a theme",
  stack: "use stacks to list the project's stacks, and state list for the resources of one",
  outputs: "use output to print the stack's outputs",
  export: "use pull to generate a program from an existing shop",
  delete: "use destroy to delete what a stack manages, or state remove NAME to stop managing one resource",
  remove: "use destroy to delete what a stack manages, or state remove NAME to stop managing one resource",
  cancel: "use Ctrl-C to stop a run, and unlock after one that was killed",
  validate: "use preview to check the program against the shop, and npm run check for its types",
  watch: "use theme dev to see a theme while you write it; up applies the program once",
  logs: "use history to see who ran what on a stack",
  terraform: "leave it out: preview shows the plan, up applies it",
  pulumi: "leave it out: preview shows the plan, up applies it",
  ls: "use stacks to list the project's stacks, and state list for the resources of one",
  list: "use stacks to list the project's stacks, and state list for the resources of one",
  test: "use npm test to run the project's tests",
};

export const commandOfAlias = (name: string): string =>
  Object.hasOwn(exactAliases, name) ? (exactAliases[name] ?? name) : name;

/** The hint for an unknown command; undefined if there is none. */
export const hintFor = (name: string): string | undefined =>
  Object.hasOwn(relatedNames, name) ? relatedNames[name] : undefined;
