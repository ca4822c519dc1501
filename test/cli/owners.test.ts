// Two stacks set the same value in a shop: neither reverts the other's change unseen.
import { expect, test } from "vitest";
import { campaignTest } from "../support/campaign.ts";
import { plugged } from "../support/forms.ts";
import { openFront } from "../support/front.ts";
import { openWorld } from "../support/world.ts";
import { openScene, openTerminal } from "./terminal.ts";

const part = (more: object, opts: object = {}) => `import { Product } from "pulumi-shop";
new Product("pot", ${JSON.stringify({ adopt: "key", otherVariants: "keep", ...more })}, ${JSON.stringify(opts)});
`;
const sheet = (rows: object) => `import { Prices } from "pulumi-shop";
new Prices("spring", ${JSON.stringify({ rows })});
`;
const priced = (sku: string, price: number) => ({ sku, price });

test("a value that another stack of the shop states is refused with both places, until one of the two leaves it out", async () => {
  const world = await openWorld();
  const variants = ["A", "B", "C"].map((sku) => ({ ...priced(sku, 15), quantity: 3 }));
  await world.client.products.create({ title: "Pot", variants });
  const terminal = openTerminal("", world.env, "", ["dev", "sheet", "third"]);
  const yaml = terminal.read("Pulumi.yaml");
  const plugin = yaml + plugged;
  const run = async (stack: string, program: string, verb = ["up", "--yes"]) => {
    // Both forms of resources, with different states.
    terminal.write("Pulumi.yaml", stack === "sheet" ? plugin : yaml);
    terminal.write("index.ts", program);
    world.requests();
    const { code, all } = await terminal.run(...verb, "--stack", stack);
    const sent = world.requests().filter((line) => !line.startsWith("GET")).length;
    return { code, sent, said: all };
  };
  const owned = { description: "Holds 2 l.", variants: [priced("A", 20)] };
  expect(await run("dev", part(owned))).toMatchObject({ code: 0, sent: 1 });
  expect(await run("sheet", sheet([priced("B", 7)]))).toMatchObject({ code: 0, sent: 1 });
  // A sheet for a product's price, a product for a sheet's, and a second sheet.
  const rows = [priced("B", 7), priced("A", 7), priced("C", 7)];
  const taken = await run("sheet", sheet(rows));
  expect(taken).toMatchObject({ code: 1, sent: 0 });
  expect(taken.said).toMatch(
    /price of A is set by Product pot of the stack user\/dev \(variants\[A\]\.price\) too\n +Each stack would set the other's value back\. Remove it from one of the two/,
  );
  const both = { ...owned, variants: [priced("A", 20), priced("B", 8)] };
  const late = await run("dev", part(both));
  expect(late).toMatchObject({ code: 1, sent: 0 });
  expect(late.said).toContain(
    "variants[B].price is set by Prices spring of the stack user/sheet (sku B) too",
  );
  const second = await run("third", sheet([priced("B", 9)]), ["preview"]);
  expect(second.said).toContain("price of B is set by Prices spring of the stack user/sheet (sku B) too");
  // A program that manages the whole product.
  const whole = { title: "Pot", description: "Big", variants: [priced("A", 21), priced("B", 8)] };
  const all = await run("third", part(whole), ["preview"]);
  expect(all.said).toMatch(
    /description: is set by Product pot of the stack user\/dev \(description\) too, and so is variants\[A\]\.price\n +Each stack/,
  );
  expect(all.said).toMatch(/variants\[B\]\.price: is set by Prices spring of the stack .* too\n/);
  // The advice is given once.
  expect(all.said.match(/Each stack would set the other's value back/g)).toHaveLength(1);
  // A program that sets the same values changes nothing.
  const same = { ...owned, title: "Pot", variants: [priced("A", 20), priced("B", 7)] };
  const told = expect.stringMatching(
    /to adopt \d+\n +! +the stack user\/dev \(pot\) manages it too: neither/,
  );
  expect(await run("third", part(same), ["preview"])).toMatchObject({ code: 0, said: told });
  // A program that owns a list deletes another stack's items.
  const alone = await run("third", part({ otherVariants: "delete", variants: [priced("A", 20)] }), [
    "preview",
  ]);
  expect(alone.code).toBe(1);
  expect(alone.said).toMatch(
    /variants\[B\]: would be deleted here, and Prices spring of the stack user\/sheet \(sku B\) sets it/,
  );
  expect(alone.said).not.toContain("variants[C]: would");
  const left = part(whole, { ignoreChanges: ["description", "variants[*].price"] });
  expect(await run("third", left)).toMatchObject({ code: 0, sent: 0 });
  // A removed value belongs to the other stack; --overwrite wins over the other stack.
  expect(await run("dev", part({ variants: [priced("C", 15)] }))).toMatchObject({ code: 0, sent: 0 });
  expect(await run("sheet", sheet(rows.slice(0, 2)))).toMatchObject({ code: 0, sent: 1 });
  const words = ["up", "--yes", "--overwrite", "spring"];
  expect(await run("sheet", sheet(rows), words)).toMatchObject({ code: 0, sent: 1 });
  // The object is deleted only when no stack has it any more, or with --overwrite.
  for (const verb of [
    ["up", "--yes"],
    ["destroy", "--yes"],
  ]) {
    const gone = await run("third", "", verb);
    expect(gone).toMatchObject({ code: 1, sent: 0 });
    expect(gone.said).toMatch(/the stack user\/dev \(pot\) has Product \d+ too, so it is not deleted/);
  }
  expect(world.rows("product")[0]).toMatchObject({ archived: false });
  // Without changes nothing is refused.
  expect(await run("dev", part({ variants: [priced("C", 15)] }))).toMatchObject({ code: 0, sent: 0 });
  // Of many shared objects, a few are named.
  const many = `${left}import { Coupon } from "pulumi-shop";
for (let at = 0; at < 12; at++) new Coupon("c" + at, { adopt: "key", code: "C" + at, discount: 5, typeId: 1 });
`;
  expect(await run("dev", many.replace(left, part({ variants: [priced("C", 15)] })))).toMatchObject({
    code: 0,
  });
  const { said: marked } = await run("third", many, ["preview"]);
  expect(marked.match(/\(c\d+\) manages it too/g)).toHaveLength(10);
  expect(marked.match(/; further objects that the stack user\/dev manages too aren't marked/g)).toHaveLength(
    1,
  );
  const [pot] = world.rows("product") as unknown as { variants: { price: unknown }[]; description: string }[];
  expect([pot?.description, ...(pot?.variants ?? []).map(({ price }) => Number(price))]).toEqual([
    "Holds 2 l.",
    7,
    7,
    7,
  ]);
});

campaignTest.each(["", ', onRemove: "restore"'])(
  "a sheet's price of a product that ignores it is no edit of staff, also after a refresh: %s",
  async (more) => {
    const { terminal } = await openScene("");
    const program = (
      price: number,
      opts: string,
      sheetRows?: string,
    ) => `import { Prices, Product } from "pulumi-shop";
const pot = new Product("pot", { title: "Pot", variants: [{ sku: "POT", price: ${price} }] }, { ${opts} });
${sheetRows === undefined ? "" : `new Prices("spring", { rows: [${sheetRows}]${more} }, { dependsOn: pot });`}
`;
    const run = async (...args: readonly string[]) => {
      const { code, stdout, all } = await terminal.dev(...args, "--yes");
      expect(all).not.toMatch(/staff: |staff.s edit|what staff changed|staff and the program/);
      expect(code, all).toBe(0);
      return stdout;
    };
    const ignoring = 'ignoreChanges: ["variants[*].price"]';
    terminal.write("index.ts", program(20, ignoring, '{ sku: "POT", price: 12 }'));
    await run("up");
    await run("refresh");
    // The program sets the price itself again.
    terminal.write("index.ts", program(15, ""));
    expect(await run("up")).toContain("1 updated");
    terminal.write("index.ts", program(15, ignoring, '{ sku: "POT", price: 12 }'));
    await run("up");
    await run("refresh");
    expect(await run("destroy")).toContain("2 deleted");
  },
);

test("a sheet's price of a product that ignores it is no edit of staff after both moved to another stack", async () => {
  const world = await openWorld();
  const terminal = openTerminal("", world.env, "", ["dev", "other"]);
  const program = (price: number, more: string) => `import { Prices, Product } from "pulumi-shop";
const pot = new Product("pot", { title: "Pot", variants: [{ sku: "POT", price: ${price} }] }${more}
`;
  const sheet = `, { ignoreChanges: ["variants[*].price"] });
new Prices("spring", { rows: [{ sku: "POT", price: 12 }] }, { dependsOn: pot });`;
  terminal.write("index.ts", program(20, sheet));
  expect((await terminal.dev("up", "--yes", "--skip-preview")).code).toBe(0);
  const moved = await terminal.dev("state", "move", "pot", "spring", "--to", "other");
  expect(moved.code, moved.all).toBe(0);
  terminal.write("index.ts", program(15, ");"));
  const { code, all } = await terminal.run("preview", "--stack", "other");
  expect([code, all]).toEqual([0, expect.stringContaining("Prices up  Pot, POT: 12 → 15")]);
  expect(all).not.toContain("staff");
});

test("objects of two shops with the same id are two objects, for a create and for an adoption", async () => {
  // Both shops give the next object the same id.
  const shopOf = (account: number) =>
    openWorld({
      random: () => 0.5,
      fixture: {
        account: [{ id: account }],
        discount_code: [{ id: 7001, code: "OLD", discount: "5.0", type_id: 1 }],
      },
    });
  const [here, outlet] = [await shopOf(1), await shopOf(2)];
  const { applicationId, password } = outlet.credentials;
  const program = (inShop: boolean) => `import { Coupon, Provider } from "pulumi-shop";
const args = { discount: 5, typeId: 1 };
const provider = new Provider("outlet", ${JSON.stringify({ url: outlet.url, applicationId, password })});
${
  inShop
    ? `const old = new Coupon("old", { ...args, code: "OLD", adopt: "7001" });
const fresh = new Coupon("fresh", { ...args, code: "NEW" });
const dependsOn = [old, fresh];`
    : "const dependsOn = [];"
}
new Coupon("oldOutlet", { ...args, code: "OLD", adopt: "7001" }, { provider, dependsOn });
new Coupon("freshOutlet", { ...args, code: "NEW" }, { provider, dependsOn });
`;
  const terminal = openTerminal(program(false), here.env);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
  await terminal.done("up", "--yes", "--stack", "dev");
  terminal.write("index.ts", program(true));
  const { stdout } = await terminal.done("up", "--yes", "--stack", "dev");
  expect(here.rows("discount_code").map(({ id }) => id)).toEqual(
    outlet.rows("discount_code").map(({ id }) => id),
  );
  expect(stdout).toMatch(/\+ 1 created[\s\S]*1 adopted[\s\S]*2 unchanged/);
  await terminal.done("preview", "--expect-no-changes", "--stack", "dev");
});

test.each(["", plugged])(
  "a preview of an import says that another stack has the object, and neither stack renames it (%j)",
  async (form) => {
    const world = await openWorld();
    const terminal = openTerminal("", world.env, "", ["dev", "other"]);
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + form);
    const program = (code: string, sku: string, ids?: readonly unknown[]) => {
      const [coupon, product] = ids?.map((id) => JSON.stringify({ import: String(id) })) ?? ["{}", "{}"];
      terminal.write(
        "index.ts",
        `import { Coupon, Product } from "pulumi-shop";
new Coupon("spring", { code: "${code}", discount: { percent: 10 } }, ${coupon});
new Product("mug", { title: "Mug", variants: [
  { sku: "M", price: 5, options: { Size: "S" } }, { sku: "${sku}", price: 6, options: { Size: "L" } },
] }, ${product});
`,
      );
    };
    program("SPRING", "N");
    await terminal.done("up", "--yes", "--stack", "dev");
    const ids = ["discount_code", "product"].map((kind) => world.rows(kind)[0]?.id);
    program("SPRING", "N", ids);
    const { stdout } = await terminal.done("up", "--yes", "--stack", "other");
    expect(stdout.match(/the stack user\/dev \((spring|mug)\) manages it too: neither/g)).toHaveLength(2);
    world.requests();
    program("SUMMER", "P");
    const refused = await terminal.run("up", "--yes", "--stack", "other");
    expect(refused.code).toBe(1);
    expect(refused.all).toMatch(/code:? is set by Coupon spring of the stack user\/dev \(code\) too/);
    expect(refused.all).toMatch(
      /variants\[P\]\.sku:? is set by Product mug of the stack user\/dev \(variants\[N\]\.sku\) too/,
    );
    expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
    await terminal.done("up", "--yes", "--overwrite", "spring,mug", "--stack", "other");
    expect(world.rows("discount_code")[0]).toMatchObject({ code: "SUMMER" });
  },
);

test("a create in one shop is not taken for interrupted because another shop's provider notes its own meanwhile", async () => {
  const [here, outlet] = [await openWorld(), await openWorld()];
  const [hereSent, outletSent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const front = await openFront(here.url, async (_path, method) => {
    if (method !== "POST") return;
    hereSent.resolve();
    // Its answer comes when the other create is noted.
    await outletSent.promise;
  });
  const url = await openFront(outlet.url, async (path, method) => {
    if (method === "POST") outletSent.resolve();
    // Right before its create.
    else if (path.startsWith("/admin/account")) await hereSent.promise;
  });
  const { applicationId, password } = outlet.credentials;
  const program = `import { Coupon, Provider } from "pulumi-shop";
const provider = new Provider("outlet", ${JSON.stringify({ url, applicationId, password })});
new Coupon("spring", { code: "SPRING", discount: { percent: 10 } });
new Coupon("outletSpring", { code: "OUTLET", discount: { percent: 20 } }, { provider });
`;
  const terminal = openTerminal(program, { ...here.env, SHOP_URL: front });
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
  // A run that was killed while it wrote a line.
  terminal.write("backend/.pulumi/stacks/user/dev.creates", '{"begin":"1');
  await terminal.done("up", "--yes", "--stack", "dev");
  expect(terminal.read("backend/.pulumi/stacks/user/dev.creates").match(/"made"/g)).toHaveLength(2);
  const { all } = await terminal.done("preview", "--stack", "dev");
  expect(all).toContain("2 unchanged");
  expect(all).not.toContain("interrupted");
});

campaignTest(
  "what a run has made in the shop of another provider, and that is in no state, is named at the end of the next run",
  async () => {
    const [here, outlet] = [await openWorld(), await openWorld()];
    const { applicationId, password } = outlet.credentials;
    const program = (more: string) => `import { Coupon, Provider } from "pulumi-shop";
const provider = new Provider("outlet", ${JSON.stringify({ url: outlet.url, applicationId, password })});
new Coupon("spring", { code: "SPRING", discount: { percent: 10 } });
${more}`;
    const made = `new Coupon("outletSpring", { code: "OUTLET", discount: { percent: 20 } }, { provider });\n`;
    const terminal = openTerminal(program(made), { ...here.env, SHOP_LATE_ANSWERS: "0" });
    terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
    const path = "/admin/discount_codes.xml";
    await outlet.fault({ method: "POST", path, fault: "drop-after-commit", times: 9 });
    await outlet.fault({ method: "GET", path, fault: "500", times: 99 });
    expect((await terminal.dev("up", "--yes", "--skip-preview")).code).toBe(1);
    await outlet.control("POST", "forget");
    terminal.write("index.ts", program(""));
    terminal.warnings.push(/an earlier run created/);
    const { all } = await terminal.done("up", "--yes", "--stack", "dev");
    const [{ id } = { id: 0 }] = outlet.rows("discount_code");
    expect(all).toContain(
      `an earlier run created Coupon ${id} (resource outletSpring), which is in no state: run up with the resource`,
    );
  },
);

test("coupons of two shops are not active at the same time for anybody", async () => {
  const [here, outlet] = [await openWorld(), await openWorld()];
  const { applicationId, password } = outlet.credentials;
  const program = (more: string) => `import { Coupon, Provider } from "pulumi-shop";
const provider = new Provider("outlet", ${JSON.stringify({ url: outlet.url, applicationId, password })});
new Coupon("spring", { code: "SPRING", discount: { percent: 10 } });
new Coupon("outletSpring", { code: "OUTLET", discount: { percent: 20 } }, { provider });
${more}`;
  const terminal = openTerminal(program(""), here.env);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugged);
  const first = await terminal.done("up", "--yes", "--stack", "dev");
  expect(first.stdout).toContain("Discounts  2 new; deepest 20 % (OUTLET)");
  expect(first.stdout).not.toContain("Overlap");
  // The account of each shop is read before its first object is made.
  expect(first.stdout).toMatch(/API requests needed: at most 4 [\s\S]*API requests: 4;/);
  const third = 'new Coupon("vip", { code: "VIP", discount: { percent: 30 } }, { provider });\n';
  terminal.write("index.ts", program(third));
  const { stdout } = await terminal.done("preview", "--stack", "dev");
  expect(stdout).toContain("Overlap    2 active at the same time: VIP 30 %, OUTLET 20 %\n");
});
