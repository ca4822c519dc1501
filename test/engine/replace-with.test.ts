// The option replaceWith: resources replaced together with another one.
import { expect } from "vitest";
import { scenarios } from "./scenario.ts";

const scenario = scenarios("replace-with");
const program = (key: string, more = "") => `
  const a = new Thing("a", { key: "${key}"${more} });
  new Thing("b", {}, { replaceWith: [a] });`;

scenario("one that is replaced takes the other along, whose arguments are the same", async (scene) => {
  scene.program(program("k1"));
  await scene.up();
  scene.calls();
  expect((await scene.up()).steps).toEqual(["same a", "same b"]);
  scene.program(program("k2"));
  const planned = await scene.preview();
  expect(scene.calls()).toEqual([]);
  expect((await scene.up()).steps).toEqual(planned.steps);
  expect(scene.calls()).toEqual(['create a {"key":"k2"}', "create b {}", "delete b-1", "delete a-1"]);
});

scenario("one that is only updated leaves the other alone", async (scene) => {
  scene.program(program("k1"));
  await scene.up();
  scene.calls();
  scene.program(program("k1", ', color: "red"'));
  expect((await scene.up()).steps).toEqual(["update a", "same b"]);
});

scenario("one that is deleted first has the other deleted before it", async (scene) => {
  scene.program(program("k1", ", first: true"));
  await scene.up();
  scene.calls();
  scene.program(program("k2", ", first: true"));
  expect((await scene.up()).outcome).toBe("succeeded");
  expect(scene.calls()).toEqual([
    "delete b-1",
    "delete a-1",
    'create a {"first":true,"key":"k2"}',
    "create b {}",
  ]);
});

scenario("a chain is replaced as a whole, whatever makes room first", async (scene) => {
  const chain = (key: string, first: boolean) => `
    const a = new Thing("a", { key: "${key}", first: ${first} });
    const b = new Thing("b", {}, { replaceWith: [a] });
    new Thing("c", {}, { replaceWith: [b] });`;
  scene.program(chain("k1", false));
  await scene.up();
  scene.program(chain("k2", false));
  await scene.up();
  expect(scene.saved("c")?.id).toBe("c-2");
  scene.program(chain("k3", true));
  await scene.up();
  expect(scene.saved("c")?.id).toBe("c-3");
});

scenario("replacing one by its name replaces the other", async (scene) => {
  scene.program(program("k1"));
  await scene.up();
  scene.calls();
  expect((await scene.up({ replace: ["a"] })).outcome).toBe("succeeded");
  expect(scene.saved("b")?.id).toBe("b-2");
});

scenario("one of many that is replaced is enough", async (scene) => {
  const many = (key: string) => `
    const [a, z] = [new Thing("a"), new Thing("z", { key: "${key}" })];
    new Thing("b", {}, { replaceWith: [a, z] });`;
  scene.program(many("k1"));
  await scene.up();
  scene.calls();
  scene.program(many("k2"));
  await scene.up();
  expect(scene.calls()).toEqual(['create z {"key":"k2"}', "create b {}", "delete b-1", "delete z-1"]);
});

scenario("a protected one keeps it from being deleted first", async (scene) => {
  const guarded = (key: string) => `
    const a = new Thing("a", { key: "${key}", first: true });
    new Thing("b", {}, { replaceWith: [a], protect: true });`;
  scene.program(guarded("k1"));
  await scene.up();
  scene.calls();
  scene.program(guarded("k2"));
  const ran = await scene.up();
  expect(ran.outcome).toBe("failed");
  expect(ran.messages).toContain("protect");
  expect(scene.calls()).toEqual([]);
});

scenario("is in the state, follows a rename, and goes with what it names", async (scene) => {
  scene.program(program("k1"));
  await scene.up();
  scene.calls();
  expect(scene.saved("b")?.replaceWith).toEqual([scene.saved("a")?.urn]);
  scene.program(`
    const a = new Thing("c", { key: "k1", label: "a" }, { aliases: [{ name: "a" }] });
    new Thing("b", {}, { replaceWith: [a] });`);
  await scene.up();
  expect(scene.saved("b")?.replaceWith).toEqual([scene.saved("c")?.urn]);
  scene.program(`new Thing("b");`);
  await scene.up();
  expect(scene.saved("b")?.replaceWith).toBeUndefined();
  expect(scene.calls()).toEqual(["delete a-1"]);
});
