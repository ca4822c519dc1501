// One of many, by what a person knows of it; and values that a program marked as secret.
import { describe, expect, test } from "vitest";
import { pickOne } from "../../provider/change/identity.ts";
import { bareValues, marked, markedNames } from "../../provider/change/secrets.ts";
import { integer, text } from "../../provider/definition/define.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { kindOf } from "./kind.ts";

const thing = kindOf(
  "Thing",
  { id: integer({ mode: "computed" }), title: text(), handle: text() },
  { lookups: { id: "id", title: "title", name: "handle" } },
);
const lost = kindOf("Lost", { id: integer({ mode: "computed" }) });

const [one, two, three] = [
  { id: 1, title: "a", handle: "x" },
  { id: 2, title: "a", handle: "y" },
  { id: 3, title: "b" },
] as const;
const pick = (wanted: Values, objects: readonly Values[] = [one, two, three]) =>
  pickOne(thing, objects, wanted);

describe("data sources that find no single object", () => {
  test("a data source without a match fails and lists all objects", () => {
    expect(() => pick({ title: "c", id: 1 })).toThrow(
      'there is no Thing with title "c" and id 1; the shop has (id 1, title "a", handle "x"); (id 2, title "a", handle "y"); (id 3, title "b")',
    );
    expect(() => pick({ id: 1 }, [])).toThrow("there is no Thing with id 1; the shop has none at all");
  });

  test("a data source with several matches fails and lists them", () => {
    expect(() => pick({ title: "a" })).toThrow(
      'there are 2 of Thing with title "a"; the shop has (id 1, title "a", handle "x"); (id 2, title "a", handle "y")',
    );
  });

  test("a data source without a criterion, or with an unknown one, fails", () => {
    for (const wanted of [{}, { id: undefined, title: null }])
      expect(() => pick(wanted)).toThrow("a query for a Thing takes id, title, name: set one of them");
    expect(() => pick({ id: 1, handle: "x", color: 2 })).toThrow(
      "unknown argument handle; a query for a Thing takes id, title, name",
    );
    expect(() => pickOne(lost, [one], { id: 1 })).toThrow("unknown argument id; a query for a Lost takes ");
  });

  test("a data source lists twenty objects and counts the others", () => {
    const many = (count: number) => Array.from({ length: count }, (_none, index) => ({ id: index }));
    const message = (count: number) => {
      try {
        return String(pick({ title: "x" }, many(count)));
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message(20)).toMatch(/\(id 18\); \(id 19\)$/);
    expect(message(21)).toMatch(/\(id 18\); \(id 19\); and 1 more$/);
    expect(message(25)).toMatch(/\(id 19\); and 5 more$/);
  });
});

describe("secret marks", () => {
  const secret = marked("x");

  test("the mark of a secret has the form of Pulumi's protocol", () => {
    expect(secret).toEqual({
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      value: "x",
    });
    expect(marked(secret)).toBe(secret);
    expect(marked({ value: "x" })).not.toEqual({ value: "x" });
  });

  test("secret marks are removed at any depth, also inside another mark", () => {
    const another = { "4dabf18193072939515e22adb298388d": "another", value: 1 };
    expect(
      bareValues({
        a: secret,
        b: [secret, { c: secret }],
        d: 1,
        e: null,
        f: { value: secret },
        g: another,
        h: [],
      }),
    ).toEqual({ a: "x", b: ["x", { c: "x" }], d: 1, e: null, f: { value: "x" }, g: another, h: [] });
    const twice = { ...(secret as object), value: secret };
    expect(bareValues({ a: twice })).toEqual({ a: "x" });
    const { value: _none, ...empty } = secret as Record<string, unknown>;
    expect(bareValues({ a: empty })).toEqual({ a: null });
  });

  test("a secret mark is found at any depth", () => {
    const values = {
      a: secret,
      b: [1, secret],
      c: { d: [{ e: secret }] },
      f: 1,
      g: [1],
      h: { i: null },
      j: null,
      k: [],
    };
    expect(markedNames(values)).toEqual(["a", "b", "c"]);
  });
});
