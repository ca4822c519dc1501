/**
 * Everything in one process: engine, provider, client and shop as functions, a disk in memory, a program that is a list
 * of registrations. What a person does at a terminal is a call here, so that thousands of days fit in a minute. What
 * stands between the parts in the real thing (the SDK's class, the host of dynamic providers, the command's two stages)
 * is said in the fewest words that keep its rules.
 */
import { Readable } from "node:stream";
import { refusalText } from "../../cli/report/refusals.ts";
import { requestCostOf } from "../../cli/report/request-cost.ts";
import { refusalOf, refusedIn } from "../../cli/run/approved.ts";
import { planned as guardedPlan, refusedSteps } from "../../cli/run/guard.ts";
import { type Frame, newKey, printPlan, readPlan } from "../../cli/run/plan-file.ts";
import { approvedOf, planOf } from "../../cli/run/saved.ts";
import { differences, differenceText, freshOf } from "../../cli/run/stale.ts";
import type { Connected } from "../../cli/stack/shop.ts";
import {
  type Event,
  load,
  openStack,
  type Properties,
  preview,
  type Result,
  type RunOptions,
  recorder,
  refresh,
  type Seal,
  type Stack,
  type Step,
  up,
} from "../../engine/index.ts";
import { InitError, type Provider, RefusedError } from "../../engine/processes/provider.ts";
import { secret, type Value } from "../../engine/values/values.ts";
import { resolveConnection } from "../../provider/client/connection.ts";
import type { Dispatcher } from "../../provider/client/pools.ts";
import { createTransport } from "../../provider/client/transport.ts";
import { type Handler, handlerOf } from "../../provider/index.ts";
import { cutOff } from "../../provider/lifecycle/cut-off.ts";
import { definitionOf } from "../../provider/resources/index.ts";
import type { Approved } from "../../provider/run/approved.ts";
import { openChangeNotes } from "../../provider/run/change-notes.ts";
import { noChanges, openChanges } from "../../provider/run/changes.ts";
import { newMemory, objectKey, type Plan, type Shop } from "../../provider/run/context.ts";
import { guardOf } from "../../provider/run/guard.ts";
import { type Ended, openNotes, soughtIn } from "../../provider/run/notes.ts";
import type { Notice } from "../../provider/run/notices.ts";
import { refreshesByChanges, sealOf } from "../../provider/run/plan.ts";
import { listText, openReads } from "../../provider/run/reads.ts";
import type { Sources } from "../../provider/settings/settings.ts";
import { type PlannedReads, toldIn } from "../../provider/settings/told.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { ignoredFields } from "../../sdk/identity.ts";
import { keyedArguments } from "../../sdk/keyed.ts";
import { deletesFirst, keyedLists } from "../../sdk/outputs.ts";
import type { ShopRequest } from "../../shop/exchange.ts";
import type { ShopSnapshot } from "../../shop/index.ts";
import type { Stored } from "../../shop/store.ts";
import { CrashError, type Disk, type Effect, type Fault, type Left, openDisk } from "../disk.ts";
import { goal, machineOf, places, putProject } from "../engine/in-process.ts";
import { noon, openInProcess } from "../shop/in-process.ts";
import { changesPlace, noteFileOn, notesPlace } from "./note-disk.ts";

/** One resource of a program. */
export interface Resource {
  readonly kind: string;
  readonly name: string;
  readonly args: Values;
  /** Names that it had. */
  readonly aliases?: readonly string[];
  /** The component it stands in. */
  readonly parent?: string;
  readonly ignoreChanges?: readonly string[];
  /** Arguments that the program marked as secret; of a list's item `variants[0].price`. */
  readonly secrets?: readonly string[];
}

/** What a run came to. */
export interface Ran {
  readonly result: Result | undefined;
  readonly error: Error | undefined;
  readonly events: readonly Event[];
  /** Steps that change something, in order: `update sale10`; refused and failed ones say so. */
  readonly steps: readonly string[];
  readonly said: readonly string[];
  /** `METHOD path`, in order. */
  readonly requests: readonly string[];
  /** What the plan said that carrying it out costs; undefined of a run. */
  readonly requestsNeeded: number | undefined;
  /** Creates of earlier runs that were cut off and that a plan says are looked for. */
  readonly cutOffs: number;
  /** What a protected stack refuses of the plan; then nothing of it is done. */
  readonly guarded: readonly string[];
  /** How the plan means objects to be looked at, by list. */
  readonly reads: Readonly<Record<string, PlannedReads>>;
  readonly notices: readonly Notice[];
  readonly plan: readonly Step[];
  /** What the process did to the world, numbered from 1 where `crash` was given. */
  readonly effects: readonly Effect[];
}

