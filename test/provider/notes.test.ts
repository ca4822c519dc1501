// Notes of creates survive a run. Unreadable ones stop creates and nothing else.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  isSentTo,
  type Note,
  type Notes,
  openNotes,
  pendingCreates,
  unconfirmed,
} from "../../provider/context/create-notes.ts";
import { diskNoteFile } from "../../provider/context/note-file.ts";
import type { Notice } from "../../provider/context/notices.ts";

test("an unreadable notes file is named once by what ends notes, and fails what reads them", async () => {
  // A folder with the file's name can't be opened by any user.
  const path = mkdtempSync(join(tmpdir(), "pulumi-shop-creates-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const said: string[] = [];
  const notes = openNotes(
    () => diskNoteFile(path),
    "1",
    (line) => said.push(line),
  );
  const text = expect.stringContaining(`the notes ${path} can't be read: EISDIR`);
  await notes.confirm("Coupon", "8841");
  expect(said).toEqual([text]);
  await notes.end("Coupon", "dev::spring");
  expect(said).toEqual([text]);
  expect(() => notes.of("Coupon", "dev::spring")).toThrow(`the notes ${path} can't be read`);
});

const shop = "https://a.test";
const at = 1_000_000_000;
const minute = 60_000;
test("a noted create belongs to a shop with the same address or the same account", () => {
  const sent = (from: string, here: string) => isSentTo(here, { shop: from });
  expect(sent("https://a.test#7", "https://b.test#7")).toBe(true);
  expect(sent("https://a.test#7", "https://a.test#8")).toBe(false);
  expect(sent("https://a.test", "https://b.test#7")).toBe(false);
  expect(sent("https://a.test", "https://a.test#7")).toBe(true);
});
const about = (of: string, more: Partial<Omit<Note, "id">> = {}): Omit<Note, "id"> => ({
  of,
  kind: "Coupon",
  shop,
  at,
  skewMs: 0,
  above: {},
  print: { by: ["code"], key: "k", content: "c", text: undefined },
  ...more,
});

/** Notes in memory, with a failing disk. */
function opened(text?: string) {
  const file = { text, opens: 0, fails: undefined as string | undefined };
  const said: string[] = [];
  const refuse = () => {
    if (file.fails !== undefined) throw new Error(file.fails);
  };
  const open = (by = "1") =>
    openNotes(
      () => {
        file.opens += 1;
        return {
          read: () => file.text,
          async append(line) {
            refuse();
            file.text = (file.text ?? "") + line;
          },
          clear(whole) {
            refuse();
            expect(whole).toBe(file.text);
            file.text = "";
          },
        };
      },
      by,
      (line) => said.push(line),
    );
  const lines = () =>
    (file.text ?? "")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  return { file, said, open, lines, notes: open() };
}
const named = (notes: readonly Note[]) => notes.map(({ of, id }) => `${of} ${id}`);

describe("a create", () => {
  test("a create is noted before it is sent, and its result afterwards", async () => {
    const { notes, lines, open, file } = opened();
    expect(file.opens).toBe(0);
    const first = await notes.begin(about("dev::a"));
    const second = await notes.begin(about("dev::b", { at: at + 1 }));
    const third = await notes.begin(about("dev::c", { at: at + 2 }));
    expect(named(notes.all())).toEqual(["dev::a undefined", "dev::b undefined", "dev::c undefined"]);
    await first.made("7");
    second.nothing();
    const { id: _id, ...note } = { id: undefined, ...about("dev::a") };
    expect(lines()).toEqual(
      JSON.parse(
        JSON.stringify([
          { begin: `1.${at}.1`, ...note },
          { begin: `1.${at + 1}.2`, ...about("dev::b", { at: at + 1 }) },
          { begin: `1.${at + 2}.3`, ...about("dev::c", { at: at + 2 }) },
          { made: `1.${at}.1`, id: "7" },
          { end: `1.${at + 1}.2` },
        ]),
      ),
    );
    expect(third).toBeDefined();
    for (const one of [notes, open()]) {
      expect(named(one.all())).toEqual(["dev::a 7", "dev::c undefined"]);
      expect(named(one.of("Coupon", "dev::a"))).toEqual(["dev::a 7"]);
      expect(named(one.of("Coupon", "dev::b"))).toEqual([]);
      expect(named(one.of("Page", "dev::a"))).toEqual([]);
    }
    // One file for this run, one for the next.
    expect(file.opens).toBe(2);
  });

  test("a create's result is known to the run even if the disk is full, with a warning", async () => {
    const { notes, file, said } = opened();
    const ending = await notes.begin(about("dev::a"));
    file.fails = "EIO: i/o error, write";
    await ending.made("7");
    expect(named(notes.all())).toEqual(["dev::a 7"]);
    await notes.end("Coupon", "dev::a");
    expect(said).toEqual(Array(2).fill("the note of a create can't be written: EIO: i/o error, write"));
  });
});

describe("notes of creates end", () => {
  const three = async () => {
    const scene = opened();
    const { notes } = scene;
    await (await notes.begin(about("dev::a"))).made("7");
    await notes.begin(about("dev::a", { at: at + 1 }));
    await (await notes.begin(about("dev::b"))).made("8");
    return scene;
  };

  test.each<readonly [string, (notes: Notes) => Promise<void>, readonly string[]]>([
    ["the state has an object", (notes) => notes.confirm("Coupon", "7"), ["dev::a undefined", "dev::b 8"]],

    ["it has another", (notes) => notes.confirm("Coupon", "9"), ["dev::a 7", "dev::a undefined", "dev::b 8"]],
    [
      "it has an object of another kind with this number",
      (notes) => notes.confirm("Product", "7"),
      ["dev::a 7", "dev::a undefined", "dev::b 8"],
    ],
    ["a resource needs them no more", (notes) => notes.end("Coupon", "dev::a"), ["dev::b 8"]],

    [
      "what became of them is found: then they have its object",
      (notes) => notes.found("Coupon", "dev::a", "7"),
      ["dev::a 7", "dev::a 7", "dev::b 8"],
    ],
  ])("where %s", async (_when, work, left) => {
    const { notes, open } = await three();
    await work(notes);
    expect(named(notes.all())).toEqual(left);
    expect(named(open().all())).toEqual(left);
  });

  test("nothing is written for a note that has ended already", async () => {
    const { notes, lines } = await three();
    await notes.found("Coupon", "dev::b", "8");
    expect(lines()).toHaveLength(5);
    await notes.end("Coupon", "dev::b");
    const length = lines().length;
    await notes.end("Coupon", "dev::b");
    await notes.confirm("Coupon", "8");
    await notes.found("Coupon", "dev::b", "9");
    expect(lines()).toHaveLength(length);
  });
});

describe("the first create of a run forgets old notes that have ended", () => {
  const old = async (endedAt: number) => {
    const scene = opened();
    await (await scene.notes.begin(about("dev::ended", { at: endedAt }))).made("7");
    await scene.notes.end("Coupon", "dev::ended");
    return scene;
  };
  const ages: readonly (readonly [string, number, boolean])[] = [
    ["one of more than a quarter of an hour ago", at - 15 * minute - 1, false],
    ["not one of a quarter of an hour ago", at - 15 * minute, true],
    ["not a young one", at - 1, true],
  ];

  test.each(ages)("%s", async (_which, endedAt, isKept) => {
    const { open, lines } = await old(endedAt);
    const notes = open("2");
    await notes.begin(about("dev::new"));
    expect(notes.isOfOther("Coupon", "7", "dev::x")).toBe(isKept);
    expect(named(notes.all())).toEqual(["dev::new undefined"]);
    const kept = isKept ? ["dev::ended", "made", "end"] : [];
    expect(lines().map((line) => line.of ?? Object.keys(line)[0])).toEqual([...kept, "dev::new"]);
  });

  test("and leaves them on disk as long as a note of another create is open", async () => {
    const { open, lines, notes } = await old(at - 16 * minute);
    await (await notes.begin(about("dev::open", { at: at - 16 * minute }))).made("8");
    const length = lines().length;
    const later = open("2");
    await later.begin(about("dev::new"));
    expect(named(later.all())).toEqual(["dev::open 8", "dev::new undefined"]);
    expect(later.isOfOther("Coupon", "7", "dev::x")).toBe(false);
    expect(lines()).toHaveLength(length + 1);
  });

  test("and leaves a file whose last line isn't whole: another process may be writing it", async () => {
    const { open, file } = await old(at - 16 * minute);
    file.text += '{"begin":"7';
    const before = file.text;
    await open("2").begin(about("dev::new"));
    expect(file.text?.startsWith(before ?? "?")).toBe(true);
  });

  test("but not those that another process of the run has written since it was read", async () => {
    const { open } = await old(at - 16 * minute);
    const [one, other] = [open("2"), open("3")];
    expect([one.all(), other.all()]).toEqual([[], []]);
    const spring = await one.begin(about("dev::spring"));
    await other.begin(about("dev::summer"));
    await spring.made("9");
    expect(named(open("4").all())).toEqual(["dev::spring 9", "dev::summer undefined"]);
  });
});

describe("at the end of a run", () => {
  const four = async () => {
    const { notes } = opened();
    await (await notes.begin(about("dev::has"))).made("1");
    await (await notes.begin(about("dev::group::lost"))).made("2");
    await notes.begin(about("dev::unknown"));
    await notes.begin(about("dev::failed"));
    await notes.begin(about("dev::group::broken"));
    await notes.begin(about("failed"));
    return notes;
  };

  test("creates in the state are confirmed, and only unreported ones remain to be shown", async () => {
    const notes = await four();
    const ended = { has: new Set(["Coupon:1", "Page:2"]), failed: new Set(["failed", "broken"]) };
    expect(named(await unconfirmed(notes, ended))).toEqual(["dev::group::lost 2", "dev::unknown undefined"]);
    expect(named(notes.all())).toEqual([
      "dev::group::lost 2",
      "dev::unknown undefined",
      "dev::failed undefined",
      "dev::group::broken undefined",
      "failed undefined",
    ]);
  });

  const adopts = (kind: string, of: string): Notice => ({ type: "adopts", kind, id: "5", of, sends: 1 });
  test.each<readonly [string, string, readonly string[], readonly Notice[], number]>([
    ["all", shop, [], [], 6],
    ["none of another shop's", "https://b.test", [], [], 0],
    ["all at a shop whose account no note knows", `${shop}#7`, [], [], 6],
    ["none of what the state has", shop, ["Coupon:1", "Coupon:2"], [], 4],
    ["all, where it has others of these ids", shop, ["Page:1"], [], 6],
    ["none of what a person said which object it is", shop, [], [adopts("Coupon", "dev::unknown")], 5],
    ["all, where that is of another kind", shop, [], [adopts("Page", "dev::unknown")], 6],
  ])("a run will ask of %s", async (_what, of, has, notices, count) => {
    expect(pendingCreates(await four(), [of], new Set(has), notices)).toBe(count);
  });
});
