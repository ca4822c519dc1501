// Two resources in a state with the same object: each would undo the other's changes.
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const program = (discount: number) => `import { Coupon } from "pulumi-shop";
for (const name of ["a", "b"]) new Coupon(name, { code: name.toUpperCase(), discount: ${discount}, typeId: 1 });
`;
const home = "backend/.pulumi/stacks/user/dev.json";
test.each(storyForms)(
  "one object of two resources is told by both names, and nothing is sent: %s",
  async (_form, more) => {
    const { world, terminal } = await openScene(program(10));
    terminal.write("Pulumi.yaml", `${terminal.read("Pulumi.yaml")}${more}`);
    await terminal.done("up", "--yes");
    const [one, other] = world.rows("discount_code").map(({ id }) => String(id));
    terminal.write(home, terminal.read(home).replaceAll(String(other), String(one)));
    terminal.write("index.ts", program(20));
    world.requests();
    const { code, stdout, all } = await terminal.dev("up", "--yes");
    expect(code, stdout).toBe(1);
    expect(all).toMatch(
      new RegExp(
        `Coupon ${one} is the object of two resources in the state, (a and b|b and a): remove one of them from the state`,
      ),
    );
    expect(world.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);
  },
);
