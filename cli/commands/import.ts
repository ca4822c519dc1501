/** import: adds objects of the shop to a stack by id, and prints their code. */

import { existsSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as engine from "../../engine/index.ts";
import { bareProperties, kindOf, load, nameOf, type Stack } from "../../engine/index.ts";
import { type Fields, writtenFormsOf } from "../../provider/definition/define.ts";
import { printableJson } from "../../provider/inventory/index.ts";
import { isInThemeFolder } from "../../provider/names/theme-folder.ts";
import { toWrittenForm } from "../../provider/names/written-forms.ts";
import { definitionOfType, resources } from "../../provider/resources/index.ts";
import { checkTarget } from "../../runs/command.ts";
import { orchestrate } from "../deploy/orchestrate.ts";
import { openSession, type RunTools, withRunTools } from "../deploy/session.ts";
import { usageError } from "../exit.ts";
import { type ImportList, importList } from "../import/import-list.ts";
import { defineCommand, type Parsed, stackOptions } from "../options.ts";
import { Code, openNames, print, printLine, quote, variable } from "../pull/code.ts";
import { runOptions } from "../run-options.ts";

const { yes, "skip-preview": skip, "preview-only": only, parallel, create, timeout } = runOptions;
const options = {
  ...stackOptions,
  file: {
    type: "string",
    short: "f",
    value: "FILE",
    text: "import several objects, in Pulumi's format: {resources: [{type, name, id}]}",
  },
  out: { type: "string", short: "o", value: "FILE", text: "write the generated code to a new file" },
  protect: {
    type: "boolean",
    mayBeFalse: true,
    text: "protect the imported resources from deletion (default); --protect=false leaves them unprotected",
  },
  parent: {
    type: "string",
    value: "NAME",
    choices: "resources",
    text: "the parent resource: a name, a URN, or VARIABLE=URN with the variable that the printed code uses",
  },
  provider: {
    type: "string",
    value: "NAME",
    choices: "resources",
    text: "the provider, if it isn't the stack's own: a name, a URN, or VARIABLE=URN",
  },
  yes,
  // Without a short form: -f means --file here.
  "skip-preview": { type: skip.type, text: "import without a preview" },
  "preview-only": { ...only, text: "only check that the objects exist; nothing is imported" },
  parallel,
  create,
  timeout,
} as const;

export const importCommand = defineCommand({
  usage: "import TYPE NAME ID | --file FILE [options]",
  description:
    "Adds objects of the shop to a stack by their ids, and prints the code to add to your program. With that code, up changes " +
    "nothing. The shop is only read. TYPE is a kind or its type token in Pulumi.\n" +
    `Kinds: ${resources.map(([name]) => name).join(", ")}.`,
  example: "pulumi-shop import coupon spring 8841 --stack live",
  options,
  maxPositionals: 3,
  completions: ({ positionals }) =>
    positionals.length === 0 ? resources.map(([, { kind }]) => kind.toLowerCase()) : [],
  run: (values, positionals) => withRunTools(values, (tools) => run(values, positionals, tools)),
});

async function run(
  flags: Parsed<typeof options>,
  positionals: readonly string[],
  tools: RunTools,
): Promise<number> {
  const { out, parent, provider } = flags;
  const opened = openSession("import", flags, tools);
  const wanted = importList(opened.stack, positionals, {
    path: flags.file,
    parent,
    provider,
    protect: flags.protect !== false,
  });
  const { imports } = wanted;
  const mayBeElsewhere = imports.every((one) => one.provider !== undefined);
  const session = await checkTarget({ ...opened, imports, mayBeElsewhere });
  checkOut(out);
  return orchestrate({ ...session, end: () => printCode(flags, session.stack, wanted) });
}

/** @throws CommandError if the file can't be written, before anything is imported */
function checkOut(out: string | undefined): void {
  if (out === undefined) return;
  const path = resolve(out);
  if (existsSync(path)) throw usageError(`${out} exists: name a new file; nothing was imported`);
  if (!existsSync(dirname(path))) throw usageError(`${out}: there is no such folder; nothing was imported`);
}

/** Prints or writes the code of the imported resources. */
async function printCode(
  values: Parsed<typeof options>,
  stack: engine.Stack,
  { imports, variables }: ImportList,
): Promise<void> {
  const urns = imports.map((one) => engine.urnOfImport(stack.name, stack.project.name, one));
  const there = new Set(engine.load(stack).resources.map(({ urn }) => urn));
  const imported = urns.filter((urn) => there.has(urn));
  if (imported.length === 0) return;
  const text = importedCode(stack, imported, variables);
  if (values.out !== undefined) writeFileSync(resolve(values.out), text, { flag: "wx" });
  if (values.json) {
    const told = { run: "import", type: "program", file: values.out, text };
    process.stdout.write(`${printableJson(JSON.stringify(told))}\n`);
    return;
  }
  const place = values.out === undefined ? "these lines" : `the lines of ${values.out}`;
  const without =
    values.protect === false
      ? "without them, up deletes the imported resources"
      : "the imported resources are protected, so up fails without them";
  process.stdout.write(
    imported.every(isInThemeFolder)
      ? `Add the imported files to the theme's folder: ${without}.\n`
      : `Add ${place} to the program: ${without}.\n`,
  );
  if (values.out === undefined) process.stdout.write(`\n${text}`);
}

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
