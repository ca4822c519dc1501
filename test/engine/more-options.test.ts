// Combinations of resource options, and changes of them.
import { describe, expect } from "vitest";
import { scenarios } from "./scenario.ts";

const scenario = scenarios("more-options");

describe("resource options together", () => {
  scenario("protect taken off in the run that replaces: it is replaced", async (scene) => {
    scene.program(`new Thing("a", { key: "k1" }, { protect: true });`);
    await scene.up();
    scene.calls();
    scene.program(`new Thing("a", { key: "k2" });`);
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(['create a {"key":"k2"}', "delete a-1"]);
  });

  scenario("protect and other options are kept in the state when nothing else changes", async (scene) => {
    scene.program(`const a = new Thing("a"); new Thing("b");`);
    await scene.up();
    scene.calls();
    scene.program(`
      const a = new Thing("a");
      new Thing("b", {}, { protect: true, retainOnDelete: true, deletedWith: a, dependsOn: [a] });
    `);
    expect((await scene.up()).steps).toEqual(["same a", "same b"]);
    expect(scene.saved("b")).toMatchObject({ protect: true, retainOnDelete: true });
    scene.program(`const a = new Thing("a"); new Thing("b");`);
    await scene.up();
    expect(scene.saved("b")?.protect).toBeUndefined();
    expect(scene.calls()).toEqual([]);
  });

  scenario("retainOnDelete: a replacement leaves the old one where it is", async (scene) => {
    scene.program(`new Thing("a", { key: "k1" }, { retainOnDelete: true });`);
    await scene.up();
    scene.calls();
    scene.program(`new Thing("a", { key: "k2" }, { retainOnDelete: true });`);
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(['create a {"key":"k2"}']);
    expect(scene.cloud("a-1")).toBeDefined();
  });

  scenario("deletedWith: replaced with what it goes down with", async (scene) => {
    const program = (key: string) =>
      `const a = new Thing("a", { key: "${key}" }); new Thing("b", {}, { deletedWith: a });`;
    scene.program(program("k1"));
    await scene.up();
    scene.calls();
    scene.program(program("k2"));
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.saved("b")?.id).toBe("b-2");
  });

  scenario("ignoreChanges: an entry of a list, every entry, a new property", async (scene) => {
    const program = (one: number, more = "") =>
      `new Thing("a", { list: [{ n: ${one}, m: 1 }, { n: ${one}, m: 2 }]${more} },
        { ignoreChanges: ["list[*].n", "late"] });`;
    scene.program(program(1));
    await scene.up();
    scene.calls();
    scene.program(program(2, ', late: "x"'));
    await scene.up();
    scene.program(program(3, ', color: "red"'));
    await scene.up();
    expect(scene.calls().at(-1)).toContain('"color":"red"');
  });

  scenario("additionalSecretOutputs: said later, and taken back", async (scene) => {
    scene.program(`new Thing("a");`);
    await scene.up();
    scene.calls();
    scene.program(`new Thing("a", {}, { additionalSecretOutputs: ["made"] });`);
    await scene.up();
    expect(scene.read("backend/.pulumi/stacks/scene/dev.json")).not.toContain("a-1!");
    scene.program(`new Thing("a");`);
    await scene.up();
    expect(scene.calls()).toEqual([]);
  });

  scenario("aliases: by urn, and a second rename in the next run", async (scene) => {
    scene.program(`new Thing("one", { label: "x" });`);
    await scene.up();
    scene.calls();
    scene.program(`new Thing("two", { label: "x" },
      { aliases: ["urn:pulumi:dev::scene::pulumi-nodejs:dynamic/scene:Thing::one"] });`);
    await scene.up();
    scene.program(`new Thing("three", { label: "x" }, { aliases: [{ name: "one" }, { name: "two" }] });`);
    await scene.up();
    expect(scene.saved("three")?.id).toBe("x-1");
    expect(scene.calls()).toEqual([]);
  });

  scenario("aliases: what depends on a renamed one is left alone", async (scene) => {
    scene.program(
      `const a = new Thing("a", { label: "x" }); new Thing("b", { of: a.made }, { deletedWith: a });`,
    );
    await scene.up();
    scene.calls();
    scene.program(`
      const a = new Thing("c", { label: "x" }, { aliases: [{ name: "a" }] });
      new Thing("b", { of: a.made }, { deletedWith: a });
    `);
    await scene.up();
    expect(scene.calls()).toEqual([]);
    expect(scene.saved("b")?.deletedWith).toBe(scene.saved("c")?.urn);
  });

  scenario("customTimeouts are in the state, and a delete uses them", async (scene) => {
    scene.program(
      `new Thing("a", {}, { customTimeouts: { create: "5m", update: "1h30m", delete: "20s" } });`,
    );
    await scene.up();
    expect(scene.saved("a")?.customTimeouts).toMatchObject({ create: 300, update: 5400, delete: 20 });
    expect((await scene.destroy()).outcome).toBe("succeeded");
  });

  scenario("transformations change what is asked for, options too", async (scene) => {
    scene.program(`
      const tag = ({ props, opts }) => ({ props: { ...props, tag: "t" }, opts: { ...opts, protect: true } });
      new Group("g", (parent) => { new Thing("child", {}, { parent }); }, { transformations: [tag] });
    `);
    await scene.up();
    expect(scene.calls()).toEqual(['create child {"tag":"t"}']);
    expect(scene.saved("child")?.protect).toBe(true);
  });

  scenario("replacementTrigger: another value replaces, the same one doesn't", async (scene) => {
    const program = (value: string) => `new Thing("a", {}, { replacementTrigger: ${value} });`;
    scene.program(program('"one"'));
    await scene.up();
    scene.calls();
    await scene.up();
    expect(scene.calls()).toEqual([]);
    scene.program(program('{ deep: ["two"] }'));
    await scene.up();
    expect(scene.calls()).toEqual(["create a {}", "delete a-1"]);
  });

  scenario("hideDiffs hides and changes nothing else", async (scene) => {
    const program = (color: string) => `new Thing("a", { color: "${color}" }, { hideDiffs: ["color"] });`;
    scene.program(program("red"));
    await scene.up();
    scene.calls();
    scene.program(program("blue"));
    expect((await scene.up()).steps).toEqual(["update a"]);
    expect(scene.calls()).toEqual(['update a-1 {"color":"blue"}']);
  });
});
