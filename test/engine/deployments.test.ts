// Registrations: adopted, refused, incomplete, replaced for special reasons, and their events.
import { describe, expect, test } from "vitest";
import { endedIn } from "../../engine/index.ts";
import { type Provider, RefusedError } from "../../engine/processes/provider.ts";
import type { Goal } from "../../engine/values/goal.ts";
import { openDisk } from "../support/disk.ts";
import {
  alterStates,
  goal,
  inTurn,
  openCloud,
  type Program,
  places,
  providerOf,
  putProject,
  runUp,
  statesOf,
  thing,
  urnOf as urn,
} from "./in-process.ts";

/** Runs of one stack, each with its own program and provider behaviour. */
function open() {
  const [disk, cloud] = [putProject(openDisk()), openCloud()];
  const own = providerOf(cloud);
  const run = async (
    asked: readonly Goal[] | Program,
    more: Partial<Provider> = {},
    options: { readonly replace?: readonly string[]; readonly previewOnly?: boolean } = {},
  ) => {
    cloud.requests.length = 0;
    const program = typeof asked === "function" ? asked : inTurn(asked);
    const ran = await runUp(
      disk,
      cloud,
      {},
      { ...options, parts: { startProvider: async () => ({ ...own, ...more }), program } },
    );
    const { done, failed, refused } = endedIn(ran.events);
    const steps = done.filter(({ custom, type, partOf }) => custom && type === thing && partOf === undefined);
    return {
      ...ran,
      // Unchanged resources are left out here.
      steps: steps.flatMap(({ op, name }) => (op === "same" ? [] : [`${op} ${name}`])),
      whole: steps,
      said: ran.events.flatMap((event) =>
        event.type === "message" ? [`${event.severity}: ${event.text}`] : [],
      ),
      failures: (ran.result?.failures ?? []).map(({ message }) => message),
      unfinished: [...failed, ...refused],
      sent: [...cloud.requests],
    };
  };
  return {
    disk,
    cloud,
    own,
    run,
    find: (name: string) => statesOf(disk).find((one) => one.urn === urn(name)),
  };
}

/** A provider that adopts the object with an id for every create. */
const taking = (own: Provider, id: string, more: object = {}): Partial<Provider> => ({
  check: async (_urn, _olds, news) => ({
    inputs: news,
    failures: [],
    takes: { id, inputs: { ...news, n: 0 }, ...more },
  }),
  create: async (_urn, inputs) => ({ id, outputs: { ...inputs, id } }),
  update: own.update,
});

describe("adoption in a deployment", () => {
  test("an adoption is reported with its changes and the object's present outputs", async () => {
    const { own, run, find } = open();
    const ran = await run([goal("a", { n: 1 })], taking(own, "7", { olds: { n: 0 } }));
    expect(ran.steps).toEqual(["adopt a"]);
    expect(ran.whole[0]).toMatchObject({ id: "7", changes: [{ path: "n", old: 0, new: 1 }], olds: { n: 0 } });
    expect(find("a")).toMatchObject({ id: "7", outputs: { n: 1, id: "7" } });
  });

  test("adopting an object of another resource in the state renames that resource", async () => {
    const { cloud, own, run, find } = open();
    await run([goal("old", { n: 1 })]);
    const id = find("old")?.id ?? "";
    const ran = await run([goal("new", { n: 2 })], taking(own, id));
    expect(ran.steps).toEqual(["rename new"]);
    expect(ran.whole[0]).toMatchObject({ from: "old", changes: [{ path: "n", old: 1, new: 2 }] });
    expect(ran.sent).toEqual([`update ${id}`]);
    expect([find("old"), find("new")?.id, cloud.objects.size]).toEqual([undefined, id, 1]);
    const again = await run([goal("newest", { n: 2 })], taking(own, id));
    expect([again.steps, again.sent]).toEqual([["rename newest"], []]);
  });

  test("two resources can't adopt one object", async () => {
    const { own, run } = open();
    await run([goal("old", { n: 1 })]);
    const both = await run([goal("old", { n: 1 }), goal("new", { n: 1 })], taking(own, "1"));
    expect(both.failures).toEqual([
      "new can't adopt Thing 1: resource old of this stack has it; two resources can't manage one object",
    ]);
    const twins = await run([goal("one", { n: 1 }), goal("two", { n: 1 })], taking(own, "9"));
    expect(twins.failures).toEqual([
      "two can't adopt Thing 9: resource one of this stack has it; two resources can't manage one object",
    ]);
  });

  test("a renamed resource's old name is refused", async () => {
    const { own, run } = open();
    await run([goal("old", { n: 1 })]);
    const ran = await run([goal("new", { n: 1 }), goal("old", { n: 1 })], taking(own, "1"));
    expect(ran.failures).toEqual([
      "old and new both manage 1, but two resources can't manage one object: remove one of them",
    ]);
  });
});

