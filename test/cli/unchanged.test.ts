// The end of a failed command: it says whether nothing was changed, and what isn't known because the program did not
// finish.
import { describe, expect, onTestFinished, test } from "vitest";
import { serveShop } from "../../emulator/index.ts";
import { campaignTest, partOf } from "../support/campaign.ts";
import { descendantsOf, end, lineOf } from "../support/families.ts";
import { plugged } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const coupon = (name: string, discount = 10) =>
  `new Coupon(${JSON.stringify(name)}, { code: ${JSON.stringify(name.toUpperCase())}, discount: ${discount}, typeId: 1 });\n`;
const program = (...lines: readonly string[]) =>
  `import { runtime } from "@pulumi/pulumi";\nimport { Coupon, Product } from "pulumi-shop";\n${lines.join("")}`;
const words = "Nothing was changed in the shop.";
const crash = 'throw new Error("no price list");\n';
const crashInRun = 'if (!runtime.isDryRun()) throw new Error("no price list");\n';

async function opened(text: string, env: Readonly<Record<string, string>> = {}) {
  const world = await openWorld();
  const terminal = openTerminal(text, { ...world.env, ...env });
  return { world, terminal, run: terminal.dev };
}

describe("a command that doesn't end well says that nothing was changed", () => {
  test.each<readonly [string, first: string, second: string, args: readonly string[]]>([
    ["a preview whose program fails", program(coupon("a")), program(coupon("a", 20), crash), ["preview"]],
    ["an up whose program fails", program(coupon("a")), program(coupon("a", 20), crash), ["up", "--yes"]],
    [
      "an up without a preview whose program fails at once",
      program(coupon("a")),
      program(crash, coupon("a", 20)),
      ["up", "--yes", "--skip-preview"],
    ],
    ["an up that nobody can confirm", program(coupon("a")), program(coupon("a", 20)), ["up"]],
    ["a destroy that nobody can confirm", program(coupon("a")), program(coupon("a")), ["destroy"]],
    [
      "a preview that was to find no changes",
      program(coupon("a")),
      program(coupon("a", 20)),
      ["preview", "--expect-no-changes"],
    ],
  ])("%s", async (_what, first, second, args) => {
    const { terminal, run } = await opened(first);
    expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
    terminal.write("index.ts", second);
    const { code, all } = await run(...args);
    expect(code).not.toBe(0);
    expect(all.split(words)).toHaveLength(2);
  });

  test("an up that the limits of the stack refuse, and one whose create the shop refused", async () => {
    const { terminal, run } = await opened(program(coupon("a")), { SHOP_MAX_DISCOUNT: "15" });
    expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
    terminal.write("index.ts", program(coupon("a", 20)));
    expect((await run("up", "--yes")).all.split(words)).toHaveLength(2);
    const other = await opened(program(coupon("a")));
    await other.world.fault({ method: "POST", path: "*", fault: "429", times: 99, retryAfterSeconds: 250 });
    const late = await other.run("up", "--yes", "--skip-preview", "--timeout", "1s");
    expect(late.code).toBe(9);
    expect(late.all.split(words)).toHaveLength(2);
  });

  test.each(partOf(["504-after-commit", "drop-after-commit", "500"], ["504-after-commit"]))(
    "not where a request went out that may have changed something (%s)",
    async (fault) => {
      const { world, run } = await opened(program(coupon("a")), { SHOP_LATE_ANSWERS: "0" });
      await world.fault({ method: "POST", path: "*", fault, times: 99 });
      await world.fault({ method: "GET", path: "*discount_codes*", fault: "500", times: 99 });
      const { code, all } = await run("up", "--yes", "--skip-preview");
      expect(code).not.toBe(0);
      expect(world.requests().filter((line) => line.startsWith("POST "))).not.toEqual([]);
      expect(all).not.toContain(words);
    },
  );

  campaignTest("not where the plugin's process ended during a write", async () => {
    const { shop, url, close } = await serveShop({ limit: "off" });
    onTestFinished(close);
    const { applicationId: SHOP_APPLICATION_ID, password: SHOP_PASSWORD } = shop.credentials;
    const env = { SHOP_URL: url, SHOP_APPLICATION_ID, SHOP_PASSWORD };
    const terminal = openTerminal(program(coupon("a")), env, plugged);
    const { handle } = shop;
    let command = 0;
    shop.handle = async (request) => {
      const answer = await handle(request);
      const family = request.method === "POST" ? descendantsOf(command) : [];
      for (const pid of family) if (/plugin.main/.test(lineOf(pid))) end(pid);
      return answer;
    };
    const begin = (pid: number) => {
      command = pid;
    };
    const ran = await terminal.until(/Preview/, begin, "up", "--yes", "--stack", "dev");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("the provider's process ended before it answered. Run the same command");
    expect(ran.stdout).toContain("was ended by SIGKILL");
    expect(ran.stdout + ran.stderr).not.toContain(words);
    shop.handle = handle;
    expect((await terminal.dev("up", "--yes")).stdout).toContain("1 created");
    expect(shop.store.list("discount_code")).toHaveLength(1);
  });

  test("not where a part was done, and not where all went well", async () => {
    const { terminal, run } = await opened(program(coupon("a")));
    const done = await run("up", "--yes", "--skip-preview");
    expect(done.all).not.toContain(words);
    expect((await run("preview")).all).not.toContain(words);
    const made = "if (!runtime.isDryRun()) await new Promise((done) => b.id.apply(done));\n";
    terminal.write("index.ts", program(coupon("a"), `const b = ${coupon("b")}`, made, crashInRun));
    const part = await run("up", "--yes", "--skip-preview");
    expect(part.code).toBe(1);
    expect(part.all).toContain("1 created");
    expect(part.all).not.toContain(words);
  });
});

describe("where the program did not finish", () => {
  const unknown = "The program did not finish, so its deletes are unknown: up deletes nothing until it does.";

  test("a preview says that deletes are unknown, at the terminal, in the comment and in JSON", async () => {
    const { terminal, run } = await opened(program(coupon("a"), coupon("old")));
    expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
    terminal.write("index.ts", program(coupon("a", 20), crash));
    const shown = await run("preview", "--markdown", "plan.md");
    expect(shown.stdout).toContain(unknown);
    expect(terminal.read("plan.md")).toContain(`**It failed.** ${words} **1 to update**`);
    expect(terminal.read("plan.md")).toContain(unknown);
    const json = await run("preview", "--json");
    const summary = json.stdout.split("\n").find((line) => line.includes('"type":"summary"')) ?? "{}";
    expect(JSON.parse(summary)).toMatchObject({ deletesUnknown: true, writes: 0 });
    // The complete program has the delete.
    terminal.write("index.ts", program(coupon("a", 20)));
    const whole = await run("preview");
    expect(whole.stdout).toContain("1 to delete");
    expect(whole.stdout).not.toContain("did not finish");
  });

  test("a run says that nothing of it was deleted; a first run has nothing to delete", async () => {
    const { terminal, run } = await opened(program(coupon("a"), crash));
    expect((await run("preview")).stdout).not.toContain("did not finish");
    terminal.write("index.ts", program(coupon("a"), coupon("old")));
    expect((await run("up", "--yes", "--skip-preview")).code).toBe(0);
    terminal.write("index.ts", program(coupon("a", 20), crashInRun));
    const { stdout } = await run("up", "--yes", "--skip-preview");
    expect(stdout).toContain("The program did not finish, so nothing was deleted.");
  });
});
