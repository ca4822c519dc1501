import { hash } from "node:crypto";
import { isRecord } from "../common/record.ts";
import type { Step } from "./events.ts";

/** A digest of the inputs of a step: equal for the same inputs in any order, whatever their secrets. Ignored inputs don't count. */
export function inputsDigest({ inputs, ignoreChanges = [] }: Pick<Step, "inputs" | "ignoreChanges">): string {
  const own = Object.fromEntries(Object.entries(inputs).filter(([name]) => !ignoreChanges.includes(name)));
  return hash("sha256", JSON.stringify(own, sorted), "base64url").slice(0, 16);
}

const sorted = (_name: string, value: unknown): unknown =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value;
