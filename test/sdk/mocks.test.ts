// Programs with Pulumi's mocks: no request reaches a shop, not even from data sources.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import languageMessages from "@pulumi/pulumi/proto/language_pb.js";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { inlineServer } from "../../engine/pulumi/sdk-internals.ts";
import { Asset, Coupon, getThemeOutput, getThemes, Product } from "../../sdk/index.ts";
import { type Form, projectText } from "../support/engines.ts";

const asked: unknown[] = [];

beforeEach(async () => {
  asked.length = 0;
  const main = { id: 7, title: "Main" };
  await pulumi.runtime.setMocks({
    // Like a preview's answer: the arguments, with names sorted by the protocol.
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: sorted(inputs) as object }),
    call: ({ token, inputs }) => {
      asked.push([token, inputs]);
      return token.endsWith("s") ? { themes: [main] } : main;
    },
  });
});

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, entry]) => [name, sorted(entry)]));
};

const known = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply((value) => resolve(value as T)));

test("a data source returns the result of its function's mock", async () => {
  expect(await getThemes()).toEqual([{ id: 7, title: "Main" }]);
  expect(asked).toEqual([["shop:index:getThemes", {}]]);
});

test("a resource accepts values of a mocked data source", async () => {
  const theme = getThemeOutput({ title: "Main" });
  const about = new Asset("about", {
    themeId: theme.id,
    type: "Asset::Template",
    name: "page.about.liquid",
    content: "<h1>About</h1>\n",
  });
  expect(await known(about.themeId)).toBe(7);
  expect(asked).toEqual([["shop:index:getTheme", { title: "Main" }]]);
});

test("in a preview, a program gets its variants in its own order", async () => {
  const variants = ["MUG-R", "MUG-B", "MUG-A"].map((sku) => ({ sku, price: 7 }));
  const mug = new Product("mug", { title: "Mug", variants });
  expect(await known(mug.variants)).toEqual(variants);
  expect(await pulumi.isSecret(mug.variants)).toBe(false);
});

test("an alias that is a text but no URN is refused with the right form", () => {
  expect(() => new Coupon("new", { code: "NEW", discount: { percent: 5 } }, { aliases: ["old"] })).toThrow(
    'aliases: "old" is not a URN; if it is the resource\'s old name, write { name: "old" }',
  );
});

test("a secret list stays secret in the program's order, and other lists stay plain", async () => {
  const variants = ["MUG-R", "MUG-A"].map((sku) => ({ sku, price: 7 }));
  const mug = new Product("mug", { title: "Mug", variants: pulumi.secret(variants) });
  expect(await known(mug.variants)).toEqual(variants);
  expect(await pulumi.isSecret(mug.variants)).toBe(true);
});

test("concurrent programs of the Automation API use the form of their own projects", async () => {
  const home = mkdtempSync(join(tmpdir(), "pulumi-shop-inline-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const { LanguageServer } = createRequire(import.meta.url)(inlineServer);
  const typeIn = (form: Form) =>
    new Promise((resolve) => {
      mkdirSync(join(home, form));
      writeFileSync(join(home, form, "Pulumi.yaml"), projectText("inline", form));
      const mocks: pulumi.runtime.Mocks = {
        newResource: ({ type, name, inputs }) => {
          if (name === form) made = type;
          return { id: name, state: inputs };
        },
        call: () => ({}),
      };
      let made = "";
      const request = new languageMessages.RunRequest().setInfo(
        new languageMessages.ProgramInfo().setRootDirectory(join(home, form)),
      );
      // The SDK's last call before it creates the stack: the mocks are the only engine of this run.
      Object.assign(request, { getConfigMap: () => void pulumi.runtime.setMocks(mocks) });
      const program = async () => {
        new Coupon(form, { code: form, discount: { percent: 10 } });
      };
      new LanguageServer(program).run({ request }, () => resolve(made));
    });
  expect(await Promise.all([typeIn("plugin"), typeIn("dynamic")])).toEqual([
    "shop:index:Coupon",
    "pulumi-nodejs:dynamic/shop:Coupon",
  ]);
});

test("a long program's resources are registered completely and in order, and immediately when an output is read", async () => {
  const begun: string[] = [];
  await pulumi.runtime.setMocks({
    newResource: async ({ name, inputs }) => {
      begun.push(name);
      await new Promise(setImmediate);
      return { id: `${name}-id`, state: inputs };
    },
    call: () => ({}),
  });
  const all = Array.from({ length: 200 }, (_none, index) => {
    return new Product(`p${index}`, {
      title: `Product ${index}`,
      variants: [{ sku: `S-${index}`, price: 1 }],
    });
  });
  const [first, last] = [all[0] as Product, all[199] as Product];
  expect(Object.keys(last).slice(0, 3)).toEqual(Object.keys(first).slice(0, 3));
  expect(pulumi.Resource.isInstance(last)).toBe(true);
  // It doesn't wait for the hundreds before it.
  expect(await known(last.variants)).toEqual([{ sku: "S-199", price: 1 }]);
  expect(begun.indexOf("p199")).toBeLessThan(70);
  while (begun.length < 200) await new Promise(setImmediate);
  const inTurn = begun.filter((name) => name !== "p199");
  expect(inTurn).toEqual(all.slice(0, 199).map((_one, index) => `p${index}`));
  expect(await known(pulumi.all(all.map(({ id }) => id)))).toHaveLength(200);
});
