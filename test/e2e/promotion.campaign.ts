// docs/promotion.md, walked: one program, two shops whose ids differ throughout, an edit on its way to the live one;
// and the rollback.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { connectStack, openTerminal, root } from "../cli/terminal.ts";
import { openWorld, type World } from "../support/world.ts";

/** The storefront's repository in a folder of its own, its two stacks connected to two shops. */
async function opened() {
  const [staging, live] = [await openWorld(), await openWorld()];
  const terminal = openTerminal("");
  cpSync(join(root, "examples"), join(terminal.folder, "examples"), { recursive: true });
  for (const name of ["Pulumi.yaml", "Pulumi.staging.yaml", "Pulumi.live.yaml"])
    cpSync(join(root, name), join(terminal.folder, name));
  const run = async (...args: readonly string[]) => {
    const ran = await terminal.run(...args);
    return { ...ran, text: ran.all };
  };
  const done = async (...args: readonly string[]) => {
    const ran = await run(...args);
    expect(ran.code, ran.text).toBe(0);
    return ran;
  };
  await connectStack(terminal, "staging", staging);
  await connectStack(terminal, "live", live);
  const edit = (path: string, change: (text: string) => string) => {
    const place = join(terminal.folder, "examples/storefront", path);
    const before = readFileSync(place, "utf8");
    const after = change(before);
    expect(after).not.toBe(before);
    writeFileSync(place, after);
  };
  return { staging, live, run, done, edit, folder: terminal.folder };
}

const tables = ["product", "discount_code", "price_kind", "asset", "file", "js_tag", "recurring_charge"];
const idsOf = (world: World) =>
  [...tables, "theme", "collection"].flatMap((table) => world.rows(table).map(({ id }) => `${table} ${id}`));

describe("once", () => {
  test("a pulled shop goes to a new staging shop that has a theme already; both are equal, names of files too", async () => {
    const [staging, live] = [await openWorld(), await openWorld()];
    const terminal = openTerminal("", { SHOP_PASSWORD: live.credentials.password });
    const done = async (...args: readonly string[]) => {
      const ran = await terminal.run(...args);
      expect(ran.code, ran.all).toBe(0);
      return ran;
    };
    for (const text of ["one", "two"])
      await live.client.files.create({
        attachment: Buffer.from(text).toString("base64"),
        filename: "a.txt",
      } as never);
    await live.client.coupons.create({ code: "SPRING", discount: 10, typeId: 1 });
    await live.client.products.create({ title: "Mug", variants: [{ sku: "M", price: 5 }] });
    await live.edit({
      kind: "asset",
      id: live.rows("asset").find(({ name }) => name === "page.liquid")?.id,
      set: { content: "<h1>Live</h1>\n" },
    });
    await connectStack(terminal, "live", live);
    await done("pull", "--stack", "live");
    live.requests();
    await done("up", "--stack", "live", "--yes", "--skip-preview");
    expect(live.requests().filter((line) => !line.startsWith("GET "))).toEqual([]);
    expect((await done("compare", "live", "program:live")).stdout).toMatch(
      /^live and program:live are equal/,
    );
    // Staff publish another theme of the live shop: that moves no file of a theme.
    const [main, mobile] = live.rows("theme");
    for (const { id, is } of [
      { id: main?.id, is: false },
      { id: mobile?.id, is: true },
    ])
      await live.edit({ kind: "theme", id, set: { is_published: is } });
    await done("preview", "--stack", "live", "--expect-no-changes");
    for (const { id, is } of [
      { id: main?.id, is: true },
      { id: mobile?.id, is: false },
    ])
      await live.edit({ kind: "theme", id, set: { is_published: is } });

    await connectStack(terminal, "staging", staging);
    await done(
      "config",
      "set",
      "shop:password",
      staging.credentials.password,
      "--secret",
      "--stack",
      "staging",
    );
    await done("config", "set", "shop:adopt", "key", "--stack", "staging");
    staging.requests();
    await done("up", "--stack", "staging", "--yes", "--skip-preview");
    const writes = staging.requests().filter((line) => !line.startsWith("GET "));
    expect(writes.map((line) => line.replace(/\d+/g, "N")).toSorted()).toEqual([
      "POST /admin/discount_codes.xml",
      "POST /admin/files.xml",
      "POST /admin/files.xml",
      "POST /admin/products.xml",
      "PUT /admin/themes/N/assets/N.xml",
    ]);
    const names = (world: World) =>
      world.rows("file").map(({ absolute_url }) => String(absolute_url).split("/").at(-1));
    expect(names(staging)).toEqual(names(live));
    const { stdout } = await done("compare", "shop:staging", "shop:live");
    expect(stdout).toMatch(/^shop:staging and shop:live are equal/);
  });
});

