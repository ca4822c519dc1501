// A secret of a program stays one in outputs, screens and states, in both forms, and by `pulumi` where it is on PATH.
import { expect, test } from "vitest";
import { openSeat, ways } from "../support/engines.ts";

test.each(ways)(
  "a secret that the shop keeps after the program has changed or removed it stays secret ($form, $engine)",
  async (way) => {
    const program = (title: string, more: string) => `import * as pulumi from "@pulumi/pulumi";
import { Product } from "pulumi-shop";
const mug = new Product("mug", { title: pulumi.secret("${title}"), ${more} variants: [{ sku: "M", price: 1 }] });
export const { permalink, description } = mug;
`;
    const seat = await openSeat(way, program("Heron-one", 'description: pulumi.secret("Swift-one"),'));
    const said = [await seat.up()];
    const run = async (...args: readonly string[]) => {
      said.push(await seat.done(args), seat.terminal.read("backend/.pulumi/stacks/user/dev.json"));
    };
    seat.program(program("Heron-two", ""));
    await run("preview", "--diff");
    await run("up", "--yes", "--skip-preview", "--diff");
    seat.program(program("Heron-three", ""));
    await run("up", "--yes", "--skip-preview", "--diff");
    await run("refresh", "--yes", "--diff");
    await run("preview", "--diff", "--expect-no-changes");
    expect(seat.world.rows("product")).toMatchObject([
      { title: "Heron-three", permalink: "heron-one", description: expect.stringContaining("Swift-one") },
    ]);
    expect(said.join("\n").match(/.*(heron|swift)-(one|two|three).*/gi)).toBeNull();
  },
);
