// Hooks: functions of the program's that run before and after something is done to a resource, and when it failed.
import { describe, expect } from "vitest";
import { scenarios } from "./scenario.ts";
import type { Scene } from "./scene.ts";

const scenario = scenarios("hooks");

/** Hooks that note what they are told in hooks.log; what they are called by says what they do. */
const helpers = `
  const { appendFileSync, writeFileSync } = require("node:fs");
  const told = (...all) => appendFileSync("hooks.log", all.filter((one) => one !== undefined).join(" ") + "\\n");
  const note = (name, options) => new pulumi.ResourceHook(name, (args) => {
    const { newInputs, oldInputs, newOutputs, oldOutputs } = args;
    const said = { newInputs, oldInputs, newOutputs, oldOutputs };
    const shown = Object.entries(said).filter(([, value]) => value !== undefined)
      .map(([key, { color, made }]) => key + ":" + (color ?? "") + (made === undefined ? "" : "," + made));
    told(name, args.name, args.id, ...shown);
    if (name.startsWith("failing")) throw new Error("not today");
  }, options);
  const every = Object.fromEntries(["beforeCreate", "afterCreate", "beforeUpdate", "afterUpdate", "beforeDelete", "afterDelete"]
    .map((key) => [key, [note(key)]]));
`;
const using = (scene: Scene, body: string) => scene.program(`${helpers}${body}`);
const words = (lines: readonly string[], count: number) =>
  lines.map((line) => line.split(" ").slice(0, count).join(" "));
/** What the hooks were told since the last look. */
function noted(scene: Scene): readonly string[] {
  const lines = scene.read("hooks.log").split("\n").slice(0, -1);
  scene.write("hooks.log", "");
  return lines;
}

describe("hooks before and after", () => {
  scenario(
    "a create, an update, a replacement and a delete are told what was and what will be",
    async (scene) => {
      using(scene, `new Thing("a", { color: "red" }, { hooks: every });`);
      await scene.preview();
      expect(noted(scene)).toEqual([]);
      await scene.up();
      expect(noted(scene)).toEqual([
        "beforeCreate a  newInputs:red",
        "afterCreate a a-1 newInputs:red newOutputs:red,a-1!",
      ]);
      expect(scene.saved("a")).toMatchObject({ resourceHooks: { AfterDelete: ["afterDelete"] } });
      using(scene, `new Thing("a", { color: "blue" }, { hooks: every });`);
      await scene.up();
      expect(noted(scene)).toEqual([
        "beforeUpdate a a-1 newInputs:blue oldInputs:red oldOutputs:red,a-1!",
        "afterUpdate a a-1 newInputs:blue oldInputs:red newOutputs:blue,a-1! oldOutputs:red,a-1!",
      ]);
      using(scene, `new Thing("a", { color: "blue", key: "k" }, { hooks: every });`);
      await scene.up();
      expect(words(noted(scene), 3)).toEqual([
        "beforeCreate a ",
        "afterCreate a a-2",
        "beforeDelete a a-1",
        "afterDelete a a-1",
      ]);
      using(scene, "");
      await scene.up();
      expect(noted(scene)).toEqual([
        "beforeDelete a a-2 oldInputs:blue oldOutputs:blue,a-2!",
        "afterDelete a a-2 oldInputs:blue oldOutputs:blue,a-2!",
      ]);
      expect(scene.saved("a")).toBeUndefined();
    },
  );

  scenario("one that is registered late is there when its resource is deleted", async (scene) => {
    using(scene, `new Thing("a", {}, { hooks: every });`);
    await scene.up();
    noted(scene);
    // The SDK names a hook to the engine once the program serves it, which takes as long as it takes.
    const late = `
      const callbacks = require("@pulumi/pulumi/runtime/settings").getCallbacks();
      const served = callbacks._target;
      callbacks._target = (async () => {
        for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
        return served;
      })();`;
    scene.program(`${late}${helpers}`);
    await scene.up();
    expect(words(noted(scene), 3)).toEqual(["beforeDelete a a-1", "afterDelete a a-1"]);
  });

  scenario(
    "one that says so runs in a preview too, and a plain function is one by its place",
    async (scene) => {
      using(
        scene,
        `
      const first = ({ newInputs }) => told("function", newInputs.color);
      new Thing("a", { color: "red" }, { hooks: { beforeCreate: [note("early", { onDryRun: true }), first] } });`,
      );
      await scene.preview();
      expect(noted(scene)).toEqual(["early a  newInputs:red"]);
      await scene.up();
      expect(noted(scene)).toEqual(["early a  newInputs:red", "function red"]);
      expect(scene.saved("a")?.resourceHooks).toEqual({
        BeforeCreate: ["early", "pulumi-nodejs:dynamic/scene:Thing_a_beforeCreate_1"],
      });
    },
  );

  scenario("of a component: after its create when it has its outputs", async (scene) => {
    using(
      scene,
      `new Group("g", (parent) => {
      new Thing("a", {}, { parent });
      return { color: "green" };
    }, { hooks: every });`,
    );
    await scene.up();
    expect(words(noted(scene), 2)).toEqual(["beforeCreate g", "afterCreate g"]);
    using(scene, "");
    await scene.up();
    const told = noted(scene);
    expect(words(told, 2)).toEqual(["beforeDelete g", "afterDelete g"]);
    expect(told[0]).toContain("oldOutputs:green");
  });
});

