// The storefront in other languages: their programs match the schema and the storefront. Needs neither pulumi nor SDKs
// of these languages.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createCatalogue, readCatalogue } from "../../examples/storefront/catalogue.ts";
import { createCoupons } from "../../examples/storefront/coupons.ts";
import { readSettings } from "../../examples/storefront/settings.ts";
import { root } from "../cli/terminal.ts";

interface Asked {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}
interface Property {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: Property;
  readonly oneOf?: readonly Property[];
}
interface Shape {
  readonly inputProperties?: Readonly<Record<string, Property>>;
  readonly properties?: Readonly<Record<string, Property>>;
  readonly requiredInputs?: readonly string[];
  readonly required?: readonly string[];
}

const schemaPath = join(root, "plugin/schema.json");
const schema = JSON.parse(readFileSync(schemaPath, "utf8")) as {
  readonly resources: Readonly<Record<string, Shape>>;
  readonly types: Readonly<Record<string, Shape>>;
};
const example = (path: string) => join(root, "examples", path);
const collections = ["all", "frontpage", "kitchen", "tableware", "textiles"].map((permalink, index) => ({
  permalink,
  id: index + 1,
}));

/** Paths of a value that the schema doesn't have. */
function wrong(property: Property | undefined, value: unknown, path: string): readonly string[] {
  if (property === undefined) return [`${path} is unknown`];
  const forms = property.type === undefined ? property.oneOf : undefined;
  if (forms !== undefined) {
    const found = forms.map((form) => wrong(form, value, path));
    return found.some((one) => one.length === 0) ? [] : (found[0] ?? []);
  }
  if (property.$ref !== undefined)
    return wrongIn(schema.types[property.$ref.replace("#/types/", "")], value as object, path);
  if (property.type === "array")
    return Array.isArray(value)
      ? value.flatMap((item, index) => wrong(property.items, item, `${path}[${index}]`))
      : [`${path} is no list`];
  const isRight = property.type === "integer" ? Number.isInteger(value) : typeof value === property.type;
  return isRight ? [] : [`${path} is ${JSON.stringify(value)}, not ${property.type}`];
}

function wrongIn(shape: Shape | undefined, values: object, path: string): readonly string[] {
  if (shape === undefined) return [`${path} has an unknown type`];
  const properties = shape.inputProperties ?? shape.properties ?? {};
  const required = shape.inputProperties === undefined ? shape.required : shape.requiredInputs;
  const missing = (required ?? []).filter((name) => !Object.hasOwn(values, name));
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...Object.entries(values).flatMap(([name, value]) => wrong(properties[name], value, `${path}.${name}`)),
  ];
}

/** The storefront's registrations in the schema's types: TypeScript accepts decimals as texts, and lists by key. */
async function storefront(): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  await pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      asked.push({ type: type.replace("pulumi-nodejs:dynamic/shop", "shop:index"), name, inputs });
      return { id: name, state: inputs };
    },
    call: () => ({ collections }),
  });
  const made = [...createCatalogue(readCatalogue([])), ...createCoupons(readSettings(() => undefined, []))];
  await Promise.all(made.map(({ urn }) => new Promise((resolve) => void urn.apply(resolve))));
  return asked.map(({ type, name, inputs }) => ({
    type,
    name,
    inputs: typed(schema.resources[type]?.inputProperties, inputs),
  }));
}

function typed(properties: Shape["properties"] = {}, values: object): Readonly<Record<string, unknown>> {
  // A number can't be removed with an empty text, so these programs leave it out.
  const isSaid = (name: string, value: unknown) =>
    !name.startsWith("__") && !(value === "" && properties[name]?.type === "number");
  const entries = Object.entries(values).filter(([name, value]) => isSaid(name, value));
  return Object.fromEntries(entries.map(([name, value]) => [name, typedValue(properties[name], value)]));
}

