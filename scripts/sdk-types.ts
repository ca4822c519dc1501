/**
 * Generates `sdk/types.ts`: arguments and outputs of the classes as plain interfaces, which editors and the compiler
 * can name.
 */

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
import { type Setting, settings } from "../provider/native.ts";
import { resources } from "../provider/resources/index.ts";
import {
  argumentsBeside,
  capital,
  constraintsOf,
  exampleOf,
  formText,
  type States,
  scalarTypes,
  sentences,
} from "./reference.ts";
import { settingTexts } from "./schema.ts";

interface Interface {
  readonly name: string;
  readonly base?: string;
  readonly about: readonly string[];
  readonly lines: readonly string[];
}

interface Scope {
  /** `ProductVariant`: the prefix of interface names. */
  readonly prefix: string;
  /** The path of the fields: empty, or `variants.`. */
  readonly above: string;
  /** @param states what the short form sets that is described */
  readonly describe: (path: string, field: Field, isArgument: boolean, states?: States) => readonly string[];
}

const doc = (lines: readonly string[], indent = "") =>
  lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;

const innerName = (prefix: string, { items }: Field) =>
  `${prefix}${(items?.element ?? "").split("-").map(capital).join("")}`;

const scalarText = (field: Field): string => {
  if (field.values !== undefined)
    return Object.keys(field.values)
      .map((value) => (field.type === "integer" ? value : JSON.stringify(value)))
      .join(" | ");
  const type = scalarTypes[field.type as keyof typeof scalarTypes];
  return type === "integer" ? "number" : type;
};

/** The type of a field as an argument, with an empty text to remove the value. */
function argumentText(name: string, field: Field, scope: Scope): string {
  const { prefix } = scope;
  const others = namedTypes(name, field, scope).map((one) => one.name);
  if (field.type === "items")
    return [`readonly pulumi.Input<${innerName(prefix, field)}Args>[]`, ...others].join(" | ");
  if (field.type === "amounts") return others.join(" | ");
  if (field.type === "path") return "string | pulumi.asset.FileAsset";
  if (field.type === "decimal") return ["number | string", ...others].join(" | ");
  if (field.type === "integer" && field.values === undefined && !isAlwaysSet(field)) return 'number | ""';
  return scalarText(field);
}

/** The objects that a program may write for a field, each with a name: the compiler shows unnamed ones in full. */
function namedTypes(name: string, field: Field, { prefix, above, describe }: Scope): readonly Interface[] {
  const about = doc(describe(above + name, field, true), "  ");
  const own = `${prefix}${capital(name)}`;
  const amount = "pulumi.Input<number | string>";
  const byTitle = (of: string, type: string): Interface => ({
    name: own,
    about: [`The ${of} by title.`],
    lines: [`${about}  readonly [title: string]: ${type};\n`],
  });
  if (field.type === "amounts") return [byTitle(name, amount)];
  const { pairs, fields = {} } = field.items ?? {};
  if (pairs !== undefined) return [byTitle(name, `pulumi.Input<${scalarText(fields[pairs] as Field)}>`)];
  const forms = Object.keys(field.forms ?? {});
  return Object.entries(field.forms ?? {}).map(([form, states]) => ({
    name: `${own}${capital(form)}`,
    about: [`The ${name} in the form \`{ ${form}: ... }\`.`],
    lines: [
      `${doc(describe(above + name, field, true, states), "  ")}  readonly ${form}: ${amount};\n`,
      ...forms
        .filter((one) => one !== form)
        .map((one) => `  /** Not allowed beside \`${form}\`. */\n  readonly ${one}?: undefined;\n`),
    ],
  }));
}

function outputText(field: Field, prefix: string): string {
  if (field.type === "items" && field.items?.fields === undefined) return "readonly number[]";
  if (field.type === "items") return `readonly ${innerName(prefix, field)}[]`;
  if (field.type === "amounts") return "Readonly<Record<string, number>>";
  return scalarText(field);
}

const nestedOf = (fields: Fields, isShown: (field: Field) => boolean) =>
  Object.entries(fields).filter(([, field]) => isShown(field) && field.items?.fields !== undefined);

function argumentsOf(fields: Fields, scope: Scope, about: readonly string[]): readonly Interface[] {
  const { prefix, above, describe } = scope;
  const lines = Object.entries(fields).flatMap(([name, field]) => {
    if (!isArgument(field)) return [];
    const value = argumentText(name, field, scope);
    const typed =
      isRequired(field) && fieldWithFormFor(fields, name) === undefined
        ? `${name}: pulumi.Input<${value}>`
        : `${name}?: pulumi.Input<${value} | undefined>`;
    return [`${doc(describe(above + name, field, true), "  ")}  readonly ${typed};\n`];
  });
  const inner = nestedOf(fields, isArgument).flatMap(([name, field]) =>
    argumentsOf(
      field.items?.fields ?? {},
      { ...scope, prefix: innerName(prefix, field), above: `${above}${name}.` },
      [`An item of \`${name}\`.`],
    ),
  );
  const named = Object.entries(fields).flatMap(([name, field]) =>
    isArgument(field) ? namedTypes(name, field, scope) : [],
  );
  return [{ name: `${prefix}Args`, about, lines }, ...named, ...inner];
}

