// The command at a terminal: output, questions, exit codes.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { connectStack, openTerminal, ranOf, root } from "./terminal.ts";

const coupon = (discount: number) =>
  `import { Coupon } from "pulumi-shop";\nconst spring = new Coupon("spring", { code: "SPRING", discount: ${discount}, typeId: 1 });\nexport const code = spring.code;\n`;

async function opened(program = coupon(10), options = {}) {
  const world = await openWorld(options);
  const env = world.env;
  return { world, terminal: openTerminal(program, env) };
}

describe("help", () => {
  const { run } = { run: (...args: string[]) => openTerminal("").run(...args) };
  test("a wrong command and a wrong option say what there is, and end with 2", async () => {
    expect(await run("converge")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown command converge; the commands are preview, up"),
    });
    expect(await run("up", "--fast")).toMatchObject({
      code: 2,
      stderr: "error: unknown option --fast; --help lists the options\n",
    });
    expect(await run("previw")).toMatchObject({
      code: 2,
      stderr: "error: unknown command previw, did you mean preview?\n",
    });
    expect((await run("up", "--stak", "dev")).stderr).toContain(
      "unknown option --stak, did you mean --stack?",
    );
    expect((await run("up", "--stack", "--yes")).stderr).toContain(
      "option --stack requires a value: --stack NAME",
    );
    for (const empty of [["--stack="], ["--target", ""], ["-C", " "], ["--at="], ["--save-plan="]])
      expect(await run("preview", ...empty)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /^error: option --?\w.* is empty: give it a value, .* [A-Z]+, or leave it out$/m,
        ),
      });
    expect((await run("up", "--yes=1")).stderr).toContain("option --yes takes no value");
    expect(await run("up", "--parallel", "0")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("at least 1, got 0"),
    });
    expect(await run("up", "--engine", "x")).toMatchObject({ code: 2 });
  });

  test("the version is the package's", async () => {
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("a shop converges at a terminal", () => {
  test("preview, up, up again, an edit, destroy; with counts, requests and time", async () => {
    const { world, terminal } = await opened();
    const preview = await terminal.done("preview");
    expect(preview.stdout).toMatch(/\+ Coupon +spring +to create/);
    expect(preview.stdout).toContain("API requests needed: at most 2 (about 1 s)");
    expect(world.rows("discount_code")).toEqual([]);
    const up = await terminal.run("up", "--yes");
    expect(up, "nobody said which stack").toMatchObject({ code: 6 });
    const first = await terminal.dev("up", "--yes");
    expect(first.stdout).toMatch(/\+ 1 created[\s\S]*API requests: 2;[\s\S]*Duration: /);
    expect(first.stdout).toContain('code: "SPRING"');
    const second = await terminal.run("up", "--yes", "--expect-no-changes");
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/1 unchanged\nAPI requests: 0\n/),
    });
    terminal.write("index.ts", coupon(15));
    const changed = await terminal.run("preview", "--expect-no-changes");
    expect(changed.code).toBe(7);
    expect(changed.stdout).toContain("discount: 10 % => 15 %");
    await terminal.run("up", "--yes", "--skip-preview");
    expect(world.rows("discount_code")).toMatchObject([{ discount: "15.0" }]);
    expect(await terminal.run("output", "code")).toMatchObject({ code: 0, stdout: "SPRING\n" });
    expect(JSON.parse((await terminal.run("output", "--json")).stdout)).toEqual({ code: "SPRING" });
    expect((await terminal.run("stacks")).stdout).toMatch(/^dev {2}up (just now|\d+ min ago) {2}\S+\n$/);
    const gone = await terminal.run("destroy", "--yes");
    expect(gone).toMatchObject({ code: 0, stdout: expect.stringContaining("- 1 deleted") });
    expect(world.rows("discount_code")).toEqual([]);
  });

  test("a coupon that is exported whole is an output that a preview without changes doesn't show", async () => {
    const { terminal } = await opened(
      'import { Coupon } from "pulumi-shop";\nexport const spring = new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });\n',
    );
    const first = await terminal.dev("preview");
    expect(first.stdout).toContain('spring: {"code":"SPRING"');
    expect(first.stdout).not.toMatch(/@isPulumiResource|known after up/);
    await terminal.dev("up", "--yes", "--skip-preview");
    const second = await terminal.dev("preview");
    expect(second).toMatchObject({ code: 0, stdout: expect.not.stringContaining("Outputs:") });
  });

  test.each(storyForms)(
    "an output that no update changes is the same in the preview of a price that is edited (%s)",
    async (_form, plugins) => {
      const product = (price: number) =>
        `import { Product } from "pulumi-shop";
const mug = new Product("mug", { title: "Mug", variants: [{ sku: "M", price: ${price} }] });
export const address = mug.permalink;
`;
      const { terminal } = await opened(product(9));
      terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
      await terminal.dev("up", "--yes", "--skip-preview");
      terminal.write("index.ts", product(10));
      const { stdout } = await terminal.dev("preview");
      expect(stdout).toContain("price: 9 => 10");
      expect(stdout).toContain('address: "mug"');
      expect(stdout).not.toContain("known after up");
    },
  );

  test("a hand edit is found by refresh, with what it was and is, and exit code 7 where none was expected", async () => {
    const { world, terminal } = await opened();
    await terminal.dev("up", "--yes", "--skip-preview");
    await world.edit({ kind: "discount_code", where: { code: "SPRING" }, set: { discount: "55.0" } });
    const found = await terminal.run("refresh", "--preview-only", "--expect-no-changes");
    expect(found.code).toBe(7);
    expect(found.stdout).toMatch(/~ Coupon +spring +changed in the shop/);
    expect(found.stdout).toContain("discount: 10 % => 55 %");
    expect((await terminal.run("refresh", "--yes")).code).toBe(0);
    expect((await terminal.run("up", "--yes")).stdout).toContain("discount puts back: 10 %, staff: 55 %");
  });

  test("without a terminal and without --yes nothing is changed, and it says what to do", async () => {
    const { world, terminal } = await opened();
    const ran = await terminal.dev("up");
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes") });
    expect(world.rows("discount_code")).toEqual([]);
  });

  test("--json is one object a line, the last one a summary", async () => {
    const { terminal } = await opened();
    const { stdout } = await terminal.dev("up", "--yes", "--json");
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toMatchObject({
      run: "up",
      type: "summary",
      outcome: "succeeded",
      counts: { create: 1 },
      requests: 2,
      rejected: 0,
    });
    expect(events.filter(({ type }) => type === "done").map(({ step }) => step.name)).toContain("spring");
  });

  test("wrong arguments are told all at once, each with its path; the exit code is 1", async () => {
    const { terminal } = await opened(
      `import { Coupon } from "pulumi-shop";\nnew Coupon("bad", { code: 7, discount: "x", typeId: 3, color: "red" } as never);\n`,
    );
    const { code, stdout, stderr } = await terminal.dev("preview");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Failed:\n/);
    expect(stdout).not.toContain("Failed:");
    expect(stderr).toContain('  index.ts:2  Coupon "bad"\n');
    for (const path of ["code", "discount", "typeId", "color"]) expect(stderr).toContain(`\n    ${path}: `);
  });

  test("a missing connection says what to set", async () => {
    const { terminal } = await opened();
    terminal.env.SHOP_PASSWORD = "";
    const { code, stdout, stderr } = await terminal.dev("up", "--yes");
    expect(code).toBe(1);
    expect(stdout, "the program was not started").toBe("");
    expect(stderr).toBe(`error: the stack dev has no complete connection to a shop:
  - the application's password is not set: npx pulumi-shop config set shop:password --secret --stack dev (asks for it), or SHOP_PASSWORD in the environment
Or start a shop on this machine: npx pulumi-shop serve --stack dev
Nothing was changed in the shop.
`);
  });

  test("no name is suggested for a wrong one of one letter", async () => {
    const { terminal } = await opened(
      'import { PriceKind } from "pulumi-shop";\nnew PriceKind("b", { title: "B" });\n',
    );
    await terminal.done("up", "--yes", "--skip-preview");
    expect(await terminal.dev("state", "remove", "a")).toMatchObject({
      stderr: expect.not.stringContaining("did you mean"),
      code: 1,
    });
  });

  test("a stack that has a state and no file says so", async () => {
    const { terminal } = await opened();
    await terminal.done("up", "--yes", "--skip-preview");
    rmSync(join(terminal.folder, "Pulumi.dev.yaml"));
    terminal.env.SHOP_PASSWORD = "";
    const { stderr } = await terminal.dev("up", "--yes");
    expect(stderr).toContain(
      "to a shop:\n  - there is no Pulumi.dev.yaml; if the stack had one, restore it\n  - the application's password",
    );
  });

  test("no project, no stack, an output that isn't there", async () => {
    const { terminal } = await opened();
    expect(await terminal.dev("output")).toMatchObject({ code: 6 });
    await terminal.dev("up", "--yes", "--skip-preview");
    expect(await terminal.run("output", "nothing")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("it has code"),
    });
    expect(await terminal.run("up", "-C", "/")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "or above it; create one with the command init, or name its folder with --cwd",
      ),
    });
  });
});

