/** The pages of classes that are no kinds of the shop, from the interfaces of their arguments. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { cell, fileOf, type Page, table } from "./reference.ts";

const root = join(import.meta.dirname, "..");

/** A class that is written by hand: its module, its example, and the interfaces of its arguments and outputs. */
interface WrittenClass {
  readonly name: string;
  readonly module: string;
  readonly example: string;
  readonly parts: readonly (readonly [heading: string, interfaceName: string])[];
  readonly more: string;
}

const writtenClasses: readonly WrittenClass[] = [
  {
    name: "Prices",
    module: "sdk/prices.ts",
    example: "examples/prices/index.ts",
    parts: [
      ["Inputs", "PricesArgs"],
      ["A row of `rows`", "PricesRow"],
      ["`columns`", "PricesColumns"],
      ["Outputs", "PricesOutputs"],
    ],
    more:
      "[Keep prices in a sheet](../how-to/keep-prices-in-a-sheet.md) shows it step by step, also " +
      "[a sale](../how-to/keep-prices-in-a-sheet.md#a-sale) with a beginning and an end.",
  },
  {
    name: "ThemeFolder",
    module: "sdk/theme-folder.ts",
    example: "examples/theme/index.ts",
    parts: [
      ["Inputs", "ThemeFolderArgs"],
      ["A file that `formerNames` gets", "ThemeFolderFile"],
      ["Outputs", "ThemeFolderResource"],
    ],
    more: "[Themes](../themes.md) explains renames, checks and the preview in a browser.",
  },
];

const oneLine = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** The type of a member, without Pulumi's wrapper and without the marks of what can't be assigned. */
const bareType = (text: string) =>
  oneLine(text.replace(/^pulumi\.(?:Input|Output)<([\s\S]*?)(?: \| undefined)?,?\s*>$/, "$1"))
    .replaceAll(/\breadonly /g, "")
    .replaceAll(/\bReadonly<(Record<.*>)>/g, "$1");

/** The comment of an interface or class in a module, and an interface's members. */
export function declared(module: string, name: string) {
  const code = readFileSync(join(root, module), "utf8");
  const source = ts.createSourceFile(module, code, ts.ScriptTarget.Latest, true);
  const found = source.statements.find(
    (one): one is ts.InterfaceDeclaration | ts.ClassDeclaration =>
      (ts.isInterfaceDeclaration(one) || ts.isClassDeclaration(one)) && one.name?.text === name,
  );
  if (found === undefined) throw new Error(`${module} has no interface or class ${name}`);
  const members = [...found.members].filter(ts.isPropertySignature).map((member) => ({
    name: member.name.getText(source),
    type: bareType(member.type?.getText(source) ?? ""),
    text: textOf(member),
    isOptional: member.questionToken !== undefined,
  }));
  return { text: textOf(found), members };
}

function textOf(node: ts.Node): string {
  const [doc] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return oneLine(ts.getTextOfJSDocComment(doc?.comment) ?? "");
}

const memberRows = (module: string, interfaceName: string): readonly string[] =>
  declared(module, interfaceName).members.map(({ name, type, text, isOptional }) => {
    const isNeeded = interfaceName.endsWith("Args") && !isOptional;
    const cells = [`\`${name}\``, `\`${type}\``, isNeeded ? `**Required.** ${text}` : text];
    return `| ${cells.map(cell).join(" | ")} |`;
  });

function pageOf({ name, module, example, parts, more }: WrittenClass): Page {
  const program = readFileSync(join(root, example), "utf8").trim();
  const tables = parts.map(
    ([heading, own]) => `## ${heading}\n\n${table(["name", "type", "description"], memberRows(module, own))}`,
  );
  return {
    path: `docs/resources/${fileOf(name)}.md`,
    text:
      `<!-- Generated from ${module} by npm run generate. -->\n# ${name}\n\n${more}\n\n` +
      `## Example\n\n\`\`\`ts\n${program}\n\`\`\`\n\n${tables.join("\n\n")}\n`,
  };
}

export const classPages = (): readonly Page[] => writtenClasses.map(pageOf);
