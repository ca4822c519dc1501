/** Generates files from the sources: names for the SDK, the reference, types and schemas. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requiredToCreate } from "../provider/change/partial.ts";
import {
  type Definition,
  type Field,
  fieldWithFormFor,
  isArgument,
  isOutput,
  writtenFormsOf,
} from "../provider/definition/define.ts";
import { handlerText } from "../provider/names/types.ts";
import { type Setting, settings, textOf } from "../provider/native.ts";
import { definitions } from "../provider/resources/index.ts";
import { otherShapes } from "../provider/verbs.ts";
import { decode } from "../provider/wire/codec.ts";
import { parse, parseJson } from "../provider/wire/xml.ts";
import { commandPages } from "./commands.ts";
import { jsonLinesPage } from "./json-lines.ts";
import { fileOf, type Page, referencePages } from "./reference.ts";
import { enumsSource, schemaText, settingTexts } from "./schema.ts";
import { typesSource } from "./sdk-types.ts";

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
    // Other names belong to the project.
    patternProperties: { "^(?!shop:)": {} },
    additionalProperties: false,
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

const root = join(import.meta.dirname, "..");

/** The content of `sdk/outputs.ts`. */
function outputsSource(): string {
  const kinds = [
    ...(Object.values(definitions) as readonly Definition[]).filter(
      ({ operations }) => operations.create !== undefined,
    ),
    ...otherShapes,
  ];
  /** An object by kind, without the kinds that have nothing. */
  const byKind = (of: (definition: (typeof kinds)[number]) => object | string) => {
    const entries = kinds.map((definition) => [definition.kind, of(definition)] as const);
    return JSON.stringify(Object.fromEntries(entries.filter(([, own]) => Object.keys(own).length > 0)));
  };
  const named = (isOne: (field: Field) => boolean) =>
    byKind(({ fields }) => Object.keys(fields).filter((name) => isOne(fields[name] as Field)));
  const first = kinds.filter(
    ({ unique, singleton, suffixesDuplicates }) =>
      unique || singleton !== undefined || suffixesDuplicates !== undefined,
  );
  const keyed = byKind(({ fields }) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, { items }]) =>
        items?.fields !== undefined && items.key !== undefined ? [[name, items.key]] : [],
      ),
    ),
  );
  const left = byKind((definition) =>
    requiredToCreate(definition).filter((name) => fieldWithFormFor(definition.fields, name) === undefined),
  );
  return `/** Generated from the definitions by \`npm run generate\`; a test checks that it is up to date. */

import type { WrittenForms } from "../provider/names/written-forms.ts";

export const outputs = ${named(isOutput)} as const;

/** Kinds with a unique natural key: a replacement deletes the old object first. */
export const deletesFirst: readonly string[] = ${JSON.stringify(first.map(({ kind }) => kind))};

/** The line with which the SDK's host loads the provider of each kind. */
export const handlers: Readonly<Record<string, string>> = ${byKind(({ kind }) => handlerText(kind))};

/** Lists with keyed items, and their key field. */
export const keyedLists: Readonly<Record<string, Readonly<Record<string, string>>>> = ${keyed};

/** Arguments with a file path, for which a program may also use a FileAsset. */
export const pathArguments: Readonly<Record<string, readonly string[]>> = ${named(({ type }) => type === "path")};

/** Arguments without an output. */
export const inputsOnly: Readonly<Record<string, readonly string[]>> = ${named((field) => isArgument(field) && !isOutput(field))};

/** Required arguments that a program may leave out if it adopts an object. */
export const leftArguments: Readonly<Record<string, readonly string[]>> = ${left};

/** Alternative forms of arguments, which are converted to the form that is sent. */
export const naturals: Readonly<Record<string, WrittenForms>> = ${byKind(({ fields }) => writtenFormsOf(fields))};
`;
}

