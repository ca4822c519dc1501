// The verbs of every kind on a shop: made, read without a difference, changed, gone; twice is as good as once.
import { describe, expect, test } from "vitest";
import type { Approved } from "../../provider/context/plan.ts";
import type { Definition } from "../../provider/definition/define.ts";
import { objectKey, resourceOf } from "../../provider/names/owner.ts";
import { definitions } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { openWorld, resources } from "../support/world.ts";
import { sampleOf } from "./samples.ts";

async function opened(definition: Definition) {
  const world = await openWorld();
  const verbs = world.verbs(definition);
  const { args, change } = await sampleOf(definition, world);
  const inputs = await verbs.checked(args);
  world.requests();
  return { world, verbs, inputs, change, make: () => verbs.create(inputs) };
}

test("a resource that a person replaces by name keeps its own key, although pulumi reports it as new", async () => {
  const world = await openWorld();
  const coupon = definitions.coupons as Definition;
  const asked = (name: string, plan: object = {}) =>
    world
      .verbs(coupon, undefined, undefined, { isPreview: undefined, ...plan })
      .check({}, { code: "SPRING", discount: 10, typeId: 1, __of: `dev::${name}` });
  await world.client.coupons.create({ code: "SPRING", discount: 10, typeId: 1 } as never);
  expect((await asked("spring")).failures).toMatchObject([{ property: "code" }]);
  expect((await asked("spring", { replaced: new Set(["spring"]) })).failures).toEqual([]);
  expect((await asked("other", { replaced: new Set(["spring"]) })).failures).toHaveLength(1);
});

