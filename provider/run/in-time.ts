/** What is asked for a time only: `from` and `until`, held against the moment of the run. */
import { failureOf } from "../values/check.ts";
import type { Failure } from "../values/check-lists.ts";
import { isTimestamp, isWithoutOffset, timestampForm, withOffset } from "../values/timestamps.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import type { Shop } from "./context.ts";
import type { Span } from "./stated-values.ts";

/** The arguments that say when; with `otherwise`, what is asked at any other time. */
export const timeNames = ["from", "until"] as const;

export interface InTime {
  /** The moments, with their offset. */
  readonly inputs: Values;
  readonly failures: readonly Failure[];
  /** Whether the moment of the run is among them. */
  readonly isNow: boolean;
  /** What is left of the time; undefined where it is always, or over. */
  readonly span?: Span | undefined;
}

/** Whether what arguments ask is asked at the moment of the run. */
export async function inTime(shop: Shop, args: Values): Promise<InTime> {
  const stated = timeNames.flatMap((name) => {
    const value = args[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  const failures = stated.flatMap(([property, value]) =>
    value === unknownValue || (typeof value === "string" && isTimestamp(value))
      ? []
      : [failureOf(args, { property, reason: `must be ${timestampForm}`, given: value })],
  );
  const inputs = Object.fromEntries(stated);
  // What is compared as a program's arguments is of no moment.
  const isOpen = stated.some(([, value]) => value === unknownValue) || shop.plan.onlyArguments;
  if (stated.length === 0 || failures.length > 0 || isOpen) return { inputs, failures, isNow: true };
  const at = shop.plan.at ?? new Date(shop.now()).toISOString();
  const zone = [at, ...Object.values(inputs)].some((text) => isWithoutOffset(String(text)))
    ? await shop.zone()
    : "";
  const absolute = (text: unknown) => withOffset(String(text), () => zone);
  const [from, until] = timeNames.map((name) => inputs[name] && absolute(inputs[name]));
  const now = Date.parse(absolute(at));
  if (from !== undefined && until !== undefined && Date.parse(from) >= Date.parse(until))
    return { inputs, failures: [{ property: "until", reason: "must be later than from" }], isNow: true };
  const starts = from === undefined ? now : Date.parse(from);
  const ends = until === undefined ? Infinity : Date.parse(until);
  return {
    inputs: { ...(from !== undefined && { from }), ...(until !== undefined && { until }) },
    failures: [],
    isNow: now >= starts && now < ends,
    span: { from: Math.max(starts, now), until: ends, isLater: now < starts },
  };
}
