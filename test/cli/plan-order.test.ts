// A plan has the program's order, whichever step ends first.
import { expect, test } from "vitest";
import { openScene } from "./terminal.ts";

const program = (percent: number) => `import { Coupon } from "pulumi-shop";
for (const code of ["ZERO", "MILK", "APPLE"]) new Coupon(code.toLowerCase(), { code, discount: ${percent}, typeId: 1 });
`;

test("the steps of a kind are in the program's order in the terminal, in the comment and in a saved plan", async () => {
  const { world, terminal } = await openScene(program(5));
  await terminal.done("up", "--yes", "--skip-preview", "--stack", "dev");
  terminal.write("index.ts", program(6));
  const [{ id }] = world.rows("discount_code").filter(({ code }) => code === "ZERO") as [{ id: number }];
  // Its answer is lost, so the first one is read last.
  await world.fault({
    fault: "drop-before",
    method: "GET",
    path: `/admin/discount_codes/${id}.xml`,
    times: 1,
  });
  const preview = ["preview", "--stack", "dev", "--markdown", "comment.md", "--save-plan", "plan.json"];
  const { stdout } = await terminal.done(...preview);
  const namesIn = (text: string) => [...text.matchAll(/\b(zero|milk|apple)\b(?=\W)/g)].map(([name]) => name);
  const steps = stdout.split("\n").filter((line) => line.startsWith(" ~ Coupon"));
  expect(namesIn(steps.join("\n"))).toEqual(["zero", "milk", "apple"]);
  expect([...new Set(namesIn(terminal.read("comment.md")))]).toEqual(["zero", "milk", "apple"]);
  const { steps: saved } = JSON.parse(terminal.read("plan.json")) as { steps: readonly { name: string }[] };
  expect(saved.map(({ name }) => name)).toEqual(["zero", "milk", "apple"]);
});
