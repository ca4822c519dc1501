// Three sides of an object: what the state knew, what the shop has, what the program asks. Every combination of small
// values is merged, and told beside what rule 5 says of it (docs/rules.md): nobody's edit is overwritten unseen.
import { describe, expect, test } from "vitest";
import { pathText } from "../../engine/pulumi/path.ts";
import { sha256 } from "../../provider/body/body.ts";
import { jsonValues, printValueHashes } from "../../provider/body/json.ts";
import { changesByStaff } from "../../provider/change/change.ts";
import type { Outcome } from "../../provider/change/field-change.ts";
import { integer, items, text } from "../../provider/definition/define.ts";
import { keptText } from "../../provider/lifecycle/conflict.ts";
import { product } from "../../provider/resources/product.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { unknownValue } from "../../provider/wire/text.ts";
import { changed as changeOf, side, type Told } from "./changes.ts";
import { kindOf, shownBody } from "./kind.ts";

const thing = kindOf("Thing", {
  name: text(),
  stock: integer({ serverManaged: true }),
  sealed: text({ writeOnly: true }),
  parts: items(
    {
      id: integer({ mode: "computed" }),
      code: text(),
      price: integer(),
      left: integer({ serverManaged: true }),
    },
    { element: "part", key: "code" },
  ),
  tags: items({ title: text(), value: text() }, { element: "tag", key: "title" }),
});
const merged = (was: Values, is: Values, asked: Values) => changeOf(thing, { known: was, seen: is, asked });
const paths = (sides: readonly Told[]) => sides.map(({ path }) => path);

/** Every combination of these, one of each list. */
const combinations = <T>(...lists: readonly (readonly T[])[]): readonly (readonly T[])[] =>
  lists.reduce<readonly (readonly T[])[]>(
    (all, list) => all.flatMap((before) => list.map((one) => [...before, one])),
    [[]],
  );

describe("a field", () => {
  test.each(combinations<string | undefined>(["a", "b", undefined], ["a", "b", undefined], ["a", "b", "c"]))(
    "a field that the state has as %s, the shop as %s and the program as %s",
    (was, is, asked) => {
      const sides = { path: "name", was, is, asked };
      const { kept, conflicts, touched, wanted, known } = merged(
        { name: was },
        { name: is },
        { name: asked },
      );
      const byStaff = was !== is;
      const byProgram = asked !== was;
      expect(kept).toEqual(byStaff && !byProgram ? [sides] : []);
      expect(conflicts).toEqual(byStaff && byProgram && asked !== is ? [sides] : []);
      expect(touched).toEqual(byProgram ? [{ ...sides, isDone: asked === is }] : []);
      expect(wanted).toEqual(byStaff && !byProgram ? {} : { name: asked });
      // What was sent is as it was read then; of the rest the state doesn't know yet what others wrote.
      const isSent = byProgram && asked !== is;
      const outcome = { rejected: [], kept: [], confirmed: new Map() };
      expect(known({ name: "read" }, outcome).name).toBe(isSent ? "read" : byProgram ? is : was);
      expect(outcome.rejected).toEqual(isSent ? [["name"]] : []);
      expect(outcome.kept).toHaveLength(!isSent && wanted.name !== undefined ? 1 : 0);
      const taken: Outcome = { rejected: [], kept: [], confirmed: new Map() };
      known({ name: asked }, taken);
      expect([taken.rejected, taken.kept]).toEqual([[], []]);
      // What an answer has shown as it was sent is staff's where a later look shows it otherwise.
      expect(known({ name: "later" }, taken).name).toBe(isSent ? asked : byProgram ? is : was);
      expect(taken.rejected).toEqual([]);
    },
  );

  test("a field that the shop changes by itself is left alone, and is a conflict if the program changes it too", () => {
    const left = merged({ stock: 5 }, { stock: 4 }, { stock: 5 });
    expect([left.kept, left.wanted, left.known({ stock: 4 })]).toEqual([[], {}, { stock: 4 }]);
    expect(paths(merged({ stock: 5 }, { stock: 4 }, { stock: 9 }).conflicts)).toEqual(["stock"]);
  });

  test("a list without keys is compared as one value", () => {
    const tag = (value: string) => ({ title: "t", value });
    const { kept, wanted } = merged({ tags: [tag("a")] }, { tags: [tag("b")] }, { tags: [tag("a")] });
    expect([paths(kept), wanted]).toEqual([["tags"], {}]);
    const asked = { tags: [tag("c")] };
    expect(paths(merged({ tags: [tag("a")] }, { tags: [tag("b")] }, asked).conflicts)).toEqual(["tags"]);
    expect(merged({ tags: [tag("a")] }, { tags: [tag("c")] }, asked).touched).toMatchObject([
      { isDone: true },
    ]);
    const more = { tags: [tag("a"), { title: "u", value: "b" }] };
    expect(paths(merged({ tags: [tag("a")] }, more, { tags: [tag("a")] }).kept)).toEqual(["tags"]);
  });
});

