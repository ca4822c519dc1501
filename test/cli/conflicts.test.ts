// Edits of staff aren't overwritten or deleted: preview, run and every report show the same values, through the real
// host and command.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openWorld } from "../support/world.ts";
import { openScene, openTerminal } from "./terminal.ts";

const coupon = (discount: number) => `import { Coupon } from "pulumi-shop";
new Coupon("sale", { code: "SALE", discount: ${discount}, typeId: 1, description: "ours" });
`;

test("a delete of what staff changed is refused by preview and up, and done with --overwrite", async () => {
  const { world, terminal } = await openScene(coupon(10));
  await terminal.done("up", "--yes", "--skip-preview");
  const [row] = world.rows("discount_code");
  await world.edit({ kind: "discount_code", id: row?.id, set: { discount: "55.0" } });
  terminal.write("index.ts", "export {};\n");
  world.requests();
  const preview = await terminal.dev("preview");
  const words = "discount: last run 10 %, in the shop now 55 %, not deleted";
  expect(preview.code).toBe(1);
  expect(preview.stdout).toContain(words);
  expect(preview.stdout).not.toContain("Failed:");
  expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
  const refused = await terminal.dev("up", "--yes");
  expect(refused.code).toBe(1);
  expect(refused.stdout.split(words)).toHaveLength(2);
  expect(world.rows("discount_code")).toHaveLength(1);
  await terminal.done("up", "--yes", "--overwrite", "sale");
  expect(world.rows("discount_code")).toEqual([]);
});

test("a replacement by hand of what staff changed is refused as one, with the way to keep the edit", async () => {
  const { world, terminal } = await openScene(coupon(10));
  await terminal.done("up", "--yes", "--skip-preview");
  const [row] = world.rows("discount_code");
  await world.edit({ kind: "discount_code", id: row?.id, set: { discount: "55.0" } });
  const { code, stdout } = await terminal.dev("preview", "--replace", "sale");
  expect(code).toBe(1);
  expect(stdout).toContain("discount: last run 10 %, in the shop now 55 %, not replaced");
  expect(stdout).toContain("accept sale --theirs writes the shop's values into the program");
});

test("each value of a conflict has the unit of its own side", async () => {
  const program = (discount: string) =>
    `import { Coupon } from "pulumi-shop";\nnew Coupon("sale", { code: "SALE", discount: ${discount} });\n`;
  const { world, terminal } = await openScene(program("{ percent: 10 }"));
  await terminal.done("up", "--yes", "--skip-preview");
  const [row] = world.rows("discount_code");
  await world.edit({ kind: "discount_code", id: row?.id, set: { type_id: 2, discount: "50.0" } });
  terminal.write("index.ts", program("{ percent: 12 }"));
  const shown = await terminal.dev("preview");
  expect(shown.stdout).toContain("discount: last run 10 %, in the shop now 50, the program asks for 12 %");
  // The shop's unit is the program's new one.
  terminal.write("index.ts", program("{ amount: 12 }"));
  const both = await terminal.dev("preview");
  expect(both.stdout).toContain("discount: last run 10 %, in the shop now 50, the program asks for 12\n");
});

const offers = (spring: number, vip: number) => `import { Coupon } from "pulumi-shop";
new Coupon("spring", { code: "SPRING", discount: ${spring}, typeId: 1 });
new Coupon("vip", { code: "VIP", discount: ${vip}, typeId: 1 });
`;

test.each(storyForms)(
  "a conflict is a value in each report, and what stays live counts in what the plan means: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(offers(10, 20), plugins);
    await terminal.done("up", "--yes", "--skip-preview");
    const spring = world.rows("discount_code").find(({ code }) => code === "SPRING");
    await world.edit({ kind: "discount_code", id: spring?.id, set: { discount: "55.0" } });
    terminal.write("index.ts", offers(15, 30));

    const shown = await terminal.dev("preview", "--markdown", "plan.md");
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain(
      "discount: last run 10 %, in the shop now 55 %, the program asks for 15 %",
    );
    expect(shown.stdout).toContain("--overwrite spring");
    expect(shown.stdout).toContain("Resources (1 conflict):");
    expect(shown.stdout).toContain("deepest 55 % (SPRING)");
    expect(shown.stdout).toContain("Overlap");
    expect(shown.stdout).not.toContain("failed");
    const comment = readFileSync(join(terminal.folder, "plan.md"), "utf8");
    expect(comment).toContain("### ⚠️ 1 conflict: somebody changed SPRING in the shop");
    expect(comment).toContain("| | last run | in the shop now | this pull request |");
    expect(comment).toContain("| **SPRING** discount | 10 % | **55 %** | 15 %: not sent |");
    expect(comment).not.toMatch(/Failed|It failed/);

    // The run refuses the preview's conflicts without asking again, and still knows the values.
    const run = await terminal.dev("up", "--yes", "--json");
    const ends = run.stdout
      .split("\n")
      .filter((line) => line.includes('"type":"summary"'))
      .map((line) => JSON.parse(line) as { readonly run: string; readonly conflicts: readonly object[] });
    const conflict = {
      kind: "Coupon",
      name: "spring",
      title: "SPRING",
      id: String(spring?.id),
      withheld: "update",
      fields: [
        {
          path: "discount",
          label: "discount",
          was: 10,
          is: 55,
          asked: 15,
          units: { was: "%", is: "%", asked: "%" },
        },
      ],
    };
    expect(ends).toMatchObject([
      { run: "preview", conflicts: [conflict] },
      { run: "up", conflicts: [conflict] },
    ]);
    // Conflicts of a run without a preview are reported, too.
    const blind = await terminal.dev("up", "--yes", "--skip-preview");
    expect(blind.code).toBe(1);
    expect(blind.stdout).toContain(
      "discount: last run 10 %, in the shop now 55 %, the program asks for 15 %",
    );
  },
);

