// `state move`: resources move to another stack of the same shop; the shop is unchanged, and a crash neither loses
// nor doubles them.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { diskFiles, type Files } from "../../engine/common/disk.ts";
import { editResources, load, moveResources, openStack, unlock } from "../../engine/index.ts";
import { storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openScene } from "./terminal.ts";

const head = `import { ComponentResource, getStack, secret } from "@pulumi/pulumi";
import { Coupon, Product } from "pulumi-shop";
class Sale extends ComponentResource {
  constructor(name) {
    super("shop:own:Sale", name);
    new Coupon(name + "-code", { code: "SALE", discount: 10, typeId: 1, description: NOTE }, { parent: this });
  }
}
`;
const mug = `const mug = new Product("mug", { title: "Mug", variants: [{ sku: "MUG", price: 9 }] });
new Coupon("old", { code: "OLD", discount: 5, typeId: 1, description: mug.title });
new Sale("spring");
`;
const spoon = `new Product("spoon", { title: "Spoon", variants: [{ sku: "SPOON", price: 3 }] });
`;
const program = (dev: string, live: string) =>
  `${head}if (getStack() === "dev") {\n${dev}} else {\n${live}}\n`;

async function opened(plugins: string, note = 'secret("hush, hush")') {
  const { world, terminal } = await openScene(program(mug, spoon).replace("NOTE", note), plugins, [
    "dev",
    "live",
  ]);
  for (const stack of ["dev", "live"]) await terminal.done("up", "--stack", stack, "--yes", "--skip-preview");
  world.requests();
  return { world, terminal };
}

test.each(storyForms)(
  "state move takes resources to another stack, with what is in a component: %s",
  async (_how, plugins) => {
    const { world, terminal } = await opened(plugins);
    const alone = await terminal.dev("state", "move", "mug", "--to", "live");
    expect([alone.code, alone.stderr]).toEqual([
      1,
      expect.stringContaining("these belong together, so move them together:\n  old needs mug"),
    ]);
    const moved = await terminal.done(
      "state",
      "move",
      "mug",
      "old",
      "spring",
      "--to",
      "live",
      "--stack",
      "dev",
    );
    expect(moved.all).toContain(
      "moved mug, old, spring, spring-code from the state of dev to that of live; the shop is unchanged",
    );
    expect(world.requests()).toEqual([]);
    // The program still has them.
    const twice = await terminal.dev("preview");
    expect(twice.all).toContain(
      "the stack user/live (spring-code) manages it: remove the resource from this program, or move it to this stack with state move",
    );
    world.requests();
    const withSecret = (live: string) => program("", live).replace("NOTE", 'secret("hush, hush")');
    terminal.write("index.ts", withSecret(spoon + mug));
    for (const stack of ["dev", "live"]) {
      const shown = await terminal.done("preview", "--stack", stack, "--expect-no-changes");
      expect(shown.all).not.toContain("hush, hush");
    }
    expect(world.requests()).toEqual([]);
    await terminal.done("refresh", "--stack", "live", "--yes", "--expect-no-changes");
    expect(terminal.read("backend/.pulumi/stacks/user/live.json")).not.toContain("hush, hush");

    // They work there: changed, and deleted in the end.
    terminal.write("index.ts", withSecret(spoon + mug.replace("price: 9", "price: 8")));
    await terminal.done("up", "--stack", "live", "--yes");
    await terminal.done("destroy", "--stack", "live", "--yes");
    expect(
      [...world.rows("product"), ...world.rows("discount_code")].map(({ archived = true }) => archived),
    ).toEqual([]);
  },
);

test("state move refuses a stack of another shop, one that has the object already, and what isn't there", async () => {
  const { world, terminal } = await opened("");
  const said = async (...args: readonly string[]) => {
    const { code, all } = await terminal.dev("state", "move", ...args);
    expect(code).not.toBe(0);
    return all;
  };
  expect(await said("mug")).toContain("--to is required: pulumi-shop state move NAME --to STACK");
  expect(await said("mgu", "--to", "live")).toContain("did you mean mug?");
  expect(await said("mug", "old", "--to", "lvie")).toContain("did you mean live?");
  expect(await said("mug", "old", "--to", "dev")).toContain(
    "they are in the stack dev already: name another stack",
  );
  const other = await openWorld();
  await terminal.done("destroy", "--stack", "live", "--yes");
  await terminal.done("config", "set", "shop:url", String(other.env.SHOP_URL), "--stack", "live");
  expect(await said("mug", "old", "--to", "live")).toContain(`but live uses the shop ${other.env.SHOP_URL}`);
  expect(world.rows("product").length).toBeGreaterThan(0);
});

