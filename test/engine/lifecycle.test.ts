// The life of resources: created, unchanged, updated, deleted.
import { describe, expect } from "vitest";
import { inBothForms, scenarios } from "./scenario.ts";

const scenario = scenarios("lifecycle");
const both = inBothForms(scenario);

describe("the life of a resource", () => {
  scenario("up makes what the program asks for, in order of dependency", async (scene) => {
    scene.program(`
      const a = new Thing("a", { color: "red" });
      const b = new Thing("b", { of: a.made });
      out.made = b.of;
    `);
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(ran.steps).toEqual(["create a", "create b"]);
    expect(ran.outputs).toEqual({ made: "a-1!" });
    expect(scene.calls()).toEqual(['create a {"color":"red"}', 'create b {"of":"a-1!"}']);
    expect(scene.saved("b")?.dependencies).toEqual([scene.saved("a")?.urn]);
  });

  scenario("a second up changes nothing and calls nothing that changes", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.calls();
    const ran = await scene.up();
    expect(ran.steps).toEqual(["same a"]);
    expect(scene.calls()).toEqual([]);
  });

  both("an edit updates what was edited, in place", async (scene) => {
    scene.program(`new Thing("a", { color: "red" }); new Thing("b", { color: "red" });`);
    await scene.up();
    scene.calls();
    scene.program(`new Thing("a", { color: "blue" }); new Thing("b", { color: "red" });`);
    const ran = await scene.up();
    expect(ran.steps.toSorted()).toEqual(["same b", "update a"]);
    expect(scene.calls()).toEqual(['update a-1 {"color":"blue"}']);
    expect(scene.saved("a")?.outputs).toMatchObject({ color: "blue" });
  });

  scenario("a preview says the same and does nothing", async (scene) => {
    scene.program(`const a = new Thing("a", { color: "red" }); out.made = a.made;`);
    const ran = await scene.preview();
    expect(ran.steps).toEqual(["create a"]);
    expect(scene.calls()).toEqual([]);
    expect(scene.cloud("a-1")).toBeUndefined();
  });

  both("what the program no longer asks for is deleted, dependents first", async (scene) => {
    scene.program(`
      const a = new Thing("a");
      const b = new Thing("b", { of: a.made });
      new Thing("c", {}, { dependsOn: [b] });
    `);
    await scene.up();
    scene.calls();
    scene.program("");
    const ran = await scene.up();
    expect(ran.steps).toEqual(["delete c", "delete b", "delete a"]);
    expect(scene.calls()).toEqual(["delete c-1", "delete b-1", "delete a-1"]);
  });

  scenario("destroy deletes everything, dependents first", async (scene) => {
    scene.program(`const a = new Thing("a"); new Thing("b", { of: a.made });`);
    await scene.up();
    scene.calls();
    const ran = await scene.destroy();
    expect(ran.outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(["delete b-1", "delete a-1"]);
    expect(scene.state().resources ?? []).toEqual([]);
  });

  scenario("two resources of one name are refused", async (scene) => {
    // The second is registered after the first was created, because two at once have no order.
    scene.program(`const a = new Thing("a"); new Thing("a", {}, { dependsOn: [a] });`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toMatch(/[Dd]uplicate resource URN|^two \w+s are named/);
  });
});
