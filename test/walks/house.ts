/**
 * Everything in one process: engine, provider, client and shop as functions, a disk in memory, a program as a
 * list of registrations. Each command is a function call, so that thousands of days fit into a minute. The run
 * is the product's own (runs/); the SDK's class and the host of dynamic providers are replaced by the shortest
 * code with the same rules.
 */

import type { Connected } from "../../cli/stack/open-stack.ts";
import type { ShopRequest } from "../../emulator/answers.ts";
import type { Stored } from "../../emulator/store.ts";
import { load, moveResources, removeResource, type Stack } from "../../engine/index.ts";
import { places, putProject } from "../engine/in-process.ts";
import type { Disk } from "../support/disk.ts";
import { openTransport } from "./house/network.ts";
import { commandsOf } from "./house/session.ts";
import { openSite, plugins } from "./house/site.ts";
import { openOn } from "./house/stacks.ts";
import type { Moment, Whim } from "./house/types.ts";
import { notesPlace } from "./note-disk.ts";

export type House = ReturnType<typeof openHouse>;

/**
 * Opens a house.
 * @param start the disk of another house to continue from, and a real folder for bodies
 */
export function openHouse(
  start: { readonly disk?: Disk; readonly strict?: boolean; readonly bodies?: string } = {},
) {
  const site = openSite(start);
  return {
    /** Whether real pulumi runs it (house/pulumi.ts), without limits and estimates for whole plans. */
    isPulumi: false,
    shop: site.shop,
    clock: site.clock,
    disk: () => site.disk,
    /** Notes of creates whose objects no state has. */
    notes: () => site.disk.text(notesPlace) ?? "",
    loseNotes: () => site.disk.files.remove(notesPlace),
    /** The shop of the program's own provider. */
    other: () => site.other().shop,
    moment: (): Moment => ({
      shop: site.shop.snapshot(),
      other: site.opened()?.shop.snapshot(),
      disk: site.disk.next("all", {}),
      clock: { ...site.clock },
      late: site.late,
    }),
    goTo(moment: Moment) {
      site.shop.restore(moment.shop);
      if (moment.other !== undefined) site.other().shop.restore(moment.other);
      site.disk = moment.disk.next("all", {});
      Object.assign(site.clock, moment.clock);
      site.late = [...moment.late];
    },
    stateText: () => site.disk.text(places.state),
    /** Restores an older copy of the state; the notes stay. */
    putStateBack: (text: string) => site.disk.put(places.state, text),
    /** Deletes the state and its journal. */
    loseState: () => {
      site.disk.files.remove(places.state);
      for (const path of site.disk.paths()) if (path.startsWith(places.journal)) site.disk.files.remove(path);
    },
    /** Whether an interrupted run left a journal for the next run. */
    hasJournal: () => site.disk.paths().some((path) => path.startsWith(places.journal)),
    state: () =>
      load(openOn(site, site.disk)).resources.filter(({ type }) => /^(pulumi-nodejs|shop):/.test(type)),
    /** Rows of a table without deleted ones. */
    rows: (table: string): readonly Stored[] => site.shop.store.list(table),
    ...commandsOf(site),
    /** Runs a command that reads the shop without a program. */
    async reads<T>(work: (shop: Connected, stack: Stack) => Promise<T>): Promise<T> {
      const sources = { config: () => undefined, env: site.environment };
      const { connection, transport } = openTransport(site, site.disk, {}, sources, { say: () => {} });
      // Bodies are served outside the interface.
      const download = async (address: string) =>
        Buffer.from((await site.shop.handle(readingOf(new URL(address).pathname))).body);
      site.log = [];
      try {
        return await work({ connection, transport: { ...transport, download } }, openOn(site, site.disk));
      } finally {
        await transport.close();
      }
    },
    /** Requests of the last command. */
    requests: (): readonly string[] => site.log,
    /** Does something with a connection to another shop. */
    async elsewhere<T>(work: () => Promise<T>): Promise<T> {
      const { shop, url, environment } = site;
      const other = site.place(4001);
      Object.assign(site, other);
      try {
        return await work();
      } finally {
        Object.assign(site, { shop, url, environment });
        other.shop.close();
      }
    },
    /** Does something in another project of the same backend, with a stack of the same name. */
    async neighbour<T>(work: () => Promise<T>): Promise<T> {
      site.project = "neighbour";
      putProject(site.disk, plugins, site.project);
      try {
        return await work();
      } finally {
        site.project = "memory";
        // Removes a planned crash that didn't happen.
        site.disk = site.disk.next("all", {});
      }
    },
    /** `state remove URN`. */
    removeState: (urn: string): Promise<number> => removeResource(openOn(site, site.disk), urn, true),
    /** `state move NAME` to the other project's stack, or back. */
    async moveState(name: string, to: "memory" | "neighbour"): Promise<void> {
      const from = openOn(site, site.disk);
      const { project } = site;
      site.project = to;
      try {
        await moveResources({ from, to: openOn(site, site.disk) }, [name], () => {});
      } finally {
        site.project = project;
      }
    },
    /** @param most the maximum page size */
    capPages: (most: number | undefined) => {
      site.mostPerPage = most;
    },
    setWhim: (next: Whim | undefined) => {
      site.whim = next;
    },
    close(): void | Promise<void> {
      site.opened()?.shop.close();
      site.shop.close();
    },
  };
}

const readingOf = (target: string): ShopRequest => ({
  method: "GET",
  target,
  headers: {},
  body: Buffer.alloc(0),
  local: true,
});
