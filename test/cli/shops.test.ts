// A state belongs to its shop: a command with another shop stops before it reads or writes objects.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { plugged } from "../support/forms.ts";
import { openWorld, type World } from "../support/world.ts";
import { openScene, openTerminal, type Ran, type Terminal } from "./terminal.ts";

const codes = ["A", "B"];
const program = `import { Coupon } from "pulumi-shop";
for (const code of ${JSON.stringify(codes)}) new Coupon(code, { code, discount: 10, typeId: 1 });
`;
const home = "backend/.pulumi/stacks/user";

/** A stack of one shop, with a terminal that points to another one. */
async function moved(): Promise<{
  readonly terminal: Terminal;
  readonly first: World;
  readonly second: World;
}> {
  const credentials = { applicationId: "app", token: "t".repeat(32), secret: "s" };
  const [first, second] = [await openWorld(credentials), await openWorld(credentials)];
  const terminal = openTerminal(program, first.env);
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  Object.assign(terminal.env, second.env);
  for (const world of [first, second]) world.requests();
  return { terminal, first, second };
}

async function done(run: Promise<Ran>): Promise<Ran> {
  const ran = await run;
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return ran;
}

test.each([
  [["preview"]],
  [["up", "--yes"]],
  [["up", "--yes", "--skip-preview"]],
  [["refresh", "--yes"]],
  [["destroy", "--yes", "--skip-preview"]],
  [["import", "coupon", "c", "1", "--yes"]],
])("%j at another shop stops with both addresses, and asks for nothing but the account", async (args) => {
  const { terminal, first, second } = await moved();
  const state = terminal.read(`${home}/dev.json`);
  const ran = await terminal.dev(...args);
  expect(ran.code, ran.stdout).toBe(1);
  expect(ran.stderr).toContain(`its objects belong to ${first.url} (account `);
  expect(ran.stderr).toContain(`the stack points to ${second.url} (account `);
  expect(ran.stderr).toContain("npx pulumi-shop up --new-shop --stack dev");
  expect([first.requests(), second.requests()]).toEqual([[], ["GET /admin/account.xml"]]);
  expect(terminal.read(`${home}/dev.json`)).toBe(state);
});

