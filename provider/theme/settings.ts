/**
 * The theme's settings: `presets` by name, and `current`, the name of one of them or values of its own. A file without either
 * has the values themselves.
 */
import type { ThemeFile } from "./files.ts";
import type { Mistake } from "./finding.ts";
import { doubledKey } from "./json.ts";
import type { SettingUse } from "./liquid.ts";

/** The file that has the values. */
const dataName = /^settings_data(?:\.json)?$/;

const isHash = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const mistake = (text: string, key: string, message: string): Mistake => ({
  rule: "settings",
  severity: "error",
  at: Math.max(0, text.indexOf(JSON.stringify(key))),
  message,
  fix: 'write {"presets": {"NAME": {"setting": "value"}}, "current": "NAME"}; the theme\'s settings are lost to every page otherwise',
});

/** What is wrong with a configuration that is JSON. */
export function settingsMistakes(name: string, text: string): readonly Mistake[] {
  const doubled = doubledKey(text);
  const twice: readonly Mistake[] =
    doubled === undefined
      ? []
      : [
          {
            rule: "settings",
            severity: "warning",
            at: doubled.at,
            message: `${doubled.key} is there twice: the first value is lost`,
            fix: "remove one of them",
          },
        ];
  return dataName.test(name) ? [...twice, ...shapeMistakes(text)] : twice;
}

function shapeMistakes(text: string): readonly Mistake[] {
  const data: unknown = JSON.parse(text);
  if (!isHash(data)) return [mistake(text, "", "the settings must be an object, with their names as keys")];
  const { presets, current } = data;
  if (presets !== undefined && !isHash(presets))
    return [mistake(text, "presets", "presets must be an object: presets by their name")];
  const broken = Object.entries(presets ?? {}).find(([, values]) => !isHash(values));
  if (broken !== undefined)
    return [mistake(text, broken[0], `the preset ${broken[0]} must be an object: values by their setting`)];
  if (typeof current === "string" && presets !== undefined && !Object.hasOwn(presets, current))
    return [
      mistake(
        text,
        "current",
        `current names the preset ${current}, and there are ${Object.keys(presets).join(", ") || "none"}`,
      ),
    ];
  return [];
}

/** Settings that no file of the configuration has; nobody knows where the configuration isn't there, or has none. */
export function unknownSettings(
  uses: readonly SettingUse[],
  files: readonly ThemeFile[],
): readonly Mistake[] {
  if (uses.length === 0) return [];
  const texts = files.flatMap(({ type, text }) => (type === "Asset::Configuration" ? [text ?? ""] : []));
  const hasValues = files.some(
    ({ type, name, text = "" }) =>
      type === "Asset::Configuration" && dataName.test(name) && /"\s*:\s*["\d\w]/.test(text),
  );
  if (!hasValues) return [];
  return uses
    .filter(({ name }) => !texts.some((text) => text.includes(`"${name}"`)))
    .map(({ name, at }) => ({
      rule: "unknown-setting",
      severity: "warning",
      at,
      message: `no file in config has a setting ${name}: it is empty in every page`,
      fix: "add it to config/settings_data.json, or correct the name",
    }));
}
