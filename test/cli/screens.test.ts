// More than fifty mistakes, each with its complete output: where, what was given, what to write instead.
import { describe, expect, test } from "vitest";
import { campaignTest, partOf } from "../support/campaign.ts";
import { forms, storyForms } from "../support/forms.ts";
import type { World } from "../support/world.ts";
import {
  doubtfulArguments,
  doubtfulItems,
  doubtsScreen,
  wrongArguments,
  wrongArgumentsScreen,
} from "./argument-screens.ts";
import { furtherCommands, furtherFiles, furtherPrograms } from "./further-screens.ts";
import { moreCommands, moreFiles, morePrograms, notUtf8, projectFiles, stackFiles } from "./more-screens.ts";
import { args, commands, ends, program, programs, settings } from "./screens.ts";
import { openScene, type Ran } from "./terminal.ts";
import { typeFiles, typePrograms } from "./type-screens.ts";

async function open(text: string, plugins = "") {
  const { world, terminal } = await openScene(text);
  terminal.write("theme/page.about.liquid", "x");
  terminal.write(
    "prices.ts",
    'export const prices = 1;\nexport const check = () => { throw "no prices"; };\n',
  );
  for (const [path, content] of Object.entries({ ...moreFiles, ...furtherFiles, ...typeFiles }))
    terminal.write(path, content);
  terminal.write("Pulumi.yaml", terminal.read("Pulumi.yaml") + plugins);
  terminal.write("Pulumi.staging.yaml", "config: {}\n");
  const shown = ({ code, stdout, stderr }: Ran) => ({
    code,
    stdout,
    screen: plain(stderr, terminal.folder, world),
  });
  const run = async (...words: readonly string[]) => shown(await terminal.run(...words));
  const start = async (...words: readonly string[]) => shown(await terminal.start(...words));
  await run("preview", "--stack", "dev", "--create");
  return { terminal, run, start };
}

/** The output without the parts that differ in each run. */
const plain = (text: string, folder: string, { url }: World): readonly string[] =>
  text
    .replaceAll(/\?run=\w+/g, "")
    .replaceAll(/\(id \d+/g, "(id N")
    // The await or the call: each form knows another of the two.
    .replaceAll(/(?<=at index\.ts:\d+:)\d+/g, "N")
    .replaceAll(/(\n {4}at index\.ts:\d+:N)\1+/g, "$1")
    .replaceAll(/the commands are .*/g, "the commands are ...")
    .replaceAll(folder, "FOLDER")
    .replaceAll(url, "URL")
    .trimEnd()
    .split("\n");
/** The lines below the heading `Values to check:`. */
const valuesToCheck = (stdout: string): readonly string[] =>
  (/Values to check:\n((?: {5}.*\n)*)/.exec(stdout)?.[1] ?? "")
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [line.slice(5)]));
const failed = (screens: readonly (readonly string[])[]) => [
  "Failed:",
  ...screens.flat().map((line) => `  ${line}`),
  "Nothing was changed in the shop.",
];

