// What pulumi's commands do to a stack beside `up`, where `pulumi` is on PATH, in both forms: they edit its state, and the next run has
// nothing to do and nothing to warn of.
import { join } from "node:path";
import { expect, test } from "vitest";
import { hasPulumi, openSeat, pulumiWays, type Seat, type Way } from "../support/engines.ts";

const program = (percent: number, name = "a") => `import { Coupon, File, Product } from "pulumi-shop";
import * as pulumi from "@pulumi/pulumi";
const terms = new File("terms", { content: "x", filename: "terms.txt" });
const coupon = new Coupon("${name}", { code: pulumi.secret("A"), discount: { percent: ${percent} } }, { dependsOn: terms });
new Product("mug", { title: "Mug", variants: [{ sku: "M", price: ${percent} }], description: coupon.code }, { protect: true });
`;
const urnIn = ({ form }: Way, kind: string, name: string) =>
  `urn:pulumi:dev::user::${form === "plugin" ? "shop:index:" : "pulumi-nodejs:dynamic/shop:"}${kind}::${name}`;

const rows = ({ world }: Seat) =>
  ["discount_code", "file", "product"].map((table) => world.rows(table).map(({ id }) => id));

/** @returns what was written to the shop */
const writes = async ({ world }: Seat, work: () => Promise<unknown>) =>
  (await world.during(work)).filter((line) => !line.startsWith("GET "));

const up = ["up", "--yes", "--skip-preview"];

if (!hasPulumi) test.skip("pulumi is not on PATH: its commands are left out", () => {});

test.each(pulumiWays)(
  "resources that are protected, renamed, exported, imported or encrypted again need nothing in the next run ($form)",
  async (way) => {
    const seat = await openSeat(way, program(10));
    await seat.up();
    const coupon = urnIn(way, "Coupon", "a");
    const settled = async (env: Readonly<Record<string, string>> = {}) => {
      await seat.done(["preview", "--expect-no-changes", "--diff"], env);
      await seat.done([...up, "--expect-no-changes"], env);
    };
    const sent = await writes(seat, async () => {
      await seat.done(["state", "protect", coupon, "--yes"]);
      await seat.done(["state", "unprotect", "--all", "--yes"]);
      await settled();
      await seat.done(["state", "rename", coupon, "b", "--yes"]);
      seat.program(program(10, "b"));
      await settled();
      const file = join(seat.folder, "state.json");
      await seat.done(["stack", "export", "--stack", "dev", "--file", file]);
      await seat.done(["stack", "import", "--stack", "dev", "--file", file]);
      await settled();
      await seat.done(["cancel", "--yes"]);
      // Without a terminal, the new passphrase is empty.
      await seat.done(["stack", "change-secrets-provider", "passphrase", "--stack", "dev"]);
      await settled({ PULUMI_CONFIG_PASSPHRASE: "" });
    });
    expect(sent).toEqual([]);
  },
);

test.each(pulumiWays)(
  "--target-dependents updates what depends on a target, and a state of before sends nothing again ($form)",
  async (way) => {
    const seat = await openSeat(way, program(10));
    await seat.up();
    const file = join(seat.folder, "state.json");
    await seat.done(["stack", "export", "--stack", "dev", "--file", file]);
    seat.program(program(11));
    const sent = await writes(seat, () =>
      seat.up("--target", urnIn(way, "File", "terms"), "--target-dependents"),
    );
    expect(sent.map((line) => line.split(" ")[0])).toEqual(["PUT", "PUT"]);
    await seat.done(["stack", "import", "--stack", "dev", "--file", file]);
    expect(await writes(seat, () => seat.up())).toEqual([]);
    await seat.done(["preview", "--expect-no-changes"]);
    await seat.world.edit({ kind: "discount_code", where: { code: "A" }, set: { discount: 55 } });
    const found = await seat.run(["refresh", "--preview-only", "--diff", "--expect-no-changes"]);
    expect([found.code === 0, found.output]).toEqual([false, expect.stringMatching(/11 => 55/)]);
  },
);

test.each(pulumiWays)(
  "destroy --exclude-protected leaves what is protected, and what that depends on ($form)",
  async (way) => {
    const seat = await openSeat(
      way,
      `${program(10)}new Coupon("own", { code: "OWN", discount: { percent: 5 } });\n`,
    );
    await seat.up();
    const sent = await writes(seat, () =>
      seat.done(["destroy", "--exclude-protected", "--yes", "--skip-preview"]),
    );
    expect(sent).toEqual([expect.stringMatching(/^DELETE \/admin\/discount_codes\//)]);
    expect(seat.world.rows("discount_code").map(({ code }) => code)).toEqual(["A"]);
    await seat.up();
    expect(rows(seat).map(({ length }) => length)).toEqual([2, 1, 1]);
  },
);
