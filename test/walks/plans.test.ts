// 1,000 saved plans with an event before they are applied. A judge that reads the shop's rows compares the result
// with the plan.
import { expect, test } from "vitest";
import { report, table } from "../faults/table.ts";
import { full } from "../support/campaign.ts";
import type { CarriedOut } from "./house/types.ts";
import { openHouse } from "./house.ts";
import { beyond, doneBetween, isHarmless, rowsOf, undone } from "./plan-judge.ts";
import { drawPlan, type Stale, staleness } from "./plan-scene.ts";

const howMany = Number(process.env.PULUMI_SHOP_PLANS ?? (full ? 1_000 : 20));
const from = Number(process.env.PULUMI_SHOP_PLANS_FROM ?? 1);

interface Count {
  plans: number;
  refused: number;
  whole: number;
  rest: number;
  nothing: number;
  wrong: number;
  goodRefused: number;
}

/** One plan and one event. @returns the error; undefined if the event isn't possible */
async function tryOne(
  seed: number,
  count: (name: string, add: Partial<Count>) => void,
): Promise<readonly string[] | undefined> {
  const house = openHouse();
  try {
    const scene = await drawPlan(house, seed);
    if (scene === undefined) return undefined;
    const { moment, rows: first, program, text, options } = scene;
    // The control: applied at once, the plan isn't refused.
    const control = await house.carryOut(text, program, options);
    const planned = doneBetween(first, rowsOf(house), first);
    if (control.refused.length > 0) return [`refused at once: ${control.refused.join("; ")}`];
    if (doesLess(text, control)) return undefined;
    house.goTo(moment);
    const way = staleness[seed % staleness.length] as (typeof staleness)[number];
    const came = await way.happen(scene);
    if (came === undefined) return undefined;
    const now = rowsOf(house);
    const done = doneBetween(came.rows, now, first);
    const isRefused = came.refused.length > 0;
    const wrong = [
      ...(isRefused
        ? done.map((one) => `refused, and did ${one.text}`)
        : beyond(done, planned, came.rows, first)),
      ...(came.must === "refuse" && !isRefused ? ["was not refused"] : []),
      ...wrongRefusal(came),
    ];
    const { refresh: refreshes } = JSON.parse(text) as { refresh: boolean };
    const isGood =
      came.must === "finish" ||
      (isSafe(way.name, scene.isEdited, refreshes) && isHarmless(came.rows, planned, first));
    const isOthers = asksPerson(came);
    const left = isRefused || isOthers ? [] : undone(now, planned, first);
    const good = [
      ...(isGood && isRefused && !isOthers ? [`a good plan was refused: ${came.refused.join("; ")}`] : []),
      ...(isGood && !isRefused ? left.map((one) => `was not done: ${one}`) : []),
    ];
    count(way.name, {
      plans: 1,
      refused: isRefused ? 1 : 0,
      nothing: !isRefused && done.length === 0 ? 1 : 0,
      whole: !isRefused && done.length >= planned.length && done.length > 0 ? 1 : 0,
      rest: !isRefused && done.length > 0 && done.length < planned.length ? 1 : 0,
      wrong: wrong.length > 0 ? 1 : 0,
      goodRefused: good.length > 0 ? 1 : 0,
    });
    return [...wrong, ...good].map((one) => `${way.name}: ${one}`);
  } finally {
    house.close();
  }
}

/** Whether the run was incomplete, so that it proves nothing. */
function doesLess(text: string, { ran }: CarriedOut): boolean {
  const { steps } = JSON.parse(text) as { steps: readonly { readonly urn: string }[] };
  const about = new Set(steps.map(({ urn }) => urn));
  return (ran?.result?.failures ?? []).some(({ urn }) => urn === undefined || about.has(urn));
}

/** The program and the state don't show these events; only the shop's values do. */
function isSafe(name: string, isEdited: boolean, refreshes: boolean): boolean {
  if (name === "another run has done the same" || name === "another run has done a part of it") return true;
  // A refresh would make the program undo edits of staff, which the plan doesn't have.
  if (name === "a refresh") return !isEdited;
  return (name === "staff edit a field" || name === "staff add a variant") && !refreshes;
}

/** Situations that no run can decide (docs/rules.md). */
const asksPerson = ({ planned, ran }: Stale) =>
  [planned, ran].some((stage) =>
    (stage?.result?.failures ?? []).some(({ message }) =>
      /costs money|with other (arguments|terms)|could be it/.test(message),
    ),
  );

/** A refusal names what it refuses, and nothing was written. */
function wrongRefusal({ refused, planned, ran }: Stale): readonly string[] {
  if (refused.length === 0) return [];
  const writes = [...(planned?.requests ?? []), ...(ran?.requests ?? [])].filter(
    (line) => !line.startsWith("GET "),
  );
  return [
    ...writes.map((line) => `refused, and sent ${line}`),
    ...(refused.every((text) => text.trim() === "") ? ["refused without a word"] : []),
  ];
}

test("no stale plan is applied, and none that still holds is refused", async () => {
  const counts = new Map<string, Count>();
  const add = (name: string, more: Partial<Count>) => {
    const none: Count = { plans: 0, refused: 0, whole: 0, rest: 0, nothing: 0, wrong: 0, goodRefused: 0 };
    const sum = counts.get(name) ?? none;
    for (const key of Object.keys(sum) as (keyof Count)[]) sum[key] += more[key] ?? 0;
    counts.set(name, sum);
  };
  const broken: string[] = [];
  let plans = 0;
  for (let seed = from; plans < howMany && broken.length < 5; seed += 1) {
    const wrong = await tryOne(seed, add);
    if (wrong === undefined) continue;
    plans += 1;
    broken.push(...wrong.map((text) => `seed ${seed}: ${text}`));
  }
  const names = staleness.map(({ name }) => name).filter((name) => counts.has(name));
  report(
    "stale plans",
    table(
      [
        "what happened after the plan was saved",
        "plans",
        "refused",
        "carried out whole",
        "the rest",
        "nothing left",
        "wrongly applied",
        "wrongly refused",
      ],
      names.map((name) => {
        const { plans: all, refused, whole, rest, nothing, wrong, goodRefused } = counts.get(name) as Count;
        return [name, all, refused, whole, rest, nothing, wrong, goodRefused];
      }),
    ),
  );
  expect(broken.join("\n")).toBe("");
  expect(plans).toBe(howMany);
});
