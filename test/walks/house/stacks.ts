/** The stack of a house, and what the provider asks of its state. */
import { load, openStack, type Result, type Stack } from "../../../engine/index.ts";
import { objectKey, type Shop } from "../../../provider/run/context.ts";
import { type Ended, pendingCreates } from "../../../provider/run/notes.ts";
import type { Notice } from "../../../provider/run/notices.ts";
import { noon } from "../../emulator/in-process.ts";
import { machineOf, places } from "../../engine/in-process.ts";
import type { Disk } from "../../support/disk.ts";
import type { Site } from "./site.ts";
import type { Options } from "./types.ts";

// The real one takes most of a second to make; here it only has to make a secret unreadable.
const sealing = {
  encrypt: (text: string) => Buffer.from(text).toString("base64"),
  decrypt: (text: string) => Buffer.from(text, "base64").toString("utf8"),
};

export function openOn(site: Site, own: Disk): Stack {
  const stacks = site.stacks[site.project];
  const stack = stacks.get(own) ?? openNew(site, own);
  stacks.set(own, stack);
  return { ...stack, exists: own.files.exists(stack.paths.state) };
}

function openNew({ clock, project }: Site, own: Disk): Stack {
  const stack = openStack({
    folder: project === "memory" ? places.folder : `/${project}`,
    stack: "dev",
    env: { HOME: "/home" },
    files: own.files,
    machine: machineOf(1),
    now: () => new Date(noon + clock.offsetMs),
  });
  return {
    ...stack,
    config: { ...stack.config, crypter: () => sealing, crypterOf: () => sealing, newSalt: () => "salt" },
  };
}

/** What the command tells the provider at the end of a run. */
export function endedOf(stack: Stack, result: Result | undefined): Ended {
  const states = load(stack).resources.filter(({ id }) => id !== undefined);
  return {
    has: new Set(states.map(({ type, id }) => objectKey(type.split(":").at(-1) ?? "", id ?? ""))),
    failed: new Set((result?.failures ?? []).flatMap(({ urn }) => urn?.split("::").at(-1) ?? [])),
  };
}

export const configured = (stack: Stack, { config, env }: Options): Stack => ({
  ...stack,
  env: { ...stack.env, ...env },
  config: { ...stack.config, values: { ...stack.config.values, ...config } },
});

export const sought = (stack: Stack, { notes, url }: Shop, notices: readonly Notice[]) =>
  pendingCreates(notes, url, endedOf(stack, undefined).has, notices);
