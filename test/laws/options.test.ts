// What Pulumi's options promise of a resource of every kind, in both forms, and by `pulumi` where it is on PATH.
import { expect, test } from "vitest";
import type { Definition } from "../../provider/definition/define.ts";
import { type Sample, sampleOf } from "../provider/samples.ts";
import { partOf } from "../support/campaign.ts";
import { openSeat, type Seat, ways } from "../support/engines.ts";
import { resources } from "../support/world.ts";

type Made = Sample & { readonly kind: string };

const samplesIn = ({ world }: Seat, of: readonly Definition[] = resources): Promise<readonly Made[]> =>
  Promise.all(
    of.map(async (definition) => ({ kind: definition.kind, ...(await sampleOf(definition, world)) })),
  );

/** A program of these, each under its kind's name. */
const programOf = (made: readonly Made[], options: (one: Made) => object): string =>
  `import * as shop from "pulumi-shop";\n${made
    .map((one) => [one.kind, JSON.stringify(one.args), JSON.stringify(options(one))])
    .map(([kind, args, options]) => `new shop.${kind}("${kind}", ${args} as never, ${options});\n`)
    .join("")}`;

const none = "export {};\n";

/** The ids of a stack's resources, by their names. */
function idsIn({ terminal }: Seat): Readonly<Record<string, string>> {
  const { checkpoint } = JSON.parse(terminal.read("backend/.pulumi/stacks/user/dev.json")) as {
    checkpoint: { latest: { resources?: readonly { urn: string; type: string; id?: string }[] } };
  };
  const own = (checkpoint.latest.resources ?? []).filter(({ type }) => /\bshop:(?!$)/.test(type));
  return Object.fromEntries(own.flatMap(({ urn, id }) => (id ? [[urn.split("::").at(-1), id]] : [])));
}

const writes = async ({ world }: Seat, work: () => Promise<unknown>) =>
  (await world.during(work)).filter((line) => !line.startsWith("GET "));

test.each(ways)(
  "protect prevents a delete, retainOnDelete keeps the object, and an import takes it back ($form, $engine)",
  async (way) => {
    const seat = await openSeat(way, none);
    const made = await samplesIn(seat);
    seat.program(programOf(made, () => ({ protect: true, retainOnDelete: true })));
    await seat.up();
    const ids = idsIn(seat);
    expect(Object.keys(ids).sort()).toEqual(made.map(({ kind }) => kind).sort());
    // A file's content is nothing that can be read back: the plugin's import has nothing to compare it with.
    const back = resources.filter(({ body }) => way.form === "dynamic" || !body || body.text);
    const kept = Object.fromEntries(back.map(({ kind }) => [kind, ids[kind]]));
    const refused = async (verb: string) => {
      const { code, output } = await seat.run([verb, "--yes", "--skip-preview"]);
      expect([code === 0, /protect/.test(output)], output).toEqual([false, true]);
    };
    const sent = await writes(seat, async () => {
      await refused("destroy");
      seat.program(none);
      await refused("up");
      expect(idsIn(seat)).toEqual(ids);
      seat.program(programOf(made, () => ({ retainOnDelete: true })));
      await seat.up();
      seat.program(none);
      await seat.up();
      expect(idsIn(seat)).toEqual({});
      seat.program(programOf(await samplesIn(seat, back), ({ kind }) => ({ import: ids[kind] })));
      expect(await seat.up()).not.toContain("is no longer set");
      expect(idsIn(seat)).toEqual(kept);
      await seat.done(["preview", "--expect-no-changes"]);
    });
    expect(sent).toEqual([]);
  },
);

test.each(ways)(
  "replaceOnChanges makes another object with the plugin, after the old one if deleteBeforeReplace is set ($form, $engine)",
  async (way) => {
    const seat = await openSeat(way, none);
    const made = await samplesIn(seat);
    const options = ({ change = {} }: Made) => ({
      replaceOnChanges: Object.keys(change),
      deleteBeforeReplace: true,
    });
    seat.program(programOf(made, options));
    await seat.up();
    const changed = made.filter(({ change }) => change !== undefined);
    seat.program(
      programOf(
        made.map((one) => ({ ...one, args: { ...one.args, ...one.change } })),
        options,
      ),
    );
    const verbs = (await writes(seat, () => seat.up())).map((line) => line.split(" ")[0]);
    // Dynamic providers can't say which arguments differ (docs/decisions/0007-replace-on-changes.md).
    const wanted = way.form === "plugin" ? ["DELETE", "POST"] : ["PUT"];
    expect(verbs.toSorted()).toEqual(wanted.flatMap((verb) => changed.map(() => verb)));
    expect(await writes(seat, () => seat.up())).toEqual([]);
  },
);

