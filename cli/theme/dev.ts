/** theme dev: what is saved in a theme's folder is in the shop and in the browser a moment later. */
import { relative, sep } from "node:path";
import { type ServedShop, serveShop } from "../../emulator/index.ts";
import * as engine from "../../engine/index.ts";
import { createClient } from "../../provider/client/index.ts";
import { printable, settings, settingsEnv } from "../../provider/inventory/index.ts";
import { compareShop } from "../../runs/command.ts";
import { CommandError, codes } from "../exit.ts";
import { findingLines } from "../report/findings.ts";
import { openTerminal, type Terminal } from "../report/terminal.ts";
import { tellPerson } from "../run/stage.ts";
import { openStop, type Stop } from "../run/stop.ts";
import { connect } from "../stack/shop.ts";
import { themeOf } from "../stack/theme-files.ts";
import { openFolder, watchFolder } from "./folder.ts";
import type { Problem } from "./known.ts";
import { openProxy } from "./proxy.ts";
import { basesIn, recordInState } from "./record.ts";
import { openShopTheme, type ShopTheme } from "./shop-theme.ts";
import { type First, openSync, type Sync } from "./sync.ts";

export interface DevOptions {
  /** The theme's folder. */
  readonly folder: string;
  /** Where the project is. */
  readonly home: string;
  readonly stack: string | undefined;
  readonly theme: string | undefined;
  readonly live: boolean;
  readonly port: number;
  readonly pollMs: number;
  readonly first: First;
  readonly ignore: readonly string[];
}

/** The theme that is worked on, and the shop that it is of. */
interface Target {
  readonly theme: ShopTheme;
  readonly url: string;
  /** How the person knows it. */
  readonly called: string;
  /** Undefined for the embedded shop, which ends with the command. */
  readonly stack: engine.Stack | undefined;
  close(): Promise<void>;
}

/** Works until it is interrupted. @returns the exit code */
export async function dev(options: DevOptions): Promise<number> {
  const terminal = openTerminal(process.stdout, process.env);
  const stop = openStop(undefined, tellPerson);
  const stopped = new Promise<void>((done) => stop.signal.addEventListener("abort", () => done()));
  try {
    const target = await openTarget(options);
    try {
      return await work(options, { target, terminal, stop, stopped });
    } finally {
      await target.close();
    }
  } finally {
    stop.close();
  }
}

interface Session {
  readonly target: Target;
  readonly terminal: Terminal;
  readonly stop: Stop;
  readonly stopped: Promise<void>;
}

async function work(options: DevOptions, { target, terminal, stop, stopped }: Session): Promise<number> {
  const { theme, url, called, stack } = target;
  // Names as a person's editor finds them, from where the command was started.
  const from = relative(process.cwd(), options.folder).split(sep).join("/");
  const folder = openFolder(options.folder, from, options.ignore);
  if ((await folder.scan()) === undefined)
    throw new CommandError(
      `there is no theme in ${options.folder}: its files lie in templates/, snippets/, config/, media/`,
      codes.failure,
    );
  const proxy = await openProxy({ shop: url, themeId: theme.id, port: options.port });
  const say = (line: string) => terminal.print(printable(line));
  const tell = teller(terminal);
  let problems: readonly Problem[] = [];
  const sync = openSync({
    theme,
    folder,
    now: () => performance.now(),
    say,
    show(now, isChanged) {
      problems = now;
      tell(now);
      proxy.show(now, isChanged);
    },
  });
  try {
    const old = await sync.begin(stack === undefined ? "ours" : options.first, basesIn(stack, theme.id));
    for (const finding of old) for (const { text } of findingLines(finding)) say(text);
    terminal.print(`${called} is at ${proxy.url}; save a file, and the page shows it. Ctrl-C stops.`);
    let failed = "";
    const caught = (work: () => Promise<void>) => () =>
      void work().then(
        () => {
          failed = "";
        },
        ({ message }: Error) => {
          // What is tried every few seconds is said once.
          if (message !== failed) say(`error: ${message}`);
          failed = message;
        },
      );
    const watcher = watchFolder(options.folder, caught(sync.saved));
    const timer = setInterval(caught(sync.look), options.pollMs);
    await stopped;
    clearInterval(timer);
    watcher.close();
    await sync.end();
    stop.close();
  } finally {
    await proxy.close();
  }
  const recorded = stack && (await record(stack, theme.id, sync.touched()));
  if (recorded !== undefined) say(recorded);
  if (problems.length === 0) return codes.success;
  say(
    `${problems.length === 1 ? "1 file is" : `${problems.length} files are`} not in the shop as the folder has ${problems.length === 1 ? "it" : "them"}.`,
  );
  return codes.failure;
}

