// The committed schema, checked with the parts of Pulumi's metaschema that we use. The metaschema itself
// (pkg/codegen/schema/pulumi.json of github:pulumi/pulumi) is in no package; a check with all of it found no error.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { type Setting, settings } from "../../provider/native.ts";
import { schemaText } from "../../scripts/schema.ts";
import * as enums from "../../sdk/enums.ts";
import { root } from "../cli/terminal.ts";
import { resources } from "../support/world.ts";

const text = readFileSync(join(root, "plugin/schema.json"), "utf8");

const primitive = z.enum(["boolean", "integer", "number", "string"]);
const ref = z.strictObject({ $ref: z.string().regex(/^#\/types\/shop:index:\w+$/) });
const list = z.strictObject({
  type: z.literal("array"),
  items: z.union([z.strictObject({ type: primitive }), ref]),
});
const byName = z.strictObject({
  type: z.literal("object"),
  additionalProperties: z.strictObject({ type: primitive }),
});
const type = z.union([
  z.strictObject({ type: primitive }),
  ref,
  // An argument with several forms, never with a list among them: Pulumi's SDK for Python fails to send it.
  z.strictObject({ oneOf: z.tuple([z.strictObject({ type: primitive }), ref]) }),
  z.strictObject({
    type: primitive,
    oneOf: z.tuple([z.strictObject({ type: primitive }), ref.extend({ type: primitive })]),
  }),
  byName,
  list,
]);
const described = {
  description: z.string().min(5),
  willReplaceOnChanges: z.literal(true).optional(),
  secret: z.literal(true).optional(),
  defaultInfo: z
    .strictObject({ environment: z.array(z.string().regex(/^SHOP_[A-Z_]+$/)).length(1) })
    .optional(),
};
const property = z.looseObject(described).refine((value) => {
  const { description: _d, willReplaceOnChanges: _w, ...more } = value;
  const { secret: _s, defaultInfo: _e, ...rest } = more;
  return type.safeParse(rest).success;
}, "is no property of the metaschema");
// A token's module is index; properties may not have names that the engine reserves.
const token = z.string().regex(/^shop:index:[A-Za-z]\w*$/);
const names = z.record(z.string().regex(/^[a-z]\w*$/), property);
const resourceNames = names.refine(
  (value) => !("id" in value) && !("urn" in value),
  "id and urn are reserved",
);
const object = z.strictObject({
  type: z.literal("object"),
  description: z.string().optional(),
  properties: names,
  required: z.array(z.string()).optional(),
});
const enumeration = z.strictObject({
  type: z.enum(["integer", "string"]),
  description: z.string().min(5),
  enum: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Z]\w*$/),
        value: z.union([z.string(), z.number()]),
        description: z.string().min(5),
      }),
    )
    .min(2),
});
const schema = z.strictObject({
  name: z.string().regex(/^[a-zA-Z][-a-zA-Z0-9_]*$/),
  displayName: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.literal("Apache-2.0"),
  homepage: z.url(),
  repository: z.url(),
  publisher: z.string(),
  logoUrl: z.url(),
  pluginDownloadURL: z.string().regex(/^github:\/\/api\.github\.com\/[\w-]+\/[\w-]+$/),
  attribution: z.string(),
  meta: z.strictObject({ moduleFormat: z.string() }),
  language: z.record(z.string(), z.looseObject({})),
  config: z.strictObject({ variables: names }),
  provider: z.strictObject({ description: z.string(), inputProperties: names }),
  types: z.record(token, z.union([object, enumeration])),
  resources: z.record(
    token,
    z.strictObject({
      description: z.string().min(5),
      properties: resourceNames,
      required: z.array(z.string()).optional(),
      inputProperties: resourceNames,
      requiredInputs: z.array(z.string()).optional(),
    }),
  ),
  functions: z.record(
    token,
    z.strictObject({
      description: z.string().min(5),
      inputs: object.optional(),
      outputs: object,
    }),
  ),
});

