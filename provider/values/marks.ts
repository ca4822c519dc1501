/** How Pulumi's protocol marks a value as secret (sdk/nodejs/runtime/rpc.ts). */
import { isRecord } from "../../engine/pulumi/record.ts";
import type { Values } from "../wire/codec.ts";

const signature = "4dabf18193072939515e22adb298388d";
const secretMark = "1b47061264138c4ac30d75fd1eb44270";

const isMarked = (value: unknown): value is { readonly value?: unknown } & Values =>
  isRecord(value) && value[signature] === secretMark;

/** A value marked as secret. */
export const marked = (value: unknown): unknown =>
  isMarked(value) ? value : { [signature]: secretMark, value };

/** A value without marks, at any depth. */
function bareValue(value: unknown): unknown {
  if (isMarked(value)) return bareValue(value.value ?? null);
  if (Array.isArray(value)) return value.map(bareValue);
  return isRecord(value) ? bareValues(value) : value;
}

/** Values without marks, at any depth. */
export const bareValues = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, bareValue(value)]));

/** The names of those values that are secret, or hold a secret. */
export const markedNames = (values: Values): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (holdsMark(value) ? [name] : []));

function holdsMark(value: unknown): boolean {
  if (isMarked(value)) return true;
  if (Array.isArray(value)) return value.some(holdsMark);
  return isRecord(value) && Object.values(value).some(holdsMark);
}
