// The state on disk: one writer, results of interrupted runs, damaged files, unsupported features.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderIn } from "../../engine/pulumi/backend.ts";
import { thisMachine } from "../../engine/state/lock.ts";
import { full } from "../support/campaign.ts";
import { embedded, warm } from "./embedded.ts";
import { openScene, type Scene } from "./scene.ts";

const open = () => openScene([full ? embedded : warm]);
const locks = (scene: Scene) => join(scene.folder, "backend/.pulumi/locks/organization/scene/dev");
const journal = (scene: Scene) => join(dirname(scene.statePath), "dev.journal");

/** The first line of a journal: the state that it continues from. */
function head(scene: Scene): string {
  const base = createHash("sha256").update(readFileSync(scene.statePath)).digest("hex");
  return `${JSON.stringify({ journal: 1, base })}\n`;
}

function hold(scene: Scene, pid: number): string {
  mkdirSync(locks(scene), { recursive: true });
  const path = join(locks(scene), "somebody.json");
  writeFileSync(
    path,
    JSON.stringify({ ...thisMachine(), pid, username: "ann", timestamp: "2026-01-01T00:00:00.000Z" }),
  );
  return path;
}

describe("the lock in a run", () => {
  test("a second run is refused with the holder of the lock", async () => {
    const scene = open();
    scene.program(`new Thing("a");`);
    hold(scene, process.pid);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toMatch(/locked by ann@.* \(pid \d+\) since 2026-01-01T00:00:00.000Z/);
    expect(scene.calls()).toEqual([]);
  });

  test("the lock of an ended process is taken over and released", async () => {
    const scene = open();
    scene.program(`new Thing("a");`);
    // Above the largest pid of Linux.
    hold(scene, 2 ** 30);
    expect((await scene.up()).outcome).toBe("succeeded");
    expect(readdirSync(locks(scene))).toEqual([]);
  });

  test("a preview doesn't wait for the lock", async () => {
    const scene = open();
    scene.program(`new Thing("a");`);
    hold(scene, process.pid);
    expect((await scene.preview()).outcome).toBe("succeeded");
  });
});

describe("the journal of an interrupted run", () => {
  test("the next run has the results of an interrupted run and reports pending operations", async () => {
    const scene = open();
    scene.program(`new Thing("a"); new Thing("b");`);
    await scene.up();
    const before = JSON.parse(readFileSync(scene.statePath, "utf8"));
    const b = before.checkpoint.latest.resources.find(({ urn }: { urn: string }) => urn.endsWith("::b"));
    const c = {
      ...b,
      urn: b.urn.replace(/b$/, "c"),
      id: "c-1",
      inputs: { ...b.inputs, label: "c" },
      outputs: { ...b.outputs, label: "c", made: "c-1!" },
    };
    const lines = [
      { begin: 1, type: "creating", resource: { ...c, id: undefined } },
      { put: c, end: 1 },
      { begin: 2, type: "updating", resource: b },
    ];
    // The last line was cut off by a power failure.
    writeFileSync(
      journal(scene),
      `${head(scene)}${lines.map((line) => JSON.stringify(line)).join("\n")}\n{"put":{"urn":`,
    );
    scene.edit("c-1", { label: "c", made: "c-1!" });
    scene.calls();
    scene.program(`new Thing("a"); new Thing("b");`);
    const ran = await scene.up();
    expect(ran).toMatchObject({
      outcome: "succeeded",
      messages: expect.stringContaining("interrupted while updating"),
    });
    // Resources of running operations are read first, because the operation may have happened.
    expect(scene.calls()).toEqual(["read b-1", "delete c-1"]);
    expect(existsSync(journal(scene))).toBe(false);
  });

  test("an interrupted run's results are in the state even if the next run changes nothing", async () => {
    const scene = open();
    scene.program(`new Thing("a", { color: "red" });`);
    await scene.up();
    const [a] = (scene.state().resources ?? []).filter(({ urn }) => urn.endsWith("::a"));
    writeFileSync(
      journal(scene),
      `${head(scene)}${JSON.stringify({ put: { ...a, outputs: { ...a?.outputs, made: "late!" } } })}\n`,
    );
    await scene.up();
    expect(scene.saved("a")?.outputs).toMatchObject({ made: "late!" });
  });
});

