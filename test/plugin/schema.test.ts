// The committed schema, held to what Pulumi's metaschema says of the parts that we use. The metaschema itself
// (pkg/codegen/schema/pulumi.json of github:pulumi/pulumi) is in no package; the whole of it found no error.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { settings } from "../../provider/native.ts";
import { schemaText } from "../../scripts/schema.ts";
import { root } from "../cli/terminal.ts";
import { resources } from "../world.ts";

const text = readFileSync(join(root, "plugin/schema.json"), "utf8");

const primitive = z.enum(["boolean", "integer", "number", "string"]);
const ref = z.strictObject({ $ref: z.string().regex(/^#\/types\/shop:index:\w+$/) });
const type = z.union([
  z.strictObject({ type: primitive }),
  ref,
  z.strictObject({ type: z.literal("array"), items: z.union([z.strictObject({ type: primitive }), ref]) }),
]);
const described = {
  description: z.string().min(5),
  deprecationMessage: z.string().optional(),
  willReplaceOnChanges: z.literal(true).optional(),
  secret: z.literal(true).optional(),
};
const property = z.looseObject(described).refine((value) => {
  const { description: _d, deprecationMessage: _m, willReplaceOnChanges: _w, secret: _s, ...rest } = value;
  return type.safeParse(rest).success;
}, "is no property of the metaschema");
// A token's module is index; no property may have a name of the engine's own.
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
const schema = z.strictObject({
  name: z.string().regex(/^[a-zA-Z][-a-zA-Z0-9_]*$/),
  displayName: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  license: z.literal("Apache-2.0"),
  homepage: z.url(),
  repository: z.url(),
  publisher: z.string(),
  attribution: z.string(),
  meta: z.strictObject({ moduleFormat: z.string() }),
  language: z.record(z.string(), z.looseObject({})),
  config: z.strictObject({ variables: names }),
  provider: z.strictObject({ description: z.string(), inputProperties: names }),
  types: z.record(token, object),
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

describe("the schema", () => {
  const found = JSON.parse(text) as z.infer<typeof schema>;

  test("is what npm run generate writes, and what the metaschema asks", () => {
    expect(text).toBe(schemaText());
    expect(schema.safeParse(found).error?.issues ?? []).toEqual([]);
  });

  test("names types that are there, and none that nothing names", () => {
    const named = [...text.matchAll(/"#\/types\/([\w:]+)"/g)].map(([, name]) => name);
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(found.types).toSorted());
  });

  test("requires only what there is", () => {
    const missing = Object.entries({ ...found.types, ...found.resources }).flatMap(
      ([name, { properties, required = [] }]) =>
        required.filter((one) => properties[one] === undefined).map((one) => `${name}.${one}`),
    );
    expect(missing).toEqual([]);
  });

  test("gives the SDK that Pulumi makes for TypeScript another name than the package has, which it would replace", () => {
    const { name } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { name: string };
    expect(found.language.nodejs?.packageName).toBe(`${name}-sdk`);
  });

  test("is asked for by a path everywhere in the documents: Pulumi takes other words for names in its registry", () => {
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

  test("has every kind, every data source and every setting", () => {
    expect(Object.keys(found.resources)).toEqual(resources.map(({ kind }) => `shop:index:${kind}`));
    const functions = ["getAccount", "getCollections", "getCollection", "getThemes", "getTheme"];
    expect(Object.keys(found.functions)).toEqual(functions.map((name) => `shop:index:${name}`));
    const page = readFileSync(join(root, "docs/installation-configuration.md"), "utf8");
    const documented = [...page.matchAll(/^\| (`shop:.*?) \|/gm)].flatMap(([, cell = ""]) =>
      [...cell.matchAll(/`shop:(\w+)`/g)].map(([, name]) => name),
    );
    expect(Object.keys(settings).toSorted()).toEqual(documented.toSorted());
  });
});
