/**
 * What the command and the provider tell each other by the environment: every variable, how its value is written and how
 * it is read. A person sets some of them too, under bare `pulumi` (docs/rules.md, docs/commands.md).
 */
import type { Env } from "./settings.ts";

/** How the objects of a list are looked at, where a plan knows it. */
export interface PlannedReads {
  /** Pages that are read, from the first; what is behind them is asked for by itself. */
  readonly pages: number;
  /** Looks at objects of the list. */
  readonly looks: number;
}

/** What may be told, by name. */
export interface Told {
  /** Objects as `Kind:id` and resources by name that may go beyond the limits of the stack; from the command or a person. */
  readonly allow: readonly string[];
  /** Objects as `Kind:id` whose conflicts with what staff changed are overwritten; from the command or a person. */
  readonly overwrite: readonly string[];
  /** Objects as `Kind:id`, and kinds, whose edits by staff stay in the shop although the program asks as before; from the command or a person. */
  readonly keep: readonly string[];
  /** Resources by name whose create may be sent again although the first may have happened; from the command or a person. */
  readonly resend: readonly string[];
  /** Resources by name that are replaced whatever is asked of them: to the provider Pulumi's own engine makes them new; from the command or a person. */
  readonly replace: readonly string[];
  /** Shops whose objects the state forgets, as the state marks them: they stay where they are; from the command or a person. */
  readonly forget: readonly string[];
  /** The shop as the state marks it, where the command has compared it already (provider/run/identity.ts). */
  readonly identity: string;
  /** Whoever plans holds the limits against the whole plan: a diff refuses nothing by itself, so that the plan gets whole. */
  readonly guard: "plan";
  /** A diff tells what becomes of a text, line by line, which costs a read each. */
  readonly diff: "texts";
  /** A check looks for nothing in the shop: a comparison wants the program's arguments only. */
  readonly check: "arguments";
  /** How the plan that is carried out looks at objects most cheaply, by list (`listText`, provider/run/reads.ts). */
  readonly reads: Readonly<Record<string, PlannedReads>>;
  /** In hex: the key under which a saved plan keeps digests of secrets. */
  readonly planKey: string;
  /** The file that says what a saved plan permits (provider/run/approved.ts). */
  readonly approved: string;
  /** The file that the provider leaves its notices in (provider/run/notices.ts). */
  readonly notices: string;
  /** The file that gets a line for each request (provider/client/journal.ts); from the command or a person. */
  readonly journal: string;
}

interface Codec<T> {
  /** @throws Error where the value can't be written so that it is read as the same */
  readonly encode: (value: T, variable: string) => string;
  /** @throws Error that says what the variable must be */
  readonly decode: (text: string, variable: string) => T;
}

const wrong = (variable: string, must: string, got: string) =>
  new Error(`${variable} must be ${must}, got ${JSON.stringify(got)}`);

const words: Codec<readonly string[]> = {
  encode(value, variable) {
    const broken = value.find((name) => name.includes(",") || name.trim() !== name || name === "");
    if (broken !== undefined) throw wrong(variable, "names without a comma", broken);
    return value.join(",");
  },
  decode: (text) =>
    text
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
};

const word = <Word extends string>(only: Word): Codec<Word> => ({
  encode: (value) => value,
  decode(text, variable) {
    if (text !== only) throw wrong(variable, only, text);
    return only;
  },
});

const matching = (pattern: RegExp, must: string): Codec<string> => {
  const checked = (text: string, variable: string) => {
    if (!pattern.test(text)) throw wrong(variable, must, text);
    return text;
  };
  return { encode: checked, decode: checked };
};

const asItIs: Codec<string> = { encode: (value) => value, decode: (text) => text };

const isCount = (value: unknown) => Number.isInteger(value) && (value as number) >= 0;

const reads: Codec<Told["reads"]> = {
  encode: (value) => JSON.stringify(value),
  decode(text, variable) {
    const found = parsed(text);
    const isRight =
      isRecord(found) &&
      Object.values(found).every((one) => isRecord(one) && isCount(one.pages) && isCount(one.looks));
    if (!isRight) throw wrong(variable, 'such as {"Coupon {}":{"pages":1,"looks":20}}', text);
    return found as Told["reads"];
  },
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON: the caller says what it must be.
    return undefined;
  }
}

/** The variable of each, and how its value travels. */
const variables: { readonly [Name in keyof Told]: readonly [variable: string, codec: Codec<Told[Name]>] } = {
  allow: ["SHOP_ALLOW", words],
  overwrite: ["SHOP_OVERWRITE", words],
  keep: ["SHOP_KEEP", words],
  resend: ["SHOP_RESEND", words],
  replace: ["SHOP_REPLACE", words],
  forget: ["SHOP_FORGET", words],
  identity: ["SHOP_IDENTITY", asItIs],
  guard: ["SHOP_GUARD", word("plan")],
  diff: ["SHOP_DIFF", word("texts")],
  check: ["SHOP_CHECK", word("arguments")],
  reads: ["SHOP_READS", reads],
  planKey: ["SHOP_PLAN_KEY", matching(/^([0-9a-f]{2})+$/, "hex digits")],
  approved: ["SHOP_APPROVED", asItIs],
  notices: ["SHOP_NOTICES", asItIs],
  journal: ["SHOP_JOURNAL", asItIs],
};

/**
 * What a process is told by its environment.
 * @returns undefined where it is told nothing, or an empty text
 * @throws Error where the text can't be read, naming the variable
 */
export function toldIn<Name extends keyof Told>(env: Env, name: Name): Told[Name] | undefined {
  const [variable, codec] = variables[name];
  const text = env[variable];
  return text === undefined || text === "" ? undefined : codec.decode(text, variable);
}

/**
 * The environment that tells a process something; what is undefined is left out.
 * @throws Error where a value can't be written, naming the variable
 */
export function tell(
  told: { readonly [Name in keyof Told]?: Told[Name] | undefined },
): Readonly<Record<string, string>> {
  const entry = <Name extends keyof Told>(name: Name): readonly (readonly [string, string])[] => {
    const [variable, codec] = variables[name];
    const value = told[name] as Told[Name] | undefined;
    return value === undefined ? [] : [[variable, codec.encode(value, variable)]];
  };
  return Object.fromEntries((Object.keys(variables) as (keyof Told)[]).flatMap((name) => entry(name)));
}

/** What an engine says of a run to its provider. Pulumi's own says it to programs, not to providers. */
export interface EngineRun {
  /** Whether the engine understands what a provider tells beside Pulumi's protocol. */
  readonly isEmbedded: boolean;
  /** Whether nothing is changed; undefined where the engine doesn't say. */
  readonly isPreview: boolean | undefined;
  /** Whether reads are a refresh's; an engine that doesn't say so reads nothing else. */
  readonly isRefresh: boolean;
  /** The file of the run's lock: where it is gone, another run may be at work; undefined where the engine doesn't say. */
  readonly lock: string | undefined;
}

/** What the engine says of this run (the embedded one: engine/processes/environment.ts). */
export function engineRunIn(env: Env): EngineRun {
  const isEmbedded = env.PULUMI_EMBEDDED_ENGINE === "true";
  const dry = env.PULUMI_NODEJS_DRY_RUN;
  return {
    isEmbedded,
    // The real engine doesn't tell the host of dynamic providers which of the two it is at.
    isPreview: isEmbedded && dry !== undefined ? dry === "true" : undefined,
    isRefresh: !isEmbedded || env.PULUMI_EMBEDDED_REFRESH === "true",
    lock: isEmbedded ? env.PULUMI_EMBEDDED_LOCK || undefined : undefined,
  };
}
