/** docs/resources/<kind>.md and docs/data-sources.md, out of the definitions and the sentences that stand in them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import {
  type Definition,
  type Field,
  type Fields,
  isArgument,
  isOutput,
  isRequired,
} from "../provider/definition/define.ts";
import { definitions } from "../provider/resources/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const all = Object.values(definitions) as readonly Definition[];

/** A page of the reference: its path in the repository and its text. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

const fileOf = (kind: string) => kind.replace(/(?<=.)[A-Z]/g, "-$&").toLowerCase();

/** The sentence above each field, by the field's path: `title`, `variants.sku`. */
function sentences(kind: string): ReadonlyMap<string, string> {
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

const typeNames: Readonly<Record<Field["type"], string>> = {
  text: "text",
  integer: "whole number",
  decimal: "decimal",
  boolean: "boolean",
  date: "date",
  time: "moment",
  file: "path",
  items: "list",
  nested: "object",
};

function typeOf(field: Field): string {
  if (field.values === undefined) return typeNames[field.type];
  return Object.entries(field.values)
    .map(([value, meaning]) => `\`${value}\` (${meaning})`)
    .join(", ");
}

const cell = (text: string) => text.replaceAll("|", "\\|");

function rows(
  fields: Fields,
  texts: ReadonlyMap<string, string>,
  isShown: (field: Field) => boolean,
  note: (field: Field) => string,
  above = "",
): readonly string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!isShown(field)) return [];
    const path = above + name;
    const line = `| \`${path}\` | ${typeOf(field)} | ${cell([texts.get(path) ?? "", note(field)].filter(Boolean).join(" "))} |`;
    const inner = field.items?.fields;
    return inner === undefined ? [line] : [line, ...rows(inner, texts, isShown, note, `${path}.`)];
  });
}

function argumentNote(definition: Definition) {
  return (field: Field): string => {
    const notes = [
      isRequired(field) ? "Required." : "",
      field.replaces || (definition.operations.edit === undefined && field.by === undefined)
        ? "A change makes the object anew."
        : "",
      field.deprecated === undefined ? "" : `Deprecated: ${field.deprecated}.`,
    ];
    return notes.filter(Boolean).join(" ");
  };
}

function keyText({ keys, singleton }: Definition): string {
  if (singleton !== undefined) return 'A shop has one at most: `adopt: "key"` takes it over.';
  if (keys === undefined) return "It has no natural key: only its id takes it over.";
  const names = keys.map((paths) => paths.map((path) => `\`${path}\``).join(" + ")).join(", else ");
  return `Natural key: ${names}. \`adopt: "key"\` finds it by that, \`adopt: "<id>"\` by its id.`;
}

function deleteText({ ends, operations }: Definition): string {
  if (ends !== undefined) {
    const when = Object.entries(ends.when)
      .map(([name, value]) => `${name} is ${value}`)
      .join(" and ");
    return `Delete ends it by its operation \`${ends.operation}\` while ${when}; otherwise: ${ends.otherwise}.`;
  }
  const unshown = operations.remove?.unshown
    ? " A shop that doesn't offer it makes delete an error that names `retainOnDelete`."
    : "";
  return `Delete is \`DELETE ${operations.remove?.path}\`; one that is gone already is a success.${unshown}`;
}

function resourcePage(definition: Definition): Page {
  const { kind, fields, section } = definition;
  const texts = sentences(kind);
  const example = readFileSync(join(root, "examples/kinds", fileOf(kind), "index.ts"), "utf8").trim();
  const head = ["| name | type | |", "|---|---|---|"];
  const outputs = rows(fields, texts, isOutput, () => "");
  const text = `<!-- Written by npm run generate out of provider/resources/${fileOf(kind)}.ts. -->
# ${kind}

interface.md, ${section}.

\`\`\`ts
${example}
\`\`\`

## Arguments

${[...head, ...rows(fields, texts, isArgument, argumentNote(definition)), '| `adopt` | text | Takes over an object that is there: its id, or `"key"` for its natural key. |'].join("\n")}

An argument that is left out is not managed; an empty text takes a value away.

## Outputs

${[...head, "| `id` | text | The engine's id of it. |", ...outputs].join("\n")}

## Taking over, deleting

${keyText(definition)} The id is the one in \`${kind}.get(name, id)\`: ${idText(definition)}.

${deleteText(definition)}
`;
  return { path: `docs/resources/${fileOf(kind)}.md`, text };
}

function idText({ operations, singleton, one }: Definition): string {
  if (singleton !== undefined) return `always \`${one}\``;
  const above = [...(operations.create?.path ?? "").matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  return above.length === 0 ? "the shop's number" : `\`<${above.join(">/<")}>/<number>\``;
}

function dataSourcesPage(): Page {
  const readOnly = all.filter(({ operations }) => operations.create === undefined);
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
            )}: state one, or more to be sure. None, or more than one, is an error that lists what there is.`;
    return `## ${kind}\n\n${functions}, and each with the suffix \`Output\`.${by}\n\n${["| name | type | |", "|---|---|---|", ...rows(fields, texts, isOutput, () => "")].join("\n")}`;
  });
  return {
    path: "docs/data-sources.md",
    text: `<!-- Written by npm run generate out of provider/resources. -->\n# Data sources\n\nThey run in the program's own process, one request each, however often they are asked.\n\n${parts.join("\n\n")}\n`,
  };
}

/** All pages of the reference. */
export function referencePages(): readonly Page[] {
  return [
    ...all.filter(({ operations }) => operations.create !== undefined).map(resourcePage),
    dataSourcesPage(),
  ];
}

/** Pages that are there and that no definition writes any more. */
export function strayPages(): readonly string[] {
  const known = new Set(referencePages().map(({ path }) => path));
  return readdirSync(join(root, "docs/resources"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/resources/${name}`)
    .filter((path) => !known.has(path));
}