/** Another Ctrl-C stops this as it stops every run. */
async function record(
  stack: engine.Stack,
  themeId: number,
  touched: ReturnType<Sync["touched"]>,
): Promise<string | undefined> {
  const stop = openStop(undefined, tellPerson);
  try {
    return await recordInState({ stack, themeId, touched, stop });
  } finally {
    stop.close();
  }
}

const placeText = ({ path, line, column }: Problem) => `${path}:${line}:${column}`;

/** Says each problem when it comes, and that it is gone. */
function teller(terminal: Terminal): (now: readonly Problem[]) => void {
  let before = new Map<string, Problem>();
  return (now) => {
    const all = new Map(now.map((one) => [`${placeText(one)} ${one.message}`, one]));
    for (const [key, { path }] of before)
      if (!all.has(key) && !now.some((one) => one.path === path)) terminal.print(printable(`${path}  fixed`));
    for (const [key, one] of all)
      if (!before.has(key))
        for (const { colour, text } of findingLines({ ...one, rule: "liquid-syntax", severity: "error" }))
          terminal.print(colour === undefined ? printable(text) : terminal.paint(colour, printable(text)));
    before = all;
  };
}

async function openTarget(options: DevOptions): Promise<Target> {
  const { theme, live, stack: named, home } = options;
  if (theme === undefined && !live) {
    if (named !== undefined)
      throw new CommandError(
        `say which theme of the shop of ${named}: --theme ID, or --live for the published one; without --stack it is an embedded shop`,
        codes.configuration,
      );
    return embedded();
  }
  const stack = openStackOf(home, named);
  if (stack !== undefined) await compareShop(stack, { say: tellPerson });
  const { connection, transport } = connect(stack, process.env, tellPerson);
  const client = createClient(transport);
  try {
    const found = await themeOf(client, live ? undefined : theme, connection.url);
    if (found.isPublished && !live)
      throw new CommandError(
        `theme ${found.id} (${found.title}) is what shoppers see: --live works on it all the same`,
        codes.configuration,
      );
    return {
      theme: openShopTheme(client, found.id, connection.url),
      url: connection.url,
      called: `The theme ${found.title} (${found.id}) of ${connection.url}`,
      stack,
      close: () => transport.close(),
    };
  } catch (error) {
    await transport.close();
    throw error;
  }
}

/** The stack whose shop it is; undefined where only the environment names a shop. */
function openStackOf(folder: string, stack: string | undefined): engine.Stack | undefined {
  const open = () => engine.openStack({ folder, stack, env: process.env });
  if (stack !== undefined) return open();
  try {
    return open();
  } catch (error) {
    if (process.env[settings.url.variable] === undefined) throw error;
    return undefined;
  }
}

async function embedded(): Promise<Target> {
  const served: ServedShop = await serveShop({ limit: "off" });
  const { url, shop } = served;
  const { transport } = connect(undefined, settingsEnv({ url, ...shop.credentials }), tellPerson);
  const client = createClient(transport);
  const { id } = await themeOf(client, undefined, url);
  return {
    theme: openShopTheme(client, id, url),
    url,
    called: "An embedded shop with the theme",
    stack: undefined,
    async close() {
      await transport.close();
      await served.close();
    },
  };
}
