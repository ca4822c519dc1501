/**
 * The tutorials and how-to pages, followed as a reader follows them. A block that names a file writes it, each command runs, and
 * each line of output that the page shows is printed. A command with `# Ctrl-C` is stopped when it says that it is ready. A comment
 * `<!-- staff: ... -->` says what staff do in the shop at that point.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { connectStack, openTerminal, root } from "../cli/terminal.ts";
import { freshEnv, runCommand } from "../support/process.ts";
import { openWorld, type World } from "../support/world.ts";

const pages = ["how-to", "tutorials"].flatMap((folder) =>
  readdirSync(join(root, "docs", folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `docs/${folder}/${name}`),
);
const block = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$|^<!-- staff: (.*) -->$/gm;
const git = {
  GIT_AUTHOR_NAME: "reader",
  GIT_AUTHOR_EMAIL: "reader@shop.example",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** What staff do: an edit of an object, or one that they make. */
async function act(world: World, staff: string): Promise<void> {
  const [, client, values = staff] = /^(\w+)\.create (.*)$/s.exec(staff) ?? [];
  if (client === undefined) await world.edit(JSON.parse(values));
  else
    await (world.client as unknown as Record<string, { create(values: unknown): Promise<unknown> }>)[
      client
    ]?.create(JSON.parse(values));
}

/** A line of a page as words: quotes keep blanks together. */
const words = (line: string) =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, bare]) => one ?? two ?? bare ?? "");

test.each(pages)("a reader who follows %s sees what it shows", async (page) => {
  const world = await openWorld();
  const terminal = openTerminal("", world.env);
  await connectStack(terminal, "dev", world);
  let printed = "";
  // The folder that the page has gone to.
  let folder = "";
  const run = async (line: string) => {
    const [command = "", note = ""] = line.split(/\s+# /);
    const args = words(command);
    if (args[0] === "cd") {
      folder = args[1] ?? "";
      return;
    }
    const place = folder === "" ? [] : ["--cwd", folder];
    const ran =
      args[0] === "npx"
        ? note === "Ctrl-C"
          ? await terminal.until(/Ctrl-C stops/, (pid) => process.kill(pid, "SIGINT"), ...args.slice(2))
          : await terminal.run(...args.slice(2), ...place)
        : await runCommand(join(terminal.folder, folder), args, {
            ...freshEnv(),
            ...terminal.env,
            ...git,
            GIT_COMMITTER_NAME: git.GIT_AUTHOR_NAME,
            GIT_COMMITTER_EMAIL: git.GIT_AUTHOR_EMAIL,
          });
    const text = "output" in ran ? ran.output : ran.stdout + ran.stderr;
    expect(ran.code, `${page}: ${line}\n${text}`).toBe(Number(/exit code (\d)/.exec(note)?.[1] ?? 0));
    printed += text;
  };
  for (const [, language, file, body = "", staff] of readFileSync(join(root, page), "utf8").matchAll(block)) {
    if (staff === "another shop") await connectStack(terminal, "dev", await openWorld());
    else if (staff !== undefined) await act(world, staff);
    else if (file !== undefined) terminal.write(file, body);
    else if (language === "sh") {
      printed = "";
      for (const line of body.split("\n").filter(Boolean)) await run(line);
    } else if (language === "text")
      for (const line of body.split("\n").map((text) => text.trim()))
        expect(line === "..." ? "" : line, `${page} shows a line that isn't printed:\n${printed}`).toSatisfy(
          (shown: string) => printed.includes(shown),
        );
  }
});
