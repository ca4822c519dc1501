// The resource options of Pulumi programs.
import { describe, expect } from "vitest";
import { scenarios } from "./scenario.ts";

const scenario = scenarios("options");

describe("resource options", () => {
  scenario("protect: neither deleted nor replaced, until it is taken off", async (scene) => {
    scene.program(`new Thing("a", { key: "k1" }, { protect: true });`);
    await scene.up();
    scene.calls();
    scene.program(`new Thing("a", { key: "k2" }, { protect: true });`);
    const replaced = await scene.up();
    expect(replaced.outcome).toBe("failed");
    expect(replaced.messages).toContain("protect");
    scene.program("");
    const deleted = await scene.up();
    expect(deleted.outcome).toBe("failed");
    expect(deleted.messages).toContain("protect");
    expect(scene.calls()).toEqual([]);
    scene.program(`new Thing("a", { key: "k1" }, { protect: false });`);
    await scene.up();
    scene.program("");
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(["delete a-1"]);
  });

  scenario("protect keeps destroy from it", async (scene) => {
    scene.program(`new Thing("a", {}, { protect: true });`);
    await scene.up();
    const ran = await scene.destroy();
    expect(ran.outcome).toBe("failed");
    expect(scene.saved("a")?.id).toBe("a-1");
  });

  scenario("retainOnDelete: forgotten, but left where it is", async (scene) => {
    scene.program(`new Thing("a", {}, { retainOnDelete: true });`);
    await scene.up();
    scene.calls();
    scene.program("");
    const ran = await scene.up();
    expect(ran.steps).toEqual(["delete a"]);
    expect(scene.calls()).toEqual([]);
    expect(scene.cloud("a-1")).toBeDefined();
    expect(scene.saved("a")).toBeUndefined();
  });

  scenario("ignoreChanges: what it names stays as the state has it", async (scene) => {
    const program = (color: string, size: number) =>
      `new Thing("a", { color: "${color}", size: ${size}, deep: { one: ${size}, two: 2 } }, { ignoreChanges: ["color", "deep.one"] });`;
    scene.program(program("red", 1));
    await scene.up();
    scene.calls();
    scene.program(program("blue", 1));
    expect((await scene.up()).steps).toEqual(["same a"]);
    scene.program(program("green", 3));
    await scene.up();
    expect(scene.calls()).toEqual(['update a-1 {"color":"red","deep":{"one":1,"two":2},"size":3}']);
  });

  scenario("aliases: another name, another parent, the same resource", async (scene) => {
    scene.program(`new Thing("old", { color: "red" });`);
    await scene.up();
    scene.calls();
    scene.program(`
      new Group("g", (parent) => {
        new Thing("renamed", { color: "red" }, { parent, aliases: [{ name: "old", parent: pulumi.rootStackResource }] });
      });
    `);
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(scene.calls().filter((line) => !line.startsWith("update"))).toEqual([]);
    expect(scene.saved("renamed")?.id).toBe("old-1");
    expect(scene.saved("old")).toBeUndefined();
  });

  scenario("aliases: a renamed component takes its children along", async (scene) => {
    const program = (name: string, options: string) =>
      `new Group("${name}", (parent) => { new Thing("${name}-child", { label: "x" }, { parent }); }${options});`;
    scene.program(program("first", ""));
    await scene.up();
    scene.calls();
    scene.program(program("second", `, { aliases: [{ name: "first" }] }`));
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(scene.calls()).toEqual([]);
    expect(scene.saved("second-child")?.id).toBe("x-1");
  });

  scenario("dependsOn: made after, deleted before", async (scene) => {
    scene.program(`const z = new Thing("z"); new Thing("a", {}, { dependsOn: [z] });`);
    await scene.up();
    expect(scene.calls()).toEqual(["create z {}", "create a {}"]);
    await scene.destroy();
    expect(scene.calls()).toEqual(["delete a-1", "delete z-1"]);
  });

  scenario("parent: children stand under their component and are deleted before it", async (scene) => {
    scene.program(
      `new Group("g", (parent) => { const child = new Thing("child", {}, { parent }); return { made: child.made }; });`,
    );
    await scene.up();
    expect(scene.saved("child")?.urn).toBe(
      "urn:pulumi:dev::scene::scene:index:Group$pulumi-nodejs:dynamic/scene:Thing::child",
    );
    expect(scene.saved("child")?.parent).toBe(scene.saved("g")?.urn);
    expect(scene.saved("g")?.outputs).toEqual({ made: "child-1!" });
    const ran = await scene.destroy();
    expect(ran.steps).toEqual(["delete child", "delete g"]);
  });

  scenario("additionalSecretOutputs: the named output is a secret everywhere", async (scene) => {
    scene.program(`const a = new Thing("a", {}, { additionalSecretOutputs: ["made"] }); out.made = a.made;`);
    const ran = await scene.up();
    expect(ran.outputs).toEqual({ made: "a-1!" });
    expect(scene.read("backend/.pulumi/stacks/scene/dev.json")).not.toContain("a-1!");
  });

  scenario("deletedWith: what goes down with another is not deleted by itself", async (scene) => {
    scene.program(`const a = new Thing("a"); new Thing("b", {}, { deletedWith: a });`);
    await scene.up();
    scene.calls();
    await scene.destroy();
    expect(scene.calls()).toEqual(["delete a-1"]);
    expect(scene.state().resources ?? []).toEqual([]);
  });
});
