/** What the commands that run a program say of themselves, and what a run asks before it begins. */
import type { Verb } from "../../runs/command.ts";
import type { RunVerb } from "../options.ts";

export const texts: Readonly<Record<RunVerb, { what: string; example: string }>> = {
  preview: {
    what: "Shows what up would change. Nothing is changed in the shop.",
    example: "pulumi-shop preview --stack live --diff",
  },
  up: {
    what: "Makes the shop match the program: shows a preview, asks for confirmation, and applies it.",
    example: "pulumi-shop up --stack staging --yes",
  },
  refresh: {
    what: "Reads every object of the stack from the shop into the state, and shows what others changed. The shop isn't changed.",
    example: "pulumi-shop refresh --stack live --preview-only --expect-no-changes",
  },
  destroy: {
    what: "Deletes every object that the stack manages: shows a preview, and asks for confirmation.",
    example: "pulumi-shop destroy --stack staging",
  },
};

export const questions: Readonly<Record<Verb, string>> = {
  preview: "",
  up: "Change the shop like this?",
  refresh: "Update the state to match the shop?",
  destroy: "Delete all this from the shop?",
  import: "Import all this into the state?",
};

export const exitCodes = `Exit codes: 0 success; 1 failure; 2 invalid option, or no terminal to confirm on; 6 stack not found; 7 unexpected changes, or a plan that is stale; 8 cancelled; 9 timed out.`;
