// A first run of `pulumi`, where that is on PATH, is killed in the middle of its creates. Whoever goes on finds what it made, and says
// so once of each resource: the same stack under another name, or our engine.
import { expect, test } from "vitest";
import type { Ran } from "../cli/terminal.ts";
import { openSeat, pulumiWays, type Seat } from "../support/engines.ts";
import { descendantsOf, end } from "../support/families.ts";

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
  // Each answer comes late: what was asked is done, and the engine doesn't know it.
  await seat.world.fault({ method: "POST", path: "*", fault: "slow", delayMs: 60_000, times: 20 });
  const there = () => counts(seat).reduce((sum, count) => sum + count, 0);
  const { code } = await seat.run(["up", "--yes", "--skip-preview"], {}, (child) => {
    const look = setInterval(() => {
      if (there() < 4) return;
      clearInterval(look);
      for (const pid of [...descendantsOf(child.pid ?? 0), child.pid ?? 0]) end(pid);
    }, 5);
    child.once("exit", () => clearInterval(look));
  });
  expect(code).not.toBe(0);
  await seat.world.control("POST", "forget");
  return seat;
}

/** Each resource is told of at most once, and by its name. */
function expectToldOnce(output: string): void {
  // While it runs, its table says it too.
  const [, diagnostics = ""] = output.split("Diagnostics:");
  const told = diagnostics.split("\n").filter((line) => /earlier run/.test(line));
  expect(told, output).not.toEqual([]);
  for (const line of told) expect(line).toMatch(/(coupon|file)-[abc]|setup|fee/);
  const names = told.map((line) => /(?:coupon|file)-[abc]|setup|fee/.exec(line)?.[0]);
  expect(names, told.join("\n")).toEqual([...new Set(names)]);
}

test.each(pulumiWays)(
  "a stack that got another name after a kill finds what the killed run made ($form)",
  async (way) => {
    const seat = await cutOff(way);
    await seat.run(["cancel", "--yes"]);
    await seat.done(["stack", "rename", "renamed", "--stack", "dev"]);
    const next = await seat.run(["up", "--yes", "--skip-preview", "--stack", "renamed"]);
    expect(next.code, next.output).toBe(0);
    expect(counts(seat), next.output).toEqual([3, 3, 1, 1]);
    expectToldOnce(next.output);
    const cleared = ["refresh", "--yes", "--skip-preview", "--clear-pending-creates", "--stack", "renamed"];
    expect((await seat.run(cleared)).code).toBe(0);
    expect(await seat.done(["up", "--yes", "--skip-preview", "--stack", "renamed"])).toContain("9 unchanged");
    expect(counts(seat)).toEqual([3, 3, 1, 1]);
  },
);

test.each(pulumiWays)("our engine finds what a killed run of pulumi made ($form)", async (way) => {
  const seat = await cutOff(way);
  const own = async (...args: readonly string[]): Promise<Ran> => {
    const ran = await seat.terminal.run(...args, "--stack", "dev");
    expect(ran.code, ran.stdout + ran.stderr).toBe(0);
    return ran;
  };
  await own("unlock", "--yes");
  seat.terminal.warnings.push(/an earlier run was cut off while creating/);
  const next = await own("up", "--yes");
  expect(counts(seat), next.stdout).toEqual([3, 3, 1, 1]);
  expect((await own("up", "--yes")).stdout).toContain("8 unchanged");
  expect(await seat.up()).toContain("9 unchanged");
  expect(counts(seat)).toEqual([3, 3, 1, 1]);
});
