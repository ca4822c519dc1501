// The plugin of a provider: the order of versions, the source in its inputs, the names of default providers.
import { describe, expect, test } from "vitest";
import { isDefaultProvider } from "../../engine/pulumi/urn.ts";
import {
  anySource,
  compareVersions,
  defaultName,
  newest,
  type PluginSource,
  sourceOf,
  type Version,
  versionOf,
  withoutInternal,
  withSource,
  withSourceOf,
} from "../../engine/values/plugin-source.ts";

const source = (version: string, pluginDownloadURL = ""): PluginSource => ({ version, pluginDownloadURL });

describe("parsing plugin versions", () => {
  test("a version has three numbers, and may have a pre-release and a build", () => {
    expect(versionOf("1.20.3")).toEqual({ numbers: [1, 20, 3], pre: [], build: [] });
    expect(versionOf("0.0.1-rc.10+linux.2")).toEqual({
      numbers: [0, 0, 1],
      pre: ["rc", "10"],
      build: ["linux", "2"],
    });
    expect(versionOf("1.0.0-0a.-")).toMatchObject({ pre: ["0a", "-"] });
  });

  test.each([
    "",
    "1",
    "1.2",
    "1.2.3.4",
    "v1.2.3",
    "1.2.3 ",
    "01.2.3",
    "1.02.3",
    "1.2.03",
    "1.2.3-",
    "1.2.3-01",
  ])("an invalid version: %j", (text) => {
    expect(versionOf(text)).toBeUndefined();
  });

  // The order in https://semver.org, 11, with more cases.
  const inOrder = [
    "0.9.9",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.2",
    "1.0.10",
    "1.2.0",
    "1.10.0",
    "2.0.0",
  ];
  test("versions are ordered by Semantic Versioning", () => {
    for (const [at, text] of inOrder.entries())
      for (const [index, other] of inOrder.entries()) {
        const [one, two] = [versionOf(text), versionOf(other)] as [Version, Version];
        expect(Math.sign(compareVersions(one, two)), `${text} and ${other}`).toBe(Math.sign(at - index));
      }
  });
});

test("the newest source wins, the last one of equal versions, and no version counts as the oldest", () => {
  expect(newest([])).toEqual(anySource);
  expect(newest([source("1.0.0", "a"), source("2.0.0", "b"), source("1.5.0", "c")])).toEqual(
    source("2.0.0", "b"),
  );
  expect(newest([source("1.0.0", "a"), source("1.0.0", "b")])).toEqual(source("1.0.0", "b"));
  expect(newest([source("", "a"), source("", "b")])).toEqual(source("", "b"));
  expect(newest([source("1.0.0", "a"), source("", "b")])).toEqual(source("1.0.0", "a"));
});

describe("the source of a plugin among a provider's inputs", () => {
  test("the source is added to the inputs if the program sets it", () => {
    const inputs = { region: "north" };
    expect(withSource(inputs, anySource)).toBe(inputs);
    expect(withSource(inputs, source("1.2.3"))).toEqual({ ...inputs, version: "1.2.3", __internal: {} });
    expect(withSource(inputs, source("", "https://x.example"))).toEqual({
      ...inputs,
      __internal: { pluginDownloadURL: "https://x.example" },
    });
    expect(() => withSource(inputs, source("1.2"))).toThrow(
      '"1.2" is not a version of a plugin; write it as 1.2.3',
    );
  });

  test("the source is read from the inputs, and the plugin gets them without it", () => {
    const all = { version: "1.2.3", pluginDownloadURL: "https://x.example" };
    const kept = withSource({ region: "north" }, all);
    expect(sourceOf(kept)).toEqual(all);
    expect(withoutInternal(kept)).toEqual({ region: "north", version: "1.2.3" });
    expect(sourceOf({})).toEqual(anySource);
  });

  test("sources of older engines are read, and inputs of the same name belong to the provider", () => {
    const url = "https://x.example";
    expect(sourceOf({ version: "1.2.3", pluginDownloadURL: url })).toMatchObject(source("1.2.3", url));
    expect(sourceOf({ version: "1.2.3", pluginDownloadURL: url, __internal: {} })).toMatchObject(
      source("1.2.3"),
    );
    expect(sourceOf({ version: "latest", pluginDownloadURL: 7 })).toEqual(anySource);
    expect(sourceOf({ version: 7 })).toMatchObject(anySource);
  });

  test("a plugin can't change its source", () => {
    const asked = withSource({ region: "north" }, source("1.2.3", "https://x.example"));
    const answered = { region: "NORTH", version: "9.9.9", __internal: {} };
    expect(withSourceOf(answered, asked)).toEqual({ ...asked, region: "NORTH" });
    expect(withSourceOf({ region: "NORTH" }, { region: "north" })).toEqual({ region: "NORTH" });
  });
});

test.each([
  ["", "", "default"],
  ["1.2.3", "", "default_1_2_3"],
  ["1.2.3-rc.1+linux", "", "default_1_2_3_rc_1_linux"],
  ["", "https://x.example/a b", "default_https_/x.example/a_b"],
  ["1.2.3", "https://x.example//", "default_1_2_3_https_/x.example"],
  ["", "é", "default___"],
  ["", "//", "default__"],
])("the default provider of version %j from %j is called %s", (version, url, name) => {
  expect(defaultName(source(version, url))).toBe(name);
  expect(isDefaultProvider(name)).toBe(true);
});

test("names of default providers begin with the word default", () => {
  expect(isDefaultProvider("defaults")).toBe(false);
  expect(isDefaultProvider("my_default")).toBe(false);
  expect(() => defaultName(source("1"))).toThrow('"1" is not a version of a plugin');
});