test("a provider of the program that now has another shop is told how to leave the old one's objects there", async () => {
  const [here, first, second] = [await openWorld(), await openWorld(), await openWorld()];
  const at = ({ url, credentials: { applicationId, password } }: World) => ({ url, applicationId, password });
  const program = (outlet: World) => `import { Coupon, Provider } from "pulumi-shop";
const provider = new Provider("defaultOutlet", ${JSON.stringify(at(outlet))});
new Coupon("spring", { code: "SPRING", discount: { percent: 10 } });
new Coupon("outletSpring", { code: "OUTLET", discount: { percent: 20 } }, { provider });
`;
  // The account of the environment belongs to the address of the environment.
  const account = String(here.rows("account")[0]?.id);
  const terminal = openTerminal(program(first), { ...here.env, SHOP_ACCOUNT: account });
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  terminal.write("index.ts", program(second));
  const refused = await terminal.dev("up", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`and url of the provider defaultOutlet is ${second.url} (account `);
  const [, forget = ""] =
    /SHOP_FORGET='(\S+)' pulumi up --refresh \(or pulumi-shop/.exec(refused.stderr) ?? [];
  terminal.env.SHOP_FORGET = forget;
  await done(terminal.dev("up", "--refresh", "--yes"));
  const codesIn = (world: World) => world.rows("discount_code").map(({ code }) => code);
  expect([here, first, second].map(codesIn)).toEqual([["SPRING"], ["OUTLET"], ["OUTLET"]]);
});

test("objects of two shops with one id are counted, compared and approved each by itself", async () => {
  const fixture = { discount_code: [{ id: 7, code: "SPRING", type_id: 1, discount: "5.0" }] };
  const [here, outlet] = [await openWorld({ fixture }), await openWorld({ fixture })];
  const { applicationId, password } = outlet.credentials;
  const program = (ours: number, theirs: number) => `import { Coupon, Provider } from "pulumi-shop";
const provider = new Provider("outlet", ${JSON.stringify({ url: outlet.url, applicationId, password })});
new Coupon("spring", { adopt: "key", code: "SPRING", discount: { percent: ${ours} } });
new Coupon("outletSpring", { adopt: "key", code: "SPRING", discount: { percent: ${theirs} } }, { provider });
`;
  const terminal = openTerminal(program(10, 20), here.env);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
  const counted = async (...args: readonly string[]) => {
    const { stdout } = await done(terminal.dev("up", "--yes", ...args));
    const [, most = ""] = /API requests needed: at most (\d+)/.exec(stdout) ?? [];
    const [, sent = ""] = /API requests: (\d+);/.exec(stdout) ?? [];
    return { stdout, most: Number(most), sent: Number(sent) };
  };
  // Each shop's list is read, and each shop's account.
  const first = await counted();
  expect(first.sent).toBeGreaterThan(0);
  expect(first.most).toBeGreaterThanOrEqual(first.sent);
  const discounts = () => [here, outlet].map((world) => Number(world.rows("discount_code")[0]?.discount));
  expect(discounts()).toEqual([10, 20]);
  // Staff of one shop have made the change already.
  await outlet.edit({ kind: "discount_code", id: 7, set: { discount: "30.0" } });
  terminal.write("index.ts", program(15, 30));
  expect((await done(terminal.dev("preview", "--save-plan", "plan.json"))).stdout).toMatch(
    /Done already +1 coupon \(SPRING\)[\s\S]* ~ Coupon +spring [\s\S]*~ discount: 10 % => 15 %[\s\S]*~ 1 to update/,
  );
  await done(terminal.dev("up", "--yes", "--plan", "plan.json"));
  expect(discounts()).toEqual([15, 30]);
  // A conflict in one shop isn't one in the other.
  await here.edit({ kind: "discount_code", id: 7, set: { discount: "17.0" } });
  terminal.write("index.ts", program(16, 31));
  const { code, all } = await terminal.dev("up", "--yes");
  expect(code).toBe(1);
  expect(all).toMatch(/! Coupon +spring +refused[\s\S]*~ Coupon +outletSpring +updated/);
  expect(discounts()).toEqual([17, 31]);
});

test("a provider of the program that has the stack's shop goes with the stack to a new shop", async () => {
  const [first, second] = [await openWorld(), await openWorld()];
  const terminal = openTerminal(
    `import { Coupon, Provider } from "pulumi-shop";
const provider = new Provider("slow", { maxWait: "60" });
new Coupon("spring", { code: "SPRING", discount: { percent: 10 } }, { provider });
`,
    first.env,
    plugged,
  );
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  Object.assign(terminal.env, second.env);
  first.requests();
  const refused = await terminal.dev("up", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("npx pulumi-shop up --new-shop --stack dev. The state forgets 1 object");
  expect([first.requests(), second.requests()]).toEqual([[], ["GET /admin/account.xml"]]);
  await done(terminal.dev("up", "--new-shop", "--yes"));
  expect(second.rows("discount_code")).toHaveLength(1);
});

test("a sheet puts back its own shop's price, whatever a sheet of another shop knows of that SKU", async () => {
  const [here, outlet] = [await openWorld(), await openWorld()];
  const { applicationId, password } = outlet.credentials;
  const priced = (price: number) => ({ title: "Mug", variants: [{ sku: "MUG", price }] });
  await here.client.products.create(priced(10));
  await outlet.client.products.create(priced(12));
  const sheet = (name: string, price: number, more: string) =>
    `new Prices("${name}", { rows: [{ sku: "MUG", price: ${price} }], onRemove: "restore" }${more});\n`;
  const program = (more: string) => `import { Prices, Provider } from "pulumi-shop";
const provider = new Provider("outlet", ${JSON.stringify({ url: outlet.url, applicationId, password })});
${sheet("outletSale", 10, ", { provider }")}${more}`;
  const terminal = openTerminal(program(""), here.env);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
  const prices = () =>
    [here, outlet].flatMap((world) => {
      const [mug] = world.rows("product") as unknown as readonly { variants: readonly { price: string }[] }[];
      return mug?.variants.map(({ price }) => Number(price));
    });
  for (const [more, expected] of [
    ["", [10, 10]],
    [sheet("sale", 9, ""), [9, 10]],
    ["", [10, 10]],
  ] as const) {
    terminal.write("index.ts", program(more));
    await done(terminal.dev("up", "--yes"));
    expect(prices()).toEqual(expected);
  }
});

test("a stack whose address was removed is told to set it, not that its state belongs to another shop", async () => {
  const { terminal } = await moved();
  delete terminal.env.SHOP_URL;
  const ran = await terminal.dev("pull", "coupons");
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("the shop's address is not set") });
  expect(ran.stderr).not.toContain("another shop");
});

