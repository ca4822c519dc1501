// An approved plan, asked before each write: what it doesn't have, or has otherwise, is refused by name; without one nothing is.
import { describe, expect, test } from "vitest";
import type { FieldChange } from "../../provider/change/field-change.ts";
import type { PlannedField } from "../../provider/change/planned-fields.ts";
import type { Shop } from "../../provider/context/context.ts";
import type { Approved } from "../../provider/context/plan.ts";
import { items, text } from "../../provider/definition/define.ts";
import { approveChange } from "../../provider/lifecycle/plan-report.ts";
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
  const plan = { digest: seal, ...(approved !== undefined && { approved: { objects: approved, creates } }) };
  return scene(nobody, { plan });
}

/** The fields that an update touches: each with what the shop has, and what is asked. */
const touched = (
  ...fields: readonly (readonly [path: string, is: unknown, asked: unknown])[]
): readonly FieldChange[] =>
  fields.map(([path, is, asked]) => side(path, "?", is, { asked, verdict: is === asked ? "done" : "send" }));
const seven = (shop: Shop) => ({ definition: ware, shop, id: "7" });
const bound = (path: string, is: unknown, asked: unknown): PlannedField => ({ path, is, asked });

const refusal = (what: string) =>
  `Ware 7 differs from the approved plan: ${what}. Nothing was sent for it; make a new plan`;

describe("an update under an approved plan", () => {
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
      'name was unset, is "x"; the plan doesn\'t change note, which is "c"',
    ],
  ])("an update under an approved plan: %s", (_what, objects, fields, refused) => {
    const { shop, notices } = planned(objects);
    const act = () => approveChange({ ...seven(shop), args: {} }, fields);
    if (refused === undefined) act();
    else expect(act).toThrow(refusal(refused));
    // Whoever plans is told either way.
    expect(notices).toEqual([
      { type: "sees", kind: "Ware", id: "7", ends: false, fields: expect.any(Array) as unknown },
    ]);
  });
});