function typedValue(stated: Property | undefined, value: unknown): unknown {
  // Of several forms of an argument, the first is sent.
  const property = stated?.type === undefined ? (stated?.oneOf?.[0] ?? stated) : stated;
  if (property?.type === "number") return Number(value);
  if (property?.type !== "array") return value;
  const inner = schema.types[property.items?.$ref?.replace("#/types/", "") ?? ""]?.properties;
  return Object.values(value as object).map((item: object) => typed(inner, item));
}

/** Sorted, because TypeScript's keyed lists have no order. */
function sorted(all: readonly Asked[]): readonly Asked[] {
  const items = (value: unknown) =>
    Array.isArray(value) ? value.toSorted((a, b) => String(a.sku).localeCompare(String(b.sku), "en")) : value;
  return all
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"))
    .map(({ inputs, ...one }) => ({
      ...one,
      inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, items(value)])),
    }));
}

function yamlProgram(folder = "yaml"): readonly Asked[] {
  const { resources, variables } = parse(readFileSync(join(example(folder), "Pulumi.yaml"), "utf8")) as {
    readonly resources: Readonly<Record<string, { readonly type: string; readonly properties: object }>>;
    readonly variables: Readonly<
      Record<string, { "fn::invoke": { function: string; arguments: { permalink: string }; return: string } }>
    >;
  };
  const found = (name: string) => {
    const { function: called, arguments: by, return: part } = variables[name]?.["fn::invoke"] ?? {};
    expect([called, part]).toEqual(["shop:getCollection", "id"]);
    return collections.find(({ permalink }) => permalink === by?.permalink)?.id;
  };
  const value = (of: unknown): unknown => {
    const [, variable] = (typeof of === "string" && /^\$\{(\w+)\}$/.exec(of)) || [];
    if (variable !== undefined) return found(variable);
    const path = (of as { readonly "fn::readFile"?: string })["fn::readFile"];
    return path === undefined ? of : readFileSync(join(example(folder), path), "utf8");
  };
  return Object.entries(resources).map(([name, { type, properties }]) => ({
    type: type.replace(/^shop:(?=\w+$)/, "shop:index:"),
    name,
    inputs: Object.fromEntries(Object.entries(properties).map(([key, of]) => [key, value(of)])),
  }));
}

const hasPython = spawnSync("python3", ["--version"]).status === 0;

function pythonProgram(folder = "python"): readonly Asked[] {
  const env = {
    PATH: process.env.PATH,
    PYTHONPATH: join(root, "test/plugin/python"),
    PYTHONDONTWRITEBYTECODE: "1",
    PYTHONIOENCODING: "utf-8",
    SCHEMA: schemaPath,
    COLLECTIONS: JSON.stringify(collections),
  };
  const { stdout, stderr } = spawnSync("python3", [join(example(folder), "__main__.py")], {
    env,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Asked);
}

describe.each([
  ["YAML", yamlProgram, true],
  ["Python", pythonProgram, hasPython],
] as const)("%s", (_language, program, isThere) => {
  test.runIf(isThere)("the types of the program are in the schema", () => {
    const all = program();
    expect(all.length).toBeGreaterThan(40);
    expect(all.flatMap(({ type, name, inputs }) => wrongIn(schema.resources[type], inputs, name))).toEqual(
      [],
    );
  });

  test.runIf(isThere)("the program's resources are the same as the storefront's", async () => {
    expect(sorted(program())).toEqual(sorted(await storefront()));
  });
});

test.runIf(hasPython)(
  "a sheet of prices in Python asks for what it asks for in YAML, with the schema's types",
  () => {
    const asked = yamlProgram("prices/yaml");
    expect(asked.map(({ type }) => type.replace("shop:index:", ""))).toEqual([
      "PriceKind",
      "Prices",
      "Prices",
    ]);
    expect(asked.flatMap(({ type, name, inputs }) => wrongIn(schema.resources[type], inputs, name))).toEqual(
      [],
    );
    expect(pythonProgram("prices/python")).toEqual(asked);
  },
);