describe("an item of a list", () => {
  const part = (price: number | undefined, id?: number) =>
    price === undefined ? [] : [{ code: "P", price, ...(id !== undefined && { id }) }];
  const prices = [1, 2, undefined];

  test.each(combinations<number | undefined>(prices, prices, [1, 2, 3, undefined]))(
    "an item that the state has at %s, the shop at %s and the program at %s",
    (was, is, asked) => {
      const sides = (field: boolean) => (field ? "parts[P].price" : "parts[P]");
      const all = merged({ parts: part(was, 7) }, { parts: part(is, 7) }, { parts: part(asked) });
      const byStaff = was !== is;
      const byProgram = was !== asked;
      // The item as a whole came or went on some side; else its price changed.
      const whole = was === undefined || is === undefined || asked === undefined;
      const isSame = asked === is;
      expect(paths(all.kept)).toEqual(byStaff && !byProgram ? [sides(!whole)] : []);
      expect(all.lost).toHaveLength(byStaff && !byProgram && is === undefined ? 1 : 0);
      expect(all.takenAway).toHaveLength(!byStaff && byProgram && asked === undefined ? 1 : 0);
      // What staff added with the same key is told by the field in which it differs.
      const twin = was === undefined && is !== undefined && asked !== undefined;
      const inConflict = byStaff && byProgram && !isSame;
      expect(paths(all.conflicts)).toEqual(inConflict ? [sides(!whole || twin)] : []);
      const field = twin && inConflict ? [[sides(true), false]] : [];
      expect(all.touched.map(({ path, isDone }) => [path, isDone])).toEqual(
        byProgram ? [[sides(!whole), isSame], ...field] : [],
      );
    },
  );

  test("an item that both sides have is sent with its id and only the program's changes", () => {
    const state = [{ id: 7, code: "P", price: 1 }];
    const shop = [{ id: 7, code: "Q", price: 1 }];
    const { wanted, known } = merged({ parts: state }, { parts: shop }, { parts: [{ code: "P", price: 3 }] });
    expect(wanted).toEqual({ parts: [{ id: 7, price: 3 }] });
    // Its code is what staff made it; the state learns that by a refresh.
    expect(known({ parts: [{ id: 7, code: "Q", price: 3, left: 9 }] })).toEqual({
      parts: [{ id: 7, code: "P", price: 3, left: 9 }],
    });
  });

  test("a deleted item is shown without its empty fields", () => {
    const variant = (price: number) => ({ variants: [{ id: 7, sku: "B", price, options: [] }] });
    const sides = { known: variant(20), seen: variant(77), asked: { variants: [] } };
    expect(changeOf(product, sides).conflicts).toEqual([
      { path: "variants[B]", was: { sku: "B", price: 20 }, is: { sku: "B", price: 77 }, asked: undefined },
    ]);
  });

  test("an item that staff added stays in the shop with its id, and stays out of the state", () => {
    const own = { id: 7, code: "P", price: 1 };
    const theirs = { id: 8, code: "Q", price: 2 };
    const { kept, wanted, known } = merged(
      { parts: [own] },
      { parts: [own, theirs] },
      { parts: [{ code: "P", price: 3 }] },
    );
    expect(kept).toEqual([
      { path: "parts[Q]", was: undefined, is: { code: "Q", price: 2 }, asked: undefined },
    ]);
    expect(wanted).toEqual({ parts: [{ id: 7, code: "P", price: 3 }, { id: 8 }] });
    expect(known({ parts: [{ ...own, price: 3 }, theirs] })).toEqual({ parts: [{ ...own, price: 3 }] });
  });

  test("an item that staff deleted stays deleted, and stays in the state if the program didn't change it", () => {
    const old = { id: 7, code: "P", price: 1 };
    const { kept, wanted, known } = merged(
      { name: "a", parts: [old] },
      { name: "a", parts: [] },
      { name: "b", parts: [{ code: "P", price: 1 }] },
    );
    expect(paths(kept)).toEqual(["parts[P]"]);
    expect(wanted).toEqual({ name: "b", parts: [] });
    expect(known({ name: "b", parts: [] })).toEqual({ name: "b", parts: [old] });
  });

  test("a new item without a key is the shop's item with the same values, which a late write made", () => {
    const of = (...there: readonly Values[]) =>
      merged({ parts: [] }, { parts: there }, { parts: [{ code: "", price: 2, left: 5 }] });
    const own = { id: 8, code: "", price: 2, left: 4 };
    expect(of(own).wanted).toEqual({ parts: [{ code: "", price: 2, id: 8 }] });
    expect(of(own).kept).toEqual([]);
    // Another price, or a key, is another item: staff's.
    for (const theirs of [
      { ...own, price: 3 },
      { ...own, code: "T" },
    ]) {
      const { wanted, kept } = of(theirs);
      expect(wanted).toEqual({ parts: [{ code: "", price: 2, left: 5 }, { id: 8 }] });
      expect(kept).toHaveLength(1);
    }
  });

  test("an item without a key keeps its identity if staff add an equal one", () => {
    const [own, theirs] = [
      { id: 7, code: "", price: 2 },
      { id: 8, code: "", price: 2 },
    ];
    const { wanted, touched } = merged({ parts: [own] }, { parts: [theirs, own] }, { parts: [{ price: 2 }] });
    expect(wanted).toEqual({ parts: [{ price: 2, id: 7 }, { id: 8 }] });
    expect(touched).toEqual([]);
  });
});

