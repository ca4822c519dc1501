/** What the commands that run a program say of themselves. */
import type { Verb } from "../../runs/command.ts";

export const texts: Readonly<Record<Verb, { what: string; example: string; question: string }>> = {
  preview: {
    what: "Shows what up would change, and changes nothing.",
    example: "pulumi-shop preview --stack live --diff",
    question: "",
  },
  up: {
    what: "Converges the shop to the program: shows what will change, asks, and does it.",
    example: "pulumi-shop up --stack staging --yes",
    question: "Change the shop like this?",
  },
  refresh: {
    what: "Reads every object of the stack from the shop into the state; shows what others changed.",
    example: "pulumi-shop refresh --stack live --preview-only --expect-no-changes",
    question: "Update the state to match the shop?",
  },
  destroy: {
    what: "Deletes every object that the stack manages.",
    example: "pulumi-shop destroy --stack staging",
    question: "Delete all this from the shop?",
  },
};

export const exitCodes = `Exit codes: 0 success; 1 failure; 2 invalid option, or no terminal to confirm on; 6 stack not found; 7 unexpected changes, or a
plan that is stale; 8 cancelled; 9 timed out.`;