describe("promotion", () => {
  test("an edit goes from staging to live: preview, up, compare, up, equal; the live shop is guarded", async () => {
    const { staging, live, run, done, edit, folder } = await opened();
    // What the two stack files state apart is the stacks' own; here they state the same, so that equal means equal.
    const settings =
      readFileSync(join(folder, "Pulumi.live.yaml"), "utf8").match(/^ {2}storefront:.*$/gm) ?? [];
    for (const line of settings) {
      const [, key = "", value = ""] = /^ {2}([^ ]*): "?(.*?)"?$/.exec(line) ?? [];
      await done("config", "set", key, value, "--stack", "staging");
    }
    await done("config", "set", "storefront:testCharges", "false", "--stack", "staging");
    await done("up", "--stack", "staging", "--yes", "--skip-preview");
    await done("up", "--stack", "live", "--yes", "--skip-preview");
    expect(idsOf(staging).filter((id) => idsOf(live).includes(id))).toEqual([]);
    expect((await done("compare", "staging", "live")).stdout).toMatch(/^staging and live are equal/);

    edit("products.csv", (text) =>
      text.replace(/MUG-MOR-OAT,Glaze,Oat,24\.50/, "MUG-MOR-OAT,Glaze,Oat,26.00"),
    );
    edit("theme/templates/page.care.liquid", (text) => `${text}<p>Never in the oven.</p>\n`);
    const planned = await done("preview", "--stack", "staging", "--diff");
    expect(planned.stdout).toContain("+ <p>Never in the oven.</p>");
    expect(planned.stdout).toContain("2 to update");
    await done("up", "--stack", "staging", "--yes", "--skip-preview");

    const apart = await run("compare", "staging", "live");
    expect(apart.code).toBe(7);
    expect(apart.stdout).toContain("variants[MUG-MOR-OAT].price: 26 => 24.5");
    expect(apart.stdout).toContain("- <p>Never in the oven.</p>");
    expect(apart.stdout.trim().split("\n").at(-1)).toBe("2 different, 0 only in staging, 0 only in live");
    await done("preview", "--stack", "live");
    await done("up", "--stack", "live", "--yes");
    expect((await done("compare", "staging", "live")).stdout).toMatch(/^staging and live are equal/);

    // What goes too far for the live shop is refused there, and only there.
    edit("products.csv", (text) =>
      text.replace(/MUG-MOR-OAT,Glaze,Oat,26\.00/, "MUG-MOR-OAT,Glaze,Oat,62.00"),
    );
    await done("up", "--stack", "staging", "--yes");
    const refused = await run("up", "--stack", "live", "--yes");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      "Product morning-mug would move variants[MUG-MOR-OAT].price by 138.5 %, 26 => 62, and shop:maxPriceChange is 20 %; pass --allow morning-mug to permit it",
    );
    await done("up", "--stack", "live", "--yes", "--allow", "morning-mug");
    expect((await done("compare", "staging", "live")).code).toBe(0);
  });

  test("stacks that are meant to differ differ in just what their files state", async () => {
    const { done, run } = await opened();
    await done("up", "--stack", "staging", "--yes", "--skip-preview");
    await done("up", "--stack", "live", "--yes", "--skip-preview");
    const { stdout } = await run("compare", "staging", "live", "--json");
    const { differences } = JSON.parse(stdout) as {
      differences: readonly { kind: string; type: string }[];
    };
    expect(new Set(differences.map(({ kind, type }) => `${type} ${kind}`))).toEqual(
      new Set([
        "different ApplicationCharge",
        "different Asset",
        "different Coupon",
        "different RecurringCharge",
      ]),
    );
    expect((await done("compare", "live", "program:live")).stdout).toMatch(
      /^live and program:live are equal/,
    );
  });
});

