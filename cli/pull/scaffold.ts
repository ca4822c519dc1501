/** Files of a pulled project beside its resources. They are written once; later pulls don't change them. */

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { Document, parseDocument } from "yaml";
import { isRecord } from "../../engine/common/record.ts";
import { commentOn } from "../../engine/index.ts";
import type { FirstLimit } from "../stack/first-limits.ts";
import { packedEnding, templateText } from "../stack/write-files.ts";
import type { Adopted } from "./existing-program.ts";
import type { Program } from "./program.ts";

interface Package {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

/** Files that are written if they don't exist. */
export function scaffold(folder: string): ReadonlyMap<string, string> {
  const own = createRequire(import.meta.url)("pulumi-shop/package.json") as Package;
  const name = basename(folder).replace(/[^A-Za-z0-9_.-]/g, "-") || "shop";
  const template = JSON.parse(templateText("package.json"));
  const { vitest: _, ...devDependencies } = template.devDependencies;
  return new Map([
    [
      "Pulumi.yaml",
      `name: ${JSON.stringify(name)}\nruntime:\n  name: nodejs\n  options: { typescript: false } # Node strips the types\nmain: index.ts\n`,
    ],
    [
      "package.json",
      `${JSON.stringify(
        {
          ...template,
          name: name.toLowerCase(),
          // A pulled program has no test.
          scripts: { check: template.scripts.check },
          dependencies: {
            "@pulumi/pulumi": own.dependencies["@pulumi/pulumi"],
            "pulumi-shop": `^${own.version}`,
          },
          devDependencies,
        },
        undefined,
        2,
      )}\n`,
    ],
    ["tsconfig.json", templateText("tsconfig.json")],
    [".gitignore", templateText(`.gitignore${packedEnding}`)],
  ]);
}

/** README.md and AGENTS.md for new projects. */
export const readmeFiles = (name: string, stack: string): ReadonlyMap<string, string> =>
  new Map([
    ["AGENTS.md", templateText("AGENTS.md")],
    [
      "README.md",
      `# ${name}

The shop as a program. \`pulumi-shop pull\` wrote it: the first \`up\` adopts the shop's objects and changes nothing.

    npm install
    npm run check                                # types
    npx pulumi-shop preview --stack ${stack.padEnd(12)} # shows what up would change
    npx pulumi-shop up --stack ${stack}
    npx pulumi-shop refresh --stack ${stack.padEnd(12)} # shows what staff changed
`,
    ],
  ]);

/** The module from which pulled resources import `adopt`. */
export const adoptText = `import { existsSync, readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

const path = new URL(\`adopt.\${pulumi.getStack()}.json\`, import.meta.url);
const ids: Record<string, Record<string, string>> = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};

/**
 * The id of the object that a resource adopts instead of creating one. A stack whose shop wasn't pulled has no ids,
 * so it creates the objects.
 */
export function adopt(kind: string, name: string): string | undefined {
  const known = ids[kind] ?? {};
  return Object.hasOwn(known, name) ? known[name] : undefined;
}
`;

/** The file with the ids of a stack's pulled objects. */
export const adoptedFile = (stack: string): string => `adopt.${stack}.json`;

/** The ids of earlier pulls. */
export function readAdopted(folder: string, stack: string): Adopted {
  const path = join(folder, adoptedFile(stack));
  if (!existsSync(path)) return {};
  const text = readFileSync(path, "utf8");
  let adopted: unknown;
  try {
    adopted = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is not JSON: ${(cause as Error).message}; fix it or remove it`, { cause });
  }
  if (!isRecord(adopted) || !Object.values(adopted as object).every(isRecord))
    throw new Error(
      `${path} is not in the form that pull writes, ids by name and by kind: fix it or remove it`,
    );
  return adopted as Adopted;
}

/** All ids, old and new. An object that was renamed in the program loses its old name. */
export function adoptedText(before: Adopted, fresh: Adopted): string {
  const kinds = new Set([...Object.keys(before), ...Object.keys(fresh)]);
  const all = [...kinds].map((kind) => {
    const named = new Set(Object.values(fresh[kind] ?? {}));
    const others = Object.entries(before[kind] ?? {}).filter(([, id]) => !named.has(id));
    return [kind, { ...Object.fromEntries(others), ...fresh[kind] }];
  });
  return `${JSON.stringify(Object.fromEntries(all), undefined, 2)}\n`;
}

/** Adds the shop's settings to the stack's file; existing values stay. */
export function stackText(
  before: string,
  values: Readonly<Record<string, string>>,
  project: string,
  { config, limit }: { readonly config: Program["config"]; readonly limit: FirstLimit | undefined },
): string {
  const document = before.trim() === "" ? new Document({ config: {} }) : parseDocument(before);
  const set = (path: readonly string[], value: string | number) => {
    if (!document.hasIn(["config", ...path])) document.setIn(["config", ...path], value);
  };
  for (const [key, value] of Object.entries(values)) set([key], value);
  for (const [name, numbers] of Object.entries(config))
    for (const [label, number] of Object.entries(numbers)) set([`${project}:${name}`, label], number);
  if (limit !== undefined) {
    set([limit.key], limit.value);
    commentOn(document, ["config", limit.key], limit.comment);
  }
  return document.toString({ lineWidth: 0 });
}
