/** Arguments that apply for a time: `from` and `until`, compared with the time of the run. */

import { bodyArguments, withText } from "../body/arguments.ts";
import { type Checked, type CheckOptions, check, failureOf } from "../change/check.ts";
import type { Failure } from "../change/check-lists.ts";
import { isBodySecret, secretsOf } from "../change/secrets.ts";
import type { Definition } from "../definition/define.ts";
import type { Values } from "../wire/codec.ts";
import { unknownValue } from "../wire/text.ts";
import { isTimestamp, isWithoutOffset, timestampForm, withOffset } from "../wire/timestamps.ts";
import type { Shop } from "./context.ts";
import type { Span } from "./value-owners.ts";

export const timeNames = ["from", "until"] as const;

export interface TimeWindow {
  /** The times, with their offset. */
  readonly inputs: Values;
  readonly failures: readonly Failure[];
  /** Whether the run is in that time. */
  readonly isNow: boolean;
  /** The rest of that time; undefined if it is unlimited or over. */
  readonly span?: Span | undefined;
}

/** Compares `from` and `until` with the time of the run. */
export async function timeWindow(shop: Shop, args: Values): Promise<TimeWindow> {
  const stated = timeNames.flatMap((name) => {
    const value = args[name];
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  const failures = stated.flatMap(([property, value]) =>
    value === unknownValue || (typeof value === "string" && isTimestamp(value))
      ? []
      : [failureOf(args, { property, reason: `must be ${timestampForm}`, value: value })],
  );
  const inputs = Object.fromEntries(stated);
  // A comparison of a program with its shop has no time.
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
    span: { from: Math.max(starts, now), until: ends, isLater: now < starts, stated: String(from ?? until) },
  };
}

const moment = "a date and a time in the shop's time zone, such as `2026-11-27T00:00`, or with an offset";

/** The additional arguments of a kind that can be scheduled, each with its description. */
export function timeArguments({
  scheduled,
}: Pick<Definition, "scheduled">): Readonly<Record<string, string>> {
  if (scheduled === undefined) return {};
  const others =
    scheduled === "otherwise" ? "the content of `otherwise`" : `${argumentsText(scheduled.otherwise)}`;
  return {
    from: `When the program's other arguments begin to apply: ${moment}. Until then the object has ${others}.`,
    until: `When the other arguments cease to apply, in the form of \`from\`. After that, the first run sets ${others} again.`,
    ...(scheduled === "otherwise" && {
      otherwise: "The content at all other times, as text; required with `from` or `until`.",
    }),
  };
}

const argumentsText = (values: Values) =>
  Object.entries(values)
    .map(([name, value]) => `\`${name}: ${value}\``)
    .join(", ");

/** Checks the arguments that apply at the time of the run. */
export async function checkWithTimes(
  definition: Definition,
  shop: Shop,
  news: Values,
  beside: CheckOptions,
): Promise<Checked> {
  const { scheduled } = definition;
  const names = Object.keys(timeArguments(definition));
  const isStated = (name: string) => news[name] !== undefined && news[name] !== null;
  if (scheduled === undefined || !names.some(isStated)) return check(definition, news, shop, beside);
  const always = Object.fromEntries(Object.entries(news).filter(([name]) => !names.includes(name)));
  const { inputs: times, failures, isNow } = await timeWindow(shop, news);
  const wrong = [...failures, ...otherwiseFailures(definition, news)];
  const [during, other] =
    scheduled === "otherwise"
      ? [always, withOther(always, news)]
      : [
          { ...scheduled.during, ...always },
          { ...always, ...scheduled.otherwise },
        ];
  const checked = await check(definition, isNow || wrong.length > 0 ? during : other, shop, beside);
  const { otherwise } = news;
  return {
    inputs: { ...checked.inputs, ...times, ...(otherwise !== undefined && { otherwise }) },
    failures: [...wrong, ...checked.failures],
  };
}

function otherwiseFailures({ scheduled }: Definition, news: Values): readonly Failure[] {
  if (scheduled !== "otherwise") return [];
  const property = "otherwise";
  if (!timeNames.some((name) => news[name] !== undefined))
    return [{ property, reason: "goes with from or until" }];
  if (typeof news.otherwise === "string") return [];
  return [{ property, reason: "is required with from or until, as text: the content outside of that time" }];
}

function withOther(args: Values, { otherwise }: Values): Values {
  const secrets = secretsOf(args);
  const isSecret = secrets.includes("otherwise") && !isBodySecret(args);
  return {
    ...withText(args, String(otherwise)),
    ...(isSecret && { __secret: [...secrets, ...bodyArguments].join(",") }),
  };
}
