// The price of a plan is what the plan then costs.
import { expect, test } from "vitest";
import { priceText } from "../../cli/price.ts";
import type { Definition } from "../../provider/define.ts";
import { adoptionPrice, priceOf } from "../../provider/price.ts";
import { samples } from "../provider/samples.ts";
import { openWorld, resources } from "../world.ts";

test.each(resources)(
  "$kind: create, update and delete cost what was said",
  async (definition: Definition) => {
    const world = await openWorld();
    const verbs = world.verbs(definition);
    const sample = await samples[definition.kind]?.(world);
    const inputs = await verbs.checked(sample?.args ?? {});
    let state = { id: "", outs: {} as Awaited<ReturnType<typeof verbs.update>> };
    const cost = async (work: () => Promise<unknown>) => (await world.during(work)).length;
    expect(
      await cost(async () => {
        state = await verbs.create(inputs);
      }),
    ).toBe(priceOf(definition.kind, "create", []));
    if (sample?.change !== undefined) {
      const next = await verbs.checked({ ...inputs, ...sample.change });
      const price = priceOf(definition.kind, "update", Object.keys(sample.change));
      expect(await cost(() => verbs.update(state.id, state.outs, next))).toBe(price);
    }
    expect(await cost(() => verbs.delete(state.id, state.outs))).toBe(priceOf(definition.kind, "delete", []));
  },
);

test.each(resources)("$kind: taking over many costs what was said", async (definition: Definition) => {
  const world = await openWorld();
  const sample = await samples[definition.kind]?.(world);
  const earlier = world.verbs(definition);
  const made = await earlier.create(await earlier.checked(sample?.args ?? {}));
  const verbs = world.verbs(definition);
  const adopt = definition.singleton === undefined ? (made.id.split("/").at(-1) ?? "") : "key";
  const sent = await world.during(async () => {
    await verbs.create(await verbs.checked({ ...sample?.args, adopt }));
  });
  expect(sent).toHaveLength(adoptionPrice(definition.kind, 1));
});

test("is said with the time that this window leaves", () => {
  const spent = { requests: 2, rejected: 0, used: 41, limit: 500 };
  expect(priceText(19, spent)).toBe("19 of 500 requests, about 6 s; window 41/500 used");
  expect(priceText(1000, spent)).toBe("1000 of 500 requests, about 10 min; window 41/500 used");
  expect(priceText(2, { ...spent, used: null, limit: null })).toBe("2 requests, about 1 s");
});
