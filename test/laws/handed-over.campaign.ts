// What `pulumi` has made, where that is on PATH, and who goes on with it. After a run that was killed in the middle of its creates, the same
// stack under another name or our engine find what it made, and say so once of each resource. After a run that ended well, our commands
// know its objects, and a second project leaves them alone.
import { expect, test } from "vitest";
import type { Ran } from "../cli/terminal.ts";
import { hasPulumi, openSeat, projectText, pulumiWays, type Seat } from "../support/engines.ts";
import { killUp } from "../support/killed.ts";

const program = `import { ApplicationCharge, Coupon, File, RecurringCharge } from "pulumi-shop";
for (const name of ["a", "b", "c"]) {
  new Coupon("coupon-" + name, { code: name.toUpperCase(), discount: { percent: 10 } });
  new File("file-" + name, { content: name, filename: name + ".txt" });
}
new ApplicationCharge("setup", { name: "Setup", price: 10, returnUrl: "https://app.example.test/" });
new RecurringCharge("fee", { monthly: 5 });
`;
const tables = ["discount_code", "file", "application_charge", "recurring_charge"];
const counts = ({ world }: Seat) => tables.map((table) => world.rows(table).length);

/** A seat whose first run was killed when half of its objects were there. */
async function cutOff(way: (typeof pulumiWays)[number]): Promise<Seat> {
  const seat = await openSeat(way, program);
  await killUp(seat, "POST", () => counts(seat).reduce((sum, count) => sum + count, 0) >= 4);
  return seat;
}

/** The charges that the killed run had not sent yet: no run sends them again by itself. */
const unsent = ({ world }: Seat): string =>
  [
    ["application_charge", "setup"],
    ["recurring_charge", "fee"],
  ]
    .flatMap(([table = "", name]) => (world.rows(table).length === 0 ? [name] : []))
    .join(",");

const own = async (seat: Seat, ...args: readonly string[]): Promise<Ran> => {
  const ran = await seat.terminal.run(...args);
  expect(ran.code, ran.all).toBe(0);
  return ran;
};

/** Each resource is told of at most once, and by its name. */
function expectToldOnce(output: string): void {
  // While it runs, its table says it too.
  const [, diagnostics = ""] = output.split("Diagnostics:");
  expectNamedOnce(diagnostics);
}

function expectNamedOnce(output: string): void {
  const told = output.split("\n").filter((line) => /earlier run/.test(line));
  expect(told, output).not.toEqual([]);
  for (const line of told) expect(line).toMatch(/(coupon|file)-[abc]|setup|fee/);
  const names = told.map((line) => /(?:coupon|file)-[abc]|setup|fee/.exec(line)?.[0]);
  expect(names, told.join("\n")).toEqual([...new Set(names)]);
}

if (!hasPulumi)
  test.skip("pulumi is not on PATH: what is handed over to pulumi and back is left out", () => {});

test.each(pulumiWays)(
  "a stack that was renamed after a kill finds the objects of the killed run ($form)",
  async (way) => {
    const seat = await cutOff(way);
    await seat.run(["cancel", "--yes"]);
    await seat.done(["stack", "rename", "renamed", "--stack", "dev"]);
    const next = await seat.run(["up", "--yes", "--skip-preview", "--stack", "renamed"], {
      SHOP_RESEND: unsent(seat),
    });
    expect(next.code, next.output).toBe(0);
    expect(counts(seat), next.output).toEqual([3, 3, 1, 1]);
    expectToldOnce(next.output);
    const cleared = ["refresh", "--yes", "--skip-preview", "--clear-pending-creates", "--stack", "renamed"];
    expect((await seat.run(cleared)).code).toBe(0);
    expect(await seat.done(["up", "--yes", "--skip-preview", "--stack", "renamed"])).toContain("9 unchanged");
    expect(counts(seat)).toEqual([3, 3, 1, 1]);
  },
);

test.each(pulumiWays)("our engine finds the objects of a killed run of pulumi ($form)", async (way) => {
  const seat = await cutOff(way);
  await own(seat, "unlock", "--yes", "--stack", "dev");
  // Of those that the provider had not begun, only our engine knows.
  seat.terminal.warnings.push(/an earlier run was interrupted while creating/);
  const left = unsent(seat);
  const resend = left === "" ? [] : [`--resend=${left}`];
  const next = await own(seat, "up", "--yes", "--stack", "dev", ...resend);
  expect(counts(seat), next.stdout).toEqual([3, 3, 1, 1]);
  const [previewed = "", ran = ""] = next.stdout.split("API requests needed:");
  expectNamedOnce(previewed);
  expectNamedOnce(ran);
  expect((await own(seat, "up", "--yes", "--stack", "dev")).stdout).toContain("8 unchanged");
  expect(await seat.up()).toContain("9 unchanged");
  expect(counts(seat)).toEqual([3, 3, 1, 1]);
});

const text = (content: string, percent: number) => `import { Coupon, File } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: { percent: ${percent} } });
new Coupon("own", { code: "OWN", discount: { percent: 5 } });
new File("terms", { content: ${JSON.stringify(content)}, filename: "terms.txt" });
`;

