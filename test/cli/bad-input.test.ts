// Invalid input at a terminal: reported once, before anything is sent.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { credentials, listen } from "../client/server.ts";
import { campaignTest } from "../support/campaign.ts";
import { storyForms } from "../support/forms.ts";
import { runCommand } from "../support/process.ts";
import { openWorld } from "../support/world.ts";
import { openTerminal, root } from "./terminal.ts";

const coupons = (many: number) => `
import { Coupon } from "pulumi-shop";
for (let at = 0; at < ${many}; at += 1) new Coupon(\`c\${at}\`, { code: \`C\${at}\`, discount: 10, typeId: 1 });
`;
describe.each(storyForms)("%s", (_form, plugins) => {
  const open = (program: string, env: Readonly<Record<string, string>>) => {
    const terminal = openTerminal(program, env, plugins);
    return terminal;
  };

  test("wrong credentials are one request and one sentence, whatever the program has", async () => {
    const world = await openWorld();
    const { run } = open(coupons(40), { ...world.env, SHOP_PASSWORD: "f".repeat(32) });
    world.requests();
    const { code, stdout, stderr } = await run("up", "--stack", "dev", "--create", "--yes", "--skip-preview");
    expect(code).toBe(1);
    expect(world.requests()).toHaveLength(1);
    const all = stdout + stderr;
    expect(all.match(/doesn't know these credentials/g)).toHaveLength(1);
    expect(all).not.toMatch(/failed to register|resource\.js|exited with code/);
  });

  campaignTest.each([
    ["await new Promise(() => {});", "it awaits a value that never arrives"],
    ["process.exit(0);", "it called process.exit"],
  ])("a program that ends before its last line deletes nothing: %s", async (end, why) => {
    const world = await openWorld();
    const { run, start, write } = open(coupons(2), world.env);
    await run("up", "--stack", "dev", "--create", "--yes");
    write("index.ts", `${end}\n${coupons(2)}`);
    world.requests();
    const { code, stdout, stderr } = await start("up", "--stack", "dev", "--yes", "--skip-preview");
    expect(code).toBe(1);
    expect(stderr).toContain(why);
    expect(stdout).toContain("so its deletes are unknown");
    expect(world.requests().filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  test.each([
    ["SHOP_CAPACITY", "101", "shop:capacity must be an integer from 1 to 100"],
    ["SHOP_LATE_ANSWERS", "601", "shop:lateAnswers must be an integer from 0 to 600"],
    ["SHOP_CONFLICTS", "merge", "shop:conflicts must be stop or overwrite"],
    ["SHOP_ADOPT", "id", "shop:adopt must be key"],
    ["SHOP_PROTECTED", "yes", "shop:protected must be true or false"],
  ])("a wrong %s stops the run before anything starts", async (variable, value, text) => {
    const world = await openWorld();
    const { run } = open(coupons(2), { ...world.env, [variable]: value });
    const { code, stdout, stderr } = await run("preview", "--stack", "dev", "--create");
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: ${variable}: ${text}, got "${value}"\nNothing was changed in the shop.\n`,
    });
  });

  test("what a data source says is one sentence, with no stack of ours", async () => {
    const world = await openWorld();
    const { run } = open(
      `
import { Asset, getTheme } from "pulumi-shop";
const theme = getTheme({ title: "nope" });
for (const name of ["a", "b"])
  new Asset(name, { themeId: theme.then(({ id }) => id), type: "Asset::Snippet", name: name + ".liquid", content: "x" });
`,
      world.env,
    );
    const { code, stdout, stderr } = await run("preview", "--stack", "dev", "--create");
    expect(code).toBe(1);
    const all = stdout + stderr;
    expect(all.match(/there is no Theme with title "nope"; the shop has/g)).toHaveLength(1);
    // The program's own line may be shown there.
    expect(all).not.toMatch(/exited with code|^\s+at (?!index\.ts)|serializing/m);
  });

  campaignTest("a thousand equal mistakes are a line, with what was given", async () => {
    const world = await openWorld();
    const { run } = open(
      `
import { Product } from "pulumi-shop";
for (let at = 0; at < 300; at += 1)
  new Product(\`p\${at}\`, { title: "x", variants: [{ sku: \`P\${at}\`, price: \`\${at},99\` }] });
`,
      world.env,
    );
    const { code, stdout, stderr } = await run("preview", "--stack", "dev", "--create");
    expect(code).toBe(1);
    expect(stderr).toContain(
      'index.ts:4  Product "p3"  variants[P3].price: got "3,99"\n  and 296 more\n    variants.price: expected a number',
    );
    expect((stdout + stderr).split("\n").length).toBeLessThan(15);
    expect(world.requests()).toEqual([]);
  });

  test("a refusal that quotes the request's headers shows no credentials, however it is told", async () => {
    const url = await listen((request, response) => {
      if (request.method === "GET")
        return response
          .writeHead(200, { "content-type": "application/xml" })
          .end(
            request.url?.startsWith("/admin/account") === true
              ? '<account><id type="integer">1</id></account>'
              : '<nil-classes type="array"/>',
          );
      response
        .writeHead(422, { "content-type": "application/xml" })
        .end(`<errors><error>${request.headers.authorization} ${credentials.password}</error></errors>`);
    });
    const env = {
      SHOP_URL: url,
      SHOP_APPLICATION_ID: credentials.applicationId,
      SHOP_PASSWORD: credentials.password,
    };
    const { run, folder } = open(coupons(2), env);
    const basic = Buffer.from(`${credentials.applicationId}:${credentials.password}`).toString("base64");
    for (const how of [[], ["--json"], ["--markdown", "report.md"]]) {
      const { code, stdout, stderr } = await run(
        "up",
        "--stack",
        "dev",
        "--create",
        "--yes",
        "--skip-preview",
        ...how,
      );
      expect(code).toBe(1);
      const written = how.includes("--markdown") ? readFileSync(join(folder, "report.md"), "utf8") : "";
      const all = stdout + stderr + written;
      expect(all).toContain("[secret]");
      expect(all).not.toContain(basic.slice(0, -2));
      expect(all).not.toContain(credentials.password);
    }
  });
});

campaignTest(
  "a program of CommonJS that awaits outside of a function says what package.json lacks",
  async () => {
    const { env } = await openWorld();
    const { start, write } = openTerminal('import "pulumi-shop";\nawait Promise.resolve();\n', env);
    write("package.json", "{}");
    const { code, stderr } = await start("preview", "--stack", "dev");
    expect(code).toBe(1);
    expect(stderr).toContain(`Failed:
  the program failed: it awaits outside of a function, which only an ES module can
    Write "type": "module" in package.json beside Pulumi.yaml
Nothing`);
  },
);

test("what the system refuses is said in words, with the path", async () => {
  const terminal = openTerminal("", {});
  const place = join(terminal.folder, "Pulumi.yaml", "shop");
  const { code, stderr } = await terminal.start("init", place);
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining(`error: ${place} can't be written: its folder `),
  ]);
});

test.runIf(existsSync("/proc/self"))(
  "no command waits for a folder that the system lets nobody create, and a cache there is left out",
  async () => {
    const { folder, env } = openTerminal("", {});
    const command = [process.execPath, join(root, "dist/cli/main.js")];
    const cached = await runCommand(folder, [...command, "--version"], {
      ...env,
      XDG_CACHE_HOME: "/proc/none",
    });
    expect(cached).toEqual({ code: 0, output: expect.stringMatching(/^\d/) });
    expect(await runCommand(folder, [...command, "init", "/proc/none/shop"], env)).toEqual({
      code: 1,
      output: "error: /proc/none can't be written: its folder does not exist\n",
    });
  },
);

test("the JSON files of a Windows program are read, and a value in UTF-16 is refused", async () => {
  const { client, env } = await openWorld();
  const terminal = openTerminal("", env);
  const { id } = await client.coupons.create({ code: "STAFF", discount: 5, typeId: 1 });
  const mark = "\uFEFF";
  terminal.write("package.json", `${mark}{ "type": "module" }\r\n`);
  terminal.write(
    "list.json",
    `${mark}{ "resources": [{ "type": "coupon", "name": "staff", "id": "${id}" }] }`,
  );
  await terminal.done("import", "--file", "list.json", "--yes");
  await terminal.done("state", "remove", "staff", "--force");
  expect((await terminal.done("pull", "coupons")).stdout).not.toContain("package.json");
  terminal.write("token.txt", Buffer.from(`${mark}0123456789\r\n`, "utf16le"));
  const set = `"${process.execPath}" "${join(root, "dist/cli/main.js")}" config set shop:token --secret --stack dev < token.txt`;
  expect(await runCommand(terminal.folder, ["sh", "-c", set], terminal.env)).toEqual({
    code: 2,
    output: "error: the value of shop:token on standard input is not UTF-8: save it as UTF-8\n",
  });
  terminal.write("package.json", "{ type: module }");
  const broken = await terminal.run("pull", "coupons", "--stack", "dev", "--force");
  expect([broken.code, broken.stderr]).toEqual([
    1,
    expect.stringContaining(`error: ${join(terminal.folder, "package.json")} is not JSON: `),
  ]);
});

test("a secret that is joined to a text says how to write it, also where the last run had it as a secret", async () => {
  const { env } = await openWorld();
  const tag = (content: string) => `import * as pulumi from "@pulumi/pulumi";
import { JsTag } from "pulumi-shop";
const key = pulumi.secret("s3cr3t-key");
new JsTag("counter", { type: "JsTag::TextTag", name: "counter", content: ${content} });
`;
  const terminal = openTerminal(tag("pulumi.concat('key = ', key)"), env);
  await terminal.done("up", "--yes", "--skip-preview");
  terminal.write("index.ts", tag('"key = " + key'));
  const { code, stderr } = await terminal.dev("preview");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("write a template with pulumi.interpolate before it\n"),
  ]);
});
