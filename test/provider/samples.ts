import { existsSync, readFileSync } from "node:fs";
import { type Definition, isArgument } from "../../provider/definition/define.ts";
import { decode, hyphenated, type Values } from "../../provider/wire/codec.ts";
import { parse, parseJson } from "../../provider/wire/xml.ts";
import type { World } from "../support/world.ts";

/** Sample arguments of each kind, and a change of them. */
export interface Sample {
  readonly args: Values;
  readonly change?: Values;
}

/** Kinds whose recorded document isn't enough: they need a theme, a body, or a list. */
const samples: Readonly<Record<string, (world: World) => Promise<Sample>>> = {
  Product: async () => ({
    args: { title: "Mug", variants: [{ sku: "MUG-R", price: 740, quantity: 4 }] },
    change: { title: "Cup" },
  }),
  Coupon: async () => ({ args: { code: "SPRING", discount: 10, typeId: 1 }, change: { discount: 12.5 } }),
  PriceKind: async () => ({ args: { title: "Wholesale" }, change: { title: "Retail" } }),
  ApplicationCharge: async () => ({
    args: { name: "Setup", price: 180, returnUrl: "https://app.example.test/" },
  }),
  RecurringCharge: async () => ({ args: { monthly: 1000 }, change: { monthly: 500 } }),
  Asset: async ({ client }) => {
    const [theme] = await client.themes.list();
    return {
      args: { themeId: theme?.id, type: "Asset::Snippet", name: "note.liquid", content: "Hi {{ x }}" },
      change: { content: "Hello {{ x }}" },
    };
  },
  File: async () => ({ args: { content: "a,b\n", filename: "sizes.csv" } }),
  JsTag: async () => ({ args: { type: "JsTag::TextTag", name: "note", content: "alert(1)" } }),
};

/** A kind's sample: its own, or from its recorded document. */
export async function sampleOf(definition: Definition, world: World): Promise<Sample> {
  return samples[definition.kind]?.(world) ?? recorded(definition);
}

function recorded(definition: Definition): Sample {
  const path = (ending: string) =>
    new URL(`../fixtures/${hyphenated(definition.kind).replace(/^-/, "")}.${ending}`, import.meta.url);
  const { values } = decode(
    definition,
    existsSync(path("xml"))
      ? parse(readFileSync(path("xml"), "utf8")).value
      : parseJson(readFileSync(path("json"), "utf8"), definition.one),
  );
  const args = Object.fromEntries(
    Object.entries(definition.fields).flatMap(([name, field]) =>
      isArgument(field) && values[name] !== undefined ? [[name, values[name]] as const] : [],
    ),
  );
  const [name] = Object.entries(definition.fields).find(
    ([key, { type, values: few, replaces }]) =>
      typeof args[key] === "string" && type === "text" && few === undefined && !replaces,
  ) ?? [undefined];
  return definition.operations.edit === undefined || name === undefined
    ? { args }
    : { args, change: { [name]: `${args[name]} 2` } };
}
