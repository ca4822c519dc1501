/** The provider as one process of a house has it open. */

import { type Handler, handlerOf } from "../../../provider/index.ts";
import { newMemory, type Plan, type Shop } from "../../../provider/run/context.ts";
import { guardOf } from "../../../provider/run/guard.ts";
import { openIdentity } from "../../../provider/run/identity.ts";
import { openNotes } from "../../../provider/run/notes.ts";
import type { Notice } from "../../../provider/run/notices.ts";
import { listText, openReads } from "../../../provider/run/reads.ts";
import { chosenIn, engineRunIn, messageEnv, type PlannedReads } from "../../../provider/settings/protocol.ts";
import type { Env, Process } from "../../../provider/settings/settings.ts";
import { verbsOf } from "../../../provider/verbs.ts";
import type { Disk } from "../../support/disk.ts";
import { noteFileOn, notesPlaceOf, statePlaceOf } from "../note-disk.ts";
import { providerOf } from "./handlers.ts";
import { openTransport } from "./network.ts";
import { pluginOf } from "./plugin.ts";
import type { Site } from "./site.ts";
import { stateNotes } from "./state-notes.ts";
import type { Options } from "./types.ts";

/** What a stage knows beside its options. */
export interface More {
  /** How a plan means objects to be looked at. */
  readonly reads?: Readonly<Record<string, PlannedReads>>;
}

/** The provider of one process: as `provider/index.ts` opens it. */
export function openProvider(
  site: Site,
  own: Disk,
  dryRun: boolean,
  options: Options,
  said: string[],
  notices: Notice[],
  { reads = {} }: More,
) {
  const env = { ...site.environment, ...(dryRun && messageEnv({}, { guard: "plan" })), ...options.env };
  const config = (key: string) => options.config?.[key];
  const say = (line: string) => void said.push(line);
  let lock: string | undefined;
  const mayWrite = () => lock === undefined || own.files.exists(lock);
  const asked = { config, env };
  const { connection, transport, now, wait } = openTransport(site, own, options, asked, { say, mayWrite });
  const plan: Plan = {
    isPreview: dryRun,
    isEmbedded: true,
    overwrites: config("shop:conflicts") === "overwrite",
    overwritten: new Set(chosenIn(env, "overwrite")),
    keeps: config("shop:drift") === "keep",
    stops: config("shop:drift") === "stop",
    kept: new Set(chosenIn(env, "keep")),
    resent: new Set(chosenIn(env, "resend")),
    replaced: new Set(chosenIn(env, "replace")),
    onlyArguments: false,
    showsTexts: false,
    patienceMs: 60_000,
    seal: options.seal,
    approved: options.approved,
  };
  const skewMs = () => transport.shopAheadMs();
  /** What one process of a provider has: the plugin is another one than the host. */
  const openWorld = (by: Process): Shop => ({
    transport,
    url: site.url,
    // The command asks for the account, and tells the provider.
    identity: openIdentity({
      url: site.url,
      sources: asked,
      ask: async () => String(site.shop.store.list("account")[0]?.id),
      say,
    }),
    folder: site.bodies,
    allowOutside: config("shop:allowOutside") === "true",
    adopt: config("shop:adopt") === "key" ? "key" : undefined,
    guard: guardOf({ config, env }),
    now,
    zone: async () => "Moscow",
    skewMs,
    wait,
    say,
    sayInPreview: (line) => {
      if (dryRun) say(line);
    },
    notice: (notice) => notices.push({ ...notice, by } as Notice) > 0,
    plan,
    memory: newMemory(),
    notes: {
      ...openNotes(() => noteFileOn(own, notesPlaceOf(site.project)), `run${site.runs++}`, say),
      ...stateNotes(
        own,
        statePlaceOf(site.project),
        ["memory", "neighbour"].filter((one) => one !== site.project).map(statePlaceOf),
      ),
    },
    reads: openReads({
      transport: () => transport,
      perPage: () => connection.perPage,
      now,
      planned: ({ kind }, above) => reads[listText({ by, kind, above: JSON.stringify(above) })],
      shown: ({ kind }, above, page) =>
        notices.push({ type: "shows", kind, above: JSON.stringify(above), ...page, by }),
    }),
  });
  const handlersOf = (world: Shop) => {
    const handlers = new Map<string, Handler>();
    return (kind: string) => {
      const { definition, on } = verbsOf(kind);
      const handler =
        handlers.get(kind) ??
        handlerOf(
          definition,
          () => world,
          async () => {},
          on,
        );
      handlers.set(kind, handler);
      return handler;
    };
  };
  const world = openWorld("host");
  const of = handlersOf(world);
  return {
    /** Starts it, with what the engine tells its process. */
    start: (told: Env) => {
      ({ lock } = engineRunIn(told));
      return providerOf(of);
    },
    /** The same as a plugin. */
    startPlugin: (told: Env) => {
      ({ lock } = engineRunIn(told));
      return pluginOf(handlersOf(openWorld("plugin")));
    },
    world,
    close: () => transport.close(),
  };
}
