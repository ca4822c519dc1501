/**
 * The settings of the provider, from a stack's file (`shop:url`) or the environment (`SHOP_URL`), and how each is
 * parsed. docs/installation-configuration.md describes them.
 */

export interface Setting {
  /** A number is a percentage. */
  readonly type: "string" | "integer" | "number" | "boolean";
  /** The allowed words, if there are only a few. */
  readonly words?: readonly string[];
  /** The smallest and the largest integer; any from 0 without it. */
  readonly range?: readonly [least: number, most: number];
  readonly variable: `SHOP_${string}`;
  readonly secret?: true;
  /** The setting that it belongs to: it counts only beside the value of that one. */
  readonly of?: "url";
}

/** By name, without the prefix `shop:`. */
export const settings = {
  url: { type: "string", variable: "SHOP_URL" },
  applicationId: { type: "string", variable: "SHOP_APPLICATION_ID" },
  password: { type: "string", variable: "SHOP_PASSWORD", secret: true },
  token: { type: "string", variable: "SHOP_TOKEN", secret: true },
  secret: { type: "string", variable: "SHOP_SECRET", secret: true },
  account: { type: "string", variable: "SHOP_ACCOUNT", of: "url" },
  capacity: { type: "integer", range: [1, 100], variable: "SHOP_CAPACITY" },
  perPage: { type: "integer", range: [10, 250], variable: "SHOP_PER_PAGE" },
  // A day; Node's timers take up to 24.8.
  maxWait: { type: "integer", range: [0, 86_400], variable: "SHOP_MAX_WAIT" },
  allowOutside: { type: "boolean", variable: "SHOP_ALLOW_OUTSIDE" },
  adopt: { type: "string", words: ["key"], variable: "SHOP_ADOPT" },
  conflicts: { type: "string", words: ["stop", "overwrite"], variable: "SHOP_CONFLICTS" },
  drift: { type: "string", words: ["revert", "keep", "stop"], variable: "SHOP_DRIFT" },
  lateAnswers: { type: "integer", range: [0, 600], variable: "SHOP_LATE_ANSWERS" },
  protected: { type: "boolean", variable: "SHOP_PROTECTED" },
  maxPriceChange: { type: "number", variable: "SHOP_MAX_PRICE_CHANGE" },
  maxDiscount: { type: "number", variable: "SHOP_MAX_DISCOUNT" },
  belowCost: { type: "string", words: ["refuse", "allow"], variable: "SHOP_BELOW_COST" },
  maxDeletes: { type: "integer", variable: "SHOP_MAX_DELETES" },
  maxReplacements: { type: "integer", variable: "SHOP_MAX_REPLACEMENTS" },
} as const satisfies Readonly<Record<string, Setting>>;

/** The form of a setting's text, by type. */
export const textOf = { number: /^\d+(\.\d+)?$/, integer: /^\d+$/ } as const;

export type SettingName = keyof typeof settings;
type Worded = {
  [Name in SettingName]: (typeof settings)[Name] extends { readonly words: readonly string[] } ? Name : never;
}[SettingName];
export const settingNames = Object.keys(settings) as readonly SettingName[];

export type Env = Readonly<Record<string, string | undefined>>;

/** The settings that arguments may contain, under the same names. */
export interface Settings {
  readonly url?: string | undefined;
  readonly applicationId?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
  readonly secret?: string | undefined;
  readonly capacity?: string | number | undefined;
  readonly perPage?: string | number | undefined;
  /** Seconds, 0 to 86,400. */
  readonly maxWait?: string | number | undefined;
}

/** The process that asks: host of dynamic resources, plugin, or program. They share no reads. */
export type Process = "host" | "plugin" | "program";

/** The sources of settings, in this order. */
export interface Sources {
  readonly settings?: Settings;
  /** The stack's configuration, with secrets decrypted. */
  readonly config?: (key: string) => string | undefined;
  readonly env: Env;
  /** The process that asks; default `host`. */
  readonly by?: Process;
  /** The URN of the provider that the program makes, in its process; undefined for the stack's own shop. */
  readonly provider?: string;
  /** The command that sets a key; default `pulumi config set`. */
  readonly howToSet?: (key: string, isSecret: boolean) => string;
}

/** The text of a setting; undefined if it isn't set, or empty. */
export function stated({ settings: given, config, env }: Sources, name: SettingName): string | undefined {
  const arguments_: Readonly<Partial<Record<SettingName, string | number | undefined>>> = given ?? {};
  const found = arguments_[name] ?? config?.(`shop:${name}`) ?? env[settings[name].variable];
  return found === undefined || found === "" ? undefined : String(found);
}

/** Settings as environment variables. @param values by name; undefined ones are left out */
export const settingsEnv = (
  values: Readonly<Partial<Record<SettingName, string | undefined>>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    settingNames.flatMap((name) => {
      const value = values[name];
      return value === undefined ? [] : [[settings[name].variable, value]];
    }),
  );

/** A boolean setting; false if it isn't set. @throws Error if it is neither true nor false */
export function flagOf(sources: Sources, name: SettingName): boolean {
  const found = stated(sources, name) ?? "false";
  if (found !== "true" && found !== "false")
    throw new Error(`shop:${name} must be true or false, got ${JSON.stringify(found)}`);
  return found === "true";
}

/** A setting with allowed words; undefined if it isn't set. @throws Error if it is another word */
export function wordOf<Name extends Worded>(
  sources: Sources,
  name: Name,
): (typeof settings)[Name]["words"][number] | undefined {
  const words: readonly (typeof settings)[Name]["words"][number][] = settings[name].words;
  return oneOf(sources, name, words);
}

function oneOf<Word extends string>(
  sources: Sources,
  name: SettingName,
  words: readonly Word[],
): Word | undefined {
  const found = stated(sources, name);
  const known = words.find((word) => word === found);
  if (found !== undefined && known === undefined)
    throw new Error(`shop:${name} must be ${words.join(" or ")}, got ${JSON.stringify(found)}`);
  return known;
}

/** A setting in percent, such as 20 or 12.5; undefined if it isn't set. @throws Error if it isn't a percentage */
export function percentageOf(sources: Sources, name: SettingName): number | undefined {
  const found = stated(sources, name);
  if (found !== undefined && !textOf.number.test(found))
    throw new Error(`shop:${name} must be a percentage such as 20, got ${JSON.stringify(found)}`);
  return found === undefined ? undefined : Number(found);
}

/** An integer in the setting's range; undefined if it isn't set. @throws Error if it is another text */
export function integerOf(sources: Sources, name: SettingName): number | undefined {
  const found = stated(sources, name);
  if (found === undefined) return undefined;
  const { range }: Setting = settings[name];
  const [least, most] = range ?? [0, Number.POSITIVE_INFINITY];
  const number = textOf.integer.test(found) ? Number(found) : Number.NaN;
  if (number >= least && number <= most) return number;
  const allowed = range === undefined ? "of at least 0, such as 5" : `from ${least} to ${most}`;
  throw new Error(`shop:${name} must be an integer ${allowed}, got ${JSON.stringify(found)}`);
}

/** @throws Error if the text isn't valid for the setting; an empty text counts as not set */
export function checkSetting(name: SettingName, text: string): void {
  const sources: Sources = { config: () => text, env: {} };
  const { type, words }: Setting = settings[name];
  if (words !== undefined) oneOf(sources, name, words);
  else if (type === "boolean" && text !== "") flagOf(sources, name);
  else if (type === "number") percentageOf(sources, name);
  else if (type === "integer") integerOf(sources, name);
}
