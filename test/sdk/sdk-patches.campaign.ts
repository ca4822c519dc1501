// Work of Pulumi's SDK that our classes leave out (sdk/sdk-patches.ts), without an effect on programs.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTerminal } from "../cli/terminal.ts";
import { openSeat, pulumiWays } from "../support/engines.ts";
import { openWorld } from "../support/world.ts";

const program = `
import * as pulumi from "@pulumi/pulumi";
import { createRequire } from "node:module";
import { Coupon, getThemesOutput, Product } from "pulumi-shop";

const { Resource } = createRequire(import.meta.url)("@pulumi/pulumi/resource.js");
const said = {};
const places = [];
const stackTrace = Resource.stackTrace;
Resource.stackTrace = (skip) => {
  const found = stackTrace.call(Resource, skip);
  places.push(found.length > 0);
  return found;
};

class Sale extends Coupon {
  constructor(name, discount, opts) {
    super(name, { code: name.toUpperCase(), discount, typeId: 1 }, opts);
    this.more = "more";
    this.half = this.discount.apply((value) => value / 2);
  }
}
class Season extends pulumi.ComponentResource {
  constructor(name) {
    super("user:index:Season", name);
    this.sale = new Sale(name + "-sale", 20, { parent: this });
    this.registerOutputs({ code: this.sale.code });
  }
}
class Echo extends pulumi.dynamic.Resource {
  constructor(name, props) {
    super({ create: async (inputs) => ({ id: "1", outs: inputs }) }, name, props);
  }
}

const secret = pulumi.secret("for staff only");
const plain = new Coupon("plain", { code: "PLAIN", discount: 10, typeId: 1 });
const hidden = new Coupon("hidden", { code: "HIDDEN", discount: 15, typeId: 1, description: secret });
const sale = new Sale("sale", 30);
const season = new Season("winter");
const mug = new Product("mug", { title: "Mug", variants: [{ sku: "RED", price: 12.5 }, { sku: "BLUE", price: 13 }] });
const echo = new Echo("echo", { heard: plain.code, times: 2 });
const got = Coupon.get("got", plain.id);

const isLate = (resource, name) => Object.getOwnPropertyDescriptor(resource, name).get !== undefined;
said.late = { ours: isLate(plain, "discount"), subclass: isLate(sale, "code"), foreign: isLate(echo, "heard") };
said.keys = Object.keys(plain);
said.has = ["discount" in plain, Object.hasOwn(plain, "discount"), plain.hasOwnProperty("nothing")];
const spread = { ...sale };
said.spread = Object.keys(spread).toSorted();
said.isOutput = pulumi.Output.isInstance(spread.code);
said.same = plain.code === plain.code;
said.isInstance = [Coupon.isInstance(sale), sale instanceof Coupon, Product.isInstance(sale)];
try { new Coupon("bad"); said.bad = "made"; } catch (error) { said.bad = "thrown"; }

const value = (output) => new Promise((resolve) => output.apply(resolve));
const all = pulumi.all([plain.code, sale.half, season.sale.code, mug.variants, echo.heard, got.discount]);
said.values = await value(all);
said.unwrapped = Object.keys(await value(pulumi.output({ plain, list: [sale.code] }))).length;
said.isSecret = [await pulumi.isSecret(hidden.description), await pulumi.isSecret(hidden.code)];
// Read for the first time after everything is known.
said.afterwards = await value(hidden.isHidden ?? hidden.disabled ?? hidden.minOrder ?? pulumi.output("none"));
said.lateDiscount = await value(hidden.discount);
said.caught = await new Promise((resolve) =>
  process.once("unhandledRejection", () => {}) && resolve(sale.code.apply((code) => code.length)),
).then((output) => value(output));
said.interpolated = await value(pulumi.interpolate\`\${mug.permalink}/\${sale.discount}\`);
said.themes = (await value(getThemesOutput())).length > 0;
said.places = places;

export const code = plain.code;
export const description = hidden.description;
export const whole = sale;
export const report = JSON.stringify(said);
`;

interface Said {
  readonly [key: string]: unknown;
  readonly late: Readonly<Record<string, boolean>>;
  readonly places: readonly boolean[];
}

interface Life {
  readonly said: Said;
  readonly outputs: string;
  readonly second: string;
  readonly state: string;
  readonly requests: readonly string[];
  /** Exit codes of two runs, one with a missing argument. */
  readonly codes: readonly number[];
}

