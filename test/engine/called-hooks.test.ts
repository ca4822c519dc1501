// When hooks are called and what becomes of their errors: the rules by themselves, without a program.
import { describe, expect, test } from "vitest";
import { openHooks, refuseDeleteHooks } from "../../engine/steps/hooks.ts";
import type { Event } from "../../engine/values/events.ts";
import type { ErrorHook, Hook } from "../../engine/values/hook.ts";

const urn = "urn:pulumi:dev::p::x:y:Thing::a";
const state = { urn, custom: true, type: "x:y:Thing", id: "1" };

/** Hooks that note in `calls` what they are called with. */
function open(dryRun = false) {
  const [calls, events]: [unknown[], Event[]] = [[], []];
  const hooks = openHooks({ dryRun, watch: (event) => events.push(event) });
  const add = (name: string, more: Partial<Hook> = {}) =>
    hooks.register({
      name,
      onDryRun: false,
      ignoreErrors: false,
      call: async (told) => void calls.push([name, told]),
      ...more,
    });
  const addError = (name: string, call: ErrorHook["call"]) => hooks.registerError({ name, call });
  return { hooks, calls, events, add, addError, names: () => calls.map((call) => (call as [string])[0]) };
}

const fail = async (): Promise<never> => {
  throw new Error("not today");
};

describe("the name of a hook", () => {
  test("is never empty", () => {
    const { add, addError } = open();
    expect(() => add("")).toThrow("resource hook name cannot be empty");
    expect(() => addError("", async () => false)).toThrow("resource hook name cannot be empty");
  });

  test("is one hook's, of errors or not", () => {
    const { add, addError } = open();
    add("one");
    addError("other", async () => false);
    const second = (name: string) => `resource hook already registered for name "${name}"`;
    for (const name of ["one", "other"]) {
      expect(() => add(name)).toThrow(second(name));
      expect(() => addError(name, async () => false)).toThrow(second(name));
    }
    expect(() => add("third")).not.toThrow();
  });
});

describe("the hooks of a step", () => {
  test("are called one after another, told of the resource and of the step; others aren't", async () => {
    const { hooks, calls, add } = open();
    for (const name of ["one", "two", "three"]) add(name);
    const resourceHooks = { BeforeUpdate: ["two", "one"], AfterUpdate: ["three"] };
    await hooks.run("BeforeUpdate", { ...state, resourceHooks }, { newInputs: { n: 1 } });
    const told = { urn, id: "1", name: "a", type: "x:y:Thing", newInputs: { n: 1 } };
    expect(calls).toEqual([
      ["two", told],
      ["one", told],
    ]);
    await hooks.run("BeforeUpdate", state, {});
    expect(calls).toHaveLength(2);
  });

  test("are told an empty id of what isn't there yet", async () => {
    const { hooks, calls, add } = open();
    add("one");
    const { id: _none, ...fresh } = state;
    await hooks.run("BeforeCreate", { ...fresh, resourceHooks: { BeforeCreate: ["one"] } }, {});
    expect(calls).toEqual([["one", { urn, id: "", name: "a", type: "x:y:Thing" }]]);
  });

  test("are called in a preview where they say so", async () => {
    const { hooks, names, add } = open(true);
    add("silent");
    add("loud", { onDryRun: true });
    await hooks.run("BeforeCreate", { ...state, resourceHooks: { BeforeCreate: ["silent", "loud"] } }, {});
    expect(names()).toEqual(["loud"]);
  });

  test("fail it by their place, and what comes after isn't called", async () => {
    const { hooks, names, add, events } = open();
    add("bad", { call: fail });
    add("next");
    const all = { ...state, resourceHooks: { BeforeDelete: ["bad", "next"], AfterDelete: ["bad"] } };
    await expect(hooks.run("BeforeDelete", all, {})).rejects.toThrow('before hook "bad" failed: not today');
    await expect(hooks.run("AfterDelete", all, {})).rejects.toThrow('after hook "bad" failed: not today');
    expect(names()).toEqual([]);
    expect(events).toEqual([]);
  });

  test("warn where their errors are to be ignored, and the next one is called", async () => {
    const { hooks, names, add, events } = open();
    add("bad", { call: fail, ignoreErrors: true });
    add("next");
    await hooks.run("BeforeDelete", { ...state, resourceHooks: { BeforeDelete: ["bad", "next"] } }, {});
    expect(names()).toEqual(["next"]);
    const text = 'BeforeDelete hook "bad" failed: not today';
    expect(events).toEqual([{ type: "message", severity: "warning", text, urn }]);
  });

  test("must be the program's still, in a preview too", async () => {
    for (const dryRun of [false, true])
      await expect(
        open(dryRun).hooks.run("BeforeDelete", { ...state, resourceHooks: { BeforeDelete: ["gone"] } }, {}),
      ).rejects.toThrow('hook "gone" was not registered: the program must have it still');
  });
});