describe("a mistake has one screen", () => {
  test.each(forms)(
    "each wrong argument stands under its line and its resource, with what was given and what is expected: %s",
    async (_form, plugins) => {
      const { run } = await open(program(...args.flatMap(({ code }) => code)), plugins);
      const { code, screen } = await run("preview", "--stack", "dev");
      expect(code).toBe(1);
      expect(screen).toEqual(failed(args.map((one) => one.screen)));
    },
  );

  test.each(storyForms)("further wrong arguments, in one program: %s", async (_form, plugins) => {
    const { run } = await open(program(...wrongArguments), plugins);
    const { code, screen } = await run("preview", "--stack", "dev");
    expect(code).toBe(1);
    expect(screen).toEqual(wrongArgumentsScreen);
  });

  test.each(storyForms)(
    "a preview warns once of a value that a shop may refuse, change or show garbled: %s",
    async (_form, plugins) => {
      const all = [...doubtfulArguments, ...doubtfulItems];
      const { run } = await open(program(...all), plugins);
      const { code, stdout } = await run("preview", "--stack", "dev");
      expect(code).toBe(0);
      expect(valuesToCheck(stdout)).toEqual(doubtsScreen);
      expect((await run("up", "--stack", "dev", "--yes", "--exclude", "g15")).code).toBe(0);
      const later = await run("preview", "--stack", "dev", "--exclude", "g15");
      expect(valuesToCheck(later.stdout)).toEqual([]);
    },
  );

  test.each(storyForms)(
    "a preview doesn't warn of values that only the run knows: %s",
    async (_form, plugins) => {
      const code = `const script = new File("script", { filename: "sale.js", content: "alert(1)" });
new JsTag("sale", { type: "JsTag::FileTag", content: script.absoluteUrl });
new JsTag("banner", { type: script.id.apply(() => "JsTag::TextTag" as const), content: "alert(1)" });
new JsTag("both", { type: script.id.apply(() => "JsTag::FileTag" as const), content: script.absoluteUrl });`;
      const { run } = await open(program(code), plugins);
      const { stdout } = await run("preview", "--stack", "dev");
      expect(stdout).toContain("5 to create");
      expect(valuesToCheck(stdout)).toEqual([]);
    },
  );

  test.each(storyForms)(
    "a preview says equal doubts of many values in one line: %s",
    async (_form, plugins) => {
      const code = `for (const n of [1, 2, 3, 4, 5])
  new Product("p" + n, { title: "Mug", variants: ["R", "B"].map((key) => ({ sku: key + n, price: 1, quantity: -n })) });`;
      const { run } = await open(program(code), plugins);
      const ran = await run("preview", "--stack", "dev");
      expect(ran.code).toBe(0);
      expect(valuesToCheck(ran.stdout)).toEqual([
        'index.ts:7  Product "p1"  variants[B1].quantity: got -1',
        'index.ts:7  Product "p1"  variants[R1].quantity: got -1',
        'index.ts:7  Product "p2"  variants[B2].quantity: got -2',
        'index.ts:7  Product "p2"  variants[R2].quantity: got -2',
        "and 6 more",
        "  variants.quantity: expected at least 0",
      ]);
      expect((await run("preview", "--stack", "dev", "--markdown", "-")).stdout).toContain(
        '#### Values to check\n\n- variants.quantity: expected at least 0\n  - index.ts:7 Product "p1" variants&#91;B1&#93;.quantity: got -1\n',
      );
      const [summary] = (await run("preview", "--stack", "dev", "--json")).stdout.split("\n").slice(-2);
      expect(JSON.parse(summary ?? "").doubts).toMatchObject(
        [1, 2, 3, 4, 5].map((n) => ({
          urn: expect.stringMatching(`Product::p${n}$`),
          place: "index.ts:7",
          wrong: ["R", "B"].map((key) => ({
            property: `variants[${key}${n}].quantity`,
            given: `-${n}`,
            reason: "should be at least 0",
          })),
        })),
      );
    },
  );

  test.each(storyForms)(
    "a program that fails says why and in which line, with no stack of anybody else's: %s",
    async (_form, plugins) => {
      const { terminal, run } = await open(program(), plugins);
      terminal.write("Pulumi.dev.yaml", "config:\n  app:word: ten\n");
      for (const { what, code, screen } of [
        ...programs,
        ...[...morePrograms, ...furtherPrograms, ...typePrograms].map((one) => ({ ...one, what: one.code })),
      ]) {
        terminal.write("index.ts", program(code));
        const shown = await run("preview", "--stack", "dev");
        expect(shown.screen, what).toEqual(failed([screen]));
        expect(shown.stdout, what).not.toContain("Warning");
      }
    },
  );

  campaignTest.each(storyForms)(
    "a program that ends before its last line says what it waited for: %s",
    async (_form, plugins) => {
      const { terminal, start } = await open(program(), plugins);
      // Each is two processes of their own; `up` has the other two (bad-input.test.ts).
      for (const { what, code, screen } of partOf(ends, ends.slice(2))) {
        terminal.write("index.ts", program(code));
        expect((await start("preview", "--stack", "dev")).screen, what).toEqual(failed([screen]));
      }
    },
  );

  test.each(storyForms)("a command that means nothing says what to type: %s", async (_form, plugins) => {
    const { run } = await open(program(), plugins);
    for (const { typed, code, screen } of [...commands, ...moreCommands, ...furtherCommands])
      expect(await run(...typed.split(" ")), typed).toMatchObject({ code, screen });
  });

  test.each(storyForms)("an address that no shop can have says what to write: %s", async (_form, plugins) => {
    const { terminal, run } = await open(program(), plugins);
    delete terminal.env.SHOP_URL;
    for (const { what, url, screen } of settings) {
      terminal.write("Pulumi.dev.yaml", `config:\n  shop:url: ${url}\n`);
      expect(await run("preview", "--stack", "dev"), what).toMatchObject({ code: 1, screen });
    }
  });

  test.each([
    ["ABCDEF0123456789".repeat(2), "got 32 characters, some in capital letters"],
    [`${"f".repeat(32)}\n`, "got 33 characters, with a blank or a line break before or after it"],
    ["correct horse", "got 13 characters"],
  ])("a password that was copied with a slip is not shown, and the slip is said: %j", async (word, slip) => {
    const { terminal, run } = await open(program());
    terminal.env.SHOP_PASSWORD = word;
    const { screen } = await run("preview", "--stack", "dev");
    expect(screen[1]).toBe(
      `  - shop:password must be the application's password from the back office, 32 lowercase hex digits; ${slip}`,
    );
  });

  test("a stack file that can't be read as meant says where, and what to write", async () => {
    const { terminal, run } = await open(program());
    for (const { text, says } of stackFiles) {
      terminal.write("Pulumi.dev.yaml", text);
      const { code, screen } = await run("preview", "--stack", "dev");
      expect(code).not.toBe(0);
      expect(screen[0]).toBe(`error: ${says}`);
    }
    terminal.write("Pulumi.dev.yaml", notUtf8);
    expect((await run("preview", "--stack", "dev")).screen[0]).toBe(
      "error: FOLDER/Pulumi.dev.yaml is not UTF-8: save it as UTF-8",
    );
  });

  test("settings below shop: or without this prefix are named, because no key of the provider is there", async () => {
    const { terminal, run } = await open(program());
    delete terminal.env.SHOP_URL;
    terminal.write("Pulumi.dev.yaml", "config:\n  shop:\n    url: https://my-shop.example\n");
    expect((await run("preview", "--stack", "dev")).screen[1]).toBe(
      "  - Pulumi.dev.yaml: the keys below shop: aren't read; write each in full, such as shop:url",
    );
    terminal.write("Pulumi.dev.yaml", "config:\n  url: https://my-shop.example\n");
    expect((await run("preview", "--stack", "dev")).screen[1]).toBe(
      "  - Pulumi.dev.yaml: url is a key of the program; write shop:url",
    );
  });

  test("a folder for temporary files that isn't there is named with its setting", async () => {
    const { terminal, run } = await open(program());
    const place = `${terminal.folder}/nosuch`;
    Object.assign(terminal.env, { TMPDIR: place, TEMP: place });
    const { code, screen } = await run("preview", "--stack", "dev");
    expect([code, screen[0]]).toEqual([
      1,
      "error: FOLDER/nosuch can't be read: there is no such file; set TMPDIR (in Windows, TEMP) to a folder for temporary files",
    ]);
  });

  test("a file where the folder of the states should be is named, and what names it", async () => {
    const { terminal, run } = await open(program());
    terminal.env.PULUMI_BACKEND_URL = `file://${terminal.folder}/index.ts`;
    const { code, screen } = await run("preview", "--stack", "dev");
    expect([code, screen[0]]).toEqual([
      1,
      "error: FOLDER/index.ts, which should keep the states, is a file: check PULUMI_BACKEND_URL and the backend in Pulumi.yaml",
    ]);
  });

  test("a path for config in Pulumi.yaml is the folder of the stack files, as for Pulumi", async () => {
    const { terminal, run } = await open(program());
    terminal.write("Pulumi.yaml", `${terminal.read("Pulumi.yaml")}config: stacks\n`);
    terminal.write("stacks/Pulumi.dev.yaml", "config:\n  user:word: ten\n");
    expect(await run("config", "list", "--stack", "dev")).toMatchObject({
      code: 0,
      stdout: "user:word: ten\n",
    });
  });

  test("a project file that can't be used says what to write", async () => {
    const { terminal, run } = await open(program());
    for (const { text, says } of projectFiles) {
      terminal.write("Pulumi.yaml", text);
      const { code, screen } = await run("preview", "--stack", "dev");
      expect([code, screen[0]]).toEqual([1, `error: ${says}`]);
    }
  });

  test("two hundred of them are here", () => {
    const lists = [
      args,
      programs,
      ends,
      commands,
      wrongArguments,
      morePrograms,
      moreCommands,
      furtherPrograms,
      typePrograms,
    ];
    expect(lists.flat().length).toBeGreaterThanOrEqual(200);
  });
});