function formatted(path: string, text: string): string {
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome");
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [biome, "format", `--stdin-file-path=${path}`],
    { cwd: root, input: text, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`${path} can't be formatted: ${stderr}`);
  return stdout;
}

function decodedPage(definition: Definition): Page {
  const name = fileOf(definition.kind);
  const file = (path: string) => join(root, "test/fixtures", path);
  const document = existsSync(file(`${name}.xml`))
    ? parse(readFileSync(file(`${name}.xml`), "utf8")).value
    : parseJson(readFileSync(file(`${name}.json`), "utf8"), definition.one);
  const { values, unknown } = decode(definition, document);
  const text = `${JSON.stringify({ values, leftOver: unknown }, undefined, 2)}\n`;
  return { path: `test/fixtures/decoded/${name}.json`, text };
}

/** Missing files that a kind is generated from, one line each. */
function missingFiles(): readonly string[] {
  return (Object.values(definitions) as readonly Definition[]).flatMap(({ kind, operations }) => {
    const name = fileOf(kind);
    const document = [`test/fixtures/${name}.xml`, `test/fixtures/${name}.json`];
    const example = [`examples/kinds/${name}/index.ts`];
    const isMissing = (paths: readonly string[]) => !paths.some((path) => existsSync(join(root, path)));
    return [
      ...(isMissing(document) ? [`${kind} has no ${document.join(" or ")}: what a shop answers`] : []),
      ...(operations.create !== undefined && isMissing(example)
        ? [`${kind} has no ${example.join()}: the smallest program of it, which its page shows`]
        : []),
    ];
  });
}

/**
 * All generated files with their contents, in the order of their dependencies: the SDK's classes use names of
 * `sdk/outputs.ts`.
 */
const generated: readonly (() => readonly Page[])[] = [
  () => [{ path: "sdk/outputs.ts", text: formatted("sdk/outputs.ts", outputsSource()) }],
  () => [{ path: "sdk/enums.ts", text: formatted("sdk/enums.ts", enumsSource()) }],
  () => [{ path: "sdk/types.ts", text: formatted("sdk/types.ts", typesSource()) }],
  () => (Object.values(definitions) as readonly Definition[]).map(decodedPage),
  () => [{ path: "plugin/schema.json", text: schemaText() }],
  () => [
    { path: "plugin/stack.schema.json", text: formatted("plugin/stack.schema.json", stackSchemaText()) },
  ],
  referencePages,
  commandPages,
  () => {
    const { path, text } = jsonLinesPage();
    return [{ path, text: formatted(path, text) }];
  },
];

/** Generated files whose source no longer exists. @param pages all generated pages */
function strayFiles(pages: readonly Page[]): readonly string[] {
  const paths = new Set(pages.map(({ path }) => path));
  return ["docs/resources", "docs/commands", "test/fixtures/decoded"]
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .filter((path) => !paths.has(path));
}

/** The files that `--check` finds outdated. */
function staleFiles(): readonly string[] {
  const pages = generated.flatMap((part) => part());
  const isStale = ({ path, text }: Page) =>
    !existsSync(join(root, path)) || readFileSync(join(root, path), "utf8") !== text;
  return [...pages.filter(isStale).map(({ path }) => path), ...strayFiles(pages)];
}

if (import.meta.main) {
  const missing = missingFiles();
  if (missing.length > 0) {
    process.stderr.write(`${missing.join("\n")}\nWrite what is missing and run this again.\n`);
    process.exit(1);
  }
  if (process.argv.includes("--check")) {
    const stale = staleFiles();
    if (stale.length > 0) process.stderr.write(`${stale.join("\n")}\nRun npm run generate.\n`);
    process.exit(stale.length > 0 ? 1 : 0);
  }
  const pages = generated.flatMap((part) => {
    const made = part();
    for (const { path, text } of made) writeFileSync(join(root, path), text);
    return made;
  });
  for (const path of strayFiles(pages)) rmSync(join(root, path));
}
