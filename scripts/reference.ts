/** Generates docs/resources/<kind>.md and docs/data-sources.md from the definitions and their comments. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { bodyArguments } from "../provider/body/arguments.ts";
import { othersMeanings, partialLists, requiredToCreate } from "../provider/change/partial.ts";
import { timeArguments } from "../provider/context/time-window.ts";
import {
  type Definition,
  type Field,
  type Fields,
  fieldOf,
  fieldWithFormFor,
  isArgument,
  isOutput,
  isRequired,
  namesIn,
} from "../provider/definition/define.ts";
import { definitions } from "../provider/resources/index.ts";
import { classPages } from "./reference-classes.ts";

const root = join(import.meta.dirname, "..");
const all = Object.values(definitions) as readonly Definition[];

/** A page of the reference: its path in the repository and its text. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** The name of a kind's file without its ending: `js-tag`. */
export const fileOf = (kind: string) => kind.replace(/(?<=.)[A-Z]/g, "-$&").toLowerCase();

/** The comment above each field, by the field's path: `title`, `variants.sku`. */
export function sentences(kind: string): ReadonlyMap<string, string> {
  const path = join(root, "provider/resources", `${fileOf(kind)}.ts`);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const found = new Map<string, string>();
  const shared = new Map<string, ts.ObjectLiteralExpression>();
  const visitFields = (node: ts.ObjectLiteralExpression, above: string) => {
    for (const property of node.properties) {
      if (!ts.isPropertyAssignment(property)) continue;
      const name = above + property.name.getText();
      const [doc] = ts.getJSDocCommentsAndTags(property).filter(ts.isJSDoc);
      if (doc !== undefined)
        found.set(name, (ts.getTextOfJSDocComment(doc.comment) ?? "").replaceAll("\n", " "));
      if (!ts.isCallExpression(property.initializer)) continue;
      const [inner] = property.initializer.arguments;
      const object = inner !== undefined && ts.isIdentifier(inner) ? shared.get(inner.text) : inner;
      if (object !== undefined && ts.isObjectLiteralExpression(object)) visitFields(object, `${name}.`);
    }
  };
  const visit = (node: ts.Node) => {
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectLiteralExpression(node.initializer))
      shared.set(node.name.getText(), node.initializer);
    if (
      ts.isPropertyAssignment(node) &&
      node.name.getText() === "fields" &&
      ts.isObjectLiteralExpression(node.initializer)
    )
      visitFields(node.initializer, "");
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** A scalar field's type, as Pulumi's schema names it. */
export const scalarTypes: Readonly<Record<Exclude<Field["type"], "items" | "nested" | "amounts">, string>> = {
  text: "string",
  integer: "integer",
  decimal: "number",
  boolean: "boolean",
  date: "string",
  time: "string",
  path: "string",
};

function typeOf({ type, items }: Field): string {
  if (type === "items") return items?.fields === undefined ? "list of integers" : "list of objects";
  if (type === "amounts") return "object of numbers";
  return type === "nested" ? "object" : scalarTypes[type];
}

const formats: Readonly<Partial<Record<Field["type"], string>>> = {
  decimal: 'A number, also as a string (`"12.50"`), of at most 15 digits.',
  date: "`YYYY-MM-DD`, a day that exists.",
  path: "A path inside the project's folder.",
};

/** The values of a field, beside its type. */
function allowed(field: Field): string {
  if (field.values === undefined) return formats[field.type] ?? "";
  const values = Object.entries(field.values).map(([value, meaning]) => `\`${value}\` (${meaning})`);
  return `One of ${values.join(", ")}.`;
}

export const cell = (text: string) => text.replaceAll("|", "\\|");

function rows(
  fields: Fields,
  texts: ReadonlyMap<string, string>,
  isShown: (field: Field) => boolean,
  constraints: ((path: string, field: Field) => string) | undefined,
  above = "",
): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!isShown(field)) return [];
    const path = above + name;
    const cells = [`\`${path}\``, typeOf(field), texts.get(path) ?? ""];
    if (field.type === "time") cells[2] += " ISO 8601, with its offset.";
    if (constraints !== undefined) cells.push(constraints(path, field));
    const line = `| ${cells.map(cell).join(" | ")} |`;
    const inner = field.items?.fields;
    return inner === undefined ? [line] : [line, ...rows(inner, texts, isShown, constraints, `${path}.`)];
  });
}

export const replaces = ({ operations }: Definition, { replaces: own, updateVia }: Field): boolean =>
  own === true || (operations.edit === undefined && updateVia === undefined);

export const table = (heads: readonly string[], lines: readonly string[]) =>
  [`| ${heads.join(" | ")} |`, `|${heads.map(() => "---").join("|")}|`, ...lines].join("\n");