describe("the plugin's schema", () => {
  const found = JSON.parse(text) as z.infer<typeof schema>;

  test("the schema is up to date and valid", () => {
    expect(text).toBe(schemaText());
    expect(schema.safeParse(found).error?.issues ?? []).toEqual([]);
  });

  test("every type in the schema is defined and used", () => {
    const named = [...text.matchAll(/"#\/types\/([\w:]+)"/g)].map(([, name]) => name);
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(found.types).toSorted());
  });

  test("required properties exist", () => {
    const missing = Object.entries({ ...found.types, ...found.resources }).flatMap(([name, shape]) => {
      if ("enum" in shape) return [];
      const { properties, required = [] } = shape;
      return required.filter((one) => properties[one] === undefined).map((one) => `${name}.${one}`);
    });
    expect(missing).toEqual([]);
  });

  test("the generated SDK for TypeScript has another name than the package, which it would replace otherwise", () => {
    const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name: string };
    expect(found.language.nodejs?.packageName).toBe(`${name}-sdk`);
  });

  test("documents name the schema by a path, because Pulumi looks up other names in its registry", () => {
    const documents = ["docs/plugin.md", "examples/python/README.md"];
    const named = documents.flatMap((path) =>
      [
        ...readFileSync(join(root, path), "utf8").matchAll(
          /pulumi package (?:add|gen-sdk|get-schema) ([^\s`]+)/g,
        ),
      ].map(([, place]) => place),
    );
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((place) => !place?.startsWith("."))).toEqual([]);
  });

  test("each resource has its smallest program and an import example, and each function an example", () => {
    for (const { kind } of resources) {
      const { description = "" } = found.resources[`shop:index:${kind}`] ?? {};
      expect(description).toContain("## Example Usage");
      expect(description).toContain(`new ${kind}(`);
      expect(description).toMatch(
        new RegExp(`## Import\n[^]*pulumi import shop:index:${kind} example \\S+\n`),
      );
    }
    for (const [name, { description, inputs }] of Object.entries(found.functions)) {
      const [, call = "", argument] = /= (get\w+)Output\((?:\{ (\w+):)?/.exec(description) ?? [];
      expect(`shop:index:${call}`).toBe(name);
      expect(Object.keys(inputs?.properties ?? { none: true })).toContain(argument ?? "none");
    }
  });

  test("enum values and variables of settings are in the schema, except those of secrets, and of what belongs to another", () => {
    const named = Object.values(found.types).flatMap((shape) =>
      "enum" in shape ? [shape.enum.map(({ name, value }) => `${name} ${value}`)] : [],
    );
    expect(named).toContainEqual(["Percent 1", "Money 2"]);
    expect(named).toContainEqual(["TextTag JsTag::TextTag", "FileTag JsTag::FileTag"]);
    const given = Object.entries(found.provider.inputProperties).map(([name, { defaultInfo }]) => [
      name,
      defaultInfo?.environment[0],
    ]);
    expect(given).toEqual(
      Object.entries(settings as Readonly<Record<string, Setting>>).map(
        ([name, { secret, of, variable }]) => [name, secret || of !== undefined ? undefined : variable],
      ),
    );
  });

  test("enum values have the same names in the SDK", () => {
    const named = Object.entries(found.types).flatMap(([token, shape]) =>
      "enum" in shape
        ? [[token.split(":").at(-1), Object.fromEntries(shape.enum.map(({ name, value }) => [name, value]))]]
        : [],
    );
    expect({ ...enums }).toEqual(Object.fromEntries(named));
  });

  test("the schema has a section for each language of Pulumi", () => {
    expect(Object.keys(found.language).toSorted()).toEqual(["csharp", "go", "java", "nodejs", "python"]);
  });

  test("the schema has every kind, data source and setting", () => {
    const kinds = [...resources.map(({ kind }) => kind), "Prices"];
    expect(Object.keys(found.resources)).toEqual(kinds.map((kind) => `shop:index:${kind}`));
    const functions = ["getAccount", "getCollections", "getCollection", "getThemes", "getTheme"];
    expect(Object.keys(found.functions)).toEqual(functions.map((name) => `shop:index:${name}`));
    const page = readFileSync(join(root, "docs/installation-configuration.md"), "utf8");
    const documented = [...page.matchAll(/^\| (`shop:.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`shop:(\w+)`/g)].map(([, name]) => name),
    );
    expect(Object.keys(settings).toSorted()).toEqual(documented.toSorted());
  });
});

test("the schema of stack files knows each setting and its values", () => {
  const { config } = JSON.parse(readFileSync(join(root, "plugin/stack.schema.json"), "utf8")).properties;
  expect(Object.keys(config.properties)).toEqual(Object.keys(settings).map((name) => `shop:${name}`));
  // And a value of the wrong type.
  expect(config.properties["shop:protected"].anyOf[0]).toEqual({ enum: [true, false, "true", "false", ""] });
  expect(config.properties["shop:maxDeletes"].anyOf[1]).toEqual({ type: "string", pattern: "^\\d+$|^$" });
  expect(config.properties["shop:drift"].anyOf[0]).toEqual({ enum: ["revert", "keep", "stop", ""] });
  expect(config.properties["shop:maxDiscount"].anyOf[1].pattern).toBe("^\\d+(\\.\\d+)?$|^$");
  for (const stack of ["dev", "staging", "live"])
    expect(readFileSync(join(root, `examples/template/Pulumi.${stack}.yaml`), "utf8")).toContain(
      "$schema=node_modules/pulumi-shop/plugin/stack.schema.json",
    );
});

/** The stack files of the examples, and of the project that init writes. */
const stackFiles = ["python", "template", "yaml"].flatMap((folder) =>
  readdirSync(join(root, "examples", folder)).flatMap((name) =>
    /^Pulumi\.[^.]+\.yaml$/.test(name) ? [join("examples", folder, name)] : [],
  ),
);

test("the schema of stack files accepts each file of the examples, and no mistaken one", () => {
  const schema = z.fromJSONSchema(JSON.parse(readFileSync(join(root, "plugin/stack.schema.json"), "utf8")));
  const isValid = (text: string) => schema.safeParse(parse(text)).success;
  expect(stackFiles.length).toBeGreaterThanOrEqual(5);
  for (const path of stackFiles)
    expect([path, isValid(readFileSync(join(root, path), "utf8"))]).toEqual([path, true]);
  expect(
    isValid(
      "config:\n  shop:url: https://my-shop.example\n  shop:password: { secure: v1:x }\n  percent: 5\n",
    ),
  ).toBe(true);
  for (const wrong of ["shop:ulr: https://my-shop.example", "shop:maxDeletes: many", "shop:drift: forget"])
    expect([wrong, isValid(`config:\n  ${wrong}\n`)]).toEqual([wrong, false]);
});