test.each(storyForms)(
  "a text that both changed is a conflict, and one whose object was deleted is said to be deleted: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const script = (text: string) => `import { JsTag } from "pulumi-shop";
new JsTag("chat", { type: "JsTag::TextTag", name: "chat", content: ${JSON.stringify(text)} });
`;
    const terminal = openTerminal(script("one()"), world.env, plugins);
    await terminal.done("up", "--yes", "--skip-preview");
    // A change on both sides stays a conflict after a refresh, also for a replacement.
    await world.edit({ kind: "js_tag", where: { name: "chat" }, set: { content: "staff()" } });
    await terminal.done("refresh", "--yes");
    terminal.write("index.ts", script("two()"));
    const refused = await terminal.dev("preview");
    expect(refused.stdout).toContain("content: last run one(), in the shop now staff(), not replaced");
    expect(refused.code).toBe(1);
    await world.edit({ kind: "js_tag", where: { name: "chat" }, delete: true });
    const { code, stdout } = await terminal.dev("preview", "--markdown", "plan.md");
    expect(code).toBe(1);
    const comment = terminal.read("plan.md");
    for (const text of [stdout, comment]) {
      expect(text).toContain("deleted");
      expect(text.replaceAll("`", "")).toContain("--overwrite chat creates it again");
      expect(text).not.toContain("the shop's values");
    }
    expect(stdout).toContain("was deleted in the shop");
    expect(stdout).not.toContain("in the shop now another text");
    expect(comment).toContain("**deleted**");
  },
);

test.each(storyForms)(
  "what staff changed once more after a refresh is kept, and neither shown as to do nor counted: %s",
  async (_how, plugins) => {
    const { world, terminal } = await openScene(coupon(10), plugins);
    await terminal.done("up", "--yes", "--skip-preview");
    const [row] = world.rows("discount_code");
    const edit = (discount: string) => world.edit({ kind: "discount_code", id: row?.id, set: { discount } });
    await edit("55.0");
    await terminal.done("refresh", "--yes");
    await edit("60.0");
    world.requests();
    for (const args of [["preview"], ["up", "--yes"], ["up", "--yes"]]) {
      const { stdout, all } = await terminal.done(...args);
      expect(all).toContain(`Coupon ${row?.id}: changed in the shop since the last run and kept`);
      expect(stdout).not.toMatch(/update/i);
      expect(stdout).toContain("1 unchanged");
    }
    expect(world.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect(world.rows("discount_code")).toMatchObject([{ discount: "60.0" }]);
    await terminal.done("refresh", "--yes");
    expect((await terminal.dev("preview")).stdout).toContain("Puts back");
    // Deleted objects are created again, and marked until then, whatever runs in between.
    await world.edit({ kind: "discount_code", id: row?.id, delete: true });
    await terminal.done("refresh", "--yes");
    await terminal.done("up", "--yes", "--exclude", "sale");
    const other = coupon(10).replace(
      "new Coupon",
      'new Coupon("other", { code: "OTHER", discount: 5, typeId: 1 });\nnew Coupon',
    );
    terminal.write("index.ts", other);
    for (const name of ["sale", "Coupon", "s*e"]) {
      const kept = await terminal.dev("up", "--yes", "--keep", name);
      expect([kept.code, kept.stdout]).toEqual([
        0,
        expect.stringMatching(/sale +stays deleted, as staff left it/),
      ]);
    }
    expect(world.rows("discount_code").map(({ code }) => code)).toEqual(["OTHER"]);
    await terminal.dev("config", "set", "shop:drift", "stop");
    const stopped = await terminal.dev("up", "--yes", "--skip-preview");
    expect(stopped).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        "Coupon sale was deleted by staff and would be created again (shop:drift); accept removes it from the program, --keep sale leaves it deleted, --overwrite sale creates it again",
      ),
    });
    await terminal.dev("config", "set", "shop:drift", "keep");
    for (const more of [["--refresh"], []]) expect((await terminal.dev("up", "--yes", ...more)).code).toBe(0);
    expect(world.rows("discount_code")).toHaveLength(1);
    await terminal.dev("config", "set", "shop:drift", "revert");
    const back = await terminal.dev("preview", "--markdown", "told.md");
    expect(back.stdout).toMatch(/\+ Coupon +sale +to create again, staff deleted it/);
    const meaning =
      "1 coupon (SALE), deleted by staff (accept removes it from the program, --keep leaves it deleted)";
    expect(back.stdout).toContain(`! Puts back  ${meaning}`);
    const comment = terminal.read("told.md");
    expect(comment).toContain(`**Puts back** | ${meaning}`);
    expect(comment).toContain("**SALE** (`sale`) · **puts back**: staff deleted it");
    const json = (await terminal.dev("preview", "--json")).stdout.trim().split("\n");
    expect(json.join("\n")).toContain('"again":true');
    expect(JSON.parse(json.at(-1) ?? "")).toMatchObject({ impact: { createdAgain: [{ name: "sale" }] } });
    expect((await terminal.dev("up", "--yes")).stdout).toMatch(/created again, staff deleted it/);
    // A removed resource is forgotten: a later one of the same name is new.
    await world.edit({ kind: "discount_code", where: { code: "SALE" }, delete: true });
    terminal.write("index.ts", "export {};\n");
    await terminal.done("up", "--yes", "--refresh");
    terminal.write("index.ts", coupon(10));
    expect((await terminal.dev("preview")).stdout).not.toContain("staff");
  },
);

