// base <- user: a change of base's key replaces base and its dependents.
import { describe, expect } from "vitest";
import { inBothForms, scenarios } from "./scenario.ts";
import type { Scene } from "./scene.ts";

const scenario = scenarios("replace");
const both = inBothForms(scenario);

const chain = (key: string, first = false) => `
  const base = new Thing("base", { key: ${JSON.stringify(key)}, first: ${first} });
  new Thing("user", { key: base.made, first: ${first} });
`;

describe("replacements, as recorded with pulumi", () => {
  both("makes the new one, moves what depends on it, then deletes the old ones", async (scene) => {
    scene.program(chain("k1"));
    await scene.up();
    scene.calls();
    scene.program(chain("k2"));
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(ran.steps).toEqual([
      "create-replacement base",
      "create-replacement user",
      "delete-replaced user",
      "delete-replaced base",
    ]);
    expect(scene.calls()).toEqual([
      'create base {"first":false,"key":"k2"}',
      'create user {"first":false,"key":"base-2!"}',
      "delete user-1",
      "delete base-1",
    ]);
  });

  scenario(
    "with delete first, deletes dependents, then the old one, then creates both again",
    async (scene) => {
      scene.program(chain("k1", true));
      await scene.up();
      scene.calls();
      scene.program(chain("k2", true));
      const ran = await scene.up();
      expect(ran.outcome).toBe("succeeded");
      expect(scene.calls()).toEqual([
        "delete user-1",
        "delete base-1",
        'create base {"first":true,"key":"k2"}',
        'create user {"first":true,"key":"base-2!"}',
      ]);
    },
  );

  scenario("the option deleteBeforeReplace outranks the provider", async (scene) => {
    const program = (key: string) => `new Thing("a", { key: "${key}" }, { deleteBeforeReplace: true });`;
    scene.program(program("k1"));
    await scene.up();
    scene.calls();
    scene.program(program("k2"));
    await scene.up();
    expect(scene.calls()).toEqual(["delete a-1", 'create a {"key":"k2"}']);
  });

  scenario(
    "the option replaceOnChanges replaces where the provider leaves the comparison to the engine",
    async (scene) => {
      const program = (color: string) =>
        `new Thing("a", { color: "${color}" }, { replaceOnChanges: ["color"] });`;
      scene.program(program("red"));
      await scene.up();
      scene.calls();
      scene.world({ "diff a-1": { answer: {} } });
      scene.program(program("blue"));
      await scene.up();
      expect(scene.calls()).toEqual(['create a {"color":"blue"}', "delete a-1"]);
    },
  );

  scenario("and does nothing where the provider has compared itself", async (scene) => {
    const program = (color: string) =>
      `new Thing("a", { color: "${color}" }, { replaceOnChanges: ["color"] });`;
    scene.program(program("red"));
    await scene.up();
    scene.calls();
    scene.program(program("blue"));
    await scene.up();
    expect(scene.calls()).toEqual(['update a-1 {"color":"blue"}']);
  });

  both("a new one that can't be made leaves the old one as it was", async (scene) => {
    scene.program(`new Thing("a", { key: "k1" });`);
    await scene.up();
    scene.calls();
    scene.world({ "create a": { error: "no room" } });
    scene.program(`new Thing("a", { key: "k2" });`);
    const failed = await scene.up();
    expect(failed.outcome).toBe("failed");
    expect(failed.messages).toContain("no room");
    expect(scene.saved("a")?.id).toBe("a-1");
    scene.world({});
    await scene.up();
    expect(scene.saved("a")?.outputs).toMatchObject({ key: "k2" });
    expect(scene.state().resources?.filter(({ urn }) => urn.endsWith("::a"))).toHaveLength(1);
    expect(scene.cloud("a-1")).toBeUndefined();
  });

  scenario("an old one that can't be deleted is deleted by the next run", async (scene) => {
    scene.program(`new Thing("a", { key: "k1" });`);
    await scene.up();
    scene.world({ "delete a-1": { error: "in use" } });
    scene.program(`new Thing("a", { key: "k2" });`);
    expect((await scene.up()).outcome).toBe("failed");
    expect(scene.state().resources?.filter(({ urn }) => urn.endsWith("::a"))).toHaveLength(2);
    scene.world({});
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.cloud("a-1")).toBeUndefined();
    expect(scene.state().resources?.filter(({ urn }) => urn.endsWith("::a"))).toHaveLength(1);
  });

  scenario("delete first that was cut off between the two goes on with the making", async (scene) => {
    scene.program(`new Thing("a", { key: "k1", first: true });`);
    await scene.up();
    scene.world({ "create a": { error: "no room" } });
    scene.program(`new Thing("a", { key: "k2", first: true });`);
    expect((await scene.up()).outcome).toBe("failed");
    scene.world({});
    scene.calls();
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(['create a {"first":true,"key":"k2"}']);
    expect(scene.state().resources?.filter(({ urn }) => urn.endsWith("::a"))).toHaveLength(1);
  });

  /** Runs a changed program of the chain, whose user can't be deleted at first. */
  async function keepsBase(scene: Scene, program: string) {
    scene.program(chain("k1"));
    await scene.up();
    scene.program(program);
    scene.world({ "delete user-1": { error: "no" } });
    scene.calls();
    expect((await scene.up()).outcome).toBe("failed");
    expect((await scene.up()).outcome).toBe("failed");
    expect(scene.calls().filter((call) => call.startsWith("delete"))).toEqual([
      "delete user-1",
      "delete user-1",
    ]);
    scene.world({});
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(["delete user-1", "delete base-1"]);
  }

  scenario("keeps what an old one needs that can't be deleted, however often it is tried", (scene) =>
    keepsBase(scene, chain("k2")),
  );

  scenario("keeps what a resource needs that can't be deleted, however often it is tried", (scene) =>
    keepsBase(scene, 'new Thing("base", { key: "k2", first: false });'),
  );

  scenario("what is deleted first for two that it needs is deleted once", async (scene) => {
    const program = (key: string) => `
      const a = new Thing("a", { key: "${key}", first: true });
      const b = new Thing("b", { key: "${key}", first: true }, { dependsOn: [a] });
      new Thing("c", { key: pulumi.interpolate\`\${a.made}\${b.made}\`, first: true });
    `;
    scene.program(program("k1"));
    await scene.up();
    scene.calls();
    scene.program(program("k2"));
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.calls().filter((call) => call.startsWith("delete c"))).toEqual(["delete c-1"]);
  });
});
