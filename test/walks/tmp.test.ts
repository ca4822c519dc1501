import { test } from "vitest";
import { openHouse } from "./house.ts";
import { begin, crash, crashesOf, nexts, stories, nameOf } from "./crash-campaign.ts";
test("x", async () => {
  for (const name of ["destroy", "edit"]) {
  const story = stories.find((s) => s.name === name)!;
  const house = openHouse();
  const b = await begin(house, story);
  const some = crashesOf(b.effects).filter((c) => c.effect.name === "request" && c.how === "after" && c.left === "all" && c.effect.number % 4 === 0);
  for (const one of some) for (const t of await crash(house, story, b, one, nexts.filter((n) => ["the same", "the program of before", "an edited program"].includes(n.name) )))
    for (const [k, v] of Object.entries(t.verdict)) if (Array.isArray(v) && k !== "orphaned") for (const x of v) console.log(nameOf(t), k, x);
  }
});
