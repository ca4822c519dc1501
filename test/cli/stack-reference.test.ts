// Secret outputs: from one state to the other, and in a preview as in a run.
import { expect, test } from "vitest";
import { forms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const program = `import * as pulumi from "@pulumi/pulumi";
import { Coupon } from "pulumi-shop";
const isNet = pulumi.getStack() === "net";
const net = isNet ? undefined : new pulumi.StackReference("organization/user/net");
if (net !== undefined) new Coupon("staff", {
  code: "STAFF", discount: 30, typeId: 1, description: net.requireOutput("note").apply(String), minPrice: net.requireOutput("from").apply(Number),
});
export const note = isNet ? pulumi.secret("only for staff") : net?.getOutput("note");
export const from = isNet ? 20 : net?.getOutput("from");
`;

test("a secret output of another stack is a secret argument, a secret output, and no text of the state", async () => {
  const { world, terminal } = await openScene(program, "", ["net", "dev"]);
  for (const stack of ["net", "dev"]) {
    const { stdout } = await terminal.done("up", "--stack", stack, "--yes", "--diff");
    expect(stdout).toContain('note: "[secret]"');
    expect(stdout).toContain("from: 20");
    expect(stdout).not.toContain("only for staff");
    expect(terminal.read(`backend/.pulumi/stacks/user/${stack}.json`)).not.toContain("only for staff");
  }
  expect(world.rows("discount_code")).toMatchObject([{ description: "only for staff", min_price: "20.0" }]);
  await terminal.done("up", "--yes", "--expect-no-changes");
  const shown = await terminal.dev("output", "note", "--show-secrets");
  expect(shown.stdout).toBe("only for staff\n");
});

test.each(forms)("with %s, a preview shows no output of additionalSecretOutputs", async (_form, plugins) => {
  const coupon = (percent: number) => `import { Coupon } from "pulumi-shop";
    const spring = new Coupon("spring", { code: "SPRING", discount: { percent: ${percent} }, minPrice: 20 },
      { additionalSecretOutputs: ["discount"] });
    export const { discount, minPrice } = spring;
  `;
  const { terminal } = await openScene(coupon(11), plugins);
  for (const percent of [11, 12]) {
    terminal.write("index.ts", coupon(percent));
    for (const command of [["preview"], ["up", "--yes", "--skip-preview"]]) {
      const { stdout } = await terminal.done(...command);
      expect(stdout).toContain('discount: "[secret]"');
      expect(stdout).toContain("minPrice: 20");
    }
  }
});
