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

test.each(ways.filter(({ form }) => form === "plugin"))(
  "the settings of a provider that the program makes stay as secret in the state as in the program ($engine)",
  async (way) => {
    const seat = await openSeat(
      way,
      `import * as pulumi from "@pulumi/pulumi";
import { Coupon, Provider } from "pulumi-shop";
const { SHOP_URL = "", SHOP_APPLICATION_ID = "", SHOP_PASSWORD: password = "" } = process.env;
const [url, applicationId, capacity] = [SHOP_URL, SHOP_APPLICATION_ID, 77].map((one) => pulumi.secret(one));
const provider = new Provider("outlet", { url, applicationId, password, capacity, perPage: 50 });
new Coupon("spring", { code: "SPRING", discount: { percent: 10 } }, { provider });
`,
    );
    for (const args of [
      ["preview", "--diff"],
      ["up", "--yes", "--skip-preview", "--diff"],
      ["preview", "--expect-no-changes"],
    ])
      expect(await seat.done(args)).not.toContain(seat.world.url);
    const { checkpoint } = JSON.parse(seat.terminal.read("backend/.pulumi/stacks/user/dev.json"));
    const { inputs, outputs } = checkpoint.latest.resources.find(({ urn }: { urn: string }) =>
      urn.endsWith("::outlet"),
    );
    const { version: _version, __internal: _engines, ...own } = inputs;
    for (const values of [own, outputs]) {
      const open = Object.entries(values).filter(([, value]) => typeof value === "string");
      expect([Object.keys(values).toSorted(), open]).toEqual([
        ["applicationId", "capacity", "password", "perPage", "url"],
        [["perPage", "50"]],
      ]);
    }
  },
);
