/**
 * plugin/schema.json: the package's schema as Pulumi reads it (pkg/codegen/schema/pulumi.json of github:pulumi/pulumi),
 * out of the definitions and the sentences that stand in them.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type Definition,
  type Field,
  type Fields,
  isArgument,
  isOutput,
  isRequired,
} from "../provider/definition/define.ts";
import { type DataSource, dataSources, type Setting, settings } from "../provider/native.ts";
import { resources } from "../provider/resources/index.ts";
import { pluginType } from "../pulumi/types.ts";
import { boundsText, replaces, scalarTypes, sentences } from "./reference.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

type Json = Readonly<Record<string, unknown>>;

/** What is made of one kind: its fields' sentences, and the types that stand inside it. */
interface Context {
  readonly definition: Definition;
  readonly texts: ReadonlyMap<string, string>;
  readonly types: Record<string, Json>;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const pascal = (element: string) => element.split("-").map(capital).join("");

/** Which of a field's two sides is described: what a program writes, or what it reads. */
type Side = "input" | "output";
const isOn = (side: Side) => (side === "input" ? isArgument : isOutput);

/** A field's type: a scalar, a list, or a type of its own that is put into the schema. */
function typeOf(field: Field, path: string, name: string, side: Side, context: Context): Json {
  if (field.type !== "items" && field.type !== "nested") return { type: scalarTypes[field.type] };
  const { items } = field;
  if (items?.fields === undefined) return { type: "array", items: { type: "integer" } };
  const bare = pascal(field.type === "nested" ? name : items.element);
  // What is both written and read is two types: the one that is read has what the shop computes.
  const own = `${context.definition.kind}${bare}${side === "output" && isArgument(field) ? "Result" : ""}`;
  context.types[pluginType(own)] = {
    type: "object",
    description: context.texts.get(path) ?? "",
    ...properties(items.fields, `${path}.`, side, context),
  };
  const ref = { $ref: `#/types/${pluginType(own)}` };
  return field.type === "nested" ? ref : { type: "array", items: ref };
}

function description(field: Field, path: string, { texts, definition }: Context): string {
  const bounds = boundsText(definition, field);
  const values = Object.entries(field.values ?? {}).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
  const text = [texts.get(path) ?? "", bounds].filter(Boolean).join(" ");
  return values.length === 0 ? text : `${text} One of ${values.join("; ")}.`;
}

function properties(fields: Fields, above: string, side: Side, context: Context) {
  const shown = Object.entries(fields).filter(([, field]) => isOn(side)(field));
  const entries = shown.map(([name, field]): [string, Json] => {
    const path = above + name;
    const isReplaced = side === "input" && above === "" && replaces(context.definition, field);
    return [
      name,
      {
        ...typeOf(field, path, name, side, context),
        description: description(field, path, context),
        ...(field.deprecated !== undefined && { deprecationMessage: field.deprecated }),
        ...(isReplaced && { willReplaceOnChanges: true }),
      },
    ];
  });
  const required = shown.filter(([, field]) => isRequired(field)).map(([name]) => name);
  return { properties: Object.fromEntries(entries), ...(required.length > 0 && { required }) };
}

/** The sentence above a class or a function of the SDK. */
function sdkSentence(name: string): string {
  const source = readFileSync(join(root, "sdk/index.ts"), "utf8");
  return new RegExp(`/\\*\\* ([^*]*) \\*/\nexport (?:class|const) ${name}\\b`).exec(source)?.[1] ?? "";
}

const adoptText =
  'Takes over an object that is there instead of creating one: its id, or "key" to find it by its natural key.';

function resourceOf(definition: Definition, types: Record<string, Json>): Json {
  const context = { definition, types, texts: sentences(definition.kind) };
  const inputs = properties(definition.fields, "", "input", context);
  return {
    description: sdkSentence(definition.kind),
    ...properties(definition.fields, "", "output", context),
    inputProperties: { ...inputs.properties, adopt: { type: "string", description: adoptText } },
    ...(inputs.required !== undefined && { requiredInputs: inputs.required }),
  };
}

const numberProperty = { type: "integer", description: "The shop's number of it." };

function functionOf({ name, definition, list, takesLookups }: DataSource, types: Record<string, Json>): Json {
  const { kind, fields, lookups = {} } = definition;
  const context = { definition, types, texts: sentences(kind) };
  const known = properties(fields, "", "output", context);
  const object = {
    type: "object",
    properties: { id: numberProperty, ...known.properties },
    required: ["id"],
  };
  const inputs = Object.entries(lookups).map(([argument, field]): [string, Json] => {
    const found = fields[field];
    return [
      argument,
      {
        ...(found === undefined ? { type: "integer" } : typeOf(found, field, argument, "input", context)),
        description: context.texts.get(field) ?? numberProperty.description,
      },
    ];
  });
  if (list !== undefined) types[pluginType(kind)] = { ...object, description: sdkSentence(`get${kind}`) };
  const many = { type: "array", items: { $ref: `#/types/${pluginType(kind)}` } };
  return {
    description: sdkSentence(name),
    ...(takesLookups && { inputs: { type: "object", properties: Object.fromEntries(inputs) } }),
    outputs:
      list === undefined
        ? object
        : {
            type: "object",
            properties: { [list]: { ...many, description: sdkSentence(name) } },
            required: [list],
          },
  };
}

/** The sentences of the configuration's page, by the name after `shop:`. */
function settingTexts(): ReadonlyMap<string, string> {
  const page = readFileSync(join(root, "docs/installation-configuration.md"), "utf8");
  const rows = [...page.matchAll(/^\| (`shop:.*?) \| .*? \| (.*) \|$/gm)];
  return new Map(
    rows.flatMap(([, names = "", text = ""]) =>
      [...names.matchAll(/`shop:(\w+)`/g)].map(([, name = ""]): [string, string] => [name, capital(text)]),
    ),
  );
}

function variables(): Json {
  const texts = settingTexts();
  return Object.fromEntries(
    Object.entries(settings as Readonly<Record<string, Setting>>).map(
      ([name, { variable: _variable, ...said }]) => {
        const text = texts.get(name);
        if (text === undefined)
          throw new Error(`docs/installation-configuration.md doesn't say what shop:${name} is`);
        return [name, { ...said, description: text }];
      },
    ),
  );
}

const { repository: stated } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly repository: { readonly url: string };
};
const repository = stated.url.replace(/^git\+|\.git$/g, "");