describe("a hook that fails", () => {
  scenario("before a create or a delete: nothing is done", async (scene) => {
    using(scene, `new Thing("a", {}, { hooks: { beforeCreate: [note("failing")] } });`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain('before hook "failing" failed: not today');
    expect(scene.saved("a")).toBeUndefined();
    using(scene, `new Thing("a", {}, { hooks: { beforeDelete: [note("failing")] } });`);
    await scene.up();
    using(scene, "");
    expect((await scene.up()).outcome).toBe("failed");
    expect(scene.saved("a")).toBeDefined();
    expect(scene.calls()).toEqual(["create a {}"]);
  });

  scenario("after a create: it is made, and the run has failed", async (scene) => {
    using(scene, `new Thing("a", {}, { hooks: { afterCreate: [note("failing")] } });`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain('after hook "failing" failed: not today');
    expect(scene.saved("a")?.id).toBe("a-1");
    expect((await scene.up()).steps).toEqual(["same a"]);
  });

  scenario("whose errors are ignored: a warning", async (scene) => {
    using(
      scene,
      `
      const failing = note("failing", { ignoreErrors: true });
      new Thing("a", {}, { hooks: { beforeCreate: [failing], afterCreate: [failing] } });`,
    );
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(ran.messages).toContain('BeforeCreate hook "failing" failed: not today');
  });
});

describe("hooks of a delete, where the program doesn't have them", () => {
  scenario("nothing is deleted, by a run of it or by destroy", async (scene) => {
    using(scene, `new Thing("a", {}, { hooks: every });`);
    await scene.up();
    scene.calls();
    scene.program("");
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain('hook "beforeDelete" was not registered');
    expect((await scene.destroy()).outcome).toBe("failed");
    expect(scene.calls()).toEqual([]);
    expect(scene.saved("a")).toBeDefined();
  });
});

describe("hooks of an error", () => {
  const retrying = (more = "") => `
    const again = new pulumi.ErrorHook("again", ({ failedOperation, errors, name }) => {
      told(failedOperation, name, errors.length, errors[0].includes("no room"));
      ${more}
    });`;
  scenario("try again until it succeeds: create, update and delete", async (scene) => {
    const fixed = 'if (errors.length === 2) writeFileSync("world.json", "{}"); return true;';
    scene.world({ "create a": { error: "no room" } });
    using(scene, `${retrying(fixed)} new Thing("a", { color: "red" }, { hooks: { onError: [again] } });`);
    expect((await scene.up()).messages).toContain("retrying create due to on-error hook request");
    scene.world({ "update a-3": { error: "no room" } });
    using(scene, `${retrying(fixed)} new Thing("a", { color: "blue" }, { hooks: { onError: [again] } });`);
    await scene.up();
    scene.world({ "delete a-3": { error: "no room" } });
    using(scene, retrying(fixed));
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(noted(scene)).toEqual(
      ["create", "update", "delete"].flatMap((verb) => [`${verb} a 1 true`, `${verb} a 2 true`]),
    );
    expect(scene.calls()).toHaveLength(9);
  });

  scenario("one that doesn't want to leaves it failed, and so does one that fails itself", async (scene) => {
    scene.world({ "create a": { error: "no room" } });
    using(scene, `${retrying("return false;")} new Thing("a", {}, { hooks: { onError: [again] } });`);
    expect((await scene.up()).outcome).toBe("failed");
    using(
      scene,
      `${retrying('throw new Error("not today");')} new Thing("a", {}, { hooks: { onError: [again] } });`,
    );
    const ran = await scene.up();
    expect(ran.messages).toContain('error hook "again" failed: not today');
    expect(scene.calls()).toEqual(["create a {}", "create a {}"]);
  });
});
