/**
 * Generates plugin/schema.json: the package's schema in Pulumi's format (pkg/codegen/schema/pulumi.json of
 * github:pulumi/pulumi), from the definitions and their comments.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { requiredToCreate } from "../provider/change/partial.ts";
import {
  type Definition,
  type Field,
  type Fields,
  fieldWithFormFor,
  isAlwaysSet,
  isArgument,
  isOutput,
  isRequired,
} from "../provider/definition/define.ts";
import { pluginType } from "../provider/names/types.ts";
import { type DataSource, dataSources, type Setting, settings } from "../provider/native.ts";
import { resources } from "../provider/resources/index.ts";
import {
  argumentsBeside,
  boundsText,
  capital,
  exampleOf,
  formText,
  idText,
  replaces,
  scalarTypes,
  sdkSentence,
  sentences,
} from "./reference.ts";
import { declared } from "./reference-classes.ts";

const root = join(import.meta.dirname, "..");

type Json = Readonly<Record<string, unknown>>;

/** Collects the descriptions of a kind's fields and its nested types. */
interface Context {
  readonly definition: Definition;
  readonly texts: ReadonlyMap<string, string>;
  readonly types: Record<string, Json>;
}

type Side = "input" | "output";

/** A field's type: a scalar, a list, or a nested type that is added to the schema. */
function typeOf(field: Field, path: string, name: string, side: Side, context: Context): Json {
  if (field.type === "amounts") return { type: "object", additionalProperties: { type: "number" } };
  if (field.type !== "items" && field.type !== "nested") {
    const type = scalarTypes[field.type];
    if (field.forms !== undefined && side === "input") return formsOf(field.forms, type, name, context);
    if (field.values === undefined || side === "output") return { type };
    // As a union with its base type, a program may write the value or its name.
    const token = pluginType(`${context.definition.kind}${capital(name)}`);
    context.types[token] = enumOf(field.values, type, context.texts.get(path) ?? "");
    return { type, oneOf: [{ type }, { type, $ref: `#/types/${token}` }] };
  }
  const { items } = field;
  if (items?.fields === undefined) return { type: "array", items: { type: "integer" } };
  const bare = (field.type === "nested" ? name : items.element).split("-").map(capital).join("");
  // A nested type that is both input and output becomes two types: the output also has computed fields.
  const own = `${context.definition.kind}${bare}${side === "output" && isArgument(field) ? "Result" : ""}`;
  context.types[pluginType(own)] = {
    type: "object",
    description: context.texts.get(path) ?? "",
    ...properties(items.fields, `${path}.`, side, context),
  };
  const ref = { $ref: `#/types/${pluginType(own)}` };
  if (field.type === "nested") return ref;
  // Never a list or an object (`pairs`): Pulumi's SDK for Python can't send a list where both are allowed.
  return { type: "array", items: ref };
}

/** A number, or an object whose field name tells the number's meaning. */
function formsOf(
  forms: NonNullable<Field["forms"]>,
  type: string,
  name: string,
  { definition, types }: Context,
): Json {
  const token = pluginType(`${definition.kind}${capital(name)}`);
  const properties = Object.entries(forms).map(([form, states]) => {
    return [form, { type, description: formText(definition, states) }] as const;
  });
  types[token] = {
    type: "object",
    description: "State one of these.",
    properties: Object.fromEntries(properties),
  };
  return { oneOf: [{ type }, { $ref: `#/types/${token}` }] };
}

/** The enum values of a field by name: the part after `::`, or the first word of a number's description. */
const enumOf = (values: Readonly<Record<string, string>>, type: string, description: string): Json => ({
  type,
  description,
  enum: Object.entries(values).map(([value, meaning]) => ({
    name: value.includes("::") ? value.split("::").at(-1) : capital(meaning.split(" ")[0] ?? ""),
    value: type === "string" ? value : Number(value),
    description: capital(meaning),
  })),
});

function description(field: Field, path: string, { texts, definition }: Context): string {
  const bounds = boundsText(definition, field);
  const values = Object.entries(field.values ?? {}).map(([value, meaning]) => `\`${value}\`: ${meaning}`);
  const text = [texts.get(path) ?? "", bounds].filter(Boolean).join(" ");
  return values.length === 0 ? text : `${text} One of ${values.join("; ")}.`;
}