describe("items of a list", () => {
  type Prices = Readonly<Record<string, number>>;
  const ids: Prices = { a: 7, b: 8, c: 9 };
  const listOf = (prices: Prices, numbered = true) =>
    Object.entries(prices).map(([code, price]) => ({ ...(numbered && { id: ids[code] }), code, price }));
  /** What a shop makes of what it is sent: items with a number are edited, others added, those left out removed. */
  const applied = (shop: readonly Values[], wanted: readonly Values[]) => [
    ...shop.flatMap((item) => {
      const edit = wanted.find(({ id }) => id === item.id);
      return edit === undefined ? [] : [{ ...item, ...edit }];
    }),
    ...wanted.filter(({ id }) => id === undefined),
  ];
  /** Every choice of one of these prices, or none, for each code. */
  const choices = (codes: readonly string[], prices: readonly (number | undefined)[]): readonly Prices[] =>
    combinations(...codes.map((code) => prices.map((price) => [code, price] as const))).map(
      (chosen) => Object.fromEntries(chosen.filter(([, price]) => price !== undefined)) as Prices,
    );

  test("the items end in the program's order if it changed the order, else in the shop's, without duplicates", () => {
    for (const was of choices(["a", "b"], [1, undefined]))
      for (const is of choices(["a", "b", "c"], [1, 2, undefined]))
        for (const asked of choices(["a", "b", "c"], [1, 3, undefined])) {
          const shop = listOf(is);
          const all = merged({ parts: listOf(was) }, { parts: shop }, { parts: listOf(asked, false) });
          const result = applied(shop, all.wanted.parts as readonly Values[]);
          const name = `${JSON.stringify(was)}, in the shop ${JSON.stringify(is)}, asked ${JSON.stringify(asked)}`;
          const [olds, news] = [Object.keys(was), Object.keys(asked)];
          // In the place of one that nobody asks for, in a list as long, stands the same one under a new name: with all
          // that staff made of it. Where they have one of that name, it is that one.
          const before = (code: string) => {
            const old = olds.length === news.length ? olds[news.indexOf(code)] : undefined;
            const isRenamed =
              old !== undefined && !(code in was) && !(old in asked) && !(code in is) && old in is;
            return isRenamed ? old : code;
          };
          const isElsewhere = (code: string) => !(code in asked) && news.some((one) => before(one) === code);
          const expected = Object.fromEntries(
            Object.keys(ids).flatMap((code) => {
              const own = before(code);
              const price = asked[code] === was[own] ? is[own] : asked[code];
              return price === undefined || isElsewhere(code) ? [] : [[code, price]];
            }),
          );
          expect(result.map(({ code }) => code).toSorted(), name).toEqual(Object.keys(expected).toSorted());
          expect(Object.fromEntries(result.map(({ code, price }) => [code, price])), name).toEqual(expected);
          // Nobody's edit is overwritten unseen.
          for (const code of Object.keys(ids)) {
            const own = before(code);
            const isLost = !isElsewhere(code) && is[own] !== was[own] && expected[code] !== is[own];
            if (isLost) expect(paths(all.conflicts).join(), `${name}: ${code}`).toContain(`[${code}]`);
          }
        }
  });
});