describe("invalid arguments in a deployment", () => {
  const refusing = (...wrong: readonly string[]): Partial<Provider> => ({
    check: async (_urn, _olds, news) => ({
      inputs: news,
      failures: wrong.map((property) => ({ property, reason: "is wrong" })),
    }),
  });

  test("every invalid argument is reported with its reason, and nothing is done", async () => {
    const { run } = open();
    const one = await run([goal("a", { n: 1 })], refusing("n"));
    expect([one.failures, one.sent]).toEqual([["invalid argument:\n  a.n: is wrong"], []]);
    const two = await run([goal("a", { n: 1 })], refusing("n", "m"));
    expect(two.failures).toEqual(["invalid arguments:\n  a.n: is wrong\n  a.m: is wrong"]);
  });

  test("a check gets the inputs of the state as old inputs", async () => {
    const { run } = open();
    await run([goal("a", { n: 1 })]);
    const asked: unknown[] = [];
    await run([goal("a", { n: 2 })], {
      check: async (_urn, olds, news) => {
        asked.push([olds, news]);
        return { inputs: news, failures: [] };
      },
    });
    expect(asked).toEqual([[{ n: 1 }, { n: 2 }]]);
  });
});

describe("refused updates in a deployment", () => {
  test("a refused diff is a refused update, and the resource stays unchanged", async () => {
    const { run, find } = open();
    await run([goal("a", { n: 1 })]);
    const ran = await run([goal("a", { n: 2 })], {
      diff: async () => {
        throw new RefusedError("not on Sundays");
      },
    });
    expect([ran.failures, ran.sent]).toEqual([["not on Sundays"], []]);
    expect(ran.unfinished[0]?.step).toMatchObject({
      op: "update",
      changes: [{ path: "n", old: 1, new: 2 }],
    });
    expect(find("a")).toMatchObject({ inputs: { n: 1 } });
  });

  test("any other error of a diff fails the registration", async () => {
    const { run, find } = open();
    await run([goal("a", { n: 1 })]);
    const ran = await run([goal("a", { n: 2 })], {
      diff: async () => {
        throw new Error("no answer");
      },
    });
    expect([ran.failures, ran.sent]).toEqual([["no answer"], []]);
    expect(find("a")).toMatchObject({ inputs: { n: 1 } });
  });
});

describe("replacements that are forced without differences", () => {
  const replaced = async (first: Partial<Goal>, second: Partial<Goal>, options: object = {}) => {
    const { run } = open();
    await run([goal("b", { n: 1 }), goal("a", { n: 1 }, first)]);
    const ran = await run([goal("b", { n: 1 }), goal("a", { n: 1 }, second)], {}, options);
    const why = ran.whole.find(({ op, name }) => op === "replace" && name === "a")?.replaces;
    return [why, ran.sent];
  };

  test("a changed replacementTrigger replaces the resource", async () => {
    expect(await replaced({ replacementTrigger: 1 }, { replacementTrigger: 2 })).toEqual([
      ["replacementTrigger"],
      ["create a", "delete 2"],
    ]);
    expect(await replaced({ replacementTrigger: 1 }, { replacementTrigger: 1 })).toEqual([undefined, []]);
  });

  test("--replace replaces the resource", async () => {
    expect(await replaced({}, {}, { replace: [urn("a")] })).toEqual([["id"], ["create a", "delete 2"]]);
  });

  test("a replaced resource in replaceWith replaces the resource", async () => {
    const [why] = await replaced({}, { replaceWith: [urn("b")] }, { replace: [urn("b")] });
    expect(why).toEqual(["replaceWith"]);
    expect(await replaced({}, { replaceWith: [urn("b")] })).toEqual([undefined, []]);
  });

  test("a replaced resource in deletedWith replaces the resource", async () => {
    const [why] = await replaced({}, { deletedWith: urn("b") }, { replace: [urn("b")] });
    expect(why).toEqual(["deletedWith"]);
  });

  test("a tainted resource is replaced", async () => {
    const { disk, run } = open();
    await run([goal("a", { n: 1 })]);
    alterStates(disk, (one) => (one.urn === urn("a") ? { ...one, taint: true } : one));
    const ran = await run([goal("a", { n: 1 })]);
    expect(ran.whole.find(({ op }) => op === "replace")?.replaces).toEqual(["id"]);
  });
});

