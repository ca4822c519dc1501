// A failure affects only its resource: other results are kept, and the next run continues.
import { describe, expect } from "vitest";
import { scenarios } from "./scenario.ts";

const scenario = scenarios("failure");

describe("failures, as recorded with pulumi", () => {
  scenario("what was done before a failure is kept, the next run does the rest", async (scene) => {
    scene.program(
      `const a = new Thing("a"); const b = new Thing("b", { of: a.made }); new Thing("c", { of: b.made });`,
    );
    scene.world({ "create b": { error: "not today" } });
    const failed = await scene.up();
    expect(failed.outcome).toBe("failed");
    expect(failed.steps).toEqual(["create a", "create b failed"]);
    expect(failed.messages).toContain("not today");
    expect(scene.saved("a")?.id).toBe("a-1");
    scene.world({});
    scene.calls();
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(['create b {"of":"a-1!"}', 'create c {"of":"b-2!"}']);
  });

  scenario("a failed program deletes nothing", async (scene) => {
    scene.program(`new Thing("a"); new Thing("b");`);
    await scene.up();
    scene.calls();
    scene.program(`new Thing("a"); throw new Error("the program is wrong");`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain("the program is wrong");
    expect(scene.calls()).toEqual([]);
    expect(scene.saved("b")?.id).toBe("b-1");
  });

  scenario("arguments that check refuses are all told, with their property", async (scene) => {
    scene.program(`new Thing("a", { size: -1 });`);
    scene.world({
      "check a": {
        failures: [
          { property: "size", reason: "is less than nothing" },
          { property: "color", reason: "is missing" },
        ],
      },
    });
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    for (const part of ["size", "is less than nothing", "color", "is missing"])
      expect(ran.messages).toContain(part);
    expect(scene.calls()).toEqual([]);
  });

  scenario("a half-made resource is kept and tried again as an update", async (scene) => {
    scene.program(`new Thing("a", { color: "red" });`);
    scene.world({ "create a": { reasons: ["the paint was not dry", "and the brush was lost"] } });
    const failed = await scene.up();
    expect(failed.outcome).toBe("failed");
    expect(failed.messages).toContain("the paint was not dry");
    expect(scene.saved("a")).toMatchObject({
      id: "a-1",
      initErrors: ["the paint was not dry", "and the brush was lost"],
    });
    scene.world({});
    scene.calls();
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(['update a-1 {"color":"red"}']);
    expect(scene.saved("a")?.initErrors).toBeUndefined();
  });

  scenario("a delete that fails keeps the resource and what it stands on", async (scene) => {
    scene.program(`const a = new Thing("a"); new Thing("b", { of: a.made });`);
    await scene.up();
    scene.calls();
    scene.world({ "delete b-1": { error: "in use" } });
    scene.program("");
    const failed = await scene.up();
    expect(failed.outcome).toBe("failed");
    expect(scene.saved("a")?.id).toBe("a-1");
    expect(scene.saved("b")?.id).toBe("b-1");
    scene.world({});
    scene.calls();
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(["delete b-1", "delete a-1"]);
  });
});