test.each(storyForms)(
  "an object that staff deleted is known by its resource's aliases and its component's: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const sale = (name: string, alias = "") => `import * as pulumi from "@pulumi/pulumi";
import { Coupon } from "pulumi-shop";
const sale = new pulumi.ComponentResource("user:index:Sale", "${name}", {}, { aliases: [${alias}] });
new Coupon("${name}-code", { code: "SALE", discount: 10, typeId: 1 }, { parent: sale });
`;
    const terminal = openTerminal(sale("may"), world.env, plugins);
    await terminal.done("up", "--yes");
    await world.edit({ kind: "discount_code", where: { code: "SALE" }, delete: true });
    await terminal.done("refresh", "--yes", "--all-gone");
    terminal.write("index.ts", sale("june", '{ name: "may" }'));
    expect((await terminal.dev("preview")).stdout).toMatch(/june-code +to create again, staff deleted it/);
    expect((await terminal.done("accept", "--all", "--dry-run")).stdout).toContain('-new Coupon("june-code"');
    await terminal.dev("config", "set", "shop:drift", "stop");
    const stopped = await terminal.dev("up", "--yes");
    expect(stopped.stderr).toContain("Coupon june-code was deleted by staff and would be created again");
    await terminal.dev("config", "set", "shop:drift", "keep");
    for (let run = 0; run < 2; run++)
      expect((await terminal.done("up", "--yes")).stdout).toMatch(/june-code +stays deleted/);
    expect(world.rows("discount_code")).toEqual([]);
  },
);

test.each(storyForms)(
  "a resource that gets another name is named by that, and what is kept is not among what changes: %s",
  async (_how, plugins) => {
    const world = await openWorld();
    const named = (name: string, discount: number, more = "ours", alias = "") =>
      coupon(discount)
        .replace('"sale"', JSON.stringify(name))
        .replace("ours", more)
        .replace("});", `}, { aliases: [{ name: "${alias}" }] });`);
    const terminal = openTerminal(coupon(10), world.env, plugins);
    expect((await terminal.dev("up", "--yes", "--skip-preview")).code).toBe(0);
    const [row] = world.rows("discount_code");
    const edit = () => world.edit({ kind: "discount_code", id: row?.id, set: { discount: "55.0" } });
    await edit();
    terminal.write("index.ts", named("spring", 12, "ours", "sale"));
    const mistyped = await terminal.dev("preview", "--overwrite", "sprong");
    expect(mistyped).toMatchObject({ code: 2 });
    expect(mistyped.all).toContain(
      "--overwrite: the stack dev has no resource sprong, and the plan creates none, did you mean spring?",
    );
    const written = await terminal.dev("up", "--yes", "--overwrite", "spring");
    expect(written.all).toContain("discount: 10 % => 12 % (the shop has 55 %)");
    expect(written.code).toBe(0);
    await edit();
    expect((await terminal.dev("refresh", "--yes")).code).toBe(0);
    terminal.write("index.ts", named("easter", 12, "more", "spring"));
    const kept = await terminal.dev("up", "--yes", "--keep", "easter", "--markdown", "told.md");
    expect(kept.code, kept.all).toBe(0);
    expect(kept.all).toMatch(/~ Coupon +easter +to update \[description\]/);
    expect(kept.all + terminal.read("told.md")).not.toMatch(/55 % (=>|→) 12/);
    expect(world.rows("discount_code")).toMatchObject([{ discount: "55.0", description: "more" }]);
  },
);
