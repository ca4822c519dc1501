/** The built command for scripts: its own process in the campaign, otherwise a run in an existing process. */
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { full } from "../support/size.ts";
import { runWarm } from "./commands.ts";

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** @param home a folder of the test @returns the shell words that start the command */
export async function openShim(home: string): Promise<string> {
  if (full) return `"${process.execPath}" "${fileOf("../../dist/cli/main.js")}"`;
  const socket = process.platform === "win32" ? `\\\\.\\pipe\\${home}` : join(home, "command");
  const server = createServer({ allowHalfOpen: true }, async (asker) => {
    const { args, cwd, env } = JSON.parse(await text(asker));
    asker.end(JSON.stringify(await runWarm(args, cwd, env)));
  });
  await new Promise<void>((listening) => server.listen(socket, listening));
  onTestFinished(() => void server.close());
  return `"${process.execPath}" "${fileOf("ask.mjs")}" "${socket}"`;
}
