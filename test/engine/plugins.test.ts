// Plugins: started from their folder, with default and explicit configuration, and imports.
import { describe, expect, test } from "vitest";
import { embedded } from "./embedded.ts";
import { scenarios } from "./scenario.ts";
import { openScene, pluggedText, type Scene } from "./scene.ts";

const scenario = scenarios("plugins");

function plug(scene: Scene, config = "scene:region: north") {
  scene.write("Pulumi.yaml", pluggedText);
  scene.write("Pulumi.dev.yaml", `config:\n  ${config}\n`);
}

describe("a package's default provider, as recorded with pulumi", () => {
  scenario("is configured by the stack, and told of a preview", async (scene) => {
    plug(scene);
    scene.program(
      `const a = new Plugged("a", { color: "red" }); new Plugged("b", { of: a.made }); out.region = a.region;`,
    );
    expect((await scene.preview()).steps.toSorted()).toEqual(["create a", "create b"]);
    expect(scene.calls()).toEqual([]);
    expect((await scene.up()).outputs).toEqual({ region: "north" });
    expect(scene.calls()).toEqual(['create a {"color":"red"}', 'create b {"of":"a-1!"}']);
    scene.program(`const a = new Plugged("a", { color: "blue" }); new Plugged("b", { of: a.made });`);
    expect((await scene.preview()).steps.toSorted()).toEqual(["same b", "update a"]);
    expect((await scene.up()).steps.toSorted()).toEqual(["same b", "update a"]);
    scene.program(`new Plugged("a", { color: "blue" }, { replaceOnChanges: ["color"] });`);
    await scene.up();
    scene.program(`new Plugged("a", { color: "green" }, { replaceOnChanges: ["color"] });`);
    expect((await scene.up()).steps).toEqual(["create-replacement a", "delete-replaced a"]);
    scene.edit("a-2", undefined);
    expect((await scene.refresh()).outcome).toBe("succeeded");
    expect(scene.saved("a")).toBeUndefined();
    expect((await scene.destroy()).outcome).toBe("succeeded");
    expect(scene.state().resources ?? []).toEqual([]);
  });

  scenario("keeps what is secret marked, on the way there and back", async (scene) => {
    plug(scene, "scene:token: hush");
    scene.program(`new Plugged("a", { color: pulumi.secret("red") });`);
    await scene.up();
    expect(scene.read("backend/.pulumi/stacks/scene/dev.json")).not.toContain('"red"');
    expect((await scene.up()).steps).toEqual(["same a"]);
    scene.program(`new Plugged("a", { color: pulumi.secret("blue") });`);
    expect((await scene.up()).steps).toEqual(["update a"]);
  });

  scenario("that refuses its configuration fails the run, and nothing is begun", async (scene) => {
    plug(scene, "scene:region: nowhere");
    scene.program(`new Plugged("a", { color: "red" });`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain("is no region");
    expect(scene.calls()).toEqual([]);
  });

  scenario("keeps an object that was made and is not as asked, with its reasons", async (scene) => {
    plug(scene);
    scene.world({ "create a": { reasons: ["color was not taken"] } });
    scene.program(`new Plugged("a", { color: "red" });`);
    expect((await scene.up()).outcome).toBe("failed");
    expect(scene.saved("a")).toMatchObject({ id: "a-1", initErrors: ["color was not taken"] });
    scene.world({});
    expect((await scene.up()).steps).toEqual(["update a"]);
  });
});

describe("explicit providers, as recorded with pulumi", () => {
  const program = (region: string) => `
    const here = new Provider("here", { region: "south", token: pulumi.secret("hush") });
    const there = new Provider("there", { region: ${region} });
    new Plugged("a", { color: "red" }, { provider: here });
    new Plugged("b", { color: "red" }, { provider: there });`;

  scenario("each have their configuration, which may change", async (scene) => {
    plug(scene);
    scene.program(program(`"west"`));
    await scene.up();
    expect([scene.saved("a"), scene.saved("b")]).toMatchObject([
      { outputs: { region: "south" } },
      { outputs: { region: "west" } },
    ]);
    expect(scene.read("backend/.pulumi/stacks/scene/dev.json")).not.toContain("hush");
    expect((await scene.up()).steps.toSorted()).toEqual(["same a", "same b"]);
    scene.program(program(`"east"`));
    expect((await scene.preview()).steps.toSorted()).toEqual(["same a", "same b"]);
    expect((await scene.up()).steps.toSorted()).toEqual(["same a", "same b"]);
    expect(scene.saved("there")).toMatchObject({ outputs: { region: "east" } });
    scene.calls();
    expect((await scene.destroy()).outcome).toBe("succeeded");
    expect(scene.calls().toSorted()).toEqual(["delete a-1", "delete b-1"]);
  });

  scenario("may be of what is not known before the run", async (scene) => {
    plug(scene);
    scene.program(`const first = new Plugged("first", { color: "red" }); ${program("first.made")}`);
    const planned = await scene.preview();
    expect(planned.outcome).toBe("succeeded");
    expect(planned.steps.toSorted()).toEqual(["create a", "create b", "create first"]);
    await scene.up();
    expect(scene.saved("b")).toMatchObject({ outputs: { region: "first-1!" } });
  });
});

describe("the import option, as recorded with pulumi", () => {
  const old = { label: "a", color: "red" };
  scenario("takes over what is as the program says, by its id", async (scene) => {
    plug(scene);
    scene.edit("old-7", { ...old, made: "old-7!" });
    scene.program(`new Plugged("a", { color: "red" }, { import: "old-7" });`);
    expect((await scene.preview()).steps).toEqual(["import a"]);
    expect((await scene.up()).steps).toEqual(["import a"]);
    expect(scene.calls()).toEqual(["read old-7", "read old-7"]);
    expect(scene.saved("a")).toMatchObject({ id: "old-7", importID: "old-7", inputs: old });
    expect((await scene.up()).steps).toEqual(["same a"]);
    scene.program(`new Plugged("a", { color: "red" });`);
    expect((await scene.up()).steps).toEqual(["same a"]);
  });

  scenario("brings what differs to what the program says, and shows it", async (scene) => {
    plug(scene);
    scene.edit("old-7", { ...old, made: "old-7!" });
    scene.program(`new Plugged("a", { color: "blue" }, { import: "old-7" });`);
    expect((await scene.preview()).steps).toEqual(["import a", "update a"]);
    expect((await scene.up()).steps).toEqual(["import a", "update a"]);
    expect(scene.cloud("old-7")).toMatchObject({ color: "blue" });
  });

  scenario("of what isn't there is an error", async (scene) => {
    plug(scene);
    scene.program(`new Plugged("a", { color: "red" }, { import: "old-7" });`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain("does not exist");
    expect(scene.saved("a")).toBeUndefined();
  });

  scenario("of what would be replaced is an error", async (scene) => {
    plug(scene);
    scene.edit("old-7", { ...old, key: "k1", made: "old-7!" });
    scene.program(`new Plugged("a", { color: "red", key: "k2" }, { import: "old-7" });`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(scene.cloud("old-7")).toMatchObject({ key: "k1" });
  });

  scenario("of another id takes the place of what there was", async (scene) => {
    plug(scene);
    scene.program(`new Plugged("a", { color: "red" });`);
    await scene.up();
    scene.edit("old-7", { ...old, made: "old-7!" });
    scene.program(`new Plugged("a", { color: "red" }, { import: "old-7" });`);
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.saved("a")).toMatchObject({ id: "old-7" });
    expect(scene.cloud("a-1")).toBeUndefined();
  });
});

scenario(
  "a resource moves between a dynamic provider and a plugin by an alias of its type",
  async (scene) => {
    const [dynamic, own] = ["pulumi-nodejs:dynamic/scene:Thing", "scene:index:Thing"];
    plug(scene);
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    scene.calls();
    scene.program(`new Plugged("a", { color: "red" }, { aliases: [{ type: "${dynamic}" }] });`);
    expect((await scene.up()).steps).toEqual(["same a"]);
    expect(scene.saved("a")).toMatchObject({ type: own, id: "a-1" });
    scene.program(`new Thing("a", { color: "red" }, { aliases: [{ type: "${own}" }] });`);
    expect((await scene.up()).steps).toEqual(["same a"]);
    expect(scene.saved("a")).toMatchObject({ type: dynamic, id: "a-1" });
    expect(scene.calls()).toEqual([]);
  },
);

scenario(
  "functions are asked of the default provider, or of the one that the program names",
  async (scene) => {
    plug(scene);
    scene.program(`
    const south = new Provider("south", { region: "south" });
    const look = (args, options) => pulumi.runtime.invoke("scene:index:look", args, options);
    out.own = pulumi.output(look({ of: "a" })).seen;
    out.other = pulumi.output(look({ of: "a" }, { provider: south })).seen;`);
    expect((await scene.up()).outputs).toEqual({ own: "a in north", other: "a in south" });
  },
);

test("a plugin without TypeScript starts even if no compiler understands the project's tsconfig.json", async () => {
  const scene = openScene([embedded]);
  plug(scene);
  scene.write("tsconfig.json", '{ "compilerOptions": { "module": "of-a-later-year" } }');
  scene.program('new Plugged("a", { color: "red" });');
  expect(await scene.preview()).toMatchObject({ outcome: "succeeded", steps: ["create a"] });
});
