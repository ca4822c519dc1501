/** The program of a walk, and edits of it. */
import { resources } from "../../provider/resources/index.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { hyphenated } from "../../provider/wire/codec.ts";
import type { Resource } from "./house/types.ts";
import { rowOf, sheetKind, skuOf, type WalkKind, walkKinds } from "./kinds.ts";
import type { Move } from "./moves.ts";

/** A resource of a program. */
export interface Entry extends Resource {
  readonly kindAt: number;
  readonly slot: number;
  /** The file that declares it, without its extension; default the entry. */
  readonly module?: string;
  /** Whether pull wrote that file. */
  readonly isPulled?: boolean;
}

export interface Scene {
  readonly theme: number;
  /** An unused number. */
  readonly fresh: () => number;
  /** The time so many hours from now. */
  readonly inHours: (hours: number) => string;
  /** The id of an object that an entry may adopt. */
  readonly adoptable: (entry: Entry) => string | undefined;
  /** Earlier programs, the last one last. */
  readonly earlier: readonly (readonly Entry[])[];
}

export const round = <T>(all: readonly T[], at: number): T | undefined => all[at % Math.max(1, all.length)];
export const kindOf = (entry: Entry): WalkKind => walkKinds[entry.kindAt] ?? sheetKind;

/** The module name that pull would use for a kind. */
const groupOf = (kind: string) =>
  hyphenated(resources.find(([, definition]) => definition.kind === kind)?.[0] ?? "");

/** The program after a move; unchanged if the move doesn't apply. */
export function edited(program: readonly Entry[], move: Move, scene: Scene): readonly Entry[] {
  if (move.do === "add") return added(program, move, scene);
  if (move.do === "sheet") return withRow(program, move, scene);
  if (move.do === "sale") return withTime(program, move, scene);
  if (move.do === "rename sheet") return withSheetName(program, move, scene);
  if (move.do === "revert") return scene.earlier.at(-move.by) ?? program;
  if (!("at" in move) || move.do === "staff") return program;
  const meant = round(program, move.at);
  if (meant === undefined) return program;
  if (move.do === "remove") return program.filter((entry) => entry !== meant);
  const changed =
    move.do === "refer" ? referring(program, meant, move.to, scene) : change(meant, move, scene);
  return program.map((entry) => (entry === meant ? changed : entry));
}

/** Names in the other shop are others, because both have one kind of provider. */
const nameIn = (shop: Entry["shop"], name: string) => (shop === undefined ? name : `${shop}-${name}`);

function added(program: readonly Entry[], move: Extract<Move, { do: "add" }>, scene: Scene) {
  const { shop } = move;
  const kindAt = move.kind % walkKinds.length;
  const kind = walkKinds[kindAt] as WalkKind;
  const slot = move.slot % kind.slots;
  const isIts = (entry: Entry) => entry.kindAt === kindAt && entry.slot === slot && entry.shop === shop;
  if (program.some(isIts)) return program;
  const name = nameIn(shop, `${kind.kind.toLowerCase()}${kindAt}-${slot}`);
  // A pull may have used the name.
  if (program.some((entry) => entry.kind === kind.kind && entry.name === name)) return program;
  const args = kind.args(slot, scene.fresh(), scene.theme);
  const module = groupOf(kind.kind);
  // Files of a pull keep their name; a user's file gets another one.
  const isFree = move.module === true && !program.some((entry) => entry.module === module && entry.isPulled);
  const more = { ...(shop && { shop }), ...(shop === undefined && isFree && { module }) };
  return [...program, { kind: kind.kind, name, args, kindAt, slot, ...more }];
}

const isSheet =
  ({ slot, shop }: { readonly slot: number; readonly shop?: Entry["shop"] }) =>
  (entry: Entry): boolean =>
    entry.kind === sheetKind.kind && entry.slot === slot % sheetKind.slots && entry.shop === shop;

/** The program with one row more or less in a sheet, which is created if there is none. */
function withRow(program: readonly Entry[], move: Extract<Move, { do: "sheet" }>, scene: Scene) {
  const slot = move.slot % sheetKind.slots;
  const { shop } = move;
  const { kind, args } = sheetKind;
  const n = scene.fresh();
  const own = program.find(isSheet(move));
  const name = nameIn(shop, `prices-${slot}`);
  if (own === undefined)
    return [
      ...program,
      { kind, name, args: args(slot, n, 0), kindAt: walkKinds.length, slot, ...(shop && { shop }) },
    ];
  const sku = skuOf(slot, move.row);
  const others = (own.args.rows as readonly Values[]).filter((row) => row.sku !== sku);
  const rows = move.how === "row" ? [...others, rowOf(sku, n)] : others;
  return program.map((entry) => (entry === own ? { ...own, args: { ...own.args, rows } } : entry));
}

/** The program with a sheet for a limited time. */
function withTime(program: readonly Entry[], move: Extract<Move, { do: "sale" }>, { inHours }: Scene) {
  const { from, hours } = move;
  return program.map((entry) => {
    if (!isSheet(move)(entry)) return entry;
    const { from: _from, until: _until, ...args } = entry.args;
    const time = {
      ...(from !== undefined && { from: inHours(from) }),
      ...(hours !== undefined && { until: inHours((from ?? 0) + hours) }),
    };
    return { ...entry, args: { ...args, ...time } };
  });
}

