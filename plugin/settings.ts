/** What a provider is configured with; docs/installation-configuration.md says what each means. */
import type { SettingName } from "../provider/native.ts";

export interface Setting {
  readonly type: "string" | "integer" | "number" | "boolean";
  readonly secret?: true;
}

const text = { type: "string" } as const;
const secretText = { type: "string", secret: true } as const;
const whole = { type: "integer" } as const;
const percent = { type: "number" } as const;
const flag = { type: "boolean" } as const;

/** By name, as it stands after `shop:`: each that the provider knows, and no other. */
export const settings = {
  url: text,
  applicationId: text,
  password: secretText,
  token: secretText,
  secret: secretText,
  capacity: whole,
  perPage: whole,
  maxWait: whole,
  allowOutside: flag,
  adopt: text,
  conflicts: text,
  lateAnswers: whole,
  refresh: text,
  protected: flag,
  maxPriceChange: percent,
  maxDiscount: percent,
  belowCost: text,
  maxDeletes: whole,
  maxReplacements: whole,
} as const satisfies Readonly<Record<SettingName, Setting>>;