function properties(fields: Fields, above: string, side: Side, context: Context) {
  const shown = Object.entries(fields).filter(([, field]) =>
    (side === "input" ? isArgument : isOutput)(field),
  );
  const entries = shown.map(([name, field]): [string, Json] => {
    const path = above + name;
    const isReplaced = side === "input" && above === "" && replaces(context.definition, field);
    return [
      name,
      {
        ...typeOf(field, path, name, side, context),
        description: description(field, path, context),
        ...(isReplaced && { willReplaceOnChanges: true }),
      },
    ];
  });
  const isThere = ([name, field]: readonly [string, Field]) =>
    side === "output"
      ? isAlwaysSet(field)
      : isRequired(field) && fieldWithFormFor(fields, name) === undefined;
  const required = shown.filter(isThere).map(([name]) => name);
  return { properties: Object.fromEntries(entries), ...(required.length > 0 && { required }) };
}

function resourceOf(definition: Definition, types: Record<string, Json>): Json {
  const context = { definition, types, texts: sentences(definition.kind) };
  const inputs = properties(definition.fields, "", "input", context);
  const required = (inputs.required ?? []).filter((name) => !requiredToCreate(definition).includes(name));
  const { kind } = definition;
  const beside = argumentsBeside(definition).map(({ name, text, constraints }): [string, Json] => [
    name,
    { type: "string", description: `${text} ${constraints}`.trim() },
  ]);
  return {
    description: [sdkSentence(kind), exampleText(exampleOf(kind)), importText(definition)].join("\n\n"),
    ...properties(definition.fields, "", "output", context),
    inputProperties: { ...inputs.properties, ...Object.fromEntries(beside) },
    ...(required.length > 0 && { requiredInputs: required }),
  };
}

const plainTypes: Readonly<Record<string, Json>> = {
  number: { type: "integer" },
  "number | string": { type: "number" },
  "Record<string, number | string>": { type: "object", additionalProperties: { type: "number" } },
  "Record<string, string>": { type: "object", additionalProperties: { type: "string" } },
};

/** The properties of a handwritten interface of the SDK, with their comments. */
const writtenProperties = (name: string): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    declared("sdk/prices.ts", name).members.map(({ name: property, type, text }): [string, Json] => {
      const [, list, own = list] = /^(?:string \| (\w+)\[\]|(Prices\w+))$/.exec(type) ?? [];
      const ref = { $ref: `#/types/${pluginType(own ?? "")}` };
      const written =
        list !== undefined ? { type: "array", items: ref } : own !== undefined ? ref : plainTypes[type];
      // Other languages get an enum of texts, and a file, as a plain text.
      return [property, { ...(written ?? { type: "string" }), description: text }];
    }),
  );

/** A sheet of prices: its classes are handwritten, because it is no object of the shop. */
function pricesOf(types: Record<string, Json>): Json {
  for (const name of ["PricesRow", "PricesColumns"])
    types[pluginType(name)] = {
      type: "object",
      description: declared("sdk/prices.ts", name).text,
      properties: writtenProperties(name),
    };
  const program = readFileSync(join(root, "examples/prices/index.ts"), "utf8").trim();
  return {
    description: `${declared("sdk/prices.ts", "Prices").text}\n\n${exampleText(program)}`,
    properties: writtenProperties("PricesOutputs"),
    inputProperties: writtenProperties("PricesArgs"),
  };
}

/** An example in the registry's format. */
const exampleText = (program: string): string =>
  `{{% examples %}}\n## Example Usage\n{{% example %}}\n\n\`\`\`typescript\n${program}\n\`\`\`\n\n{{% /example %}}\n{{% /examples %}}`;

/**
 * How to import an existing object: with a fixed word if there is only one, with two numbers if it belongs to another
 * object.
 */
function importText(definition: Definition): string {
  const { kind, singleton, one } = definition;
  const id = singleton === undefined ? idText(definition) : `\`${one}\``;
  const sample = singleton !== undefined ? one : id.includes("/") ? "93238/904337" : "8841";
  return `## Import\n\nBy its id, which is ${id}:\n\n\`\`\`sh\npulumi import ${pluginType(kind)} example ${sample}\n\`\`\``;
}

/** The smallest program that calls a data source. */
function asked(name: string, lookups: Readonly<Record<string, string>>): string {
  const [argument] = ["title", "permalink"].filter((one) => lookups[one] !== undefined);
  const given = argument === undefined ? "" : `{ ${argument}: "main" }`;
  return `import { ${name}Output } from "pulumi-shop";\n\nexport const found = ${name}Output(${given});`;
}

const numberProperty = { type: "integer", description: "The object's id in the shop." };

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
    description: `${sdkSentence(name)}\n\n${exampleText(asked(name, takesLookups ? lookups : {}))}`,
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