campaignTest(
  "a stack whose state was lost takes its shop over again: no POST, nothing twice, nothing to change",
  async () => {
    const many = `import { Coupon, PriceKind, Product } from "pulumi-shop";
for (let i = 0; i < 5; i++) new Coupon("c" + i, { code: "C" + i, discount: 10, typeId: 1 });
for (let i = 0; i < 5; i++) new Product("p" + i, { title: "P" + i, variants: [{ sku: "S" + i, price: i }] });
new PriceKind("wholesale", { title: "Wholesale" });
`;
    const { world, terminal } = await opened(many);
    await terminal.dev("up", "--yes", "--skip-preview");
    rmSync(join(terminal.folder, "backend/.pulumi/stacks/user/dev.json"));
    await terminal.dev("config", "set", "shop:adopt", "key");
    const preview = await terminal.dev("preview");
    const [coupon] = world.rows("discount_code");
    expect(preview.stdout).toMatch(new RegExp(`^ = Coupon .* to adopt ${coupon?.id}\\b`, "m"));
    expect(preview.stdout.match(/ to adopt \d/g)).toHaveLength(11);
    const sent = await world.during(() => terminal.dev("up", "--yes", "--skip-preview"));
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(world.rows("product")).toHaveLength(5);
    expect(world.rows("discount_code")).toHaveLength(5);
    expect(await terminal.run("preview", "--expect-no-changes")).toMatchObject({ code: 0 });
  },
);

