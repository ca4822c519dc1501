/** The stack of a house. */
import { openStack, type Stack } from "../../../engine/index.ts";
import { noon } from "../../emulator/in-process.ts";
import { machineOf, places } from "../../engine/in-process.ts";
import type { Disk } from "../../support/disk.ts";
import type { Site } from "./site.ts";

// Real key derivation takes most of a second; here a secret only has to be unreadable.
const sealing = {
  encrypt: (text: string) => Buffer.from(text).toString("base64"),
  decrypt: (text: string) => Buffer.from(text, "base64").toString("utf8"),
};

/** The folder of a project. */
export const folderOf = (project: Site["project"]): string =>
  project === "memory" ? places.folder : `/${project}`;

export function openOn(site: Site, own: Disk): Stack {
  const stacks = site.stacks[site.project];
  const stack = stacks.get(own) ?? openNew(site, own);
  stacks.set(own, stack);
  return { ...stack, exists: own.files.exists(stack.paths.state) };
}

function openNew({ clock, project }: Site, own: Disk): Stack {
  const stack = openStack({
    folder: folderOf(project),
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
