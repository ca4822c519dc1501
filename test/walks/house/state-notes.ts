/** Reads the notes beside the state like provider/run/stack-notes.ts. */

import { objectKey, ownerOf } from "../../../provider/names/owner.ts";
import { kindOfType } from "../../../provider/names/types.ts";
import type { Notes } from "../../../provider/run/create-notes.ts";
import {
  type CellsInNotes,
  type CellsInState,
  cellsInNotes,
  cellsInState,
  sheetCells,
} from "../../../provider/run/sheet-cells.ts";
import type { HeldObject } from "../../../provider/run/states.ts";
import { valuesSetIn } from "../../../provider/run/value-owners.ts";
import { shopMarkIn } from "../../../provider/values/identity.ts";
import type { Values } from "../../../provider/wire/codec.ts";
import type { Disk } from "../../support/disk.ts";

interface Held {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly external?: boolean;
  readonly pendingReplacement?: boolean;
  readonly inputs?: Values;
  readonly outputs?: Values;
}

function heldIn(disk: Disk, path: string): readonly HeldObject[] {
  const text = disk.text(path);
  const resources: readonly Held[] =
    text === undefined ? [] : (JSON.parse(text).checkpoint.latest.resources ?? []);
  return resources.flatMap(({ urn, type, id, external, pendingReplacement, inputs = {}, outputs = {} }) => {
    const kind = kindOfType(type);
    const isNone = kind === undefined || id === undefined || external === true || pendingReplacement === true;
    return isNone
      ? []
      : [{ key: objectKey(kind, id), kind, id, urn, shop: shopMarkIn(outputs), inputs, outputs }];
  });
}

/** @param path of the state's file @param others paths of the backend's other states */
export function stateNotes(
  disk: Disk,
  path: string,
  others: readonly string[],
  notes: Notes,
): Pick<
  Notes,
  "inNewer" | "inState" | "isInState" | "heldElsewhere" | "setElsewhere" | "setInOtherForm" | "sheetCells"
> {
  let state: ReadonlyMap<string, string> | undefined;
  let inState: CellsInState | undefined;
  let inNotes: CellsInNotes | undefined;
  let newer: ReadonlyMap<string, string> | undefined;
  const states = () => (state ??= new Map(heldIn(disk, path).map(({ key, urn }) => [key, urn])));
  const elsewhere = (here: string) =>
    others.flatMap((other) => heldIn(disk, other)).filter(({ shop }) => shop === here);
  return {
    inState: (kind, id) => states().get(objectKey(kind, id)),
    heldElsewhere: (kind, id, { shop }) =>
      elsewhere(shop).find(({ key }) => key === objectKey(kind, id))?.urn,
    setElsewhere: (_of, here) => new Map(elsewhere(here).flatMap(valuesSetIn)),
    sheetCells: (of, shop) =>
      sheetCells(
        of,
        {
          inState: () => (inState ??= cellsInState(heldIn(disk, path))),
          inNotes: () => (inNotes ??= cellsInNotes(notes.sheetNotes(of))),
        },
        shop,
      ),
    setInOtherForm: (of, key) =>
      new Map(
        [...states()].some(([object, urn]) => object === key || ownerOf(urn).of === of)
          ? []
          : heldIn(disk, path).flatMap(valuesSetIn),
      ),
    isInState: (of) => [...states().values()].some((urn) => ownerOf(urn).of === of),
    inNewer(kind, of) {
      newer ??= new Map(
        heldIn(disk, `${path}.newer`).map(({ key, urn }) => [
          `${key.split(":")[0]} ${ownerOf(urn).of}`,
          key.split(/:(.*)/s)[1] ?? "",
        ]),
      );
      return newer.size === 0 ? undefined : { id: newer.get(`${kind} ${of}`) };
    },
  };
}
