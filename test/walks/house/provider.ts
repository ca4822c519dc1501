/** The provider of one process, opened like in `provider/context/open-shop.ts`, on the house's disk, clock and network. */

import { allowOutsideOf } from "../../../provider/body/body.ts";
import { createClient } from "../../../provider/client/index.ts";
import type { Shop } from "../../../provider/context/context.ts";
import type { Notes, RunEnd } from "../../../provider/context/create-notes.ts";
import { openIdentity } from "../../../provider/context/identity.ts";
import { guardOf } from "../../../provider/context/limits.ts";
import { isOfRun, type Notice } from "../../../provider/context/notices.ts";
import type { Approved } from "../../../provider/context/plan.ts";
import { adoptOf, approvedFor, plannedReadsOf, planOf } from "../../../provider/context/plan.ts";
import { openReads } from "../../../provider/context/reads.ts";
import { stackNotes } from "../../../provider/context/stack-notes.ts";
import { type Handler, handlerOf } from "../../../provider/index.ts";
import { reportInterrupted } from "../../../provider/prices/leftover.ts";
import { recoveredSheets } from "../../../provider/prices/recovered.ts";
import { engineRunIn } from "../../../provider/settings/protocol.ts";
import { type Process, type SettingName, type Sources, stated } from "../../../provider/settings/settings.ts";
import { verbsOf } from "../../../provider/verbs.ts";
import type { Ports } from "../../../runs/stack/ports.ts";
import type { Disk } from "../../support/disk.ts";
import { quietShop } from "../../support/quiet-shop.ts";
import { providerOf } from "./handlers.ts";
import { openTransport } from "./network.ts";
import { pluginOf } from "./plugin.ts";
import type { Site } from "./site.ts";
import { folderOf } from "./stacks.ts";
import type { Options } from "./types.ts";

type Started = Parameters<NonNullable<Ports["parts"]["startProvider"]>>[0];

/** The provider of one process. @param say receives its output */
export function openProvider(site: Site, own: Disk, options: Options, say: (line: string) => void) {
  const notices: Notice[] = [];
  let approved: Approved | undefined;
  let lock: string | undefined;
  const networks = new Map<string, ReturnType<typeof openTransport>>();
  // Processes of one run have different pids.
  const notesOf = (sources: Sources): Notes => {
    const about = `run${site.runs++}`;
    return stackNotes(() => ({ files: own.files, folder: folderOf(site.project), about })).notesOf(
      sources,
      say,
    );
  };
  /** The provider's memory in one process; the plugin has its own. */
  function openShop(sources: Sources): Shop {
    const { by = "host" } = sources;
    const mayWrite = () => lock === undefined || own.files.exists(lock);
    const account = ["url", "password"].map((name) => stated(sources, name as SettingName)).join(" ");
    const network = networks.get(account) ?? openTransport(site, own, options, sources, { say, mayWrite });
    networks.set(account, network);
    const { connection, transport, now, wait, place } = network;
    const note = (notice: Notice) =>
      notices.push({ ...notice, ...(sources.provider && { provider: sources.provider }) });
    // Walks count the requests for objects: without a request in the stack's shop, where the command may have asked.
    const ask =
      place === site
        ? () => accountOf(site)
        : async () => String((await createClient(transport).account.get()).id);
    // Changes that a test approves bind the provider like a saved plan.
    const plan = {
      ...planOf(sources),
      approved: approved && approvedFor(sources, approved),
      ...(options.approved && { isOwnPlan: undefined }),
    };
    return quietShop({
      transport,
      url: connection.url,
      identity: openIdentity({ url: connection.url, sources, ask, say }),
      folder: site.bodies,
      allowOutside: allowOutsideOf(sources),
      adopt: adoptOf(sources),
      guard: guardOf(sources),
      now,
      wait,
      say,
      sayInPreview: (line) => {
        if (plan.isPreview !== false) say(line);
      },
      notice(notice) {
        note({ ...notice, by } as Notice);
        return plan.isPreview !== false || isOfRun(notice);
      },
      plan,
      notes: notesOf(sources),
      reads: openReads({
        transport: () => transport,
        perPage: () => connection.perPage,
        now,
        planned: plannedReadsOf(sources),
        shown: ({ kind }, above, page) =>
          note({ type: "shows", kind, above: JSON.stringify(above), ...page, by }),
      }),
    });
  }
  /** The handlers of a started process. */
  function handlersOf(
    { env }: Started,
    by: Process,
    { config, provider }: Pick<Sources, "config" | "provider">,
  ): (kind: string) => Handler {
    ({ lock } = engineRunIn(env));
    const told = { ...env, ...options.env };
    const shop = openShop({ env: told, by, ...(config && { config }), ...(provider && { provider }) });
    const handlers = new Map<string, Handler>();
    return (kind) => {
      const { definition, on } = verbsOf(kind);
      const configure = async () => {};
      const handler = handlers.get(kind) ?? handlerOf(definition, () => shop, configure, on);
      handlers.set(kind, handler);
      return handler;
    };
  }
  return {
    notices,
    start: (started: Started) =>
      providerOf(handlersOf(started, "host", { config: (key) => started.config.values[key] })),
    /** The same as a plugin. */
    startPlugin: (started: Started) => pluginOf((sources) => handlersOf(started, "plugin", sources)),
    /** Approved changes and notices, instead of files. */
    channel: (async (allowed, work) => {
      approved = allowed ?? options.approved;
      return [await work({ notices: undefined, approved: undefined }), notices];
    }) satisfies Ports["channel"] as Ports["channel"],
    interruptedCreates: (sources: Sources, notes: Notes, ended: RunEnd) =>
      reportInterrupted(openShop(sources), notes, ended),
    recoveredSheets,
    accountAt: () => accountOf(site),
    close: () => Promise.all([...networks.values()].map(({ transport }) => transport.close())),
  };
}

// Without a request: walks count the requests for objects.
const accountOf = async ({ shop }: Site) => String(shop.store.list("account")[0]?.id);