campaignTest(
  "what a run that was cut off made in another shop is named by the run that creates it here",
  async () => {
    const [first, second] = [await openWorld(), await openWorld()];
    const terminal = openTerminal(program, { ...first.env, SHOP_LATE_ANSWERS: "0" });
    await first.fault({
      method: "POST",
      path: "/admin/discount_codes.xml",
      fault: "drop-after-commit",
      times: 9,
    });
    await first.fault({ method: "GET", path: "/admin/discount_codes.xml", fault: "500", times: 99 });
    expect((await terminal.dev("up", "--yes", "--skip-preview")).code).toBe(1);
    Object.assign(terminal.env, second.env);
    const { stdout, stderr } = await done(terminal.dev("up", "--yes", "--skip-preview"));
    expect(stdout + stderr).toContain(`may have been created in another shop, ${first.url}`);
  },
);

test("a new shop at the state's own address is refused without the advice to go back to that address", async () => {
  const { world, terminal } = await openScene(program);
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  Object.assign(terminal.env, { SHOP_ACCOUNT: "1" });
  const ran = await terminal.dev("up", "--yes");
  expect(ran.stderr).toContain(`the stack points to ${world.url} (account 1)`);
  expect(ran.stderr).toContain("npx pulumi-shop up --new-shop --stack dev");
  expect(ran.stderr).not.toContain("To go back");
});

test("a run that changes nothing sends no request, and the first one asks for the account once", async () => {
  const { world, terminal } = await openScene(program);
  const { stdout } = await done(terminal.dev("up", "--yes", "--skip-preview"));
  expect(world.requests().filter((line) => line.includes("account"))).toEqual(["GET /admin/account.xml"]);
  expect(stdout).toContain("API requests: 3");
  await done(terminal.dev("up", "--yes"));
  expect(world.requests()).toEqual([]);
  terminal.write("index.ts", program.replace("10", "12"));
  await done(terminal.dev("up", "--yes"));
  expect(world.requests().filter((line) => line.includes("account"))).toEqual([]);
});

test("up --new-shop forgets the old shop's objects, keeps a copy of the state, and creates all in the new shop", async () => {
  const { terminal, first, second } = await moved();
  const before = terminal.read(`${home}/dev.json`);
  const shown = await done(terminal.dev("preview", "--new-shop"));
  expect(shown.stdout).toContain("+ 2 to create");
  expect(shown.stdout).toMatch(/- Coupon +A +forgotten, stays in the shop/);
  expect(terminal.read(`${home}/dev.json`)).toBe(before);
  const ran = await done(terminal.dev("up", "--new-shop", "--yes"));
  expect(ran.stderr).toContain("the state forgets 2 objects of the old shop, which stay there");
  const [copy = ""] = readdirSync(join(terminal.folder, home)).filter((name) => name.includes(".before-"));
  expect(ran.stderr).toContain(copy);
  expect(terminal.read(`${home}/${copy}`)).toContain(first.url);
  expect(first.requests()).toEqual([]);
  for (const world of [first, second])
    expect(
      world
        .rows("discount_code")
        .map(({ code }) => code)
        .sort(),
    ).toEqual(codes);
  second.requests();
  await done(terminal.dev("up", "--yes"));
  expect(second.requests()).toEqual([]);
  // Objects of another shop weren't deleted by anybody, even if an earlier refresh has forgotten them.
  Object.assign(terminal.env, first.env);
  for (const code of codes) await first.edit({ kind: "discount_code", where: { code }, delete: true });
  await done(terminal.dev("refresh", "--new-shop", "--yes"));
  const again = await done(terminal.dev("preview"));
  expect(again.stdout).toContain("+ 2 to create");
  expect(again.stdout).not.toContain("staff");
});

