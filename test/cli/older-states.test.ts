// A restored older state: objects created since are in no state, and aren't created twice unseen.

import { copyFileSync, existsSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { storyForms } from "../support/forms.ts";
import { openScene } from "./terminal.ts";

const program = (version: number) => `import { File, JsTag, Product } from "pulumi-shop";
for (let n = 0; n < ${version + 1}; n += 1) {
  new File("f" + n, { filename: "f" + n + ".txt", content: "version ${version}" });
  new JsTag("t" + n, { type: "JsTag::TextTag", name: "t" + n, content: "v(${version})" });
  new Product("p" + n, { title: "p" + n, permalink: "p" + n, variants: [{ sku: "S" + n, price: ${version} }] });
}
`;

const home = "backend/.pulumi/stacks/user/dev.json";

test.each(storyForms)(
  "an older state is refused, and after a refresh what the newer one has is not made again: %s",
  async (_form, more) => {
    const { world, terminal } = await openScene(program(1));
    terminal.warnings.push(/was restored/);
    terminal.write("Pulumi.yaml", `${terminal.read("Pulumi.yaml")}${more}`);
    const up = (...more: readonly string[]) => terminal.dev("up", "--yes", ...more);
    expect((await up("--skip-preview")).code).toBe(0);
    const first = terminal.read(home);
    for (const version of [2, 3]) {
      terminal.write("index.ts", program(version));
      const ran = await up("--skip-preview");
      expect(ran.code, ran.all).toBe(0);
      expect(ran.stderr).not.toContain("was restored");
    }
    const counts = () => ["file", "js_tag", "product"].map((table) => world.rows(table).length);
    const before = counts();
    writeFileSync(join(terminal.folder, home), first);
    for (const args of [[], ["--skip-preview"]]) {
      const ran = await up(...args);
      expect(ran.code, ran.stdout).toBe(1);
      expect(ran.stderr).toContain("an older state of dev was restored");
    }
    expect(counts()).toEqual(before);
    const seen = await terminal.dev("preview");
    expect(seen.stderr).toContain("warning: an older state of dev was restored");
    // The replaced object is gone: it isn't created again, or announced.
    expect(seen.stdout).toMatch(/! File +f0 +refused/);
    expect(seen.stdout).toMatch(/! JsTag +t0 +refused/);
    await terminal.done("refresh", "--yes");
    // A second run without changes forgets nothing of it.
    await terminal.done("refresh", "--yes");
    let told = "";
    for (const args of [[], ["--skip-preview"]]) {
      const ran = await up(...args);
      expect(ran.code, ran.stdout).toBe(1);
      told = ran.all;
      expect(told).toMatch(
        /"f0"\s+adopt: an older state was restored, and the shop has an equal File already \(\d+\): set adopt: "\d+" to adopt it, or run with --resend f0 to create another/,
      );
      expect(told).toMatch(
        /"t0"\s+adopt: an older state was restored, and the shop has a JsTag with name t0/,
      );
      expect(told).toMatch(
        /"p2"\s+adopt: an older state was restored, and the newer one has this resource as Product \d+, which the shop still has/,
      );
      expect(told).toMatch(/with permalink p3 already: set adopt: "key" to adopt it/);
      expect(counts()).toEqual(before);
    }
    const ways = Object.fromEntries(
      [...told.matchAll(/"(\w+)"\s+adopt: .*?set adopt: "(\d+)"/g)].map(([, name = "", id]) => [name, id]),
    );
    const adopted = program(3).replaceAll(/("[ftp]" \+ n), \{/g, "$1, { adopt: ways[$1],");
    terminal.write("index.ts", `const ways = ${JSON.stringify({ ...ways, p3: "key" })};\n${adopted}`);
    const taken = await up("--skip-preview");
    expect(taken.code, taken.all).toBe(0);
    expect(counts()).toEqual(before);
    // After an up of the whole program, the newer state is no longer kept.
    expect(existsSync(join(terminal.folder, `${home}.newer`))).toBe(false);
  },
);

test("an older state is refused also after a refresh has taken in one that is older still", async () => {
  const { terminal } = await openScene("");
  terminal.warnings.push(/was restored/);
  const up = (...more: readonly string[]) => terminal.dev("up", "--yes", ...more);
  const states: string[] = [];
  for (const text of ["", program(1), program(2)]) {
    terminal.write("index.ts", text);
    const ran = await up("--skip-preview");
    expect(ran.code, ran.all).toBe(0);
    states.push(terminal.read(home));
  }
  const put = (text = "") => writeFileSync(join(terminal.folder, home), text);
  put(states[0]);
  await terminal.done("refresh", "--yes");
  put(states[1]);
  const ran = await up();
  expect(ran.code, ran.stdout).toBe(1);
  expect(ran.stderr).toContain("an older state of dev was restored");
  expect(terminal.read(home)).toBe(states[1]);
});

test("a state that pulumi had kept beside it when it was killed is the last one, and one that was copied back is not", async () => {
  const { terminal } = await openScene(program(1));
  const up = () => terminal.dev("up", "--yes", "--skip-preview");
  expect((await up()).code).toBe(0);
  const state = join(terminal.folder, home);
  const copy = (from: string, to: string) => {
    copyFileSync(from, to);
    utimesSync(from, 1_000, 1_000);
    utimesSync(to, 2_000, 2_000);
  };
  copy(state, `${state}.bak`);
  const next = await up();
  expect(next.code, next.stderr).toBe(0);
  copy(`${state}.bak`, state);
  const refused = await up();
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(
      /an older state of dev was restored: it is that of its backup \(.*dev\.json\.bak\), from \S+Z\. /,
    ),
  ]);
});

test("a state that is imported into a stack that pulumi stack init made is no older one", async () => {
  const { terminal } = await openScene(program(1));
  const up = () => terminal.dev("up", "--yes");
  expect((await up()).code).toBe(0);
  // Another backend, with files that pulumi's init and import write.
  const { version, checkpoint } = JSON.parse(terminal.read(home));
  const { resources: _resources, ...empty } = checkpoint.latest;
  const manifest = { ...empty.manifest, time: "2999-01-01T00:00:00Z" };
  const other = "other/.pulumi/stacks/user/dev.json";
  terminal.write(other, terminal.read(home));
  terminal.write(
    `${other}.bak`,
    JSON.stringify({ version, checkpoint: { ...checkpoint, latest: { ...empty, manifest } } }),
  );
  terminal.env.PULUMI_BACKEND_URL = `file://${terminal.folder}/other`;
  const after = await up();
  expect([after.code, after.stderr]).toEqual([0, ""]);
  expect(after.stdout).toContain("6 unchanged");
});