describe("edits that a delete would destroy", () => {
  const part = { id: 7, code: "P", price: 1, left: 5 };
  const base = { name: "a", stock: 1, sealed: "s", parts: [part], tags: [{ title: "t", value: "v" }] };
  const changed = (stated: string, seen: Values) =>
    changesByStaff(thing, { ...base, __stated: stated }, { ...base, ...seen }).map(({ path, was, is }) => [
      pathText(path),
      was,
      is,
    ]);

  test.each<readonly [stated: string, seen: Values, sides: readonly unknown[]]>([
    ["name", {}, []],
    ["name", { name: "b" }, [["name", "a", "b"]]],
    ["name", { name: undefined }, [["name", "a", undefined]]],
    ["", { name: "b" }, []],
    ["stock,sealed", { stock: 9, sealed: "other" }, []],
    ["tags,tags.title,tags.value", { tags: [{ title: "t", value: "w" }] }, [["tags[t].value", "v", "w"]]],
    ["parts,parts.code,parts.price", { parts: [{ ...part, price: 2 }] }, [["parts[P].price", 1, 2]]],
    ["parts,parts.code", { parts: [{ ...part, price: 2 }] }, []],
    ["parts,parts.left", { parts: [{ ...part, left: 2 }] }, []],
    ["parts,parts.price", { parts: [] }, [["parts[P]", { code: "P", price: 1, left: 5 }, undefined]]],
    ["parts,parts.price", { parts: undefined }, [["parts[P]", { code: "P", price: 1, left: 5 }, undefined]]],
    ["parts,parts.price", { parts: [part, { id: 8, code: "Q" }] }, [["parts[Q]", undefined, { code: "Q" }]]],
    // By its number: one that staff called otherwise is no other.
    ["parts,parts.code", { parts: [{ ...part, code: "Q" }] }, [["parts[P].code", "P", "Q"]]],
    // Staff deleted it and made it again.
    ["parts,parts.price", { parts: [{ ...part, id: 8 }] }, []],
    ["parts,parts.price", { parts: [{ ...part, id: 8, price: 2 }] }, [["parts[P].price", 1, 2]]],
  ])("deleting an object with the arguments %s that the shop has as %j reports %j", (stated, seen, sides) => {
    expect(changed(stated, seen)).toEqual(sides);
  });
});

test("a value that isn't known yet is compared later, whatever staff did", () => {
  const asked = { name: unknownValue, parts: unknownValue };
  const { kept, conflicts, touched, wanted, known } = merged({ name: "a", parts: [] }, { name: "b" }, asked);
  expect([kept, conflicts, wanted]).toEqual([[], [], asked]);
  expect(touched).toEqual([
    { path: "name", was: "a", is: "b", asked: unknownValue, isDone: false },
    { path: "parts", was: [], is: undefined, asked: unknownValue, isDone: false },
  ]);
  expect(known({ name: "c", parts: [1] })).toEqual({ name: "c", parts: [1] });
});