const sorted = (values: Readonly<Record<string, Json>>) =>
  Object.fromEntries(Object.entries(values).toSorted(([one], [two]) => (one < two ? -1 : 1)));

/** `plugin/schema.json` as it should be, without the version: that is the package's own. */
export function schema(): Json {
  const types: Record<string, Json> = {};
  const made = resources.map(([, definition]): [string, Json] => [
    pluginType(definition.kind),
    resourceOf(definition, types),
  ]);
  const asked = dataSources.map((source): [string, Json] => [
    pluginType(source.name),
    functionOf(source, types),
  ]);
  return {
    name: "shop",
    displayName: "Shop",
    description:
      "Products, coupons, price kinds, theme assets, files, JS tags and charges of an online shop, as code.",
    keywords: ["pulumi", "shop", "e-commerce", "category/infrastructure", "kind/native"],
    license: "Apache-2.0",
    homepage: repository,
    repository,
    publisher: "pulumi-shop",
    attribution: "Made of the definitions in provider/resources by npm run generate.",
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { packageName: "pulumi-shop-sdk", respectSchemaVersion: true },
      python: { packageName: "pulumi_shop", pyproject: { enabled: true }, respectSchemaVersion: true },
    },
    config: { variables: variables() },
    provider: {
      description: "A shop, as the application whose credentials it has.",
      inputProperties: variables(),
    },
    types: sorted(types),
    resources: Object.fromEntries(made),
    functions: Object.fromEntries(asked),
  };
}

/** The file's text. */
export const schemaText = (): string => `${JSON.stringify(schema(), undefined, 2)}\n`;