/** Editors show a description as it is. */
const withoutLinks = (text: string) =>
  text.replaceAll(/ \(\[[^\]]+\]\([^)]+\)\)/g, "").replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1");

/** The descriptions on the configuration page, by the name after `shop:`. */
export function settingTexts(): ReadonlyMap<string, string> {
  const page = readFileSync(join(root, "docs/installation-configuration.md"), "utf8");
  const rows = [...page.matchAll(/^\| (`shop:.*?) \| .*? \| (.*) \|$/gm)];
  return new Map(
    rows.flatMap(([, names = "", text = ""]) =>
      [...names.matchAll(/`shop:(\w+)`/g)].map(([, name = ""]): [string, string] => [
        name,
        capital(withoutLinks(text)),
      ]),
    ),
  );
}

function variables(): Json {
  const texts = settingTexts();
  return Object.fromEntries(
    Object.entries(settings as Readonly<Record<string, Setting>>).map(
      ([name, { variable, of, words: _words, range: _range, ...said }]) => {
        const text = texts.get(name);
        if (text === undefined)
          throw new Error(`docs/installation-configuration.md doesn't say what shop:${name} is`);
        // SDKs write environment values into the state, so secrets are left out. They give each setting its variable
        // alone, so those that belong to another are left out too: the plugin itself reads all variables.
        const given = said.secret || of !== undefined ? {} : { defaultInfo: { environment: [variable] } };
        return [name, { ...said, description: `${text} (\`${variable}\`)`, ...given }];
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

/** The content of `plugin/schema.json`, without the version, which is the package's. */
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
  const sheets = pricesOf(types);
  return {
    name: "shop",
    displayName: "Shop",
    description:
      "Products, coupons, price kinds, theme assets, files, JS tags and charges of an online shop, as code.",
    keywords: ["pulumi", "shop", "e-commerce", "category/infrastructure", "kind/native"],
    license: "Apache-2.0",
    homepage: repository,
    repository,
    publisher: "Pulumi Shop",
    logoUrl: `${repository.replace("github.com", "raw.githubusercontent.com")}/main/docs/images/shop-400.png`,
    pluginDownloadURL: `github://api.${repository.replace("https://", "")}`,
    attribution: "Made of the definitions in provider/resources by npm run generate.",
    meta: { moduleFormat: "(.*)" },
    language: {
      nodejs: { packageName: "pulumi-shop-sdk", respectSchemaVersion: true },
      python: { packageName: "pulumi_shop", pyproject: { enabled: true }, respectSchemaVersion: true },
      go: {
        importBasePath: `${repository.replace("https://", "")}/sdk/go/shop`,
        generateResourceContainerTypes: true,
        respectSchemaVersion: true,
      },
      csharp: {
        rootNamespace: "PulumiShop",
        packageReferences: { Pulumi: "3.*" },
        respectSchemaVersion: true,
      },
      java: {
        basePackage: "io.github.pulumishop",
        buildFiles: "gradle",
        gradleNexusPublishPluginVersion: "2.0.0",
      },
    },
    config: { variables: variables() },
    provider: {
      description: "A shop, as the application whose credentials it has.",
      // Without `requiredInputs`: SDKs would refuse a setting that only the environment has.
      inputProperties: variables(),
    },
    types: sorted(types),
    resources: { ...Object.fromEntries(made), [pluginType("Prices")]: sheets },
    functions: Object.fromEntries(asked),
  };
}

interface Enum {
  readonly description: string;
  readonly enum?: readonly { readonly name: string; readonly value: unknown; readonly description: string }[];
}

/** `sdk/enums.ts`: enum values by name, as programs from `pulumi import` use them. */
export function enumsSource(): string {
  const all = Object.entries(schema().types as Readonly<Record<string, Enum>>).map(([token, one]) => {
    const lines = (one.enum ?? []).map(
      ({ name, value, description: text }) => `  /** ${text}. */\n  ${name}: ${JSON.stringify(value)},\n`,
    );
    const about = one.description.split(/(?<=\.) /)[0];
    return lines.length === 0
      ? ""
      : `\n/** ${about} */\nexport const ${token.split(":").at(-1)} = {\n${lines.join("")}} as const;\n`;
  });
  return `/** Generated from the definitions by \`npm run generate\`; a test checks that it is up to date. */\n${all.join("")}`;
}

export const schemaText = (): string => `${JSON.stringify(schema(), undefined, 2)}\n`;
