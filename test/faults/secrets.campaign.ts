// Password, token and secret of a shop are in nothing that a full run writes, with all debugging on.
import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTerminal } from "../cli/terminal.ts";
import { openWorld } from "../support/world.ts";

const program = `
import { Coupon, File, getAccountOutput, getThemeOutput } from "pulumi-shop";
import * as pulumi from "@pulumi/pulumi";
new Coupon("a", { code: "A", discount: 10, typeId: 1, description: new pulumi.Config().requireSecret("word") });
new File("f", { content: "x", filename: "a.txt" });
export const theme = getThemeOutput({ published: true }).title;
export const owner = getAccountOutput().owner;
`;

function written(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (lstatSync(path).isSymbolicLink()) return [];
    return entry.isDirectory() ? written(path) : [[path, readFileSync(path, "latin1")] as const];
  });
}

test("in a whole life of a stack, with failures and with debugging", async () => {
  const token = "t0ken-of-the-shop-0123456789";
  const secret = "s3cret-of-the-application-987";
  const world = await openWorld({ token, secret });
  const { applicationId, password } = world.credentials;
  const terminal = openTerminal(program, {
    SHOP_URL: world.url,
    SHOP_APPLICATION_ID: applicationId,
    NODE_DEBUG: "http,net,module",
    PULUMI_DEBUG_GRPC: "1",
  });
  terminal.env.SHOP_JOURNAL = join(terminal.folder, "requests.jsonl");
  const words = { word: "xyzzy-plugh", passphrase: terminal.env.PULUMI_CONFIG_PASSPHRASE as string };
  const printed: string[] = [];
  const argv: string[] = [];
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await terminal.until(
      /./,
      () => argv.push(...commandLines(terminal.folder)),
      ...args,
    );
    printed.push(stdout, stderr);
  };
  terminal.write("word.txt", words.word);
  await run("config", "set", "shop:token", token, "--secret", "--stack", "dev");
  await run("config", "set", "shop:secret", secret, "--secret", "--stack", "dev");
  await run("config", "set", "word", words.word, "--secret", "--stack", "dev");
  terminal.write("word.txt", "");
  argv.length = 0;
  await run("preview", "--diff");
  await world.fault({ method: "POST", path: "/admin/files.xml", fault: "drop-before", times: 9 });
  await run("up", "--yes", "--diff");
  await world.fault({ method: "POST", path: "/admin/files.xml", fault: "500", times: 0 });
  await run("up", "--yes", "--json");
  await run("refresh", "--yes", "--diff");
  await run("output", "--json");
  await run("config", "--json");
  // A wrong token: what the shop refuses is said without it.
  await run("config", "set", "shop:token", `${token}-wrong`, "--secret");
  await run("refresh", "--yes");
  await run("config", "set", "shop:token", token, "--secret");
  await run("destroy", "--yes");
  expect(world.rows("discount_code")).toEqual([]);

  const basic = Buffer.from(`${applicationId}:${password}`).toString("base64");
  const secrets = { token, secret, password, basic, ...words };
  const places = [
    ...written(terminal.folder),
    ["what was printed", printed.join("\n")] as const,
    ["arguments of processes", argv.join("\n")] as const,
  ];
  expect(places.length).toBeGreaterThan(5);
  const found = places.flatMap(([place, text]) =>
    Object.entries(secrets)
      .filter(([, value]) => text.includes(value))
      .map(([name]) => `${name} in ${place}`),
  );
  expect(found).toEqual([]);
});

/** The command lines of all processes that run in a folder. */
function commandLines(folder: string): readonly string[] {
  const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
  void folder;
  return stdout.split("\n").filter((line) => line.includes("pulumi"));
}