describe("the hooks of an error", () => {
  const withHooks = (...OnError: readonly string[]) => ({ ...state, resourceHooks: { OnError } });
  /** Work that fails so often, with the number of the try. */
  const failing = (times: number) => {
    let tries = 0;
    return async () => {
      tries += 1;
      if (tries <= times) throw new Error(`try ${tries}`);
      return tries;
    };
  };

  test("aren't asked where nothing fails", async () => {
    const { hooks, addError, events } = open();
    addError("again", fail);
    expect(await hooks.retried("create", withHooks("again"), {}, failing(0))).toBe(1);
    expect(events).toEqual([]);
  });

  test("are asked with all errors, the last one first, and each new try is told", async () => {
    const { hooks, calls, addError, events } = open();
    addError("again", async (told) => {
      calls.push([told.operation, told.errors.join(), told.id, told.newInputs]);
      return true;
    });
    const told = { newInputs: { n: 1 } };
    expect(await hooks.retried("update", withHooks("again"), told, failing(2))).toBe(3);
    expect(calls).toEqual([
      ["update", "try 1", "1", { n: 1 }],
      ["update", "try 2,try 1", "1", { n: 1 }],
    ]);
    expect(events).toMatchObject([
      { severity: "warning", text: "retrying update due to on-error hook request (1/100)", urn },
      { severity: "warning", text: "retrying update due to on-error hook request (2/100)", urn },
    ]);
  });

  test("try again where one of them wants to, and all are asked", async () => {
    const { hooks, names, calls, addError } = open();
    for (const [name, again] of [
      ["no", false],
      ["yes", true],
      ["not", false],
    ] as const)
      addError(name, async () => {
        calls.push([name]);
        return again;
      });
    expect(await hooks.retried("delete", withHooks("no", "yes", "not"), {}, failing(1))).toBe(2);
    expect(names()).toEqual(["no", "yes", "not"]);
    await expect(hooks.retried("delete", withHooks("no", "not"), {}, failing(1))).rejects.toThrow("try 1");
    await expect(hooks.retried("delete", state, {}, failing(1))).rejects.toThrow("try 1");
  });

  test("fail by themselves: nothing is tried again", async () => {
    const { hooks, addError } = open();
    addError("bad", fail);
    await expect(hooks.retried("create", withHooks("bad"), {}, failing(1))).rejects.toThrow(
      'error hook "bad" failed: not today',
    );
    await expect(hooks.retried("create", withHooks("gone"), {}, failing(1))).rejects.toThrow(
      'error hook "gone" was not registered: the program must have it still',
    );
  });

  test("end after a hundred tries, with the last error as the cause", async () => {
    const { hooks, addError } = open();
    addError("again", async () => true);
    expect(await hooks.retried("create", withHooks("again"), {}, failing(99))).toBe(100);
    const ended = hooks.retried("create", withHooks("again"), {}, failing(100));
    await expect(ended).rejects.toMatchObject({
      message: "maximum number of error hook retries reached",
      cause: { message: "try 100" },
    });
  });
});

test("a run without the program is refused where a resource has hooks of its delete, which are named", () => {
  const other = "urn:pulumi:dev::p::x:y:Thing::b";
  const both = { BeforeDelete: ["one"], AfterDelete: ["two"] };
  expect(() =>
    refuseDeleteHooks([state, { ...state, resourceHooks: { AfterUpdate: ["one"] } }]),
  ).not.toThrow();
  const refused = () =>
    refuseDeleteHooks([
      { ...state, resourceHooks: both },
      { ...state, urn: other, resourceHooks: { AfterDelete: ["two"] } },
    ]);
  expect(refused).toThrow(/ before destroy:\n {2}a: one, two\n {2}b: two$/);
});
