/**
 * The rules that must hold after any edit: a model of who wrote each field last, who was shown it, and which
 * objects exist. It reads the shop's rows and the output for users, nothing of the provider's.
 */

import type { Stored } from "../../emulator/store.ts";
import { type Event, nameOf, type Step, unknownText } from "../../engine/index.ts";
import { kindOfType } from "../../provider/names/types.ts";
import type { Values } from "../../provider/wire/codec.ts";
import type { Ran, Resource } from "./house/types.ts";
import type { House } from "./house.ts";
import {
  kindOfTable,
  momentOf,
  type Place,
  sheetColumns,
  sheetKind,
  tables,
  type WalkKind,
  walkKinds,
} from "./kinds.ts";
import type { Files, Pulled } from "./pull.ts";
import { wrongIn } from "./pull-model.ts";

/** The options of a run, and the events during it. */
export interface HowRan {
  readonly isRefreshed: boolean;
  readonly isGuarded: boolean;
  /** Whether it handled only some of the resources. */
  readonly isPart: boolean;
  /** Whether staff edited during the run, or a request failed. */
  readonly isDisturbed: boolean;
  /** Whether the stack adopts existing objects by their keys. */
  readonly adopts: boolean;
  /** The stack's answer to edits of staff, unless the program's values win. */
  readonly drift?: "keep" | "stop" | undefined;
  /** The name of the resource whose edits of staff stay. */
  readonly kept?: string | undefined;
  /** Whether the user permitted a create under another name. */
  readonly isMadeAgain: boolean;
  readonly program: readonly Resource[];
}

/** A broken rule; `what` is one of a closed set of words, by which a walk is shrunk. */
export interface Broken {
  readonly what:
    | "unseen delete"
    | "doubled"
    | "lost"
    | "untold"
    | "estimate"
    | "state"
    | "shared"
    | "stuck"
    | "preview wrote"
    | "guard"
    | "pull"
    | "accept"
    | "kept"
    | "move"
    | "another shop"
    | "another project"
    | "older state"
    | "stock"
    | "overtaken"
    | "unmarked"
    | "warned"
    | "unasked"
    | "ignored"
    | "retained"
    | "law";
  readonly text: string;
}

export interface Counts {
  ups: number;
  conflicts: number;
  kept: number;
  gap: number;
  pulls: number;
  /** Edits of staff that were written into the program. */
  accepted: number;
}

/** An edit by staff that nobody has overwritten. */
interface Edit {
  readonly key: string;
  readonly place: Place;
  /** The id of a list item. */
  readonly item: unknown;
  readonly stored: unknown;
  readonly token: string;
  /** Whether a user was shown it. */
  told: boolean;
  /** Whether only a run that overtook the present one has shown it. */
  isToldByOther?: boolean;
  /** Whether a run has left the field to the shop since: a program that sets it from then on states it as a new one. */
  isLeft?: boolean;
  /** Made while a run had already read the object: no shop can prevent its loss (docs/rules.md, rule 5). */
  isInGap: boolean;
}

type Rows = ReadonlyMap<string, Stored>;
type Happened =
  | { readonly type: "gone"; readonly key: string; readonly row: Stored; readonly edits: readonly Edit[] }
  | { readonly type: "item gone"; readonly key: string; readonly item: Stored }
  | { readonly type: "overwritten"; readonly edit: Edit }
  /** An accepted edit that no run of its program had applied. */
  | { readonly type: "reverted"; readonly edit: Edit };

export const liveRows = (house: House): Rows =>
  new Map(
    tables.flatMap((table) =>
      house
        .rows(table)
        .filter(({ status }) => status !== "declined")
        .map((row) => [keyOf(table, row), row] as const),
    ),
  );

/** The object's id here; an only object has the provider's. */
export function keyOf(table: string, row: Stored): string {
  const one = walkKinds.find((kind) => kind.table === table)?.isOne;
  return `${table}/${one ?? row.id}`;
}

export type Model = ReturnType<typeof openModel>;
type State = ReturnType<House["state"]>[number];

export const objectOf = ({
  type,
  id,
}: Pick<State, "type"> & { readonly id?: string | undefined }): string => {
  const kind = type.split(":").at(-1);
  return `${walkKinds.find((one) => one.kind === kind)?.table}/${String(id).split("/").at(-1)}`;
};
const isObject = ({ type }: State) => kindOfType(type) !== sheetKind.kind;
const holds = (state: State) => isObject(state) && state.delete !== true && state.pendingReplacement !== true;