const firsts = (type: string, own: string) => `const first = new shop.Asset("first", {
  themeId: shop.getThemeOutput({ published: true }).id, name: "page.first.liquid", type: "Asset::${type}", content: "x",
});
new shop.Product("cup", { title: "Cup", variants: [{ sku: "CUP", price: 1, options: { Colour: "Red" } }] }, ${own});
`;

/** The option in the program's first version, and in the second. */
const replacing: Readonly<Record<string, readonly [string, string]>> = {
  replacementTrigger: ['{ replacementTrigger: "1" }', '{ replacementTrigger: "2" }'],
  replaceWith: ["{ replaceWith: [first] }", "{ replaceWith: [first] }"],
};

const replacements = ways.flatMap((way) =>
  Object.entries(replacing).map(([option, own]) => ({ ...way, option, own })),
);
// `npm test` tries each option in one form.
const isDrawn = ({ option, form }: (typeof replacements)[number]) =>
  (option === "replaceWith") === (form === "plugin");

test.each(partOf(replacements, replacements.filter(isDrawn)))(
  "$option makes another object of each kind, and the preview tells of none as lost or doubled ($form, $engine)",
  async ({ option, own: [one, next], ...way }) => {
    const seat = await openSeat(way, none);
    const made = await samplesIn(seat);
    const program = (type: string, own: string) =>
      programOf(made, () => ({}))
        .replaceAll(", {});", `, ${own});`)
        .replace("\n", `\n${firsts(type, own)}`);
    seat.program(program("Template", one));
    await seat.up();
    const before = idsIn(seat);
    seat.program(program(option === "replaceWith" ? "Snippet" : "Template", next));
    expect(await seat.done(["preview"])).not.toMatch(/same place|\blost\b|only the shop has/);
    await seat.up();
    const after = idsIn(seat);
    expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted());
    // The id of a kind that the shop has once says nothing of the object.
    const once = resources.flatMap(({ kind, singleton }) => (singleton === undefined ? [] : [kind]));
    for (const name of [...made.map(({ kind }) => kind), "cup"])
      if (!once.includes(name)) expect(after[name], name).not.toBe(before[name]);
    for (const table of ["discount_code", "file", "js_tag", "price_kind", "recurring_charge"])
      expect(seat.world.rows(table), table).toHaveLength(1);
    expect(seat.world.rows("product")).toHaveLength(2);
    expect(await writes(seat, () => seat.up())).toEqual([]);
  },
);

test.each(ways.filter(({ form }) => form === "plugin"))(
  "what a data source reads from a provider that a preview doesn't know yet is unknown ($form, $engine)",
  async (way) => {
    const program = (
      source: string,
    ) => `import { Asset, getAccountOutput, getTheme, getThemeOutput, getThemesOutput, PriceKind, Provider } from "pulumi-shop";
import * as pulumi from "@pulumi/pulumi";
const { SHOP_URL = "", SHOP_APPLICATION_ID: applicationId = "", SHOP_PASSWORD = "" } = process.env;
const url = new PriceKind("first", { title: "First" }).id.apply(() => SHOP_URL);
const provider = new Provider("later", { url, applicationId, password: pulumi.secret(SHOP_PASSWORD) });
const { id: themeId } = ${source};
new Asset("text", { themeId, type: "Asset::Snippet", name: "text.liquid", content: "one" }, { provider });
export const account = getAccountOutput({ provider }).title;
export const themes = getThemesOutput({ provider }).apply((all) => all.length);
`;
    const seat = await openSeat(way, program("await getTheme({ published: true }, { provider })"));
    const early = await seat.run(["preview"]);
    expect(early.code, early.output).not.toBe(0);
    expect(early.output).toContain(
      "getTheme: the preview doesn't know its provider's arguments yet; call getThemeOutput instead",
    );
    seat.program(program("getThemeOutput({ published: true }, { provider })"));
    expect(await seat.done(["preview"])).toMatch(/[24] to create/);
    await seat.up();
    expect(seat.world.rows("asset").filter(({ name }) => name === "text.liquid")).toHaveLength(1);
    expect(await seat.done(["preview", "--expect-no-changes"])).toMatch(/unchanged/);
  },
);
