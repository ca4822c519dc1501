/**
 * The tutorials, how-to pages and the page about tests, followed as a reader follows them. A block that names a file writes it, each command runs, and
 * the output that the page shows is printed, line after line. A command with `# Ctrl-C` is stopped when it says that it is ready; a shop
 * that `serve` starts runs until the end of the page. A comment `<!-- staff: ... -->` is an edit of staff at that point.
 */
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openScene, root, type Terminal } from "../cli/terminal.ts";
import { partOf } from "../support/campaign.ts";
import { freshEnv, runCommand } from "../support/process.ts";
import { openWorld, type World } from "../support/world.ts";

const pages = [
  "docs/testing.md",
  ...["how-to", "tutorials"].flatMap((folder) =>
    readdirSync(join(root, "docs", folder))
      .filter((name) => name.endsWith(".md") && name !== "README.md")
      .map((name) => `docs/${folder}/${name}`),
  ),
];
const block = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$|^<!-- staff: (.*) -->$/gm;
const git = {
  GIT_AUTHOR_NAME: "reader",
  GIT_AUTHOR_EMAIL: "reader@shop.example",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** An edit of staff: of an object, or a new one. */
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

const quoted = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * What a page shows of an output: its lines one after the other, `...` for what it leaves out. A page may begin and end
 * in the middle of an output, and of a line.
 */
const shownIn = (body: string) =>
  new RegExp(
    body
      .trimEnd()
      .split(/^[ ]*\.\.\.\n?/m)
      .map((part) =>
        part
          .trimEnd()
          .split("\n")
          .map((line) => line.trim().split(" ... ").map(quoted).join(".*"))
          .join("[^\\n]*\\n[^\\S\\n]*"),
      )
      .join("[^]*?"),
  );

interface Typed {
  readonly code: number;
  readonly text: string;
}

/** A reader at a terminal. */
class Reader {
  /** The folder that the page has gone to. */
  #folder = "";
  readonly #shops: (() => Promise<void>)[] = [];
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Ends the shops that the page started. */
  async leave(): Promise<void> {
    for (const end of this.#shops) await end();
  }

  write(file: string, text: string): void {
    this.#terminal.write(join(this.#folder, file), text);
  }

  /** Types a command. @param stops Ctrl-C ends it when it is ready */
  async type(command: string, stops: boolean): Promise<Typed> {
    const [name = "", ...args] = words(command);
    if (name === "npx") return this.#pulumiShop(args.slice(1), stops);
    if (name === "export") return this.#export(command);
    if (command === "npm test")
      return this.#run([
        process.execPath,
        join(root, "node_modules/vitest/vitest.mjs"),
        "run",
        "--root",
        ".",
      ]);
    if (command !== "npm install" && name !== "cd") return this.#run([name, ...args]);
    if (name === "cd") this.#folder = args[0] ?? "";
    else if (!existsSync(this.#path("node_modules")))
      symlinkSync(join(root, "node_modules"), this.#path("node_modules"), "dir");
    return { code: 0, text: "" };
  }

  #path(name: string): string {
    return join(this.#terminal.folder, this.#folder, name);
  }

  async #pulumiShop(args: readonly string[], stops: boolean): Promise<Typed> {
    const all = this.#folder === "" ? args : [...args, "--cwd", this.#folder];
    if (args[0] === "serve") return this.#serve(all);
    const { code, stdout, stderr } = stops
      ? await this.#terminal.until(/Ctrl-C stops/, (pid) => process.kill(pid, "SIGINT"), ...all)
      : await this.#terminal.run(...all);
    return { code, text: stdout + stderr };
  }

  /** Starts a shop, which runs until the end of the page. */
  async #serve(args: readonly string[]): Promise<Typed> {
    const { promise, resolve, reject } = Promise.withResolvers<{ pid: number; text: string }>();
    const ended = this.#terminal.until(/another terminal/, (pid, text) => resolve({ pid, text }), ...args);
    void ended.then(({ stderr }) => reject(new Error(stderr)));
    const { pid, text } = await promise;
    this.#shops.push(async () => {
      process.kill(pid, "SIGINT");
      expect((await ended).code).toBe(0);
    });
    return { code: 0, text };
  }

  async #export(command: string): Promise<Typed> {
    const names = [...command.matchAll(/(\w+)=/g)].map(([, name = ""]) => name);
    const values = names.map((name) => `printf '%s\\n' "$${name}"`);
    const { code, text } = await this.#run(["bash", "-ec", [command, ...values].join("\n")]);
    for (const [index, value] of text.trim().split("\n").entries())
      this.#terminal.env[names[index] ?? ""] = value;
    return { code, text: "" };
  }

  async #run(args: readonly string[]): Promise<Typed> {
    const { code, output } = await runCommand(join(this.#terminal.folder, this.#folder), args, {
      ...freshEnv(),
      ...this.#terminal.env,
      ...git,
      GIT_COMMITTER_NAME: git.GIT_AUTHOR_NAME,
      GIT_COMMITTER_EMAIL: git.GIT_AUTHOR_EMAIL,
    });
    return { code, text: output };
  }
}

/** A project with a stack for a shop on this machine, as `init` and `serve` leave it; `live` is that shop too. */
async function connect(terminal: Terminal, { url, credentials }: World): Promise<void> {
  const { applicationId, password } = credentials;
  const config = { "shop:url": url, "shop:applicationId": applicationId, "shop:password": password };
  for (const stack of ["dev", "live"]) terminal.write(`Pulumi.${stack}.yaml`, JSON.stringify({ config }));
  terminal.write("token.txt", password);
}

/** A page with the address and the numbers of the test's shop. */
async function pageOf(page: string, { url, credentials, client }: World): Promise<string> {
  const unpublished = (await client.themes.list()).find(({ title }) => title === "Mobile");
  return readFileSync(join(root, page), "utf8")
    .replaceAll("https://my-shop.example", url)
    .replaceAll("my-app", credentials.applicationId)
    .replaceAll("--theme 640", `--theme ${unpublished?.id}`);
}

// The example of tests and the pages with a whole theme take nearly half of the time of all pages.
const atNight = ["docs/testing.md", "docs/how-to/work-on-a-theme.md", "docs/tutorials/theme.md"];
const before = partOf(
  pages,
  pages.filter((page) => !atNight.includes(page)),
);

test.each(before)("a reader who follows %s sees what it shows", async (page) => {
  const { world, terminal } = await openScene("", "", []);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml").replace("name: user", "name: my-shop"));
  await connect(terminal, world);
  const reader = new Reader(terminal);
  let printed = "";
  for (const [, language = "", file, body = "", staff] of (await pageOf(page, world)).matchAll(block)) {
    if (staff === "another shop") await connect(terminal, await openWorld());
    else if (staff !== undefined) await act(world, staff);
    else if (file !== undefined) reader.write(file, body);
    else if (/^(sh|console)$/.test(language)) {
      printed = "";
      for (const line of body.split("\n").filter(Boolean)) {
        const [command = "", note = ""] = line.replace(/^\$ /, "").split(/\s+# /);
        const { code, text } = await reader.type(command, note === "Ctrl-C");
        expect(code, `${page}: ${line}\n${text}`).toBe(Number(/exit code (\d)/.exec(note)?.[1] ?? 0));
        printed += text;
      }
    } else if (language === "text")
      expect(printed, `${page} shows other lines than these`).toMatch(shownIn(body));
  }
  await reader.leave();
});