describe("ignoreChanges in a deployment", () => {
  const replacing: Partial<Provider> = {
    diff: async (_urn, _id, olds, { news }) => ({
      changes: olds.n === news.n ? "none" : "some",
      replaces: olds.n === news.n ? [] : ["n"],
      deleteBeforeReplace: false,
    }),
  };

  test("ignored properties keep their old values, but not in a replacement", async () => {
    const { run, find } = open();
    await run([goal("a", { n: 1, m: 1 })]);
    const ignored = await run([goal("a", { n: 1, m: 2 }, { ignoreChanges: ["m"] })], replacing);
    expect([ignored.sent, find("a")?.inputs]).toEqual([[], { n: 1, m: 1 }]);
    const ran = await run([goal("a", { n: 2, m: 2 }, { ignoreChanges: ["m"] })], replacing);
    expect([ran.sent, find("a")?.inputs]).toEqual([["create a", "delete 1"], { n: 2, m: 2 }]);
    expect(ran.whole.find(({ op }) => op === "replace")?.changes.map(({ path }) => path)).toEqual(["n", "m"]);
  });
});

describe("outputs in a deployment", () => {
  const stackUrn = urn("memory-dev", "pulumi:pulumi:Stack");

  test("the stack and each component have their own outputs", async () => {
    const { run } = open();
    const ran = await run(async (deployment) => {
      const stack = await deployment.register(
        goal("memory-dev", {}, { type: "pulumi:pulumi:Stack", custom: false }),
      );
      const part = await deployment.register(
        goal("part", {}, { type: "own:Part", custom: false, parent: stack.urn }),
      );
      await deployment.outputs(part.urn, { inner: 1 });
      await deployment.outputs(stack.urn, { outer: 2 });
      return 0;
    });
    expect(ran.result).toMatchObject({ outcome: "succeeded", outputs: { outer: 2 } });
  });

  test("registering outputs of an unknown resource is an error", async () => {
    const { run } = open();
    let failure: unknown;
    await run(async (deployment) => {
      failure = await deployment.outputs(stackUrn, {}).catch((error: unknown) => error);
      return 0;
    });
    expect(failure).toEqual(
      new Error(`outputs were registered for ${stackUrn}, which is not a resource of this run`),
    );
  });
});

describe("messages of a program", () => {
  const saying = async (severity: "info" | "error", text: string, asked: readonly Goal[] = []) => {
    const { run } = open();
    const ran = await run(
      async (deployment) => {
        for (const one of asked) await deployment.register(one).catch(() => {});
        deployment.log(severity, text, undefined);
        return 1;
      },
      { create: async () => Promise.reject(new Error("no room")) },
    );
    const failures = ran.result?.failures ?? [];
    return {
      said: ran.said,
      ofResources: failures.flatMap(({ urn: of, message }) => (of === undefined ? [] : [message])),
      own: failures.flatMap(({ urn: of, message }) => (of === undefined ? [message] : [])),
    };
  };

  test("a program's log message is reported unchanged", async () => {
    expect((await saying("info", "hello")).said).toContain("info: hello");
    expect((await saying("error", "broken")).said).toContain("error: broken");
  });

  test("a program's own error is reported once, and not if it only follows a resource's error", async () => {
    const crash = (why: string) =>
      `Running program '${places.folder}/index.ts' failed with an unhandled exception:\nError: ${why}\n    at ${places.folder}/index.ts:3:7`;
    const told = (why: string) => [`the program failed: ${why}\n  at index.ts:3:7`];
    const unregistered = "failed to register new resource a";
    expect(await saying("error", crash("oops"))).toEqual({ said: [], ofResources: [], own: told("oops") });
    expect((await saying("error", crash(unregistered))).own).toEqual(told(unregistered));
    const died = await saying("error", crash(unregistered), [goal("a", { n: 1 })]);
    expect(died).toEqual({ said: [], ofResources: ["no room"], own: [] });
    // If nothing awaits the resource, the SDK logs only the error.
    const bare = "Error: resource a [t] failed to register\n    at resource.js:619:32";
    expect(await saying("error", bare, [goal("a", { n: 1 })])).toEqual(died);
    const both = await saying("error", crash("oops"), [goal("a", { n: 1 })]);
    expect(both).toEqual({ said: [], ofResources: ["no room"], own: told("oops") });
  });
});
