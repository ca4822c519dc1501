// Property values: equality, differences, secrets, paths.

import { describe, expect, test } from "vitest";
import { pathSteps } from "../../engine/pulumi/path.ts";
import {
  annotateSecrets,
  bareProperties,
  changes,
  encrypted,
  equal,
  hasSecret,
  hasUnknown,
  isObject,
  isSecret,
  joinPath,
  mapValue,
  plain,
  restore,
  secret,
  secretValue,
  touches,
  unknownText,
  type Value,
} from "../../engine/values/values.ts";

const signature = "4dabf18193072939515e22adb298388d";

/** As sent by the SDK: undefined if not yet known. */
const outputValue = (value: Value | undefined, isSecretOne: boolean, dependencies: readonly string[]) => ({
  [signature]: "d0e6a833031e9bbcd3f4e8bde6ca49a4",
  ...(value !== undefined && { value }),
  ...(isSecretOne && { secret: true }),
  dependencies,
});

test("secrets are objects with Pulumi's signature", () => {
  expect(secret(1)).toEqual({ [signature]: "1b47061264138c4ac30d75fd1eb44270", value: 1 });
  expect(secret(secret(1))).toEqual(secret(1));
  expect(encrypted("x")).toEqual({ [signature]: "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" });
  expect(secretValue({ [signature]: "1b47061264138c4ac30d75fd1eb44270" })).toBeNull();
  expect([secret(1), outputValue(1, true, []), { a: 1 }, [1], null, 1].map((one) => isSecret(one))).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
  expect([{}, [], null, "x", undefined].map((one) => isObject(one))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test.each<[Value | undefined, Value | undefined, boolean]>([
  [null, {}, false],
  [[], {}, false],
  [{}, [], false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[1], [1, 2], false],
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [secret(1), secret(2), false],
])("%j equals %j: %j", (one, other, expected) => {
  expect(equal(one, other)).toBe(expected);
});

describe("differences of properties", () => {
  test("differences are listed leaf by leaf, as added, deleted or updated, in the old order", () => {
    const olds = { gone: 1, n: 1, same: [1], deep: { a: 1, b: 1 } };
    const news = { more: 2, n: 2, same: [1], deep: { a: 1, b: 2 } };
    expect(changes(olds, news)).toEqual([
      { path: "gone", kind: "delete", old: 1 },
      { path: "n", kind: "update", old: 1, new: 2 },
      { path: "deep.b", kind: "update", old: 1, new: 2 },
      { path: "more", kind: "add", new: 2 },
    ]);
  });

  test("lists are compared item by item", () => {
    expect(changes({ l: [1, 2] }, { l: [1, 3, 4] })).toEqual([
      { path: "l[1]", kind: "update", old: 2, new: 3 },
      { path: "l[2]", kind: "add", new: 4 },
    ]);
    expect(changes({ l: [1, 2] }, { l: [1] })).toEqual([{ path: "l[1]", kind: "delete", old: 2 }]);
  });

  test("values of different types, and secrets, differ as a whole", () => {
    for (const [old, next] of [
      [{ a: 1 }, [1]],
      [[1], { a: 1 }],
      [{ a: 1 }, 1],
      [[1], 1],
      [secret({ a: 1 }), { a: 2 }],
      [{ a: 1 }, secret({ a: 2 })],
      [secret({ a: 1 }), secret({ a: 2 })],
    ] as const)
      expect(changes({ v: old }, { v: next })).toEqual([{ path: "v", kind: "update", old, new: next }]);
  });

  test("properties that begin with two underscores are not compared", () => {
    expect(changes({ __own: 1, _a: 1 }, { __own: 2, __more: 1, _a: 2 }).map(({ path }) => path)).toEqual([
      "_a",
    ]);
  });
});

describe("property paths", () => {
  test("keys that are no identifiers are quoted", () => {
    expect(joinPath("", "a")).toBe("a");
    expect(joinPath("a", "b-c$")).toBe("a.b-c$");
    expect(joinPath("a", "b.c")).toBe('a["b.c"]');
    expect(joinPath("", '1"')).toBe('["1\\""]');
    expect(joinPath("a", "")).toBe('a[""]');
  });

  test("a path has names, quoted names, positions and wildcards", () => {
    expect(pathSteps('a.b[0]["c.d"][*].e')).toEqual(["a", "b", "0", "c.d", "*", "e"]);
    expect(pathSteps("list[12].n")).toEqual(["list", "12", "n"]);
    expect(pathSteps('[""]')).toEqual([""]);
    expect(pathSteps('list["1/2\\" pipe"].n')).toEqual(["list", '1/2" pipe', "n"]);
    expect(pathSteps("")).toEqual([]);
  });

  test.each([
    ["a", "a", true],
    ["a.b", "a.c", false],
    ["a", "b", false],
    ["a[*].n", "a[3].n", true],
  ])("the pattern %s touches a change of %s: %j", (pattern, path, expected) => {
    expect(touches(pattern, path)).toBe(expected);
  });
});

describe("ignoreChanges restores old values", () => {
  test.each<[what: string, path: string, news: Value, olds: Value, expected: Value]>([
    ["an entry", "a[1]", { a: [2, 2] }, { a: [1, 1, 1] }, { a: [2, 1] }],
    [
      "of every entry that there was",
      "a[*].n",
      { a: [{ n: 2, m: 2 }, { n: 2 }] },
      { a: [{ n: 1, m: 1 }] },
      { a: [{ n: 1, m: 2 }, { n: 2 }] },
    ],
    ["nothing inside of what has nothing", "a.b", { a: 2 }, { a: { b: 1 } }, { a: 2 }],
    ["nothing inside of a secret", "a.b", { a: secret({ b: 2 }) }, { a: { b: 1 } }, { a: secret({ b: 2 }) }],
    ["nothing out of a secret", "a.b", { a: { b: 2 } }, { a: secret({ b: 1 }) }, { a: { b: 2 } }],
  ])("%s: %s", (_what, path, news, olds, expected) => {
    expect(restore(news, olds, pathSteps(path))).toEqual(expected);
  });
});

describe("secrets in properties", () => {
  test("secrets are found and unwrapped at any depth, and values without secrets stay as they are", () => {
    const deep = { a: [{ b: secret([1]) }], c: 1 };
    expect([deep, [1, secret(2)], secret(1), { a: [1] }, null, "x"].map((one) => hasSecret(one))).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(bareProperties(deep)).toEqual({ a: [{ b: [1] }], c: 1 });
    const open = { a: [1] };
    expect(bareProperties(open)).toBe(open);
  });

  test("secret inputs make the outputs of the same name secret, as precisely as possible", () => {
    const inputs = {
      s: secret(1),
      deep: { s: secret(1), o: 1 },
      list: [secret(1)],
      open: [1],
      gone: secret(1),
    };
    const outputs = { s: 2, deep: { s: 2, o: 2, more: 2 }, list: [2, 2], open: [2], more: 2 };
    expect(annotateSecrets(outputs, inputs)).toEqual({
      s: secret(2),
      deep: { s: secret(2), o: 2, more: 2 },
      list: secret([2, 2]),
      open: [2],
      more: 2,
    });
    expect(annotateSecrets({ deep: 2 }, { deep: { s: secret(1) } })).toEqual({ deep: secret(2) });
    expect(annotateSecrets({ deep: secret(2) }, { deep: { s: secret(1) } })).toEqual({ deep: secret(2) });
    expect(annotateSecrets({ deep: { s: 2 } }, { deep: [secret(1)] })).toEqual({ deep: secret({ s: 2 }) });
  });
});

describe("values of the protocol", () => {
  test("output values become plain values, secrets or unknowns at any depth", () => {
    expect(
      plain({
        known: outputValue(1, false, ["urn"]),
        hidden: [outputValue("x", true, [])],
        unknown: outputValue(undefined, false, []),
        both: outputValue(undefined, true, []),
        rest: secret(1),
      }),
    ).toEqual({
      known: 1,
      hidden: [secret("x")],
      unknown: unknownText,
      both: secret(unknownText),
      rest: secret(1),
    });
  });

  test("values are mapped from the leaves up", () => {
    const seen: Value[] = [];
    mapValue({ a: [1, { b: 2 }] }, (value) => {
      seen.push(value);
      return typeof value === "number" ? value * 10 : value;
    });
    expect(seen).toEqual([1, 2, { b: 20 }, [10, { b: 20 }], { a: [10, { b: 20 }] }]);
    const unknowns = [unknownText, [1, unknownText], { a: { b: unknownText } }, { a: [1] }, null, undefined];
    expect(unknowns.map((one) => hasUnknown(one))).toEqual([true, true, true, false, false, false]);
  });
});

describe("keys with the names of Object's members", () => {
  // Parsed from JSON: in a literal, __proto__ wouldn't be a key.
  const object = (key: string, value: unknown) =>
    JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(value)}}`);

  test.each(["toString", "constructor", "hasOwnProperty", "__proto__", "valueOf"])("%s", (key) => {
    const one = object(key, 1);
    expect(equal(one, {})).toBe(false);
    expect(equal(one, object(key, 1))).toBe(true);
    const visible = !key.startsWith("__");
    expect(changes({}, one)).toEqual(visible ? [{ path: key, kind: "add", new: 1 }] : []);
    expect(changes(one, {})).toEqual(visible ? [{ path: key, kind: "delete", old: 1 }] : []);
    expect(JSON.stringify(restore(one, {}, ["*"]))).toBe("{}");
    expect(JSON.stringify(restore({}, one, [key]))).toBe(JSON.stringify(one));
    expect(JSON.stringify(restore(object(key, 2), one, [key]))).toBe(JSON.stringify(one));
    expect(JSON.stringify(annotateSecrets(one, {}))).toBe(JSON.stringify(one));
  });
});
