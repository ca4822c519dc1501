// A price sheet whose first run under plain pulumi was killed, and which the program dropped: pulumi asks no provider about it.
import { expect, test } from "vitest";
import { hasPulumi, openSeat } from "../support/engines.ts";

const sheet = `import { Prices } from "pulumi-shop";
new Prices("spring", { rows: [{ sku: "C-1", price: 7 }, { sku: "J-1", price: 8 }], onRemove: "restore" });
`;
const coupon = `import { Coupon } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: 10, typeId: 1 });
`;

test.skipIf(!hasPulumi).each([
  { engine: "pulumi", form: "dynamic" },
  { engine: "pulumi", form: "plugin" },
] as const)(
  "the prices of a sheet whose run under pulumi was killed are named by pulumi, and put back by the command: $form",
  async (way) => {
    const seat = await openSeat(way, sheet);
    const { world, terminal } = seat;
    for (const sku of ["C-1", "J-1"])
      await world.client.products.create({ title: sku, variants: [{ sku, price: 10 }] });
    const [, jug] = world.rows("product").map(({ id }) => id);
    const prices = () =>
      world
        .rows("product")
        .map(({ variants }) => (variants as readonly { readonly price: string }[])[0]?.price);
    await world.fault({
      fault: "slow",
      method: "PUT",
      path: `/admin/products/${jug}.xml`,
      times: 1,
      delayMs: 60_000,
    });
    const { code } = await seat.run(["up", "--yes", "--skip-preview"], {}, (child) => {
      const look = setInterval(() => {
        if (prices().join() !== "7.0,8.0" || child.pid === undefined) return;
        clearInterval(look);
        process.kill(child.pid, "SIGKILL");
      }, 5);
    });
    expect(code).not.toBe(0);
    seat.program(coupon);
    await seat.run(["cancel", "--yes"]);
    const { output } = await seat.run(["up", "--yes", "--skip-preview"]);
    expect(output).toContain(
      "Prices spring: an earlier run was interrupted while it wrote the prices of C-1, J-1.",
    );
    expect(prices()).toEqual(["7.0", "8.0"]);
    terminal.warnings.push(/interrupted while creating/);
    const { stdout } = await terminal.dev("up", "--yes");
    expect([stdout, prices()]).toEqual([expect.stringContaining("1 price sheet (spring)"), ["10.0", "10.0"]]);
  },
);
