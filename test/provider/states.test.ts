// What the state keeps of an object's body.
import { expect, test } from "vitest";
import { sha256 } from "../../provider/body/body.ts";
import { localFile, text } from "../../provider/definition/define.ts";
import { stateOf } from "../../provider/values/state.ts";
import { kindOf, shownBody } from "./kind.ts";

const bodied = kindOf(
  "Bodied",
  { key: text(), content: text({ mode: "body" }), file: localFile() },
  { body: shownBody, names: ["key"] },
);

test("the state keeps of a body its hash, that it is text, and its lines as hashes, but of a secret one no line", () => {
  expect(stateOf(bodied, { content: "a" }, {}, {})).toEqual({
    __stated: "content",
    sha256: sha256("a"),
    isText: true,
    __lines: expect.any(String),
  });
  // A line of a secret could be guessed from its hash.
  expect(stateOf(bodied, { content: "a", __secret: "content" }, {}, {})).not.toHaveProperty("__lines");
});
