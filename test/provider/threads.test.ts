// Our dynamic provider in a thread of the engine's process, and in the SDK's host for projects with Node options.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { serveShop } from "../../emulator/index.ts";
import type * as engineDoor from "../../engine/index.ts";
import type { Properties } from "../../engine/index.ts";
import { ownerText } from "../../provider/names/owner.ts";
import { dynamicType, handlerText } from "../../provider/names/types.ts";
import type * as ownProvider from "../../runs/stack/ports.ts";
import { goal, type Program } from "../engine/in-process.ts";
import { campaignTest } from "../support/campaign.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const load = async <T>(path: string) => (await import(join(root, "dist", path))) as T;
const engine = await load<typeof engineDoor>("engine/index.js");
const { parts } = await load<typeof ownProvider>("runs/stack/ports.js");

const options = process.env.NODE_OPTIONS;
process.env.NODE_OPTIONS = `${options ?? ""} --require ${JSON.stringify(join(root, "test/provider/crashing.cjs"))}`;
// Of another shop, which no run here knows.
process.env.SHOP_URL = "http://127.0.0.1:9";
const folders: string[] = [];

afterAll(() => {
  delete process.env.SHOP_URL;
  if (options === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = options;
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const coupon = (name: string, more: Properties = {}, timeouts = {}) =>
  goal(
    name,
    {
      __provider: handlerText("Coupon"),
      __of: ownerText({ stack: "dev", project: "threads" }, [], "Coupon", name),
      code: name,
      discount: { percent: 10 },
      ...more,
    },
    { type: dynamicType("Coupon"), timeouts },
  );

const closure = `exports.handler = () => ({
  check: async (olds, news) => ({ inputs: news, failures: [] }),
  create: async (inputs) => ({ id: "its own", outs: { ...inputs, pid: process.pid, shop: process.env.SHOP_URL ?? "" } }),
})`;

const programOf =
  (...goals: readonly ReturnType<typeof goal>[]): Program =>
  async (deployment) => {
    const settled = await Promise.allSettled(goals.map((one) => deployment.register(one)));
    return settled.some(({ status }) => status === "rejected") ? 1 : 0;
  };

/** A stack with its own shop. @param nodeargs Node options; with any, the provider gets its own process */
async function openScene(nodeargs = "") {
  const shop = await serveShop();
  const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-threads-"));
  folders.push(folder);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  mkdirSync(join(folder, "backend"));
  writeFileSync(join(folder, "index.ts"), "");
  writeFileSync(
    join(folder, "Pulumi.yaml"),
    `name: threads\nruntime: {name: nodejs, options: {typescript: false, nodeargs: "${nodeargs}"}}\nmain: index.ts\nbackend: {url: "file://${folder}/backend"}\n`,
  );
  const { applicationId, password } = shop.shop.credentials;
  const env = {
    ...process.env,
    PULUMI_CONFIG_PASSPHRASE: "x",
    SHOP_URL: shop.url,
    SHOP_LATE_ANSWERS: "0",
    SHOP_APPLICATION_ID: applicationId,
    SHOP_PASSWORD: password,
  };
  return {
    url: shop.url,
    shop: shop.shop,
    codes: () => shop.shop.store.list("discount_code").map(({ code }) => code),
    close: shop.close,
    async up(program: Program, signal?: AbortSignal) {
      const stack = engine.openStack({ folder, stack: "dev", env, create: true });
      const { events, watch } = engine.recorder();
      const result = await engine.up(stack, {
        watch,
        parts: { ...parts, program },
        ...(signal && { signal }),
      });
      const printed = events.flatMap((event) => (event.type === "printed" ? [event.text] : [])).join("\n");
      const states = engine.load(stack).resources;
      return { ...result, printed, states, pending: engine.load(stack).pending };
    },
  };
}

const messages = ({ failures }: { readonly failures: readonly { readonly message: string }[] }) =>
  failures.map(({ message }) => message).join();

for (const [where, nodeargs] of [
  ["a thread", ""],
  ["a host of its own", "--no-warnings"],
] as const) {
  // `npm test` runs these in a thread, as most projects do.
  const inThread = nodeargs === "" ? test : campaignTest;
  test(`the provider in ${where} serves a shop that only its run names, beside a closure in the SDK's host`, async () => {
    const scene = await openScene(nodeargs);
    const { outcome, states } = await scene.up(
      programOf(coupon("A"), goal("foreign", { __provider: closure })),
    );
    expect(outcome).toBe("succeeded");
    expect(states.find(({ urn }) => urn.endsWith("::foreign"))?.outputs).toMatchObject({ shop: scene.url });
    expect(scene.codes()).toEqual(["A"]);
    await scene.close();
  });

  inThread(`an uncaught error of the provider in ${where} doesn't end the run`, async () => {
    const scene = await openScene(nodeargs);
    const crashing = programOf(coupon("CRASH-throw"), coupon("CRASH-reject"));
    const { outcome, printed } = await scene.up(crashing);
    expect(outcome).toBe("succeeded");
    if (nodeargs === "")
      for (const words of ["Error: thrown at nobody", "Error: rejected to nobody"])
        expect(printed).toContain(words);
    expect(await scene.up(crashing)).toMatchObject({ outcome: "succeeded", changed: false });
    await scene.close();
  });

  test(`an operation that was running when the provider in ${where} exited fails, and the next run creates the object once`, async () => {
    const scene = await openScene(nodeargs);
    const ended = await scene.up(programOf(coupon("CRASH-exit")));
    expect(ended.outcome).toBe("failed");
    expect(messages(ended)).toMatch(
      /the provider's process ended before it answered|the provider's thread ended: its exit code is 7/,
    );
    expect(ended.states.map(({ id }) => id).filter((id) => id !== undefined && /^\d+$/.test(id))).toEqual([]);
    expect(ended.pending).toEqual([]);
    // The same resource with a code that doesn't crash.
    const next = await scene.up(programOf(coupon("CRASH-exit", { code: "B" })));
    expect([next.outcome, messages(next)]).toEqual(["succeeded", ""]);
    expect(scene.codes()).toEqual(["B"]);
    await scene.close();
  });

  inThread(`a create in ${where} without a response within its custom timeout fails`, async () => {
    const scene = await openScene(nodeargs);
    scene.shop.faults.add({ method: "POST", path: "*", fault: "slow", delayMs: 60_000 });
    const { outcome, failures } = await scene.up(programOf(coupon("A", {}, { create: "400ms" })));
    expect(outcome).toBe("failed");
    expect(messages({ failures })).toMatch(/Deadline exceeded|no answer within the timeout of 0\.4 s/);
    await scene.close();
  });

  inThread(`a stopped run ends at once while the provider in ${where} waits for the shop`, async () => {
    const scene = await openScene(nodeargs);
    scene.shop.faults.add({
      method: "POST",
      path: "*",
      fault: "429",
      retryAfterSeconds: 3_600,
      times: 100,
    });
    const stop = new AbortController();
    const run = scene.up(programOf(coupon("A")), stop.signal);
    await expect.poll(() => scene.shop.log.length).toBeGreaterThan(0);
    stop.abort();
    expect(await run).toMatchObject({ outcome: "cancelled" });
    expect(scene.codes()).toEqual([]);
    await scene.close();
  });
}
