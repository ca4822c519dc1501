/**
 * A shop and an engine for the tests of a program: `pulumi-shop/testing`. The program runs unmodified with an embedded
 * shop of its own; tests assert on the shop.
 *
 * @example
 * const shop = await openShop();
 * await shop.up();
 * expect(await shop.client.coupons.list()).toMatchObject([{ code: "SPRING" }]);
 * await shop.close();
 */
import { rmSync } from "node:fs";
import { type FaultRequest, type Patch, type ServeOptions, serveShop } from "../../emulator/index.ts";
import { temporaryFolder } from "../../engine/common/temporary.ts";
import * as engine from "../../engine/index.ts";
import { isPulumisOwn } from "../../engine/pulumi/urn.ts";
import { type Client, openClient } from "../../provider/client/index.ts";
import { messageEnv, settingsEnv } from "../../provider/inventory/index.ts";
import { runDirectly } from "../../runs/command.ts";

export interface TestShopOptions extends ServeOptions {
  /** A folder of the program's project; by default the working directory. */
  readonly folder?: string;
  /** The stack whose configuration file is used; by default `test`, which needs no file. */
  readonly stack?: string;
  /** Further configuration, such as `season`: a key without a project is the program's own. */
  readonly config?: Readonly<Record<string, string>>;
}

/** The result of a run. */
export interface TestRun {
  /** Number of steps by name: `{ create: 3, same: 1 }`; in a preview, planned steps. */
  readonly counts: engine.Counts;
  /** `create Coupon spring`, in order of execution; unchanged resources are left out. */
  readonly steps: readonly string[];
  /** The stack's outputs. */
  readonly outputs: Readonly<Record<string, unknown>>;
  /** Lines that the program and the provider printed. */
  readonly printed: readonly string[];
  /** `POST /admin/discount_codes.xml`, in order. */
  readonly requests: readonly string[];
}

/** An embedded shop with a stack of its own. */
export interface TestShop {
  /** The shop's address; open it in a browser to watch the test. */
  readonly url: string;
  /** SHOP_URL and the other variables with which a client connects. */
  readonly env: Readonly<Record<string, string>>;
  /** A typed client for every operation of the interface: for assertions, and to act as another application. */
  readonly client: Client;
  /** Shows what `up` would do. @throws Error with every failure of the run; this holds for all runs */
  preview(): Promise<TestRun>;
  /** Applies the program to the shop. */
  up(): Promise<TestRun>;
  /** Reads the shop into the state; the steps are changes by others. */
  refresh(): Promise<TestRun>;
  /** Deletes all resources of the program. */
  destroy(): Promise<TestRun>;
  /**
   * Edits an object directly, as staff would: `{ kind: "discount_code", where: { code: "SPRING" }, set: { discount: 55
   * } }`.
   */
  edit(patch: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Makes requests fail: `{ method: "POST", path: "*", fault: "500", times: 1 }`; docs/embedded-shop.md lists the
   * faults.
   */
  fault(fault: Readonly<Record<string, unknown>>): Promise<void>;
  /** Stops the shop and removes its stack and files. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a shop for a test; `close` removes it completely. */
export async function openShop(options: TestShopOptions = {}): Promise<TestShop> {
  const { folder = process.cwd(), stack: name = "test", config = {}, ...serving } = options;
  const served = await serveShop({ limit: "off", ...serving });
  const { url, shop } = served;
  const { applicationId, password } = shop.credentials;
  const client = openClient({ url, applicationId, password });
  const home = temporaryFolder("testing");
  const account = String(shop.store.list("account")[0]?.id);
  // The shop's identity is known, so no request is needed for it.
  const env = {
    ...settingsEnv({ url, applicationId, password, account }),
    ...messageEnv({}, { identity: `${url}#${account}` }),
  };
  const run = async (verb: "preview" | "up" | "refresh" | "destroy"): Promise<TestRun> => {
    const all = {
      // The tester's own passphrase opens the stack's secrets; a stack without secrets needs none.
      PULUMI_CONFIG_PASSPHRASE: "",
      ...process.env,
      PULUMI_BACKEND_URL: `file://${home}`,
      ...env,
    };
    const opened = engine.openStack({ folder, stack: name, env: all, create: true });
    const connection = { "shop:url": url, "shop:applicationId": applicationId, "shop:password": password };
    const own = Object.entries(config).map(([key, value]) => [
      engine.fullKey(opened.project.name, key),
      value,
    ]);
    const values = { ...opened.config.values, ...connection, ...Object.fromEntries(own) };
    const stack = { ...opened, config: { ...opened.config, values } };
    const from = shop.log.length;
    const { result, events } = await runDirectly(stack, verb);
    const printed = events.flatMap((event) => (event.type === "printed" ? [event.text] : []));
    if (result.outcome !== "succeeded") throw new Error(failureText(verb, result, events, printed));
    return {
      counts: result.counts,
      steps: events.flatMap((event) =>
        event.type === "done" &&
        event.step.op !== "same" &&
        event.step.custom &&
        !isPulumisOwn(event.step.type)
          ? [`${event.step.op} ${engine.kindOf(event.step.type)} ${event.step.name}`]
          : [],
      ),
      outputs: result.outputs,
      printed,
      requests: shop.log.slice(from).map(({ method, path }) => `${method} ${path}`),
    };
  };
  const close = async () => {
    await client.transport.close();
    await served.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return {
    url,
    env,
    client,
    preview: () => run("preview"),
    up: () => run("up"),
    refresh: () => run("refresh"),
    destroy: () => run("destroy"),
    edit: async (patch) => void shop.edit(patch as unknown as Patch),
    fault: async (fault) => shop.faults.add(fault as unknown as FaultRequest),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function failureText(
  verb: string,
  { failures }: engine.Result,
  events: readonly engine.Event[],
  printed: readonly string[],
): string {
  const own = failures.map(({ urn, message }) =>
    urn === undefined ? message : `${engine.nameOf(urn)}: ${message}`,
  );
  const said = events.flatMap((event) =>
    event.type === "message" && event.severity === "error" ? [event.text] : [],
  );
  return `${verb} failed:\n${[...new Set([...own, ...said, ...printed])].join("\n")}`;
}
