// An approved plan, asked before each write: what it doesn't have, or has otherwise, is refused by name; without one nothing is.
import { describe, expect, test } from "vitest";
import { items, text } from "../../provider/definition/define.ts";
import {
  approveCreate,
  approveObject,
  bindChange,
  bindEnd,
  tellAdoption,
  tellEnd,
} from "../../provider/lifecycle/approval.ts";

import type { Approved } from "../../provider/run/approved.ts";
import type { Shop } from "../../provider/run/context.ts";
import type { Bound } from "../../provider/values/bound.ts";
import type { FieldChange } from "../../provider/values/field-change.ts";
import { scene } from "./answers.ts";
import { side } from "./changes.ts";
import { kindOf } from "./kind.ts";

const ware = kindOf("Ware", {
  name: text(),
  note: text(),
  parts: items({ code: text(), price: text() }, { element: "part", key: "code" }),
});
const seal = (words: string) => `<${words}>`;
const nobody = () => {
  throw new Error("nothing is to be asked");
};

function planned(approved: Approved["objects"] | undefined, creates: readonly string[] = []) {
  const plan = { seal, ...(approved !== undefined && { approved: { objects: approved, creates } }) };
  return scene(nobody, { plan });
}

/** The fields that an update touches: each with what the shop has, and what is asked. */
const touched = (
  ...fields: readonly (readonly [path: string, is: unknown, asked: unknown])[]
): readonly FieldChange[] =>
  fields.map(([path, is, asked]) => side(path, "?", is, { asked, verdict: is === asked ? "done" : "send" }));
const seven = (shop: Shop) => ({ definition: ware, shop, id: "7" });
const bound = (path: string, is: unknown, asked: unknown): Bound => ({ path, is, asked });

const refusal = (what: string) =>
  `Ware 7 is not as the approved plan had it: ${what}. Nothing was sent for it; make a new plan`;

describe("an update", () => {
  test.each<
    readonly [string, Approved["objects"] | undefined, readonly FieldChange[], refused: string | undefined]
  >([
    [
      "of what staff emptied since is refused",
      { "Ware:7": [{ ends: false, fields: [bound("name", "a", "b")] }] },
      touched(["name", "", "b"]),
      'name was "a", is unset',
    ],

    [
      "of more fields than were planned is refused, by all that moved",
      { "Ware:7": [{ ends: false, fields: [bound("name", null, "b")] }] },
      touched(["name", "x", "b"], ["note", "c", "d"]),
      'name was unset, is "x"; note was unset, is "c"',
    ],
  ])("%s", (_what, objects, fields, refused) => {
    const { shop, notices } = planned(objects);
    const act = () => bindChange({ ...seven(shop), args: {} }, fields);
    if (refused === undefined) act();
    else expect(act).toThrow(refusal(refused));
    // Whoever plans is told either way.
    expect(notices).toEqual([
      { type: "sees", kind: "Ware", id: "7", ends: false, fields: expect.any(Array) as unknown },
    ]);
  });
});

describe("an object that goes", () => {
  const olds = { name: "a", note: "n", __stated: "name" };
  const object = { id: 7, name: "a", note: "n" };

  test.each<readonly [string, Approved["objects"] | undefined, object, refused: string | undefined]>([
    [
      "that has no longer what was seen stays",
      {
        "Ware:7": [
          { ends: true, fields: [bound("name", "a", null), bound("parts[P]", { code: "P" }, null)] },
        ],
      },
      object,
      'parts[P] was {"code":"P"}, is unset',
    ],
  ])("%s", (_what, objects, seen, refused) => {
    const { shop, notices } = planned(objects);
    const act = () => bindEnd({ ...seven(shop), olds, seen: { ...seen } });
    if (refused === undefined) act();
    else expect(act).toThrow(refusal(refused));
    expect(notices).toMatchObject([{ type: "sees", kind: "Ware", id: "7", ends: true }]);
  });
});

test("what a create would take over is told, and asked only when it is taken; so is what is read and may go", () => {
  const objects = {
    "Ware:7": [
      { ends: false, fields: [] },
      { ends: true, fields: [] },
    ],
  };
  const { shop, notices } = planned(objects);
  tellAdoption({ ...seven(shop), args: {} }, touched(["name", "a", "b"]));
  tellEnd({ ...seven(shop), olds: { __stated: "name" }, seen: { name: "c" } });
  expect(notices).toEqual([
    { type: "sees", kind: "Ware", id: "7", ends: false, adopts: true, fields: [bound("name", "a", "b")] },
    { type: "sees", kind: "Ware", id: "7", ends: true, fields: [bound("name", "c", null)] },
  ]);
});

test("where no plan is saved and none carried out, nothing is told and nothing is asked", () => {
  const { shop, notices } = scene(nobody, {
    plan: {
      approved: {
        objects: {
          "Ware:7": [
            { ends: false, fields: [] },
            { ends: true, fields: [] },
          ],
        },
        creates: [],
      },
    },
  });
  const fields = touched(["name", "a", "b"]);
  bindChange({ ...seven(shop), args: {} }, fields);
  bindEnd({ ...seven(shop), olds: { __stated: "name" }, seen: { name: "c" } });
  tellAdoption({ ...seven(shop), args: {} }, fields);
  tellEnd({ ...seven(shop), olds: { __stated: "name" }, seen: { name: "c" } });
  expect(notices).toEqual([]);
});

describe("what the plan doesn't have at all is refused before anything is read", () => {
  const { shop } = planned({ "Ware:7": [{ ends: false }] }, ["Ware dev::jug"]);

  test("an update or a delete of another object", () => {
    approveObject({ definition: ware, shop: shop, id: "7" });
    expect(() => approveObject({ definition: ware, shop: shop, id: "8" })).toThrow(
      "Ware 8 is not in the approved plan. Nothing was sent for it; make a new plan",
    );
  });

  test("nothing where no plan was approved", () => {
    const { shop: free } = planned(undefined);
    approveCreate(ware, free, { __of: "dev::mug" });
    approveObject({ definition: ware, shop: free, id: "8" });
  });
});