/** The same ids in every shop. */
function repeatable(): () => number {
  let last = 42;
  return () => {
    last = (last * 48271) % 2147483647;
    return last / 2147483647;
  };
}

/** Created, run again without a change, and destroyed. */
async function live(env: Readonly<Record<string, string>>): Promise<Life> {
  const world = await openWorld({ random: repeatable() });
  const terminal = openTerminal(program, { ...world.env, ...env });
  const first = await terminal.start(
    "up",
    "--yes",
    "--skip-preview",
    "--stack",
    "dev",
    "--create",
    "--parallel",
    "1",
  );
  const outputs = await terminal.start("output", "--json", "--stack", "dev");
  const second = await terminal.start("up", "--yes", "--skip-preview", "--stack", "dev", "--parallel", "1");
  const state = readFileSync(join(terminal.folder, "backend/.pulumi/stacks/user/dev.json"), "utf8");
  const { report, ...rest } = JSON.parse(outputs.stdout) as { readonly report: string };
  const destroyed = await terminal.start(
    "destroy",
    "--yes",
    "--skip-preview",
    "--stack",
    "dev",
    "--parallel",
    "1",
  );
  expect(destroyed.code).toBe(0);
  return {
    said: JSON.parse(report) as Said,
    outputs: shape(JSON.stringify(rest)),
    second: second.stdout.replace(/^(API requests|Duration| +(report|whole):).*$/gm, ""),
    state: shape(state),
    requests: world.requests(),
    codes: [first.code, second.code],
  };
}

/** The state without values that differ between runs: times, salts, ciphertexts. */
const shape = (text: string) =>
  text
    .replace(/"(created|modified|time)": "[^"]*"/g, "")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "(uuid)")
    .replace(/"report":"(?:[^"\\]|\\.)*"/, '"report"')
    .replace(/v1:[A-Za-z0-9+/=:]+/g, "(encrypted)")
    .replace(/\d{4}-\d\d-\d\dT[^"]*/g, "(stamp)");

describe("a program with the patched SDK", () => {
  test("a program sees the same with and without the patches, except positions and times of its resources", async () => {
    const quiet = await live({});
    const loud = await live({ SHOP_QUIET: "false" });
    const { late, places, ...seen } = quiet.said;
    const { late: loudLate, places: loudPlaces, ...expected } = loud.said;
    // Values, keys, classes, secrets, errors; the second run; all requests.
    expect(seen).toEqual(expected);
    expect(quiet.outputs).toBe(loud.outputs);
    expect(quiet.second).toBe(loud.second);
    expect(quiet.state).toBe(loud.state);
    expect(quiet.requests).toEqual(loud.requests);
    expect([quiet.codes, loud.codes]).toEqual([
      [1, 1],
      [1, 1],
    ]);
    // Resources of other packages have their outputs immediately, and their position.
    expect(late).toEqual({ ours: true, subclass: true, foreign: false });
    expect(loudLate).toEqual({ ours: false, subclass: false, foreign: false });
    expect(places.filter(Boolean)).toHaveLength(2);
    expect(loudPlaces.every(Boolean)).toBe(true);
  });

  test("the SDK isn't patched if it is to report its promises", async () => {
    const { said } = await live({ PULUMI_DEBUG_PROMISE_LEAKS: "true" });
    expect(said.late.ours).toBe(false);
    expect(said.places.every(Boolean)).toBe(true);
  });
});

test.each(pulumiWays)("pulumi --debug shows each line of the SDK's once ($form)", async (way) => {
  const coupons = `import { Coupon } from "pulumi-shop";
for (let i = 0; i < 100; i++) new Coupon("c" + i, { code: "C" + i, discount: { percent: 10 } });
`;
  const seat = await openSeat(way, coupons);
  const lines = async (env: Readonly<Record<string, string>>) => {
    const { code, output } = await seat.run(["preview", "--debug"], env);
    expect(code, output).toBe(0);
    const [, shown = ""] = output.split("Diagnostics:");
    return shown.match(
      /(?:Registering resource|RPC prepared): t=\S+, name=c\d+|RPC finished: resource:c\d+/g,
    );
  };
  const loud = await lines({ SHOP_QUIET: "false" });
  expect(loud).toHaveLength(300);
  expect((await lines({}))?.toSorted()).toEqual(loud?.toSorted());
});
