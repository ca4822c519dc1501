/**
 * The messages between command, engine and provider outside Pulumi's protocol, except notices
 * (provider/context/notices.ts). `SHOP_RUN` is the command's message to the provider, `PULUMI_EMBEDDED_ENGINE` the
 * engine's. Choices have variables of their own, because people set them too, with plain `pulumi`
 * (docs/installation-configuration.md).
 */
import type { Env } from "./settings.ts";

/** Changes with each incompatible change of `Message`. */
const version = 1;

/** How a plan reads the objects of a list. */
export interface PlannedReads {
  /** Number of pages to read; objects behind them are read one by one. */
  readonly pages: number;
  /** Number of reads of its objects. */
  readonly looks: number;
}

export interface Message {
  /** The shop's mark, if the command has compared it already (provider/context/identity.ts). */
  readonly identity?: string | undefined;
  /** The command checks the limits of the whole plan: diffs refuse nothing, so that the plan is complete. */
  readonly guard?: "plan" | undefined;
  /** Diffs show changes of texts line by line; each costs a read. */
  readonly diff?: "texts" | undefined;
  /** Checks send no requests: a comparison needs only the program's arguments. */
  readonly check?: "arguments" | undefined;
  /** The plan shows all edits of staff, whatever settings keep them or stop at them: `accept` lists them. */
  readonly edits?: "shown" | undefined;
  /** How the plan reads each list (`listText`, provider/context/reads.ts). */
  readonly reads?: Readonly<Record<string, PlannedReads>> | undefined;
  /** The time of the run, the same for all resources (provider/context/time-window.ts). */
  readonly at?: string | undefined;
  /** The command and a random number, `up; 3f9a`, for the User-Agent of its requests. */
  readonly run?: string | undefined;
  /** The key for digests of secrets in a plan, in hex. */
  readonly planKey?: string | undefined;
  /** The plan is the preview of the same run: it binds only values that have no base in the state. */
  readonly isOwnPlan?: true | undefined;
  /** The file with the approved plan (provider/context/plan.ts). */
  readonly approved?: string | undefined;
  /** The file for notices (provider/context/notices.ts). */
  readonly notices?: string | undefined;
}

/** Parses the command's message. @throws Error if another version of the package wrote it */
export function messageIn({ SHOP_RUN: text = "" }: Env): Message {
  if (text === "") return {};
  const { version: theirs, ...message }: Message & { readonly version: unknown } = JSON.parse(text);
  if (theirs === version) return message;
  throw new Error(
    "the command and the provider have different versions of pulumi-shop; run the command from the program's node_modules: npx pulumi-shop",
  );
}

/** The User-Agent of requests. */
export function agentIn(env: Env): string {
  const { run } = messageIn(env);
  return run === undefined ? "pulumi-shop" : `pulumi-shop (${run})`;
}

/** The variable with a message, added to the one in this environment. */
export const messageEnv = (env: Env, more: Message): Readonly<Record<string, string>> => ({
  SHOP_RUN: JSON.stringify({ version, ...messageIn(env), ...more }),
});

const choices = {
  /** Objects as `Kind:id` and resources by name that may exceed the limits of the stack. */
  allow: "SHOP_ALLOW",
  /** Objects as `Kind:id` and resources by name whose conflicting edits are overwritten. */
  overwrite: "SHOP_OVERWRITE",
  /** Objects as `Kind:id`, and kinds, whose edits by staff stay in the shop. */
  keep: "SHOP_KEEP",
  /** Resources by name whose create may be sent again after a lost response. */
  resend: "SHOP_RESEND",
  /** Resources by name that are replaced: Pulumi's engine checks them as new. */
  replace: "SHOP_REPLACE",
  /** Marks of shops whose objects the state forgets. */
  forget: "SHOP_FORGET",
} as const;

export type Choice = keyof typeof choices;

/** The names in a list with commas. */
export const namesIn = (text: unknown): readonly string[] =>
  String(text ?? "")
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** The names of a choice; undefined if it isn't set. */
export function chosenIn(env: Env, choice: Choice): readonly string[] | undefined {
  const text = env[choices[choice]];
  if (text === undefined || text === "") return undefined;
  return namesIn(text);
}

/** The environment for choices. @throws Error for a name with a comma or with spaces around it */
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

/** The file that logs each request (provider/client/request-log.ts). */
export const journalIn = ({ SHOP_JOURNAL: path }: Env): string | undefined => path || undefined;

export const journalEnv = (path: string | undefined): Readonly<Record<string, string>> =>
  path === undefined ? {} : { SHOP_JOURNAL: path };

/** The engine's message to the provider. Pulumi's engine sends none to providers. */
export interface EngineRun {
  /** Whether this is the embedded engine, which understands additions to Pulumi's protocol. */
  readonly isEmbedded: boolean;
  /** Whether this is a preview; undefined if the engine doesn't say. */
  readonly isPreview: boolean | undefined;
  /** The file of the run's lock: without it another run may be active. */
  readonly lock: string | undefined;
  /** URNs of resources whose create was interrupted, and which this run has in its state. */
  readonly recovered: readonly string[];
  /** Whether the run reads all resources first, before it reads those that it deletes. */
  readonly refreshes: boolean;
}

/** Parses the engine's message (engine/processes/child-process.ts). */
export function engineRunIn(env: Env): EngineRun {
  const text = env.PULUMI_EMBEDDED_ENGINE;
  const isEmbedded = text !== undefined && text !== "";
  const { lock, recovered = [], refreshes = false }: Partial<EngineRun> = isEmbedded ? JSON.parse(text) : {};
  const dry = env.PULUMI_NODEJS_DRY_RUN;
  return {
    isEmbedded,
    // Pulumi's engine doesn't tell the host of dynamic providers whether this is a preview.
    isPreview: isEmbedded && dry !== undefined ? dry === "true" : undefined,
    lock,
    recovered,
    refreshes,
  };
}
