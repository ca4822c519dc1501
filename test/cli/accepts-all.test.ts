// For any pulled shop and any edits of staff: `accept` writes all of them, the next preview is empty, and git shows
// only the changed values.
import { expect, test } from "vitest";
import { full } from "../support/campaign.ts";
import { randomOf } from "../support/disk.ts";
import { begin, git } from "../support/git.ts";
import { awkward, messy } from "../support/messy.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal } from "./terminal.ts";

const from = Number(process.env.ACCEPT_FROM ?? 1);
const seeds = Array.from(
  { length: Number(process.env.ACCEPT_SEEDS ?? (full ? 50 : 1)) },
  (_none, index) => from + index,
);

test.each(seeds)("accept takes in whatever staff change of a pulled program: seed %i", async (seed) => {
  const random = randomOf(seed);
  const below = (most: number) => Math.floor(random() * most);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const words = () => one([...awkward, ...messy, "plain words", "", "two\nlines"]);
  const price = () => one([0, 0.01, 9.99, 10, 1234.5, 100_000]);
  const world = await openWorld();
  const { client } = world;
  for (let at = 0; at < 1 + below(6); at += 1)
    await client.products.create({
      title: `${one(messy)} ${at}`,
      description: words(),
      variants: Array.from({ length: 1 + below(4) }, (_none, index) => ({
        sku: `${one(messy).slice(0, 20)}-${at}-${index}`,
        price: price(),
        quantity: below(9),
      })),
    });
  for (let at = 0; at < below(5); at += 1)
    await client.coupons.create({
      code: `C ${one(messy)} ${at}`,
      discount: 1 + below(90),
      typeId: 1,
      description: words(),
    });
  for (let at = 0; at < below(3); at += 1)
    await client.jsTags.create({
      name: `tag ${at} ${one(messy)}`,
      type: "JsTag::TextTag",
      content: `/* ${at} */ ${words()}`,
    });

  const terminal = openTerminal("", world.env);
  await terminal.done("pull", "--force");
  begin(terminal.folder);
  await terminal.done("up", "--yes");

  const staff = async (kind: string, id: unknown, set: object) => {
    if (random() < 0.5) await world.edit({ kind, id, set });
  };
  for (const { id, variants } of world.rows("product")) {
    await staff("product", id, { description: words() });
    const [first, ...others] = variants as readonly object[];
    await staff("product", id, { variants: [{ ...first, price: price().toFixed(2) }, ...others] });
  }
  for (const { id } of world.rows("discount_code"))
    await staff("discount_code", id, { discount: `${1 + below(90)}.0`, description: words() });
  for (const { id } of world.rows("js_tag")) await staff("js_tag", id, { content: `/* staff */ ${words()}` });

  // With and without a refresh before it.
  if (random() < 0.5) await terminal.done("refresh", "--yes");
  const { stdout: said } = await terminal.done("accept", "--all", "--yes");
  const changes = Number(/Wrote (\d+) edit/.exec(said)?.[1] ?? 0);
  const hunks = git(terminal.folder, ["diff", "-U0"])
    .split("\n")
    .filter((line) => line.startsWith("@@"));
  expect(hunks.length, git(terminal.folder, ["diff", "-U0"])).toBeLessThanOrEqual(changes);
  await terminal.done("preview", "--refresh", "--expect-no-changes");
});
