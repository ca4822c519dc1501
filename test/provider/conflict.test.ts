// What a person reads of an edit in the shop that the program would undo, or that it left alone: three values, and the way on.
import { describe, expect, test } from "vitest";
import { pathIn } from "../../engine/pulumi/path.ts";
import type { FieldChange } from "../../provider/change/field-change.ts";
import type { Plan } from "../../provider/context/plan.ts";
import { items, text } from "../../provider/definition/define.ts";
import {
  ConflictError,
  conflictOf,
  keptText,
  RefusalError,
  refuseConflict,
} from "../../provider/lifecycle/conflict.ts";
import type { Values } from "../../provider/wire/codec.ts";
import { scene } from "./answers.ts";
import { kindOf, shownBody } from "./kind.ts";

const page = kindOf(
  "Page",
  {
    name: text(),
    content: text({ mode: "body" }),
    at: text({ mode: "computed" }),
    parts: items({ code: text(), price: text() }, { element: "part", key: "code" }),
  },
  { body: shownBody },
);
const bare = kindOf("Bare", { name: text() });
const nobody = () => {
  throw new Error("nothing is to be asked");
};
const side = (path: string, was: unknown, is: unknown, asked?: unknown): FieldChange => ({
  path: pathIn(path),
  was,
  is,
  asked,
  verdict: "conflict",
});
const opened = (plan: Partial<Plan> = {}, old?: string) => {
  const { shop } = scene(nobody, { plan });
  if (old !== undefined) shop.memory.texts.set("Page dev::home", old);
  return shop;
};
const home = { __of: "dev::home" };
const met = (args: Values, seen: Values = {}) => ({ id: "7", seen, args });

const way = (name: string) =>
  "To accept the shop's values, write them into the program, as pulumi-shop accept does. A refresh reads the edits of staff into the state: " +
  "the next up marks those that it puts back, or leaves them with --keep (SHOP_KEEP). To send the program's values without " +
  `reviewing the shop's: SHOP_OVERWRITE=Page:7 in the environment${name}, or shop:conflicts set to overwrite`;

const endWay = (name: string) =>
  `To delete it anyway: SHOP_OVERWRITE=Page:7 in the environment${name}, or shop:conflicts set to overwrite. To keep ` +
  "it, put it back into the program, or remove it from the state";

describe("a conflicting update", () => {
  const told = (
    sides: readonly FieldChange[],
    args: Values = home,
    old?: string,
    olds: Values | null = {},
  ): string => {
    try {
      refuseConflict(
        { definition: page, shop: opened({}, old), ...met(args), olds: olds ?? undefined },
        sides,
      );
      return "";
    } catch (error) {
      expect(error).toBeInstanceOf(RefusalError);
      expect((error as ConflictError).name).toBe("ConflictError");
      return (error as Error).message;
    }
  };
  const whole = (line: string, name = " (--overwrite home for pulumi-shop)") =>
    `conflict: Page 7 was changed in the shop since the last run, where the program changes it too:\n${line}\n` +
    `Nothing was sent for it. ${way(name)}`;

  test.each<readonly [string, FieldChange, Values, line: string]>([
    [
      "a value",
      side("name", "a", "b", "c"),
      home,
      '  name: was "a", is "b" in the shop, the program asks for "c"',
    ],

    [
      "a secret, by its name",
      side("name", "a", "b", "c"),
      { ...home, __secret: "name" },
      "  name: [secret], changed in the shop, and in the program to a third value",
    ],
  ])("a conflicting update is refused with all three values: %s", (_what, one, args, line) => {
    expect(told([one], args)).toBe(whole(line));
  });

  const theirs = "one\ntwo of the shop\nthree\n";
  const ours = "one\ntwo of ours\nthree\n";
  const old = "one\ntwo\nthree\n";
  const hunk = (before: string, after: string) =>
    `    @@ -1,3 +1,3 @@\n     one\n    -${before}\n    +${after}\n     three`;

  test("a conflicting text is compared with the old text if the state's arguments have it", () => {
    expect(told([side("content", "hash", theirs, ours)], home, old)).toBe(
      whole(
        `  content: changed in the shop:\n${hunk("two", "two of the shop")}\n  content: changed in the program:\n${hunk("two", "two of ours")}`,
      ),
    );
  });

  test("a long text is shortened to a readable length in a conflict", () => {
    const many = (word: string) => Array.from({ length: 60 }, (_none, line) => `${word}${line}`).join("\n");
    const lines = told([side("content", "hash", many("a"), many("b"))]).split("\n");
    expect(lines.filter((line) => /^ {4}[-+][ab]\d/.test(line))).toHaveLength(39);
    expect(lines).toContain("    ... and 83 more lines");
    const asThree = told([side("content", "hash", many("a"), many("b"))], home, many("c")).split("\n");
    expect(asThree.filter((line) => line === "    ... and 83 more lines")).toHaveLength(2);
  });
});

