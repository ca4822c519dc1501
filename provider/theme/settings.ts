/**
 * Checks a theme's settings: `presets` by name, and `current`, which is the name of a preset or has values of its own. A file
 * without both has the values themselves.
 */
import { isRecord } from "../../engine/common/record.ts";
import type { ThemeFile } from "./files.ts";
import type { Mistake } from "./finding.ts";
import { duplicateKey } from "./json.ts";
import type { Use } from "./piece.ts";

/** The file with the values. */
const dataName = /^settings_data(?:\.json)?$/;

const mistake = (text: string, key: string, message: string): Mistake => ({
  rule: "settings",
  severity: "error",
  at: Math.max(0, text.indexOf(JSON.stringify(key))),
  message,
  fix: 'write {"presets": {"NAME": {"setting": "value"}}, "current": "NAME"}; the theme\'s settings are lost to every page otherwise',
});

/** Checks a configuration that is JSON. */
export function settingsMistakes(name: string, text: string): readonly Mistake[] {
  const doubled = duplicateKey(text);
  const twice: readonly Mistake[] =
    doubled === undefined
      ? []
      : [
          {
            rule: "settings",
            severity: "warning",
            at: doubled.at,
            message: `${doubled.key} occurs twice: the first value is lost`,
            fix: "remove one of them",
          },
        ];
  if (dataName.test(name)) return [...twice, ...shapeMistakes(text)];
  return name === "messages.json" ? [...twice, ...languageMistakes(text)] : twice;
}

/** Messages are texts by name, for each language. */
function languageMistakes(text: string): readonly Mistake[] {
  const data: unknown = JSON.parse(text);
  const fix = 'write {"en": {"MESSAGE": "text"}}; no page gets its messages otherwise';
  const wrong = (key: string, message: string): readonly Mistake[] => [
    { ...mistake(text, key, message), fix },
  ];
  if (!isRecord(data)) return wrong("", "the messages must be an object, with languages as keys");
  const [language, messages] = Object.entries(data).find(([, one]) => !isRecord(one)) ?? [];
  if (language === undefined) return [];
  return wrong(
    language,
    `${language} must be an object, with messages by their name, and is ${JSON.stringify(messages).slice(0, 40)}`,
  );
}

function shapeMistakes(text: string): readonly Mistake[] {
  const data: unknown = JSON.parse(text);
  if (!isRecord(data)) return [mistake(text, "", "the settings must be an object, with their names as keys")];
  const { presets, current } = data;
  if (presets !== undefined && !isRecord(presets))
    return [mistake(text, "presets", "presets must be an object: presets by their name")];
  const broken = Object.entries(presets ?? {}).find(([, values]) => !isRecord(values));
  if (broken !== undefined)
    return [mistake(text, broken[0], `the preset ${broken[0]} must be an object: values by their setting`)];
  if (presets === undefined || current === undefined || isRecord(current)) return [];
  if (typeof current === "string" && Object.hasOwn(presets, current)) return [];
  const there = Object.keys(presets).join(", ") || "none";
  return [
    mistake(text, "current", `current names the preset ${JSON.stringify(current)}, and there are ${there}`),
  ];
}

/** Messages without a text in any language. Skipped if the theme has no messages. */
export function unknownMessages(uses: readonly Use[], files: readonly ThemeFile[]): readonly Mistake[] {
  const text = files.find(
    ({ type, name }) => type === "Asset::Configuration" && name === "messages.json",
  )?.text;
  if (uses.length === 0 || text === undefined || !/"\s*:\s*"/.test(text)) return [];
  return uses
    .filter(({ name }) => !text.includes(`"${name}"`))
    .map(({ name, at }) => ({
      rule: "unknown-message",
      severity: "warning",
      at,
      message: `config/messages.json has no message ${name}: it is empty on every page`,
      fix: "add it in each language, or correct the name",
    }));
}

/** Settings that no configuration has. Skipped if the configuration is missing or empty. */
export function unknownSettings(uses: readonly Use[], files: readonly ThemeFile[]): readonly Mistake[] {
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
      message: `no file in config has a setting ${name}: it is empty on every page`,
      fix: "add it to config/settings_data.json, or correct the name",
    }));
}