describe("a new project", () => {
  test("has one workflow that answers a pull request, and one that deploys a push", async () => {
    const { folder, run } = openTerminal("");
    expect(await run("init", "new-shop")).toMatchObject({ code: 0 });
    const workflows = join(folder, "new-shop/.github/workflows");
    const begunBy = (event: string) =>
      readdirSync(workflows).filter((file) => {
        const { on } = parse(readFileSync(join(workflows, file), "utf8")) as { readonly on: string | object };
        return on === event || (typeof on === "object" && event in on);
      });
    expect(begunBy("pull_request")).toEqual(["preview.yml"]);
    expect(begunBy("push")).toEqual(["deploy.yml"]);
  });
});

describe("configuration", () => {
  test("is set, got and listed; a secret is encrypted in the file and reaches the shop", async () => {
    const { world, terminal } = await opened();
    for (const name of ["SHOP_URL", "SHOP_APPLICATION_ID", "SHOP_PASSWORD"]) delete terminal.env[name];
    await connectStack(terminal, "dev", world);
    expect(readFileSync(join(terminal.folder, "Pulumi.dev.yaml"), "utf8")).not.toContain(
      world.credentials.password,
    );
    for (const verb of [[], ["list"], ["ls"]])
      expect((await terminal.dev("config", ...verb)).stdout).toContain("shop:password: [secret]");
    expect((await terminal.dev("config", "get", "shop:url")).stdout).toBe(`${world.url}\n`);
    await terminal.done("up", "--yes", "--skip-preview");
    expect(world.rows("discount_code")).toHaveLength(1);
    const state = readFileSync(join(terminal.folder, "backend/.pulumi/stacks/user/dev.json"), "utf8");
    expect(state).not.toContain(world.credentials.password);
  });

  test("a password of digits that stands in the stack's file without quotes is named as such, and not shown", async () => {
    const { terminal } = await opened();
    delete terminal.env.SHOP_PASSWORD;
    terminal.write("Pulumi.dev.yaml", `config:\n  shop:password: ${"12345678".repeat(4)}\n`);
    const { code, all } = await terminal.dev("preview");
    expect([code, all]).toEqual([
      1,
      expect.stringContaining(
        "shop:password must be the application's password from the back office, 32 lowercase hex digits; got a number, which has lost digits: put it in quotes",
      ),
    ]);
    expect(all).not.toContain("1234");
  });

  campaignTest("three values that are set at once, one of them secret, are all kept", async () => {
    const { terminal } = await opened();
    terminal.write("Pulumi.dev.yaml", "config: {}\n");
    const set = (name: string, ...more: readonly string[]) =>
      terminal.start("config", "set", name, `of-${name}`, "--stack", "dev", ...more);
    const codes = await Promise.all([set("a"), set("b"), set("c", "--secret")]);
    expect(codes.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(Array(3).fill("0 "));
    const { stdout } = await terminal.dev("config", "--json", "--show-secrets");
    expect(JSON.parse(stdout)).toEqual(
      Object.fromEntries(["a", "b", "c"].map((name) => [`user:${name}`, `of-${name}`])),
    );
  });
});

describe("stopping", () => {
  test("Ctrl-C ends what has begun and writes it down; the next run goes on", async () => {
    const many = `import { Coupon } from "pulumi-shop";\nfor (let i = 0; i < 40; i++) new Coupon("c" + i, { code: "C" + i, discount: 10, typeId: 1 });\n`;
    const { world, terminal } = await opened(many);
    await world.fault({
      method: "POST",
      path: "/admin/discount_codes.xml",
      fault: "slow",
      delayMs: 400,
      times: 99,
    });
    const stopped = await terminal.until(
      /created/,
      (pid) => process.kill(pid, "SIGINT"),
      "up",
      "--stack",
      "dev",
      "--yes",
      "--skip-preview",
      "--parallel",
      "1",
    );
    expect(stopped.code).toBe(8);
    expect(stopped.stderr).toContain("stopping");
    expect(existsSync(join(terminal.folder, "backend/.pulumi/stacks/user/dev.journal"))).toBe(false);
    const done = world.rows("discount_code").length;
    expect(done).toBeLessThan(40);
    const rest = await terminal.run("up", "--yes", "--skip-preview");
    expect(rest.stdout).toContain(`+ ${40 - done} created`);
    expect(world.rows("discount_code")).toHaveLength(40);
  });

  campaignTest.runIf(existsSync("/dev/full"))(
    "a log on a full disk doesn't stop a run, which says so once and fails",
    async () => {
      const { world, terminal } = await opened();
      const command = `exec "${process.execPath}" "${join(root, "dist/cli/main.js")}" up --stack dev --yes >/dev/full`;
      const { folder: cwd, env } = terminal;
      const ran = await ranOf(spawn("sh", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
      expect(ran.code).toBe(1);
      expect(ran.stderr.match(/error: .*/g)).toEqual([
        "error: standard output can't be written: the disk is full",
      ]);
      expect(world.rows("discount_code")).toHaveLength(1);
      expect((await terminal.dev("state", "list")).stdout).toContain("spring");
      const list = command.replace("up --stack dev --yes", "state list --stack dev");
      expect(await ranOf(spawn("sh", ["-c", list], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }))).toEqual(
        {
          code: 1,
          stdout: "",
          stderr: "error: standard output can't be written: the disk is full\n",
        },
      );
    },
  );

  test("a closed window says until when, and doesn't keep a run that is stopped", async () => {
    const { world, terminal } = await opened(coupon(10));
    await world.fault({ method: "POST", path: "*", fault: "429", times: 9, retryAfterSeconds: 250 });
    const ran = await terminal.until(
      /the shop rejects requests \(0\/500\): waiting 250 s, until \d\d:\d\d:\d\d UTC/,
      (pid) => process.kill(pid, "SIGINT"),
      ...["up", "--stack", "dev", "--yes", "--skip-preview"],
    );
    expect(ran.code).toBe(8);
    expect(ran.stderr).toContain("the run was stopped before the next request for it was sent");
    expect(ran.stdout).toMatch(/ - Coupon +spring +not sent, stopped\n/);
    expect(ran.stdout).not.toContain("failed");
  });

  test("--timeout does the same wherever it comes, with its own exit code", async () => {
    const { world, terminal } = await opened(coupon(10));
    // The shop answers nothing before the timeout, even on a fast machine.
    await world.fault({ method: "POST", path: "*", fault: "429", times: 9, retryAfterSeconds: 250 });
    const ran = await terminal.start("up", "--stack", "dev", "--yes", "--skip-preview", "--timeout", "1s");
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("timed out after 1 s");
    expect(world.rows("discount_code")).toEqual([]);
    await world.control("POST", "forget");
    await terminal.done("up", "--yes", "--skip-preview");
    expect(world.rows("discount_code")).toHaveLength(1);
  });
});

describe("what the program itself asks of the shop", () => {
  const program = `import { Asset, getThemeOutput } from "pulumi-shop";
const theme = getThemeOutput({ published: true });
export const again = getThemeOutput({ published: true }).title;
new Asset("page", { themeId: theme.id, type: "Asset::Template", name: "page.care.liquid", content: "one" });
`;

  test.each(storyForms)(
    "is counted with what the plan needs, and sent again by up: %s",
    async (_how, plugins) => {
      const { terminal } = await opened(program);
      terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
      const preview = await terminal.dev("preview");
      expect(preview.all).toContain("API requests needed: at most 3 (");
      const up = await terminal.dev("up", "--yes", "--skip-preview");
      expect(up.all).toContain("API requests: 3;");
      expect((await terminal.run("preview")).stdout, "nothing changes").not.toContain("API requests needed");
      expect((await terminal.run("up", "--yes", "--skip-preview")).stdout).toContain("API requests: 1;");
    },
  );
});

describe("a text that changes", () => {
  const program = (body: string) => `import { Asset, getThemeOutput } from "pulumi-shop";
const theme = getThemeOutput({ published: true });
new Asset("page", { themeId: theme.id, type: "Asset::Template", name: "page.care.liquid", ${body} });
`;

  test("is previewed with --diff as hunks of what the shop has now, also what staff wrote since; as Markdown too", async () => {
    const { world, terminal } = await opened(program('file: "care.liquid"'));
    terminal.write("care.liquid", "one\ntwo\nthree\n");
    await terminal.dev("up", "--yes", "--skip-preview");
    await world.edit({
      kind: "asset",
      where: { name: "page.care.liquid" },
      set: { content: "one\nby staff\nthree\n" },
    });
    terminal.write("care.liquid", "one\n2\nthree\n");
    // Both sides changed one line: only --overwrite replaces it.
    const refused = await terminal.dev("preview");
    expect(refused.code).toBe(1);
    expect(refused.stdout).toMatch(/! Asset +page +refused\n/);
    expect(refused.stdout).toMatch(
      /Conflicts: .*\n ! Asset page \(page\.care\.liquid\), .*\n +content: the shop \(-\) against the program \(\+\):/,
    );
    const overwriting = ["preview", "--stack", "dev", "--overwrite", "page"];
    const plain = await terminal.run(...overwriting);
    expect(plain.code, plain.stdout).toBe(0);
    expect(plain.stdout).not.toContain("by staff");
    const shown = await terminal.run(...overwriting, "--diff", "--markdown", "plan.md");
    const lines = shown.stdout.split("\n").map((line) => line.trim());
    const at = lines.indexOf("@@ -1,3 +1,3 @@");
    expect(lines.slice(at, at + 5)).toEqual(["@@ -1,3 +1,3 @@", "one", "- by staff", "+ 2", "three"]);
    const markdown = readFileSync(join(terminal.folder, "plan.md"), "utf8");
    expect(markdown).toContain("**1 to update**.");
    expect(markdown).toContain(
      "- **page.care.liquid** (`page`)\n  - content: **overwritten: the shop has another text**\n\n  ```diff\n",
    );
    expect(markdown).toContain("\n  -by staff\n");
    const printed = await terminal.run(...overwriting, "--diff", "--markdown", "-");
    expect(printed.stdout, "nothing else is printed").toBe(markdown);
    expect(existsSync(join(terminal.folder, "-"))).toBe(false);
  });

  test("is shown once beside its update where a refresh found the edit too, in the comment as well", async () => {
    const { world, terminal } = await opened(program('file: "care.liquid"'));
    terminal.write("care.liquid", "one\ntwo\n");
    await terminal.dev("up", "--yes", "--skip-preview");
    const byStaff = { content: "one\ntwo\nby staff\n" };
    await world.edit({ kind: "asset", where: { name: "page.care.liquid" }, set: byStaff });
    const previewed = await terminal.dev("preview", "--refresh", "--diff");
    const asked = ["up", "--stack", "dev", "--refresh", "--diff", "--yes", "--markdown", "plan.md"];
    const done = await terminal.run(...asked);
    const linesOf = (text: string) => text.split("\n").map((line) => line.trim());
    const [planned, before = "", after = ""] = [previewed.stdout, ...done.stdout.split("Updating user/dev")];
    for (const plan of [planned, before]) {
      const lines = linesOf(plan);
      expect(lines.filter((line) => line === "- by staff")).toHaveLength(1);
      expect(plan).toMatch(/ Asset +page +changed in the shop .*\n +~ care\.liquid: 8 bytes => 17 bytes\n/);
      expect(plan).toMatch(
        / Asset +page +to update .*\n +~ content puts back the program's text over staff's\n +@@ .*\n +one\n +two\n +- by staff\n/,
      );
    }
    expect(linesOf(after)).not.toContain("- by staff");
    const comment = terminal.read("plan.md");
    expect(comment.match(/^ +-by staff$/gm)).toHaveLength(1);
    expect(comment).toContain("#### 1 theme file to update\n");
    expect(comment).toContain("#### 1 theme file changed in the shop\n");
  });

  campaignTest(
    "inline is a difference of the arguments; what staff wrote since is shown beside it",
    async () => {
      const { world, terminal } = await opened(program('content: "one\\ntwo\\n"'));
      await terminal.dev("up", "--yes", "--skip-preview");
      terminal.write("index.ts", program('content: "one\\n2\\n"'));
      const own = await terminal.dev("preview", "--diff");
      expect(own.stdout).toMatch(/~ content:\n +@@ -1,2 \+1,2 @@\n +one\n +- two\n +\+ 2\n/);
      await world.edit({
        kind: "asset",
        where: { name: "page.care.liquid" },
        set: { content: "one\ntwo\nby staff\n" },
      });
      const refused = await terminal.dev("preview", "--diff");
      expect(refused.code).toBe(1);
      expect(refused.stdout).toMatch(/content: changed in the shop:[\s\S]*\+ by staff\n[\s\S]*\+ 2\n/);
      const { code, stdout } = await terminal.dev("preview", "--diff", "--overwrite", "page");
      expect(code).toBe(0);
      expect(stdout).toMatch(
        /~ Asset +page .*\n.*content overwritten: .*\n +@@ .*\n +one\n +- two\n +- by staff\n +\+ 2\n/,
      );
    },
  );
});

describe("at a terminal", () => {
  const listed = async () => {
    const { terminal } = await opened();
    const { stdout } = await terminal.run("--help");
    return { terminal, names: [...stdout.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name = ""]) => name) };
  };

  test("every command has a help with an example", async () => {
    const { terminal, names } = await listed();
    expect(names).toContain("completion");
    for (const name of names) {
      const { code, stdout } = await terminal.run(name, "--help");
      expect(code, name).toBe(0);
      expect(stdout, name).toMatch(/^Usage: pulumi-shop /);
      expect(stdout, name).toMatch(/Example:\n {2}.*pulumi-shop/);
    }
  });

  test("a shell completes commands, and the options of a command", async () => {
    const { terminal, names } = await listed();
    const script = (await terminal.run("completion", "bash")).stdout;
    terminal.write(
      "bin/pulumi-shop",
      `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/cli/main.js")}" "$@"\n`,
    );
    spawnSync("chmod", ["+x", join(terminal.folder, "bin/pulumi-shop")]);
    const complete = (...words: readonly string[]) => {
      const text = `${script}COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _pulumi_shop; echo "\${COMPREPLY[@]}"`;
      const env = { ...terminal.env, PATH: `${join(terminal.folder, "bin")}:${terminal.env.PATH}` };
      return spawnSync("bash", ["-c", text], { env, cwd: terminal.folder, encoding: "utf8" })
        .stdout.trim()
        .split(" ");
    };
    expect(complete("pulumi-shop", "")).toEqual(names);
    expect(complete("pulumi-shop", "up", "--al")).toEqual(["--allow", "--all-gone"]);
    expect(complete("pulumi-shop", "preview", "--y"), "preview asks nothing").toEqual([""]);
    // The other shells; a shell itself filters by what is typed.
    const begun = async (...typed: readonly string[]) => {
      const { stdout } = await terminal.run("completion", "words", ...typed.slice(0, -1));
      return stdout.split("\n").filter((word) => word !== "" && word.startsWith(typed.at(-1) ?? ""));
    };
    expect(await begun("pre")).toEqual(["preview"]);
    expect(await begun("serve", "--li")).toEqual(["--limit", "--limit-status"]);
    expect(await begun("serve", "--fetch", "")).toEqual(["loopback", "public", "none"]);
    expect(await begun("up", "--stack", "")).toEqual(["dev"]);
    expect(await begun("up", "--engine", "p")).toEqual(["pulumi"]);
    expect(await begun("config", "")).toEqual(expect.arrayContaining(["set", "get", "remove"]));
    expect(await begun("pull", "co")).toEqual(["coupons"]);
    expect(await begun("compare", "dev", "shop")).toEqual(["shop:dev"]);
    expect(await begun("completion", "b")).toEqual(["bash"]);
    for (const shell of ["zsh", "fish", "powershell"])
      expect((await terminal.run("completion", shell)).stdout).toContain("completion words");
    expect(await terminal.run("completion", "tcsh")).toMatchObject({ code: 2 });
  });
});