/** The disk of a process that ends at an effect. */
function endingAt(last: number): Files {
  let count = 0;
  const effect = <A extends readonly unknown[], R>(work: (...args: A) => R) => {
    return (...args: A): R => {
      count += 1;
      if (count > last) throw new Error("the process has ended");
      return work(...args);
    };
  };
  const { makeFolder, open, rename, remove, syncFolder } = diskFiles;
  return {
    ...diskFiles,
    makeFolder: effect(makeFolder),
    rename: effect(rename),
    remove: effect(remove),
    syncFolder: effect(syncFolder),
    open: effect((path, how, mode) => {
      const file = open(path, how, mode);
      return { ...file, write: effect(file.write), sync: effect(file.sync), truncate: effect(file.truncate) };
    }),
  };
}

test("a process that ends anywhere in a move leaves each resource in one state, and the next command ends the move", async () => {
  // Without secrets: deriving a key takes longer than the move.
  const { terminal } = await opened("", '"no secret"');
  const names = ["mug", "old", "spring"];
  const outcomes = new Set<string>();
  for (let last = 0; ; last += 1) {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-shop-moves-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(terminal.folder, folder, { recursive: true, filter: (path) => !path.endsWith("node_modules") });
    const env = { ...terminal.env, PULUMI_BACKEND_URL: `file://${folder}/backend` };
    const stack = (name: string, files: Files = diskFiles) => openStack({ folder, stack: name, env, files });
    const both = () =>
      ["dev", "live"].map((name) =>
        load(stack(name)).resources.flatMap(({ urn }) => names.filter((one) => urn.endsWith(`::${one}`))),
      );
    const files = endingAt(last);
    const ended = await moveResources(
      { from: stack("dev", files), to: stack("live", files) },
      names,
      () => {},
    ).then(
      () => true,
      () => false,
    );
    const [dev = [], live = []] = both();
    expect([...dev, ...live].toSorted(), `after ${last} effects`).toEqual(names.toSorted());
    outcomes.add(live.length === 0 ? "all stay" : dev.length === 0 ? "all moved" : "torn");
    // The next command finishes the move: nothing is left in the old state, whichever stack is written first.
    for (const name of last % 2 === 0 ? ["dev", "live"] : ["live", "dev"]) {
      unlock(stack(name));
      await editResources(stack(name), (state) => state);
    }
    expect(both()).toEqual([dev, live]);
    expect(
      diskFiles
        .list(join(folder, "backend/.pulumi/stacks/user"))
        .filter((name) => /\.(moving|arriving)$/.test(name)),
    ).toEqual([]);
    if (ended) break;
  }
  expect([...outcomes]).toEqual(["all stay", "all moved"]);
});

async function cutOff(plugins: string) {
  const { world, terminal } = await opened(plugins, '"no secret"');
  const { env, folder } = terminal;
  const stack = (name: string, files: Files = diskFiles) =>
    openStack({
      folder,
      stack: name,
      env: { ...env, PULUMI_BACKEND_URL: `file://${folder}/backend` },
      files,
    });
  const isMoved = () => load(stack("live")).resources.some(({ urn }) => urn.endsWith("::mug"));
  for (let last = 0; !isMoved() && last < 100; last += 1) {
    const files = endingAt(last);
    await moveResources(
      { from: stack("dev", files), to: stack("live", files) },
      ["mug", "old", "spring"],
      () => {},
    ).catch(() => {});
    for (const name of ["dev", "live"]) unlock(stack(name));
  }
  const states = diskFiles.list(join(folder, "backend/.pulumi/stacks/user"));
  expect(states).toContain("dev.json.moving");
  return { world, terminal };
}

test.each(storyForms)(
  "what the new stack renames or removes after a move that was cut off doesn't come back to the old one: %s",
  async (_how, plugins) => {
    const { world, terminal } = await cutOff(plugins);
    await terminal.done("state", "rename", "spring", "may", "--stack", "live");
    await terminal.done("state", "remove", "old", "--stack", "live");
    expect((await terminal.done("state", "list", "--stack", "dev")).stdout).toBe("");
    terminal.write("index.ts", terminal.read("index.ts").replace(mug, ""));
    const { stdout } = await terminal.done("up", "--stack", "dev", "--yes");
    expect(stdout).not.toContain("deleted");
    expect(
      world
        .rows("discount_code")
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(["OLD", "SALE"]);
    const states = diskFiles.list(join(terminal.folder, "backend/.pulumi/stacks/user"));
    expect(states.filter((name) => /\.(moving|arriving)$/.test(name))).toEqual([]);
  },
);

test("a move that was cut off after its new state was written doesn't hold up the new stack", async () => {
  const { terminal } = await cutOff("");
  terminal.write(
    "index.ts",
    terminal.read("index.ts").replace(spoon, spoon + mug.replace("price: 9", "price: 8")),
  );
  const { code, all } = await terminal.run("preview", "--stack", "live");
  expect([code, all]).toEqual([0, expect.stringMatching(/1 to update\n +3 unchanged/)]);
});
