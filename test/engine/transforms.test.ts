// Transforms: functions of the program's that change what it asks for, of one resource, of all below it, of the whole stack.
import { describe, expect } from "vitest";
import { scenarios } from "./scenario.ts";
import { pluggedText } from "./scene.ts";

const scenario = scenarios("transforms");

/** A transform that leaves its name in `by`, behind the names of those before it. */
const signed = `const signed = (by) => ({ custom, props, opts }) =>
  custom ? { props: { ...props, by: [...(props.by ?? []), by] }, opts } : undefined;`;

describe("the order of transforms", () => {
  scenario("a resource's own come first, then its parents', then the stack's", async (scene) => {
    scene.program(`
      ${signed}
      // The SDK sends what is registered all at once: nobody knows which of two comes first.
      pulumi.runtime.registerResourceTransform(signed("stack"));
      const counted = ({ custom, props, opts }) => custom ? { props: { ...props, size: 1 }, opts } : undefined;
      pulumi.runtime.registerResourceTransform(counted);
      const inner = (parent) => new Group("inner", (own) => {
        new Thing("child", {}, { parent: own, transforms: [signed("own 1"), signed("own 2")] });
        new Thing("plain", {}, { parent: own });
      }, { parent, transforms: [signed("inner")] });
      new Group("outer", (own) => void inner(own), { transforms: [signed("outer")] });
      new Thing("alone");
    `);
    await scene.up();
    expect(scene.calls().toSorted()).toEqual([
      'create alone {"by":["stack"],"size":1}',
      'create child {"by":["own 1","own 2","inner","outer","stack"],"size":1}',
      'create plain {"by":["inner","outer","stack"],"size":1}',
    ]);
  });
});

describe("what a transform may change", () => {
  scenario("every option", async (scene) => {
    scene.program(`
      const a = new Thing("a");
      const all = {
        dependsOn: [a], ignoreChanges: ["color"], replaceOnChanges: ["size"], additionalSecretOutputs: ["made"],
        customTimeouts: { create: "5m" }, deleteBeforeReplace: true, deletedWith: a, replaceWith: [a], protect: true,
        retainOnDelete: true, aliases: [{ name: "old" }], replacementTrigger: "one", version: "1.0.0",
        pluginDownloadURL: "https://example.com/a",
      };
      new Thing("b", { color: "red" }, { transforms: [({ props }) => ({ props, opts: all })] });
    `);
    await scene.up();
    expect(scene.saved("b")).toMatchObject({ protect: true, retainOnDelete: true, ignoreChanges: ["color"] });
    scene.program(`
      const a = new Thing("a");
      const other = ({ props }) => ({ props: { ...props, color: "blue" }, opts: {} });
      new Thing("b", { color: "red" }, { protect: true, ignoreChanges: ["color"], dependsOn: [a], transforms: [other] });
    `);
    await scene.up();
    expect(scene.saved("b")?.protect).toBeUndefined();
    expect(scene.saved("b")?.inputs).toMatchObject({ color: "blue" });
  });

  scenario("its provider, and the id that it is imported by", async (scene) => {
    scene.write("Pulumi.yaml", pluggedText);
    scene.edit("old-7", { label: "b", made: "old-7!" });
    scene.program(`
      const south = new Provider("south", { region: "south" });
      const to = (opts) => ({ transforms: [({ props }) => ({ props, opts })] });
      new Plugged("a", {}, to({ provider: south }));
      new Plugged("b", {}, to({ import: "old-7" }));
      new Plugged("c", {}, { provider: south, ...to({ version: "1.0.0" }) });
    `);
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(scene.saved("a")?.outputs).toMatchObject({ region: "south" });
    expect(scene.saved("b")?.id).toBe("old-7");
    expect(scene.saved("c")?.provider).toContain("default_1_0_0");
  });

  scenario("names that a resource had: the whole stack is renamed by one", async (scene) => {
    scene.program(`new Thing("a-old", { label: "x" });`);
    await scene.up();
    scene.calls();
    scene.program(`
      pulumi.runtime.registerResourceTransform(({ name, props, opts }) => (
        { props, opts: { ...opts, aliases: [...(opts.aliases ?? []), { name: name + "-old" }] } }));
      new Thing("a", { label: "x" });
    `);
    expect((await scene.up()).steps).toEqual(["same a"]);
    expect(scene.calls()).toEqual([]);
  });

  scenario("what its parent protects it sees as its own, and may lift", async (scene) => {
    scene.program(`
      const seen = {};
      pulumi.runtime.registerResourceTransform(({ name, props, opts }) => {
        seen[name] = { protect: opts.protect ?? null, parent: opts.parent !== undefined };
        return name === "b" ? { props, opts: { ...opts, protect: undefined } } : undefined;
      });
      const below = (parent) => {
        const made = ["a", "b"].map((name) => new Thing(name, {}, { parent }).made);
        out.seen = pulumi.all(made).apply(() => seen);
      };
      new Group("g", below, { protect: true });
    `);
    const { outputs } = await scene.up();
    expect(outputs).toMatchObject({ seen: { a: { protect: true, parent: true } } });
    expect([scene.saved("a")?.protect, scene.saved("b")?.protect]).toEqual([true, undefined]);
  });
});

