// What the hooks of a resource are told by the run, step by step, in one process.
import { expect, test } from "vitest";
import { preview, recorder, up } from "../../engine/index.ts";
import type { Provider } from "../../engine/processes/provider.ts";
import type { HookArguments } from "../../engine/values/hook.ts";
import type { Properties } from "../../engine/values/values.ts";
import { openDisk } from "../support/disk.ts";
import { goal, openCloud, openMemory, type Program, providerOf, putProject } from "./in-process.ts";

const types = [
  "BeforeCreate",
  "AfterCreate",
  "BeforeUpdate",
  "AfterUpdate",
  "BeforeDelete",
  "AfterDelete",
] as const;
/** Every hook of a resource, called by the step that it is of. */
const hooks = { ...Object.fromEntries(types.map((type) => [type, [type]])), OnError: ["again"] };

/** Runs of a program of one resource, or of none; all that its hooks are told is in `calls`. */
function open(of: (provider: Provider) => Partial<Provider> = () => ({}), onDryRun = false) {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  const calls: (readonly [name: string, told: object])[] = [];
  const note = (name: string) => async (told: HookArguments) => {
    const { urn: _urn, type: _type, name: _name, ...rest } = told;
    calls.push([name, rest]);
  };
  const run = (inputs: Properties | undefined, verb: typeof up | typeof preview = up) => {
    const provider = providerOf(cloud);
    const program: Program = async (deployment) => {
      for (const name of types)
        deployment.registerHook({ name, onDryRun, ignoreErrors: false, call: note(name) });
      deployment.registerErrorHook({
        name: "again",
        call: async (told) => {
          await note("again")({ ...told, errors: [...told.errors] } as HookArguments);
          return told.errors.length < 2;
        },
      });
      if (inputs === undefined) return 0;
      return deployment.register(goal("a", inputs, { hooks })).then(
        () => 0,
        () => 1,
      );
    };
    calls.length = 0;
    const parts = { startProvider: async () => ({ ...provider, ...of(provider) }), program };
    return verb(openMemory(disk), { watch: recorder().watch, parts });
  };
  return { calls, run };
}

const made = (n: number) => ({ n, id: "1" });

test("a create: of its arguments, then of what it came to", async () => {
  const { calls, run } = open();
  await run({ n: 1 });
  expect(calls).toEqual([
    ["BeforeCreate", { id: "", newInputs: { n: 1 } }],
    ["AfterCreate", { id: "1", newInputs: { n: 1 }, newOutputs: made(1) }],
  ]);
});

test("an update: of what was and will be, then of what it came to", async () => {
  const { calls, run } = open();
  await run({ n: 1 });
  await run({ n: 2 });
  const told = { id: "1", newInputs: { n: 2 }, oldInputs: { n: 1 }, oldOutputs: made(1) };
  expect(calls).toEqual([
    ["BeforeUpdate", told],
    ["AfterUpdate", { ...told, newOutputs: made(2) }],
  ]);
  await run({ n: 2 });
  expect(calls).toEqual([]);
});

test("a delete: of what was, before and after", async () => {
  const { calls, run } = open();
  await run({ n: 1 });
  await run(undefined);
  const told = { id: "1", oldInputs: { n: 1 }, oldOutputs: made(1) };
  expect(calls).toEqual([
    ["BeforeDelete", told],
    ["AfterDelete", told],
  ]);
});

test("a preview: those that want it, of what the provider says that it would come to, or else of the arguments", async () => {
  const silent = open();
  await silent.run({ n: 1 }, preview);
  expect(silent.calls).toEqual([]);
  const previews: Partial<Provider> = {
    previews: true,
    create: async (_urn, inputs) => ({ id: "", outputs: { ...inputs, said: true } }),
    update: async (_urn, _id, _olds, { news }) => ({ outputs: { ...news, said: true } }),
  };
  const [plain, saying] = [open(() => ({}), true), open((own) => ({ ...own, ...previews }), true)];
  await plain.run({ n: 1 }, preview);
  await saying.run({ n: 1 }, preview);
  expect([plain.calls.at(-1), saying.calls.at(-1)]).toEqual([
    ["AfterCreate", { id: "", newInputs: { n: 1 }, newOutputs: { n: 1 } }],
    ["AfterCreate", { id: "", newInputs: { n: 1 }, newOutputs: { n: 1, said: true } }],
  ]);
  await plain.run({ n: 1 });
  await plain.run({ n: 2 }, preview);
  const told = { id: "1", newInputs: { n: 2 }, oldInputs: { n: 1 }, oldOutputs: made(1) };
  expect(plain.calls).toEqual([
    ["BeforeUpdate", told],
    ["AfterUpdate", { ...told, newOutputs: { n: 2 } }],
  ]);
  await plain.run(undefined, preview);
  expect(plain.calls.map(([name]) => name)).toEqual(["BeforeDelete", "AfterDelete"]);
});

test("what fails: which operation, and each error; tried again as long as they want it", async () => {
  const fails = (verb: "create" | "update" | "delete") => {
    let tries = 0;
    return open((provider) => ({
      [verb]: async (...all: readonly unknown[]) => {
        tries += 1;
        if (tries <= 2) throw new Error(`try ${tries}`);
        return (provider[verb] as (...given: readonly unknown[]) => unknown)(...all);
      },
    }));
  };
  const asked = (calls: readonly (readonly [string, object])[]) => calls.filter(([name]) => name === "again");
  const created = fails("create");
  expect((await created.run({ n: 1 })).outcome).toBe("failed");
  const told = { operation: "create", id: "", newInputs: { n: 1 } };
  expect(asked(created.calls)).toEqual([
    ["again", { ...told, errors: ["try 1"] }],
    ["again", { ...told, errors: ["try 2", "try 1"] }],
  ]);
  expect((await created.run({ n: 1 })).outcome).toBe("succeeded");
  const updated = fails("update");
  await updated.run({ n: 1 });
  expect((await updated.run({ n: 2 })).outcome).toBe("failed");
  expect(asked(updated.calls)).toMatchObject([
    ["again", { operation: "update", id: "1", oldInputs: { n: 1 }, newInputs: { n: 2 } }],
    ["again", { errors: ["try 2", "try 1"] }],
  ]);
  const deleted = fails("delete");
  await deleted.run({ n: 1 });
  expect((await deleted.run(undefined)).outcome).toBe("failed");
  expect(asked(deleted.calls)).toMatchObject([
    ["again", { operation: "delete", id: "1", oldInputs: { n: 1 }, oldOutputs: made(1) }],
    ["again", { errors: ["try 2", "try 1"] }],
  ]);
});
