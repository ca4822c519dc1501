// Property values: outputs as inputs, secrets, unknowns, and special values.
import { describe, expect } from "vitest";
import { scenarios } from "./scenario.ts";

const scenario = scenarios("values");

describe("property values, as recorded with pulumi", () => {
  scenario("outputs chain through apply, all, interpolate and nested places", async (scene) => {
    scene.program(`
      const a = new Thing("a", { color: "red" });
      const b = new Thing("b", { deep: { list: [a.made, pulumi.interpolate\`<\${a.color}>\`] } });
      out.both = pulumi.all([a.made, b.deep]).apply(([made, deep]) => made + deep.list[1]);
    `);
    const ran = await scene.up();
    expect(ran.outputs).toEqual({ both: "a-1!<red>" });
    expect(scene.calls()).toEqual([
      'create a {"color":"red"}',
      'create b {"deep":{"list":["a-1!","<red>"]}}',
    ]);
  });

  scenario("a preview passes on that it doesn't know, and applies nothing to it", async (scene) => {
    scene.program(`
      const a = new Thing("a");
      const b = new Thing("b", { of: a.made.apply((made) => { if (made !== "a-1!") throw new Error("applied to " + made); return made; }) });
      out.made = b.of;
    `);
    expect((await scene.preview()).outcome).toBe("succeeded");
    expect((await scene.up()).outputs).toEqual({ made: "a-1!" });
  });

  scenario("secrets of config are secrets in the state, and clear to the provider", async (scene) => {
    scene.program(`
      const a = new Thing("a", { key: config.requireSecret("word"), open: "yes" });
      out.key = a.key;
      out.made = pulumi.interpolate\`\${a.key}/\${a.open}\`;
    `);
    scene.write("Pulumi.dev.yaml", "config:\n  scene:word:\n    secure: PLACEHOLDER\n");
    const { newEncryptionSalt, openCrypter } = await import("../../engine/project/secrets.ts");
    const salt = newEncryptionSalt("correct horse");
    const secure = openCrypter("correct horse", salt).encrypt("xyzzy");
    scene.write(
      "Pulumi.dev.yaml",
      `encryptionsalt: ${salt}\nconfig:\n  scene:word:\n    secure: ${secure}\n`,
    );
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(ran.outputs).toEqual({ key: "xyzzy", made: "xyzzy/yes" });
    expect(scene.calls()).toEqual(['create a {"key":"xyzzy","open":"yes"}']);
    expect(scene.read("backend/.pulumi/stacks/scene/dev.json")).not.toContain("xyzzy");
    expect((await scene.up()).steps).toEqual(["same a"]);
  });

  scenario("empty, zero, false, null and left out are five things", async (scene) => {
    scene.program(`new Thing("a", { text: "", zero: 0, no: false, list: [], none: undefined, object: {} });`);
    await scene.up();
    expect(scene.calls()).toEqual(['create a {"list":[],"no":false,"object":{},"text":"","zero":0}']);
    expect((await scene.up()).steps).toEqual(["same a"]);
  });

  scenario("text of every script survives", async (scene) => {
    const text = 'Скидка 10 % — 特価 \u{1F3FA} <b>&amp;</b> \\ " \n\t';
    scene.program(`const a = new Thing("a", { text: ${JSON.stringify(text)} }); out.text = a.text;`);
    expect((await scene.up()).outputs).toEqual({ text });
    expect((await scene.refresh()).steps).toEqual(["same a"]);
  });

  scenario("get reads what is there without taking it over", async (scene) => {
    scene.edit("other-1", { color: "green", made: "other-1!" });
    scene.program(`const other = Thing.get("other", "other-1"); new Thing("a", { of: other.made });`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("succeeded");
    expect(scene.calls()).toEqual(["read other-1", 'create a {"of":"other-1!"}']);
    expect(scene.saved("other")?.external).toBe(true);
    scene.program("");
    await scene.up();
    expect(scene.calls()).toEqual(["delete a-1"]);
    expect(scene.cloud("other-1")).toBeDefined();
  });
});
