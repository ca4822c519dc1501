/** theme dev: sends saved files of a theme's folder to the shop and reloads the browser. */
import { relative, sep } from "node:path";
import type * as engine from "../../engine/index.ts";
import { type Finding, printable } from "../../provider/inventory/index.ts";
import { noThemeText } from "../../provider/names/theme-folder.ts";
import { type Cancellation, openCancellation } from "../deploy/cancellation.ts";
import { CommandError, codes } from "../exit.ts";
import { openTerminal, printLines, printNote, type Terminal } from "../terminal/terminal.ts";
import { findingLines } from "../terminal/theme-findings.ts";
import { type Folder, openFolder, watchFolder } from "./folder.ts";
import { openProxy } from "./proxy.ts";
import { basesInState, recordInState } from "./state-update.ts";
import { openSync, type Sync, type Winner } from "./sync.ts";
import type { Problem } from "./sync-state.ts";
import { openTarget, type Target, type TargetOptions } from "./target.ts";

export interface DevOptions extends TargetOptions {
  readonly folder: string;
  readonly port: number;
  readonly pollMs: number;
  readonly first: Winner;
  readonly ignore: readonly string[];
}

/** Runs until it is interrupted. @returns the exit code */
export async function dev(options: DevOptions): Promise<number> {
  const terminal = openTerminal(process.stdout, process.env);
  const stop = openCancellation(undefined, printNote);
  const stopped = new Promise<void>((done) => stop.signal.addEventListener("abort", () => done()));
  try {
    // Paths from the working directory, for editors.
    const from = relative(process.cwd(), options.folder).split(sep).join("/");
    const folder = openFolder(options.folder, from, options.ignore);
    const local = await folder.scan();
    if (local === undefined) throw new CommandError(noThemeText(options.folder), codes.failure);
    const target = await openTarget(options, local);
    try {
      return await work(options, { target, folder, terminal, stop, stopped });
    } finally {
      await target.close();
    }
  } finally {
    stop.close();
  }
}

interface Session {
  readonly target: Target;
  readonly folder: Folder;
  readonly terminal: Terminal;
  readonly stop: Cancellation;
  readonly stopped: Promise<void>;
}

async function work(
  options: DevOptions,
  { target, folder, terminal, stop, stopped }: Session,
): Promise<number> {
  const { theme, url, called, stack } = target;
  const proxy = await openProxy({ shop: url, themeId: theme.id, port: options.port });
  const say = (line: string) => terminal.print(printable(line));
  const tellFinding = (finding: Finding) => {
    printLines(terminal, findingLines(finding));
  };
  const tell = teller(terminal, tellFinding);
  let problems: readonly Problem[] = [];
  const sync = openSync({
    theme,
    folder,
    now: () => performance.now(),
    say,
    warn: tellFinding,
    show(now, isChanged) {
      problems = now;
      tell(now);
      proxy.show(now, isChanged);
    },
  });
  try {
    const bases = basesInState(stack, theme.id);
    const { old, warnings } = await sync.begin(stack === undefined ? "ours" : options.first, bases);
    for (const finding of old) tellFinding(finding);
    if (warnings > 0)
      say(`${warnings} ${warnings === 1 ? "warning" : "warnings"}; pulumi-shop theme check lists them`);
    terminal.print(`${called} is at ${proxy.url}; save a file, and the page shows it. Ctrl-C stops.`);
    const { attempt, alone } = openAttempts(say);
    const watcher = watchFolder(options.folder, attempt(sync.saved));
    const timer = setInterval(alone(sync.look), options.pollMs);
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

/** Another Ctrl-C stops it. */
async function record(
  stack: engine.Stack,
  themeId: number,
  touched: ReturnType<Sync["touched"]>,
): Promise<string | undefined> {
  const stop = openCancellation(undefined, printNote);
  try {
    return await recordInState({ stack, themeId, touched, stop });
  } finally {
    stop.close();
  }
}

const placeText = ({ path, line, column }: Problem) => `${path}:${line}:${column}`;

/** Prints each problem once, and when it is fixed. */
function teller(
  terminal: Terminal,
  tellFinding: (finding: Finding) => void,
): (now: readonly Problem[]) => void {
  let before = new Map<string, Problem>();
  return (now) => {
    const all = new Map(now.map((one) => [`${placeText(one)} ${one.message}`, one]));
    for (const [key, { path }] of before)
      if (!all.has(key) && !now.some((one) => one.path === path)) terminal.print(printable(`${path}  fixed`));
    for (const [key, one] of all)
      if (!before.has(key)) tellFinding({ ...one, rule: "liquid-syntax", severity: "error" });
    before = all;
  };
}

/** Repeats work and prints each error once, until the work succeeds or fails with another error. */
export function openAttempts(say: (line: string) => void) {
  let failed = "";
  const attempt = (work: () => Promise<void>) => () =>
    work().then(
      () => {
        failed = "";
      },
      ({ message }: Error) => {
        if (message !== failed) say(`error: ${message}`);
        failed = message;
      },
    );
  return {
    attempt,
    /** Skips a run while the previous one is still going. */
    alone(work: () => Promise<void>) {
      let running: Promise<void> | undefined;
      const begin = attempt(work);
      return () => {
        running ??= begin().finally(() => {
          running = undefined;
        });
        return running;
      };
    },
  };
}
