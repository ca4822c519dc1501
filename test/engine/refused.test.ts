// What a program may ask of Pulumi and not of the embedded engine: it is named, and nothing is done.
import { expect, test } from "vitest";
import { warm } from "./embedded.ts";
import { openScene, pluggedText } from "./scene.ts";

const programs: Readonly<Record<string, string>> = {
  "the resource option stateMigrations": `new Thing("a", {}, { stateMigrations: [() => undefined] });`,
  "the resource option replaceWith of a component": `
    const other = new pulumi.ComponentResource("scene:index:Group", "other");
    new Group("a", () => {}, { replaceWith: [other] });`,
  "the resource option hooks of a provider": `
    new Provider("a", {}, { hooks: { beforeCreate: [new pulumi.ResourceHook("early", () => {})] } });`,
};

for (const [what, program] of Object.entries(programs))
  test(`${what} is refused`, async () => {
    const scene = openScene([warm]);
    scene.write("Pulumi.yaml", pluggedText);
    scene.program(program);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain(`${what} is not supported by the embedded engine; use --engine pulumi`);
    expect(scene.saved("a")).toBeUndefined();
    expect(scene.calls()).toEqual([]);
  });
