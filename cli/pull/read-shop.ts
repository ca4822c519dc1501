/** Reads the objects to pull, and the objects that they refer to. */

import type * as engine from "../../engine/index.ts";
import type { Definition } from "../../provider/definition/define.ts";
import {
  HiddenKindError,
  hyphenated,
  readObjects,
  readReferred,
  type ShopObject,
} from "../../provider/inventory/index.ts";
import { managedObjects } from "../../runs/command.ts";
import type { Connected } from "../stack/open-stack.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { adoptOf, type Before, type ExistingKind, openExistingProgram } from "./existing-program.ts";
import type { Pulled } from "./resources.ts";

export interface Target extends Omit<Before, "held"> {
  readonly folder: string;
  /** The existing stack; undefined without a project. */
  readonly project: engine.Stack | undefined;
}

export async function readShop(
  { connection, transport }: Connected,
  kinds: readonly (readonly [string, Definition])[],
  { home, stack, adopted, onlyNew, project }: Target,
  terminal: Terminal,
) {
  const pulled: Pulled[] = [];
  const notices: string[] = [];
  const knownOf = openExistingProgram({
    home,
    stack,
    adopted,
    onlyNew,
    held: project === undefined ? [] : managedObjects(project).filter(({ isElsewhere }) => !isElsewhere),
  });
  for (const [client, definition] of kinds) {
    const { kind } = definition;
    const group = hyphenated(client);
    let drawnAt = Number.NEGATIVE_INFINITY;
    const progress = (read: number, of: number | undefined) => {
      if (read !== of && performance.now() - drawnAt < drawMs) return;
      drawnAt = performance.now();
      terminal.live([`${client.padEnd(20)} ${bar(read, of)}   ${transport.usage().sent} requests`]);
    };
    progress(0, undefined);
    const known = knownOf(group, definition);
    const listed = new Set<string>();
    const held: string[] = [];
    let remade: ReadonlyMap<string, string> = new Map();
    const isWanted = (id: string) => {
      const adopt = adoptOf(definition, id);
      listed.add(adopt);
      if (!known.isManagedElsewhere(adopt)) return true;
      held.push(known.nameOf(adopt) ?? adopt);
      return false;
    };
    try {
      const { url, perPage } = connection;
      const read = await readObjects(definition, {
        transport,
        url,
        perPage,
        progress,
        isWanted,
        onBadValue: ({ id, field, message }) =>
          notices.push(`${kind} ${id}: ${field} is left out: ${message}`),
      });
      const stated = read.map(({ seen }) => seen);
      const found = known.looksUp ? await readReferred(transport, [{ definition, stated }]) : new Map();
      const objects = read.filter(({ seen }) => {
        const adopter = known.adopterOf(seen, found);
        if (adopter !== undefined) held.push(adopter);
        return adopter === undefined;
      });
      remade = remadeIn({ definition, known, listed }, objects);
      const nameOf = (adopt: string) => known.nameOf(adopt) ?? remade.get(adopt);
      pulled.push({ definition, group, client, objects, found, known: { ...known, nameOf } });
    } catch (error) {
      if (!(error instanceof HiddenKindError)) throw error;
      terminal.live([]);
      terminal.print(`${error.message}; they are not in the program`);
      continue;
    }
    // --new leaves them out on purpose.
    if (held.length > 0 && !onlyNew) notices.push(skippedText(kind, held));
    const isRemade = new Set(remade.values());
    for (const name of isRemade)
      notices.push(
        `${kind} ${name} was deleted and created again in the shop: up --refresh adopts the new one`,
      );
    for (const { name, adopt } of known.deletedObjects(listed).filter((one) => !isRemade.has(one.name)))
      notices.push(
        `${kind} ${name} (${adopt}) is gone from the shop; ${onlyNew ? "the program still has it: remove it there, or up creates it" : "the program no longer has it"}`,
      );
  }
  const groupsRead = pulled.map(({ definition, objects }) => ({
    definition,
    stated: objects.map(({ seen }) => seen),
  }));
  const referred = await readReferred(transport, groupsRead);
  terminal.live([]);
  return { pulled, referred, notices };
}

/** Names of objects that were deleted and created again, by the new object's `adopt`. */
function remadeIn(
  {
    definition,
    known,
    listed,
  }: { readonly definition: Definition; readonly known: ExistingKind; readonly listed: ReadonlySet<string> },
  objects: readonly ShopObject[],
): ReadonlyMap<string, string> {
  // If several objects match, the first gets the name.
  const byName = new Map(
    objects.toReversed().flatMap(({ id, seen }) => {
      const adopt = adoptOf(definition, id);
      const name = known.nameOf(adopt) === undefined ? known.remadeName(seen, listed) : undefined;
      return name === undefined ? [] : [[name, adopt] as const];
    }),
  );
  return new Map([...byName].map(([name, adopt]) => [adopt, name]));
}

const mostNames = 5;

function skippedText(kind: string, names: readonly string[]): string {
  const shown = names.slice(0, mostNames).join(", ");
  const rest = names.length > mostNames ? `, and ${names.length - mostNames} more` : "";
  return `${kind}: ${names.length} skipped, because other files of the program declare them: ${shown}${rest}`;
}

/** In milliseconds. */
const drawMs = 100;
const barWidth = 24;

function bar(read: number, of: number | undefined): string {
  const count = read.toLocaleString("en");
  if (of === undefined || of === 0) return `${"·".repeat(barWidth)} ${count}`;
  const full = Math.round((barWidth * read) / of);
  return `${"█".repeat(full)}${"·".repeat(barWidth - full)} ${count} of ${of.toLocaleString("en")}`;
}
