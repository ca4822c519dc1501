// Changes by others are found, written to the state, and reverted by the next up.
import { describe, expect } from "vitest";
import { inBothForms, scenarios } from "./scenario.ts";

const scenario = scenarios("refresh");
const both = inBothForms(scenario);

describe("refresh, as recorded with pulumi", () => {
  scenario("without changes finds none, and the preview after it shows none", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.calls();
    expect((await scene.refresh()).steps).toEqual(["same a"]);
    expect(scene.calls()).toEqual(["read a-1"]);
    expect((await scene.preview()).steps).toEqual(["same a"]);
  });

  both("finds a hand edit; up heals it", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.edit("a-1", { ...scene.cloud("a-1"), color: "pink" });
    const found = await scene.refresh();
    expect(found.steps).toEqual(["update a"]);
    expect(scene.saved("a")?.outputs).toMatchObject({ color: "pink" });
    scene.calls();
    const healed = await scene.up();
    expect(healed.steps).toEqual(["update a"]);
    expect(scene.calls()).toEqual(['update a-1 {"color":"red"}']);
  });

  both("finds what was deleted; up creates it again", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.edit("a-1", undefined);
    expect((await scene.refresh()).steps).toEqual(["delete a"]);
    expect(scene.saved("a")).toBeUndefined();
    scene.calls();
    expect((await scene.up()).steps).toEqual(["create a"]);
    expect(scene.calls()).toEqual(['create a {"color":"red"}']);
  });

  both("up --refresh does both in one run", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.edit("a-1", { ...scene.cloud("a-1"), color: "pink" });
    scene.calls();
    expect((await scene.up({ refresh: true })).outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(["read a-1", 'update a-1 {"color":"red"}']);
    expect(scene.cloud("a-1")).toMatchObject({ color: "red" });
  });

  scenario("--preview-only finds it and leaves the state alone", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.edit("a-1", { ...scene.cloud("a-1"), color: "pink" });
    expect((await scene.refresh({ previewOnly: true })).steps).toEqual(["update a"]);
    expect(scene.saved("a")?.outputs).toMatchObject({ color: "red" });
  });

  scenario("a read that fails fails the run and keeps the state", async (scene) => {
    scene.program(`new Thing("a"); new Thing("b");`);
    await scene.up();
    scene.world({ "read a-1": { error: "nobody at home" } });
    const ran = await scene.refresh();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain("nobody at home");
    expect(scene.saved("a")?.id).toBe("a-1");
    expect(scene.saved("b")?.id).toBe("b-1");
  });
});