describe("arguments that come of other resources", () => {
  const program = (how: string) => `
    const kinds = {};
    const isOutput = (value) => pulumi.Output.isInstance(value);
    const tag = ({ name, props, opts }) => {
      kinds[name] = Object.keys(props).filter((key) => isOutput(props[key])).sort();
      return name === "c" ? undefined : { props: { ...props, tag: "t" }, opts };
    };
    ${how === "stack" ? "pulumi.runtime.registerResourceTransform(tag);" : ""}
    const transforms = ${how === "stack" ? "[]" : "[tag]"};
    const a = new Thing("a");
    const of = { of: a.made, deep: [{ of: a.made }], plain: "p", hush: pulumi.secret("quiet") };
    const all = ["b", "c"].map((name) => new Thing(name, of, { transforms }).made);
    out.kinds = pulumi.all(all).apply(() => kinds);
  `;
  for (const how of ["stack", "own"])
    scenario(
      `unknown and secret ones are outputs to a transform of the ${how === "stack" ? "stack" : "resource"}`,
      async (scene) => {
        scene.program(program(how));
        expect((await scene.preview()).outcome).toBe("succeeded");
        const { outputs, outcome } = await scene.up();
        expect(outcome).toBe("succeeded");
        expect((outputs.kinds as Record<string, string[]>).b).toContain("hush");
        expect(scene.saved("b")?.inputs).toMatchObject({ of: "a-1!", deep: [{ of: "a-1!" }], tag: "t" });
        expect(scene.read("backend/.pulumi/stacks/scene/dev.json")).not.toContain("quiet");
      },
    );
});

scenario("a transform that fails keeps its resource from being made, and says why", async (scene) => {
  scene.program(`new Thing("b", {}, { transforms: [() => { throw new Error("no tag for b"); }] });`);
  const ran = await scene.up();
  expect(ran.outcome).toBe("failed");
  expect(ran.messages).toContain("transform failed: Error: no tag for b");
  expect(scene.saved("b")).toBeUndefined();
});

scenario(
  "functions: arguments, provider and version are changed, each by the one before it",
  async (scene) => {
    scene.write("Pulumi.yaml", pluggedText);
    scene.write("Pulumi.dev.yaml", "config:\n  scene:region: north\n");
    scene.program(`
    const south = new Provider("south", { region: "south" });
    const change = pulumi.runtime.registerInvokeTransform;
    change(({ args, opts }) => ({ args: { of: args.of + "!" }, opts }));
    change(({ token, args, opts }) => {
      if (args.of === "a!") return { args, opts: { ...opts, provider: south } };
      return args.of === "b!" ? { args, opts: { version: "1.0.0" } } : undefined;
    });
    const look = (of) => pulumi.output(pulumi.runtime.invoke("scene:index:look", { of })).seen;
    out.all = pulumi.all(["a", "b", "c"].map(look));
  `);
    expect((await scene.up()).outputs).toEqual({
      all: ["a! in south", "b! in north by 1.0.0", "c! in north"],
    });
  },
);
