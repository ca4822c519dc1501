/**
 * What changes of an object, as a person reads it: without what the shop has already or keeps of staff's, an item that gets another key as the
 * same item, and the shop's value beside what overwrites it.
 */

import type { Change, Step, Value } from "../../engine/index.ts";
import { pathText, topOf } from "../../engine/pulumi/path.ts";
import { isRecord } from "../../engine/pulumi/record.ts";
import { isBodyPath, withSign } from "../../provider/inventory/index.ts";
import { textHunks, valueText } from "./difference.ts";
import type { Texts } from "./texts.ts";
import { stockText } from "./titles.ts";

/** A change at the path that a person reads: `variants[MUG-R].price`. */
export interface ShownChange extends Change {
  /** What becomes of it in words, where that says more than two values. */
  readonly becomes?: string;
  /** What the shop has, where others changed it and this overwrites it: `the shop has 1000`. */
  readonly note?: string;
}

/** @param changes of the step, at paths that a person reads */
export function asMeant(
  step: Step,
  texts: Texts | undefined,
  changes: readonly ShownChange[],
): readonly ShownChange[] {
  if (texts === undefined) return changes;
  const told = texts.changes(step);
  const unsent = new Set([...(told?.done ?? []), ...(told?.keeps ?? [])]);
  const renamed = (told?.effects ?? []).reduce<readonly ShownChange[]>(
    (all, effect) => (effect.type === "renames" ? asOne(all, effect) : all),
    changes,
  );
  const overwritten = texts.overwritten(step).reduce<readonly ShownChange[]>(
    withOverwritten,
    renamed.filter(({ path }) => !unsent.has(path)),
  );
  return texts.putBack(step).reduce<readonly ShownChange[]>(withPutBack, overwritten);
}

type Renamed = {
  readonly path: string;
  readonly item: string;
  readonly to: string;
  readonly stock: number | undefined;
};

/** One that goes and one that comes are the same item with another key. */
function asOne(changes: readonly ShownChange[], { path, item, to, stock }: Renamed): readonly ShownChange[] {
  const next = pathText([topOf(path), to]);
  const [gone, come] = [path, next].map((at) => changes.find((change) => change.path === at));
  const becomes = `renamed ${to}${stock === undefined ? "" : ` (${stockText(stock)} stay)`}`;
  const rest = changes.filter((change) => change !== gone && change !== come);
  return [...rest, { path, kind: "update", becomes }, ...inside(next, gone?.old, come?.new, [item, to])];
}

function inside(
  path: string,
  old: Value | undefined,
  next: Value | undefined,
  keys: readonly [string, string],
): readonly ShownChange[] {
  if (!isRecord(old) || !isRecord(next)) return [];
  return Object.keys({ ...old, ...next }).flatMap((name): ShownChange[] => {
    const [was, will] = [old[name], next[name]];
    const isKey = was === keys[0] && will === keys[1];
    if (isKey || JSON.stringify(was) === JSON.stringify(will)) return [];
    const kind = was === undefined ? "add" : will === undefined ? "delete" : "update";
    return [
      {
        path: `${path}.${name}`,
        kind,
        ...(was !== undefined && { old: was }),
        ...(will !== undefined && { new: will }),
      },
    ];
  });
}

type Edited = ReturnType<Texts["overwritten"]>[number];

/** A text is shown as hunks, where somebody asks for them. */
const isText = (value: unknown) => value === undefined || (typeof value === "string" && value.includes("\n"));
const sideText = (value: unknown, sign: string | undefined): string =>
  value === null ? "none" : withSign(value, valueText(value as Value, 70), sign);

/** The shop's text and the program's, whose hunks are shown; a body's are told by the provider (`Texts.of`). */
function textSides({ path, is, asked }: Edited): Pick<Change, "old" | "new"> {
  const sides = { old: is as Value, new: asked as Value };
  return isBodyPath(path) || textHunks(sides) === undefined ? {} : sides;
}

/** `puts back: 28.60, staff: 9`. */
function withPutBack(changes: readonly ShownChange[], edited: Edited): readonly ShownChange[] {
  const { path, is, asked, units } = edited;
  const becomes =
    isText(is) || isText(asked)
      ? `puts back the program's ${is === undefined && asked === undefined ? "content" : "text"} over staff's`
      : `puts back: ${sideText(asked, units?.asked)}, staff: ${sideText(is, units?.is)}`;
  const told: ShownChange = { path, kind: "update", becomes, ...textSides(edited) };
  const at = changes.findIndex((change) => change.path === path);
  return at < 0 ? [...changes, told] : changes.with(at, told);
}

function withOverwritten(changes: readonly ShownChange[], edited: Edited): readonly ShownChange[] {
  const { path, is, units } = edited;
  const sides = textSides(edited);
  const note = `the shop has ${is === undefined ? "another content" : isText(is) ? "another text" : sideText(is, units?.is)}`;
  const at = changes.findIndex((change) => change.path === path);
  if (at < 0) return [...changes, { path, kind: "update", becomes: `overwritten: ${note}`, ...sides }];
  const own = sides.old === undefined ? { note } : { ...sides, note: "overwrites staff's text" };
  return changes.with(at, { ...(changes[at] as ShownChange), ...own });
}
