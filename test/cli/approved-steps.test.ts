// A step is applied as planned, or a part of it: for the preview of a run and for saved plans.
import { expect, test } from "vitest";
import type { Change, Step } from "../../engine/index.ts";
import { deviations, plannedStep, stepGuard } from "../../runs/plans/step-comparison.ts";
import { stepOf } from "./steps.ts";

const mug = (op: Step["op"], changes: readonly Change[], inputs: Step["inputs"] = {}): Step =>
  stepOf(op, "Product", "mug", { changes, inputs });
const price: Change = { kind: "update", path: "variants.A.price", old: 1, new: 2 };
const whole: Change = { kind: "update", path: "variants.A", old: { price: 1 }, new: { price: 2 } };
const lost: Change = { kind: "delete", path: "variants.A", old: { price: 1 }, new: null };
const refusal = (was: Step, now: Step) => stepGuard({ steps: [was], declined: [] })(now);

test("a step that changes what the preview showed, or a part of that, is done", () => {
  expect(refusal(mug("update", [price]), mug("update", [price]))).toBeUndefined();
  expect(refusal(mug("update", [whole]), mug("update", [price]))).toBeUndefined();
});

test("a step that takes away a whole of which the preview showed a part is refused", () => {
  expect(refusal(mug("update", [price]), mug("update", [lost]))).toContain(
    "variants.A differs from the preview",
  );
  expect(deviations(mug("update", [price]), mug("update", [lost]))).toEqual([
    { path: "variants.A", planned: { price: 1 }, now: null },
  ]);
});

test("a replacement that changes from another value than the plan showed is refused, and the object's delete goes by the same", () => {
  const moved = { ...price, old: 9 };
  expect(refusal(mug("replace", [price]), mug("replace", [moved]))).toContain("changed in the shop since");
  expect(refusal(mug("delete", []), mug("delete", [price]))).toContain("variants.A.price");
});

test("a step that the preview didn't have is refused; of a create it is said that the program may make it inside apply()", () => {
  const refuse = stepGuard({ steps: [], declined: [] });
  expect(refuse(mug("create", []))).toMatch(
    /didn't show this create: .* or the program creates it inside apply\(\)/,
  );
  expect(refuse(mug("delete", []))).toContain(
    "didn't show this delete: something has changed since. It was not applied",
  );
  const unseen = (...steps: Step[]) => stepGuard({ steps, declined: [], isUnseen: true });
  for (const op of ["create", "update"] as const) expect(unseen()(mug(op, []))).toBeUndefined();
  for (const op of ["replace", "delete"] as const) expect(unseen()(mug(op, []))).toContain("didn't show");
  // It may be the deleted object under another name.
  expect(unseen(stepOf("delete", "Product", "cup"))(mug("create", []))).toContain("didn't show");
});

test("an argument that neither plan changes is nobody's difference; one of what is made is", () => {
  const [before, after] = [{ title: "a" }, { title: "b" }];
  expect(refusal(mug("update", [price], before), mug("update", [price], after))).toBeUndefined();
  expect(refusal(mug("create", [], before), mug("create", [], after))).toContain("the program or its files");
});

test("what is left of a replacement is in a saved plan, and in no preview", () => {
  const plan = [mug("replace", [])];
  expect(plannedStep(plan, mug("create", []), true)).toBe(plan[0]);
  expect(plannedStep(plan, mug("create", []), false)).toBeUndefined();
});
