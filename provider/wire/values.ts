/** Values whose place is known, as what stands there. */
import type { Values } from "./codec.ts";

/** The items of a list; none where there is no list. */
export const listOf = (value: unknown): readonly Values[] => (value ?? []) as readonly Values[];

/** The values of an object by name; none where there is none. */
export const valuesOf = (value: unknown): Values => (value ?? {}) as Values;
