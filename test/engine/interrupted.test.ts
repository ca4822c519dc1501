// Interrupted and special runs, with dynamic resources and with the plugin: killed, cancelled, partly failed; tainted
// resources, a renamed stack, a move to the other form. The next run must make the same calls as pulumi.
import { expect } from "vitest";
import type { Difference } from "./record.ts";
import { scenarios } from "./scenario.ts";
import { pluggedText, type Scene } from "./scene.ts";

const scenario = scenarios("interrupted");

type Form = "Thing" | "Plugged";
const types = { Thing: "pulumi-nodejs:dynamic/scene:Thing", Plugged: "scene:index:Thing" };

function open(scene: Scene, form: Form): (text: string) => void {
  if (form === "Plugged") scene.write("Pulumi.yaml", pluggedText);
  return (text) => scene.program(text.replaceAll("new Thing", `new ${form}`));
}

/** A killed run has no events; its results are in our journal, or in pulumi's state. */
const killed: Difference = {
  run: 0,
  part: "after",
  reason:
    "a killed run leaves what it did in its journal, which the next run takes in; pulumi leaves it in the state",
};
const decided: Difference = {
  run: 1,
  part: "after",
  reason:
    "a create that was interrupted is decided once it was sent again; pulumi keeps it as pending until a refresh clears it",
};
const again: Difference = {
  run: 1,
  part: "steps",
  ownStates: true,
  reason:
    "a create that was interrupted is told as a create again; pulumi tells as what it was begun, a replacement",
};

const leftOver: Difference = {
  run: 1,
  part: "steps",
  ownStates: true,
  reason:
    "our state doesn't say yet what is left to delete, only the journal does: its place among the steps isn't known",
};

const chain = `const a = new Thing("a"); const b = new Thing("b", { of: a.made }); new Thing("c", { of: b.made });`;
const pair = `const a = new Thing("a"); new Thing("b", { of: a.made });`;

type Kill = readonly [what: string, form: Form, before: string, next: string, call: string];
// Differences in the killed run (0) and in the one after it (1).
const kills: readonly (readonly [...Kill, differences: readonly Difference[]])[] = [
  ["a create", "Thing", "", chain, "create b", [killed, decided]],
  ["an update", "Plugged", pair, `${pair.replace("made", "made, color: 1")}`, "update b-1", [killed]],
  ["a delete", "Thing", pair, `new Thing("a");`, "delete b-1", [killed]],
  [
    "a replacement",
    "Plugged",
    pair,
    pair.replace('"a"', '"a", { key: "new" }'),
    "create a",
    [killed, decided, again],
  ],
  [
    "the delete of what was replaced",
    "Thing",
    pair,
    pair.replace('"a"', '"a", { key: "new" }'),
    "delete a-1",
    [killed, leftOver],
  ],
];

for (const [what, form, before, next, call, differences] of kills)
  scenario(
    `a run that is killed when ${what} has had its effect is finished by the next one`,
    async (scene) => {
      const program = open(scene, form);
      program(before);
      if (before !== "") await scene.up();
      program(next);
      scene.world({ [call]: { stops: "after", kills: true } });
      await scene.up({ stops: "kill" });
      scene.world({});
      expect((await scene.up()).outcome).toBe("succeeded");
    },
    differences.map((one) => ({ ...one, run: one.run + (before === "" ? 1 : 2) })),
  );

scenario("a run that is told to stop ends what it does, and the next one goes on", async (scene) => {
  open(scene, "Thing")(chain);
  scene.world({ "create b": { stops: "before" } });
  expect((await scene.up({ stops: "cancel" })).outcome).toBe("failed");
  scene.world({});
  expect((await scene.up()).outcome).toBe("succeeded");
});

scenario("what has nothing to do with a failure is done", async (scene) => {
  const program = open(scene, "Thing");
  program(`${pair} new Thing("c"); new Thing("d");`);
  scene.world({ "create a": { error: "not today" } });
  expect((await scene.up({ continueOnError: true })).outcome).toBe("failed");
  scene.world({ "update c-1": { error: "not today" }, "delete d-1": { error: "in use" } });
  program(`${pair} new Thing("c", { color: "blue" });`);
  expect((await scene.up({ continueOnError: true })).outcome).toBe("failed");
  scene.world({});
  expect((await scene.up()).outcome).toBe("succeeded");
});

scenario(
  "what an earlier run failed to delete of a replacement is deleted by the next one",
  async (scene) => {
    const program = open(scene, "Plugged");
    program(`new Thing("a", { key: "old" });`);
    await scene.up();
    program(`new Thing("a", { key: "new" });`);
    scene.world({ "delete a-1": { error: "in use" } });
    expect((await scene.up()).outcome).toBe("failed");
    scene.world({});
    await scene.up();
    expect(scene.cloud("a-1")).toBeUndefined();
  },
);

scenario("what is tainted is replaced once, with what depends on its key", async (scene) => {
  open(scene, "Plugged")(`const a = new Thing("a"); new Thing("b", { key: a.made }); new Thing("c");`);
  await scene.up();
  const urn = "urn:pulumi:dev::scene::scene:index:Thing::a";
  await scene.command(["state", "taint", urn, "--yes"], () =>
    scene.alter(({ resources = [] }) => ({
      resources: resources.map((one) => (one.urn === urn ? { ...one, taint: true } : one)),
    })),
  );
  await scene.up();
  expect((await scene.up()).steps.toSorted()).toEqual(["same a", "same b", "same c"]);
});

scenario("a stack that has another name goes on with what it has", async (scene) => {
  const program = open(scene, "Thing");
  program(pair);
  await scene.up();
  await scene.rename("live");
  program(`const a = new Thing("a"); new Thing("b", { of: a.made, color: "blue" });`);
  expect((await scene.up()).steps).toEqual(["same a", "update b"]);
});

for (const [form, other] of [
  ["Thing", "Plugged"],
  ["Plugged", "Thing"],
] as const)
  scenario(`resources of ${types[form]} move to the other form, and on with an edit`, async (scene) => {
    scene.write("Pulumi.yaml", pluggedText);
    const written = (of: Form, more: string, options: string) =>
      scene.program(
        `const a = new ${of}("a", {}${options}); new ${of}("b", { of: a.made${more} }${options});`,
      );
    written(form, "", "");
    await scene.up();
    const alias = `, { aliases: [{ type: "${types[form]}" }] }`;
    written(other, "", alias);
    expect((await scene.up()).steps).toEqual(["same a", "same b"]);
    written(other, `, color: "blue"`, alias);
    await scene.up();
  });