describe("the files of a state", () => {
  test("the files have Pulumi's format: version 3, a manifest, resources in order of dependencies, and a backup", async () => {
    const scene = open();
    scene.program(`const a = new Thing("a"); new Thing("b", { of: a.made });`);
    await scene.up();
    const file = JSON.parse(readFileSync(scene.statePath, "utf8"));
    expect(file).toMatchObject({
      version: 3,
      checkpoint: {
        stack: expect.stringContaining("dev"),
        latest: { manifest: { version: expect.any(String) } },
      },
    });
    expect(scene.state().resources?.map(({ urn }) => urn.split("::").at(-1))).toEqual([
      "scene-dev",
      "default",
      "a",
      "b",
    ]);
    scene.program("");
    await scene.up();
    expect(readFileSync(`${scene.statePath}.bak`, "utf8")).toContain("::b");
  });

  test.each<readonly [string, string | RegExp]>([
    ["{ not json", /damaged[\s\S]*\.bak/],
    ['{"version":3}', /version 3/],
    ['{"version":9,"checkpoint":{}}', /version 9/],
    ['{"version":4,"features":["taint","views"],"checkpoint":{}}', /has views, .*--engine pulumi/],
    ['{"version":3,"checkpoint":{"latest":{"resources":7}}}', /resources is not a list/],
    ['{"version":3,"checkpoint":{"latest":{"resources":[{}]}}}', /resource 0 has no urn/],
    ['{"version":3,"checkpoint":{"latest":{"resources":[null]}}}', /resource 0 is not an object/],
    ...(
      [
        [{ urn: "mug" }, 'resource 0 has the urn "mug", which isn\'t one'],
        [{}, "resource 0 (Thing mug) has no id"],
        [{ id: null }, "resource 0 (Thing mug): id is not a text"],
        [{ id: "1", outputs: null }, "resource 0 (Thing mug): outputs is not an object"],
        [{ id: "1", inputs: [] }, "resource 0 (Thing mug): inputs is not an object"],
        [{ id: "1", initErrors: "late" }, "resource 0 (Thing mug): initErrors is not a list of texts"],
        [{ id: "1", delete: "no" }, "resource 0 (Thing mug): delete is not true or false"],
      ] as const
    ).map(([more, why]) => {
      const resource = {
        urn: "urn:pulumi:dev::scene::a:b:Thing::mug",
        type: "a:b:Thing",
        custom: true,
        ...more,
      };
      const text = JSON.stringify({ version: 3, checkpoint: { latest: { resources: [resource] } } });
      return [text, `dev.json is damaged: ${why}. Copy `] as const;
    }),
    ['{"version":3,"checkpoint":{"latest":{"secrets_providers":{"type":"cloud"}}}}', /cloud/],
  ])("damaged files are left unchanged and reported: %s", async (text, message) => {
    const scene = open();
    scene.program(`new Thing("a");`);
    mkdirSync(dirname(scene.statePath), { recursive: true });
    writeFileSync(scene.statePath, text);
    const { up } = await import("../../engine/index.ts").then((engine) => ({
      up: async () =>
        engine.up(
          engine.openStack({
            folder: scene.folder,
            stack: "dev",
            env: { ...process.env, ...scene.env },
            create: true,
          }),
          { watch: () => {} },
        ),
    }));
    await expect(up()).rejects.toThrow(message);
    expect(readFileSync(scene.statePath, "utf8")).toBe(text);
    expect(scene.calls()).toEqual([]);
  });

  test("with a wrong passphrase, the error names the variable to set", async () => {
    const scene = open();
    scene.program(`new Thing("a", { key: pulumi.secret("x") });`);
    expect((await scene.up()).outcome).toBe("succeeded");
    scene.env.PULUMI_CONFIG_PASSPHRASE = "wrong";
    const engine = await import("../../engine/index.ts");
    const run = async () =>
      engine.up(
        engine.openStack({
          folder: scene.folder,
          stack: "dev",
          env: { ...process.env, ...scene.env },
          create: true,
        }),
        { watch: () => {} },
      );
    await expect(run()).rejects.toThrow("PULUMI_CONFIG_PASSPHRASE");
    delete scene.env.PULUMI_CONFIG_PASSPHRASE;
    scene.env.PULUMI_CONFIG_PASSPHRASE_FILE = "/nosuch";
    await expect(run()).rejects.toThrow(
      "the file /nosuch, which PULUMI_CONFIG_PASSPHRASE_FILE names, can't be read: there is no such file",
    );
    scene.env.PULUMI_CONFIG_PASSPHRASE = "correct horse";
  });
});