describe("a conflicting delete", () => {
  const whole = (end: string, line: string, name = " (--overwrite home for pulumi-shop)") =>
    `conflict: Page 7 would be ${end}, but was changed in the shop since the last run:\n${line}\nIt was not ${end}. ${end === "deleted" ? endWay(name) : way(name)}`;

  const ended = (
    of: typeof page | typeof bare,
    at: ReturnType<typeof met>,
    sides: readonly FieldChange[],
    old?: string,
  ) =>
    (["delete", "replace"] as const).map(
      (withheld) =>
        new ConflictError(
          conflictOf({ definition: of, shop: opened({}, old), ...at, olds: {} }, { sides, withheld }),
        ).message,
    );

  test.each<readonly [string, readonly FieldChange[], Values, line: string]>([
    ["a value", [side("name", "a", "b")], home, '  name: was "a", is now "b"'],
    ["a value that is no more", [side("name", "a", undefined)], home, '  name: was "a", is now unset'],
    [
      "an item that staff added",
      [side("parts[P]", undefined, { code: "P" })],
      home,
      '  parts[P]: was unset, is now {"code":"P"}',
    ],
  ])("a delete or replacement of an object that staff changed is refused: %s", (_what, sides, olds, line) => {
    expect(ended(page, met(olds), sides)).toEqual([whole("deleted", line), whole("replaced", line)]);
  });

  test("a conflicting delete shows the shop's text against the text of the last run, if that is known", () => {
    const text = [side("content", "hash", "theirs\nmine\n")];
    const at = met(home, { content: "theirs\nmine\n" });
    expect(ended(page, at, text)[0]).toContain(
      "  content: is now in the shop:\n    @@ -0,0 +1,2 @@\n    +theirs\n    +mine\n",
    );
    expect(ended(page, at, text, "ours\nmine\n")[1]).toContain("    -ours\n    +theirs\n     mine\n");
    expect(ended(page, met(home, { content: "one" }), text)[0]).toContain('  content: is now "one"\n');
    expect(ended(page, met({ ...home, __secret: "content" }, { content: "one" }), text)[0]).toContain(
      "  content: a secret value was changed\n",
    );
  });
});

test.each<readonly [string, readonly FieldChange[], Values, string]>([
  [
    "a text",
    [{ ...side("content", "x", "y"), texts: { is: "a", asked: "b" } }],
    {},
    "content (another text)",
  ],
  ["other lines of a text", [side("content", "x", "y")], {}, "content (other lines)"],
])(
  "an edit of staff that the program doesn't change is kept and reported: %s",
  (_what, sides, args, words) => {
    expect(keptText({ definition: page, id: "7", args }, sides)).toBe(
      `Page 7: changed in the shop since the last run and kept: ${words}; refresh takes it into the state`,
    );
    // A refresh has taken it in already.
    expect(
      keptText(
        { definition: page, id: "7", args },
        sides.map((one) => ({ ...one, isRead: true })),
      ),
    ).toBe(`Page 7: staff's edits stay in the shop: ${words}`);
  },
);
