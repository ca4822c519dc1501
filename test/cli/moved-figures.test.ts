// A run that moves from dynamic resources to the plugin: two processes read the replaced objects.
import { expect, test } from "vitest";
import { openScene } from "./terminal.ts";

const program = (version: number) => `import { File, JsTag } from "pulumi-shop";
for (const n of [1, 2]) new File("f" + n, { filename: n + ".txt", content: n + " version ${version}" });
new JsTag("t", { type: "JsTag::TextTag", content: "v(${version})" });
`;
const plugged = "plugins: {providers: [{name: shop, path: node_modules/pulumi-shop/plugin}]}\n";

test.each([
  ["from dynamic resources to the plugin", "", plugged],
  ["between two runs of dynamic resources", "", ""],
])("a replacement %s sends the requests that its preview announced", async (_what, before, after) => {
  const { terminal } = await openScene(program(1));
  const project = terminal.read("Pulumi.yaml");
  const up = async (more: string, version: number) => {
    terminal.write("Pulumi.yaml", `${project}${more}`);
    terminal.write("index.ts", program(version));
    const { stdout } = await terminal.done("up", "--yes");
    return stdout;
  };
  await up(before, 1);
  const stdout = await up(after, 2);
  const [, needed] = /API requests needed: at most (\d+)/.exec(stdout) ?? [];
  const [, sent] = /API requests: (\d+)/.exec(stdout.slice(stdout.indexOf("Updating"))) ?? [];
  expect(sent, stdout).toBe(needed);
});
