/** What lasts between the commands of a house: its shop, its disk, its clock, and the requests. */

import type { Stored } from "../../../emulator/store.ts";
import type { Stack } from "../../../engine/index.ts";
import { noon, openInProcess, repeatable } from "../../emulator/in-process.ts";
import { putProject } from "../../engine/in-process.ts";
import { type Disk, openDisk } from "../../support/disk.ts";
import type { Late, Place, Whim } from "./types.ts";

// Only programs with plugin types start the plugin.
export const plugins = "plugins: {providers: [{name: shop, path: plugin}]}\n";

/** @param start as for `openHouse` */
export function openSite(start: {
  readonly disk?: Disk;
  readonly strict?: boolean;
  readonly bodies?: string;
}) {
  const clock = { offsetMs: 0, aheadMs: 0 };
  const shopNow = () => noon + clock.offsetMs + clock.aheadMs;
  /** @param seed of its ids and credentials */
  const place = (port: number, seed = port): Place => {
    const url = `http://127.0.0.1:${port}`;
    const { shop } = openInProcess({
      now: shopNow,
      strict: start.strict === true,
      origin: url,
      random: repeatable(seed),
    });
    const { applicationId, password } = shop.credentials;
    const environment: Readonly<Record<string, string>> = {
      SHOP_URL: url,
      SHOP_APPLICATION_ID: applicationId,
      SHOP_PASSWORD: password,
      PULUMI_EMBEDDED_ENGINE: "{}",
    };
    return { shop, url, environment };
  };
  let other: Place | undefined;

  return {
    clock,
    ...place(4000),
    place,
    /** The shop of the program's own provider, opened with its first use. */
    other: (): Place => (other ??= openOther(place)),
    /** The same, if it is open. */
    opened: () => other,
    bodies: start.bodies ?? "/project",
    disk: start.disk ?? putProject(openDisk(), plugins),
    /** The current project: one of two, each with a stack dev. */
    project: "memory" as "memory" | "neighbour",
    /** Files of a stack are read once; no run of a house writes them. */
    stacks: { memory: new WeakMap<Disk, Stack>(), neighbour: new WeakMap<Disk, Stack>() },
    /** `METHOD path` of the current command's requests, in order. */
    log: [] as string[],
    late: [] as Late[],
    whim: undefined as Whim | undefined,
    /** The maximum page size of the shop. */
    mostPerPage: undefined as number | undefined,
    sent: 0,
    runs: 0,
  };
}

/** Another account whose objects get the ids of the first shop's. */
function openOther(place: (port: number, seed?: number) => Place): Place {
  const other = place(4002, 4000);
  const { store } = other.shop;
  const [{ id, created_at: at, ...account }] = store.list("account") as [Stored];
  store.remove("account", id);
  store.insert("account", account, at);
  return other;
}

export type Site = ReturnType<typeof openSite>;
