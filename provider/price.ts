/** What a change costs in requests, known before it is made: a shop gives so many in its window. */
import type { Definition } from "./define.ts";
import { definitionOf } from "./resources/index.ts";

/** What is done to an object. */
export type Work = "create" | "update" | "delete";

/**
 * The requests of one change where nothing goes wrong.
 * @param kind as the program's class has it
 * @param paths of an update: what differs
 */
export function priceOf(kind: string, work: Work, paths: readonly string[]): number {
  const definition = definitionOf(kind);
  if (definition === undefined) return 1;
  if (work === "delete") return definition.ends === undefined ? 1 : 2;
  if (work === "create") return definition.singleton === undefined ? 1 : 2;
  return updatePrice(definition, paths);
}

/**
 * The requests of taking over so many objects of a kind. Where lists show them whole that is pages; what differs is
 * sent beside that, and known only when they are read.
 */
export function adoptionPrice(kind: string, count: number): number {
  const definition = definitionOf(kind);
  const list = definition?.operations.list;
  if (definition === undefined || list === undefined || definition.body?.text !== undefined) return count;
  return Math.min(count, Math.ceil(count / (list.perPage ?? Number.POSITIVE_INFINITY)) || 1);
}

function updatePrice(definition: Definition, paths: readonly string[]): number {
  const names = [...new Set(paths.map((path) => /^\w+/.exec(path)?.[0] ?? path))];
  const fields = names.flatMap((name) => definition.fields[name] ?? []);
  const common = fields.filter(({ by }) => by === undefined);
  const edit = definition.operations.edit;
  // An edit whose answer is empty is proved by a read where the interface doesn't show the key.
  const proof = edit?.answers === "nothing" && common.some(({ unshown }) => unshown === true) ? 1 : 0;
  return (common.length > 0 ? 1 : 0) + (fields.length - common.length) + proof;
}
