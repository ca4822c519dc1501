// Cases found by the fuzz oracle (oracle.test.ts), reduced as far as possible.
import { expect } from "vitest";
import { type Form, playIn } from "./fuzz/onstage.ts";
import { caseOf, type ShortCase } from "./fuzz/plain.ts";
import { scenarios } from "./scenario.ts";
import type { Scene } from "./scene.ts";

const scenario = scenarios("drawn");

/** @param judge further conditions, besides the agreement of all engines */
const drawn = (sentence: string, one: ShortCase, judge: (scene: Scene) => void, form?: Form) =>
  scenario(sentence, async (scene) => {
    await playIn(scene, caseOf(one), form);
    judge(scene);
  });

drawn(
  "destroy: what an earlier run deleted first isn't deleted once more",
  { olds: [{ name: "a" }, { name: "b", of: "a", status: "being replaced" }], operation: "destroy" },
  (scene) => {
    expect(scene.calls()).toEqual(["delete a-0"]);
    expect(scene.saved("b")).toBeUndefined();
  },
);

drawn(
  "retainOnDelete and deletedWith are a parent's too, of a component and of what is in it",
  {
    program: [
      { name: "a" },
      { name: "b", options: { retainOnDelete: true }, deletedWith: "a" },
      { name: "c", component: true, parent: "b" },
      { name: "d", parent: "c" },
    ],
  },
  (scene) => {
    expect(scene.saved("d")).toMatchObject({ retainOnDelete: true, deletedWith: scene.saved("a")?.urn });
  },
);

drawn(
  "refresh: what was half made and is as it was is whole, and not changed",
  { olds: [{ name: "a", status: "half made" }], unsure: ["a"], operation: "refresh" },
  (scene) => {
    expect(scene.saved("a")).not.toHaveProperty("initErrors");
    expect(scene.saved("a")?.modified).toBe("2025-01-01T00:00:00Z");
  },
);

for (const [what, alias] of [
  ["a name that another one has", "a"],
  ["an alias that another one has", "b"],
] as const)
  drawn(
    `aliases: ${what} is an error, and what is there stays`,
    {
      olds: [{ name: "a" }, { name: "b" }],
      program: [{ name: "a" }, { name: "c", alias: "b", of: "a" }, { name: "d", alias, of: "c" }],
    },
    (scene) => {
      expect(scene.calls()).toEqual(['update b-0 {"color":0,"key":0,"of":"a-0!"}']);
    },
  );

drawn(
  "destroy: what a replacement has left is deleted, though what needs the live one of its name is protected",
  {
    olds: [
      { name: "a", leftover: true },
      { name: "b", dependsOn: ["a"], options: { protect: true } },
    ],
    operation: "destroy",
  },
  (scene) => {
    expect(scene.calls()).toEqual(["delete a-old"]);
    expect(scene.saved("a")?.id).toBe("a-0");
  },
);

const urnOf = (name: string) => `urn:pulumi:dev::scene::pulumi-nodejs:dynamic/scene:Thing::${name}`;
const stays: ShortCase["troubles"] = [{ name: "b", verb: "delete", fault: "fails" }];

drawn(
  "what was replaced isn't deleted while something needs it that could not be deleted",
  {
    olds: [{ name: "a" }, { name: "b", of: "a" }],
    program: [
      { name: "a", key: 1 },
      { name: "b", of: "a", key: 1 },
    ],
    troubles: stays,
  },
  (scene) => {
    expect(scene.calls().filter((call) => call.startsWith("delete"))).toEqual(["delete b-0"]);
  },
);

drawn(
  "what an earlier run left isn't deleted either while what it left of another needs it",
  {
    olds: [
      { name: "a", leftover: true },
      { name: "b", of: "a", leftover: true },
    ],
    program: [{ name: "a" }, { name: "b", of: "a" }],
    troubles: stays,
  },
  (scene) => {
    expect(scene.calls()).toEqual(["delete b-old"]);
  },
);

for (const [what, old, asked] of [
  ["renamed", {}, {}],
  ["renamed and replaced", {}, { key: 1 }],
  ["only read, and is the program's own under another name", { status: "external" }, { key: 1 }],
] as const)
  drawn(
    `what could not be deleted goes on needing what is ${what}`,
    {
      olds: [
        { name: "a", ...old },
        { name: "b", parent: "a", dependsOn: ["a"] },
      ],
      program: [{ name: "g", alias: "a", ...asked }],
      troubles: stays,
    },
    (scene) => {
      expect(scene.calls().filter((call) => call.startsWith("delete"))).toEqual(["delete b-0"]);
      expect(scene.saved("b")).toMatchObject({ parent: urnOf("g"), dependencies: [urnOf("g")] });
    },
  );

drawn(
  "what an earlier run deleted first is made again under another name, and the old name is gone",
  {
    olds: [{ name: "a", status: "being replaced", options: { deleteBeforeReplace: true } }],
    program: [{ name: "g", alias: "a", options: { deleteBeforeReplace: true } }],
  },
  (scene) => {
    expect(scene.saved("a")).toBeUndefined();
    expect(scene.saved("g")?.id).toBe("g-1");
  },
);

for (const protect of [true, false])
  drawn(
    `what an earlier run deleted first and is ${protect ? "still" : "no longer"} protected is ${protect ? "not " : ""}made again`,
    {
      olds: [{ name: "a", status: "being replaced", options: { protect: true, deleteBeforeReplace: true } }],
      program: [{ name: "a", options: { protect, deleteBeforeReplace: true } }],
    },
    (scene) => {
      expect(scene.saved("a")).toMatchObject(
        protect ? { id: "a-0", protect: true, pendingReplacement: true } : { id: "a-1" },
      );
    },
  );

drawn(
  "what is deleted with another is made again with it, also where an earlier run deleted that",
  {
    olds: [
      { name: "a", status: "being replaced", options: { deleteBeforeReplace: true } },
      { name: "b", dependsOn: ["a"], deletedWith: "a" },
    ],
    program: [
      { name: "a", options: { deleteBeforeReplace: true } },
      { name: "b", dependsOn: ["a"], deletedWith: "a" },
    ],
  },
  (scene) => {
    expect(scene.saved("b")?.id).toBe("b-1");
  },
);

drawn(
  "up after refresh: a read resource that is now created under another parent is forgotten before that parent is deleted",
  {
    olds: [{ name: "a" }, { name: "e", parent: "a", status: "external" }],
    program: [{ name: "e" }],
    operation: "up after refresh",
  },
  (scene) => {
    expect(scene.saved("a")).toBeUndefined();
    expect(scene.saved("e")?.id).toBe("e-1");
  },
);

drawn(
  "a plugin reads a resource with the arguments of the program",
  { program: [{ name: "d" }, { name: "f", of: "d", external: true }] },
  (scene) => {
    expect(scene.saved("f")?.outputs).toMatchObject({ of: "d-1!" });
  },
  "plugin",
);