/** The sentences of the reference on what an argument must be. */
export function constraintsOf(definition: Definition) {
  const { fields, body, keys, unique, suffixesDuplicates } = definition;
  const bodies = bodyArguments.filter((name) => fields[name] !== undefined);
  return (path: string, field: Field, states?: States): string => {
    const notes = [
      isRequired(field) ? requiredText(definition, path) : "",
      body !== undefined && bodies.some((name) => name === path)
        ? `Exactly one of ${bodies.map((name) => `\`${name}\``).join(", ")}.`
        : "",
      allowed(field),
      path === suffixesDuplicates ||
      (unique && keys?.some((paths) => paths.length === 1 && paths[0] === path))
        ? "Unique in the shop."
        : "",
      field.refersTo?.kind === undefined ? "" : `The id of a ${field.refersTo.kind}.`,
      field.items?.key === undefined ? "" : `No two items may have the same \`${field.items.key}\`.`,
      replaces(definition, field) ? "Forces replacement." : "",
      boundsText(definition, field, states),
    ];
    return notes.filter(Boolean).join(" ");
  };
}

function requiredText(definition: Definition, path: string): string {
  const [other] = fieldWithFormFor(definition.fields, path) ?? [];
  if (other !== undefined) return `**Required** where \`${other}\` is a number.`;
  return requiredToCreate(definition).includes(path)
    ? "**Required** unless `adopt` is set."
    : "**Required.**";
}

/** What a short form of a field sets, such as `{ typeId: 1 }`. */
export type States = Readonly<Record<string, unknown>>;

/** The meaning of a short form: `Percent of the order.` */
export function formText({ fields }: Definition, states: States): string {
  const meanings = Object.entries(states).map(
    ([name, value]) => fields[name]?.values?.[String(value)] ?? `${name} ${value}`,
  );
  return `${capital(meanings.join(", "))}.`;
}

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The limits of a number, and the form of a text. @param states for the number in a short form */
export function boundsText(
  { fields }: Definition,
  { minimum: own, each, maxPercent, must, should }: Field,
  states?: States,
): string {
  const least = own ?? each?.minimum;
  const [name, unit] = fieldOf(fields, "unit") ?? [];
  return [
    ...(least === undefined ? [] : [`At least ${least}.`]),
    ...(must === undefined ? [] : [`Must be ${must.be}.`]),
    ...(should === undefined ? [] : [`Should be ${should.be}; a preview warns otherwise.`]),
    ...(maxPercent === undefined ||
    (name !== undefined && states !== undefined && states[name] !== unit?.percent)
      ? []
      : [`At most ${maxPercent}${states === undefined ? ` where \`${name}\` is ${unit?.percent}` : ""}.`]),
  ].join(" ");
}

/** An argument that is no field of the shop's objects: a text. */
export interface ArgumentBeside {
  readonly name: string;
  readonly text: string;
  readonly constraints: string;
  /** The texts that are allowed. */
  readonly values: readonly string[];
}

/** The arguments in addition to a kind's fields. */
export const argumentsBeside = (definition: Definition): readonly ArgumentBeside[] => [
  {
    name: "adopt",
    text: "Adopts an object that the shop already has, instead of creating one. Removing the argument later changes nothing.",
    constraints: `Its id${idSample(definition)}${foundByKey(definition)}.`,
    values: [],
  },
  // They decide about list items that the program doesn't list.
  ...partialLists(definition).map(({ list, others }) => ({
    name: others,
    text: `Whether ${list} that the program doesn't list stay.`,
    constraints: `One of ${Object.entries(othersMeanings)
      .map(([word, meaning]) => `\`"${word}"\`: ${meaning}`)
      .join("; ")}.`,
    values: Object.keys(othersMeanings),
  })),
  ...Object.entries(timeArguments(definition)).map(([name, text]) => ({
    ...{ name, text, constraints: "", values: [] },
  })),
];

/** The smallest program with an object of a kind. */
export const exampleOf = (kind: string): string =>
  readFileSync(join(root, "examples/kinds", fileOf(kind), "index.ts"), "utf8").trim();

/** The comment above a class or a function of the SDK. */
export function sdkSentence(name: string): string {
  const source = readFileSync(join(root, "sdk/index.ts"), "utf8");
  return new RegExp(`/\\*\\* ([^*]*) \\*/\nexport (?:class|const) ${name}\\b`).exec(source)?.[1] ?? "";
}

const keyNames = (keys: NonNullable<Definition["keys"]>): string =>
  keys.map((paths) => paths.map((path) => `\`${path}\``).join(" + ")).join(", else ");

function idSample({ operations, singleton }: Definition): string {
  if (singleton !== undefined) return "";
  return `, such as \`"${namesIn(operations.create?.path ?? "").length === 0 ? "8841" : "93238/904337"}"\``;
}

function foundByKey({ keys, singleton }: Definition): string {
  if (singleton !== undefined) return ', or `"key"`, because a shop has only one';
  return keys === undefined ? "" : `, or \`"key"\` to find it by ${keyNames(keys)}`;
}

function keyText({ keys, singleton }: Definition): string {
  if (singleton !== undefined) return 'A shop has at most one: `adopt: "key"` adopts it.';
  if (keys === undefined) return "It has no natural key: `adopt` needs its id.";
  return `Natural key: ${keyNames(keys)}. \`adopt: "key"\` finds an object by that key, \`adopt: "<id>"\` by its id.`;
}