describe("unsupported features are refused by name", () => {
  test.each([
    [
      `new pulumi.CustomResource("aws:s3/bucket:Bucket", "b", {});`,
      "the provider of the package aws is a plugin",
    ],
    [`new Thing("a", {}, { stateMigrations: [() => undefined] });`, "the resource option stateMigrations"],
    [
      `new Thing("a", {}, { hooks: { beforeCreate: [new pulumi.ResourceHook("early", () => {})] } });`,
      "the resource option hooks",
    ],
    [
      `new Thing("a", {}, { hooks: { onError: [new pulumi.ErrorHook("again", () => true)] } });`,
      "the resource option hooks",
    ],
    [
      `pulumi.runtime.registerResourceTransform(() => undefined); new Thing("a");`,
      "the resource option transforms",
    ],
    [
      `pulumi.runtime.registerInvokeTransform(() => undefined);
      new Thing("a", { key: pulumi.runtime.invoke("plugged:index:ask", {}) });`,
      "transforms are not supported",
    ],
    [`new Provider("p", {}, { envVarMappings: { HERE: "THERE" } });`, "the resource option envVarMappings"],
    [`new Thing("a", {}, { transforms: [() => undefined] });`, "the resource option transforms"],
    [
      `new Group("g", () => {}, { replaceWith: [new Thing("b")] });`,
      "the resource option replaceWith of a component",
    ],
    [`new pulumi.ProviderResource("pulumi-nodejs", "p", {});`, "the explicit provider"],
    [`new pulumi.ComponentResource("x:y:Z", "z", {}, {}, true);`, "remote component"],
  ])("an unsupported feature: %s", async (body, name) => {
    const scene = open();
    scene.program(body);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain(name);
    expect(ran.messages).toContain("--engine pulumi");
  });

  test.each(["up", "destroy"] as const)(
    "hooks of a delete that pulumi left in the state, by %s",
    async (verb) => {
      const scene = open();
      scene.program(`new Thing("a");`);
      await scene.up();
      scene.calls();
      scene.program("");
      const path = "backend/.pulumi/stacks/scene/dev.json";
      scene.write(
        path,
        scene
          .read(path)
          .replaceAll('"custom":true', '"custom":true,"resourceHooks":{"AfterDelete":["late"]}'),
      );
      const ran = await scene[verb]();
      expect(ran.outcome).toBe("failed");
      expect(ran.messages).toContain(
        "has hooks of its delete (late), which the embedded engine doesn't run; use --engine pulumi",
      );
      expect(scene.calls()).toEqual([]);
      expect(scene.saved("a")).toBeDefined();
    },
  );

  test("importing a dynamic resource is refused, because no engine supports it", async () => {
    const scene = open();
    scene.program(`new Thing("a", {}, { import: "x" });`);
    const ran = await scene.up();
    expect(ran.outcome).toBe("failed");
    expect(ran.messages).toContain("dynamic resources can't be imported by the resource option import");
    expect(scene.calls()).toEqual([]);
  });

  test("other runtimes, other backends and invalid plugin lists are refused", async () => {
    const engine = await import("../../engine/index.ts");
    const scene = open();
    const run =
      (env = {}) =>
      () =>
        engine.openStack({ folder: scene.folder, stack: "dev", env: { ...scene.env, ...env }, create: true });
    expect(run({ PULUMI_BACKEND_URL: "https://api.pulumi.com" })).toThrow("https://api.pulumi.com");
    // The state of such a project can be read; only pulumi runs its program.
    scene.write("Pulumi.yaml", "name: scene\nruntime: python\n");
    await expect(engine.preview(run()(), { watch: () => {} })).rejects.toThrow("runtime python");
    scene.write("Pulumi.yaml", "name: scene\nruntime: nodejs\nplugins:\n  providers:\n    - name: x\n");
    expect(run()).toThrow("plugins.providers");
    scene.write("Pulumi.yaml", "name: scene\nruntime: nodejs\nmain: nothing.ts\n");
    // The project may exist before its program, which only a run needs.
    await expect(engine.preview(run()(), { watch: () => {} })).rejects.toThrow("nothing.ts");
  });
});

test("a backend's address is an unencoded path, with a drive on Windows", () => {
  expect(folderIn("file:///srv/shop states")).toBe("/srv/shop states");
  expect(folderIn("file://~")).toBe("~");
  expect(folderIn("file://C:\\Users\\Olga\\states")).toBe("C:\\Users\\Olga\\states");
  expect(folderIn("file:///C:/Users/Olga/states")).toBe("C:/Users/Olga/states");
});
