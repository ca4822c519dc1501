/** Helpers for single days in a house: a house that ends with its test, its program, and the lines of a plan. */
import { onTestFinished } from "vitest";
import { shownChanges } from "../../runs/report/changes.ts";
import { impactOf } from "../../runs/report/impact.ts";
import { impactLines } from "../../runs/report/impact-lines.ts";
import { stepNotices } from "../../runs/report/step-notices.ts";
import type { Ran, Resource } from "./house/types.ts";
import { type House, openHouse } from "./house.ts";

export function open(start?: Parameters<typeof openHouse>[0]): House {
  const house = openHouse(start);
  onTestFinished(() => house.close());
  return house;
}

export type Variant = Readonly<Record<string, unknown>>;

export const mug = (variants: readonly Variant[], more: object = {}): readonly Resource[] => [
  { kind: "Product", name: "mug", args: { title: "Mug", variants, ...more } },
];
export const coupon = (discount: number, more: object = {}): readonly Resource[] => [
  { kind: "Coupon", name: "sale", args: { code: "SALE", discount, typeId: 1, ...more } },
];

export const writes = (requests: readonly string[]) => requests.filter((line) => !line.startsWith("GET "));
export const variantsOf = (house: House) => (house.rows("product")[0]?.variants ?? []) as readonly Variant[];

/** `! Variants lost: 1 (S1-B)` of a plan. */
export const meaning = ({ plan, notices }: Ran): readonly string[] =>
  impactLines(impactOf(plan, "2026-11-23", stepNotices(notices))).map(
    ({ label, text, isLoud }) => `${isLoud ? "! " : ""}${label}: ${text}`,
  );

/** `variants[M].price 1 => 2 (the shop has 3)` of a plan. */
export const changesOf = ({ plan, notices }: Ran): readonly string[] =>
  plan
    .flatMap((step) => shownChanges(step, stepNotices(notices)))
    .map(
      ({ path, old, new: next, becomes, note }) =>
        `${path} ${becomes ?? `${old} => ${next}`}${note === undefined ? "" : ` (${note})`}`,
    );