const orderText = ({ kind, sequential }: Definition): string =>
  sequential
    ? `\n## Order\n\nThe shop numbers these objects in the order of creation. A run creates them one after the ` +
      `other, usually in the program's order. If the numbers must be the same in several shops, ` +
      `let each \`${kind}\` depend on the one before it (\`dependsOn\`).\n`
    : "";

function deleteText({ cancel, operations }: Definition): string {
  if (cancel !== undefined) {
    const when = Object.entries(cancel.when)
      .map(([name, value]) => `${name} is ${value}`)
      .join(" and ");
    return `While ${when}, a delete sends the operation \`${cancel.operation}\`. Later it sends nothing: ${cancel.otherwise}.`;
  }
  const unshown = operations.remove?.undocumented
    ? " A shop that doesn't offer it answers with an error that names `retainOnDelete`."
    : "";
  return `Deleting sends \`DELETE ${operations.remove?.path}\`; if the object is already gone, the delete succeeds.${unshown}`;
}

function resourcePage(definition: Definition): Page {
  const { kind, fields, section } = definition;
  const texts = sentences(kind);
  const beside = argumentsBeside(definition).map(
    ({ name, text, constraints }) => `| \`${name}\` | string | ${text} | ${constraints} |`,
  );
  const inputs = rows(fields, texts, isArgument, constraintsOf(definition));
  const isAdditional = (field: Field) => isOutput(field) && !isArgument(field);
  const text = `<!-- Generated from provider/resources/${fileOf(kind)}.ts by npm run generate. -->
# ${kind}

Source: [interface.md](../interface.md), ${section}.

## Example

\`\`\`ts
${exampleOf(kind)}
\`\`\`

## Inputs

${table(["name", "type", "description", "constraints"], [...inputs, ...beside])}

If you leave an input out, the shop keeps its value. An empty string removes an optional value.

## Outputs

All inputs are outputs too${definition.body === undefined ? "" : ", except bodies, which the state does not keep"}. Additional outputs:

${table(["name", "type", "description"], ["| `id` | string | The id of the resource in the state. |", ...additional(fields, texts, isAdditional)])}

## Adoption and deletion

${keyText(definition)} \`${kind}.get(name, id)\` reads an existing object; its id is ${idText(definition)}.

${deleteText(definition)}
${orderText(definition)}`;
  return { path: `docs/resources/${fileOf(kind)}.md`, text };
}

/** Outputs that are no inputs, including those inside a list that is an input. */
function additional(
  fields: Fields,
  texts: ReadonlyMap<string, string>,
  isAdditional: (field: Field) => boolean,
): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (isAdditional(field)) return rows({ [name]: field }, texts, isOutput, undefined);
    const inner = field.items?.fields;
    return inner === undefined ? [] : rows(inner, texts, isAdditional, undefined, `${name}.`);
  });
}

export function idText({ operations, singleton, one }: Definition): string {
  if (singleton !== undefined) return `always \`${one}\``;
  const above = namesIn(operations.create?.path ?? "");
  return above.length === 0 ? "the shop's number" : `\`<${above.join(">/<")}>/<number>\``;
}

function dataSourcesPage(): Page {
  const readOnly = all.filter(({ operations }) => operations.create === undefined);
  const example = [
    'import { getCollection, getThemeOutput } from "pulumi-shop";',
    "",
    "const theme = getThemeOutput({ published: true }); // an Output: theme.id is an argument of other resources",
    'const sale = await getCollection({ permalink: "sale" }); // a Promise: sale.title is a text',
  ];
  const parts = readOnly.map((definition) => {
    const { kind, fields, lookups, operations } = definition;
    const texts = sentences(kind);
    const functions =
      operations.list === undefined ? `\`get${kind}()\`` : `\`get${kind}(by)\`, \`get${kind}s()\``;
    const by =
      lookups === undefined
        ? ""
        : `\n\nFound by ${Object.keys(lookups)
            .map((name) => `\`${name}\``)
            .join(
              ", ",
            )}: at least one is required. No match and several matches are errors that list the candidates.`;
    return `## ${kind}\n\n${functions}.${by}\n\n${table(["name", "type", "description"], ["| `id` | integer | The object's id in the shop. |", ...rows(fields, texts, isOutput, undefined)])}`;
  });
  return {
    path: "docs/data-sources.md",
    text: `<!-- Generated from provider/resources by npm run generate. -->\n# Data sources\n\nData sources read the shop while the program runs. Each list is read with one request, however often the program asks for it.\nEach has two forms: a function that returns a Promise, and one with the suffix \`Output\` that returns an Output.\nA value that isn't set in the shop is left out.\n\n\`\`\`ts\n${example.join("\n")}\n\`\`\`\n\n${parts.join("\n\n")}\n`,
  };
}

export function referencePages(): readonly Page[] {
  return [
    ...all.filter(({ operations }) => operations.create !== undefined).map(resourcePage),
    ...classPages(),
    dataSourcesPage(),
  ];
}