test("a shop that moved to another address goes on, with one request and a line, until a refresh notes it", async () => {
  const { world, terminal } = await openScene(program);
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  world.requests();
  const other = world.url.replace("127.0.0.1", "localhost");
  terminal.env.SHOP_URL = other;
  const ran = await done(terminal.dev("up", "--yes"));
  expect(world.requests()).toEqual(["GET /admin/account.xml"]);
  expect(ran.stderr).toContain(`${world.url} has the address ${other} now: it is the same account`);
  await done(terminal.dev("refresh", "--yes"));
  world.requests();
  expect((await done(terminal.dev("up", "--yes"))).stderr).not.toContain("has the address");
  expect(world.requests()).toEqual([]);
});

test("a state without marks is of the stack's shop, shows no change, and is marked by a refresh", async () => {
  const { terminal } = await openScene(program);
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  const path = `${home}/dev.json`;
  const marked = terminal.read(path);
  const unmarked = marked.replaceAll(/"__shop":"[^"]*",?/g, "").replaceAll(",}", "}");
  expect(unmarked).not.toBe(marked);
  terminal.write(path, unmarked);
  await done(terminal.dev("preview", "--expect-no-changes"));
  await done(terminal.dev("refresh", "--yes", "--expect-no-changes"));
  expect(terminal.read(path).match(/"__shop"/g)).toHaveLength(2);
});

test("a refresh that finds nothing of what the state has leaves the state as it is", async () => {
  const { world, terminal } = await openScene(program);
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  for (const code of codes) await world.edit({ kind: "discount_code", where: { code }, delete: true });
  const state = terminal.read(`${home}/dev.json`);
  const ran = await terminal.dev("refresh", "--yes");
  expect(ran.code).toBe(1);
  expect(ran.all).toContain("the shop has none of the 2 objects in the state");
  // The advice is an option of refresh, whichever command gives it.
  const accepted = await terminal.dev("accept", "--all", "--yes", "--force");
  expect([accepted.code, accepted.all]).toEqual([1, expect.stringContaining("run refresh --all-gone")]);
  expect(terminal.read(`${home}/dev.json`)).toBe(state);
  await done(terminal.dev("refresh", "--yes", "--all-gone"));
  expect(terminal.read(`${home}/dev.json`)).not.toContain("Coupon");
});

test("what a killed run made is found at the address that the shop has moved to", async () => {
  const { world, terminal } = await openScene(
    'import { File } from "pulumi-shop";\nnew File("f", { filename: "f.txt", content: "one" });\n',
  );
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  // As after a kill: the note is open, and the state doesn't have the object.
  const notes = terminal.read(`${home}/dev.creates`);
  const open = notes.split("\n").filter((line) => !line.startsWith('{"end"'));
  expect(open.join()).toContain('"made"');
  for (const name of readdirSync(join(terminal.folder, home)))
    rmSync(join(terminal.folder, home, name), { recursive: true });
  terminal.write(`${home}/dev.creates`, open.join("\n"));
  terminal.env.SHOP_URL = world.url.replace("127.0.0.1", "localhost");
  await done(terminal.dev("up", "--yes", "--skip-preview"));
  expect(world.rows("file")).toHaveLength(1);
});

test("a second project of one name is told once that both share a state, a folder that was moved is not", async () => {
  const world = await openWorld();
  const [first, second] = [openTerminal(program, world.env), openTerminal(program, world.env)];
  second.env.PULUMI_BACKEND_URL = first.env.PULUMI_BACKEND_URL as string;
  second.warnings.push(/share the state of/);
  const run = (terminal: Terminal, ...args: readonly string[]) => done(terminal.dev(...args));
  expect((await run(first, "up", "--yes")).stderr).not.toContain("share the state of");
  expect((await run(second, "preview")).stderr).toContain(
    `the project in ${first.folder} is also named user, so both share the state of dev`,
  );
  expect((await run(second, "refresh", "--yes")).stderr).toContain("share the state of");
  expect((await run(second, "up", "--yes")).stderr).not.toContain("share the state of");
  expect((await run(first, "up", "--yes")).stderr).not.toContain("share the state of");
  const third = openTerminal(program, world.env);
  third.env.PULUMI_BACKEND_URL = first.env.PULUMI_BACKEND_URL as string;
  for (const { folder } of [first, second]) rmSync(join(folder, "Pulumi.yaml"));
  expect((await run(third, "preview")).stderr).not.toContain("share the state of");
});
