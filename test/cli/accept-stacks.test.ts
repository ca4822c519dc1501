// A program has several stacks: `accept` says which of them an edit of one stack's shop changes, too.
import { expect, test } from "vitest";
import { plugged, storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openScene } from "./terminal.ts";

const program = `import * as pulumi from "@pulumi/pulumi";
import { Asset, Coupon, getThemeOutput } from "pulumi-shop";
const stack = pulumi.getStack();
const percent = 10;
const own = stack === "dev" ? 5 : 6;
new Coupon("shared", { code: "SHARED", discount: { percent } });
new Coupon("own", { code: "OWN", discount: { percent: own } });
if (stack === "dev") new Coupon("only", { code: "ONLY", discount: { percent: 7 } });
new Coupon("gone", { code: "GONE", discount: { percent: 8 } });
const themeId = getThemeOutput({ published: true }).id;
new Asset("page", { themeId, type: "Asset::Snippet", name: "own_page.liquid", file: \`theme/\${stack}.liquid\` });
`;

test.each(storyForms)(
  "accept says which other stacks have an edit in their program: %s",
  async (_form, plugins) => {
    const { world, terminal } = await openScene(program, plugins, ["dev", "staging"]);
    for (const stack of ["dev", "staging"]) terminal.write(`theme/${stack}.liquid`, "one\n");
    await terminal.done("up", "--yes", "--skip-preview");
    for (const code of ["SHARED", "OWN", "ONLY"])
      await world.edit({ kind: "discount_code", where: { code }, set: { discount: "20.0" } });
    await world.edit({ kind: "discount_code", where: { code: "GONE" }, delete: true });
    await world.edit({ kind: "asset", where: { name: "own_page.liquid" }, set: { content: "two\n" } });
    const told =
      "The program of staging changes, too: the next up there sends it. Where stacks should differ, let the program ask for pulumi.getStack().\n";
    const accept = async (name: string) =>
      (await terminal.done("accept", name, "--yes", "--force", "--stack", "dev")).stdout;
    for (const name of ["own", "only", "page"]) expect(await accept(name)).not.toContain("staging");
    const dry = await terminal.done("accept", "shared", "--dry-run");
    for (const said of [dry.stdout, await accept("shared"), await accept("gone")])
      expect(said).toContain(told);
    await terminal.done("preview", "--expect-no-changes");
  },
);

test("what staff deleted in one stack leaves what the same loop makes in another", async () => {
  const text = (of: Readonly<Record<string, readonly string[]>>) => `import * as pulumi from "@pulumi/pulumi";
import { Coupon } from "pulumi-shop";
const codes: Record<string, string[]> = ${JSON.stringify(of)};
for (const code of codes[pulumi.getStack()]!) new Coupon(code, { code, discount: { percent: 5 } });
`;
  const before = text({ dev: ["A"], staging: ["B"] });
  const { world, terminal } = await openScene(before, undefined, ["dev", "staging"]);
  await terminal.done("up", "--yes", "--skip-preview");
  await world.edit({ kind: "discount_code", where: { code: "A" }, delete: true });
  const { stdout } = await terminal.done("accept", "--all", "--yes", "--force");
  expect(stdout).not.toContain("staging");
  expect(terminal.read("index.ts")).toBe(text({ dev: [], staging: ["B"] }));
  await terminal.done("preview", "--expect-no-changes");
});

test("accept lists what the settings of the program's own provider keep or stop at", async () => {
  const [outlet, { terminal }] = [await openWorld(), await openScene("", plugged)];
  const { applicationId, password } = outlet.credentials;
  const settings = (more: object) => JSON.stringify({ url: outlet.url, applicationId, password, ...more });
  const program = (percent: number, more: object) => `import { Coupon, Provider } from "pulumi-shop";
const provider = new Provider("outlet", ${settings(more)});
new Coupon("spring", { code: "SPRING", discount: { percent: ${percent} } }, { provider });
`;
  let percent = 10;
  for (const more of [{ drift: "keep" }, { drift: "stop" }, { conflicts: "stop" }]) {
    terminal.write("index.ts", program(percent, more));
    await terminal.done("up", "--yes", "--skip-preview");
    percent += 5;
    await outlet.edit({
      kind: "discount_code",
      where: { code: "SPRING" },
      set: { discount: `${percent}.0` },
    });
    await terminal.done("refresh", "--yes");
    await terminal.done("accept", "--all", "--yes", "--force");
    expect(terminal.read("index.ts")).toBe(program(percent, more));
    await terminal.done("preview", "--expect-no-changes");
  }
});