export function openModel(house: House) {
  /** The number of paused runs. */
  let asleep = 0;
  const counts: Counts = { ups: 0, conflicts: 0, kept: 0, gap: 0, pulls: 0, accepted: 0 };
  const broken: Broken[] = [];
  let rows = liveRows(house);
  let edits: Edit[] = [];
  // Edits of staff that the program has accepted.
  let accepted: Edit[] = [];
  // Accepted edits that no run of the program has applied yet: another checkout may lack them.
  let unapplied: Edit[] = [];
  // Items that staff added and a refresh has read, until a run of a program that lists them.
  const addedByStaff = new Map<unknown, { readonly key: string; readonly sku: string; isRead: boolean }>();
  // Resources whose objects a refresh found deleted, by kind, parents and name.
  const foundGone = new Set<string>();
  // Objects that runs created and whose state exists, and objects that staff deleted.
  const made = new Set<string>();
  const deletedByStaff = new Set<string>();
  // Objects that were created after the restored state, which no state has.
  const madeSince = new Set<string>();
  // Resources for which a preview named an existing object.
  const twinsTold = new Set<string>();
  // The sheet that set an item's price last, if the run was complete.
  const sheetOf = new Map<string, string>();
  // Cells that failed runs of sheets wrote, until one is complete.
  const begun = new Set<string>();
  // The value before a restoring sheet, unless somebody has changed it since.
  const pricesBefore = new Map<string, { readonly name: string; readonly price: unknown }>();
  // Each resource as the last run had it that handled it.
  const lastDone = new Map<string, Resource>();
  let atStart = rows;
  let happened: Happened[] = [];
  let madeNow: string[] = [];

  const breaks = (what: Broken["what"], text: string) => void broken.push({ what, text });

  /** An item that staff deleted and created again counts as the same item. */
  function follow(now: Rows): void {
    for (const [key, row] of rows)
      for (const { id, sku } of lostItems(row, now.get(key) ?? row)) {
        const again = itemsOf(now.get(key) ?? row).find((one) => one.sku === sku);
        if (again === undefined) continue;
        const moved = (edit: Edit) =>
          edit.key === key && edit.item === id ? { ...edit, item: again.id } : edit;
        edits = edits.map(moved);
        accepted = accepted.map(moved);
        unapplied = unapplied.map(moved);
        const places = [`${key}/${id}/`, `${key}/${again.id}/`] as const;
        followCells(sheetOf, ...places);
        followCells(pricesBefore, ...places);
        for (const at of begun) if (at.startsWith(places[0])) begun.add(at.replace(...places)).delete(at);
      }
  }

  /** A field has another value now, whoever set it. */
  function overruled(key: string, { column }: Place, item: unknown): void {
    const isOther = (edit: Edit) => edit.key !== key || edit.place.column !== column || edit.item !== item;
    edits = edits.filter(isOther);
    accepted = accepted.filter(isOther);
    unapplied = unapplied.filter(isOther);
    pricesBefore.delete(`${key}/${item}/${column}`);
  }

  /** Reads the shop after edits of staff or requests. */
  function take(by: "staff" | "requests"): void {
    const now = liveRows(house);
    if (by === "staff") follow(now);
    for (const [key, row] of rows) {
      const after = now.get(key);
      if (after === undefined) {
        // An object that a shop has once is the same one when staff create it again.
        made.delete(key);
        if (by === "requests")
          happened.push({ type: "gone", key, row, edits: edits.filter((edit) => edit.key === key) });
        else deletedByStaff.add(key);
        edits = edits.filter((edit) => edit.key !== key);
      } else if (by === "requests") {
        for (const item of lostItems(row, after)) happened.push({ type: "item gone", key, item });
      }
    }
    for (const [key] of now)
      if (!rows.has(key) && by === "requests") {
        made.add(key);
        madeNow.push(key);
      }
    const isThere = ({ key, item }: Edit) => {
      const row = now.get(key);
      return item === undefined || (row !== undefined && itemsOf(row).some(({ id }) => id === item));
    };
    if (by === "staff") {
      accepted = accepted.filter(isThere);
      for (const [id, { key }] of addedByStaff)
        if (!itemsOf(now.get(key)).some((one) => one.id === id)) addedByStaff.delete(id);
    }
    const gone = edits.filter((edit) => standing(now.get(edit.key), edit) === false);
    edits = edits.filter((edit) => !gone.includes(edit));
    if (by === "requests") for (const edit of gone) happened.push({ type: "overwritten", edit });
    const reverted = unapplied.filter((edit) => standing(now.get(edit.key), edit) !== true);
    unapplied = unapplied.filter((edit) => !reverted.includes(edit));
    if (by === "requests")
      for (const edit of reverted.filter(({ key }) => now.has(key)))
        happened.push({ type: "reverted", edit });
    rows = now;
  }

  function tell(ran: Ran): void {
    const texts = toldBy(ran);
    for (const line of ran.said) {
      const [, name] = /^(\S+): the shop has /.exec(line) ?? [];
      if (name !== undefined) twinsTold.add(name);
    }
    const putBack = ran.notices.flatMap((notice) => (notice.type === "puts-back" ? notice.fields : []));
    const changes = JSON.stringify([...ran.events.flatMap(changesOf), ...putBack]);
    // A message names a body without its content.
    const bodies = ran.events.flatMap((event) => (isFound(event) || isAdopted(event) ? [event.step] : []));
    // A body that the program stated no more is a new argument of it.
    const newBodies = ran.events.flatMap((event) => ("step" in event ? [event.step] : []));
    for (const edit of edits) {
      const [table = "", id = ""] = edit.key.split("/");
      const name = new RegExp(`\\b${kindOfTable(table)} (\\d+/)?${id}\\b`);
      const isNamed = texts.some((text) => name.test(text) && text.includes("content"));
      const isToldBody = (edit.isLeft ? newBodies : bodies).some(
        (step) => objectOf(step) === edit.key && step.changes.some(({ path }) => /^content\b/.test(path)),
      );
      if (
        changes.includes(edit.token) ||
        texts.some((text) => text.includes(edit.token)) ||
        (edit.place.isBody === true && (isNamed || isToldBody))
      )
        edit.told = true;
    }
  }

  /** Whether a sheet is active now. */
  const isSheetNow = ({ kind, args: { from = "", until = "9" } }: Pick<Resource, "kind" | "args">) => {
    const now = momentOf(0, house.clock.offsetMs);
    return kind === sheetKind.kind && String(from) <= now && now < String(until);
  };

  /** The resource with the field that staff changed: the object's own, or a sheet. */
  const askerIn = (program: readonly Resource[]) => {
    const states = new Map(house.state().map((state) => [objectOf(state), state]));
    return ({ key, token }: Edit) => {
      const { urn = "", type = "" } = states.get(key) ?? {};
      const isIts = ({ kind, name, aliases = [] }: Resource) =>
        kind === kindOfType(type) && [name, ...aliases].includes(nameOf(urn));
      const mayAsk = program.filter((one) => isIts(one) || isSheetNow(one));
      return mayAsk.find(({ args }) => JSON.stringify(args).includes(token));
    };
  };

  /** Values that a pull wrote belong to the program. */
  function takeOver(program: readonly Resource[], isDone = (_by: Resource) => true): void {
    const askerOf = askerIn(program);
    edits = edits.filter((edit) => {
      const by = askerOf(edit);
      return by === undefined || !isDone(by);
    });
  }

  /** An approved adoption overwrites the edits that its preview showed; the shop may take that only from a later run. */
  function overrule(planned: Ran): void {
    const managed = new Set(house.state().filter(holds).map(objectOf));
    const shown = planned.plan.filter((step) => step.op === "adopt" && managed.has(objectOf(step)));
    const isShown = ({ key, token }: Edit) =>
      shown.some((step) => objectOf(step) === key && JSON.stringify(step.changes).includes(token));
    edits = edits.filter((edit) => !isShown(edit));
  }

  // Edits inside a deleted item are judged with the item.
  const isItemGone = ({ key, item }: Edit) =>
    happened.some((one) => one.type === "item gone" && one.key === key && one.item.id === item);

  /** An edit that was known at the end of a preview must have been marked before it is put back. */
  function checkMarks(
    { planned, ...ran }: Ran & { readonly planned: Ran },
    program: readonly Resource[],
  ): void {
    for (const one of happened) {
      // A paused run sends its pending request even if the next run has reported an edit meanwhile.
      if (one.type !== "overwritten" || !one.edit.told || one.edit.isInGap || isItemGone(one.edit)) continue;
      if (one.edit.isLeft) continue;
      const { key, place, token, item } = one.edit;
      const cell = `${key}/${item}/${place.column}`;
      // A row that a sheet sets for the first time puts nothing back: it is shown with both values.
      const isNew =
        askedIn(program).some(({ at, name }) => at === cell && sheetOf.get(at) !== name) &&
        toldBy(planned).some((text) => text.includes(`${token} => `));
      // The preview of a paused run can't mark an edit that only the other run has read: with `--overwrite`, the run does.
      const isMarkedByRun = one.edit.isToldByOther === true && isMarked(ran, key, token);
      if (!isNew && !isMarked(planned, key, token) && !isMarkedByRun)
        breaks(
          "unmarked",
          `${key}: staff's ${place.argument} ${token} was put back, and no preview marked it`,
        );
    }
  }

  /** With `--keep` or `shop:drift`, neither a plan nor its run reverts what staff did (docs/rules.md, rule 5). */
  function checkKept(
    { planned, ...ran }: Ran & { readonly planned: Ran },
    { drift, kept, program }: HowRan,
    before: readonly State[],
  ): void {
    const isKept = (name: string) => drift !== undefined || name === kept;
    const steps = planned.plan.filter(({ urn }) => isKept(nameOf(urn)));
    const objects = new Set(steps.map(objectOf));
    for (const notice of planned.notices) {
      if (notice.type !== "puts-back" || notice.withheld !== "update") continue;
      const key = objectOf({ type: `shop:index:${notice.kind}`, id: notice.id });
      const reverted = notice.fields.filter(({ accepted }) => accepted !== "changed");
      if (objects.has(key) && reverted.length > 0)
        breaks("kept", `${key}: the plan puts back ${JSON.stringify(reverted)}`);
    }
    const again = steps.filter((step) => step.again === true);
    const isWritten = ran.requests.some((line) => !line.startsWith("GET "));
    if (again.length > 0 && (drift !== "stop" || isWritten))
      breaks("kept", `${again.map(({ urn }) => urn).join()}: staff deleted it, and it is created again`);
    if (drift === undefined) return;
    const known = new Set(before.filter(holds).map(objectOf));
    for (const one of happened) {
      // An object that is adopted has no value that the program last asked for.
      if (
        one.type !== "overwritten" ||
        !known.has(one.edit.key) ||
        !one.edit.told ||
        one.edit.isLeft === true ||
        one.edit.isInGap ||
        isItemGone(one.edit)
      )
        continue;
      const { key, place, token, item } = one.edit;
      const cell = `${key}/${item}/${place.column}`;
      const isNew = askedIn(program).some(({ at, name }) => at === cell && sheetOf.get(at) !== name);
      if (!isNew) breaks("kept", `${key}: staff's ${place.argument} ${token} was put back`);
    }
  }

  /** What staff did and a checkout lacks is marked: accepted edits, items that they added, objects that they deleted. */
  function checkUnapplied(ran: Ran & { readonly planned: Ran }, { program, isPart }: HowRan): void {
    const { planned } = ran;
    for (const one of happened) {
      if (one.type !== "reverted" || one.edit.isLeft || isItemGone(one.edit)) continue;
      const { key, place, token } = one.edit;
      if (!isMarked(planned, key, token))
        breaks("unmarked", `${key}: ${place.argument} ${token}, accepted in another checkout, was put back`);
    }
    for (const one of happened) {
      if (one.type !== "item gone") continue;
      const { key, item } = one;
      const isTold = isMarked(planned, key, `[${item.sku}]`) || isLostOfOthers(planned, key, item.sku);
      if (addedByStaff.get(item.id)?.isRead === true && !isTold)
        breaks("unmarked", `${key}: ${item.sku}, which staff added and a refresh has read, was removed`);
    }
    for (const { op, urn, again } of planned.plan)
      if (op === "create" && foundGone.has(resourceOf(urn)) && again !== true && !house.isPulumi)
        breaks(
          "unmarked",
          `${urn}: staff deleted its object, and no preview marked that it is created again`,
        );
    if (ran.events === planned.events) return;
    const isWhole = ran.result?.outcome === "succeeded" && !isPart;
    // Where the shop refused one value, or staff changed it too, the run has applied the others.
    const partly = (ran.result?.failures ?? [])
      .filter(({ message }) => /answered without taking|the rest was applied/.test(message))
      .map(({ urn }) => nameOf(urn ?? ""));
    const isOver = ({ kind, name, args }: Resource) =>
      isWhole || partly.includes(name) || isDoneFor(ran, { kind, name, args });
    const askerOf = askerIn(program);
    unapplied = unapplied.filter((edit) => {
      const by = askerOf(edit);
      return by === undefined || !isOver(by);
    });
    for (const [id, { key, sku }] of addedByStaff) {
      const isThere = itemsOf(rows.get(key)).some((one) => one.id === id);
      const by = program.find(({ args }) => JSON.stringify(args.variants ?? []).includes(`"${sku}"`));
      if (!isThere || (by !== undefined && isOver(by))) addedByStaff.delete(id);
    }
    const done = ran.events.flatMap((event) => (event.type === "done" ? [resourceOf(event.step.urn)] : []));
    if (isWhole) foundGone.clear();
    for (const one of done) foundGone.delete(one);
  }

  /** Whether a program has the field of an edit in `ignoreChanges`, of an object in these states. */
  const ignoringIn =
    (program: readonly Resource[], states: readonly State[]) =>
    ({ key, place, item }: Edit): boolean => {
      const state = states.find((one) => holds(one) && objectOf(one) === key);
      const { urn = "", type = "" } = state ?? {};
      const owner = program.find(({ kind, name }) => kind === kindOfType(type) && name === nameOf(urn));
      const { argument, inner } = place;
      const cell = `${key}/${item}/${place.column}`;
      // A sheet may set a price that the product leaves to others.
      if (sheetOf.has(cell) || askedIn(program).some(({ at }) => at === cell)) return false;
      const paths = inner === undefined ? [argument] : [argument, `${argument}[*].${inner}`];
      const sku = itemsOf(atStart.get(key)).find(({ id }) => id === item)?.sku;
      const isFirst = () => ((owner?.args[argument] ?? []) as readonly Values[])[0]?.sku === sku;
      if (inner !== undefined && isFirst()) paths.push(`${argument}[0].${inner}`);
      return owner?.ignoreChanges?.some((path) => paths.includes(path)) === true;
    };

  /** Whether a program doesn't set the field of an edit, of an object in the state. */
  const unsetIn =
    (program: readonly Resource[]) =>
    ({ key, place, item }: Edit): boolean => {
      const state = house.state().find((one) => holds(one) && objectOf(one) === key);
      const owner = program.find(
        ({ kind, name }) => state && kind === kindOfType(state.type) && name === nameOf(state.urn),
      );
      const value = owner?.args[place.argument];
      if (place.inner === undefined) return owner !== undefined && value === undefined;
      const sku = itemsOf(rows.get(key)).find(({ id }) => id === item)?.sku;
      const stated = ((value ?? []) as readonly Values[]).find((one) => one.sku === sku);
      const cell = `${key}/${item}/${place.column}`;
      if (sheetOf.has(cell) || askedIn(program).some(({ at }) => at === cell)) return false;
      return stated !== undefined && stated[place.inner] === undefined;
    };

  /** The fields that a program leaves to the shop. */
  const leavingIn = (program: readonly Resource[]) => {
    const [isIgnored, isUnset] = [ignoringIn(program, house.state()), unsetIn(program)];
    return (edit: Edit) => isIgnored(edit) || isUnset(edit);
  };

  /** The objects of retained and protected resources stay, whatever becomes of the resources. */
  function checkOptions({ program }: HowRan, before: readonly State[]): void {
    for (const state of before) {
      const key = objectOf(state);
      // A resource that is protected no more may be replaced at once.
      const isFreed = program.some(
        ({ name, aliases = [], protect }) => [name, ...aliases].includes(nameOf(state.urn)) && !protect,
      );
      const isProtected = state.protect === true && state.delete !== true && !isFreed;
      const isRetained = state.retainOnDelete === true || isProtected;
      if (isRetained && happened.some((one) => one.type === "gone" && one.key === key))
        breaks("retained", `${key} of ${state.urn} was deleted`);
      // A retained object is nobody's from then on.
      if (state.retainOnDelete === true && !house.state().some((one) => objectOf(one) === key))
        made.delete(key);
    }
  }

  /** No run writes a field in `ignoreChanges` of an object that was in the state before. */
  function checkIgnored({ program }: HowRan, before: readonly State[]): void {
    const isIgnored = ignoringIn(program, before);
    for (const one of happened) {
      if (one.type !== "overwritten" || isItemGone(one.edit) || !isIgnored(one.edit)) continue;
      const { key, place, token } = one.edit;
      breaks("ignored", `${key}: staff's ${place.argument} ${token} was overwritten despite ignoreChanges`);
    }
  }

  /** Notes the resources as a run has left them, and the edits of fields that it leaves to the shop. */
  function noteLeft(ran: Ran, { program }: HowRan): void {
    for (const one of program) if (isDoneFor(ran, one)) lastDone.set(`${one.kind} ${one.name}`, one);
    const isLeft = leavingIn([...lastDone.values()]);
    for (const edit of [...edits, ...unapplied]) if (isLeft(edit)) edit.isLeft = true;
    // A list that a program ignores is the shop's with all of its items.
    const states = new Map(house.state().map((state) => [objectOf(state), state]));
    for (const [id, { key }] of addedByStaff) {
      const { urn = "", type = "" } = states.get(key) ?? {};
      const owner = lastDone.get(`${kindOfType(type)} ${nameOf(urn)}`);
      if (owner?.ignoreChanges?.includes("variants")) addedByStaff.delete(id);
    }
  }

  /** A delete of an object doesn't wait for edits of fields that its resource ignored or didn't set (docs/rules.md, rule 5). */
  function leaveIgnored(before: readonly State[]): void {
    for (const one of happened) {
      if (one.type !== "gone") continue;
      const state = before.find((other) => objectOf(other) === one.key);
      const ignored = String(state?.outputs?.__ignored ?? "").split(",");
      // The plugin's state doesn't say what its resource ignores.
      for (const edit of one.edits)
        if (
          edit.isLeft ||
          ignored.some((path) => path.startsWith(edit.place.argument)) ||
          (state !== undefined && state.inputs?.[edit.place.argument] === undefined)
        )
          edit.told = true;
    }
  }

  function forgetMarks(): void {
    unapplied = [];
    addedByStaff.clear();
    foundGone.clear();
  }

  /** The cells that sheets set, as `TABLE/ID/ITEM/COLUMN`, with the sheet's first name. */
  const askedIn = (program: readonly Resource[]) => {
    const items = [...rows].flatMap(([key, row]) =>
      itemsOf(row).map(({ id, sku }) => ({ at: `${key}/${id}`, sku })),
    );
    return program.flatMap(({ kind, name, aliases = [], args }) => {
      if (!isSheetNow({ kind, args })) return [];
      const bySku = new Map((args.rows as readonly Values[]).map((row) => [row.sku, row]));
      return items.flatMap(({ at, sku }) => {
        const row = bySku.get(String(sku));
        return Object.entries(sheetColumns)
          .filter(([field]) => row?.[field] !== undefined)
          .map(([field, column]) => ({
            at: `${at}/${column}`,
            asked: row?.[field],
            by: name,
            name: nameAtFirst({ name, aliases }),
          }));
      });
    });
  };

  /** A complete run knows all cells of a sheet; cells that no sheet sets are forgotten. */
  function noteAsked(ran: Ran, { program, isPart }: HowRan): void {
    const isWhole = ran.result?.outcome === "succeeded" && !isPart;
    const now = askedIn(program);
    // After a failed run, the state still has the cells of the sheets that it didn't handle.
    const isHandled = (sheet: string | undefined) =>
      isWhole ||
      program.some((one) => one.kind === sheetKind.kind && nameAtFirst(one) === sheet && isDoneFor(ran, one));
    for (const [at, sheet] of [...sheetOf])
      if (!now.some((one) => one.at === at) && isHandled(sheet)) sheetOf.delete(at);
    if (isWhole) for (const at of begun) if (!now.some((one) => one.at === at)) begun.delete(at);
    // A variant that staff created again is known once a run has read it.
    const isMet = ({ at, name, asked }: (typeof now)[number]) =>
      asked === undefined || sheetOf.get(at) === name || Number(cellAt(rows, at)) === Number(asked);
    const isOver = ({ by }: (typeof now)[number]) =>
      isDoneFor(ran, { kind: sheetKind.kind, name: by, args: {} });
    const done = now.filter((one) => isOver(one) && isMet(one));
    const first = done.filter(({ at, name }) => sheetOf.get(at) !== name);
    const asked = new Set([...sheetOf.keys(), ...begun]);
    for (const { at, name } of done) {
      sheetOf.set(at, name);
      begun.delete(at);
    }
    const restoring = new Set(program.filter(restores).map(nameAtFirst));
    // A row that moved to another sheet keeps the value from before the first sheet. Edits by staff that a run put
    // back don't count as that value.
    const known = new Map(pricesBefore);
    for (const [at, { name }] of pricesBefore)
      if (!restoring.has(name) || now.some((one) => one.at === at && one.name !== name))
        pricesBefore.delete(at);
    const isWritten = ({ at, asked: price }: (typeof now)[number]) =>
      Number(cellAt(rows, at)) === Number(price) && Number(cellAt(atStart, at)) !== Number(price);
    const unfinished = now.filter((one) => !isOver(one) && isWritten(one) && !asked.has(one.at));
    for (const { at } of unfinished) begun.add(at);
    for (const { at, name } of [...first, ...unfinished]) {
      const price = asked.has(at) ? known.get(at)?.price : cellAt(atStart, at);
      if (restoring.has(name) && price !== undefined) pricesBefore.set(at, { name, price });
    }
  }

  /** A removed row of a restoring sheet gets its old price back, unless staff changed it since. */
  function checkRestored(program: readonly Resource[]): void {
    const asked = new Set(askedIn(program).map(({ at }) => at));
    const restoring = new Set(program.filter(restores).map(nameAtFirst));
    for (const [at, { name, price }] of pricesBefore) {
      if (asked.has(at)) continue;
      pricesBefore.delete(at);
      const now = cellAt(rows, at);
      if (restoring.has(name) && now !== undefined && Number(now) !== Number(price))
        breaks("unasked", `${name} had to put ${price} back for ${at}, and the shop has ${now}`);
    }
  }

  /** Accepted edits are the program's values: no run writes anything else over them. */
  function checkAccepted(program: readonly Resource[], isDisturbed: boolean): void {
    const askerOf = askerIn(program);
    accepted = accepted.filter((edit) => askerOf(edit) !== undefined);
    if (isDisturbed) return;
    for (const edit of accepted.filter((one) => standing(rows.get(one.key), one) === false))
      breaks("accept", `${edit.key}: the program asks staff's ${edit.token}, and the shop has it no more`);
  }

  /** After a complete run, a price is the sheet's, or a later edit by staff. */
  function checkSheets(program: readonly Resource[]): void {
    const items = [...rows].flatMap(([key, row]) => itemsOf(row).map((item) => ({ key, item })));
    for (const { name, args } of program.filter(isSheetNow))
      for (const row of args.rows as readonly Values[])
        for (const { key, item } of items.filter((one) => one.item.sku === row.sku))
          for (const [field, column] of Object.entries(sheetColumns)) {
            // With `--keep`, a program that lacks an accepted edit leaves it too.
            const isStaffs = [...edits, ...unapplied].some(
              (edit) => edit.key === key && edit.item === item.id && edit.place.column === column,
            );
            if (row[field] !== undefined && Number(item[column]) !== Number(row[field]) && !isStaffs)
              breaks(
                "unasked",
                `${name} asks ${field} ${row[field]} for ${row.sku}, and the shop has ${item[column]}`,
              );
          }
  }

  /** Compares a run with its preview. */
  function judge(planned: Ran | undefined): void {
    const leaving = new Set(
      (planned?.plan ?? [])
        .filter(({ op }) => op === "delete" || op === "replace" || op === "delete-replaced")
        .map(objectOf),
    );
    const removed = JSON.stringify(
      (planned?.plan ?? []).flatMap(({ changes }) =>
        // An adoption describes its changes in sentences.
        changes.filter(({ kind, path }) => kind === "delete" || path.endsWith(" is removed")),
      ),
      // Real pulumi shows an adoption as a create; only the provider's message has the changes.
    ).concat(house.isPulumi ? (planned?.said ?? []).filter((line) => / is removed\b/.test(line)).join() : "");
    // A list with duplicate keys is planned as a whole.
    const lost = (planned?.notices ?? []).flatMap((notice) =>
      notice.type !== "changes"
        ? []
        : notice.effects.flatMap((effect) =>
            effect.type === "loses"
              ? [`${objectOf({ type: `shop:index:${notice.kind}`, id: notice.id })} ${effect.item}`]
              : [],
          ),
    );
    const isShown = (key: string, sku: string) => removed.includes(sku) || lost.includes(`${key} ${sku}`);
    for (const one of happened) {
      if (one.type === "gone" && !leaving.has(one.key))
        breaks("unseen delete", `${one.key} was deleted, and no preview showed it`);
      if (one.type === "item gone" && !isShown(one.key, String(one.item.sku)))
        breaks("unseen delete", `${one.key} lost ${String(one.item.sku)}, and no preview showed it`);
      const undone = one.type === "gone" ? one.edits : one.type === "overwritten" ? [one.edit] : [];
      for (const edit of undone) {
        const { told, isInGap, key, place, token } = edit;
        if (isItemGone(edit)) continue;
        if (isInGap) counts.gap += 1;
        else if (!told)
          breaks("untold", `${key}: staff's ${place.argument} ${token} was ${one.type}, and nobody was told`);
      }
    }
    happened = [];
    madeNow = [];
  }

  /** An object that is deleted and created again in one run must be announced before the run. */
  function checkRenames(planned: Ran, before: readonly State[]): void {
    const after = house.state();
    // A replacement may look like an object that another resource deletes, also where an alias renames it.
    const isReplacing = (key: string) =>
      planned.plan.some(
        ({ urn, op }) =>
          op === "replace" && after.some((state) => state.urn === urn && objectOf(state) === key),
      );
    const ownerOf = (urn: string) => {
      const [, , types = "", name] = urn.split("::");
      return [types.split("$").slice(0, -1), name].join();
    };
    const ownerIn = (states: readonly State[], key: string) =>
      ownerOf(states.find((state) => objectOf(state) === key)?.urn ?? "");
    // The name is in the state before and after: the object was replaced.
    const isIn = (states: readonly State[], owner: string, table: string) =>
      states.some((state) => objectOf(state).startsWith(`${table}/`) && ownerOf(state.urn) === owner);
    for (const one of happened) {
      if (one.type !== "gone") continue;
      // Objects that the state keeps only to delete are deleted in any case.
      if (before.some((state) => objectOf(state) === one.key && state.delete === true)) continue;
      const [table = ""] = one.key.split("/");
      const twin = madeNow.find(
        (key) => key.startsWith(`${table}/`) && isTwin(one.row, rows.get(key)) && !isReplacing(key),
      );
      if (twin === undefined) continue;
      const [was, is] = [ownerIn(before, one.key), ownerIn(after, twin)];
      if (!isIn(after, was, table) && !isIn(before, is, table))
        breaks("doubled", `${one.key} went, and ${twin} was made in its place under another name`);
    }
  }

  /** An adopted object isn't created a second time. */
  function checkAdoptions(planned: Ran, before: readonly State[]): void {
    const after = house.state().filter(holds);
    for (const key of madeNow) {
      const state = after.find((one) => objectOf(one) === key);
      // A replacement is created beside the old object, even under another name.
      const isReplacing = planned.plan.some(({ urn, op }) => urn === state?.urn && op === "replace");
      if (state === undefined || isReplacing || before.some(({ urn }) => urn === state.urn)) continue;
      const [table = ""] = key.split("/");
      // These kinds have no key to adopt by.
      if (table === "file" || table === "application_charge") continue;
      // An object that another resource had and still has belongs to that resource (docs/rules.md, rule 3).
      const isAnothers = (one: string) =>
        [before.filter(holds), after].every((states) => states.some((other) => objectOf(other) === one)) ||
        planned.plan.some((step) => step.op === "adopt" && step.urn !== state.urn && objectOf(step) === one);
      // An object with another permalink and a SKU of this one isn't taken over; the preview names it.
      const isNamed = (one: string) =>
        planned.said.some((line) => line.includes(`already (${one.split("/")[1]})`));
      const twin = [...rows.keys()].find(
        (one) =>
          one.startsWith(`${table}/`) &&
          !madeNow.includes(one) &&
          !isAnothers(one) &&
          !isNamed(one) &&
          isTwin(rows.get(one), rows.get(key)),
      );
      if (twin !== undefined)
        breaks("doubled", `${key} was made by ${state.urn} beside ${twin}, which it could take over`);
    }
  }

  /** On a protected stack nothing is deleted, and the preview refuses such steps before anything happens. */
  function checkGuard(ran: Ran & { readonly planned: Ran }, isDisturbed: boolean): void {
    for (const one of happened)
      if (one.type === "gone" || one.type === "item gone")
        breaks("guard", `${one.key} lost something on a protected stack`);
    // A step that the preview refused for another reason may be refused for this one.
    const refused = new Set((ran.planned.result?.failures ?? []).map(({ urn }) => urn));
    // Real pulumi asks no provider before it deletes.
    const isAsked = (message: string) => !house.isPulumi || !message.includes("would be deleted");
    const late = (ran.result?.failures ?? []).filter(
      ({ urn, message }) => message.includes("shop:protected") && !refused.has(urn) && isAsked(message),
    );
    if (ran.planned.guarded.length === 0 && late.length > 0 && !isDisturbed)
      breaks(
        "guard",
        `the preview let pass what the run refused: ${late.map(({ message }) => message).join("; ")}`,
      );
    if (ran.planned.guarded.length > 0 && ran.requests.some((line) => !line.startsWith("GET ")))
      breaks("guard", `the preview refused it, and the run wrote: ${ran.requests.join(", ")}`);
  }

  function checkState(before: readonly State[], ran: Ran, isRefreshed = false): void {
    const after = house.state();
    const held = new Map<string, string>();
    for (const state of after.filter(holds)) {
      const object = objectOf(state);
      const other = held.get(object);
      // A run of pulumi that fails deletes nothing: the resource that gave the object away goes with the next one.
      const isLeft = house.isPulumi && ran.result?.outcome !== "succeeded";
      if (other !== undefined && !isLeft) breaks("shared", `${object} is of ${other} and of ${state.urn}`);
      held.set(object, state.urn);
      if (state.outputs?.__provider === undefined)
        breaks("state", `${state.urn} has no __provider: ${JSON.stringify(state.outputs)}`);
      if (!rows.has(object) && !deletedByStaff.has(object) && !ended(house, object))
        breaks("lost", `${state.urn} stands for ${object}, which the shop doesn't have`);
    }
    for (const old of before.filter(holds)) {
      const now = after.find((state) => isOne(state, old));
      const isGone = !rows.has(objectOf(old));
      if (now === undefined && !isGone && ran.result?.outcome === "failed" && !isDone(ran, old))
        breaks("state", `${old.urn} is in the shop and was forgotten`);
      const failed = ran.events.find(
        (event) => event.type === "refused" && event.step.urn === old.urn && event.step.op === "update",
      );
      if (!isRefreshed && failed !== undefined && now !== undefined && !same(now.outputs, old.outputs))
        breaks("state", `${old.urn} was refused, and its state is another: ${JSON.stringify(now.outputs)}`);
    }
  }

  return {
    counts,
    broken,
    rows: () => rows,
    take,
    breaks,
    /** The work of a run before another run overtook it. @returns a function that takes it back */
    setAside(): () => void {
      const kept = { happened, madeNow };
      [happened, madeNow] = [[], []];
      asleep += 1;
      const untold = edits.filter(({ told }) => !told);
      return () => {
        asleep -= 1;
        for (const edit of untold) edit.isToldByOther = edit.told;
        happened = [...kept.happened, ...happened];
        madeNow = [...kept.madeNow, ...madeNow];
      };
    },
    /** Staff edited an object. */
    edited(key: string, place: Place, item: unknown, n: number, isInGap: boolean): void {
      overruled(key, place, item);
      // A list that shows names alone doesn't tell a renamed object after a lost answer (docs/rules.md).
      const isFound = house.state().some((state) => objectOf(state) === key);
      const isName = key.startsWith("asset/") ? place.column === "name" : key.startsWith("price_kind/");
      if (isName && !isFound) made.delete(key);
      const edit = { key, place, item, stored: place.stored(n), token: place.token(n), told: false, isInGap };
      const isLeft = leavingIn([...lastDone.values()])(edit);
      edits.push({ ...edit, isLeft });
      take("staff");
    },
    /** Staff gave a field a value that isn't theirs alone: the program's, or none. */
    overruled(key: string, place: Place, item: unknown): void {
      overruled(key, place, item);
      take("staff");
    },
    /** A resource isn't in the state any more: nobody manages its object. */
    removed: (key: string) => void made.delete(key),
    /** An `up` starts. One that overtakes a paused run meets what that one has written. */
    begins: () => {
      if (asleep === 0) atStart = rows;
    },
    /** The user reads a preview. */
    shown: tell,
    /** Staff added an item to an object's list. */
    added: (key: string, id: unknown, sku: string) => void addedByStaff.set(id, { key, sku, isRead: false }),
    /** A refresh read the shop into the state. */
    refreshed(before: readonly State[]): void {
      const after = house.state();
      const known = new Set(after.filter(holds).map(objectOf));
      for (const item of addedByStaff.values()) if (known.has(item.key)) item.isRead = true;
      for (const old of before.filter(holds))
        if (deletedByStaff.has(objectOf(old)) && !after.some(({ urn }) => urn === old.urn))
          foundGone.add(resourceOf(old.urn));
    },
    /** A preview or a refresh ended. */
    looked(ran: Ran, before: readonly State[]): void {
      take("requests");
      if (happened.length > 0) breaks("preview wrote", ran.requests.join(", "));
      happened = [];
      tell(ran);
      checkState(before, ran);
    },
    /** An `up` ended. */
    ran(ran: Ran & { readonly planned: Ran }, before: readonly State[], how: HowRan): void {
      const { isRefreshed } = how;
      take("requests");
      counts.ups += 1;
      if (how.isGuarded) checkGuard(ran, how.isDisturbed);
      tellLost(ran.planned);
      checkMarks(ran, how.program);
      checkUnapplied(ran, how);
      checkKept(ran, how, before);
      // Edits made after the preview are reported when they are overwritten.
      tellLost({ ...ran, events: [], said: [], result: undefined });
      checkAccepted(how.program, how.isDisturbed);
      checkOptions(how, before);
      checkIgnored(how, before);
      leaveIgnored(before);
      const isWhole = ran.result?.outcome === "succeeded" && ran.planned.guarded.length === 0 && !how.isPart;
      if (!how.isDisturbed && isWhole && deletedByStaff.size === 0) {
        checkSheets(how.program);
        checkRestored(how.program);
      }
      if (!how.isMadeAgain) checkRenames(ran.planned, before);
      if (!how.isDisturbed && how.adopts) checkAdoptions(ran.planned, before);
      if (!how.isDisturbed) checkTwins(ran.planned, before);
      judge(ran.planned);
      tell(ran);
      overrule(ran.planned);
      counts.conflicts += (ran.result?.failures ?? []).filter(({ message }) =>
        /^conflict:/m.test(message),
      ).length;
      counts.kept += ran.said.filter((line) => / and kept: /.test(line)).length;
      // Steps that the preview refused weren't run.
      if (ran.events !== ran.planned.events) {
        noteAsked(ran, how);
        noteLeft(ran, how);
      }
      checkState(before, ran, isRefreshed);
      takeOver(how.program, (by) => isWhole || isDoneFor(ran, by));
      // An undecidable create stops and names the candidates; the user decides.
      for (const { message } of ran.result?.failures ?? [])
        if (
          /could be it|with the same .* other content|with the same content and another|doesn't send it again/.test(
            message,
          )
        )
          for (const key of made) if (message.includes(key.split("/").at(-1) ?? "")) made.delete(key);
      // The next run reads the object before it writes.
      if (asleep === 0)
        for (const edit of edits) Object.assign(edit, { isInGap: false, isToldByOther: false });
    },
    /** The edit of staff became the program's value. */
    accepted(program: readonly Resource[], written: number): void {
      counts.accepted += written;
      const before = edits;
      takeOver(program);
      const taken = before.filter((edit) => !edits.includes(edit));
      accepted.push(...taken);
      unapplied.push(...taken);
    },
    /** A pull ended: it reported what it wrote, and wrote only its own files. */
    pulled(before: Files, pulled: Pulled, kinds: readonly string[]): void {
      take("requests");
      counts.pulls += 1;
      if (happened.length > 0 || house.requests().some((line) => !line.startsWith("GET ")))
        breaks("pull", `it wrote to the shop: ${house.requests().join(", ")}`);
      happened = [];
      const texts = [...pulled.written.values()].join("\n");
      for (const edit of edits) if (texts.includes(edit.token)) edit.told = true;
      for (const text of wrongIn(before, pulled, { kinds, rows, states: house.state() }))
        breaks("pull", text);
    },
    /** The state is lost: nobody manages the objects now. */
    forget() {
      made.clear();
      sheetOf.clear();
      begun.clear();
      pricesBefore.clear();
      accepted = [];
      forgetMarks();
    },
    /**
     * An older state was restored: objects deleted since seem deleted by staff, and objects created since are in
     * no state.
     */
    olderState: () => {
      sheetOf.clear();
      begun.clear();
      pricesBefore.clear();
      forgetMarks();
      const known = new Set(house.state().filter(isObject).map(objectOf));
      for (const object of known) if (!rows.has(object)) deletedByStaff.add(object);
      for (const key of made) {
        if (known.has(key)) continue;
        madeSince.add(key);
        made.delete(key);
      }
    },
    hasDeleted: () => deletedByStaff.size > 0,
    /** When nothing is left to do, all created objects are in the state. */
    checkMade(): void {
      const known = new Set(house.state().map(objectOf));
      for (const key of made)
        if (rows.has(key) && !known.has(key) && isOpen(rows.get(key)))
          breaks("doubled", `${key} was made and is of no resource: ${JSON.stringify(rows.get(key))}`);
    },
  };

  /** An object that is created twice because of the older state was named by the preview. */
  function checkTwins(planned: Ran, before: readonly State[]): void {
    const held = house.state().filter(holds);
    for (const state of held) madeSince.delete(objectOf(state));
    for (const state of held) {
      const key = objectOf(state);
      const [table = ""] = key.split("/");
      const twin = [...madeSince].find(
        (one) => one.startsWith(`${table}/`) && isTwin(rows.get(one), rows.get(key)),
      );
      // Objects that a pull found are adopted.
      if (!madeNow.includes(key) || twin === undefined) continue;
      // A replacement is created beside the old object, even under another name.
      const isReplacing = planned.plan.some(({ urn, op }) => urn === state.urn && op === "replace");
      if (isReplacing || before.some(({ urn }) => urn === state.urn)) continue;
      const name = state.urn.split("::").at(-1) ?? "";
      if (!twinsTold.has(name))
        breaks("doubled", `${key} was made beside its twin ${twin}, which no preview of ${name} named`);
    }
  }

  /** Reports about edits that a run has destroyed. */
  function tellLost(planned: Ran): void {
    // Edits after the preview aren't in it; their values are unique.
    tell(planned);
    for (const one of happened) {
      const lost = one.type === "gone" ? one.edits : one.type === "overwritten" ? [one.edit] : [];
      const kept = edits;
      edits = [...lost];
      tell(planned);
      edits = kept;
    }
  }
}

