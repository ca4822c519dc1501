// Runs from a program, by the package's own door: plan, limits, API requests, report, and the plan carried out. What the
// program prints is all that is printed. That the packed package has the door too is told by packages.test.ts.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { root } from "./cli/terminal.ts";
import { campaignTest } from "./support/campaign.ts";
import { freshEnv, runCommand } from "./support/process.ts";
import { openWorld, type World } from "./support/world.ts";

const shopProgram = (discount: number) => `import { Coupon, Product } from "pulumi-shop";
new Product("mug", { title: "Mug", variants: [{ sku: "R", price: 100 }] });
new Coupon("spring", { code: "SPRING", discount: ${discount}, typeId: 1 });
`;

/** A project with limits, in a folder that has the package, and a shop of its own. */
async function opened(program: string) {
  const world: World = await openWorld();
  const place = mkdtempSync(join(tmpdir(), "pulumi-shop-library-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true, maxRetries: 5 }));
  symlinkSync(join(root, "node_modules"), join(place, "node_modules"), "dir");
  mkdirSync(join(place, "shop"), { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(place, path), text);
  write("package.json", '{ "type": "module" }');
  write(
    "shop/Pulumi.yaml",
    "name: library\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.ts\n",
  );
  write("shop/Pulumi.live.yaml", JSON.stringify({ config: { "shop:maxDiscount": "20" } }));
  write("shop/index.ts", shopProgram(30));
  write("run.ts", program);
  const env = {
    ...freshEnv(),
    ...world.env,
    PULUMI_BACKEND_URL: `file://${mkdtempSync(join(place, "state-"))}`,
    PULUMI_CONFIG_PASSPHRASE: "correct horse",
  };
  const run = (more: Readonly<Record<string, string>> = {}) =>
    runCommand(place, [process.execPath, "run.ts"], { ...env, ...more });
  const read = (path: string) => readFileSync(join(place, path), "utf8");
  return { world, write, run, read };
}

const [, documented = ""] =
  /```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, "docs/library.md"), "utf8")) ?? [];
const opens = 'openStack({ folder: "shop", stack: "live", env: process.env, create: true })';

test("the program of docs/library.md plans, and carries out what may be", async () => {
  const { world, run, read } = await opened(
    documented.replace('openStack({ folder: "shop", stack: "live", env: process.env })', opens),
  );
  expect(await run()).toEqual({ code: 0, output: expect.stringMatching(/^\d+ steps, \d+ API requests\n$/) });
  expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["SPRING"]);
  const text = read("plan.md");
  expect(text).toContain("### Preview: `library/live`");
  expect(text).toMatch(/### Updating `library\/live`\n\n\*\*2 created\*\*/);
  expect(text).toMatch(/#### 1 coupon created\n[\s\S]*#### 1 product created\n/);
});

describe("step by step", () => {
  const program = `import { openStack, plan, report, refusalText, RunError } from "pulumi-shop/engine";
const stack = ${opens};
const told = {};
const codeOf = (work) => work().then(() => "none", (error) => (error instanceof RunError ? error.code : String(error)));
const opsOf = ({ steps }) => steps.filter(({ custom, type }) => custom && !type.startsWith("pulumi:")).map(({ op, name }) => op + " " + name);
BODY
console.log(JSON.stringify({ ...told, exitCode: process.exitCode ?? "none" }));
`;
  const play = async (body: string, more: Readonly<Record<string, string>> = {}) => {
    const all = await opened(program.replace("BODY", body));
    const told = async () => {
      const { code, output } = await all.run(more);
      expect(code, output).toBe(0);
      return JSON.parse(output) as Readonly<Record<string, unknown>>;
    };
    return { ...all, told };
  };
  const writes = (lines: readonly string[]) => lines.filter((line) => !line.startsWith("GET "));

  test("a plan says what it would do and cost, and is refused by the limits: nothing is sent", async () => {
    const { world, told } = await play(`
      const planned = await plan(stack);
      told.ops = opsOf(planned);
      told.requests = planned.requests.requests;
      told.refused = planned.refused.map(refusalText);
      told.deepest = planned.impact.discounts.deepest.amount;
      told.report = report(planned);
      told.carried = await codeOf(() => planned.carryOut());
    `);
    expect(await told()).toEqual({
      ops: expect.arrayContaining(["create mug", "create spring"]),
      requests: expect.any(Number),
      refused: [
        "Coupon spring would take 30 % off (discount), and shop:maxDiscount is 20 %; pass --allow spring to permit it",
      ],
      deepest: 30,
      report: expect.stringContaining("⛔ Refused: nothing was changed"),
      carried: "refused",
      exitCode: "none",
    });
    expect(writes(world.requests())).toEqual([]);
  });

  campaignTest(
    "what is permitted by name is carried out with the requests that were announced, and is then done",
    async () => {
      const { world, told } = await play(`
      const events = [];
      const planned = await plan(stack, { allow: ["spring"] });
      const done = await planned.carryOut({ watch: ({ type, step }) => events.push(type + " " + step?.name) });
      told.extra = done.usage.requests - planned.requests.requests;
      told.outcome = done.result.outcome;
      told.left = done.orphans;
      told.notices = report(done).includes("Messages");
      told.heard = events.includes("done spring");
      told.again = opsOf(await plan(stack, { allow: ["spring"] }));
    `);
      expect(await told()).toEqual({
        extra: 0,
        outcome: "succeeded",
        left: [],
        notices: false,
        heard: true,
        again: [],
        exitCode: "none",
      });
      expect(world.rows("product")).toHaveLength(1);
    },
  );

  campaignTest(
    "a saved plan is carried out while it holds, and is stale once somebody changed what it touches",
    async () => {
      const { world, told } = await play(`
      import { existsSync, readFileSync, writeFileSync } from "node:fs";
      const choices = { allow: ["spring"], refresh: true };
      if (!existsSync("plan.json")) {
        await (await plan(stack, choices)).carryOut();
        writeFileSync("shop/index.ts", readFileSync("shop/index.ts", "utf8").replace("discount: 30", "discount: 25"));
        writeFileSync("plan.json", (await plan(stack, { ...choices, saves: true })).text());
      } else {
        const planned = await plan(stack, { saved: readFileSync("plan.json", "utf8") });
        told.stale = planned.stale.map(({ resource, field, planned, now }) => [resource, field, planned, now].join("; "));
        told.carried = await codeOf(() => planned.carryOut());
      }
    `);
      await told();
      await world
        .edit({ kind: "product", where: { title: "Mug" }, set: { "variants[0].price": 55 } })
        .catch(() => undefined);
      const [spring] = world.rows("discount_code");
      await world.edit({ kind: "discount_code", id: spring?.id, set: { discount: "55.0" } });
      world.requests();
      const second = await told();
      expect(second).toMatchObject({
        carried: "stale",
        stale: ["Coupon spring; discount in the shop; 30 %; 55 %"],
      });
      expect(writes(world.requests())).toEqual([]);
    },
  );

  campaignTest("what keeps a run from beginning is told by its code", async () => {
    const { told } = await play(
      `
      told.option = await codeOf(() => plan(stack, { target: ["a"], exclude: ["b"] }));
      told.plan = await codeOf(() => plan(stack, { saved: "{}" }));
      told.both = await codeOf(() => plan(stack, { saved: "{}", saves: true }));
      told.text = await codeOf(async () => (await plan(stack)).text());
      const { SHOP_URL: _url, ...env } = process.env;
      told.connection = await codeOf(() => plan({ ...stack, env }));
      const config = { ...stack.config, values: { ...stack.config.values, "shop:maxDiscont": "5" } };
      told.setting = await codeOf(() => plan({ ...stack, config }));
    `,
    );
    expect(await told()).toEqual({
      option: "option",
      plan: "plan",
      both: "option",
      text: "plan",
      connection: "connection",
      setting: "setting",
      exitCode: "none",
    });
  });

  campaignTest(
    "a program that fails makes no plan: its failures are told, and nothing is carried out",
    async () => {
      const { write, told } = await play(`
      const planned = await plan(stack);
      told.outcome = planned.result.outcome;
      told.carried = await codeOf(() => planned.carryOut());
    `);
      write("shop/index.ts", 'throw new Error("no catalogue");\n');
      expect(await told()).toEqual({ outcome: "failed", carried: "failed", exitCode: "none" });
    },
  );
});