export interface Options {
  /** The stack's configuration beside the connection. */
  readonly config?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly refresh?: boolean;
  /** Ran before each request that reaches the shop; what it throws is the socket's error. */
  readonly onRequest?: (line: string, number: number) => void;
  /** The process ends as this says; requests are effects `send METHOD path` and `answer METHOD path`. */
  readonly crash?: { readonly plan: (effect: Effect) => Fault | undefined; readonly left?: Left };
  /** What makes secrets comparable with another run's, where a plan is saved or carried out. */
  readonly seal?: Seal;
  /** What the provider asks before each write. */
  readonly approved?: Approved;
  /** What a request waits for, once it was sent, before the shop takes it. */
  readonly held?: (line: string, number: number) => Promise<void> | undefined;
  /** Writes that are answered with 504 at once and done so many milliseconds later; undefined of all others. */
  readonly late?: (line: string) => number | undefined;
}

/** A house as it is at a moment, to continue from there more than once. */
export interface Moment {
  readonly shop: ShopSnapshot;
  readonly disk: Disk;
  readonly clock: { readonly offsetMs: number; readonly aheadMs: number };
  readonly late: readonly Late[];
}

/** What the shop does with the next write that states an element: answers as if it had never been stated, or refuses it. */
export interface Whim {
  readonly how: "ignores" | "refuses";
  readonly element: string;
}

/** A request whose effect is still to come. */
interface Late {
  readonly at: number;
  readonly request: ShopRequest;
}

/** What a stage knows beside its options. */
interface More {
  /** How a plan means objects to be looked at. */
  readonly reads?: Readonly<Record<string, PlannedReads>>;
  readonly refreshes?: boolean;
}

export type House = ReturnType<typeof openHouse>;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | null;
}

const refusal = {
  status: 422,
  headers: { "content-type": "application/xml; charset=utf-8" },
  body: '<?xml version="1.0"?><errors><error>is not to this shop\'s taste</error></errors>',
  disruption: undefined,
};
const gatewayTimeout = { status: 504, headers: {}, body: "", disruption: undefined };

/** How the process ended in an effect; undefined where it goes on. */
function crashOf(work: () => unknown, own: Disk): CrashError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!own.isDead()) throw error;
    return error as CrashError;
  }
}

/**
 * Opens a house.
 * @param start the disk of another house, to continue from there, and a folder of the machine's own disk where bodies lie
 */