describe("JSON settings", () => {
  const page = kindOf(
    "Page",
    { content: text({ mode: "body" }), at: text({ mode: "computed" }) },
    { body: shownBody },
  );
  const json = (value: number | undefined, other = 0) =>
    JSON.stringify({ other, ...(value !== undefined && { value }) });
  const stateOf = (content: string) => ({
    sha256: sha256(content),
    isText: true,
    __leaves: printValueHashes(jsonValues(content) ?? new Map()),
  });
  const values = [1, 2, undefined];

  test.each(combinations<number | undefined>(values, values, values))(
    "a setting that the state has as %s, the shop as %s and the program as %s, beside one that staff changed",
    (was, is, asked) => {
      const [base, shown, mine] = [json(was), json(is, 1), json(asked)];
      const all = changeOf(page, {
        known: stateOf(base),
        seen: { content: shown },
        asked: { content: mine },
      });
      const byStaff = was !== is;
      const byProgram = was !== asked;
      if (!byProgram) {
        // Nothing of it is sent: staff's stays, and the state goes on knowing what the program wrote.
        expect(all.kept).toEqual([{ path: "content", was: sha256(base), is: shown, asked: mine }]);
        expect([all.conflicts, all.touched, all.wanted]).toEqual([[], [], {}]);
        expect(all.known({ content: shown, ...stateOf(shown) })).toMatchObject(stateOf(base));
        return;
      }
      const other = { path: "content: other", was: undefined, is: 1, asked: 0 };
      const value = { path: "content: value", was: undefined, is, asked };
      expect(all.kept).toEqual([other]);
      expect(all.conflicts).toEqual(byStaff && asked !== is ? [value] : []);
      expect(all.touched).toEqual([
        { path: "content", was: sha256(base), is: sha256(shown), asked: sha256(mine), isDone: false },
        // What both took away is nowhere to be told of.
        ...(asked === undefined && is === undefined ? [] : [{ ...value, isDone: asked === is }]),
      ]);
      const sent = JSON.parse(String(all.wanted.content)) as Values;
      expect(sent).toEqual(JSON.parse(json(asked, 1)));
      // Merged again with what was written, staff's value is still one that only they changed.
      const after = all.known({ content: JSON.stringify(sent), at: "/new" });
      const again = changeOf(page, {
        known: after,
        seen: { content: JSON.stringify(sent) },
        asked: { content: json(9) },
      });
      expect([paths(again.kept), paths(again.conflicts)]).toEqual([["content: other"], []]);
    },
  );

  const trees: readonly (Values | number | undefined)[] = [
    undefined,
    1,
    2,
    {},
    { b: 1 },
    { b: 2 },
    { b: 1, c: 1 },
    { c: 1 },
    { "b.c": { d: 1 } },
  ];
  test("merged settings have the changes of the program and of staff, or report a conflict", () => {
    for (const [was, is, asked] of combinations(trees, trees, trees)) {
      const [base, shown, mine] = [was, is, asked].map((a) => JSON.stringify({ a, z: 0 })) as [
        string,
        string,
        string,
      ];
      const all = changeOf(page, {
        known: stateOf(base),
        seen: { content: shown },
        asked: { content: mine },
      });
      const [old, theirs, own] = [base, shown, mine].map(
        (one) => jsonValues(one) as ReadonlyMap<string, string>,
      ) as [ReadonlyMap<string, string>, ReadonlyMap<string, string>, ReadonlyMap<string, string>];
      const told = all.conflicts.map(({ path }) => path);
      const byProgram = [...new Set([...old.keys(), ...own.keys()])].filter(
        (path) => own.get(path) !== old.get(path),
      );
      const byStaff = [...new Set([...old.keys(), ...theirs.keys()])].filter(
        (path) => theirs.get(path) !== old.get(path),
      );
      const name = `${base} ${shown} ${mine}`;
      if (byProgram.length === 0 || byStaff.length === 0 || mine === shown) continue;
      const result = jsonValues(String(all.wanted.content)) as ReadonlyMap<string, string>;
      for (const path of byProgram)
        if (own.has(path)) expect(result.get(path), `${name}: ${path}`).toBe(own.get(path));
      for (const path of byStaff)
        if (theirs.has(path) && !told.includes(`content: ${path}`))
          expect(result.get(path), `${name}: ${path}`).toBe(theirs.get(path));
    }
  });

  const block = (id: string, title: string, more: Values = {}) => ({ id, title, ...more });
  const [hero, list, end] = [block("hero", "Hi"), block("list", "All"), block("end", "Bye")];
  const merged = (known: Values, is: unknown, asked: unknown) => {
    const text = (blocks: unknown) => JSON.stringify({ blocks, z: 0 });
    const all = changeOf(page, { known, seen: { content: text(is) }, asked: { content: text(asked) } });
    return all.conflicts.length > 0 ? paths(all.conflicts) : JSON.parse(String(all.wanted.content)).blocks;
  };
  const base = [hero, list];

  test.each<[what: string, is: unknown, asked: unknown, expected: unknown]>([
    [
      "staff put one first",
      [end, hero, list],
      [hero, list, block("mid", "M")],
      [end, hero, list, block("mid", "M")],
    ],
    ["staff take one away, the program adds one", [list], [hero, list, end], [list, end]],
    ["the program takes one away, staff add one", [hero, list, end], [list], [list, end]],

    ["both move them alike, and the program adds one", [list, hero], [list, hero, end], [list, hero, end]],

    [
      "the program takes away an item that staff add a value to",
      [block("hero", "Hi", { wide: true }), list],
      [list, end],
      ["content: blocks[hero].wide"],
    ],
    ["staff move them, the program adds one", [list, hero], [hero, list, end], ["content: blocks[]"]],
    [
      "staff add one without an id",
      [hero, list, { title: "?" }],
      [hero, block("list", "B")],
      ["content: blocks"],
    ],
  ])("a list in settings is merged by the ids of its items: %s", (_what, is, asked, expected) => {
    const known = stateOf(JSON.stringify({ blocks: base, z: 0 }));
    const result = merged(known, is, asked);
    if (Array.isArray(expected) && typeof expected[0] === "string")
      expect(result).toEqual(expect.arrayContaining(expected));
    else expect(result).toEqual(expected);
  });

  test("settings that the state has only as hashes are reported with their new values", () => {
    const base = '{"a":1,"b":1}';
    const { kept } = changeOf(page, {
      known: stateOf(base),
      seen: { content: '{"a":2,"c":3}' },
      asked: { content: '{"a":1,"b":1,"d":4}' },
    });
    const sides = kept.map(({ path, was, is }) => side(path, was, is));
    expect(keptText({ definition: page, id: "7", args: {} }, sides)).toContain(
      "kept: content: a is 2 now; content: b was removed; content: c is 3 now; refresh",
    );
  });

  test("settings that are merged repeatedly stay known", () => {
    let state: Values = stateOf(json(0, 0));
    for (let value = 1; value < 5; value += 1) {
      const shown = json(value - 1, 7);
      const { known, wanted } = changeOf(page, {
        known: state,
        seen: { content: shown },
        asked: { content: json(value) },
      });
      expect(JSON.parse(String(wanted.content))).toEqual({ other: 7, value });
      state = known({ content: wanted.content });
    }
    expect(String(state.__leaves)).toHaveLength(String(stateOf(json(0)).__leaves).length);
  });

  test("settings that the shop already has are not written", () => {
    const all = changeOf(page, {
      known: stateOf(json(1)),
      seen: { content: json(2) },
      asked: { content: json(2) },
    });
    expect([all.kept, all.conflicts, all.wanted]).toEqual([[], [], {}]);
    expect(all.touched[0]).toMatchObject({ path: "content", isDone: true });
  });

  test("a text that is no JSON on one side is merged as a whole", () => {
    const all = changeOf(page, {
      known: stateOf(json(1)),
      seen: { content: "{" },
      asked: { content: json(2) },
    });
    expect(all.conflicts).toEqual([{ path: "content", was: sha256(json(1)), is: "{", asked: json(2) }]);
    expect(all.wanted).toEqual({ content: json(2) });
    const unmoved = changeOf(page, {
      known: { sha256: sha256("{") },
      seen: { content: "{" },
      asked: { content: json(2) },
    });
    expect([unmoved.conflicts, unmoved.kept, paths(unmoved.touched)]).toEqual([[], [], ["content"]]);
  });

  test("a text that the shop doesn't show is changed if its address is another", () => {
    const state = { sha256: "x", at: "/1" };
    const unstated = (at: string | undefined) =>
      changeOf(page, { known: state, seen: { at }, asked: {} }).kept;
    expect(unstated("/2")).toEqual([{ path: "content", was: "x", is: "/2", asked: undefined }]);
    expect([unstated("/1"), unstated(undefined)]).toEqual([[], []]);
    expect(
      paths(changeOf(page, { known: state, seen: { at: "/2" }, asked: { content: "new" } }).conflicts),
    ).toEqual(["content"]);
    expect(changeOf(page, { known: { sha256: "x" }, seen: { at: "/2" }, asked: {} }).kept).toEqual([]);
  });
});
