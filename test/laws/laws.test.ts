// What holds for every definition: the next one is held to it without a line here.

import { existsSync, readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBodyName } from "../../provider/body/arguments.ts";
import { check } from "../../provider/change/check.ts";
import { diff } from "../../provider/change/diff.ts";
import { inputsOf, stateOf } from "../../provider/change/state.ts";
import type { Definition, Field, Fields } from "../../provider/definition/define.ts";
import { definitions } from "../../provider/resources/index.ts";
import { decode, encode, hyphenated, type Values } from "../../provider/wire/codec.ts";
import {
  type Printable,
  type PrintableFields as Printed,
  parse,
  parseJson,
  print,
} from "../../provider/wire/xml.ts";
import { resources } from "../support/world.ts";
import { alike, anyOf, argumentsOf, plainArguments, programOf } from "./arbitrary.ts";

const all = Object.values(definitions) as readonly Definition[];
const fileOf = (kind: string) => hyphenated(kind).replace(/^-/, "");
const project = { folder: "/nowhere" };

/** Kinds whose items say more than a program may ask for; what they leave stands in their decoded document. */
const leavesSome = new Set(["Product"]);

/** What a shop would answer to a request: the same values under the names of an answer. */
function echoed(fields: Fields, printed: Printed): Printed {
  const entries = Object.entries(fields).flatMap(([name, field]): [string, Printable][] => {
    const read = field.read ?? hyphenated(name);
    const value = printed[field.sent ?? read];
    if (value === undefined) return [];
    return [[read, echoedValue(field, value)]];
  });
  return Object.fromEntries(entries);
}

function echoedValue({ items }: Field, value: Printable): Printable {
  if (items?.fields === undefined || value === null || typeof value !== "object") return value;
  const list = value as { item: string; items: readonly Printed[] };
  return {
    item: items.element,
    items: list.items.map((entry) => echoed(items.fields as Fields, entry)),
  };
}

const readable = ({ fields }: Definition) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, field]) => !field.writeOnly && !field.items?.fields?.options),
  );

describe.each(resources)("$kind: names that it doesn't have", (definition) => {
  const refused = async (name: string) => {
    const { failures } = await check(definition, JSON.parse(`{${JSON.stringify(name)}: 1}`), project);
    return failures.filter(({ property }) => property === name).map(({ reason }) => reason);
  };

  test.each(["surprise", "toString", "constructor", "hasOwnProperty"])(
    "%s is an unknown argument",
    async (name) => {
      expect(await refused(name)).toEqual([expect.stringMatching(/^unknown argument[;,] /)]);
    },
  );

  test("a field that only the shop writes is an unknown argument", async () => {
    const given = Object.entries(definition.fields).filter(([, { mode }]) => mode === "computed");
    for (const [name] of given)
      expect([name, await refused(name)]).toEqual([name, ["is set by the shop; a program can't set it"]]);
  });
});