describe.each(resources)("$kind", (definition) => {
  const missing = definition.singleton
    ? definition.one
    : /\{(?!id|item)\w+\}/.test(definition.operations.create?.path ?? "")
      ? "1/999999"
      : "999999";

  test("a create is one POST and leaves no difference", async () => {
    const { world, verbs, inputs, make } = await opened(definition);
    const { id, outs } = await make();
    const writes = world.requests().filter((line) => !line.startsWith("GET "));
    expect(writes).toEqual([expect.stringMatching(/^POST /)]);
    expect(await verbs.diff(id, outs, inputs)).toEqual({ type: "none" });
  });

  test("a read returns the arguments that were written, with one request", async () => {
    const { world, verbs, inputs, make } = await opened(definition);
    const { id, outs } = await make();
    let read: Awaited<ReturnType<typeof verbs.read>>;
    const sent = await world.during(async () => {
      read = await verbs.read(id, outs);
    });
    expect(sent).toHaveLength(1);
    expect(await verbs.diff(id, read?.props ?? {}, inputs)).toEqual({ type: "none" });
    const { content: _body, ...readable } = inputs;
    expect(read?.inputs).toMatchObject(definition.body?.text === undefined ? readable : inputs);
  });

  test("an update reads the object and changes it with one PUT, whose answer or a read proves it, or reports that it must be replaced", async () => {
    const { world, verbs, inputs, change, make } = await opened(definition);
    const { id, outs } = await make();
    if (change === undefined) {
      expect(definition.operations.edit).toBeUndefined();
      return;
    }
    const next = await verbs.checked({ ...inputs, ...change }, inputs);
    expect(await verbs.diff(id, outs, next)).toMatchObject({
      type: "update",
      paths: Object.keys(change).map((name) => [name]),
    });
    let after: Values = {};
    const sent = await world.during(async () => {
      after = await verbs.update(id, outs, next);
    });
    const verbsSent = sent.map((line) => line.replace(/ .*/, ""));
    // A shop may leave the answer to some edits empty (interface.md).
    const proofs = definition.operations.edit?.answers === "nothing" ? [[], ["GET"]] : [[]];
    expect(proofs.map((proof) => ["GET", "PUT", ...proof])).toContainEqual(verbsSent);
    expect(await verbs.diff(id, after, next)).toEqual({ type: "none" });
    expect(await verbs.diff(id, (await verbs.read(id, after))?.props ?? {}, next)).toEqual({ type: "none" });
  });

  test("an update without changes sends nothing", async () => {
    const { world, verbs, inputs, make } = await opened(definition);
    const { id, outs } = await make();
    expect(await world.during(() => verbs.update(id, outs, inputs))).toEqual([]);
  });

  test("a delete removes the object, and a second delete succeeds", async () => {
    const { verbs, make } = await opened(definition);
    const { id, outs } = await make();
    await verbs.delete(id, outs);
    await verbs.delete(id, outs);
    const read = await verbs.read(id, outs);
    if (definition.cancel === undefined) expect(read).toBeUndefined();
    else expect(read?.props).toMatchObject({ status: "declined" });
  });

  test("an argument that isn't known before the run is accepted and stays unknown", async () => {
    const { verbs, inputs } = await opened(definition);
    for (const name of Object.keys(inputs).filter((one) => !one.startsWith("__"))) {
      const { inputs: checked, failures } = await verbs.check(inputs, { ...inputs, [name]: unknownValue });
      expect([failures, checked[name]], name).toEqual([[], unknownValue]);
    }
  });

  test("a check of known and unknown arguments makes no request", async () => {
    const { world, verbs, inputs } = await opened(definition);
    const adopting = { ...inputs, adopt: "7" };
    const asked = (work: () => Promise<unknown>) => world.during(() => work().catch(() => undefined));
    const alone = world.verbs(definition, undefined, undefined, { onlyArguments: true });
    expect(await asked(() => alone.checked(adopting))).toEqual([]);
    expect(await asked(() => verbs.checked({ ...inputs, adopt: unknownValue }))).toEqual([]);
    if (definition.singleton === undefined)
      expect(await asked(() => verbs.checked(adopting))).not.toEqual([]);
  });

  test("a step that an approved plan doesn't have sends nothing, and a step that it has is applied", async () => {
    const { world, verbs, inputs, change } = await opened(definition);
    const plans = (approved: Approved) => world.verbs(definition, undefined, undefined, { approved });
    const nothing = plans({ objects: {}, creates: [] });
    const refused = "the approved plan. Nothing was sent for it; make a new plan";
    const refuse = async (work: () => Promise<unknown>) =>
      expect(await world.during(() => expect(work()).rejects.toThrow(refused))).toEqual([]);
    await refuse(() => nothing.create(inputs));
    const creating = plans({ objects: {}, creates: [resourceOf(definition.kind, inputs)] });
    const { id, outs } = await creating.create(inputs);
    const next = await verbs.checked({ ...inputs, ...change }, inputs);
    await refuse(() => nothing.update(id, outs, next));
    await refuse(() => nothing.delete(id, outs));
    const planned = [{ ends: false }, { ends: true }];
    const whole = plans({ objects: { [objectKey(definition.kind, id)]: planned }, creates: [] });
    const after = change === undefined ? outs : await whole.update(id, outs, next);
    await whole.delete(id, after);
    expect((await verbs.read(id, after))?.props.status).toBe(definition.cancel && "declined");
  });

  test("a read of a missing object reports it as gone", async () => {
    const { verbs } = await opened(definition);
    expect(await verbs.read(missing, { __stated: "" })).toBeUndefined();
  });

  test("a get of a missing object is an error that names it", async () => {
    const { verbs } = await opened(definition);
    await expect(verbs.read(missing, {})).rejects.toThrow(
      `${definition.kind} ${missing} does not exist; check the id`,
    );
  });

  test("adopt by id takes over the object without POST, and without PUT if nothing differs", async () => {
    const { world, verbs, inputs, make } = await opened(definition);
    const { id } = await make();
    const adopting = await verbs.checked({
      ...inputs,
      adopt: definition.singleton ? "key" : id.split("/").at(-1),
    });
    let taken = { id: "", outs: {} as Values };
    const sent = await world.during(async () => {
      taken = await verbs.create(adopting);
    });
    expect(taken.id).toBe(id);
    expect(sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
    // Taking the argument away later changes nothing.
    expect(await verbs.diff(id, taken.outs, inputs)).toEqual({ type: "none" });
    // What was taken over is known as if it had been made here, down to the numbers of its items.
    expect(taken.outs).toEqual({ ...(await verbs.read(id, taken.outs))?.props });
  });

  test("an object that was adopted under another name is kept when the engine deletes it under the old one, with a message", async () => {
    const { world, inputs } = await opened(definition);
    const { id, outs } = await world.verbs(definition).create({ ...inputs, __of: "dev::old" });
    const adopt = definition.singleton ? "key" : id.split("/").at(-1);
    const next = world.verbs(definition);
    const taken = await next.create({ ...inputs, adopt, __of: "dev::new" });
    expect(taken.id).toBe(id);
    const sent = await world.during(() => next.delete(id, outs));
    expect([sent, world.said]).toEqual([
      [],
      [`${definition.kind} ${id}: kept, because resource new has it now`],
    ]);
  });

  test("a get returns the same values after a refresh", async () => {
    const { verbs, make } = await opened(definition);
    const { id } = await make();
    const first = await verbs.read(id, {});
    expect(first?.props).toMatchObject({ __stated: "" });
    expect((await verbs.read(id, first?.props ?? {}))?.props).toEqual(first?.props);
  });

  test("an object that was adopted without a difference is later changed by one edit", async () => {
    const { world, verbs, inputs, change, make } = await opened(definition);
    const { id } = await make();
    if (change === undefined) return;
    const items = Object.entries(definition.fields).find(
      ([name, { items: of }]) => of?.fields && inputs[name],
    );
    const taken = await verbs.create(
      await verbs.checked({ ...inputs, adopt: definition.singleton ? "key" : id.split("/").at(-1) }),
    );
    const money = ([name, value]: [string, unknown]) => [name, typeof value === "number" ? value + 1 : value];
    const moved = (list: unknown) =>
      (list as Values[]).map((item) => Object.fromEntries(Object.entries(item).map(money)));
    const next = await verbs.checked(
      { ...inputs, ...change, ...(items && { [items[0]]: moved(inputs[items[0]]) }) },
      inputs,
    );
    const outs = await verbs.update(id, taken.outs, next);
    expect(await verbs.diff(id, outs, next)).toEqual({ type: "none" });
    if (items === undefined) return;
    expect(outs[items[0]]).toHaveLength((inputs[items[0]] as unknown[]).length);
    expect(world.requests().filter((line) => line.startsWith("DELETE"))).toEqual([]);
  });

  test("adopt by key finds the object and sends only the differences, and is refused without a key", async () => {
    const { world, verbs, inputs, change, make } = await opened(definition);
    const { id } = await make();
    const { failures } = await verbs.check({}, { ...inputs, adopt: "key" });
    const keyed = definition.keys !== undefined || definition.singleton !== undefined;
    expect(failures.length === 0).toBe(keyed);
    if (!keyed) return;
    const keys = new Set((definition.keys ?? []).flat().map((path) => path.split(".")[0]));
    const keyless = Object.fromEntries(Object.entries(change ?? {}).filter(([name]) => !keys.has(name)));
    const adopting = await verbs.checked({ ...inputs, ...keyless, adopt: "key" });
    let taken = { id: "", outs: {} as Values };
    const sent = await world.during(async () => {
      taken = await verbs.create(adopting);
    });
    expect(taken.id).toBe(id);
    expect(sent.filter((line) => line.startsWith("POST "))).toEqual([]);
    expect(sent.filter((line) => line.startsWith("PUT "))).toHaveLength(
      Object.keys(keyless).length === 0 ? 0 : 1,
    );
    expect(await verbs.diff(id, taken.outs, adopting)).toEqual({ type: "none" });
  });

  test("a preview says which object will be adopted and what will change", async () => {
    const { world, verbs, inputs, change, make } = await opened(definition);
    const { id } = await make();
    const adopt = definition.singleton ? "key" : id.split("/").at(-1);
    await verbs.checked({ ...inputs, adopt });
    expect(world.said.at(-1)).toMatch(new RegExp(`^adopts ${definition.kind} ${id}( \\(.*\\))? as it is$`));
    if (change === undefined) return;
    await verbs.checked({ ...inputs, ...change, adopt });
    for (const name of Object.keys(change))
      expect(world.said.at(-1)).toMatch(new RegExp(`, changes .*${name}`));
    expect(world.requests().filter((line) => !/^(GET|POST) /.test(line))).toEqual([]);
  });

  test("adopt with an id that is gone finds the object by its key, and creates it if there is none", async () => {
    const { world, verbs, inputs } = await opened(definition);
    const gone = definition.singleton ? "key" : "999999";
    const created = await verbs.create(await verbs.checked({ ...inputs, adopt: gone }));
    expect(world.said.join("\n")).toMatch(/the shop has no .*: it is created/);
    expect(world.requests().filter((line) => line.startsWith("POST "))).toHaveLength(1);
    expect((await verbs.read(created.id, created.outs))?.id).toBe(created.id);
    if (definition.keys === undefined) return;
    world.requests();
    const again = world.verbs(definition);
    const { id } = await again.create(await again.checked({ ...inputs, adopt: gone }));
    expect(id).toBe(created.id);
    expect(world.said.join("\n")).toMatch(/instead of 999999, which the shop doesn't have/);
    expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
  });
});
