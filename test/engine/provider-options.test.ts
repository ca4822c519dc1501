// Options for the plugin of a resource: version and download URL.
import { expect } from "vitest";
import { scenarios } from "./scenario.ts";
import { pluggedText, type Scene } from "./scene.ts";

const scenario = scenarios("provider-options");

function plug(scene: Scene) {
  scene.write("Pulumi.yaml", pluggedText);
  scene.write("Pulumi.dev.yaml", "config:\n  scene:region: north\n");
}

const nameIn = (reference: unknown) => String(reference).split("::")[3];
/** The names of the provider resources in the state. */
const providersOf = (scene: Scene) =>
  (scene.state().resources ?? [])
    .filter(({ type }) => type.startsWith("pulumi:providers:"))
    .map(({ urn }) => nameIn(urn))
    .sort();
/** The name of a resource's provider in the state. */
const providerOf = (scene: Scene, name: string) => nameIn(scene.saved(name)?.provider);

scenario("version: each one has a default provider, which goes when nothing asks for it", async (scene) => {
  plug(scene);
  scene.program(`new Plugged("a", {}, { version: "1.0.0" }); new Plugged("b");`);
  await scene.up();
  expect(providersOf(scene)).toEqual(["default", "default_1_0_0"]);
  scene.program(`new Plugged("a", {}, { version: "1.2.0-rc.1+linux" }); new Plugged("b");`);
  const ran = await scene.up();
  expect(ran.steps.toSorted()).toEqual(["same a", "same b"]);
  expect(providerOf(scene, "a")).toBe("default_1_2_0_rc_1_linux");
  // A resource without a version gets the newest in the state before the run.
  expect(providerOf(scene, "b")).toBe("default_1_0_0");
  scene.program(`new Plugged("a"); new Plugged("b");`);
  await scene.up();
  expect(providersOf(scene)).toEqual(["default_1_2_0_rc_1_linux"]);
  expect((await scene.destroy()).outcome).toBe("succeeded");
  expect(providersOf(scene)).toEqual([]);
});

scenario("version: what is no version is an error", async (scene) => {
  plug(scene);
  scene.program(`new Plugged("a", {}, { version: "1.0" });`);
  expect((await scene.up()).outcome).toBe("failed");
  expect(scene.calls()).toEqual([]);
});

scenario("pluginDownloadURL: each one has a default provider, for each version", async (scene) => {
  plug(scene);
  scene.program(`new Plugged("a", {}, { pluginDownloadURL: "https://example.com/a b/" });`);
  await scene.up();
  expect(providersOf(scene)).toEqual(["default_https_/example.com/a_b"]);
  scene.program(`
    new Plugged("a", {}, { version: "1.0.0", pluginDownloadURL: "https://example.com/a b/" });
    new Plugged("b");`);
  expect((await scene.up()).steps.toSorted()).toEqual(["create b", "same a"]);
  expect(providersOf(scene)).toEqual([
    "default_1_0_0_https_/example.com/a_b",
    "default_https_/example.com/a_b",
  ]);
});

scenario(
  "of an explicit provider: both are among its arguments, and stay where it says none",
  async (scene) => {
    const program = (options: string) => `
    const p = new Provider("p", { region: "south" }${options});
    new Plugged("a", {}, { provider: p });`;
    plug(scene);
    scene.program(program(`, { version: "0.9.0", pluginDownloadURL: "https://example.com/a" }`));
    await scene.up();
    expect(scene.saved("p")?.inputs).toMatchObject({ version: "0.9.0" });
    scene.program(program(`, { version: "1.0.0" }`));
    expect((await scene.up()).steps).toEqual(["same a"]);
    expect(scene.saved("p")).toMatchObject({
      inputs: { version: "1.0.0", __internal: {} },
      modified: expect.anything(),
    });
    scene.program(program(""));
    await scene.up();
    expect(scene.saved("p")?.inputs).toMatchObject({ version: "1.0.0" });
  },
);

scenario(
  "of a function and of what is only read: the default provider of that version is asked",
  async (scene) => {
    plug(scene);
    scene.edit("old-7", { label: "a", color: "red", made: "old-7!" });
    scene.program(`
    const look = (options) => pulumi.output(pulumi.runtime.invoke("scene:index:look", { of: "a" }, options)).seen;
    out.seen = look({ version: "1.0.0" });
    out.other = look({});
    new Plugged("a", {}, { id: "old-7", version: "0.9.0" });`);
    expect((await scene.up()).outputs).toEqual({ seen: "a in north by 1.0.0", other: "a in north" });
    expect(providersOf(scene)).toEqual(["default", "default_0_9_0", "default_1_0_0"]);
    expect(providerOf(scene, "a")).toBe("default_0_9_0");
  },
);

scenario("of dynamic resources: their default provider is named like any other", async (scene) => {
  scene.program(`new Thing("a", {}, { version: "1.0.0" });`);
  await scene.up();
  expect(providersOf(scene)).toEqual(["default_1_0_0"]);
  scene.program(`new Thing("a"); new Thing("b", {}, { pluginDownloadURL: "https://example.com/a" });`);
  expect((await scene.up()).steps.toSorted()).toEqual(["create b", "same a"]);
  expect(providersOf(scene)).toEqual(["default_1_0_0", "default_1_0_0_https_/example.com/a"]);
});
