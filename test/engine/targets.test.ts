// Replacements without changed inputs: by name, taint or trigger; and interrupted runs.
import { describe, expect } from "vitest";
import { scenarios } from "./scenario.ts";
import { urnOf } from "./scene.ts";

const scenario = scenarios("targets");
const chain = `const base = new Thing("base", { color: "red" }); new Thing("user", { of: base.made });`;

describe("--replace, as recorded with pulumi", () => {
  scenario("replaces it, and what depends on it follows by its arguments", async (scene) => {
    scene.program(chain);
    await scene.up();
    scene.calls();
    const ran = await scene.up({ replace: ["base"] });
    expect(ran.outcome).toBe("succeeded");
    expect(scene.calls()).toEqual([
      'create base {"color":"red"}',
      'update user-1 {"of":"base-2!"}',
      "delete base-1",
    ]);
    expect((await scene.up()).steps.toSorted()).toEqual(["same base", "same user"]);
  });

  scenario("deletes first where the option says so", async (scene) => {
    scene.program(`new Thing("a", { color: "red" }, { deleteBeforeReplace: true });`);
    await scene.up();
    scene.calls();
    await scene.up({ replace: ["a"] });
    expect(scene.calls()).toEqual(["delete a-1", 'create a {"color":"red"}']);
  });

  scenario("a preview says so and does nothing", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.calls();
    const ran = await scene.preview({ replace: ["a"] });
    expect(ran.steps).toEqual(["create-replacement a", "delete-replaced a"]);
    expect(scene.calls()).toEqual([]);
  });

  scenario("what is protected stays", async (scene) => {
    scene.program(`new Thing("a", { color: "red" }, { protect: true });`);
    await scene.up();
    scene.calls();
    expect((await scene.up({ replace: ["a"] })).outcome).toBe("failed");
    expect(scene.calls()).toEqual([]);
  });

  scenario("what the state marks as tainted is replaced once", async (scene) => {
    scene.program(chain);
    await scene.up();
    scene.alter(({ resources = [] }) => ({
      resources: resources.map((one) => (one.urn === urnOf("base") ? { ...one, taint: true } : one)),
    }));
    scene.calls();
    await scene.up();
    expect(scene.calls()).toEqual([
      'create base {"color":"red"}',
      'update user-1 {"of":"base-2!"}',
      "delete base-1",
    ]);
    expect((await scene.up()).steps.toSorted()).toEqual(["same base", "same user"]);
  });
});

describe("interrupted runs, as recorded with pulumi", () => {
  const cut = (type: string, name: string) => (state: { resources?: readonly { urn: string }[] }) => ({
    pending_operations: (state.resources ?? [])
      .filter(({ urn }) => urn === urnOf(name))
      .map((resource) => ({ resource: resource as never, type })),
  });

  scenario("while it updated: the next up asks again", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.alter(cut("updating", "a"));
    scene.program(`new Thing("a", { color: "blue" });`);
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.state().pending_operations ?? []).toEqual([]);
    expect(scene.saved("a")?.outputs).toMatchObject({ color: "blue" });
  });

  scenario("while it deleted: the next up deletes", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.alter(cut("deleting", "a"));
    scene.program("");
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.state().pending_operations ?? []).toEqual([]);
    expect(scene.cloud("a-1")).toBeUndefined();
  });

  scenario("between a replacement and its delete: the next run deletes, whatever it is", async (scene) => {
    scene.program(`new Thing("a", { key: "k1" });`);
    await scene.up();
    scene.world({ "delete a-1": { error: "in use" } });
    scene.program(`new Thing("a", { key: "k2" });`);
    await scene.up();
    scene.world({});
    expect((await scene.refresh()).outcome).toBe("succeeded");
    scene.calls();
    expect((await scene.destroy()).outcome).toBe("succeeded");
    expect(scene.calls().toSorted()).toEqual(["delete a-1", "delete a-2"]);
  });
});
