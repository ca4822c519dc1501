// Four sides of a field: what the program last asked, what a refresh has read, what the shop has, what the program asks now.
import { expect, test } from "vitest";
import { keepBase, withBase } from "../../provider/change/base.ts";
import { integer, items, text } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { changed } from "./changes.ts";
import { kindOf } from "./kind.ts";

const thing = kindOf("Thing", {
  name: text(),
  parts: items(
    { id: integer({ mode: "computed" }), code: text(), note: text() },
    { element: "part", key: "code" },
  ),
});
const shapes = {
  "a field": {
    stated: "name",
    args: (value: string) => ({ name: value }),
    read: (value: string) => (value === "" ? {} : { name: value }),
  },
  "a field of an item": {
    stated: "parts,parts.code,parts.note",
    args: (value: string) => ({ parts: [{ code: "A", note: value }] }),
    read: (value: string) => ({ parts: [{ id: 1, code: "A", ...(value !== "" && { note: value }) }] }),
  },
} as const;
const values = ["a", "b", ""];
const four = values.flatMap((last) =>
  values.flatMap((read) =>
    [...values, "c"].flatMap((now) => [...values, "c"].map((asked) => [last, read, now, asked] as const)),
  ),
);

/** Whose change it is, by the four values alone. */
function verdictOf(last: string, read: string, now: string, asked: string): string {
  if (asked === now) return "nothing";
  const isTakenOver = asked === read;
  if (asked !== last && !isTakenOver) return now === last ? "sent" : "conflict";
  return !isTakenOver && now === read ? "put back" : "kept";
}

test.each(Object.entries(shapes))(
  "%s: the author of a change is known after any number of refreshes",
  (_what, shape) => {
    const stateOf = (value: string): Values => ({ __stated: shape.stated, ...shape.read(value) });
    for (const [last, read, now, asked] of four)
      for (const way of [[read], [read, read], ["c", read], [read, last, read]]) {
        const state = way.reduce<Values>((olds, seen) => keepBase(thing, olds, stateOf(seen)), stateOf(last));
        expect(state.__asked === undefined, `${last} ${way}`).toBe(last === read);
        for (const keeps of [false, true]) {
          const met = changed(
            thing,
            { known: state, seen: shape.read(now), asked: shape.args(asked) },
            { folder: "/nowhere", keeps },
          );
          const told = [
            ...met.conflicts.map(() => "conflict"),
            ...met.putBack.map(() => "put back"),
            ...met.kept.map(() => "kept"),
          ];
          const sent = met.touched.some(({ isDone }) => !isDone) && told.length === 0 ? ["sent"] : told;
          const verdict = verdictOf(last, read, now, asked);
          const expected = keeps && verdict === "put back" ? "kept" : verdict;
          expect([last, way, now, asked, sent]).toEqual([
            last,
            way,
            now,
            asked,
            expected === "nothing" ? [] : [expected],
          ]);
          // What is kept is known as it was: a later run tells it as this one did.
          if (expected !== "kept" || asked !== last) continue;
          const after = withBase(thing, shape.args(asked), {
            ...met.known(stateOf(now)),
            __stated: shape.stated,
          });
          expect(
            changed(
              thing,
              { known: after, seen: shape.read(now), asked: shape.args(asked) },
              { folder: "/", keeps },
            ).kept,
          ).toHaveLength(1);
        }
      }
  },
);
