// A program under Pulumi's own mocks: nothing is asked of a shop, data sources included.
import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, test } from "vitest";
import { Asset, getThemeOutput, getThemes } from "../../sdk/index.ts";

const asked: unknown[] = [];

beforeEach(async () => {
  asked.length = 0;
  const main = { id: 7, title: "Main" };
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs }),
    call: ({ token, inputs }) => {
      asked.push([token, inputs]);
      return token.endsWith("s") ? { themes: [main] } : main;
    },
  });
});

const known = <T>(output: pulumi.Output<T>): Promise<T> =>
  new Promise((resolve) => void output.apply((value) => resolve(value as T)));

test("a data source answers what the mock of its function says", async () => {
  expect(await getThemes()).toEqual([{ id: 7, title: "Main" }]);
  expect(asked).toEqual([["shop:index:getThemes", {}]]);
});

test("a resource takes what a mocked data source gives", async () => {
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
