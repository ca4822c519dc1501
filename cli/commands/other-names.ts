/** Names that people type for a command, out of habit from other tools. */

/** Names for what a command does, and nothing else: they are the command. */
const same: Readonly<Record<string, string>> = { plan: "preview", apply: "up" };

/** Names that mean something near; what to write instead. */
const near: Readonly<Record<string, string>> = {
  diff: "use preview --diff to see every value that would change, or compare A B for two stacks",
  deploy: "use up to apply the program to the shop",
  push: "use up to apply the program to the shop",
  sync: "use up to apply the program to the shop, or refresh to read the shop into the state",
  update: "use up to apply the program to the shop",
  status:
    "use preview to see what up would change, or refresh --preview-only to see what was changed in the shop",
  drift: "use refresh --preview-only --expect-no-changes to see what was changed in the shop",
  login:
    "there is nothing to log in to: config set shop:url, shop:applicationId and shop:password connect a stack to its shop",
  logout:
    "there is nothing to log out of: config remove shop:password takes the shop's password out of a stack",
  new: "use init to write a new project",
  create: "use init to write a new project",
  start: "use serve to start an embedded shop",
  dev: "use serve to start an embedded shop, or theme dev to work on a theme",
  stack: "use stacks to list the project's stacks, and state list for the resources of one",
  outputs: "use output to print the stack's outputs",
  export: "use pull to write a program of an existing shop",
  delete: "use destroy to delete what a stack manages, or state remove NAME to stop managing one resource",
  remove: "use destroy to delete what a stack manages, or state remove NAME to stop managing one resource",
  cancel: "use Ctrl-C to stop a run, and unlock after one that was killed",
  validate: "use preview to check the program against the shop, and npm run check for its types",
  test: "use npm test to run the project's tests",
};

export const commandNamed = (name: string): string =>
  Object.hasOwn(same, name) ? (same[name] ?? name) : name;

/** What to write instead of a name that is no command's; undefined where it is not a known habit. */
export const insteadOf = (name: string): string | undefined =>
  Object.hasOwn(near, name) ? near[name] : undefined;