function withSheetName(program: readonly Entry[], move: Extract<Move, { do: "rename sheet" }>, scene: Scene) {
  const { alias } = move;
  return program.map((entry) =>
    isSheet(move)(entry) ? change(entry, { do: "rename", at: 0, alias }, scene) : entry,
  );
}

/** A resource whose text ends with the id of an earlier one. */
function referring(program: readonly Entry[], entry: Entry, at: number, { fresh }: Scene): Entry {
  const { refers, ...rest } = entry;
  const to = round(program.slice(0, program.indexOf(entry)), at);
  const text = kindOf(entry).places.find(({ argument, isBody }) => argument === "description" && !isBody);
  if (refers !== undefined || to === undefined || text === undefined) return rest;
  // A sheet has no object.
  if (to.kind === sheetKind.kind) return rest;
  const { argument } = text;
  return {
    ...rest,
    args: { ...rest.args, [argument]: text.value(fresh()) },
    refers: { argument, to: to.name },
  };
}

function change(entry: Entry, move: Move, scene: Scene): Entry {
  const kind = kindOf(entry);
  switch (move.do) {
    case "value": {
      const place = round(kind.places, move.place);
      if (place === undefined) return entry;
      const value = place.value(scene.fresh());
      return { ...entry, args: { ...entry.args, ...withValue(entry.args, place, value, move.place) } };
    }
    case "unset": {
      const place = round(kind.places.filter(isOptional), move.place);
      if (place === undefined) return entry;
      const { argument, inner } = place;
      if (move.isEmpty)
        return { ...entry, args: { ...entry.args, ...withValue(entry.args, place, "", move.place) } };
      if (inner === undefined) {
        const { [argument]: _unset, ...args } = entry.args;
        return { ...entry, args };
      }
      const list = (entry.args[argument] ?? []) as readonly Values[];
      const items = list.map(({ [inner]: unset, ...item }, each) =>
        each === move.place % list.length
          ? item
          : { ...item, ...(unset !== undefined && { [inner]: unset }) },
      );
      return { ...entry, args: { ...entry.args, [argument]: items } };
    }
    case "rename": {
      const { aliases: _old, ...rest } = entry;
      const name = `${entry.name.split("~")[0]}~${scene.fresh()}`;
      return { ...rest, name, ...(move.alias && { aliases: [entry.name, ...(entry.aliases ?? [])] }) };
    }
    case "into": {
      const { parent, ...rest } = entry;
      return parent === undefined ? { ...rest, parent: "group" } : rest;
    }
    case "ignore": {
      const { ignoreChanges: before, ...rest } = entry;
      const place = round(kind.places, move.place);
      if (before !== undefined || place === undefined || kind === sheetKind) return rest;
      return { ...rest, ignoreChanges: [ignoredPath(place, move.place)] };
    }
    case "option": {
      const { [move.name]: before, ...rest } = entry;
      return before ? rest : { ...rest, [move.name]: true };
    }
    case "items":
      return kind.items === undefined
        ? entry
        : { ...entry, args: itemsAfter(entry.args, kind.items, move.how, scene) };
    case "adopt": {
      const { adopt: _old, ...args } = entry.args;
      const adopt = move.how === "id" ? scene.adoptable(entry) : move.how === "off" ? undefined : "key";
      if (kind === sheetKind) return entry;
      const takesKey = kind.table !== "file" && kind.table !== "application_charge";
      if (
        adopt === undefined ||
        (kind.isOne !== undefined && adopt !== "key") ||
        (adopt === "key" && !takesKey)
      )
        return { ...entry, args };
      return { ...entry, args: { ...args, adopt } };
    }
    default:
      return entry;
  }
}

const isOptional = ({ argument, inner }: WalkKind["places"][number]): boolean =>
  argument === "description" || inner === "oldPrice";

/** A path of `ignoreChanges`: an argument, a field of all items, or one of the first item. */
function ignoredPath({ argument, inner }: WalkKind["places"][number], at: number): string {
  if (inner === undefined) return argument;
  return [argument, `${argument}[*].${inner}`, `${argument}[0].${inner}`][at % 3] as string;
}

function withValue(args: Values, place: WalkKind["places"][number], value: unknown, at: number): Values {
  if (place.inner === undefined) return { [place.argument]: value };
  const list = (args[place.argument] ?? []) as readonly Values[];
  const index = at % Math.max(1, list.length);
  return {
    [place.argument]: list.map((item, each) =>
      each === index ? { ...item, [place.inner as string]: value } : item,
    ),
  };
}

function itemsAfter(
  args: Values,
  { argument, key, item }: NonNullable<WalkKind["items"]>,
  how: Extract<Move, { do: "items" }>["how"],
  scene: Scene,
): Values {
  const list = (args[argument] ?? []) as readonly Values[];
  const n = scene.fresh();
  const after = {
    // An older program's resource may exist already.
    add: () => [item(n), ...list.filter((one) => one[key] !== item(n)[key])],
    remove: () => (list.length > 1 ? list.slice(1) : list),
    reorder: () => list.toReversed(),
    rekey: () => list.map((one, index) => (index === 0 ? { ...one, [key]: `K${n}` } : one)),
  }[how]();
  return { ...args, [argument]: after };
}