function outputsOf(
  fields: Fields,
  scope: Scope,
  about: readonly string[],
  wrap: string,
): readonly Interface[] {
  const { prefix, above, describe } = scope;
  const lines = Object.entries(fields).flatMap(([name, field]) => {
    if (!isOutput(field)) return [];
    const value = `${outputText(field, prefix)}${isAlwaysSet(field) ? "" : " | undefined"}`;
    const typed = wrap === "" ? value : `${wrap}<${value}>`;
    return [`${doc(describe(above + name, field, false), "  ")}  readonly ${name}: ${typed};\n`];
  });
  const inner = nestedOf(fields, isOutput).flatMap(([name, field]) =>
    outputsOf(
      field.items?.fields ?? {},
      { ...scope, prefix: innerName(prefix, field), above: `${above}${name}.` },
      [`An item of \`${name}\`, as the shop has it.`],
      "",
    ),
  );
  return [{ name: wrap === "" ? prefix : `${prefix}Outputs`, about, lines }, ...inner];
}

/**
 * Arguments of a kind whose adopted objects may be managed in part: both argument types share a base interface, so that
 * editors show an argument's description.
 */
function inParts(definition: Definition, own: Interface): readonly Interface[] {
  const left = requiredToCreate(definition);
  if (left.length === 0) return [own];
  const { kind } = definition;
  const isOwn = (line: string) => [...left, "adopt"].some((name) => nameIn(line) === name);
  const base = ` extends ${kind}CommonArgs`;
  const adopt = own.lines.filter((line) => nameIn(line) === "adopt");
  const none = left.map(
    (name) =>
      `  /** Not allowed here, because the object already has it. */\n  readonly ${name}?: undefined;\n`,
  );
  return [
    { ...own, base, lines: own.lines.filter(isOwn) },
    {
      name: `Adopted${own.name}`,
      base,
      about: [
        `Arguments of ${withArticle(kind)} that already exists in the shop. The program manages only the arguments that it sets; others`,
        "stay unchanged. If you delete the resource, the object stays in the shop.",
      ],
      lines: [
        ...none,
        ...adopt.map((line) => line.replace("?: pulumi.Input<string | undefined>", ": pulumi.Input<string>")),
      ],
    },
    {
      name: `${kind}CommonArgs`,
      about: [`Arguments of ${withArticle(kind)} that are the same with and without \`adopt\`.`],
      lines: own.lines.filter((line) => !isOwn(line)),
    },
  ];
}

/** The name of the argument that these lines declare. */
const nameIn = (lines: string) => /^ {2}readonly (\w+)\??: /m.exec(lines)?.[1];

const withArticle = (kind: string) => `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;

function interfacesOf(definition: Definition): readonly Interface[] {
  const { kind, fields } = definition;
  const texts = sentences(kind);
  const constraints = constraintsOf(definition);
  const describe = (path: string, field: Field, isWritten: boolean, states?: States) => {
    const own = states && formText(definition, states);
    const sentence =
      own ?? `${texts.get(path) ?? ""}${field.type === "time" ? " ISO 8601 with offset." : ""}`;
    const limits = isWritten
      ? constraints(path, field, states)
          .replace(/\*\*Required(?:\.\*\*|\*\* unless `adopt` is set\.)/, "")
          .trim()
      : "";
    return limits === "" ? [sentence] : [sentence, "", limits];
  };
  const scope: Scope = { prefix: kind, above: "", describe };
  const own = argumentsOf(fields, scope, [
    `Arguments of ${withArticle(kind)}.`,
    "",
    "@example",
    "```ts",
    ...exampleOf(kind).split("\n"),
    "```",
  ]);
  const beside = argumentsBeside(definition).map(({ name, text, constraints, values }) => {
    const type = values.map((value) => JSON.stringify(value)).join(" | ") || "string";
    const about = doc([`${text} ${constraints}`.trim()], "  ");
    return `${about}  readonly ${name}?: pulumi.Input<${type} | undefined>;\n`;
  });
  const lines = [...(own[0]?.lines ?? []), ...beside];
  return [
    ...inParts(definition, { ...(own[0] as Interface), lines }),
    ...own.slice(1),
    ...outputsOf(fields, scope, [`Outputs of ${withArticle(kind)}.`], "pulumi.Output"),
  ];
}

/** The configuration of a provider. The page of the configuration has the meanings. */
function providerArguments(): Interface {
  const texts = settingTexts();
  const lines = Object.entries(settings as Readonly<Record<string, Setting>>).map(
    ([name, { type, variable }]) =>
      `${doc([`${texts.get(name)} (\`${variable}\`).`], "  ")}  readonly ${name}?: pulumi.Input<${type === "integer" ? "number" : type}> | undefined;\n`,
  );
  return {
    name: "ProviderArgs",
    about: [
      "The provider's configuration; values that are left out come from the environment",
      "(docs/installation-configuration.md).",
    ],
    lines,
  };
}

/** The content of `sdk/types.ts`. */
export function typesSource(): string {
  const kinds = resources.flatMap(([, definition]) => interfacesOf(definition));
  const all = [...kinds, providerArguments()];
  const text = all.map(
    ({ name, base = "", about, lines }) =>
      `${doc(about)}export interface ${name}${base} {\n${lines.join("")}}\n`,
  );
  return `/** Generated from the definitions by \`npm run generate\`; a test checks that it is up to date. */
import type * as pulumi from "@pulumi/pulumi";

${text.join("\n")}`;
}
