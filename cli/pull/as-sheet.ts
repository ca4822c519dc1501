/** The program of a shop's prices alone: a sheet of them, and the resource that owns what it states. */
import type { Definition } from "../../provider/definition/define.ts";
import { shopSheet } from "../../provider/inventory/index.ts";
import { CommandError, codes } from "../exit.ts";
import type { Adopted } from "./known.ts";
import type { Program } from "./program.ts";
import type { Pulled } from "./resources.ts";

const sheet = "prices.csv";

const moduleOf = (
  stack: string,
) => `// Pulled from the shop of ${stack}: prices alone. Whatever else the products have is not this program's.
import { Prices } from "pulumi-shop";

new Prices("prices", { file: "${sheet}", decimal: "." });
`;

/**
 * @param kinds that were asked for
 * @throws CommandError where others are asked for too, or the program has the products whole
 */
export function refuseBeside(kinds: readonly (readonly [string, Definition])[], adopted: Adopted): void {
  const [name, definition] = kinds[0] ?? [];
  if (kinds.length !== 1 || definition?.fields.variants === undefined)
    throw new CommandError("--as-sheet is for pull products", codes.configuration);
  if (Object.keys(adopted[definition.kind] ?? {}).length > 0)
    throw new CommandError(
      `this program has the shop's ${name} whole, with their prices: a price has one owner. Pull the sheet into another folder (--cwd)`,
      codes.configuration,
    );
}

/** So many products are more than somebody edits one by one. */
const many = 1_000;

/** What a catalogue may be instead of resources; nothing of one that is small. */
export const sheetAdvice = (
  pulled: readonly Pick<Pulled, "client" | "definition" | "objects">[],
): readonly string[] =>
  pulled.flatMap(({ client, definition, objects }) =>
    definition.fields.variants === undefined || objects.length < many
      ? []
      : [
          `${client}: ${objects.length.toLocaleString("en-US")} resources. If this program is only to own prices, pull ${client} --as-sheet --cwd FOLDER writes one sheet of them`,
        ],
  );

export function sheetProgram(pulled: readonly Pulled[], stack: string): Program {
  const { text, left } = shopSheet(pulled.flatMap(({ objects }) => objects.map(({ seen }) => seen)));
  const shown = left.slice(0, 5).join("; ");
  const rest = left.length > 5 ? `; and ${left.length - 5} more` : "";
  return {
    files: new Map([
      [sheet, text],
      ["prices.ts", moduleOf(stack)],
    ]),
    removed: [],
    modules: ["prices"],
    adopted: {},
    config: {},
    notices:
      left.length === 0
        ? []
        : [`${sheet}: ${left.length} left out, which no SKU tells apart: ${shown}${rest}`],
  };
}