test.each(pulumiWays)(
  "a replacement prints no warning, also in the run that changes the form ($form first)",
  async (way) => {
    const seat = await openSeat(way, text("one", 10));
    await seat.up();
    seat.program(text("two", 10));
    expect(await seat.up()).toContain("1 replaced");
    await seat.done(["preview", "--expect-no-changes"]);
    seat.program(text("three", 10));
    if (way.form === "plugin") {
      // To dynamic resources in a run of its own: nothing is sent, and the line put back is the way on.
      seat.use("dynamic");
      const sent = await seat.world.during(async () => {
        const { code, output } = await seat.run(["up", "--yes", "--skip-preview"]);
        expect(code, output).not.toBe(0);
        expect(output).toContain("Put the plugin back into Pulumi.yaml and run up");
      });
      expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    }
    seat.use("plugin");
    expect(await seat.up()).toContain("1 replaced");
    expect(seat.world.rows("file")).toHaveLength(1);
    await seat.done(["preview", "--expect-no-changes"]);
    seat.use("dynamic");
    expect(await seat.up()).not.toMatch(/created|replaced|updated/);
    // Our engine goes on, and says no more than pulumi.
    expect((await own(seat, "up", "--yes", "--stack", "dev")).stdout).toContain("3 unchanged");
  },
);

test.each(pulumiWays)(
  "an object that a renamed resource adopts by its key stays, also in the run that moves to the plugin ($form first)",
  async (way) => {
    const renamed = (name: string) => `import { Coupon, RecurringCharge } from "pulumi-shop";
new Coupon("${name}", { code: "SPRING", discount: { percent: 10 }, adopt: "key" });
new RecurringCharge("fee-${name}", { monthly: 5, adopt: "key" });
`;
    const seat = await openSeat(way, renamed("one"));
    await seat.up();
    seat.use("plugin");
    seat.program(renamed("two"));
    const sent = await seat.world.during(async () => expect(await seat.up()).toContain("has it now"));
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    await seat.done(["preview", "--expect-no-changes"]);
    await seat.done(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await seat.done(["destroy", "--yes", "--skip-preview"]);
    expect(seat.world.rows("discount_code")).toEqual([]);
  },
);

test.each(pulumiWays)(
  "compare and pull know the objects that pulumi manages in a stack ($form)",
  async (way) => {
    const seat = await openSeat(way, text("one", 10));
    await seat.up();
    expect((await own(seat, "compare", "dev", "program:dev")).stdout).toMatch(/equal/);
    const before = await seat.terminal.run("compare", "dev", "shop:dev");
    expect(before.stdout).not.toMatch(/SPRING|terms\.txt/);
    await seat.world.client.products.create({ title: "STAFF", variants: [{ sku: "STAFF", price: 1 }] });
    const all = await seat.terminal.run("compare", "dev", "shop:dev");
    expect([all.code, all.stdout]).toEqual([7, expect.stringMatching(/Product +staff/)]);
    expect(all.stdout).not.toMatch(/SPRING|terms\.txt/);
    await seat.done(["stack", "init", "other", "--copy-config-from", "dev"]);
    seat.program(
      'import { Coupon } from "pulumi-shop";\nnew Coupon("third", { code: "THIRD", discount: { percent: 90 } });\n',
    );
    await seat.done(["up", "--yes", "--skip-preview", "--stack", "other"]);
    const apart = await seat.terminal.run("compare", "dev", "other");
    expect(apart.code, apart.stdout).toBe(7);
    for (const code of ["SPRING", "OWN", "THIRD"]) expect(apart.stdout).toContain(code);
    seat.program(text("one", 10));
    await own(seat, "pull", "--new", "--stack", "dev", "--force", "coupons", "files");
  },
);

test.each(pulumiWays)(
  "a second project with the same stack and program creates its own objects, and destroys no others ($form)",
  async (way) => {
    const seat = await openSeat(way, program);
    await seat.up();
    const ids = () => tables.map((table) => seat.world.rows(table).map(({ id }) => id));
    const first = ids();
    // What the shop keeps single is the first project's: the second says so, and makes the rest.
    const { terminal } = seat;
    const yaml = projectText("second", way.form).replace("node_modules/", "../node_modules/");
    terminal.write("second/Pulumi.yaml", yaml);
    terminal.write("second/package.json", '{ "name": "second", "type": "module" }');
    terminal.write("second/index.ts", program.replace(/ *new Coupon.*\n|new RecurringCharge.*\n/g, ""));
    const there = (...args: readonly string[]) => seat.done([...args, "--cwd", "second", "--stack", "dev"]);
    await there("stack", "init");
    const made = await there("up", "--yes", "--skip-preview");
    expect(made).not.toContain("earlier run");
    expect(counts(seat)).toEqual([3, 6, 2, 1]);
    await there("preview", "--expect-no-changes");
    await there("destroy", "--yes", "--skip-preview");
    for (const [index, was] of first.entries()) expect(ids()[index]).toEqual(expect.arrayContaining(was));
    await seat.done(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
    await seat.done(["preview", "--expect-no-changes"]);
  },
);
