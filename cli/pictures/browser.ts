/** Finds a Chromium-based browser on this machine and takes screenshots with it. */

import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../../engine/common/temporary.ts";
import { usageError } from "../exit.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface Screen {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly isPhone: boolean;
}

export type Browser = Awaited<ReturnType<typeof openBrowser>>;

export const installation =
  "npx @puppeteer/browsers install chrome-headless-shell@stable installs one and prints its path; set PULUMI_SHOP_BROWSER to it";

const variables = ["PULUMI_SHOP_BROWSER", "CHROME_PATH"] as const;
const names = [
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
  "msedge",
];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];
const windows = ["Google\\Chrome\\Application\\chrome.exe", "Microsoft\\Edge\\Application\\msedge.exe"];

/**
 * Undefined if there is no browser.
 * @throws CommandError if the environment names one that can't be started
 */
export function findBrowser(env: Env): string | undefined {
  for (const name of variables) {
    const path = env[name];
    if (path === undefined || path === "") continue;
    if (isProgram(path)) return path;
    throw usageError(`${name} is ${path}, which is not an executable file. ${installation}`);
  }
  const endings = process.platform === "win32" ? [".exe"] : [""];
  const folders = (env.PATH ?? "").split(delimiter).filter(isAbsolute);
  const onPath = names.flatMap((name) =>
    endings.flatMap((ending) => folders.map((folder) => join(folder, `${name}${ending}`))),
  );
  const installed = [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].flatMap((folder) =>
    folder === undefined ? [] : windows.map((path) => join(folder, path)),
  );
  return [...onPath, ...places, ...installed].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // The file doesn't exist or isn't executable.
    return false;
  }
}

// The environment variables that a browser needs; none of them holds credentials.
const passed = /^(PATH|LANG|LC_\w+|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|FONTCONFIG_\w+|LD_LIBRARY_PATH)$/i;

export async function openBrowser(path: string, env: Env) {
  const home = temporaryFolder("browser");
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => passed.test(name)));
  const child = spawn(path, flags(home), {
    env: { ...own, HOME: home },
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
    child.once("error", () => resolve());
  });
  const close = async () => {
    child.kill("SIGKILL");
    await ended;
    // Its other processes still write here, and rmSync gives up without an error where a file goes meanwhile.
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const pipe = openPipe(child);
    const session = await openTab(pipe);
    return {
      /** A screenshot of a whole page, as PNG in base64. */
      shoot: (file: string, screen: Screen) => shoot(pipe, session, file, screen),
      close,
    };
  } catch (error) {
    await close();
    throw new Error(`the browser ${path} could not be used: ${(error as Error).message}`, { cause: error });
  }
}

const flags = (home: string): readonly string[] => [
  "--headless",
  "--remote-debugging-pipe",
  `--user-data-dir=${home}`,
  "--no-first-run",
  "--no-default-browser-check",
  "--disable-extensions",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--hide-scrollbars",
  "--mute-audio",
  // Chromium's sandbox doesn't work for root, which containers use. Pages run no scripts anyway.
  ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
  "about:blank",
];

async function openTab(pipe: Pipe): Promise<unknown> {
  const { targetId } = await pipe.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await pipe.send("Target.attachToTarget", { targetId, flatten: true });
  await pipe.send("Page.enable", {}, sessionId);
  await pipe.send("Emulation.setScriptExecutionDisabled", { value: true }, sessionId);
  const features = [
    { name: "prefers-color-scheme", value: "light" },
    { name: "prefers-reduced-motion", value: "reduce" },
  ];
  await pipe.send("Emulation.setEmulatedMedia", { features }, sessionId);
  return sessionId;
}

/** The maximum height of a screenshot, in CSS pixels. */
const highest = 5_000;

/** In milliseconds. */
const patience = { page: 15_000, browser: 60_000 };

async function shoot(pipe: Pipe, session: unknown, file: string, screen: Screen): Promise<string> {
  const { width, height, isPhone } = screen;
  const device = { width, height, deviceScaleFactor: 1, mobile: isPhone };
  await pipe.send("Emulation.setDeviceMetricsOverride", device, session);
  const loaded = pipe.next("Page.loadEventFired");
  await pipe.send("Page.navigate", { url: pathToFileURL(file).href }, session);
  // Resources that haven't loaded by then are missing in the screenshot.
  const timer = setTimeout(() => void pipe.send("Page.stopLoading", {}, session), patience.page);
  await loaded.finally(() => clearTimeout(timer));
  const { cssContentSize } = (await pipe.send("Page.getLayoutMetrics", {}, session)) as {
    readonly cssContentSize: { readonly width: number; readonly height: number };
  };
  // A page that isn't responsive is scaled down to the phone's width.
  const whole = isPhone ? Math.max(width, cssContentSize.width) : width;
  const scale = width / whole;
  const tall = Math.min(Math.ceil(cssContentSize.height), Math.floor(highest / scale));
  const clip = { x: 0, y: 0, width: whole, height: tall, scale };
  const { data } = await pipe.send(
    "Page.captureScreenshot",
    { format: "png", captureBeyondViewport: true, clip },
    session,
  );
  return String(data);
}

type Values = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Values;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: Values) => void;
  readonly reject: (error: Error) => void;
}

type Pipe = ReturnType<typeof openPipe>;

/** @param child a browser started with --remote-debugging-pipe, which reads its file 3 and writes its file 4 */
function openPipe(child: ChildProcess) {
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable];
  const answers = new Map<number, Waiting>();
  const events = new Map<string, Waiting>();
  let last = 0;
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended = error;
    for (const waiting of [...answers.values(), ...events.values()]) waiting.reject(error);
  };
  const take = ({ id, method, result = {}, error }: Message) => {
    const key = id ?? -1;
    if (error === undefined) answers.get(key)?.resolve(result);
    else answers.get(key)?.reject(new Error(error.message));
    answers.delete(key);
    if (method === undefined) return;
    events.get(method)?.resolve(result);
    events.delete(method);
  };
  // A screenshot arrives in hundreds of chunks.
  let pieces: string[] = [];
  output.setEncoding("utf8").on("data", (chunk: string) => {
    const [first = "", ...more] = chunk.split("\0");
    pieces.push(first);
    for (const next of more) {
      take(JSON.parse(pieces.join("")));
      pieces = [next];
    }
  });
  // The end of the browser is handled below.
  input.on("error", () => {});
  child.once("error", end);
  child.once("exit", (code, signal) =>
    end(new Error(`the browser ended (${signal ?? `exit code ${code}`})`)),
  );
  const wait = <K>(list: Map<K, Waiting>, key: K) =>
    new Promise<Values>((resolve, reject) => {
      if (ended === undefined) list.set(key, { resolve, reject });
      else reject(ended);
    });
  return {
    send(method: string, params: Values = {}, session?: unknown) {
      last += 1;
      const answer = wait(answers, last);
      input.write(`${JSON.stringify({ id: last, method, params, sessionId: session })}\0`);
      return answer;
    },
    next: (method: string) => wait(events, method),
  };
}
