/** A program for prices alone: a sheet, and the resource that owns its prices. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Definition } from "../../provider/definition/define.ts";
import { sheetFile, shopSheet } from "../../provider/inventory/index.ts";
import { usageError } from "../exit.ts";
import { readDeclarations } from "../program/declarations.ts";
import { openSources } from "../program/sources.ts";
import { valuesIn } from "../program/traced-values.ts";
import { freePath } from "./code.ts";
import type { Adopted } from "./existing-program.ts";
import type { Program } from "./program.ts";
import type { Pulled } from "./resources.ts";

const mark = "// Pulled from the shop of ";

const moduleOf = (
  name: string,
  sheet: string,
  stack: string,
) => `${mark}${stack}: only prices. This program doesn't manage anything else of the products.
import { Prices } from "pulumi-shop";

new Prices("${name}", { file: "${sheet}", decimal: "." });
`;

/** The module and the sheet: those of an earlier pull, or names that no file of the user has. */
function placesIn(home: string): { readonly name: string; readonly sheet: string } {
  const textOf = (path: string) => {
    const place = join(home, path);
    return existsSync(place) ? readFileSync(place, "utf8") : undefined;
  };
  const module = freePath("prices.ts", (path) => textOf(path)?.startsWith(mark) ?? true);
  const sources = openSources([join(home, module)].filter(existsSync), home);
  const [before] = readDeclarations(sources, undefined).all.flatMap(
    ({ kind, args }) => sheetFile(kind, valuesIn(args)) ?? [],
  );
  return {
    name: module.replace(/\.ts$/, ""),
    sheet: before ?? freePath("prices.csv", (path) => textOf(path) === undefined),
  };
}

/** @throws CommandError for other kinds, or if the program manages the products as a whole */
export function checkSheetKinds(
  kinds: readonly (readonly [string, Definition])[],
  { adopted, onlyNew }: { readonly adopted: Adopted; readonly onlyNew: boolean },
): void {
  if (onlyNew) throw usageError("--as-sheet writes the whole sheet: leave out --new");
  const [name, definition] = kinds[0] ?? [];
  if (kinds.length !== 1 || definition?.fields.variants === undefined)
    throw usageError("--as-sheet is for pull products");
  if (Object.keys(adopted[definition.kind] ?? {}).length > 0)
    throw usageError(
      `this program already manages the shop's ${name} with their prices. Pull the sheet into another folder (--cwd)`,
    );
}

/** More products than this are easier to edit in a sheet. */
const many = 1_000;

/** Suggests a sheet for large catalogues. */
export const sheetAdvice = (
  pulled: readonly Pick<Pulled, "client" | "definition" | "objects">[],
): readonly string[] =>
  pulled.flatMap(({ client, definition, objects }) =>
    definition.fields.variants === undefined || objects.length < many
      ? []
      : [
          `${client}: ${objects.length.toLocaleString("en-US")} resources. If this program should own only prices, pull ${client} --as-sheet --cwd FOLDER writes one sheet of them`,
        ],
  );

export function sheetProgram(
  pulled: readonly Pulled[],
  { stack, home }: { readonly stack: string; readonly home: string },
): Program {
  const { name, sheet } = placesIn(home);
  const { text, left, odd } = shopSheet(pulled.flatMap(({ objects }) => objects.map(({ seen }) => seen)));
  return {
    files: new Map([
      [sheet, text],
      [`${name}.ts`, moduleOf(name, sheet, stack)],
    ]),
    removed: [],
    counts: Object.fromEntries(pulled.map(({ client, objects }) => [client, objects.length])),
    modules: [name],
    adopted: {},
    config: {},
    notices: [
      ...(left.length === 0
        ? []
        : [`${sheet}: ${left.length} left out, because they have no unique SKU: ${fewOf(left)}`]),
      ...(odd.length === 0
        ? []
        : [
            `${sheet}: a spreadsheet program reads ${odd.length === 1 ? "1 SKU" : `${odd.length} SKUs`} as a formula, a number or a date, and would save a different value: ${fewOf(odd)}. Import the column sku as text instead of opening the file`,
          ]),
    ],
  };
}

const fewOf = (all: readonly string[]) =>
  `${all.slice(0, 5).join("; ")}${all.length > 5 ? `; and ${all.length - 5} more` : ""}`;
