/** The plugin with our engine in this process, on a disk in memory. */
import { onTestFinished, vi } from "vitest";
import { type Event, type RunOptions, recorder, refresh, up } from "../../engine/index.ts";
import { connectPlugin } from "../../engine/processes/plugin.ts";
import type { Goal } from "../../engine/values/goal.ts";
import { serve } from "../../plugin/server.ts";
import { closeShops } from "../../provider/context/open-shop.ts";
import { goal, openMemory, places } from "../engine/in-process.ts";
import { type Disk, openDisk } from "../support/disk.ts";
import type { World } from "../support/world.ts";

export const coupon = (name: string, args: Goal["inputs"], more: Partial<Goal> = {}): Goal =>
  goal(name, args, { type: "shop:index:Coupon", ...more });
export const spring = { code: "SPRING", discount: 10, typeId: 1 };

/** A project on a disk in memory with the plugin; the environment has the shop's address. */
export function projectOf({ env }: World, plugins = "[{name: shop, path: plugin}]"): Disk {
  const disk = openDisk();
  const project = `name: memory\nruntime: nodejs\nbackend: {url: 'file:///backend'}\nplugins: {providers: ${plugins}}\n`;
  disk.put(`${places.folder}/Pulumi.yaml`, project);
  // In the environment, because a password in the configuration would need a passphrase.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  disk.put(`${places.folder}/Pulumi.dev.yaml`, "config: {}\n");
  disk.put("/backend/.pulumi/meta.yaml", "version: 1\n");
  return disk;
}

export interface Ran {
  readonly outcome: string;
  readonly failures: readonly string[];
  readonly events: readonly Event[];
}

export function run(disk: Disk, goals: readonly Goal[], more: Partial<RunOptions> = {}): Promise<Ran> {
  return ranBy(up, disk, goals, more);
}

/** `refresh` of the state's resources. */
export const refreshed = (disk: Disk): Promise<Ran> => ranBy(refresh, disk, [], {});

async function ranBy(
  verb: typeof up,
  disk: Disk,
  goals: readonly Goal[],
  more: Partial<RunOptions>,
): Promise<Ran> {
  // Each run has a new provider, which nothing has stopped yet.
  await closeShops();
  const { events, watch } = recorder();
  const served: { close(): void }[] = [];
  const { outcome, failures } = await verb(openMemory(disk), {
    watch,
    ...more,
    parts: {
      startPlugin: async (options, name) => {
        const plugin = await serve(options.engineAddress);
        served.push(plugin);
        return connectPlugin(options, name, plugin.port);
      },
      program: async (deployment) => {
        const asked = await Promise.allSettled(goals.map((one) => deployment.register(one)));
        return asked.some(({ status }) => status === "rejected") ? 1 : 0;
      },
    },
  });
  for (const { close } of served) close();
  return { outcome, failures: failures.map(({ message }) => message), events };
}