export function openHouse(
  start: { readonly disk?: Disk; readonly strict?: boolean; readonly bodies?: string } = {},
) {
  const clock = { offsetMs: 0, aheadMs: 0 };
  const shopNow = () => noon + clock.offsetMs + clock.aheadMs;
  const { shop } = openInProcess({ now: shopNow, strict: start.strict === true });
  let disk = start.disk ?? putProject(openDisk());
  let log: string[] = [];
  let late: Late[] = [];
  let whim: Whim | undefined;
  let sent = 0;
  let runs = 0;
  const url = "http://127.0.0.1:4000";
  const { applicationId, password } = shop.credentials;

  /** The request as the shop takes it; undefined where it refuses it. */
  function asTaken(request: ShopRequest): ShopRequest | undefined {
    if (whim === undefined || request.method === "GET") return request;
    const element = new RegExp(`<${whim.element}(?: [^>]*)?>.*?</${whim.element}>`, "s");
    const text = Buffer.from(request.body as Uint8Array).toString();
    const { how } = whim;
    // Some kinds are written as JSON, which is refused as well.
    const isStated = element.test(text) || (how === "refuses" && text.includes(`"${whim.element}":`));
    if (!isStated) return request;
    whim = undefined;
    return how === "refuses" ? undefined : { ...request, body: Buffer.from(text.replace(element, "")) };
  }

  async function answerTo(request: ShopRequest, delayMs: number | undefined) {
    if (delayMs !== undefined) return gatewayTimeout;
    const taken = asTaken(request);
    return taken === undefined ? refusal : shop.handle(taken);
  }

  async function deliver(): Promise<void> {
    const due = late.filter(({ at }) => at <= clock.offsetMs);
    late = late.filter(({ at }) => at > clock.offsetMs);
    for (const { request } of due) await shop.handle(request);
  }

  /** The network as one process has it: what was sent arrives also where the process ends right after it. */
  function networkOf(own: Disk, { onRequest, held, late: lateness }: Options): Dispatcher {
    const network = {
      async request({ method, path, headers, body }: Sent) {
        const line = `${method} ${path}`;
        sent += 1;
        const number = sent;
        onRequest?.(line, number);
        // Unzipping is done by threads, whose order nobody knows.
        const plainly = { ...headers, "accept-encoding": "identity" };
        const request = {
          method,
          target: path,
          headers: plainly,
          body: Buffer.from(body ?? ""),
          local: true,
        };
        let isSent = false;
        const send = () => {
          isSent = true;
          log.push(line);
        };
        const crash = crashOf(() => own.effect(`send ${line}`, send), own);
        if (crash !== undefined && !isSent) throw crash;
        // Each request takes a moment, so that stamps tell what came first.
        clock.offsetMs += 50;
        await deliver();
        await held?.(line, number);
        const delayMs = lateness?.(line);
        if (delayMs !== undefined) late.push({ at: clock.offsetMs + delayMs, request });
        const answer = await answerTo(request, delayMs);
        if (crash !== undefined) throw crash;
        own.effect(`answer ${line}`, () => undefined);
        if (answer.disruption === "drop")
          throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
        const bytes = Buffer.from(answer.body);
        const whole =
          answer.disruption === "truncate" ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
        return {
          statusCode: answer.status,
          headers: answer.headers,
          body: Readable.from(whole.length === 0 ? [] : [whole]),
        };
      },
      close: async () => {},
    };
    return network as unknown as Dispatcher;
  }

  const environment: Readonly<Record<string, string>> = {
    SHOP_URL: url,
    SHOP_APPLICATION_ID: applicationId,
    SHOP_PASSWORD: password,
    PULUMI_EMBEDDED_ENGINE: "true",
  };

  function openTransport(own: Disk, options: Options, sources: Sources, say: (line: string) => void) {
    const connection = resolveConnection(sources);
    const wait = async (delayMs: number) => {
      if (own.isDead()) throw new CrashError("the process has ended");
      clock.offsetMs += delayMs;
    };
    const now = () => noon + clock.offsetMs;
    const transport = createTransport(connection, {
      clock: { now, wait },
      random: () => 0,
      say,
      dispatcher: networkOf(own, options),
      timer: () => () => {},
    });
    return { connection, transport, wait, now };
  }

  /** The provider of one process: as `provider/index.ts` opens it. */
  function openProvider(
    own: Disk,
    dryRun: boolean,
    options: Options,
    said: string[],
    notices: Notice[],
    { reads = {}, refreshes = false }: More,
  ) {
    const env = { ...environment, ...(dryRun && guardedPlan), ...options.env };
    const config = (key: string) => options.config?.[key];
    const say = (line: string) => void said.push(line);
    const { connection, transport, now, wait } = openTransport(own, options, { config, env }, say);
    const plan: Plan = {
      isPreview: dryRun,
      isEmbedded: true,
      overwrites: config("shop:conflicts") === "overwrite",
      overwritten: new Set(toldIn(env, "overwrite")),
      resent: new Set(toldIn(env, "resend")),
      onlyArguments: false,
      patienceMs: 60_000,
      seal: options.seal,
      approved: options.approved,
    };
    const skewMs = () => {
      const aheadMs = transport.shopTime() - now();
      return aheadMs === 0 ? undefined : aheadMs;
    };
    const changeNotes = openChangeNotes(() => noteFileOn(own, changesPlace), say);
    const world: Shop = {
      transport,
      url,
      folder: start.bodies ?? "/project",
      allowOutside: config("shop:allowOutside") === "true",
      adopt: config("shop:adopt") === "key" ? "key" : undefined,
      guard: guardOf({ config, env }),
      now,
      skewMs,
      wait,
      say,
      sayInPreview: (line) => {
        if (dryRun) say(line);
      },
      notice: (notice) => notices.push(notice) > 0,
      plan,
      memory: newMemory(),
      notes: openNotes(() => noteFileOn(own), `run${runs++}`, say),
      changes: refreshesByChanges({ config, env: { ...env, PULUMI_EMBEDDED_REFRESH: String(refreshes) } })
        ? openChanges({
            transport: () => transport,
            shop: () => url,
            perPage: () => connection.perPage,
            now,
            skewMs,
            notes: () => changeNotes,
            say,
          })
        : noChanges,
      reads: openReads({
        transport: () => transport,
        perPage: () => connection.perPage,
        now,
        planned: ({ kind }, above) => reads[listText(kind, JSON.stringify(above))],
      }),
    };
    const handlers = new Map<string, Handler>();
    const of = (urn: string) => {
      const kind = urn.split("::")[2]?.split(":").at(-1) ?? "";
      const definition = definitionOf(kind);
      if (definition === undefined) throw new Error(`no kind ${kind}`);
      const handler =
        handlers.get(kind) ??
        handlerOf(
          definition,
          () => world,
          async () => {},
        );
      handlers.set(kind, handler);
      return handler;
    };
    return { provider: providerOf(of), world, close: () => transport.close() };
  }

  // Its files are read once: no run of these writes them.
  const stacks = new WeakMap<Disk, Stack>();

  function open(own: Disk = disk): Stack {
    const stack = stacks.get(own) ?? openNew(own);
    stacks.set(own, stack);
    return { ...stack, exists: own.files.exists(places.state) };
  }

  function openNew(own: Disk): Stack {
    const stack = openStack({
      folder: places.folder,
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

  async function stage(
    verb: (stack: Stack, options: RunOptions & { previewOnly?: boolean }) => Promise<Result>,
    dryRun: boolean,
    program: readonly Resource[],
    options: Options,
    { reads, refreshes = options.refresh === true, ...more }: Partial<RunOptions> & More = {},
  ): Promise<Ran> {
    const { events, watch } = recorder();
    const [said, notices]: [string[], Notice[]] = [[], []];
    log = [];
    if (options.crash !== undefined)
      disk = disk.next("all", { counter: { next: 1 }, plan: options.crash.plan });
    const own = disk;
    const opened = openProvider(own, dryRun, options, said, notices, { reads: reads ?? {}, refreshes });
    let result: Result | undefined;
    let error: Error | undefined;
    try {
      result = await verb(open(own), {
        watch,
        looksBeforeDelete: true,
        refresh: options.refresh === true,
        ...(options.seal !== undefined && { seal: options.seal }),
        ...more,
        parts: { startProvider: async () => opened.provider, program: programOf(program) },
      });
    } catch (thrown) {
      error = thrown as Error;
    }
    if (error === undefined && !own.isDead() && !dryRun)
      try {
        said.push(...(await cutOff(opened.world, endedOf(open(own), result))));
      } catch (thrown) {
        error = thrown as Error;
      }
    // What was begun and nobody waits for (the end of a note) is done, or ends the process too.
    for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    if (own.isDead()) {
      error = new CrashError("the process has ended", { cause: error });
      disk = own.next(options.crash?.left ?? "all", {});
    }
    await opened.close();
    const plan = events.flatMap((event) =>
      event.type === "done" && event.step.op !== "same" ? [event.step] : [],
    );
    const cutOffs = dryRun && !own.isDead() ? sought(open(own), opened.world) : 0;
    const cost = dryRun && !own.isDead() ? requestCostOf(plan, notices, unspent, cutOffs) : undefined;
    return {
      result,
      error,
      events,
      steps: events.flatMap(stepText),
      said,
      requests: log,
      effects: own.effects,
      notices,
      plan,
      guarded:
        dryRun && options.config !== undefined
          ? refusedSteps(configured(open(own), options.config), plan).map(refusalText)
          : [],
      requestsNeeded: dryRun ? (cost?.requests ?? 0) : undefined,
      cutOffs,
      reads: cost?.reads ?? {},
    };
  }

  return {
    shop,
    clock,
    disk: () => disk,
    /** The notes of creates that no state has shown. */
    notes: () => disk.text(notesPlace) ?? "",
    loseNotes: () => disk.files.remove(notesPlace),
    moment: (): Moment => ({ shop: shop.snapshot(), disk: disk.next("all", {}), clock: { ...clock }, late }),
    goTo(moment: Moment) {
      shop.restore(moment.shop);
      disk = moment.disk.next("all", {});
      Object.assign(clock, moment.clock);
      late = [...moment.late];
    },
    loseState: () => {
      disk.files.remove(places.state);
    },
    state: () => load(open()).resources.filter(({ type }) => type.startsWith("pulumi-nodejs:")),
    /** Rows of a table, what was deleted left out. */
    rows: (table: string): readonly Stored[] => shop.store.list(table),
    preview: (program: readonly Resource[], options: Options = {}) => stage(preview, true, program, options),
    /** As the command does it: a preview, then what it said. @param between what others do meanwhile */
    async up(
      program: readonly Resource[],
      options: Options = {},
      between: () => void = () => {},
    ): Promise<Ran & { readonly planned: Ran }> {
      const planned = await stage(preview, true, program, quiet(options));
      between();
      const failures = planned.result?.failures ?? [];
      if (planned.guarded.length > 0) return { ...planned, planned };
      if (planned.error !== undefined || failures.some(({ refused }) => refused !== true))
        return { ...planned, planned };
      const ran = await stage(up, false, program, options, {
        refuses: refusalOf(planned.plan, refusedIn(planned.events)),
        reads: planned.reads,
      });
      return { ...ran, planned };
    },
    /** `preview --save-plan`; the text of the file is undefined where the preview failed. */
    async save(
      program: readonly Resource[],
      options: Options = {},
      decided: { readonly overwrite?: string } = {},
    ): Promise<Ran & { readonly text: string | undefined }> {
      const stack = open();
      const planKey = newKey(stack);
      const ran = await stage(preview, true, program, { ...options, seal: sealOf(planKey.key) });
      const failures = ran.result?.failures ?? [];
      if (ran.error !== undefined || failures.some(({ refused }) => refused !== true))
        return { ...ran, text: undefined };
      const values = { ...decided, ...(options.refresh === true && { refresh: true }) };
      const plan = planOf(frame, values, freshOf(ran.events, ran.notices), stack.now());
      return { ...ran, text: printPlan(plan, planKey) };
    },
    /** `up --plan`. @param between what others do after the check */
    async carryOut(
      text: string,
      program: readonly Resource[],
      options: Options = {},
      { as = frame, between = () => {} }: { readonly as?: Frame; readonly between?: () => void } = {},
    ): Promise<CarriedOut> {
      let read: ReturnType<typeof readPlan>;
      try {
        read = readPlan(text, "plan.json", as, open());
      } catch (error) {
        return { refused: [(error as Error).message], planned: undefined, ran: undefined };
      }
      const { plan, key } = read;
      const whole = { ...options, seal: sealOf(key), refresh: plan.refresh };
      const planned = await stage(preview, true, program, quiet(whole));
      const failures = planned.result?.failures ?? [];
      if (planned.error !== undefined || failures.some(({ refused }) => refused !== true))
        return {
          refused: [planned.error?.message ?? "", ...failures.map(({ message }) => message)],
          planned,
          ran: undefined,
        };
      const fresh = freshOf(planned.events, planned.notices);
      const moved = differences(plan, fresh);
      if (moved.length > 0) return { refused: moved.map(differenceText), planned, ran: undefined };
      between();
      const ran = await stage(
        up,
        false,
        program,
        { ...whole, approved: approvedOf(plan, fresh) },
        {
          refuses: refusalOf(planned.plan, refusedIn(planned.events)),
          reads: planned.reads,
        },
      );
      return { refused: [], planned, ran };
    },
    /** `up --skip-preview`. */
    go: (program: readonly Resource[], options: Options = {}) => stage(up, false, program, options),
    /** What a command does that reads the shop and runs no program. */
    async reads<T>(work: (shop: Connected, stack: Stack) => Promise<T>): Promise<T> {
      const sources = { config: () => undefined, env: environment };
      const { connection, transport } = openTransport(disk, {}, sources, () => {});
      // What serves bodies is no part of the interface: it is asked past it.
      const download = async (address: string) =>
        Buffer.from((await shop.handle(readingOf(new URL(address).pathname))).body);
      log = [];
      try {
        return await work({ connection, transport: { ...transport, download } }, open());
      } finally {
        await transport.close();
      }
    },
    /** Requests of the last command. */
    requests: (): readonly string[] => log,
    setWhim: (next: Whim | undefined) => {
      whim = next;
    },
    refresh: (options: Options = {}) => stage(refresh, false, [], options, { refreshes: true }),
    destroy: (options: Options = {}) => stage(up, false, [], options),
    close: () => shop.close(),
  };
}

/** What came of a saved plan: why it was refused as a whole, or the run. */
export interface CarriedOut {
  readonly refused: readonly string[];
  readonly planned: Ran | undefined;
  readonly ran: Ran | undefined;
}

/** What the runs of a house are, for plans. */
export const frame: Frame = {
  package: "0.1.0",
  project: "memory",
  stack: "dev",
  shop: "http://127.0.0.1:4000",
  verb: "up",
};

/** What the command tells the provider at the end of a run. */
function endedOf(stack: Stack, result: Result | undefined): Ended {
  const states = load(stack).resources.filter(({ id }) => id !== undefined);
  return {
    has: new Set(states.map(({ type, id }) => objectKey(type.split(":").at(-1) ?? "", id ?? ""))),
    failed: new Set((result?.failures ?? []).flatMap(({ urn }) => urn?.split("::").at(-1) ?? [])),
  };
}

const configured = (stack: Stack, values: Readonly<Record<string, string>>): Stack => ({
  ...stack,
  config: { ...stack.config, values: { ...stack.config.values, ...values } },
});

const readingOf = (target: string): ShopRequest => ({
  method: "GET",
  target,
  headers: {},
  body: Buffer.alloc(0),
  local: true,
});

const sought = (stack: Stack, { notes, url }: Shop) => soughtIn(notes, url, endedOf(stack, undefined).has);
const unspent = { requests: 0, rejected: 0, used: null, limit: null };

// The real one takes most of a second to make; here it only has to make a secret unreadable.
const sealing = {
  encrypt: (text: string) => Buffer.from(text).toString("base64"),
  decrypt: (text: string) => Buffer.from(text, "base64").toString("utf8"),
};

function quiet({ onRequest: _told, crash: _ends, late: _late, ...options }: Options): Options {
  return options;
}

function stepText(event: Event): readonly string[] {
  if (event.type !== "done" && event.type !== "failed" && event.type !== "refused") return [];
  const { step } = event;
  if (step.type.startsWith("pulumi:") || !step.custom || step.partOf !== undefined) return [];
  if (event.type === "done" && step.op === "same") return [];
  return [`${step.op} ${step.name}${event.type === "done" ? "" : ` ${event.type}`}`];
}

/** The engine's provider out of kinds' handlers, with errors as the host of dynamic providers hands them on. */
function providerOf(handlerOfUrn: (urn: string) => Handler): Provider {
  // The host finds a provider by the line that the properties carry (cmd/dynamic-provider, getProvider).
  const of = (urn: string, { __provider }: Values): Handler => {
    if (typeof __provider !== "string") throw new Error(`code must be a string, not ${typeof __provider}`);
    return handlerOfUrn(urn);
  };
  const calls = async <T>(work: () => Promise<unknown>): Promise<T> => {
    try {
      return (await work()) as T;
    } catch (error) {
      if (error instanceof CrashError) throw error;
      const { id, properties, reasons, message } = error as {
        id?: string;
        properties?: Values;
        reasons?: string[];
        message: string;
      };
      if (properties?.__refused === true) throw new RefusedError(message);
      if (id !== undefined)
        throw new InitError({ id, properties: plain(properties ?? {}), reasons: reasons ?? [] });
      throw new Error(message);
    }
  };
  return {
    async check(urn, olds, news) {
      const { inputs, failures } = await calls<{
        inputs: Values;
        failures: { property: string; reason: string }[];
      }>(() => of(urn, news).check(olds, news));
      const { __takes, ...rest } = plain({ ...inputs, __provider: news.__provider });
      return { inputs: rest, failures, takes: __takes as never };
    },
    async diff(urn, id, olds, news) {
      const verdict = await calls<{ changes: boolean; replaces?: string[]; deleteBeforeReplace?: boolean }>(
        () => of(urn, news).diff(id, olds, news),
      );
      return {
        changes: verdict.changes ? "some" : "none",
        replaces: verdict.replaces ?? [],
        deleteBeforeReplace: verdict.deleteBeforeReplace ?? false,
      };
    },
    async create(urn, inputs) {
      const { id, outs } = await calls<{ id: string; outs: Values }>(() => of(urn, inputs).create(inputs));
      return { id, outputs: plain({ ...outs, __provider: inputs.__provider }) };
    },
    async read(urn, id, inputs, outputs) {
      const props = outputs === undefined || Object.keys(outputs).length === 0 ? inputs : outputs;
      const found = await calls<{ id?: string; props?: Values; inputs?: Values }>(() =>
        of(urn, props).read(id, props),
      );
      const __provider = props.__provider;
      const { __keeps: keeps, ...values } = found.props ?? {};
      return {
        id: found.id ?? "",
        ...(typeof keeps === "string" && { keeps }),
        outputs: plain({ ...values, __provider }),
        inputs: found.inputs === undefined ? undefined : plain({ ...found.inputs, __provider }),
      };
    },
    async update(urn, id, olds, news) {
      const { outs } = await calls<{ outs: Values }>(() => of(urn, news).update(id, olds, news));
      return { outputs: plain({ ...outs, __provider: news.__provider }) };
    },
    delete: (urn, id, outputs) => calls(() => of(urn, outputs).delete(id, outputs)),
    stop: () => {},
    close: () => {},
  };
}

// What crosses the protocol is JSON: undefined is left out.
const plain = (values: Values): Properties => JSON.parse(JSON.stringify(values)) as Properties;

/** Values under Pulumi's own mark, as the SDK sends what is secret. */
function withSecrets(args: Values, secrets: readonly string[]): Values {
  const marked: Record<string, unknown> = { ...args };
  for (const path of secrets) {
    const [, name = path, index, inner] = /^(\w+)(?:\[(\d+)\]\.(\w+))?$/.exec(path) ?? [];
    const value = marked[name];
    marked[name] =
      inner === undefined
        ? secret(plainValue(value))
        : (value as readonly Values[]).map((item, at) =>
            at === Number(index) ? { ...item, [inner]: secret(plainValue(item[inner])) } : item,
          );
  }
  return marked;
}

const plainValue = (value: unknown) => JSON.parse(JSON.stringify(value)) as Value;

const componentType = "scene:index:Group";

/** Registers resources as the SDK's classes do. */
function programOf(program: readonly Resource[]): NonNullable<NonNullable<RunOptions["parts"]>["program"]> {
  return async (deployment) => {
    const parents = new Map<string, string>();
    for (const parent of new Set(program.flatMap((one) => one.parent ?? []))) {
      const { urn } = await deployment.register({ ...goal(parent, {}), type: componentType, custom: false });
      parents.set(parent, urn);
    }
    const settled = await Promise.allSettled(
      program.map(({ kind, name, args, aliases = [], parent, ignoreChanges = [], secrets = [] }) => {
        const of = `dev::${parent === undefined ? "" : `${componentType}$`}${name}`;
        const inputs = plain({
          ...keyedArguments(keyedLists[kind] ?? {}, withSecrets(args, secrets)),
          __of: of,
          __secret: secrets.map((path) => path.replace(/\[.*/, "")).join(",") || undefined,
          __ignored: ignoredFields(keyedLists[kind] ?? {}, ignoreChanges),
          __provider: `handler of ${kind}`,
        });
        return deployment.register(
          goal(name, inputs, {
            type: `pulumi-nodejs:dynamic/shop:${kind}`,
            parent: parent === undefined ? "" : (parents.get(parent) ?? ""),
            ignoreChanges: [...ignoreChanges],
            deleteBeforeReplace: deletesFirst.includes(kind) ? true : undefined,
            aliases: aliases.map((alias) => ({ name: alias })),
          }),
        );
      }),
    );
    return settled.some(({ status }) => status === "rejected") ? 1 : 0;
  };
}
