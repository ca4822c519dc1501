/** The text of a generated module: imports, lookups, and resources one by one or as a table. */
import type { Definition } from "../../provider/definition/define.ts";
import { Code, print, printLine, quote } from "./code.ts";
import { folderClass } from "./existing-program.ts";
import type { Preface } from "./references.ts";

export interface Resource {
  readonly name: string;
  readonly adopt: string;
  readonly args: Record<string, unknown>;
}

export interface PulledFolder {
  readonly name: string;
  readonly theme: string;
  readonly args: Record<string, unknown>;
}

/** More objects than this become a table. */
const table = 25;
/** Values that this share of the rows has in common are written once. */
const mostRows = 0.8;

/** The module of a kind. @param stack whose shop was pulled */
export function moduleText(
  definition: Definition,
  resources: readonly Resource[],
  preface: Preface,
  stack: string,
): string {
  const { kind } = definition;
  const costs = definition.billable === true;
  const settings = settingLines(preface);
  const isTable = resources.length >= table;
  const names = [kind, ...(isTable ? [`type ${kind}Args`] : []), ...preface.functions];
  const imports = names.toSorted((a, b) =>
    a.replace("type ", "").localeCompare(b.replace("type ", ""), "en"),
  );
  const head = [
    ...(settings.length > 0 || costs ? [importPulumi] : []),
    `import { ${imports.join(", ")} } from "pulumi-shop";`,
    'import { adopt } from "./adopt.ts";',
    "",
  ];
  const charged = costs
    ? [
        `// These cost money, so only the stack that they were pulled from creates them.\nconst isCharged = pulumi.getStack() === ${quote(stack)};`,
      ]
    : [];
  const before = [...settings, ...preface.lines, ...charged];
  const blank = before.length > 0 ? [""] : [];
  const body = isTable ? tableText(definition, resources) : statements(definition, resources);
  return `${[...head, ...before, ...blank, body].join("\n")}\n`;
}

/** The module of theme folder components, which later pulls don't change. */
export function foldersText(folders: readonly PulledFolder[], preface: Preface): string {
  const settings = settingLines(preface);
  const imports = [...preface.functions, folderClass].join(", ");
  const head = [
    "// Each of these manages all files of its folder. pull writes into the folders, and never into this module.",
    ...(settings.length > 0 ? [importPulumi] : []),
    `import { ${imports} } from "pulumi-shop";`,
    "",
  ];
  const made = folders.map(({ name, args }) => `new ${folderClass}(${quote(name)}, ${print(args)});`);
  return `${[...head, ...settings, ...preface.lines, "", ...made].join("\n")}\n`;
}

const importPulumi = 'import * as pulumi from "@pulumi/pulumi";';

const settingLines = ({ config }: Preface): readonly string[] =>
  Object.keys(config).map(
    (name) =>
      `// Ids that can't be looked up by name. They differ from shop to shop, so each stack has its own.\nconst ${name} = new pulumi.Config().requireObject<Record<string, number>>("${name}");`,
  );

function statements({ kind, billable }: Definition, resources: readonly Resource[]): string {
  return resources
    .map(({ name, args }) => {
      const own = new Code(`adopt(${quote(kind)}, ${quote(name)})`);
      return `${billable ? "if (isCharged) " : ""}new ${kind}(${quote(name)}, ${print({ ...args, adopt: own })});`;
    })
    .join("\n\n");
}

function tableText(definition: Definition, resources: readonly Resource[]): string {
  const { kind } = definition;
  const costs = definition.billable === true;
  const shared = sharedOf(definition, resources);
  const isShared = Object.keys(shared).length > 0;
  const rows = resources.map(
    ({ name, args }) => `  ${quote(name)}: ${print(isShared ? without(args, shared) : args, 2)},`,
  );
  const head = isShared
    ? `/** Values for the rows that don't set them. */
const shared = ${print(shared)} as const;

`
    : "";
  const type = isShared ? `Omit<${kind}Args, keyof typeof shared> & Partial<${kind}Args>` : `${kind}Args`;
  return `${head}/** By the resource's name. */
const table: Readonly<Record<string, ${type}>> = {
${rows.join("\n")}
};

for (const [name, args] of Object.entries(${costs ? "isCharged ? table : {}" : "table"}))
  new ${kind}(name, { ${isShared ? "...shared, " : ""}...args, adopt: adopt(${quote(kind)}, name) });`;
}

/** Values that most rows have in common, such as a unit or a theme; names and keys never are. */
function sharedOf(
  { fields, keys = [], names = [] }: Definition,
  resources: readonly Resource[],
): Readonly<Record<string, unknown>> {
  const naming = new Set([...keys.flat(), ...names]);
  const entries = Object.entries(fields).flatMap(([name, { items, refersTo }]): [string, unknown][] => {
    if (items !== undefined || (naming.has(name) && refersTo === undefined)) return [];
    const values = resources.flatMap(({ args }) => (args[name] === undefined ? [] : [args[name]]));
    const groups = [...Map.groupBy(values, printLine).values()];
    const [most = []] = groups.toSorted((a, b) => b.length - a.length);
    return most.length >= resources.length * mostRows ? [[name, most[0]]] : [];
  });
  return Object.fromEntries(entries);
}

// A row without a shared value sets it to undefined.
function without(args: Readonly<Record<string, unknown>>, shared: Readonly<Record<string, unknown>>) {
  const own = Object.entries(args).filter(
    ([name, value]) => !Object.hasOwn(shared, name) || printLine(value) !== printLine(shared[name]),
  );
  const absent = Object.keys(shared).filter((name) => args[name] === undefined);
  return Object.fromEntries([...own, ...absent.map((name) => [name, new Code("undefined")] as const)]);
}
