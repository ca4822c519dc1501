/**
 * Simulated crashes. A run is done once and its effects are numbered. Then it ends before, after and inside each
 * of them, with or without unsynced data, and each time the user takes the next step.
 */
import type { Effect, Fault, Left } from "../support/disk.ts";
import { type Scene, sceneOf } from "./crash-scene.ts";
import { judge, type Verdict } from "./crash-verdict.ts";
import type { Form, Moment, Options, Ran, Resource } from "./house/types.ts";
import type { House } from "./house.ts";

/** A run that is interrupted. */
export interface Story {
  readonly name: string;
  /** The form of its resources, default dynamic. */
  readonly form?: Form;
  /** How far the shop's clock is ahead. */
  readonly aheadMs?: number;
  /** The maximum number of bytes per write. */
  readonly short?: number;
  /** The start of the run. */
  readonly from: "nothing" | "before" | "after";
  readonly run: (house: House, scene: Scene, options: Options) => Promise<Ran>;
}

const up = (house: House, scene: Scene, options: Options) => house.go(scene.after, options);
/** The response to the first create is 504; the shop carries it out so much later. */
const late = (ms: number) => () => {
  let isFirst = true;
  return (line: string) => {
    if (!isFirst || !/^POST .*(files|products|charges|tags)/.test(line)) return undefined;
    isFirst = false;
    return ms;
  };
};

const tales: readonly Story[] = [
  { name: "edit", from: "before", run: up },
  { name: "first up", from: "nothing", run: up },
  { name: "destroy", from: "after", run: (house, _scene, options) => house.destroy(options) },
  { name: "edit, the shop's clock an hour ahead", from: "before", aheadMs: 3_600_000, run: up },
  { name: "edit, the shop's clock an hour behind", from: "before", aheadMs: -3_600_000, run: up },
  { name: "edit, on a disk that takes 100 bytes at once", from: "before", short: 100, run: up },
  ...([700, 30_000] as const).map(
    (ms): Story => ({
      name: `edit, a create done ${ms / 1000} s after its 504`,
      from: "before",
      run: (house, scene, options) => up(house, scene, { ...options, late: late(ms)() }),
    }),
  ),
];

export const stories: readonly Story[] = tales.flatMap((story) =>
  (["dynamic", "plugin"] as const).map((form) => ({ ...story, name: `${story.name} (${form})`, form })),
);

/** The user's next step after a crash. */
export interface Next {
  readonly name: string;
  /** The expected result. */
  readonly program: (scene: Scene) => readonly Resource[];
  readonly run: (house: House, scene: Scene, options: Options) => Promise<Ran>;
  /** An event before it: a change of the machine, or a second crash. */
  readonly first?: (house: House, scene: Scene, story: Story, seed: number) => Promise<boolean>;
}

const going = (program: Next["program"]): Pick<Next, "program" | "run"> => ({
  program,
  run: (house, scene, options) => house.go(program(scene), options),
});
const after = going(({ after: all }) => all);

