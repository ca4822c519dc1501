// A run that is paused (a closed lid, a suspended machine) while somebody removes its lock, and continues after
// another run: at each of its requests, between sending and handling.
import { expect, test } from "vitest";
import { removeResource, unlock } from "../../engine/index.ts";
import { full } from "../support/size.ts";
import { begin, formOf, type Next, nexts, type Story, stories } from "./crash-campaign.ts";
import { judge } from "./crash-verdict.ts";
import { type House, openHouse } from "./house.ts";

const meanwhile = nexts.filter(({ first }) => first === undefined);
const howMany = Number(process.env.PULUMI_SHOP_PAUSES ?? (full ? 500 : 3));

type Begun = Awaited<ReturnType<typeof begin>>;

/** A run that is paused at this request. @returns why it ended; undefined if it had fewer requests */
async function paused(house: House, story: Story, { scene, start }: Begun, at: number, next: Next) {
  house.goTo(start);
  let requests = 0;
  const ran = await story.run(house, scene, {
    ...formOf(story),
    held: async () => {
      requests += 1;
      if (requests !== at) return;
      await house.reads(async (_shop, stack) => unlock(stack));
      await next.run(house, scene, formOf(story));
    },
  });
  return requests < at ? undefined : (ran.error?.message ?? "it went on");
}

test.each(
  stories
    .filter(({ name }) => /^(edit|first up|destroy) \(/.test(name))
    .map((story) => [story.name, story] as const),
)(
  "%s: a run that another one overtook while it was paused loses, doubles and overwrites nothing",
  async (_name, story) => {
    const house = openHouse();
    const begun = await begin(house, story);
    const sent = begun.effects.filter(({ path }) => path.startsWith("send ")).length;
    const wrong: string[] = [];
    const step = Math.max(1, Math.floor((sent * meanwhile.length) / howMany));
    for (let trial = 0; trial < sent * meanwhile.length; trial += step) {
      const at = 1 + Math.floor(trial / meanwhile.length);
      const next = meanwhile[trial % meanwhile.length] as Next;
      const why = await paused(house, story, begun, at, next);
      if (why === undefined) continue;
      const name = `${story.name} | ${at} | ${next.name}`;
      if (!/the lock .* is gone/.test(why)) wrong.push(`${name}: ${why}`);
      house.clock.offsetMs += 2_000;
      const verdict = await judge(house, begun.furnished, next.program(begun.scene), (options) =>
        next.run(house, begun.scene, { ...formOf(story), ...options }),
      );
      for (const what of ["lost", "doubled", "orphaned", "stuck"] as const)
        for (const one of verdict[what]) wrong.push(`${name}: ${what} ${one}`);
    }
    await house.close();
    expect(wrong).toEqual([]);
  },
);

test.each(["dynamic", "plugin"] as const)(
  "what a refresh that was paused has only read is not deleted as its own, where somebody took it out of the state (%s)",
  async (form) => {
    const house = openHouse();
    const coupon = (name: string) => ({ kind: "Coupon", name, args: { code: name, discount: 5, typeId: 2 } });
    await house.go([coupon("handed-over"), coupon("kept")], { form });
    let isPaused = false;
    const slept = await house.refresh({
      form,
      held: async () => {
        if (isPaused) return;
        isPaused = true;
        house.shop.edit({
          kind: "discount_code",
          id: Number(house.rows("discount_code")[0]?.id),
          set: { discount: "9.0" },
        });
        await house.reads(async (_shop, stack) => {
          unlock(stack);
          await removeResource(stack, "handed-over", false);
        });
      },
    });
    expect(slept.error?.message).toMatch(/the lock .* is gone/);
    expect((await house.up([coupon("kept")], { form })).steps).toEqual([]);
    expect(house.rows("discount_code").map(({ code }) => code)).toEqual(["handed-over", "kept"]);
    await house.close();
  },
);

test.each(["dynamic", "plugin"] as const)(
  "what a run that was overtaken adopted is not deleted where the run that came between made another (%s)",
  async (form) => {
    const house = openHouse();
    const coupon = (args: object) => ({
      kind: "Coupon",
      name: "spring",
      args: { discount: 5, typeId: 2, ...args },
    });
    await house.go([coupon({ code: "of-staff" })], { form });
    await house.reads(async (_shop, stack) => removeResource(stack, "spring", false));
    const adopt = String(house.rows("discount_code")[0]?.id);
    const [adopting, making] = [
      [coupon({ code: "of-staff", discount: 7, adopt })],
      [coupon({ code: "of-ours" })],
    ];
    let isPaused = false;
    const slept = await house.up(adopting, {
      form,
      held: async (line) => {
        if (isPaused || !line.startsWith("PUT ")) return;
        isPaused = true;
        await house.reads(async (_shop, stack) => unlock(stack));
        await house.up(making, { form });
      },
    });
    expect(slept.error?.message).toMatch(/the lock .* is gone/);
    expect((await house.up(making, { form })).steps).toEqual([]);
    expect(house.rows("discount_code").map(({ code }) => code)).toEqual(["of-staff", "of-ours"]);
    await house.close();
  },
);
