/**
 * All that the command, the engine and the provider say to each other beside Pulumi's protocol, but for what the provider
 * answers in the notices of a plan (provider/run/notices.ts). Two variables: `SHOP_RUN` is the command's message to
 * the provider, `PULUMI_EMBEDDED_ENGINE` the engine's. Choices have variables of their own, because a person makes them too,
 * under bare `pulumi` (docs/installation-configuration.md).
 */
import type { Env } from "./settings.ts";

/** Changes with each change of `Message` that the other side would read as something else. */
const version = 1;

/** How the objects of a list are looked at, where a plan knows it. */
export interface PlannedReads {
  /** Pages that are read, from the first; what is behind them is asked for by itself. */
  readonly pages: number;
  /** Looks at objects of the list. */
  readonly looks: number;
}

/** What the command tells the provider of a run. */
export interface Message {
  /** The shop as the state marks it, where the command has compared it already (provider/run/identity.ts). */
  readonly identity?: string | undefined;
  /** Whoever plans holds the limits against the whole plan: a diff refuses nothing by itself, so that the plan gets whole. */
  readonly guard?: "plan" | undefined;
  /** A diff tells what becomes of a text, line by line, which costs a read each. */
  readonly diff?: "texts" | undefined;
  /** A check looks for nothing in the shop: a comparison wants the program's arguments only. */
  readonly check?: "arguments" | undefined;
  /** How the plan that is carried out looks at objects most cheaply, by list (`listText`, provider/run/reads.ts). */
  readonly reads?: Readonly<Record<string, PlannedReads>> | undefined;
  /** The moment of the run, as a person writes one: all resources see the same (provider/run/time-window.ts). */
  readonly at?: string | undefined;
  /** The command and a number of its own, `up; 3f9a`: its requests name them, so that a shop's log tells runs apart. */
  readonly run?: string | undefined;
  /** In hex: the key under which a plan keeps digests of secrets. */
  readonly planKey?: string | undefined;
  /** The plan is kept for its own run alone: of what it saw, only what a sheet's rows meet first binds that run. */
  readonly isOwnPlan?: true | undefined;
  /** The file that says what the plan that is carried out permits (provider/run/plan.ts). */
  readonly approved?: string | undefined;
  /** The file that the provider leaves its notices in (provider/run/notices.ts). */
  readonly notices?: string | undefined;
}

/**
 * What the command tells the provider.
 * @throws Error where another version of the package wrote it
 */
export function messageIn({ SHOP_RUN: text = "" }: Env): Message {
  if (text === "") return {};
  const { version: theirs, ...message }: Message & { readonly version: unknown } = JSON.parse(text);
  if (theirs === version) return message;
  throw new Error(
    "the command and the provider are of different versions of pulumi-shop; start the command of the program's own node_modules: npx pulumi-shop",
  );
}

/** How requests say whose they are. */
export function agentIn(env: Env): string {
  const { run } = messageIn(env);
  return run === undefined ? "pulumi-shop" : `pulumi-shop (${run})`;
}

/** The variable that tells the provider something, beside what it is told in this environment already. */
export const messageEnv = (env: Env, more: Message): Readonly<Record<string, string>> => ({
  SHOP_RUN: JSON.stringify({ version, ...messageIn(env), ...more }),
});

/** The variables of choices, each a list of names; from the command or a person. */
const choices = {
  /** Objects as `Kind:id` and resources by name that may go beyond the limits of the stack. */
  allow: "SHOP_ALLOW",
  /** Objects as `Kind:id`, and resources by name, whose conflicts with what staff changed are overwritten. */
  overwrite: "SHOP_OVERWRITE",
  /** Objects as `Kind:id`, and kinds, whose edits by staff stay in the shop although the program asks as before. */
  keep: "SHOP_KEEP",
  /** Resources by name whose create may be sent again although the first may have happened. */
  resend: "SHOP_RESEND",
  /** Resources by name that are replaced whatever is asked of them: to the provider Pulumi's own engine makes them new. */
  replace: "SHOP_REPLACE",
  /** Shops whose objects the state forgets, as the state marks them: they stay where they are. */
  forget: "SHOP_FORGET",
} as const;

type Choice = keyof typeof choices;

/** Names in a text, separated by commas, without what is empty. */
export const namesIn = (text: unknown): readonly string[] =>
  String(text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** What was chosen; undefined where nothing was. */
export function chosenIn(env: Env, choice: Choice): readonly string[] | undefined {
  const text = env[choices[choice]];
  if (text === undefined || text === "") return undefined;
  return namesIn(text);
}

/**
 * The environment that makes choices; what is undefined is left out.
 * @throws Error for a name that would be read as another, or as two
 */
export function chosenEnv(
  chosen: Readonly<Partial<Record<Choice, readonly string[] | undefined>>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (Object.keys(chosen) as Choice[]).flatMap((choice) => {
      const names = chosen[choice];
      const broken = names?.find((name) => name.includes(",") || name.trim() !== name || name === "");
      if (broken !== undefined)
        throw new Error(`${choices[choice]} must be names without a comma, got ${JSON.stringify(broken)}`);
      return names === undefined ? [] : [[choices[choice], names.join(",")]];
    }),
  );
}

/** The file that gets a line for each request (provider/client/request-log.ts); from the command or a person. */
export const journalIn = ({ SHOP_JOURNAL: path }: Env): string | undefined => path || undefined;

export const journalEnv = (path: string | undefined): Readonly<Record<string, string>> =>
  path === undefined ? {} : { SHOP_JOURNAL: path };

/** What an engine says of a run to its provider. Pulumi's own says it to programs, not to providers. */
export interface EngineRun {
  /** Whether the engine understands what a provider tells beside Pulumi's protocol. */
  readonly isEmbedded: boolean;
  /** Whether nothing is changed; undefined where the engine doesn't say. */
  readonly isPreview: boolean | undefined;
  /** The file of the run's lock: where it is gone, another run may be at work; undefined where the engine doesn't say. */
  readonly lock: string | undefined;
}

/** What the engine says of this run (the embedded one: engine/processes/child-process.ts). */
export function engineRunIn(env: Env): EngineRun {
  const text = env.PULUMI_EMBEDDED_ENGINE;
  const isEmbedded = text !== undefined && text !== "";
  const { lock }: { readonly lock?: string } = isEmbedded ? JSON.parse(text) : {};
  const dry = env.PULUMI_NODEJS_DRY_RUN;
  return {
    isEmbedded,
    // The real engine doesn't tell the host of dynamic providers which of the two it is at.
    isPreview: isEmbedded && dry !== undefined ? dry === "true" : undefined,
    lock,
  };
}