describe("rollback", () => {
  test("up of the previous commit restores the previous shop, on all kinds, the theme included", async () => {
    const { staging, done, folder } = await opened();
    const project = join(folder, "examples/storefront");
    const previous = mkdtempSync(join(tmpdir(), "pulumi-shop-previous-"));
    onTestFinished(() => rmSync(previous, { recursive: true, force: true }));
    cpSync(project, previous, { recursive: true });
    await done("up", "--stack", "staging", "--yes", "--skip-preview");
    const before = await portrait(staging);

    const write = (path: string, change: (text: string) => string) =>
      writeFileSync(join(project, path), change(readFileSync(join(project, path), "utf8")));
    write("products.csv", (text) => text.replace(/^gift-card.*\n/m, "").replaceAll("24.50", "25.00"));
    write("coupons.ts", (text) =>
      text.replace('code: "WELCOME"', 'code: "GOODBYE"').replace('"5.00"', '"7.00"'),
    );
    write("index.ts", (text) =>
      text
        .replace('title: "Wholesale"', 'title: "Trade"')
        .replace('name: "Storefront: season banner"', 'name: "Renamed"'),
    );
    write("banner.js", () => "console.log('changed');\n");
    write("files/size-chart.csv", () => "size,cm\nS,1\n");
    write("theme/templates/page.care.liquid", () => "changed\n");
    write("charges.ts", (text) => text.replace(/name: "[^"]*"/, 'name: "Another charge"'));
    rmSync(join(project, "theme/snippets/sf-stock.liquid"));
    await done("config", "set", "storefront:monthly", "7.77", "--stack", "staging");
    await done("up", "--stack", "staging", "--yes", "--skip-preview");
    const changed = await portrait(staging);
    for (const table of Object.keys(before)) expect(changed[table], table).not.toEqual(before[table]);

    rmSync(project, { recursive: true });
    cpSync(previous, project, { recursive: true });
    await done("config", "set", "storefront:monthly", "1.00", "--stack", "staging");
    await done("up", "--stack", "staging", "--yes", "--skip-preview");
    expect(await portrait(staging)).toEqual(before);
    await done("preview", "--stack", "staging", "--expect-no-changes");
  });
});

/** What shoppers and staff see of a shop: without what can't come back (ids, stamps, addresses that hold ids). */
async function portrait(world: World): Promise<Readonly<Record<string, readonly string[]>>> {
  const volatile =
    /^(id|created_at|updated_at|archived|.*_id|asset_url|confirmation_url|absolute_url|price_index|variant_price_method_name|option_name_id)$/;
  const bare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bare);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !volatile.test(key))
        .map(([key, inner]) => [key, bare(inner)]),
    );
  };
  const shown = [...tables, "application_charge"];
  const bodies = new Map<unknown, string>();
  for (const { id, absolute_url } of world.rows("file"))
    bodies.set(
      id,
      `${String(absolute_url).split("/").at(-1)} ${await (await fetch(String(absolute_url))).text()}`,
    );
  return Object.fromEntries(
    shown.map((table) => [
      table,
      world
        .rows(table)
        .filter(({ archived, status }) => !archived && status !== "declined")
        .map((row) =>
          table === "file"
            ? String(bodies.get(row.id))
            : JSON.stringify(bare(row)).replaceAll(/\/\d+(?=\/)/g, "/N"),
        )
        .toSorted(),
    ]),
  );
}
