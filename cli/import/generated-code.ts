/** Generates the code of imported resources. */
import { bareProperties, kindOf, load, nameOf, type Stack } from "../../engine/index.ts";
import { type Fields, writtenFormsOf } from "../../provider/definition/define.ts";
import { isInThemeFolder } from "../../provider/names/theme-folder.ts";
import { toWrittenForm } from "../../provider/names/written-forms.ts";
import { definitionOfType } from "../../provider/resources/index.ts";
import { Code, openNames, print, printLine, quote, variable } from "../pull/code.ts";

/**
 * With this code in the program, up changes nothing.
 * @param urns of imported resources; those that the state doesn't have are skipped
 * @param variables names for the resources that the code refers to
 */
export function importedCode(
  stack: Stack,
  urns: readonly string[],
  variables: ReadonlyMap<string, string>,
): string {
  const states = new Map(load(stack).resources.map((state) => [state.urn, state]));
  const imported = urns.flatMap((urn) => states.get(urn) ?? []);
  const parents = new Set(imported.map(({ parent }) => parent));
  const names = openNames();
  const written = new Map<string, string>();
  const variableOf = (urn: string): string => {
    const known = written.get(urn) ?? names(variable(variables.get(urn) ?? nameOf(urn)), undefined, numbered);
    written.set(urn, known);
    return known;
  };
  const [files = [], others = []] = [true, false].map((is) =>
    imported.filter(({ urn }) => isInThemeFolder(urn) === is),
  );
  const comments = files.map(
    ({ urn, parent = "" }) =>
      `// ${nameOf(urn)} needs no line: save the file, as the shop has it, in the folder of ThemeFolder ${quote(nameOf(parent))}.\n`,
  );
  const statements = others.map(({ urn, type, inputs = {}, parent, provider = "", protect }) => {
    const fields = definitionOfType(type)?.fields ?? {};
    const args = toWrittenForm(writtenFormsOf(fields), ordered(fields, bareProperties(inputs)));
    const [by] = provider.split(/::[^:]*$/);
    const options = {
      ...(parent !== undefined &&
        nameOf(parent) !== stackName(stack) && { parent: new Code(variableOf(parent)) }),
      ...(by !== undefined && variables.has(by) && { provider: new Code(variableOf(by)) }),
      ...(protect && { protect: true }),
    };
    const own = parents.has(urn) ? `const ${variableOf(urn)} = ` : "";
    const rest = Object.keys(options).length === 0 ? "" : `, ${printLine(options)}`;
    return `${own}new ${kindOf(type)}(${quote(nameOf(urn))}, ${print(args)}${rest});\n`;
  });
  if (others.length === 0) return comments.join("");
  const classes = [...new Set(others.map(({ type }) => kindOf(type)))].sort();
  return `import { ${classes.join(", ")} } from "pulumi-shop";\n\n${[...comments, ...statements].join("\n")}`;
}

/** Arguments in the definition's order, without internal ones. */
function ordered(fields: Fields, args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys(fields);
  const place = (name: string) => (names.includes(name) ? names.indexOf(name) : names.length);
  const entries = Object.entries(args)
    .filter(([name]) => !name.startsWith("__"))
    .toSorted(([one], [other]) => place(one) - place(other))
    .map(([name, value]) => {
      const inner = fields[name]?.items?.fields;
      const isList = inner !== undefined && Array.isArray(value);
      return [name, isList ? value.map((item) => ordered(inner, item)) : value] as const;
    });
  return Object.fromEntries(entries);
}

const numbered = (name: string, number: number) => `${name}${number}`;
// The name of the root stack resource, the default parent.
const stackName = ({ project, name }: Stack) => `${project.name}-${name}`;
