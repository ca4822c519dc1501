/** Generates plugin/stack.schema.json, with which editors check stack files. */
import { type Setting, settings, textOf } from "../provider/native.ts";
import { settingTexts } from "./schema.ts";

function textShape({ source }: RegExp): object {
  return { type: "string", pattern: `${source}|^$` };
}

/** The values that a stack file may have for a setting. */
const valueShapes: Readonly<Record<Setting["type"], readonly object[]>> = {
  string: [{ type: "string" }],
  // `config set` writes texts; an empty one unsets a value.
  number: [{ type: "number", minimum: 0 }, textShape(textOf.number)],
  integer: [{ type: "integer", minimum: 0 }, textShape(textOf.integer)],
  boolean: [{ enum: [true, false, "true", "false", ""] }],
};

/** The schema of `Pulumi.<stack>.yaml`: each setting with its description, and no other names after `shop:`. */
export function stackSchemaText(): string {
  const texts = settingTexts();
  const names = Object.keys(settings).map((name) => `shop:${name}`);
  const encrypted = { type: "object", required: ["secure"], properties: { secure: { type: "string" } } };
  const properties = Object.fromEntries(
    Object.entries(settings as Readonly<Record<string, Setting>>).map(([name, { type, words }]) => [
      `shop:${name}`,
      {
        description: texts.get(name),
        anyOf: [...(words === undefined ? valueShapes[type] : [{ enum: [...words, ""] }]), encrypted],
      },
    ]),
  );
  const config = {
    type: "object",
    properties,
    propertyNames: { anyOf: [{ enum: names }, { not: { pattern: "^shop:" } }] },
  };
  return `${JSON.stringify(
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "A stack of a shop",
      type: "object",
      properties: { config },
    },
    undefined,
    2,
  )}\n`;
}