// A paid charge stays in the shop's books.
const isOpen = (row: Stored | undefined) => row?.status === undefined || row.status === "pending";

/** Whether two objects look the same to the user. */
function isTwin(one: Stored | undefined, other: Stored | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const skus = new Set(itemsOf(one).map(({ sku }) => sku));
  if (skus.size > 0) return itemsOf(other).some(({ sku }) => skus.has(sku));
  const looks = ["code", "title", "name", "type", "theme_id", "absolute_url", "content", "price", "monthly"];
  return isOpen(one) && looks.every((name) => one[name] === other[name]);
}

const ended = (house: House, object: string) => {
  const [table = "", id] = object.split("/");
  return house.rows(table).some((row) => String(row.id) === id && row.status === "declined");
};

function standing(row: Stored | undefined, edit: Edit): boolean | undefined {
  if (row === undefined) return undefined;
  if (edit.place.inner === undefined) return row[edit.place.column] === edit.stored;
  const item = itemsOf(row).find(({ id }) => id === edit.item);
  return item === undefined ? false : item[edit.place.column] === edit.stored;
}

const itemsOf = (row: Stored | undefined) => (row?.variants ?? []) as readonly Stored[];

/** The value of `TABLE/ID/ITEM/COLUMN`; undefined if there is no such item. */
function cellAt(rows: Rows, at: string): unknown {
  const [table, id, item, column = ""] = at.split("/");
  const row = rows.get(`${table}/${id}`);
  const found = row && itemsOf(row).find((one) => String(one.id) === item);
  return found && (found[column] ?? "");
}