describe.each(all)("$kind: its documents", (definition) => {
  const folder = new URL("../fixtures/", import.meta.url);
  const xml = new URL(`${fileOf(definition.kind)}.xml`, folder);
  const json = new URL(`${fileOf(definition.kind)}.json`, folder);
  const fixture = () =>
    existsSync(xml)
      ? parse(readFileSync(xml, "utf8")).value
      : parseJson(readFileSync(json, "utf8"), definition.one);

  test("the recorded document decodes, each field to the type that interface.md gives it", () => {
    const decoded = new URL(`decoded/${fileOf(definition.kind)}.json`, folder);
    const { values, unknown } = decode(definition, fixture());
    // Written by `npm run generate`, read in its diff: never by the test that compares with it.
    expect(JSON.parse(JSON.stringify({ values, leftOver: unknown }))).toEqual(
      JSON.parse(readFileSync(decoded, "utf8")),
    );
  });

  test("no element of the recorded document is left over, except those that its decoded document lists", () => {
    const { unknown } = decode(definition, fixture());
    expect(unknown.length > 0).toBe(leavesSome.has(definition.kind));
  });

  test("an element that no field reads is reported as left over", () => {
    const strange = parse(`<${definition.one}><surprise>1</surprise></${definition.one}>`).value;
    expect(decode(definition, strange).unknown).toEqual(["surprise"]);
  });

  test("an empty document decodes to no values", () => {
    const { values } = decode(definition, parse(`<${definition.one}></${definition.one}>`).value);
    expect(
      Object.values(values).filter((value) => value !== undefined && JSON.stringify(value) !== "[]"),
    ).toEqual([]);
  });

  test("every field has a sentence above it in its definition", () => {
    const source = readFileSync(
      new URL(`../../provider/resources/${fileOf(definition.kind)}.ts`, import.meta.url),
      "utf8",
    );
    const bare = [
      ...source.matchAll(
        /^(.*)\n\s+(\w+): (?:dimensions|text|integer|decimal|boolean|flag|date|time|oneOf|oneOfNumbers|localFile|items|integers|nested)\(/gm,
      ),
    ]
      .filter(([, above]) => !/\*\/\s*$/.test(above ?? "") && !/\bact\(/.test(above ?? ""))
      .map(([, , name]) => name);
    expect(bare).toEqual([]);
  });

  test("every allowed value says what it means", () => {
    const silent = Object.entries(definition.fields).flatMap(([name, { values }]) =>
      Object.entries(values ?? {})
        .filter(([, meaning]) => meaning.trim() === "")
        .map(([value]) => `${name} ${value}`),
    );
    expect(silent).toEqual([]);
  });
});

describe.each(resources)("$kind: its arguments", (definition) => {
  const { fields } = definition;
  const read = readable(definition);

  test("decoding a printed document gives back the encoded arguments", () => {
    fc.assert(
      fc.property(argumentsOf(read), (values) => {
        const sent = echoed(fields, encode(fields, values));
        const { values: back } = decode(definition, parse(print(definition.one, sent)).value);
        expect(pick(back, values)).toEqual(values);
      }),
    );
  });

  test("encode never sends a field that only the shop writes", () => {
    const computed = Object.entries(fields).filter(
      ([, { mode }]) => mode === "computed" || mode === "derived" || mode === "program",
    );
    const values = Object.fromEntries(computed.map(([name]) => [name, "x"]));
    expect(encode(fields, values)).toEqual({});
  });

  test("checking arguments twice is the same as once, and valid arguments have no failure", async () => {
    await fc.assert(
      fc.asyncProperty(programOf(definition), async (values) => {
        const once = await check(definition, values, project);
        expect(once.failures).toEqual([]);
        expect(await check(definition, once.inputs, project)).toEqual(once);
      }),
    );
  });

  test("equal arguments have no difference, also after the shop added its own fields and after a refresh", async () => {
    await fc.assert(
      fc.asyncProperty(programOf(definition, alike), argumentsOf(fields), async (values, others) => {
        const { inputs } = await check(definition, values, project);
        const seen = answerTo(definition, { ...others, ...inputs });
        const state = stateOf(definition, inputs, seen, {});
        expect(diff(definition, state, inputs)).toEqual({ type: "none" });
        const read = stateOf(definition, state, seen, state);
        expect(diff(definition, read, inputs)).toEqual({ type: "none" });
        // What a refresh hands the engine as inputs is what the program states: no perpetual diff.
        expect(inputsOf(definition, read, seen)).toEqual(stillReadable(definition, inputs));
        // And what the SDK said of the resource beside them: the real engine writes its state again for each that is missing.
        const said = { __of: "dev::a", __ignored: "title", __secret: "title" };
        const told = stateOf(definition, { ...inputs, ...said }, seen, {});
        expect(inputsOf(definition, stateOf(definition, told, seen, told), seen)).toMatchObject(said);
      }),
    );
  });

  test("one changed argument is one difference, with the path and the effect that its definition gives it", () => {
    for (const [name, field] of plainArguments(fields)) {
      const required = Object.fromEntries(
        plainArguments(fields)
          .filter(([, { mode }]) => mode === "required")
          .map(([key, one]) => [key, fc.sample(anyOf(one), { numRuns: 1, seed: 7 })[0]]),
      );
      const [before, after] =
        fc.sample(
          fc.uniqueArray(anyOf(field), {
            minLength: 2,
            maxLength: 2,
            selector: (value) => JSON.stringify(value),
          }),
          { numRuns: 1, seed: 7 },
        )[0] ?? [];
      const state = stateOf(
        definition,
        { ...required, [name]: before },
        answerTo(definition, { ...required, [name]: before }),
        {},
      );
      const verdict = diff(definition, state, { ...required, [name]: after });
      const inPlace =
        field.updateVia !== undefined || (definition.operations.edit !== undefined && !field.replaces);
      expect(verdict.type, name).toBe(inPlace ? "update" : "replace");
      if (verdict.type === "none") continue;
      expect([...new Set(verdict.paths.map(([top]) => top))], name).toEqual([name]);
    }
  });

  test("an argument that the program leaves out is no difference", async () => {
    await fc.assert(
      fc.asyncProperty(programOf(definition), async (values) => {
        const { inputs } = await check(definition, values, project);
        const state = stateOf(definition, inputs, answerTo(definition, inputs), {});
        for (const [name, { mode }] of Object.entries(fields)) {
          if (mode !== "optional" || inputs[name] === undefined) continue;
          const { [name]: _gone, ...fewer } = inputs;
          expect(diff(definition, state, fewer), name).toEqual({ type: "none" });
        }
      }),
    );
  });

  test("a text joined to an output or an object is refused at any depth, with its path and what to write instead", async () => {
    const [values] = fc.sample(programOf(definition), { numRuns: 1, seed: 7 });
    const whole = pulumi.output("mug");
    for (const [text, cure] of [
      [`<a href="${whole}">`, "pulumi.interpolate"],
      [JSON.stringify({ whole }), "pulumi.jsonStringify"],
      ["[object Object]-2", "join one of its values"],
      ["Calling __str__ on an Output[T] is not supported.", "pulumi.Output.concat"],
    ] as const)
      for (const [path, joined] of withText({ ...values, adopt: "8841" }, text)) {
        const { failures } = await check(definition, joined as Values, project);
        // A script may say what an object is as a text.
        if (isBodyName(path) && text.startsWith("[object")) continue;
        expect(failures, path).toEqual([{ property: path, reason: expect.stringContaining(cure) }]);
      }
    const owned = await check(
      definition,
      { ...values, __of: `urn:pulumi:dev::p::${definition.kind}::a-${whole}` },
      project,
    );
    expect(owned.failures).toEqual([
      { property: "", reason: expect.stringContaining("a string of the program") },
    ]);
    const named = await check(definition, { ...values, prices: { [`${whole}`]: 1 } }, project);
    expect(named.failures).toMatchObject([
      { property: "prices", reason: expect.stringContaining("has a key made from an Output") },
    ]);
  });

  test("all wrong arguments are reported at once, each with its path", async () => {
    const wrong = Object.fromEntries(plainArguments(fields).map(([name]) => [name, { no: "value" }]));
    const { failures } = await check(definition, { ...wrong, surprise: 1 }, project);
    const told = new Set(failures.map(({ property }) => /^\w+/.exec(property)?.[0]));
    expect(
      [...plainArguments(fields).map(([name]) => name), "surprise"].filter((name) => !told.has(name)),
    ).toEqual([]);
    expect(failures.filter(({ reason }) => reason.length < 10)).toEqual([]);
  });
});

/** Each place in some values where a text could stand, with the values that have this text there. */
function withText(values: unknown, text: string, path = ""): readonly (readonly [string, unknown])[] {
  if (typeof values !== "object" || values === null) return [[path, text]];
  return Object.entries(values).flatMap(([name, value]) => {
    const step = Array.isArray(values) ? `[${name}]` : path === "" ? name : `.${name}`;
    return withText(value, text, path + step).map(
      ([at, inner]) =>
        [
          at,
          Array.isArray(values)
            ? values.map((one: unknown, index) => (String(index) === name ? inner : one))
            : { ...values, [name]: inner },
        ] as const,
    );
  });
}

/** A body that no answer carries is known by its hash only. */
function stillReadable({ body }: Definition, { content, ...inputs }: Values): Values {
  return content === undefined || (body !== undefined && body.text === undefined)
    ? inputs
    : { ...inputs, content };
}

/** An answer to what was sent: what a shop doesn't read back is not in it. */
function answerTo(definition: Definition, values: Values): Values {
  const entries = Object.entries(values).filter(([name]) => {
    const field = definition.fields[name];
    return (
      field !== undefined &&
      !field.writeOnly &&
      field.mode !== "program" &&
      field.mode !== "client" &&
      (field.mode !== "body" || definition.body?.text === name)
    );
  });
  return { id: 1, ...Object.fromEntries(entries) };
}

const pick = (values: Values, like: Values) =>
  Object.fromEntries(Object.keys(like).map((name) => [name, values[name]]));