export const nexts: readonly Next[] = [
  { name: "the same", ...after },
  {
    name: "a preview, then the same",
    ...after,
    run: (house, scene, options) => house.up(scene.after, options),
  },
  ...[3, 7].map(
    (step): Next => ({
      name: `a second crash, then the same (${step})`,
      ...after,
      first: async (house, scene, { form }, seed) => {
        const at = 1 + ((seed * step * 31) % 120);
        const ran = await house.go(scene.after, {
          ...(form !== undefined && { form }),
          crash: {
            plan: crashAt(at, seed % 2 === 0 ? "before" : "after"),
            left: seed % 3 === 0 ? "nothing" : "all",
          },
        });
        return ran.error?.name === "CrashError";
      },
    }),
  ),
  {
    name: "a fresh home",
    ...after,
    first: async (house) => {
      for (const path of house.disk().paths())
        if (!/^\/(project|backend)\//.test(path)) house.disk().files.remove(path);
      return false;
    },
  },
  {
    name: "the same, moved to the other form",
    ...after,
    run: (house, scene, { form, ...options }) =>
      house.go(scene.after, { ...options, form: form === "plugin" ? "dynamic" : "plugin" }),
  },
  { name: "an edited program", ...going(({ edited }) => edited) },
  { name: "resources removed", ...going(({ without }) => without) },
  { name: "the program of before", ...going(({ before }) => before) },
  { name: "destroy", program: () => [], run: (house, _scene, options) => house.destroy(options) },
];

const crashAt =
  (number: number, crash: "before" | "after" | number, short?: number) =>
  (effect: Effect): Fault | undefined => {
    if (effect.number === number) return { crash };
    return effect.name === "write" && short !== undefined ? { short } : undefined;
  };

/** One crash: its effect, its place, and how much unsynced data is left. */
export interface Crash {
  readonly effect: Effect;
  readonly how: "before" | "after" | number;
  readonly left: Left;
}

const lefts: readonly Left[] = ["all", "nothing", "names", "content", 1, 2];

/** All crashes of a run. */
export function crashesOf(effects: readonly Effect[]): readonly Crash[] {
  return effects.flatMap((effect) => {
    const torn = effect.name === "write" ? [1, Math.floor(effect.bytes / 2), effect.bytes - 1] : [];
    return (["before", "after", ...torn] as const).flatMap((how) =>
      lefts.map((left) => ({ effect, how, left })),
    );
  });
}

export interface Trial {
  readonly story: Story;
  readonly crash: Crash;
  readonly next: Next;
  readonly verdict: Verdict;
  /** One or two crashes. */
  readonly crashes: number;
}

export const formOf = ({ form }: Story): Pick<Options, "form"> => (form === undefined ? {} : { form });

/** The start of a story, and its run. */
export async function begin(house: House, story: Story) {
  const scene = sceneOf(house);
  house.clock.aheadMs = story.aheadMs ?? 0;
  const given = house.moment();
  const programs = { nothing: undefined, before: scene.before, after: scene.after };
  const program = programs[story.from];
  if (program !== undefined) {
    const { result } = await house.go(program, formOf(story));
    if (result?.outcome !== "succeeded")
      throw new Error(`the scene does not begin: ${JSON.stringify(result)}`);
    house.clock.offsetMs += 600_000;
  }
  const start = house.moment();
  const { effects } = await story.run(house, scene, {
    ...formOf(story),
    crash: { plan: crashAt(0, "before", story.short) },
  });
  house.goTo(given);
  const furnished = new Set(
    house.shop.store.kinds().flatMap((kind) => house.rows(kind).map(({ id }) => `${kind} ${id}`)),
  );
  return { scene, start, effects, furnished };
}

/** One crash with each of these next steps. */
export async function crash(
  house: House,
  story: Story,
  { scene, start, furnished }: { scene: Scene; start: Moment; furnished: ReadonlySet<string> },
  one: Crash,
  steps: readonly Next[],
): Promise<readonly Trial[]> {
  house.goTo(start);
  const ran = await story.run(house, scene, {
    ...formOf(story),
    crash: { plan: crashAt(one.effect.number, one.how, story.short), left: one.left },
  });
  if (ran.error?.name !== "CrashError")
    throw new Error(`no crash at ${one.effect.number}: ${ran.error?.message}`);
  const left = house.moment();
  const trials: Trial[] = [];
  for (const next of steps) {
    house.goTo(left);
    // The user needs a moment.
    house.clock.offsetMs += 2_000;
    const again = (await next.first?.(house, scene, story, one.effect.number)) === true;
    const verdict = await judge(house, furnished, next.program(scene), (options) =>
      next.run(house, scene, { ...formOf(story), ...options }),
    );
    trials.push({ story, crash: one, next, verdict, crashes: again ? 2 : 1 });
  }
  return trials;
}

/** The name of a trial, sufficient to repeat it. */
export const nameOf = ({ story, crash: { effect, how, left }, next }: Trial): string =>
  `${story.name} | ${how} ${effect.number} (${effect.name} ${effect.path.replace(/[0-9a-f-]{36}/g, "…")}) | left ${left} | ${next.name}`;
