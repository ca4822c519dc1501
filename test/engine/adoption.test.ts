// Existing objects: adopted, read, or refused because of changes.
import { describe, expect } from "vitest";
import { scenarios } from "./scenario.ts";

const scenario = scenarios("adoption");

describe("adopted and read resources, as recorded with pulumi", () => {
  scenario("adopt: a create takes over an object, and it is the resource's from then on", async (scene) => {
    scene.edit("old-7", { color: "green", made: "old-7!" });
    scene.program(`new Thing("a", { color: "red", adopt: "old-7" });`);
    expect((await scene.preview()).steps).toEqual(["create a"]);
    expect((await scene.up()).steps).toEqual(["create a"]);
    expect(scene.saved("a")?.id).toBe("old-7");
    expect((await scene.up()).steps).toEqual(["same a"]);
    expect((await scene.destroy()).steps).toEqual(["delete a"]);
    expect(scene.cloud("old-7")).toBeUndefined();
  });

  scenario("a get is refreshed: what others changed is read, what is gone is forgotten", async (scene) => {
    scene.edit("other-1", { label: "other", color: "green", made: "other-1!" });
    scene.program(`const other = Thing.get("other", "other-1"); out.color = other.color;`);
    await scene.up();
    expect((await scene.refresh()).steps).toEqual(["same other"]);
    scene.edit("other-1", { label: "other", color: "blue", made: "other-1!" });
    await scene.refresh();
    expect(scene.saved("other")?.outputs).toMatchObject({ color: "blue" });
    scene.edit("other-1", undefined);
    await scene.refresh();
    expect(scene.saved("other")).toBeUndefined();
  });

  scenario("a get of another object under the same name replaces nothing", async (scene) => {
    scene.edit("one", { label: "other", color: "green", made: "one!" });
    scene.edit("two", { label: "other", color: "blue", made: "two!" });
    scene.program(`Thing.get("other", "one");`);
    await scene.up();
    scene.program(`Thing.get("other", "two");`);
    await scene.up();
    expect(scene.saved("other")?.id).toBe("two");
    expect(scene.cloud("one")).toBeDefined();
  });

  scenario("what was read becomes the program's own, and the other way round", async (scene) => {
    scene.edit("other-1", { label: "x", color: "green", made: "other-1!" });
    scene.program(`Thing.get("x", "other-1");`);
    await scene.up();
    scene.program(`new Thing("x", { color: "red" });`);
    await scene.up();
    expect(scene.saved("x")?.id).toBe("x-1");
    expect(scene.cloud("other-1")).toBeDefined();
    scene.program(`Thing.get("x", "other-1");`);
    await scene.up();
    expect(scene.saved("x")).toMatchObject({ id: "other-1", external: true });
  });

  scenario("what the program owned and now only reads stays, and is let go of", async (scene) => {
    scene.program(`new Thing("a", { color: "red" }, { protect: true });`);
    await scene.up();
    scene.calls();
    scene.program(`const a = Thing.get("a", "a-1"); out.color = a.color;`);
    expect((await scene.preview()).steps).toEqual(["read a"]);
    expect((await scene.up()).steps).toEqual(["read a"]);
    expect(scene.saved("a")).toMatchObject({ id: "a-1", external: true });
    scene.program("");
    await scene.up();
    expect(scene.calls().filter((call) => call.startsWith("delete"))).toEqual([]);
    expect(scene.cloud("a-1")).toMatchObject({ color: "red" });
  });

  scenario("what is read follows a resource whose id isn't known yet", async (scene) => {
    scene.program(`const a = new Thing("a", { color: "red" }); out.color = Thing.get("seen", a.id).color;`);
    await scene.preview();
    expect(scene.calls()).toEqual([]);
    await scene.up();
    expect(scene.saved("seen")).toMatchObject({ id: "a-1", external: true });
  });

  scenario("what others changed of what is read is dated by the run that read it", async (scene) => {
    scene.edit("other-1", { label: "other", color: "green", made: "other-1!" });
    scene.program(`Thing.get("other", "other-1");`);
    await scene.up();
    await scene.up();
    scene.edit("other-1", { label: "other", color: "blue", made: "other-1!" });
    await scene.up();
    expect(scene.saved("other")?.outputs).toMatchObject({ color: "blue" });
  });
});

describe("steps that the provider refuses, as recorded with pulumi", () => {
  scenario(
    "an update that is declined leaves the resource as it was; the next run does it",
    async (scene) => {
      scene.program(`new Thing("a", { color: "red" });`);
      await scene.up();
      scene.calls();
      scene.world({ "update a-1": { refused: "somebody changed color to pink" } });
      scene.program(`new Thing("a", { color: "blue" });`);
      const declined = await scene.up();
      expect(declined.outcome).toBe("failed");
      expect(declined.messages).toContain("somebody changed color to pink");
      expect(scene.saved("a")?.outputs).toMatchObject({ color: "red" });
      scene.world({});
      expect((await scene.up()).steps).toEqual(["update a"]);
      expect(scene.saved("a")?.outputs).toMatchObject({ color: "blue" });
    },
  );

  scenario("a delete that is declined keeps the resource and what it needs", async (scene) => {
    scene.program(`const a = new Thing("a"); new Thing("b", { of: a.made });`);
    await scene.up();
    scene.calls();
    scene.world({ "delete b-1": { refused: "somebody changed color to pink" } });
    scene.program("");
    expect((await scene.up()).outcome).toBe("failed");
    expect(scene.calls()).toEqual(["delete b-1"]);
    scene.world({});
    expect((await scene.destroy()).steps).toEqual(["delete b", "delete a"]);
  });

  scenario("a replacement whose old one may not be deleted first is not made", async (scene) => {
    scene.program(`new Thing("a", { key: "k1", first: true });`);
    await scene.up();
    scene.calls();
    scene.world({ "delete a-1": { refused: "somebody changed color to pink" } });
    scene.program(`new Thing("a", { key: "k2", first: true });`);
    expect((await scene.up()).outcome).toBe("failed");
    expect(scene.calls()).toEqual(["delete a-1"]);
    expect(scene.saved("a")?.id).toBe("a-1");
  });

  scenario("a guard: what check refuses isn't begun", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.calls();
    scene.world({ "check a": { failures: [{ property: "color", reason: "is guarded" }] } });
    scene.program(`const a = new Thing("a", { color: "blue" }); new Thing("b", { of: a.made });`);
    expect((await scene.preview()).outcome).toBe("failed");
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain("is guarded");
    expect(scene.calls()).toEqual([]);
    expect(scene.saved("a")?.outputs).toMatchObject({ color: "red" });
  });
});