function followCells<T>(cells: Map<string, T>, from: string, to: string): void {
  for (const [at, one] of [...cells])
    if (at.startsWith(from)) cells.set(to + at.slice(from.length), one).delete(at);
}

const restores = ({ kind, args, retainOnDelete }: Resource) =>
  kind === sheetKind.kind && !retainOnDelete && (args.onRemove === "restore" || args.until !== undefined);

/** The first name of a resource, before all its aliases. */
const nameAtFirst = ({ name, aliases = [] }: Pick<Resource, "name" | "aliases">) => aliases.at(-1) ?? name;

const lostItems = (before: Stored, after: Stored) =>
  itemsOf(before).filter(({ id }) => !itemsOf(after).some((item) => item.id === id));

const isFound = (event: Event): event is Extract<Event, { type: "done" }> =>
  event.type === "done" && event.step.found;

const isAdopted = (event: Event): event is Extract<Event, { type: "done" }> =>
  event.type === "done" && event.step.op === "adopt";

// A plan's text about a field: the old value, and the value that a refresh found.
function changesOf(event: Event): readonly unknown[] {
  if (event.type !== "done" && event.type !== "refused" && event.type !== "failed") return [];
  const { changes, olds } = event.step;
  // The value that an argument replaces which the program sets for the first time (runs/report/changes.ts).
  const replaced = (path: string) => olds[path.split(/[.[]/)[0] ?? ""];
  return changes.map(({ path, kind, old, new: next }) => [path, kind === "add" ? replaced(path) : old, next]);
}

function toldBy(ran: Ran): readonly string[] {
  const messages = ran.events.flatMap((event) => {
    if (event.type === "message" || event.type === "printed") return [event.text];
    return event.type === "failed" || event.type === "refused" ? [event.message] : [];
  });
  const failures = (ran.result?.failures ?? []).map(({ message }) => message);
  // An overwritten value is shown with the step; a body by its kind and id. Under real pulumi, a run with --refresh
  // has no preview and reports edits when it puts them back.
  const overwritten = ran.notices.flatMap((notice) => {
    if (notice.type === "overwrites" || (notice.type === "puts-back" && "isOfPulumi" in notice))
      return [`${notice.kind} ${notice.id} ${JSON.stringify(notice.fields)}`];
    if (notice.type === "settings") return [JSON.stringify(notice.values)];
    // A sheet shows its rows as lines.
    return notice.type === "text" && notice.kind === sheetKind.kind ? [notice.lines] : [];
  });
  return [...ran.said, ...messages, ...failures, ...overwritten];
}

/** Whether a preview marked an edit; replaced objects, and edits that the program has too, need no mark. */
/** Whether a product lists all of its variants from now on, and the plan names this one of others as lost. */
const isLostOfOthers = ({ plan, notices }: Ran, key: string, sku: unknown): boolean =>
  plan.some(
    (step) =>
      objectOf(step) === key &&
      step.changes.some(({ path, old }) => path === "otherVariants" && old === "keep"),
  ) &&
  notices.some(
    (one) =>
      one.type === "changes" && one.effects.some((effect) => effect.type === "loses" && effect.item === sku),
  );

function isMarked(planned: Ran, key: string, token: string): boolean {
  const own = planned.plan.filter((step) => objectOf(step) === key);
  const sheets = planned.plan.filter(({ type }) => kindOfType(type) === sheetKind.kind);
  // A value that only the run knows is shown beside the shop's.
  const isOpen = ({ old, new: next }: Step["changes"][number]) =>
    next === unknownText && String(old).includes(token);
  if (own.some(({ changes }) => changes.some(isOpen))) return true;
  // What an earlier run couldn't write is shown with the value that the shop has instead.
  if (own.some(({ missing = [] }) => missing.some((text) => text.includes(token)))) return true;
  const steps = own.length > 0 ? own : sheets;
  if (!steps.every(({ op }) => op === "update")) return true;
  return planned.notices.some(
    (notice) =>
      (notice.type === "puts-back" || notice.type === "overwrites") &&
      (objectOf({ type: `shop:index:${notice.kind}`, id: notice.id }) === key ||
        sheets.some(({ id }) => notice.kind === sheetKind.kind && id === notice.id)) &&
      (JSON.stringify(notice.fields).includes(token) ||
        notice.fields.some(({ path }) => path.startsWith("content"))),
  );
}

/** A resource by its kind in either form, its parents and its name. */
function resourceOf(urn: string): string {
  const [, , types = "", name] = urn.split("::");
  const chain = types.split("$");
  return [kindOfType(chain.at(-1) ?? ""), ...chain.slice(0, -1), name].join();
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

// A resource keeps its identity between the dynamic and the plugin's type.
const isOne = (one: { readonly type: string; readonly id?: string | undefined }, other: State) =>
  one.id === other.id && kindOfType(one.type) === kindOfType(other.type);

const isDoneFor = (ran: Ran, { kind, name }: Resource) =>
  ran.events.some(
    (event) => event.type === "done" && kindOfType(event.step.type) === kind && event.step.name === name,
  );

const isDone = (ran: Ran, state: State) =>
  ran.events.some((event) => event.type === "done" && isOne(event.step, state));

export const placesOf = (kind: WalkKind): readonly Place[] => kind.staff ?? kind.places;
