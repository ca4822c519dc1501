/** The file of a saved plan: readable JSON, protected against changes (docs/decisions/0014-contents-of-a-saved-plan.md). */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { isRecord } from "../../engine/common/record.ts";
import type { Stack, Step } from "../../engine/index.ts";
import { digestUnder, type Notice } from "../../provider/inventory/index.ts";
import { RunError } from "../stack/errors.ts";
import type { nameOptions } from "./options.ts";

/** The values that the provider read for a step. */
export type SeenObject = Extract<Notice, { type: "sees" }>;

/** The package, project, stack and shop that a plan is for. */
export interface PlanTarget {
  readonly package: string;
  readonly project: string;
  readonly stack: string;
  readonly shop: string;
  readonly verb: "up" | "destroy";
}

export type PlanOptionTexts = {
  readonly refresh: boolean;
  readonly "target-dependents"?: boolean | undefined;
} & { readonly [Name in (typeof nameOptions)[number]]?: string | undefined };

export interface SavedPlan extends PlanTarget, PlanOptionTexts {
  /** In UTC, ISO 8601. */
  readonly made: string;
  readonly steps: readonly Step[];
  /** Messages of refused steps, by URN. */
  readonly refused: Readonly<Record<string, string>>;
  readonly seen: readonly SeenObject[];
}

const format = "pulumi-shop plan";
const version = 1;

interface Envelope {
  readonly format?: unknown;
  readonly version?: unknown;
  readonly encryptionSalt?: unknown;
  readonly key?: unknown;
  readonly seal?: unknown;
}

/** The key of a plan: secrets are compared by digests under it, and the file is authenticated with it. */
export interface PlanKey {
  /** In hex. */
  readonly key: string;
  /** The key, encrypted with the stack's passphrase. */
  readonly sealed: { readonly encryptionSalt: string; readonly key: string };
}

/** @throws RunError if the stack's passphrase is missing or wrong */
export function newPlanKey({ config }: Stack): PlanKey {
  const key = randomBytes(32).toString("hex");
  try {
    // A stack without secrets has no salt yet, and a preview must not write one.
    const encryptionSalt = config.encryptionSalt() ?? config.newSalt();
    return { key, sealed: { encryptionSalt, key: config.crypterOf(encryptionSalt).encrypt(key) } };
  } catch (cause) {
    const why = (cause as Error).message;
    throw new RunError("plan", `the stack's passphrase protects a saved plan against changes: ${why}`, {
      cause,
    });
  }
}

export function printPlan(plan: SavedPlan, { key, sealed }: PlanKey): string {
  const { encryptionSalt, key: sealedKey } = sealed;
  const file = { format, version, ...plan, encryptionSalt, key: sealedKey };
  const whole = JSON.parse(JSON.stringify(file)) as Readonly<Record<string, unknown>>;
  return `${JSON.stringify({ ...whole, seal: digestUnder(key)(canonicalJson(whole)) }, undefined, 2)}\n`;
}

/**
 * Reads a plan file.
 * @param path of the file, for messages
 * @param frame the package, project, stack and shop of this run
 * @throws RunError `stale` for a plan of another version or shop; `plan` for a file that is no plan, belongs to
 * another stack, is damaged or was changed, or can't be decrypted
 */
export function readPlan(
  text: string,
  path: string,
  frame: PlanTarget,
  { config }: Stack,
): { readonly plan: SavedPlan; readonly key: string } {
  const { seal, ...file } = envelopeOf(text, path);
  if (file.version !== version)
    throw new RunError(
      "plan",
      `the plan ${path} has version ${JSON.stringify(file.version)}, this pulumi-shop reads version ${version}; make a new plan`,
    );
  const plan = file as unknown as SavedPlan;
  for (const name of ["project", "stack", "verb"] as const)
    if (plan[name] !== frame[name])
      throw new RunError(
        "plan",
        `the plan ${path} is of the ${name} ${JSON.stringify(plan[name])}, this is ${frame[name]}`,
      );
  const { encryptionSalt, key: sealedKey } = file;
  if (typeof encryptionSalt !== "string" || typeof sealedKey !== "string" || typeof seal !== "string")
    throw new RunError("plan", `the plan ${path} is damaged: its signature is missing; make a new plan`);
  const key = decryptKey(encryptionSalt, sealedKey, path, config);
  const expected = Buffer.from(digestUnder(key)(canonicalJson(file)));
  if (seal.length !== expected.length || !timingSafeEqual(Buffer.from(seal), expected))
    throw new RunError("plan", `the plan ${path} was changed after it was saved; make a new plan`);
  if (plan.package !== frame.package)
    throw new RunError(
      "stale",
      `the plan ${path} was made by pulumi-shop ${plan.package}, this is ${frame.package}; make a new plan`,
    );
  if (plan.shop !== frame.shop)
    throw new RunError(
      "stale",
      `the plan ${path} is of the shop ${plan.shop}, the stack's is ${frame.shop}; make a new plan`,
    );
  return { plan, key };
}

function envelopeOf(text: string, path: string): Envelope {
  let file: Envelope | null;
  try {
    file = JSON.parse(text) as Envelope | null;
  } catch (cause) {
    throw new RunError("plan", `the plan ${path} is damaged (${(cause as Error).message}); make a new plan`, {
      cause,
    });
  }
  if (typeof file !== "object" || file === null || file.format !== format)
    throw new RunError("plan", `${path} is not a saved plan; preview --save-plan FILE creates one`);
  return file;
}

function decryptKey(salt: string, sealed: string, path: string, config: Stack["config"]): string {
  let crypter: ReturnType<typeof config.crypterOf>;
  try {
    crypter = config.crypterOf(salt);
  } catch (cause) {
    throw new RunError("plan", `the plan ${path} can't be opened: ${(cause as Error).message}`, { cause });
  }
  try {
    return crypter.decrypt(sealed);
  } catch (cause) {
    throw new RunError(
      "plan",
      `the plan ${path} was saved with another passphrase, or is damaged; make a new plan`,
      { cause },
    );
  }
}

/** Canonical JSON, so that a reformatted file is still the same plan. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isRecord(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
